package notary

import (
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/translog"
)

// hashes reads the hashes of a tree from its tiles. Each tile is read once.
type hashes struct {
	tree Tree
	read map[[2]int64][]byte
}

// Hashes returns what package tlog makes proofs and roots with.
func Hashes(t Tree) tlog.HashReader { return &hashes{t, map[[2]int64][]byte{}} }

// ReadHashes is part of tlog.HashReader.
func (h *hashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var all []tlog.Hash
	for _, i := range indexes {
		t := tlog.TileForIndex(translog.TileHeight, i)
		key := [2]int64{int64(t.L), t.N}
		data, ok := h.read[key]
		if !ok {
			var err error
			data, err = h.tree.Tile(t.L, t.N)
			if err != nil {
				return nil, err
			}
			h.read[key] = data
		}
		if len(data) < t.W*tlog.HashSize {
			return nil, fmt.Errorf("%w: tile %d of level %d is too short", ErrDamaged, t.N, t.L)
		}
		one, err := tlog.HashFromTile(t, data[:t.W*tlog.HashSize], i)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// RootAt returns the root of the tree at a size.
func RootAt(t Tree, size int64) (tlog.Hash, error) { return tlog.TreeHash(size, Hashes(t)) }

// An Edge adds leaves to a tree: it has the last tile of each level. Changed are the tiles
// that have to be stored.
type Edge struct {
	tree    Tree
	Size    int64
	last    []edgeTile
	Changed map[[2]int64][]byte
}

// An edgeTile is the last tile of a level, which may be empty.
type edgeTile struct {
	n    int64
	data []byte
}

// NewEdge reads the edge of a tree of a size, and compares its root.
func NewEdge(t Tree, size int64, root tlog.Hash) (*Edge, error) {
	have, err := RootAt(t, size)
	if err != nil {
		return nil, err
	}
	if have != root {
		return nil, fmt.Errorf("%w: the root of %d leaves is not the one that was noted", ErrDamaged, size)
	}
	e := &Edge{tree: t, Size: size, Changed: map[[2]int64][]byte{}}
	for level := 0; size>>(translog.TileHeight*level) > 0; level++ {
		width := size >> (translog.TileHeight * level)
		tile := edgeTile{n: width / translog.TileWidth}
		if n := width % translog.TileWidth; n > 0 {
			data, err := t.Tile(level, tile.n)
			if err != nil {
				return nil, err
			}
			tile.data = append(tile.data, data[:n*tlog.HashSize]...)
		}
		e.last = append(e.last, tile)
	}
	return e, nil
}

// Add adds the hash of a leaf.
func (e *Edge) Add(h tlog.Hash) {
	e.Size++
	e.add(0, h)
}

// add adds a hash to a level. A tile that is full becomes one hash of the next level.
func (e *Edge) add(level int, h tlog.Hash) {
	if level == len(e.last) {
		e.last = append(e.last, edgeTile{})
	}
	t := &e.last[level]
	t.data = append(t.data, h[:]...)
	e.Changed[[2]int64{int64(level), t.n}] = t.data
	if len(t.data) < translog.TileWidth*tlog.HashSize {
		return
	}
	full := t.data
	e.last[level] = edgeTile{n: t.n + 1}
	e.add(level+1, rootOf(full))
}

// rootOf returns the root over the hashes of a full tile.
func rootOf(data []byte) tlog.Hash {
	if len(data) == tlog.HashSize {
		return tlog.Hash(data)
	}
	half := len(data) / 2
	return tlog.NodeHash(rootOf(data[:half]), rootOf(data[half:]))
}

// Tile is part of Tree: what was added and what was there.
func (e *Edge) Tile(level int, n int64) ([]byte, error) {
	data, ok := e.Changed[[2]int64{int64(level), n}]
	if ok {
		return data, nil
	}
	return e.tree.Tile(level, n)
}

// Root returns the root of the tree with what was added.
func (e *Edge) Root() (tlog.Hash, error) { return RootAt(e, e.Size) }
