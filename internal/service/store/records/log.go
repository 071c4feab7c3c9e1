package records

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/highwater"
	"github.com/avow-project/avow/internal/translog"
)

// Log is the transparency log of a store.
type Log struct {
	s *Store
}

var _ notary.Store = (*Log)(nil)

// Log returns the transparency log of the store, which may have none.
func (s *Store) Log() *Log { return &Log{s} }

// GuardLog says where this machine notes what was signed of the log.
func (s *Store) GuardLog(path string) {
	s.guard = notary.Guard{Path: path, Write: highwater.WriteFile}
}

// LogGuard returns where that is.
func (s *Store) LogGuard() notary.Guard { return s.guard }

// subjectKey is what a subject is found by.
func subjectKey(s translog.Subject) []byte {
	sum := sha256.Sum256([]byte(s.String()))
	return sum[:]
}

// writeLeaf adds what the log says about an event to the outbox; nothing without a log.
func writeLeaf(ctx context.Context, c Conn, number int64, l *translog.Leaf) error {
	l.Number = number
	body, err := l.Body()
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return later(ctx, c,
		`INSERT INTO log_outbox (number, subject, body) SELECT $1, $2, $3 WHERE EXISTS (SELECT 1 FROM log_state WHERE active)`,
		number, subjectKey(l.Subject), body)
}

// Begin makes the log. It holds the row that numbers come from, so every change is either
// complete before the log or in it.
func (l *Log) Begin(ctx context.Context, origin string, first *translog.Leaf) error {
	return l.s.counted(ctx, func(c Conn) (highwater.State, error) {
		got, err := l.s.count(ctx, c, 1)
		if err != nil {
			return got, err
		}
		empty := sha256.Sum256(nil)
		n, err := exec(ctx, c,
			`INSERT INTO log_state (id, active, origin, size, root, cursor) VALUES (1, TRUE, $1, 0, $2, 0) ON CONFLICT (id) DO NOTHING`, origin, empty[:])
		if err == nil && n == 0 {
			err = notary.ErrExists
		}
		if err != nil {
			return got, err
		}
		return got, writeLeaf(ctx, c, got.Last, first)
	})
}

// Add writes a leaf about the log to the outbox.
func (l *Log) Add(ctx context.Context, leaf *translog.Leaf) error {
	return l.s.counted(ctx, func(c Conn) (highwater.State, error) { return l.add(ctx, c, leaf) })
}

func (l *Log) add(ctx context.Context, c Conn, leaf *translog.Leaf) (highwater.State, error) {
	got, err := l.s.count(ctx, c, 1)
	if err != nil {
		return got, err
	}
	s, err := lockLog(ctx, c)
	if err == nil && s.Ended {
		err = notary.ErrEnded
	}
	if err != nil {
		return got, err
	}
	return got, writeLeaf(ctx, c, got.Last, leaf)
}

// End writes the last leaf of the log. Nothing is written to the outbox after it.
func (l *Log) End(ctx context.Context, last *translog.Leaf) error {
	return l.s.counted(ctx, func(c Conn) (highwater.State, error) {
		got, err := l.add(ctx, c, last)
		if err != nil {
			return got, err
		}
		return got, endLog(ctx, c, got.Last)
	})
}

// endLog sees to it that no leaf comes after the last one: nothing that waits.
func endLog(ctx context.Context, c Conn, last int64) error {
	_, err := exec(ctx, c, `UPDATE log_state SET active = FALSE WHERE id = 1`)
	if err == nil {
		_, err = exec(ctx, c, `DELETE FROM log_outbox WHERE number > $1`, last)
	}
	return err
}

// Succeed puts another log in the place of the one that there is. The row that numbers come from is
// held, so every change is either complete before it or in it.
func (l *Log) Succeed(ctx context.Context, old, origin string, first *translog.Leaf) error {
	return l.s.counted(ctx, func(c Conn) (highwater.State, error) {
		got, err := l.s.count(ctx, c, 1)
		if err != nil {
			return got, err
		}
		s, err := lockLog(ctx, c)
		if err == nil && s.Origin != old {
			err = notary.ErrExists
		}
		for _, table := range []string{"log_outbox", "log_leaves", "log_bundles", "log_tiles", "log_subjects", "log_numbers",
			"log_checkpoints"} {
			if err == nil {
				_, err = exec(ctx, c, "DELETE FROM "+table)
			}
		}
		if err != nil {
			return got, err
		}
		empty := sha256.Sum256(nil)
		_, err = exec(ctx, c, `UPDATE log_state SET active = TRUE, origin = $1, size = 0, root = $2, cursor = 0 WHERE id = 1`,
			origin, empty[:])
		if err != nil {
			return got, err
		}
		return got, writeLeaf(ctx, c, got.Last, first)
	})
}

// knownPage is how many records are written to the outbox at once.
const knownPage = 200

