package records

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/highwater"
	"github.com/avow-project/avow/internal/service/store/pack"
	"github.com/avow-project/avow/internal/std/hostname"
)

// An encoded is a change as it is stored. All that takes time or may be refused is done
// before the transaction, which may be repeated.
type encoded struct {
	change    *custodian.Change
	publisher []byte
	files     []encodedFile
	documents []encodedDocument
	// at is when the change is made.
	at     int64
	events [][]byte
}

// An encodedFile is a file's record and its revocations.
type encodedFile struct {
	*custody.File
	key, record []byte
	parts       []part
}

// An encodedDocument is a document to be stored. Without packed bytes it is there already.
type encodedDocument struct {
	hash   registry.Hash
	size   int64
	packed []byte
}

// Commit makes all parts of a change, or none.
//
// Rows are locked in one order, which keeps two changes from waiting for each other: the
// publisher, files, documents, and last the row that numbers come from. It makes changes
// with something for the history follow one another, so that whoever reads events by
// their number does not pass over one that is committed later.
func (s *Custody) Commit(ctx context.Context, c *custodian.Change) error {
	e, err := s.encode(ctx, c)
	if err != nil {
		return err
	}
	return s.docs.counted(ctx, func(c Conn) (highwater.State, error) { return e.write(ctx, s.docs, c) })
}

