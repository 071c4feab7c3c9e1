package records

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/highwater"
	"github.com/avow-project/avow/internal/service/store/migrate"
	"github.com/avow-project/avow/internal/translog"
)

// Guard compares the store with a mark from now on. The error is that of Restored. Unless
// the mark is only to be looked at, how far the store has got is saved at once.
func (s *Store) Guard(ctx context.Context, m *highwater.Mark, save bool) error {
	if !save {
		m.Freeze()
	}
	s.mark = m
	err := s.Restored(ctx)
	if err != nil {
		return err
	}
	_ = m.Save() // MarkFailure tells it
	return nil
}

// schemaVersion is the version of the schema, in a statement that reads something else as well.
const schemaVersion = `(SELECT MAX(version_id) FROM ` + migrate.Table + `)`

// fits compares the version of the schema with the one that the store was opened with. A process
// of a newer release may upgrade the database while it is in use; what this one writes then, or
// answers, could be wrong.
func (s *Store) fits(version int64) error {
	if version <= s.schema {
		return nil
	}
	err := &migrate.NewerError{Have: version, Known: s.schema}
	s.newer.Store(err)
	return err
}

// unusable returns why nothing in the store may be used: it went back, or was upgraded, when that
// was last looked for. It costs next to nothing, for those who read.
func (s *Store) unusable() error {
	newer := s.newer.Load()
	if newer != nil {
		return newer
	}
	return s.mark.Behind()
}

// Restored returns nil unless the store has not got as far as it had before, or is another
// one: then a *highwater.RestoredError; or unless a newer release has upgraded it: then a
// *migrate.NewerError. Otherwise how far it has got is noted.
func (s *Store) Restored(ctx context.Context) error {
	err := s.InPlace()
	if err != nil {
		return err
	}
	version, err := number(ctx, s.db, `SELECT `+schemaVersion)
	if err == nil {
		err = s.fits(int64(version))
	}
	if err != nil {
		return err
	}
	before := s.mark.Seen() // others go on meanwhile
	have, err := progress(ctx, s.db)
	if err != nil {
		return err
	}
	err = s.mark.Check(before, have)
	if err != nil {
		return err
	}
	s.mark.Note(have)
	return nil
}

// MarkFailure returns why it could not be saved how far the store has got, when that was
// tried last.
func (s *Store) MarkFailure() error { return s.mark.Failure() }

// errNoCounter is about a store without the row that numbers come from.
var errNoCounter = fmt.Errorf("store: the counter is missing: %w", errDamaged)

// progress reads how far a store has got. What can be read was committed, and what was
// committed is on the disk.
func progress(ctx context.Context, c Conn) (highwater.State, error) {
	return scanProgress(ctx, c, `SELECT identity, last FROM custody_store WHERE id = 1`)
}

func scanProgress(ctx context.Context, c Conn, statement string, args ...any) (highwater.State, error) {
	var s highwater.State
	err := one(ctx, c, func(r Rows) error { return r.Scan(&s.Identity, &s.Last) }, statement, args...)
	if errors.Is(err, registry.ErrNotFound) {
		return s, errNoCounter
	}
	return s, err
}

// counted makes a change that may take numbers, and notes how far the store has got when
// it is durable.
func (s *Store) counted(ctx context.Context, change func(Conn) (highwater.State, error)) error {
	var got highwater.State
	err := s.db.Update(ctx, func(c Conn) error {
		var err error
		got, err = change(c)
		return err
	})
	if err == nil && got.Last > 0 {
		s.mark.Note(got)
	}
	return err
}

