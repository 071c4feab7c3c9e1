package records

import (
	"bytes"
	"context"
	"fmt"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/service/store/pack"
)

// write replaces the file's record and those parts of its revocations that are others.
func (f *encodedFile) write(ctx context.Context, c Conn, e *encoded) error {
	guest, err := f.replace(ctx, c, e)
	if err != nil {
		return err
	}
	own := custodian.Own(e.change.Publisher, f.URL)
	due := dueRow{name: dueName(f.key), url: f.URL, class: custodian.Wanted, at: custodian.FileDue(f.File)}
	if f.Revision > 0 || !own || e.change.Lease != nil && e.change.Lease.Name == due.name {
		// Otherwise it is not in the list, and does not come into it.
		err = e.schedule(ctx, c, guest != nil || own, due)
	}
	if err != nil {
		return err
	}
	return f.writeParts(ctx, c)
}

// replace writes the record, and returns when a caller asked for it, if it is a guest's.
func (f *encodedFile) replace(ctx context.Context, c Conn, e *encoded) (*int64, error) {
	args := []any{f.key, f.URL, f.Revision + 1, f.Refused != nil, int64(len(f.Revocations)), f.record, fileBrief(f.File)}
	if f.Revision == 0 {
		guest := e.guest()
		return guest, laterAs(ctx, c, wasReplaced, `INSERT INTO custody_files (key, url, revision, held, revoked, record, brief, bytes, guest, site)
			VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9) ON CONFLICT (key) DO NOTHING`,
			append(args, guest, retain.SiteOfURL(f.URL))...)
	}
	var guest *int64
	err := replacedOne(ctx, c, func(r Rows) error { return r.Scan(&guest) },
		`UPDATE custody_files SET url = $2, revision = $3, held = $4, revoked = $5, record = $6,
		brief = $7, guest = `+e.nextGuest(9)+` WHERE key = $1 AND revision = $8 RETURNING guest`,
		append(append(args, f.Revision), e.guestArgs()...)...)
	return guest, err
}

// writeParts compares what is stored with what shall be. The row of the file is locked.
func (f *encodedFile) writeParts(ctx context.Context, c Conn) error {
	if f.Revision == 0 && len(f.parts) == 0 {
		return nil // a file that was not there has none either
	}
	stored := map[string][]byte{}
	err := each(ctx, c, func(r Rows) error {
		var first string
		var digest []byte
		err := r.Scan(&first, &digest)
		stored[first] = digest
		return err
	}, `SELECT first, digest FROM custody_revocations WHERE file = $1`, f.key)
	if err != nil {
		return err
	}
	for _, p := range f.parts {
		digest := p.digest()
		same := bytes.Equal(stored[p.first], digest)
		delete(stored, p.first)
		if same {
			continue
		}
		err := f.writePart(ctx, c, p, digest)
		if err != nil {
			return err
		}
	}
	for first := range stored {
		err := later(ctx, c, `DELETE FROM custody_revocations WHERE file = $1 AND first = $2`, f.key, first)
		if err != nil {
			return err
		}
	}
	return nil
}

// writePart writes one part.
func (f *encodedFile) writePart(ctx context.Context, c Conn, p part, digest []byte) error {
	packed, err := pack.Sized(p.flat)
	if err != nil {
		return fmt.Errorf("store: revocations: %w", err)
	}
	return later(ctx, c, `INSERT INTO custody_revocations (file, first, digest, packed) VALUES ($1, $2, $3, $4)
		ON CONFLICT (file, first) DO UPDATE SET digest = excluded.digest, packed = excluded.packed`, f.key, p.first, digest,
		packed)
}
