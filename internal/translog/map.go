package translog

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

// SubjectMap is the chain of maps: leaves that have the root of a Map.
const SubjectMap = "map"

// A MapHead is a map as its leaf has it.
type MapHead struct {
	// Entries is how many publishers and files are in it.
	Entries int64
	// Root is the root of the tree over the entries, in hexadecimal.
	Root string
	// Size is the size of the log that the map covers.
	Size int64
}

// A MapEntry says which leaf about a publisher or a file was the newest. The entries of a map are
// sorted by their keys, and the tree over them is that of RFC 6962, so that one entry can be
// proved, and also that there is none between two neighbours.
type MapEntry struct {
	Key   [sha256.Size]byte
	Index int64
}

// MapKey is what a subject is found by in a map: the hash of its words in a leaf.
func MapKey(s Subject) [sha256.Size]byte { return sha256.Sum256([]byte(s.String())) }

// InMap reports whether maps have an entry for a subject: publishers and files are in them.
func InMap(s Subject) bool { return s.Kind == SubjectPublisher || s.Kind == SubjectFile }

// hash is the entry's hash in the tree: the key and the index in eight bytes.
func (e *MapEntry) hash() tlog.Hash {
	return tlog.RecordHash(binary.BigEndian.AppendUint64(slices.Clone(e.Key[:]), uint64(e.Index)))
}

// mapBlock is how many entries have one hash in a Map.
const mapBlock = 256

// A Map has what proofs of a map need besides the entries that they are about: for each block of
// 256 entries its first key and its root. Its zero value is a map without entries.
type Map struct {
	// Count is how many entries there are.
	Count int64
	first [][sha256.Size]byte
	roots []tlog.Hash
	// open are the hashes of the last block while it is filled, and last is the last key.
	open []tlog.Hash
	last [sha256.Size]byte
}

var errMap = errors.New("translog: not a map")

// Add adds an entry. Keys have to rise.
func (m *Map) Add(e MapEntry) error {
	if m.Count > 0 && bytes.Compare(e.Key[:], m.last[:]) <= 0 {
		return fmt.Errorf("%w: its entries are not sorted", errMap)
	}
	if len(m.open) == 0 {
		m.first, m.roots = append(m.first, e.Key), append(m.roots, tlog.Hash{})
	}
	m.open, m.last = append(m.open, e.hash()), e.Key
	m.roots[len(m.roots)-1] = tlog.Hash{}
	m.Count++
	if len(m.open) == mapBlock {
		m.seal()
	}
	return nil
}

// seal calculates the root of the last block.
func (m *Map) seal() {
	if len(m.open) > 0 {
		m.roots[len(m.roots)-1] = rootOver(m.open)
	}
	if len(m.open) == mapBlock {
		m.open = m.open[:0]
	}
}

// Root returns the root over all entries.
func (m *Map) Root() tlog.Hash {
	m.seal()
	return rootOver(m.roots)
}

// Bytes returns the blocks, each the first key and the root.
func (m *Map) Bytes() []byte {
	m.seal()
	b := []byte{}
	for i := range m.first {
		b = append(append(b, m.first[i][:]...), m.roots[i][:]...)
	}
	return b
}

// ReadMap reads what Bytes returned. Nothing can be added to it.
func ReadMap(count int64, b []byte) (*Map, error) {
	const width = sha256.Size + tlog.HashSize
	if count < 0 || int64(len(b)) != (count+mapBlock-1)/mapBlock*width {
		return nil, fmt.Errorf("%w: it has %d bytes for %d entries", errMap, len(b), count)
	}
	m := &Map{Count: count}
	for ; len(b) > 0; b = b[width:] {
		m.first, m.roots = append(m.first, [sha256.Size]byte(b)), append(m.roots, tlog.Hash(b[sha256.Size:width]))
	}
	return m, nil
}

// blockOf returns the block in which a key is or would be.
func (m *Map) blockOf(key [sha256.Size]byte) int {
	i, found := slices.BinarySearchFunc(m.first, key, func(a, b [sha256.Size]byte) int { return bytes.Compare(a[:], b[:]) })
	if found || i == 0 {
		return i
	}
	return i - 1
}

// Prove proves what a map has about a subject. Read returns the entries whose keys are not below
// from and, unless to is nil, below to, sorted.
func (m *Map) Prove(s Subject, read func(from, to []byte) ([]MapEntry, error)) ([]MapStep, error) {
	if m.Count == 0 {
		return nil, nil
	}
	key := MapKey(s)
	n := m.blockOf(key)
	block, err := m.block(n, read)
	if err != nil {
		return nil, err
	}
	i, found := slices.BinarySearchFunc(block.entries, key, func(e MapEntry, k [sha256.Size]byte) int { return bytes.Compare(e.Key[:], k[:]) })
	if found {
		return []MapStep{m.step(block, i)}, nil
	}
	var all []MapStep
	if i > 0 {
		all = append(all, m.step(block, i-1))
	}
	switch {
	case i < len(block.entries):
		all = append(all, m.step(block, i))
	case n+1 < len(m.first):
		next, err := m.block(n+1, read)
		if err != nil {
			return nil, err
		}
		all = append(all, m.step(next, 0))
	}
	return all, nil
}

// A loaded is a block with its entries.
type loaded struct {
	n       int
	entries []MapEntry
	hashes  []tlog.Hash
}

// block reads a block, and compares it with its root.
func (m *Map) block(n int, read func(from, to []byte) ([]MapEntry, error)) (*loaded, error) {
	var to []byte
	if n+1 < len(m.first) {
		to = m.first[n+1][:]
	}
	entries, err := read(m.first[n][:], to)
	if err != nil {
		return nil, err
	}
	b := &loaded{n: n, entries: entries}
	for i := range entries {
		b.hashes = append(b.hashes, entries[i].hash())
	}
	if rootOver(b.hashes) != m.roots[n] {
		return nil, fmt.Errorf("%w: its entries do not have the root that was noted", errMap)
	}
	return b, nil
}

// step proves an entry of a block.
func (m *Map) step(b *loaded, i int) MapStep {
	return MapStep{b.entries[i], int64(b.n)*mapBlock + int64(i), append(pathTo(b.hashes, i), pathTo(m.roots, b.n)...)}
}

// rootOver is the root of RFC 6962 over hashes: of leaves, or of subtrees that are all full but the
// last one.
func rootOver(h []tlog.Hash) tlog.Hash {
	switch len(h) {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return h[0]
	}
	k := split(len(h))
	return tlog.NodeHash(rootOver(h[:k]), rootOver(h[k:]))
}

// pathTo has the hashes that lead from one of them to the root, from below.
func pathTo(h []tlog.Hash, i int) []tlog.Hash {
	if len(h) == 1 {
		return nil
	}
	k := split(len(h))
	if i < k {
		return append(pathTo(h[:k], i), rootOver(h[k:]))
	}
	return append(pathTo(h[k:], i-k), rootOver(h[:k]))
}

// split is the largest power of two below n.
func split(n int) int {
	k := 1
	for k*2 < n {
		k *= 2
	}
	return k
}