// count takes the next numbers, and returns how far the store gets with them. It keeps the row
// locked, so whatever was noted before was committed before, and no log can be begun or ended:
// logging says whether there is one. A database that went back or was upgraded takes nothing
// more.
func (s *Store) count(ctx context.Context, c Conn, numbers int64) (highwater.State, error) {
	var got highwater.State
	err := laterAs(ctx, c, func(n int64) error {
		if n == 0 {
			return errNoCounter
		}
		return nil
	}, `UPDATE custody_store SET last = last + $1 WHERE id = 1`, numbers)
	if err != nil {
		return got, err
	}
	var logs, version int64
	err = one(ctx, c, func(r Rows) error { return r.Scan(&got.Identity, &got.Last, &logs, &version) },
		`SELECT identity, last, (SELECT COUNT(*) FROM log_state WHERE active), `+schemaVersion+
			` FROM custody_store WHERE id = 1`)
	if err == nil {
		err = s.fits(version)
	}
	if err != nil {
		return got, err
	}
	s.logging.Store(logs > 0)
	return got, s.mark.Check(s.mark.Seen(), highwater.State{Identity: got.Identity, Last: got.Last - numbers})
}

// An Accepted says how much has to be seen again.
type Accepted struct{ Publishers, Files int64 }

// restoredCode is the event of a store that was accepted.
const restoredCode = "state.restored"

// AcceptRestored makes a store the one to go on with, although it is older than what was
// seen or another one. Nothing in it is in effect until it is seen again. The store gets further
// than it ever had, and beyond a number that a copy of its log has, 0 for none, so that no number is
// given out twice: that is what makes it acceptable and it comes last. Whatever ends the work before leaves
// the store refused.
func (s *Store) AcceptRestored(ctx context.Context, at time.Time, beyond int64) (*Accepted, error) {
	a := &Accepted{}
	var err error
	a.Publishers, a.Files, err = s.amend(ctx, true,
		func(p *custody.Publisher) (*custody.Publisher, bool) {
			return p.Unconfirmed(), p.Location != custody.Location{}
		},
		func(f *custody.File) (*custody.File, bool) { return f.Unconfirmed(), f.Hash != "" })
	if err != nil {
		return nil, err
	}
	got, err := s.goBeyond(ctx, at, beyond)
	if err != nil {
		return nil, err
	}
	return a, s.mark.Replace(got)
}

// unknownNumbers is more than a store gives out before it notes how far it has got. A log that has
// leaves which this store lost has such numbers, and the store does not know which.
const unknownNumbers = 1 << 20

// goBeyond takes the number after the last one that is known of, for the event.
func (s *Store) goBeyond(ctx context.Context, at time.Time, beyond int64) (highwater.State, error) {
	e := custody.Event{
		Code: restoredCode, Severity: custody.Alert, At: at.UTC().Truncate(time.Microsecond),
		Message: "an operator has accepted a store that an old copy was put back of; nothing is in effect until it is seen " +
			"again",
	}
	record, err := encodeRecord(&e)
	if err != nil {
		return highwater.State{}, err
	}
	seen := s.mark.Seen()
	var got highwater.State
	err = s.db.Update(ctx, func(c Conn) error {
		have, err := scanProgress(ctx, c, `UPDATE custody_store SET last = last WHERE id = 1 RETURNING identity, last`)
		if err != nil {
			return err
		}
		last := max(have.Last, beyond)
		if have.Identity == seen.Identity {
			last = max(last, seen.Last)
		}
		state, err := logState(ctx, c, readState)
		switch {
		case errors.Is(err, notary.ErrNoLog):
		case err != nil:
			return err
		case beyond == 0 && s.guard.Ahead(state):
			last = max(last, state.Cursor) + unknownNumbers
		default:
			last = max(last, state.Cursor)
		}
		got, err = scanProgress(ctx, c, `UPDATE custody_store SET last = $1 WHERE id = 1 RETURNING identity, last`, last+1)
		if err != nil {
			return err
		}
		err = writeEvent(ctx, c, got.Last, &e, record)
		if err != nil {
			return err
		}
		return writeLeaf(ctx, c, got.Last, &translog.Leaf{Kind: e.Code, Subject: translog.Subject{Kind: translog.SubjectLog},
			At: e.At})
	})
	return got, err
}