// AddKnown writes the state of some records that the log knows nothing of. A concurrent
// commit waits for the numbers and comes after.
func (l *Log) AddKnown(ctx context.Context, at time.Time, after notary.Known) (notary.Known, error) {
	var next notary.Known
	err := l.s.counted(ctx, func(c Conn) (highwater.State, error) {
		got, err := l.s.count(ctx, c, knownPage)
		if err != nil {
			return got, err
		}
		var leaves []translog.Leaf
		next = after
		if after.Publishers {
			leaves, err = knownFiles(ctx, c, &next)
		} else {
			leaves, err = knownPublishers(ctx, c, &next)
		}
		for i := range leaves {
			if err == nil {
				leaves[i].Kind, leaves[i].At = "record.known", at.UTC().Truncate(time.Microsecond)
				err = l.writeUnknown(ctx, c, got.Last-knownPage+int64(i)+1, &leaves[i], &next)
			}
		}
		return got, err
	})
	return next, err
}

// knownPublishers returns leaves about some publishers, and how far they reach.
func knownPublishers(ctx context.Context, c Conn, next *notary.Known) ([]translog.Leaf, error) {
	some, err := list(ctx, c, scanPublisher, selectPublisher+`WHERE domain > $1 ORDER BY domain LIMIT $2`,
		string(next.After), int64(knownPage))
	var leaves []translog.Leaf
	for i := range some {
		leaves = append(leaves,
			translog.Leaf{Subject: translog.Publisher(string(some[i].Domain)), Place: custodian.Counting(&some[i])})
		next.After = []byte(some[i].Domain)
	}
	if len(some) < knownPage {
		next.Publishers, next.After = true, []byte{}
	}
	return leaves, err
}

// knownFiles returns leaves about some files, and how far they reach.
func knownFiles(ctx context.Context, c Conn, next *notary.Known) ([]translog.Leaf, error) {
	some, err := list(ctx, c, scanFile,
		`SELECT url, revision, record FROM custody_files WHERE key > $1 ORDER BY key LIMIT $2`, next.After, int64(knownPage))
	var leaves []translog.Leaf
	for i := range some {
		leaves = append(leaves, translog.Leaf{Subject: translog.File(some[i].URL), Counts: custodian.Counts(&some[i])})
		next.After = fileKey(some[i].URL)
	}
	next.Done = len(some) < knownPage
	return leaves, err
}

// writeUnknown writes a leaf if the log has nothing about its subject.
func (l *Log) writeUnknown(ctx context.Context, c Conn, n int64, leaf *translog.Leaf, next *notary.Known) error {
	have, err := number(ctx, c,
		`SELECT (SELECT COUNT(*) FROM log_subjects WHERE subject = $1) + (SELECT COUNT(*) FROM log_outbox WHERE subject = $1)`, subjectKey(leaf.Subject))
	if err != nil || have > 0 {
		return err
	}
	next.Added++
	return writeLeaf(ctx, c, n, leaf)
}

// State returns how far the log has got.
func (l *Log) State(ctx context.Context) (*notary.State, error) {
	var s *notary.State
	err := l.s.db.Snapshot(ctx, func(c Conn) error {
		var err error
		s, err = logState(ctx, c, readState)
		if err != nil {
			return err
		}
		n, err := number(ctx, c, `SELECT COUNT(*) FROM log_outbox`)
		s.Waiting = int64(n)
		return err
	})
	return s, err
}

// readState reads how far a log has got.
const readState = `SELECT origin, size, root, cursor, active FROM log_state WHERE id = 1`

// lockLog is logState for those who change it. They follow one another.
func lockLog(ctx context.Context, c Conn) (*notary.State, error) {
	return logState(ctx, c, `UPDATE log_state SET id = 1 WHERE id = 1 RETURNING origin, size, root, cursor, active`)
}

func logState(ctx context.Context, c Conn, statement string) (*notary.State, error) {
	s := &notary.State{}
	var root []byte
	var active bool
	err := one(ctx, c, func(r Rows) error { return r.Scan(&s.Origin, &s.Size, &root, &s.Cursor, &active) }, statement)
	s.Ended = !active
	if errors.Is(err, registry.ErrNotFound) {
		return nil, notary.ErrNoLog
	}
	if err == nil && copy(s.Root[:], root) != len(s.Root) {
		err = notary.ErrDamaged
	}
	return s, err
}

// LastSigned returns what was signed last.
func (l *Log) LastSigned(ctx context.Context) (*notary.Signed, error) { return lastSigned(ctx, l.s.db) }

func lastSigned(ctx context.Context, c Conn) (*notary.Signed, error) {
	s := &notary.Signed{}
	var at int64
	err := one(ctx, c, func(r Rows) error {
		return r.Scan(&s.Size, &at, &s.Note)
	}, `SELECT size, at, note FROM log_checkpoints ORDER BY size DESC LIMIT 1`)
	if errors.Is(err, registry.ErrNotFound) {
		return nil, notary.ErrPending
	}
	s.At = time.UnixMicro(at).UTC()
	return s, err
}

