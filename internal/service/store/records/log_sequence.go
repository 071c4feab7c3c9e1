package records

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/pack"
	"github.com/avow-project/avow/internal/translog"
)

// A tree reads tiles in a transaction.
type tree struct {
	ctx context.Context //nolint:containedctx // it lives as long as the transaction
	c   Conn
}

// Tree returns the hashes of the tree.
func (l *Log) Tree(ctx context.Context) notary.Tree { return tree{ctx, l.s.db} }

// Tile returns the hashes of a tile.
func (t tree) Tile(level int, n int64) ([]byte, error) {
	var data []byte
	err := one(t.ctx, t.c, func(r Rows) error {
		return r.Scan(&data)
	}, `SELECT data FROM log_tiles WHERE level = $1 AND tile = $2`, int64(level), n)
	if errors.Is(err, registry.ErrNotFound) {
		return nil, notary.ErrNotFound
	}
	return data, err
}

// An outgoing is a row of the outbox.
type outgoing struct {
	number        int64
	subject, body []byte
}

// Sequence makes leaves of events, in the order of their numbers. A concurrent call waits,
// and finds them done.
func (l *Log) Sequence(ctx context.Context, limit int) (int, error) {
	n := 0
	err := l.s.db.Update(ctx, func(c Conn) error {
		var err error
		n, err = sequence(ctx, c, limit)
		return err
	})
	return n, err
}

func sequence(ctx context.Context, c Conn, limit int) (int, error) {
	state, err := lockLog(ctx, c)
	if err != nil {
		return 0, err
	}
	rows, err := list(ctx, c, func(r Rows) (*outgoing, error) {
		o := &outgoing{}
		return o, r.Scan(&o.number, &o.subject, &o.body)
	}, `SELECT number, subject, body FROM log_outbox ORDER BY number LIMIT $1`, int64(limit))
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	if rows[0].number <= state.Cursor {
		return 0, fmt.Errorf("%w: event %d is in it, and waits to be", notary.ErrDamaged, rows[0].number)
	}
	subjects := make([][]byte, len(rows))
	for i := range rows {
		subjects[i] = rows[i].subject
	}
	w, err := newLeafWriter(ctx, c, state, subjects)
	if err != nil {
		return 0, err
	}
	for i := range rows {
		err := w.add(&rows[i])
		if err != nil {
			return 0, err
		}
	}
	last := rows[len(rows)-1].number
	err = w.finish(last)
	if err != nil {
		return 0, err
	}
	_, err = exec(ctx, c, `DELETE FROM log_outbox WHERE number <= $1`, last)
	return len(rows), err
}

// A leafWriter adds leaves to a log in a transaction. It reads what it needs to know about all subjects
// at once, and collects rows, so that a statement is about many leaves: they take longer than hashing.
type leafWriter struct {
	ctx  context.Context //nolint:containedctx // it lives as long as the transaction
	c    Conn
	edge *notary.Edge
	// subjects are those that leaves are added about, by their keys, as far as the log knows them.
	subjects map[string]*newestLeaf
	// loose are new leaves in no full bundle.
	loose [][]byte
	// numbers are values of new rows, one after the other.
	numbers []any
}

// A newestLeaf is the newest leaf about a subject.
type newestLeaf struct {
	index int64
	hash  []byte
}

func newLeafWriter(ctx context.Context, c Conn, state *notary.State, subjects [][]byte) (*leafWriter, error) {
	edge, err := notary.NewEdge(tree{ctx, c}, state.Size, state.Root)
	if err != nil {
		return nil, err
	}
	w := &leafWriter{ctx: ctx, c: c, edge: edge, subjects: map[string]*newestLeaf{}}
	keys := make([]any, len(subjects))
	for i := range subjects {
		keys[i] = subjects[i]
	}
	return w, each(ctx, c, func(r Rows) error {
		var key []byte
		n := &newestLeaf{}
		err := r.Scan(&key, &n.index, &n.hash)
		w.subjects[string(key)] = n
		return err
	}, `SELECT subject, leaf_index, hash FROM log_subjects WHERE subject IN (`+padded(1, len(keys), &keys)+`)`, keys...)
}

// add makes a leaf of a row.
func (w *leafWriter) add(o *outgoing) error {
	leaf, err := translog.Complete(o.body, w.previous(o.subject))
	if err != nil {
		return err
	}
	return w.append(o.number, o.subject, leaf)
}

// previous returns the link to the leaf before about a subject; nil for none.
func (w *leafWriter) previous(subject []byte) *translog.Link {
	n := w.subjects[string(subject)]
	if n == nil {
		return nil
	}
	return &translog.Link{Index: n.index, Hash: hex.EncodeToString(n.hash)}
}

// append adds a leaf.
func (w *leafWriter) append(number int64, subject, leaf []byte) error {
	index, hash := w.edge.Size, tlog.RecordHash(leaf)
	w.edge.Add(hash)
	w.subjects[string(subject)] = &newestLeaf{index, hash[:]}
	if index%translog.TileWidth == 0 {
		w.numbers = append(w.numbers, number, index)
	}
	w.loose = append(w.loose, leaf)
	if w.edge.Size%translog.TileWidth != 0 {
		return nil
	}
	return w.bundle(index / translog.TileWidth)
}

