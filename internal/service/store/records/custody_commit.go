package records

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/service/store/highwater"
	"github.com/avow-project/avow/internal/service/store/pack"
)

// An encoded is a change as it is stored. All that takes time or may be refused is done
// before the transaction, which may be repeated.
type encoded struct {
	change    *custodian.Change
	publisher []byte
	files     []encodedFile
	documents []encodedDocument
	// leaves are made with the change when the last one was in a log.
	leaves []custodian.Leaf
	// shown is what lists show of the publisher.
	shown []byte
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
// with something for the history follow one another, so that a reader of events by
// number does not skip one that is committed later.
func (s *Custody) Commit(ctx context.Context, c *custodian.Change) error {
	e, err := s.encode(ctx, c)
	if err != nil {
		return err
	}
	made, err := s.charge(ctx, e)
	if err != nil {
		return err
	}
	defer made()
	return s.docs.counted(ctx, func(c Conn) (highwater.State, error) { return e.write(ctx, s.docs, c) })
}

// encode prepares a change.
func (s *Custody) encode(ctx context.Context, c *custodian.Change) (*encoded, error) {
	e, err := s.encodeTold(c)
	if err != nil {
		return nil, err
	}
	if c.Publisher != nil {
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
	return e, err
}

// encodeTold prepares what the directory and the history are told.
func (s *Custody) encodeTold(c *custodian.Change) (*encoded, error) {
	e := &encoded{change: c, at: madeAt(c).UnixMicro()}
	var err error
	if c.Publisher != nil {
		err = checkName(string(c.Publisher.Domain))
		if err != nil {
			return nil, err
		}
	}
	e.shown, err = e.encodeShown()
	if err != nil {
		return nil, err
	}
	e.events, err = encodeEvents(c.Events)
	if err == nil && c.Leaves != nil && s.docs.logging.Load() {
		e.leaves = c.Leaves()
	}
	return e, err
}

// encodeShown packs what lists show of the publisher.
func (e *encoded) encodeShown() ([]byte, error) {
	if e.directory() == nil {
		return []byte{}, nil
	}
	return e.directory().Shown.Pack()
}

// directory is what the directory has to be told; nil for nothing.
func (e *encoded) directory() *projection.Change {
	if e.change.Index == nil || e.change.Publisher == nil {
		return nil
	}
	return e.change.Index.Directory
}

// madeAt is when a change is made, by its maker's clock.
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
				all = append(all, encodedDocument{hash: h, size: int64(len(body))})
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
// about as long, and a large one that is committed has mostly not been stored before.
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
	return writeHistory(ctx, s, c, []*encoded{e})
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
		err = writeIndex(ctx, c, []*encoded{e})
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
		return laterAs(ctx, c, wasReplaced, touchDocument, string(d.hash), at)
	}
	return later(ctx, c, insertDocument, string(d.hash), d.size, d.packed, at)
}

// replaced says whether a statement that puts a record in the place of another did so.
func replaced(n int64, err error) error {
	if err == nil {
		return wasReplaced(n)
	}
	return err
}

func wasReplaced(n int64) error {
	if n == 0 {
		return custodian.ErrConflict
	}
	return nil
}

// writePublisher replaces the publisher's record.
func (e *encoded) writePublisher(ctx context.Context, c Conn) error {
	p := e.change.Publisher
	if p == nil {
		return nil
	}
	to := leadsTo(p)
	since, guest, err := e.replacePublisher(ctx, c, p, to)
	if err != nil {
		return err
	}
	err = e.schedule(ctx, c, guest != nil, dueRow{
		name: string(p.Domain), class: custodian.ClassOf(p), at: custodian.Due(p, e.ownFile(p), time.UnixMicro(since)),
	})
	if err != nil || guest != nil {
		return err
	}
	return takeUp(ctx, c, e.at, to.current, to.next)
}

// replacePublisher writes the record, and returns when the first one of the publisher was
// written and, for a guest, when a caller asked. What is new is known without reading it.
func (e *encoded) replacePublisher(ctx context.Context, c Conn, p *custody.Publisher, to led) (int64, *int64, error) {
	args := []any{p.Domain, p.Revision + 1, asksModerator(p), e.publisher, to.current, to.next, to.file, p.Listed,
		p.Reported, publisherBrief(p), stateNumber(e.change.State, e.change.InEffect), p.TriedAt.Unix() / 3600}
	if p.Revision == 0 {
		since, guest := p.TriedAt.UnixMicro(), e.guest()
		return since, guest, laterAs(ctx, c, wasReplaced, `INSERT INTO custody_publishers (domain, revision, held, record, current_file, next_file, file, listed, told, brief, state, looked, since, guest, site, shown, bytes)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 0) ON CONFLICT (domain) DO NOTHING`,
			append(args, since, guest, retain.SiteOf(string(p.Domain)), e.shown)...)
	}
	var since int64
	var guest *int64
	err := replacedOne(ctx, c, func(r Rows) error { return r.Scan(&since, &guest) },
		`UPDATE custody_publishers SET revision = $2, held = $3, record = $4, current_file = $5, next_file = $6, file = $7, listed = $8,
		told = $9, brief = $10, state = $11, looked = $12, guest = `+e.nextGuest(14)+
			` WHERE domain = $1 AND revision = $13 RETURNING since, guest`,
		append(append(args, p.Revision), e.guestArgs()...)...)
	return since, guest, err
}

// asksModerator reports whether a move waits, or was decided a moment ago.
func asksModerator(p *custody.Publisher) bool { return p.Move != nil || p.Decided != nil }

// ownFile returns the publisher's own file, if the change has it.
func (e *encoded) ownFile(p *custody.Publisher) *custody.File {
	if p.Location.Method != custody.Direct {
		return nil
	}
	return sameURL(e.change.Files, p.Location.URL)
}

// schedule says when something is due. Some are not: guests are fetched when a caller
// asks about them, and a publisher's own file is asked for with the publisher.
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
// guestArgs from a number on. Once a known caller has asked, it is not a guest any more.
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

// A led has the keys of the files that a publisher leads to: the adopted one and, unless they are its own
// and found by its name, that again and the next one.
type led struct{ file, current, next []byte }

func leadsTo(p *custody.Publisher) led {
	var to led
	if p.Location.URL != "" {
		to.file = fileKey(p.Location.URL)
	}
	if p.Location.Method != custody.Direct {
		to.current = to.file
	}
	if p.Move != nil && p.Move.To.Method != custody.Direct {
		to.next = fileKey(p.Move.To.URL)
	}
	return to
}

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