// Sign lets one caller sign at a time. The newest checkpoint of a size takes the place of
// one before it, of which only the time differs.
func (l *Log) Sign(ctx context.Context,
	f func(*notary.State, *notary.Signed, notary.Tree) (*notary.Signed, error)) error {
	return l.s.db.Update(ctx, func(c Conn) error {
		s, err := lockLog(ctx, c)
		if err != nil {
			return err
		}
		last, err := lastSigned(ctx, c)
		if errors.Is(err, notary.ErrPending) {
			last, err = nil, nil
		}
		if err != nil {
			return err
		}
		next, err := f(s, last, tree{ctx, c})
		if err != nil || next == nil {
			return err
		}
		_, err = exec(ctx, c, `INSERT INTO log_checkpoints (size, at, note) VALUES ($1, $2, $3)
			ON CONFLICT (size) DO UPDATE SET at = excluded.at, note = excluded.note`, next.Size, next.At.UnixMicro(), next.Note)
		return err
	})
}

// Newest returns the index of the newest leaf about a subject.
func (l *Log) Newest(ctx context.Context, s translog.Subject) (int64, bool, error) {
	waiting, err := number(ctx, l.s.db, `SELECT COUNT(*) FROM log_outbox WHERE subject = $1`, subjectKey(s))
	if err != nil {
		return 0, false, err
	}
	index, err := value[int64](ctx, l.s.db, `SELECT leaf_index FROM log_subjects WHERE subject = $1`, subjectKey(s))
	if errors.Is(err, registry.ErrNotFound) {
		err = notary.ErrNotFound
	}
	return index, waiting > 0, err
}

// NewestOf returns the newest leaves about subjects.
func (l *Log) NewestOf(ctx context.Context, subjects []translog.Subject) (map[translog.Subject]notary.Newest, error) {
	all := map[translog.Subject]notary.Newest{}
	if len(subjects) == 0 {
		return all, nil
	}
	if len(subjects) > notary.MaxSubjects {
		return nil, fmt.Errorf("store: %d subjects are too many to be looked up at a time", len(subjects))
	}
	names, args := map[string]translog.Subject{}, make([]any, 0, len(subjects))
	for _, s := range subjects {
		all[s] = notary.Newest{Index: -1}
		key := subjectKey(s)
		names[string(key)] = s
		args = append(args, key)
	}
	some := padded(1, len(subjects), &args)
	err := each(ctx, l.s.db, func(r Rows) error {
		var key []byte
		var index int64
		err := r.Scan(&key, &index)
		s := names[string(key)]
		n := all[s]
		if index < 0 {
			n.Waiting = true
		} else {
			n.Index = index
		}
		all[s] = n
		return err
	}, `SELECT subject, leaf_index FROM log_subjects WHERE subject IN (`+some+
		`) UNION ALL SELECT DISTINCT subject, -1 FROM log_outbox WHERE subject IN (`+some+`)`, args...)
	return all, err
}

// WaitingSince returns when the first event about a subject that is in no leaf yet was
// decided.
func (l *Log) WaitingSince(ctx context.Context, s translog.Subject) (time.Time, error) {
	body, err := value[[]byte](ctx, l.s.db, `SELECT body FROM log_outbox WHERE subject = $1 ORDER BY number LIMIT 1`,
		subjectKey(s))
	if errors.Is(err, registry.ErrNotFound) {
		err = notary.ErrNotFound
	}
	if err != nil {
		return time.Time{}, err
	}
	text, err := translog.Complete(body, nil)
	if err != nil {
		return time.Time{}, err
	}
	leaf, err := translog.ParseLeaf(text)
	if err != nil {
		return time.Time{}, err
	}
	return leaf.At, nil
}

// IndexOf returns the index of the leaf about an event. Numbers rise along the log, and the first one of each
// bundle is stored.
func (l *Log) IndexOf(ctx context.Context, n int64) (int64, error) {
	waiting, err := number(ctx, l.s.db, `SELECT COUNT(*) FROM log_outbox WHERE number = $1`, n)
	if err != nil {
		return 0, err
	}
	if waiting > 0 {
		return 0, notary.ErrPending
	}
	first, err := value[int64](ctx, l.s.db,
		`SELECT leaf_index FROM log_numbers WHERE number <= $1 ORDER BY number DESC LIMIT 1`, n)
	if errors.Is(err, registry.ErrNotFound) {
		return 0, notary.ErrNotFound
	}
	if err != nil {
		return 0, err
	}
	leaves, err := l.Leaves(ctx, first/translog.TileWidth)
	if err != nil {
		return 0, err
	}
	i, found := slices.BinarySearchFunc(leaves, n, func(text []byte, n int64) int {
		leaf, parseErr := translog.ParseLeaf(text)
		if parseErr != nil {
			err = parseErr
			return 0
		}
		return cmp.Compare(leaf.Number, n)
	})
	if err == nil && !found {
		err = notary.ErrNotFound
	}
	return first + int64(i), err
}