// encode prepares a change.
func (s *Custody) encode(ctx context.Context, c *custodian.Change) (*encoded, error) {
	e := &encoded{change: c, at: madeAt(c).UnixMicro()}
	var err error
	if c.Publisher != nil {
		err = checkName(string(c.Publisher.Domain))
		if err != nil {
			return nil, err
		}
		e.publisher, err = encodeRecord(c.Publisher)
		if err != nil {
			return nil, err
		}
	}
	e.files, err = encodeFiles(c.Files)
	if err != nil {
		return nil, err
	}
	e.documents, err = s.encodeDocuments(ctx, c.Documents)
	if err != nil {
		return nil, err
	}
	e.events, err = encodeEvents(c.Events)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// madeAt is when a change is made, by the clock of whoever makes it.
func madeAt(c *custodian.Change) time.Time {
	var at time.Time
	if c.Publisher != nil {
		at = c.Publisher.TriedAt
	}
	for _, f := range c.Files {
		if f.TriedAt.After(at) {
			at = f.TriedAt
		}
	}
	if at.IsZero() {
		return time.Now()
	}
	return at
}

// encodeFiles prepares files in the order of their keys.
func encodeFiles(files []*custody.File) ([]encodedFile, error) {
	var all []encodedFile
	for _, f := range files {
		record, err := encodeRecord(f)
		if err != nil {
			return nil, err
		}
		p, err := parts(f.Revocations)
		if err != nil {
			return nil, err
		}
		all = append(all, encodedFile{f, fileKey(f.URL), record, p})
	}
	slices.SortFunc(all, func(a, b encodedFile) int { return bytes.Compare(a.key, b.key) })
	for i := 1; i < len(all); i++ {
		if all[i].URL == all[i-1].URL {
			return nil, fmt.Errorf("store: a change has %q twice", all[i].URL)
		}
	}
	return all, nil
}

// encodeDocuments packs the documents that are not known yet. A small one is packed in any
// case: to ask for it takes longer. All are in the order of their hashes.
func (s *Custody) encodeDocuments(ctx context.Context, bodies [][]byte) ([]encodedDocument, error) {
	var all []encodedDocument
	for _, body := range bodies {
		if len(body) > pack.Max {
			return nil, fmt.Errorf("store: document: %w", pack.ErrTooLarge)
		}
		packing := packAhead(body)
		h := registry.HashOf(body)
		if len(body) >= largeDocument {
			known, err := number(ctx, s.db, `SELECT COUNT(*) FROM documents WHERE hash = $1`, string(h))
			if err != nil {
				return nil, err
			}
			if known > 0 {
				all = append(all, encodedDocument{hash: h})
				continue
			}
		}
		packed, err := packing()
		if err != nil {
			return nil, fmt.Errorf("store: document: %w", err)
		}
		all = append(all, encodedDocument{h, int64(len(body)), packed})
	}
	slices.SortFunc(all, func(a, b encodedDocument) int { return cmp.Compare(a.hash, b.hash) })
	return all, nil
}

// largeDocument is the size from which a document is packed while it is hashed. Both take
// about as long, and whoever commits a large one has mostly not stored it before.
const largeDocument = 256 << 10

// packAhead returns what packs a document, and begins with a large one at once.
func packAhead(body []byte) func() ([]byte, error) {
	if len(body) < largeDocument {
		return func() ([]byte, error) { return pack.Bytes(body) }
	}
	type result struct {
		packed []byte
		err    error
	}
	done := make(chan result, 1)
	go func() {
		packed, err := pack.Bytes(body)
		done <- result{packed, err}
	}()
	return func() ([]byte, error) {
		r := <-done
		return r.packed, r.err
	}
}

// encodeEvents packs events.
func encodeEvents(events []custody.Event) ([][]byte, error) {
	var all [][]byte
	for i := range events {
		err := checkName(events[i].Publisher)
		if err != nil {
			return nil, err
		}
		record, err := encodeRecord(&events[i])
		if err != nil {
			return nil, err
		}
		all = append(all, record)
	}
	return all, nil
}

// write makes the change in a transaction.
func (e *encoded) write(ctx context.Context, s *Store, c Conn) (highwater.State, error) {
	err := e.fenced(ctx, s, c)
	if err == nil {
		err = e.writeRecords(ctx, c)
	}
	if err != nil {
		return highwater.State{}, err
	}
	return e.writeHistory(ctx, s, c)
}

// fenced makes sure that the lease is good when the change has nothing of what it is for.
// Otherwise that is done when it is written, in the order of the locks.
func (e *encoded) fenced(ctx context.Context, s *Store, c Conn) error {
	l := e.change.Lease
	if l == nil || e.change.Publisher != nil && string(e.change.Publisher.Domain) == l.Name {
		return nil
	}
	for i := range e.files {
		if dueName(e.files[i].key) == l.Name {
			return nil
		}
	}
	return s.Custody().checkFence(ctx, c, l)
}

// writeRecords writes what takes the place of something else, and documents.
func (e *encoded) writeRecords(ctx context.Context, c Conn) error {
	err := e.writePublisher(ctx, c)
	if err == nil {
		err = e.writeIndex(ctx, c)
	}
	if err != nil {
		return err
	}
	for i := range e.files {
		err := e.files[i].write(ctx, c, e)
		if err != nil {
			return err
		}
	}
	for _, d := range e.documents {
		err := d.write(ctx, c, e.at)
		if err != nil {
			return err
		}
	}
	return nil
}

// write adds the document. One that was there and was removed meanwhile is a conflict: the
// change is made again, with its bytes.
func (d *encodedDocument) write(ctx context.Context, c Conn, at int64) error {
	if d.packed == nil {
		known, err := touch(ctx, c, string(d.hash), at)
		if err == nil && !known {
			return custodian.ErrConflict
		}
		return err
	}
	_, err := exec(ctx, c, insertDocument, string(d.hash), d.size, d.packed, at)
	return err
}

// replaced says whether a statement that puts a record in the place of another did so.
func replaced(n int64, err error) error {
	if err == nil && n == 0 {
		return custodian.ErrConflict
	}
	return err
}

// writePublisher replaces the publisher's record.
func (e *encoded) writePublisher(ctx context.Context, c Conn) error {
	p := e.change.Publisher
	if p == nil {
		return nil
	}
	place, goal := leadsTo(p)
	args := []any{p.Domain, p.Revision + 1, p.Move != nil, e.publisher, place, goal, p.Listed}
	var err error
	var since int64
	var guest *int64
	scan := func(r Rows) error { return r.Scan(&since, &guest) }
	if p.Revision == 0 {
		err = replacedOne(ctx, c, scan, `INSERT INTO custody_publishers (domain, revision, held, record, place, goal, listed, since, guest, site)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (domain) DO NOTHING RETURNING since, guest`,
			append(args, p.TriedAt.UnixMicro(), e.guest(), siteOf(string(p.Domain)))...)
	} else {
		err = replacedOne(ctx, c, scan, `UPDATE custody_publishers SET revision = $2, held = $3, record = $4, place = $5, goal = $6, listed = $7, guest = `+e.nextGuest(9)+`
			WHERE domain = $1 AND revision = $8 RETURNING since, guest`,
			append(append(args, p.Revision), e.guestArgs()...)...)
	}
	if err != nil {
		return err
	}
	err = e.schedule(ctx, c, guest != nil, dueRow{
		name: string(p.Domain), class: custodian.ClassOf(p), at: custodian.Due(p, e.ownFile(p), time.UnixMicro(since)),
	})
	if err != nil || guest != nil {
		return err
	}
	return takeUp(ctx, c, e.at, place, goal)
}

// ownFile returns the publisher's own file, if the change has it.
func (e *encoded) ownFile(p *custody.Publisher) *custody.File {
	if p.Location.Method != custody.Direct {
		return nil
	}
	return sameURL(e.change.Files, p.Location.URL)
}

// schedule says when something is due. Some are not: guests are asked when somebody asks
// about them, and a publisher's own file is asked for with the publisher.
func (e *encoded) schedule(ctx context.Context, c Conn, never bool, d dueRow) error {
	if never {
		return d.remove(ctx, c, e.change.Lease)
	}
	return d.write(ctx, c, e.change.Lease, e.at)
}

// replacedOne is replaced for a statement that returns a row.
func replacedOne(ctx context.Context, c Conn, scan func(Rows) error, statement string, args ...any) error {
	err := one(ctx, c, scan, statement, args...)
	if errors.Is(err, registry.ErrNotFound) {
		return custodian.ErrConflict
	}
	return err
}

// guest is what a new record notes of who asked; nil for a record that is known.
func (e *encoded) guest() *int64 {
	if e.change.Asker != custodian.Stranger {
		return nil
	}
	return &e.at
}

// nextGuest is what a record that is there notes of who asked, as part of a statement with
// guestArgs from a number on. Once somebody known has asked, it is no guest any more.
func (e *encoded) nextGuest(first int) string {
	switch e.change.Asker {
	case custodian.Known:
		return `NULL`
	case custodian.Stranger:
		return fmt.Sprintf(`CASE WHEN guest IS NULL THEN NULL ELSE CAST($%d AS BIGINT) END`, first)
	}
	return `guest`
}

// guestArgs are the arguments of nextGuest.
func (e *encoded) guestArgs() []any {
	if e.change.Asker != custodian.Stranger {
		return nil
	}
	return []any{e.at}
}

// siteOf is the registrable domain of a name, or the name if it has none.
func siteOf(name string) string {
	site, ok := hostname.Registrable(name)
	if !ok {
		return name
	}
	return site
}

// siteOfURL is that of the host of a canonical URL.
func siteOfURL(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, ":")
	return siteOf(host)
}

