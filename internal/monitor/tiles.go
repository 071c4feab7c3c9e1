package monitor

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/translog"
)

// A Source is a log as it is served, by the paths of C2SP tlog-tiles.
type Source interface {
	// Get returns what is at a path. What is not there is ErrAbsent.
	Get(ctx context.Context, path string) ([]byte, error)
}

// ErrAbsent is about something that a log does not have.
var ErrAbsent = errors.New("the log has no such thing")

// A sourceError is about something that could not be had. Nothing follows from it about the log.
type sourceError struct{ error }

// Unwrap is for errors.Is.
func (e sourceError) Unwrap() error { return e.error }

// keptTiles is how many tiles are kept, 8 kB each.
const keptTiles = 1_000

// tiles reads tiles for package tlog, which verifies them.
type tiles struct {
	ctx    context.Context
	source Source
	// verified are those that lead to the root, and offered those that were made of leaves.
	verified, offered map[tlog.Tile][]byte
}

// Height is part of tlog.TileReader.
func (*tiles) Height() int { return translog.TileHeight }

// SaveTiles is part of tlog.TileReader.
func (t *tiles) SaveTiles(list []tlog.Tile, data [][]byte) {
	if len(t.verified) > keptTiles {
		clear(t.verified)
	}
	for i := range list {
		t.verified[list[i]] = data[i]
	}
}

// ReadTiles is part of tlog.TileReader.
func (t *tiles) ReadTiles(list []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, one := range list {
		data, ok := t.verified[one]
		if !ok {
			data, ok = t.offered[one]
		}
		if !ok {
			var err error
			data, err = t.get(translog.Tile{Level: one.L, N: one.N, Width: one.W})
			if err != nil {
				return nil, err
			}
			if len(data) < one.W*tlog.HashSize {
				return nil, fmt.Errorf("tile %d of level %d is too short", one.N, one.L)
			}
			data = data[:one.W*tlog.HashSize]
		}
		all = append(all, data)
	}
	return all, nil
}

// get reads a tile. A partial one may have been replaced by the full one since.
func (t *tiles) get(tile translog.Tile) ([]byte, error) {
	data, err := t.source.Get(t.ctx, tile.Path())
	if errors.Is(err, ErrAbsent) && tile.Width < translog.TileWidth {
		tile.Width = translog.TileWidth
		data, err = t.source.Get(t.ctx, tile.Path())
	}
	if err != nil {
		return nil, sourceError{err}
	}
	return data, nil
}

// A tree is a log up to a head. Everything that it returns is in the tree that was signed.
type tree struct {
	head   *translog.Checkpoint
	tiles  *tiles
	hashes tlog.HashReader
}

func newTree(ctx context.Context, source Source, head *translog.Checkpoint) *tree {
	t := &tiles{ctx, source, map[tlog.Tile][]byte{}, map[tlog.Tile][]byte{}}
	return &tree{head, t, tlog.TileHashReader(tlog.Tree{N: head.Size, Hash: head.Root}, t)}
}

// rootAt returns the root that the log had at a smaller size.
func (t *tree) rootAt(size int64) (tlog.Hash, error) {
	if size == t.head.Size {
		return t.head.Root, nil
	}
	return tlog.TreeHash(size, t.hashes)
}

// bundle returns the leaves of a bundle, as far as the tree has them.
func (t *tree) bundle(n int64) ([][]byte, error) {
	tile := translog.Tile{Entries: true, N: n}
	tile.Width = tile.WidthAt(t.head.Size)
	data, err := t.tiles.get(tile)
	if err != nil {
		return nil, err
	}
	leaves, err := translog.Unbundle(data)
	if err != nil {
		return nil, err
	}
	if len(leaves) < tile.Width {
		return nil, fmt.Errorf("bundle %d has %d leaves, and %d were signed", n, len(leaves), tile.Width)
	}
	leaves = leaves[:tile.Width]
	return leaves, t.verify(n, leaves)
}

// verify compares the leaves of a bundle with the tree. Their hashes are the tile of the lowest
// level, which is verified against the one above it and need not be asked for.
func (t *tree) verify(n int64, leaves [][]byte) error {
	var data []byte
	for _, l := range leaves {
		h := tlog.RecordHash(l)
		data = append(data, h[:]...)
	}
	tile := tlog.Tile{H: translog.TileHeight, N: n, W: len(leaves)}
	delete(t.tiles.verified, tile)
	clear(t.tiles.offered)
	t.tiles.offered[tile] = data
	_, err := t.hashes.ReadHashes([]int64{tlog.StoredHashIndex(0, n*translog.TileWidth)})
	return err
}

// compare compares the tile of hashes that the log serves beside a bundle with the leaves. Others
// make proofs of it, and a log that serves another one cannot prove what it signed.
func (t *tree) compare(n int64, leaves [][]byte) error {
	data, err := t.tiles.get(translog.Tile{N: n, Width: len(leaves)})
	if err != nil {
		return err
	}
	for i, l := range leaves {
		h := tlog.RecordHash(l)
		if from := i * tlog.HashSize; len(data) < from+tlog.HashSize || !bytes.Equal(data[from:from+tlog.HashSize], h[:]) {
			return fmt.Errorf("hash %d of tile %d does not match its leaf", i, n)
		}
	}
	return nil
}

// leaf returns one leaf.
func (t *tree) leaf(index int64) ([]byte, error) {
	leaves, err := t.bundle(index / translog.TileWidth)
	if err != nil {
		return nil, err
	}
	return leaves[index%translog.TileWidth], nil
}

// A Reader reads a log up to a head. Everything that it returns is in the tree under the head; whether
// the head is to be trusted is for the caller to know.
type Reader struct{ tree *tree }

// NewReader returns a reader of a source.
func NewReader(ctx context.Context, source Source, head *translog.Checkpoint) (*Reader, error) {
	empty, _ := tlog.TreeHash(0, nil) // it reads nothing
	switch {
	case head.Size > maxLeaves:
		return nil, fmt.Errorf("the log says that it has %d leaves", head.Size)
	case head.Size == 0 && head.Root != empty:
		return nil, errors.New("the log has no leaves, and a root that is not that of an empty log")
	}
	return &Reader{newTree(ctx, source, head)}, nil
}

// RootAt returns the root that the log had at a smaller size.
func (r *Reader) RootAt(size int64) (tlog.Hash, error) { return r.tree.rootAt(size) }

// Leaves hands over the leaves from an index on, those of a bundle at a time.
func (r *Reader) Leaves(from int64, take func(first int64, leaves [][]byte) error) error {
	for from < r.tree.head.Size {
		leaves, err := r.tree.bundle(from / translog.TileWidth)
		if err != nil {
			return err
		}
		leaves = leaves[from%translog.TileWidth:]
		err = take(from, leaves)
		if err != nil {
			return err
		}
		from += int64(len(leaves))
	}
	return nil
}

// Proof proves a leaf with the head, whose signatures are in the note.
func (r *Reader) Proof(index int64, note []byte) (*translog.Proof, error) {
	if index < 0 || index >= r.tree.head.Size {
		return nil, ErrAbsent
	}
	leaf, err := r.tree.leaf(index)
	if err != nil {
		return nil, err
	}
	hashes, err := tlog.ProveRecord(r.tree.head.Size, index, r.tree.hashes)
	return &translog.Proof{Leaf: leaf, Index: index, Hashes: hashes, Signed: note}, err
}