// conflicts repeats a change that others were faster with.
func conflicts(f func() error) error {
	const tries = 20
	for try := 1; ; try++ {
		err := f()
		if !errors.Is(err, custodian.ErrConflict) || try == tries {
			return err
		}
	}
}

// amend returns how many publishers and files are concerned by a change of their records. With repair
// it changes them, and they are due at once.
func (s *Store) amend(ctx context.Context, repair bool, publisher func(*custody.Publisher) (*custody.Publisher, bool),
	file func(*custody.File) (*custody.File, bool)) (int64, int64, error) {
	publishers, err := amendAll(ctx, s, repair, "", selectPublisher+`WHERE domain > $1 ORDER BY domain LIMIT $2`,
		scanPublisher, func(p *custody.Publisher) any { return p.Domain }, publisher, amendPublisher)
	if err != nil {
		return publishers, 0, err
	}
	files, err := amendAll(ctx, s, repair, []byte{},
		`SELECT url, revision, record FROM custody_files WHERE key > $1 ORDER BY key LIMIT $2`,
		scanFile, func(f *custody.File) any { return fileKey(f.URL) }, file, amendFile)
	return publishers, files, err
}

// amendAll is amend for the records of a kind, page by page: all of them may be many.
func amendAll[T any](ctx context.Context, s *Store, repair bool, after any, page string, scan func(Rows) (*T, error),
	key func(*T) any, change func(*T) (*T, bool), write func(context.Context, Conn, *T) error) (int64, error) {
	var total int64
	for after != nil {
		var n int64
		var last any
		turn := func(c Conn) error {
			n, last = 0, nil
			some, err := list(ctx, c, scan, page, after, int64(publishersPage))
			if err != nil {
				return err
			}
			for i := range some {
				next, concerned := change(&some[i])
				if !concerned {
					continue
				}
				n++
				if repair {
					err = write(ctx, c, next)
				}
				if err != nil {
					return err
				}
			}
			if len(some) == publishersPage {
				last = key(&some[len(some)-1])
			}
			return nil
		}
		var err error
		if repair {
			err = conflicts(func() error { return s.db.Update(ctx, turn) })
		} else {
			err = turn(s.db)
		}
		if err != nil {
			return total, err
		}
		total, after = total+n, last
	}
	return total, nil
}

func amendPublisher(ctx context.Context, c Conn, p *custody.Publisher) error {
	record, err := encodeRecord(p)
	if err != nil {
		return err
	}
	err = replaced(exec(ctx, c, `UPDATE custody_publishers SET revision = revision + 1, record = $3, brief = $4, held = $5,
		next_file = CASE WHEN $6 THEN next_file END WHERE domain = $1 AND revision = $2`,
		p.Domain, p.Revision, record, publisherBrief(p), asksModerator(p), p.Move != nil))
	if err == nil {
		err = dueNow(ctx, c, string(p.Domain))
	}
	if err == nil {
		err = noteTurn(ctx, c, time.Time{}, p.Domain)
	}
	return err
}

func amendFile(ctx context.Context, c Conn, f *custody.File) error {
	record, err := encodeRecord(f)
	if err != nil {
		return err
	}
	err = replaced(exec(ctx, c,
		`UPDATE custody_files SET revision = revision + 1, record = $3, brief = $4 WHERE key = $1 AND revision = $2`,
		fileKey(f.URL), f.Revision, record, fileBrief(f)))
	if err == nil {
		err = noteUsers(ctx, c, custodian.Touched{URL: f.URL}, "")
	}
	if err == nil {
		err = dueNow(ctx, c, dueName(fileKey(f.URL)))
	}
	return err
}

// scanFile reads a row with the URL, the revision and the record.
func scanFile(r Rows) (*custody.File, error) {
	var url string
	var revision int64
	var packed []byte
	err := r.Scan(&url, &revision, &packed)
	if err != nil {
		return nil, err
	}
	return decodeFile(url, revision, packed)
}
