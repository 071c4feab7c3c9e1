package translog

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

// A path leads from a leaf of a tree of RFC 6962 to the root, with hashes from below. Those of several leaves
// have hashes in common, and others follow from the leaves: of all of them together only the roots of those
// subtrees are needed that have none of the leaves, in the order of a walk from left to right.
type path struct {
	index  int64
	hash   tlog.Hash
	hashes *[]tlog.Hash
}

// sorted are paths by their index.
func sorted(paths []path) []path {
	return slices.SortedFunc(slices.Values(paths), func(a, b path) int { return cmp.Compare(a.index, b.index) })
}

// middle is where a subtree is parted, and how many of some paths are on its left.
func middle(from, to int64, paths []path) (int64, int) {
	at := from + 1<<(bits.Len64(uint64(to-from-1))-1)
	n, _ := slices.BinarySearchFunc(paths, at, func(p path, at int64) int { return cmp.Compare(p.index, at) })
	return at, n
}

// mergePaths returns the hashes that all paths together need; none if they are not of a tree of that size.
func mergePaths(size int64, paths []path) []tlog.Hash {
	if !within(size, paths) {
		return nil
	}
	return merge(0, size, 0, sorted(paths))
}

func merge(from, to int64, depth int, paths []path) []tlog.Hash {
	if to-from == 1 {
		return nil
	}
	at, n := middle(from, to, paths)
	half := func(from, to int64, some, others []path) []tlog.Hash {
		if len(some) > 0 {
			return merge(from, to, depth+1, some)
		}
		hashes := *others[0].hashes
		if depth >= len(hashes) {
			return nil // it is not of this tree
		}
		return hashes[len(hashes)-1-depth:][:1]
	}
	return slices.Concat(half(from, at, paths[:n], paths[n:]), half(at, to, paths[n:], paths[:n]))
}

// within reports whether leaves can be those of a tree.
func within(size int64, paths []path) bool {
	for _, p := range paths {
		if p.index < 0 || p.index >= size {
			return false
		}
	}
	return len(paths) > 0
}

var errPaths = errors.New("translog: the hashes are not those of the leaves")

// splitPaths gives each path its hashes. Whether they lead to a root is not known then.
func splitPaths(size int64, paths []path, hashes []tlog.Hash) error {
	if !within(size, paths) {
		return errPaths
	}
	s := &splitter{rest: hashes}
	s.walk(0, size, sorted(paths))
	if s.failed || len(s.rest) > 0 {
		return errPaths
	}
	return nil
}

// A splitter walks through a tree, and takes the hash of each subtree without a leaf from those that are left.
type splitter struct {
	rest   []tlog.Hash
	failed bool
}

// walk returns the root of a subtree.
func (s *splitter) walk(from, to int64, paths []path) tlog.Hash {
	switch {
	case len(paths) == 0 && len(s.rest) == 0:
		s.failed = true
		return tlog.Hash{}
	case len(paths) == 0:
		h := s.rest[0]
		s.rest = s.rest[1:]
		return h
	case to-from == 1:
		s.failed = s.failed || len(paths) > 1
		return paths[0].hash
	}
	at, n := middle(from, to, paths)
	left, right := s.walk(from, at, paths[:n]), s.walk(at, to, paths[n:])
	for _, p := range paths[:n] {
		*p.hashes = append(*p.hashes, right)
	}
	for _, p := range paths[n:] {
		*p.hashes = append(*p.hashes, left)
	}
	return tlog.NodeHash(left, right)
}

// Bundle returns leaves as a tile of entries has them: each after its length in two bytes.
func Bundle(leaves [][]byte) []byte {
	var b []byte
	for _, l := range leaves {
		b = append(binary.BigEndian.AppendUint16(b, uint16(len(l))), l...) // at most MaxLeaf
	}
	return b
}

// Unbundle reads what Bundle has written. The leaves are parts of it.
func Unbundle(b []byte) ([][]byte, error) {
	var leaves [][]byte
	for len(b) > 0 {
		if len(b) < 2 || len(b) < 2+int(binary.BigEndian.Uint16(b)) {
			return nil, errors.New("translog: a tile of entries ends in a leaf")
		}
		end := 2 + int(binary.BigEndian.Uint16(b))
		leaves, b = append(leaves, b[2:end:end]), b[end:]
	}
	return leaves, nil
}
