package records

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/pack"
	"github.com/avow-project/avow/translog"
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
	err := one(t.ctx, t.c, func(r Rows) error { return r.Scan(&data) }, `SELECT data FROM log_tiles WHERE level = $1 AND place = $2`, int64(level), n)
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

// Sequence makes leaves of events, in the order of their numbers. Whoever does so at the same
// time waits, and finds them done.
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
	w, err := newLeafWriter(ctx, c, state)
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

// A leafWriter adds leaves to a log in a transaction.
type leafWriter struct {
	ctx  context.Context //nolint:containedctx // it lives as long as the transaction
	c    Conn
	edge *notary.Edge
	// mapped is the size of the log that the last map covers.
	mapped int64
}

func newLeafWriter(ctx context.Context, c Conn, state *notary.State) (*leafWriter, error) {
	edge, err := notary.NewEdge(tree{ctx, c}, state.Size, state.Root)
	if err != nil {
		return nil, err
	}
	w := &leafWriter{ctx: ctx, c: c, edge: edge}
	return w, one(ctx, c, func(r Rows) error { return r.Scan(&w.mapped) }, `SELECT COALESCE(MAX(size), 0) FROM log_maps`)
}

// add makes a leaf of a row.
func (w *leafWriter) add(o *outgoing) error {
	previous, err := w.previous(o.subject)
	if err != nil {
		return err
	}
	err = w.keep(o.subject, previous)
	if err != nil {
		return err
	}
	leaf, err := translog.Complete(o.body, previous)
	if err != nil {
		return err
	}
	return w.append(o.number, o.subject, leaf)
}

// append adds a leaf.
func (w *leafWriter) append(number int64, subject, leaf []byte) error {
	index, hash := w.edge.Size, tlog.RecordHash(leaf)
	w.edge.Add(hash)
	_, err := exec(w.ctx, w.c, `INSERT INTO log_leaves (place, leaf) VALUES ($1, $2)`, index, leaf)
	if err != nil {
		return err
	}
	_, err = exec(w.ctx, w.c, `INSERT INTO log_numbers (number, place) VALUES ($1, $2)`, number, index)
	if err != nil {
		return err
	}
	_, err = exec(w.ctx, w.c, `INSERT INTO log_subjects (subject, place, hash) VALUES ($1, $2, $3)
		ON CONFLICT (subject) DO UPDATE SET place = excluded.place, hash = excluded.hash`, subject, index, hash[:])
	if err != nil || w.edge.Size%translog.TileWidth != 0 {
		return err
	}
	return w.bundle(index / translog.TileWidth)
}

// keep keeps the newest leaf about a subject for the maps that have it, before another one is.
func (w *leafWriter) keep(subject []byte, newest *translog.Link) error {
	if newest == nil || newest.Index >= w.mapped || bytes.Equal(subject, logSubject) || bytes.Equal(subject, mapSubject) {
		return nil
	}
	_, err := exec(w.ctx, w.c, `INSERT INTO log_past (subject, until, place) VALUES ($1, $2, $3)`, subject, w.mapped, newest.Index)
	return err
}

// previous returns the link to the leaf before about a subject; nil for none.
func (w *leafWriter) previous(subject []byte) (*translog.Link, error) {
	link := &translog.Link{}
	var hash []byte
	err := one(w.ctx, w.c, func(r Rows) error { return r.Scan(&link.Index, &hash) }, `SELECT place, hash FROM log_subjects WHERE subject = $1`, subject)
	if errors.Is(err, registry.ErrNotFound) {
		return nil, nil
	}
	link.Hash = hex.EncodeToString(hash)
	return link, err
}

// bundle packs the leaves of a bundle that is full.
func (w *leafWriter) bundle(n int64) error {
	leaves, err := looseLeaves(w.ctx, w.c, n)
	if err != nil {
		return err
	}
	if len(leaves) != translog.TileWidth {
		return fmt.Errorf("%w: bundle %d has %d leaves", notary.ErrDamaged, n, len(leaves))
	}
	packed, err := pack.Sized(translog.Bundle(leaves))
	if err != nil {
		return err
	}
	_, err = exec(w.ctx, w.c, `INSERT INTO log_bundles (place, packed) VALUES ($1, $2)`, n, packed)
	if err != nil {
		return err
	}
	_, err = exec(w.ctx, w.c, `DELETE FROM log_leaves WHERE place < $1`, (n+1)*translog.TileWidth)
	return err
}

// finish writes the tiles and how far the log has got.
func (w *leafWriter) finish(cursor int64) error {
	for key, data := range w.edge.Changed {
		_, err := exec(w.ctx, w.c, `INSERT INTO log_tiles (level, place, data) VALUES ($1, $2, $3)
			ON CONFLICT (level, place) DO UPDATE SET data = excluded.data`, key[0], key[1], data)
		if err != nil {
			return err
		}
	}
	root, err := w.edge.Root()
	if err != nil {
		return err
	}
	_, err = exec(w.ctx, w.c, `UPDATE log_state SET size = $1, root = $2, cursor = $3 WHERE id = 1`, w.edge.Size, root[:], cursor)
	return err
}

// looseLeaves returns the leaves of a bundle that is not packed.
func looseLeaves(ctx context.Context, c Conn, n int64) ([][]byte, error) {
	return list(ctx, c, func(r Rows) (*[]byte, error) {
		leaf := new([]byte)
		return leaf, r.Scan(leaf)
	}, `SELECT leaf FROM log_leaves WHERE place >= $1 AND place < $2 ORDER BY place`, n*translog.TileWidth, (n+1)*translog.TileWidth)
}

// Leaves returns the leaves of a bundle.
func (l *Log) Leaves(ctx context.Context, n int64) ([][]byte, error) {
	var leaves [][]byte
	err := l.s.db.Snapshot(ctx, func(c Conn) error {
		var packed []byte
		err := one(ctx, c, func(r Rows) error { return r.Scan(&packed) }, `SELECT packed FROM log_bundles WHERE place = $1`, n)
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
