package records

import (
	"context"
	"fmt"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/pack"
	"github.com/avow-project/avow/internal/std/hostname"
)

// mirrorColumns are the columns of a mirror in the order of mirrorArgs and scanMirror.
const mirrorColumns = `platform, document, catalog_etag, superseded_by, publisher_domains, created_at, updated_at,
	superseded_at, own_file_url, own_file_at, checked_at`

// mirrorArgs are the values of mirrorColumns.
func mirrorArgs(m *registry.Mirror) ([]any, error) {
	domains, err := pack.Strings(m.PublisherDomains)
	if err != nil {
		return nil, fmt.Errorf("store: mirror of %s: %w", m.Platform, err)
	}
	return []any{
		m.Platform, string(m.Document), m.CatalogETag, m.SupersededBy, domains, m.CreatedAt.UnixMicro(),
		m.UpdatedAt.UnixMicro(),
		optional(m.SupersededAt), m.OwnFileURL, optional(m.OwnFileAt), optional(m.CheckedAt),
	}, nil
}

// scanMirror reads a row of mirrorColumns.
func scanMirror(r Rows) (*registry.Mirror, error) {
	m := &registry.Mirror{}
	var document string
	var domains []byte
	var created, updated int64
	var superseded, own, checked *int64
	err := r.Scan(&m.Platform, &document, &m.CatalogETag, &m.SupersededBy, &domains, &created, &updated,
		&superseded, &m.OwnFileURL, &own, &checked)
	if err != nil {
		return nil, err
	}
	m.Document = registry.Hash(document)
	m.CreatedAt, m.UpdatedAt = time.UnixMicro(created).UTC(), time.UnixMicro(updated).UTC()
	m.SupersededAt, m.OwnFileAt, m.CheckedAt = timeOf(superseded), timeOf(own), timeOf(checked)
	m.PublisherDomains, err = pack.Unstrings[hostname.Domain](domains)
	return m, err
}

// PutMirror creates or replaces a mirror.
func (s *Store) PutMirror(ctx context.Context, m *registry.Mirror, base registry.Hash) (err error) {
	defer s.watched(&ctx, "put_mirror", &err)()
	return putMirror(ctx, s.db, m, base)
}

// putMirror is PutMirror within a transaction, or on its own.
func putMirror(ctx context.Context, c Conn, m *registry.Mirror, base registry.Hash) error {
	args, err := mirrorArgs(m)
	if err != nil {
		return err
	}
	statement := `INSERT INTO mirrors (` + mirrorColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
		ON CONFLICT (platform) DO NOTHING`
	if base != "" {
		statement = `UPDATE mirrors SET document = $2, catalog_etag = $3, superseded_by = $4, publisher_domains = $5,
			created_at = $6, updated_at = $7, superseded_at = $8, own_file_url = $9, own_file_at = $10, checked_at = $11
			WHERE platform = $1 AND document = $12`
		args = append(args, string(base))
	}
	n, err := exec(ctx, c, statement, args...)
	if err == nil && n == 0 {
		return registry.ErrConflict
	}
	return err
}

// NoteOwnFile stores what was found out about the platform of a mirror.
func (s *Store) NoteOwnFile(ctx context.Context, m *registry.Mirror) (err error) {
	defer s.watched(&ctx, "note_own_file", &err)()
	_, err = exec(ctx, s.db,
		`UPDATE mirrors SET own_file_url = $3, own_file_at = $4, checked_at = $5 WHERE platform = $1 AND document = $2`,
		m.Platform, string(m.Document), m.OwnFileURL, optional(m.OwnFileAt), optional(m.CheckedAt))
	return err
}

// Mirror returns the mirror of a platform.
func (s *Store) Mirror(ctx context.Context, platform string) (_ *registry.Mirror, err error) {
	defer s.watched(&ctx, "mirror", &err)()
	return get(ctx, s.db, scanMirror, `SELECT `+mirrorColumns+` FROM mirrors WHERE platform = $1`, platform)
}

// Mirrors returns a page of all mirrors.
func (s *Store) Mirrors(ctx context.Context, limit, offset int) (_ []registry.Mirror, _ int, err error) {
	defer s.watched(&ctx, "mirrors", &err)()
	n, skip := page(limit, offset)
	var all []registry.Mirror
	var total int
	err = s.db.Snapshot(ctx, func(c Conn) error {
		var err error
		total, err = number(ctx, c, `SELECT COUNT(*) FROM mirrors`)
		if err != nil {
			return err
		}
		all, err = list(ctx, c, scanMirror, `SELECT `+mirrorColumns+` FROM mirrors ORDER BY platform LIMIT $1 OFFSET $2`,
			n, skip)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	return all, total, nil
}

// DeleteMirror removes a mirror whose document is base.
func (s *Store) DeleteMirror(ctx context.Context, platform string, base registry.Hash) (err error) {
	defer s.watched(&ctx, "delete_mirror", &err)()
	return s.db.Update(ctx, func(c Conn) error { return deleteMirror(ctx, c, platform, base) })
}

// deleteMirror is DeleteMirror within a transaction.
func deleteMirror(ctx context.Context, c Conn, platform string, base registry.Hash) error {
	n, err := exec(ctx, c, `DELETE FROM mirrors WHERE platform = $1 AND document = $2`, platform, string(base))
	if err != nil || n > 0 {
		return err
	}
	return absentOrChanged(ctx, c, `SELECT COUNT(*) FROM mirrors WHERE platform = $1`, platform)
}

// absentOrChanged tells why a conditional change found no row: a statement that counts
// the rows without the condition finds none, or one.
func absentOrChanged(ctx context.Context, c Conn, count string, key string) error {
	n, err := number(ctx, c, count, key)
	switch {
	case err != nil:
		return err
	case n == 0:
		return registry.ErrNotFound
	default:
		return registry.ErrConflict
	}
}
