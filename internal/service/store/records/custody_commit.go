package records

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
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

// encodeDocuments packs the documents that are not known yet. All are in the order of
// their hashes.
func (s *Custody) encodeDocuments(ctx context.Context, bodies [][]byte) ([]encodedDocument, error) {
	var all []encodedDocument
	for _, body := range bodies {
		if len(body) > pack.Max {
			return nil, fmt.Errorf("store: document: %w", pack.ErrTooLarge)
		}
		packing := packAhead(body)
		h := registry.HashOf(body)
		known, err := number(ctx, s.db, `SELECT COUNT(*) FROM documents WHERE hash = $1`, string(h))
		if err != nil {
			return nil, err
		}
		if known > 0 {
			all = append(all, encodedDocument{hash: h})
			continue
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
	err := e.writeRecords(ctx, c)
	if err != nil {
		return highwater.State{}, err
	}
	return e.writeHistory(ctx, s, c)
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
	due, since := custodian.PublisherDue(p)
	args := []any{p.Domain, p.Revision + 1, due.UnixMicro(), p.Move != nil, e.publisher, place, goal, p.Listed}
	var err error
	if p.Revision == 0 {
		args[2] = e.firstDue(due)
		err = replaced(exec(ctx, c, `INSERT INTO custody_publishers (domain, revision, due, held, record, place, goal, listed, since, guest, site)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (domain) DO NOTHING`,
			append(args, p.TriedAt.UnixMicro(), e.guest(), siteOf(string(p.Domain)))...))
	} else {
		// Whoever is not worth watching is never due.
		err = replaced(exec(ctx, c, `UPDATE custody_publishers SET revision = $2, due = CASE WHEN since < $10 OR `+e.staysGuest()+` THEN CAST($11 AS BIGINT) ELSE CAST($3 AS BIGINT) END,
			held = $4, record = $5, place = $6, goal = $7, listed = $8, guest = `+e.nextGuest(12)+` WHERE domain = $1 AND revision = $9`,
			append(append(args, p.Revision, sinceBound(since), int64(math.MaxInt64)), e.guestArgs()...)...))
	}
	if err != nil || place == nil && goal == nil {
		return err
	}
	_, err = exec(ctx, c, `UPDATE custody_files SET idle = FALSE WHERE idle AND (key = $1 OR key = $2)`, place, goal)
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

// staysGuest is a condition: the record is a guest and stays one. Guests are not due, they
// are asked when somebody asks about them.
func (e *encoded) staysGuest() string {
	if e.change.Asker == custodian.Known {
		return `FALSE`
	}
	return `guest IS NOT NULL`
}

// firstDue is when a new record is due.
func (e *encoded) firstDue(due time.Time) int64 {
	if e.change.Asker == custodian.Stranger {
		return math.MaxInt64
	}
	return due.UnixMicro()
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

// sinceBound is the number for the time that a record has to be younger than; zero means
// that it does not matter.
func sinceBound(t time.Time) int64 {
	if t.IsZero() {
		return math.MinInt64
	}
	return t.UnixMicro()
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
	args := []any{f.key, f.URL, f.Revision + 1, custodian.FileDue(f.File).UnixMicro(), f.Refused != nil, int64(len(f.Revocations)), f.record}
	var err error
	if f.Revision == 0 {
		args[3] = e.firstDue(custodian.FileDue(f.File))
		err = replaced(exec(ctx, c, `INSERT INTO custody_files (key, url, revision, due, held, revoked, record, idle, bytes, guest, site)
			VALUES ($1, $2, $3, $4, $5, $6, $7, FALSE, $8, $9, $10) ON CONFLICT (key) DO NOTHING`,
			append(args, f.kept(), e.guest(), siteOfURL(f.URL))...))
	} else {
		err = replaced(exec(ctx, c, `UPDATE custody_files SET url = $2, revision = $3,
			due = CASE WHEN `+e.staysGuest()+` THEN CAST($10 AS BIGINT) ELSE CAST($4 AS BIGINT) END, held = $5, revoked = $6, record = $7, idle = FALSE,
			bytes = $9, guest = `+e.nextGuest(11)+` WHERE key = $1 AND revision = $8`,
			append(append(args, f.Revision, f.kept(), int64(math.MaxInt64)), e.guestArgs()...)...))
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
