package records

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/highwater"
	"github.com/avow-project/avow/internal/translog"
)

// mapSubject and logSubject are in no map.
var (
	mapSubject = subjectKey(translog.Subject{Kind: translog.SubjectMap})
	logSubject = subjectKey(translog.Subject{Kind: translog.SubjectLog})
)

// PinMap notes that a map of the log as it is now is to be made. Nothing else changes: after an
// interruption, go on with FinishMap.
func (l *Log) PinMap(ctx context.Context, at, since time.Time) error {
	return l.s.db.Update(ctx, func(c Conn) error {
		state, err := lockLog(ctx, c)
		if err != nil || state.Ended {
			return err
		}
		// One whose leaf is not in the log yet comes first, so that every map covers the one before.
		open, err := number(ctx, c, `SELECT (SELECT COUNT(*) FROM log_maps WHERE number = 0 OR at >= $1) + (SELECT COUNT(*) FROM log_outbox WHERE subject = $2)`,
			since.UnixMicro(), mapSubject)
		if err != nil || open > 0 {
			return err
		}
		_, err = exec(ctx, c, `INSERT INTO log_maps (size, at, number, entries, blocks) VALUES ($1, $2, 0, 0, $3)`, state.Size, at.UnixMicro(), []byte{})
		return err
	})
}

// FinishMap calculates a map that was pinned, and writes its leaf to the outbox.
func (l *Log) FinishMap(ctx context.Context) error {
	m, err := scanMap(ctx, l.s.db, `SELECT size, at, number, entries, blocks FROM log_maps WHERE number = 0`)
	if errors.Is(err, notary.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	have, _, err := l.Newest(ctx, translog.Subject{Kind: translog.SubjectMap})
	if err == nil && have >= m.Size {
		// The log was recovered from a copy, which has a newer map.
		_, err = exec(ctx, l.s.db, `DELETE FROM log_maps WHERE size = $1 AND number = 0`, m.Size)
		return err
	}
	if err != nil && !errors.Is(err, notary.ErrNotFound) {
		return err
	}
	made := &translog.Map{}
	for first := range 256 {
		from, to := []byte{byte(first)}, []byte{byte(first + 1)}
		if first == 255 {
			to = nil
		}
		entries, err := l.MapEntries(ctx, m.Size, from, to)
		for i := range entries {
			if err == nil {
				err = made.Add(entries[i])
			}
		}
		if err != nil {
			return err
		}
	}
	return l.saveMap(ctx, m, made)
}

// saveMap keeps a map and writes its leaf, unless another process has done so.
func (l *Log) saveMap(ctx context.Context, m *notary.Map, made *translog.Map) error {
	root := made.Root()
	leaf := &translog.Leaf{
		Kind: "log.map", Subject: translog.Subject{Kind: translog.SubjectMap}, At: m.At,
		Map: &translog.MapHead{Entries: made.Count, Root: hex.EncodeToString(root[:]), Size: m.Size},
	}
	return l.s.counted(ctx, func(c Conn) (highwater.State, error) {
		got, err := l.s.count(ctx, c, 1)
		if err != nil {
			return got, err
		}
		n, err := exec(ctx, c, `UPDATE log_maps SET number = $1, entries = $2, blocks = $3 WHERE size = $4 AND number = 0`, got.Last, made.Count, made.Bytes(), m.Size)
		if err != nil || n == 0 {
			return got, err
		}
		return got, writeLeaf(ctx, c, got.Last, leaf)
	})
}

// MapEntries returns entries of the map of a size, those with keys from one on that are below
// another; nil for no end.
func (l *Log) MapEntries(ctx context.Context, size int64, from, to []byte) ([]translog.MapEntry, error) {
	if to == nil {
		to = bytes.Repeat([]byte{0xff}, sha256.Size+1)
	}
	var entries []translog.MapEntry
	err := each(ctx, l.s.db, func(r Rows) error {
		var e translog.MapEntry
		var subject []byte
		err := r.Scan(&subject, &e.Index)
		if err == nil && copy(e.Key[:], subject) != len(e.Key) {
			err = notary.ErrDamaged
		}
		if e.Index >= 0 {
			entries = append(entries, e)
		}
		return err
	}, `SELECT subject, CASE WHEN place < $3 THEN place ELSE
			COALESCE((SELECT MAX(p.place) FROM log_past p WHERE p.subject = s.id AND p.place < $3), -1) END
		FROM log_subjects s WHERE subject >= $1 AND subject < $2 AND subject NOT IN ($4, $5) ORDER BY subject`, from, to, size, mapSubject, logSubject)
	return entries, err
}

// MapAt returns the last map from before a time whose leaf is among the first of the log.
func (l *Log) MapAt(ctx context.Context, before time.Time, size int64) (*notary.Map, error) {
	return scanMap(ctx, l.s.db, `SELECT size, at, leaf, entries, blocks FROM log_maps WHERE at < $1 AND leaf < $2 ORDER BY size DESC LIMIT 1`, before.UnixMicro(), size)
}

func scanMap(ctx context.Context, c Conn, statement string, args ...any) (*notary.Map, error) {
	m := &notary.Map{}
	var at, entries int64
	var blocks []byte
	err := one(ctx, c, func(r Rows) error { return r.Scan(&m.Size, &at, &m.Leaf, &entries, &blocks) }, statement, args...)
	if errors.Is(err, registry.ErrNotFound) {
		err = notary.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	m.At = time.UnixMicro(at).UTC()
	m.Blocks, err = translog.ReadMap(entries, blocks)
	return m, err
}

// lookMap reads the blocks of a map.
func lookMap(_ context.Context, _ *checker, _ Conn, row []any) error {
	_, err := translog.ReadMap(row[3].(int64), row[4].([]byte))
	return unless(err == nil, "its blocks are not those of its entries")
}