// bundle packs the leaves of a bundle that is full.
func (w *leafWriter) bundle(n int64) error {
	leaves := w.loose
	if len(leaves) < translog.TileWidth {
		before, err := looseLeaves(w.ctx, w.c, n)
		if err != nil {
			return err
		}
		leaves = append(before, leaves...)
	}
	if len(leaves) != translog.TileWidth {
		return fmt.Errorf("%w: bundle %d has %d leaves", notary.ErrDamaged, n, len(leaves))
	}
	packed, err := pack.Sized(translog.Bundle(leaves))
	if err != nil {
		return err
	}
	w.loose = nil
	_, err = exec(w.ctx, w.c, `INSERT INTO log_bundles (bundle, packed) VALUES ($1, $2)`, n, packed)
	if err != nil {
		return err
	}
	_, err = exec(w.ctx, w.c, `DELETE FROM log_leaves WHERE leaf_index < $1`, (n+1)*translog.TileWidth)
	return err
}

// finish writes what was collected, the tiles and how far the log has got.
func (w *leafWriter) finish(cursor int64) error {
	var loose, newest []any
	for i, leaf := range w.loose {
		loose = append(loose, w.edge.Size-int64(len(w.loose)-i), leaf)
	}
	for _, key := range slices.Sorted(maps.Keys(w.subjects)) {
		n := w.subjects[key]
		newest = append(newest, []byte(key), n.index, n.hash)
	}
	for _, some := range []struct {
		into     string
		columns  int
		values   []any
		conflict string
	}{
		{`log_leaves (leaf_index, leaf)`, 2, loose, ``},
		{`log_numbers (number, leaf_index)`, 2, w.numbers, ``},
		{`log_subjects (subject, leaf_index, hash)`, 3, newest,
			` ON CONFLICT (subject) DO UPDATE SET leaf_index = excluded.leaf_index, hash = excluded.hash`},
	} {
		err := insertMany(w.ctx, w.c, some.into, some.columns, some.values, some.conflict)
		if err != nil {
			return err
		}
	}
	for key, data := range w.edge.Changed {
		_, err := exec(w.ctx, w.c, `INSERT INTO log_tiles (level, tile, data) VALUES ($1, $2, $3)
			ON CONFLICT (level, tile) DO UPDATE SET data = excluded.data`, key[0], key[1], data)
		if err != nil {
			return err
		}
	}
	root, err := w.edge.Root()
	if err != nil {
		return err
	}
	_, err = exec(w.ctx, w.c, `UPDATE log_state SET size = $1, root = $2, cursor = $3 WHERE id = 1`,
		w.edge.Size, root[:], cursor)
	return err
}

// rowsAtOnce is how many rows a statement adds at most.
const rowsAtOnce = 128

// insertMany adds rows whose values stand one after the other. Each statement adds as many as a power of two
// says, because every other text has to be prepared.
func insertMany(ctx context.Context, c Conn, into string, columns int, values []any, conflict string) error {
	for rows := rowsAtOnce; len(values) > 0; {
		for rows*columns > len(values) {
			rows /= 2
		}
		tuples := make([]string, rows)
		for i := range tuples {
			tuples[i] = `(` + parameters(1+i*columns, columns) + `)`
		}
		_, err := exec(ctx, c, `INSERT INTO `+into+` VALUES `+strings.Join(tuples, `, `)+conflict, values[:rows*columns]...)
		if err != nil {
			return err
		}
		values = values[rows*columns:]
	}
	return nil
}

// looseLeaves returns the leaves of a bundle that is not packed.
func looseLeaves(ctx context.Context, c Conn, n int64) ([][]byte, error) {
	return list(ctx, c, func(r Rows) (*[]byte, error) {
		leaf := new([]byte)
		return leaf, r.Scan(leaf)
	}, `SELECT leaf FROM log_leaves WHERE leaf_index >= $1 AND leaf_index < $2 ORDER BY leaf_index`, n*translog.TileWidth,
		(n+1)*translog.TileWidth)
}

// Leaves returns the leaves of a bundle.
func (l *Log) Leaves(ctx context.Context, n int64) ([][]byte, error) {
	var leaves [][]byte
	err := l.s.db.Snapshot(ctx, func(c Conn) error {
		packed, err := value[[]byte](ctx, c, `SELECT packed FROM log_bundles WHERE bundle = $1`, n)
		if errors.Is(err, registry.ErrNotFound) {
			leaves, err = looseLeaves(ctx, c, n)
			return err
		}
		if err != nil {
			return err
		}
		text, err := pack.Unsized(packed)
		if err != nil {
			return err
		}
		leaves, err = translog.Unbundle(slices.Clone(text))
		return err
	})
	return leaves, err
}
