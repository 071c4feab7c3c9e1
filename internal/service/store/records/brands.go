package records

import (
	"context"
	"errors"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
)

// PutBrand replaces the brand data of a domain from one source. The revision goes up when
// the data or who saved it is another, not when it was merely confirmed. What the service
// found by itself does not replace what a keyholder saved, and what one key saved is
// replaced by that key or with Override alone: anything else is ErrConflict.
func (s *Store) PutBrand(ctx context.Context, b *registry.Brand) (err error) {
	defer s.watched(&ctx, "put_brand", &err)()
	manifest := b.Manifest
	if manifest == nil {
		manifest = []byte{}
	}
	err = checkText([]any{b.Domain, string(b.Source), b.By})
	if err != nil {
		return err
	}
	override, revision := 0, 0
	if b.Override {
		override = 1
	}
	err = s.db.Update(ctx, func(c Conn) error {
		var err error
		revision, err = number(ctx, c, `INSERT INTO brands (domain, source, manifest, updated_at, revision, saved_by)
			VALUES ($1, $2, $3, $4, 1, $5)
			ON CONFLICT (domain, source) DO UPDATE SET manifest = excluded.manifest, updated_at = excluded.updated_at,
				saved_by = excluded.saved_by, revision = brands.revision
				+ CASE WHEN brands.manifest = excluded.manifest AND brands.saved_by = excluded.saved_by THEN 0 ELSE 1 END
			WHERE brands.saved_by = '' OR brands.saved_by = excluded.saved_by OR $6 = 1
			RETURNING revision`,
			b.Domain, string(b.Source), manifest, b.UpdatedAt.UnixMicro(), b.By, override)
		if !errors.Is(err, registry.ErrNotFound) {
			return err
		}
		if b.By != "" {
			return registry.ErrConflict
		}
		revision = b.Revision // what a keyholder saved stays
		return nil
	})
	if err == nil {
		b.Revision = revision
	}
	return err
}

const brandColumns = `domain, source, manifest, updated_at, revision, saved_by`

func scanBrand(r Rows) (*registry.Brand, error) {
	b := &registry.Brand{}
	var updated, revision int64
	err := r.Scan((*string)(&b.Domain), (*string)(&b.Source), &b.Manifest, &updated, &revision, &b.By)
	if len(b.Manifest) == 0 {
		b.Manifest = nil
	}
	b.UpdatedAt, b.Revision = time.UnixMicro(updated).UTC(), int(revision)
	return b, err
}

// Brand returns the brand data of a domain from one source.
func (s *Store) Brand(ctx context.Context, domain hostname.Domain,
	source registry.BrandSource) (_ *registry.Brand, err error) {
	defer s.watched(&ctx, "brand", &err)()
	return get(ctx, s.db, scanBrand, `SELECT `+brandColumns+` FROM brands WHERE domain = $1 AND source = $2`,
		domain, string(source))
}

// Brands returns the brand data of the domains after one, the sources in alphabetical order, which is
// that of their weight.
func (s *Store) Brands(ctx context.Context, after hostname.Domain, limit int) (_ []registry.Brand, err error) {
	defer s.watched(&ctx, "brands", &err)()
	n, _ := page(limit, 0)
	return list(ctx, s.db, scanBrand, `SELECT `+brandColumns+` FROM brands WHERE LENGTH(manifest) > 0 AND domain IN
		(SELECT DISTINCT domain FROM brands WHERE domain > $1 AND LENGTH(manifest) > 0 ORDER BY domain LIMIT $2) ORDER BY domain, source`, after, n)
}
