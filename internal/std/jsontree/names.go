package jsontree

import (
	"encoding/binary"
	"math/bits"
)

// Names is a fixed set of member names with small ids, so that a reader can
// switch on numbers instead of comparing strings.
type Names struct {
	list   []string // list[id-1]
	quoted []string // the same as they stand in a document
	table  []uint16 // open addressing, 0 means free
	mask   uint64
}

// NewNames gives the names the ids 1 to len(list), in order.
func NewNames(list []string) *Names {
	size := 1 << bits.Len(uint(4*len(list)))
	n := &Names{list: list, quoted: make([]string, len(list)), table: make([]uint16, size), mask: uint64(size - 1)}
	for i, name := range list {
		n.quoted[i] = `"` + name + `"`
		h := n.hash([]byte(name), 0, len(name))
		for n.table[h] != 0 {
			h = (h + 1) & n.mask
		}
		n.table[h] = uint16(i + 1)
	}
	return n
}

// Len returns the number of names.
func (n *Names) Len() int { return len(n.list) }

// Name returns the name with the given id.
func (n *Names) Name(id uint16) string { return n.list[id-1] }

// ID returns the id of name, or 0 when it is not known.
func (n *Names) ID(name string) uint16 { return n.id([]byte(name), 0, len(name)) }

func (n *Names) id(src []byte, from, to int) uint16 {
	h := n.hash(src, from, to)
	for {
		id := n.table[h]
		if id == 0 {
			return 0
		}
		if n.list[id-1] == string(src[from:to]) {
			return id
		}
		h = (h + 1) & n.mask
	}
}

// hash mixes the first and last eight bytes and the length: enough to tell
// the known names apart, and constant work for a hostile name of any length.
func (n *Names) hash(src []byte, from, to int) uint64 {
	var a, b uint64
	if size := to - from; size >= 8 {
		a = binary.LittleEndian.Uint64(src[from:])
		b = binary.LittleEndian.Uint64(src[to-8:])
	} else {
		for _, c := range src[from:to] {
			a = a<<8 | uint64(c)
		}
	}
	h := (a ^ bits.RotateLeft64(b, 29) ^ uint64(to-from)) * 0x9e3779b97f4a7c15
	return h >> 40 & n.mask
}