// leadsTo returns the keys of the files that a publisher leads to, the adopted and the next
// one. That at its own well-known path is found by its name.
func leadsTo(p *custody.Publisher) ([]byte, []byte) {
	var place, goal []byte
	if l := p.Location; l.URL != "" && l.Method != custody.Direct {
		place = fileKey(l.URL)
	}
	if p.Move != nil && p.Move.To.Method != custody.Direct {
		goal = fileKey(p.Move.To.URL)
	}
	return place, goal
}

// write replaces the file's record and those parts of its revocations that are others.
func (f *encodedFile) write(ctx context.Context, c Conn, e *encoded) error {
	args := []any{f.key, f.URL, f.Revision + 1, f.Refused != nil, int64(len(f.Revocations)), f.record}
	var err error
	var guest *int64
	scan := func(r Rows) error { return r.Scan(&guest) }
	if f.Revision == 0 {
		err = replacedOne(ctx, c, scan, `INSERT INTO custody_files (key, url, revision, held, revoked, record, bytes, guest, site)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (key) DO NOTHING RETURNING guest`,
			append(args, f.kept(), e.guest(), siteOfURL(f.URL))...)
	} else {
		err = replacedOne(ctx, c, scan, `UPDATE custody_files SET url = $2, revision = $3, held = $4, revoked = $5, record = $6,
			bytes = $8, guest = `+e.nextGuest(9)+` WHERE key = $1 AND revision = $7 RETURNING guest`,
			append(append(args, f.Revision, f.kept()), e.guestArgs()...)...)
	}
	if err == nil {
		err = e.schedule(ctx, c, guest != nil || custodian.Own(e.change.Publisher, f.URL),
			dueRow{name: dueName(f.key), url: f.URL, class: custodian.Wanted, at: custodian.FileDue(f.File)})
	}
	if err != nil {
		return err
	}
	return f.writeParts(ctx, c)
}

// kept is the size of the version in effect; zero when its bytes were removed.
func (f *encodedFile) kept() int64 {
	if f.Hash == "" || f.WholeAt.IsZero() {
		return 0
	}
	return f.Bytes
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
		_, err := exec(ctx, c, `DELETE FROM custody_revocations WHERE file = $1 AND first = $2`, f.key, first)
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
	_, err = exec(ctx, c, `INSERT INTO custody_revocations (file, first, digest, packed) VALUES ($1, $2, $3, $4)
		ON CONFLICT (file, first) DO UPDATE SET digest = excluded.digest, packed = excluded.packed`, f.key, p.first, digest, packed)
	return err
}
