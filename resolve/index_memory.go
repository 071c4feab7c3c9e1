package resolve

import (
	"encoding/binary"
	"unsafe"
)

// This file has all that reads the memory of a block without asking at every word
// whether it is in the block. A decision reads some eighty words, and the questions took
// a third of its time. What the words say was written by the compiler, whatever the file
// said; in a test under the race detector each of them is asked after all.

// check stops the program when a part of a block is not in it.
func (b block) check(at, n uint64) {
	if at+n > uint64(b.size()) {
		panic("resolve: a block refers to what is behind its end")
	}
}

// at returns the place of a word, which so many words of the block begin with.
func (b block) at(i, n uint32) unsafe.Pointer {
	if checked {
		b.check(uint64(i), uint64(n))
	}
	return unsafe.Add(b.first, 4*uintptr(i))
}

// word returns a word.
func (b block) word(i uint32) uint32 { return *(*uint32)(b.at(i, 1)) }

// size returns the number of words.
func (b block) size() uint32 { return *(*uint32)(b.first) }

// octets returns the place of a text.
func (b block) octets(i, n uint32) unsafe.Pointer {
	if checked {
		b.check((uint64(i)+3)/4, (uint64(n)+3)/4)
	}
	return unsafe.Add(b.first, uintptr(i))
}

// str returns the text whose place and length are in two words.
func (b block) str(cells []uint32) string {
	return unsafe.String((*byte)(b.octets(cells[0], cells[1])), cells[1])
}

// is reports whether a stored string is the given one.
func (b block) is(cells []uint32, s string) bool {
	if checked {
		b.octets(cells[0], cells[1])
	}
	// Written out, because one call more would keep this from being inlined.
	return int(cells[1]) == len(s) && same(unsafe.Add(b.first, cells[0]), s)
}

// list returns the list whose place and length are in two words.
func (b block) list(place []uint32) list { return b.listAt(place[0], place[1]) }

// listAt returns a list of so many words.
func (b block) listAt(i, n uint32) list { return list{b.at(i, n), n} }

// A list is some words that follow each other.
type list struct {
	first unsafe.Pointer
	n     uint32
}

// listOf returns words as a list.
func listOf(words []uint32) list {
	return list{unsafe.Pointer(unsafe.SliceData(words)), uint32(len(words))}
}

// at returns an element.
func (l list) at(i uint32) uint32 {
	if checked && i >= l.n {
		panic("resolve: a list is shorter than was thought")
	}
	return *(*uint32)(unsafe.Add(l.first, 4*uintptr(i)))
}

// from returns the list without its first elements, of which there are so many.
func (l list) from(n uint32) list {
	l.first = unsafe.Add(l.first, 4*uintptr(n))
	l.n -= n
	return l
}

// load8 reads eight octets that the caller knows to be there.
func load8(s string, at int) uint64 { return eight(unsafe.Pointer(unsafe.StringData(s)), uintptr(at)) }

// load4 reads four octets that the caller knows to be there.
func load4(s string, at int) uint64 { return four(unsafe.Pointer(unsafe.StringData(s)), uintptr(at)) }

// load1 reads an octet that the caller knows to be there.
func load1(s string, at int) uint64 { return one(unsafe.Pointer(unsafe.StringData(s)), uintptr(at)) }

func eight(p unsafe.Pointer, at uintptr) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(p, at))[:])
}

func four(p unsafe.Pointer, at uintptr) uint64 {
	return uint64(binary.LittleEndian.Uint32((*[4]byte)(unsafe.Add(p, at))[:]))
}

func one(p unsafe.Pointer, at uintptr) uint64 { return uint64(*(*byte)(unsafe.Add(p, at))) }

// same reports whether a text of the same length as s is equal to it. The lengths of
// names are all sorts of, which the processor cannot foresee: loads that overlap leave
// few cases to tell apart.
func same(p unsafe.Pointer, s string) bool {
	q, n := unsafe.Pointer(unsafe.StringData(s)), uintptr(len(s))
	switch {
	case n > 32:
		for ; n > 32; n -= 16 {
			if pair(p, q, 0) != 0 {
				return false
			}
			p, q = unsafe.Add(p, 16), unsafe.Add(q, 16)
		}
		fallthrough
	case n > 16:
		return pair(p, q, 0)|pair(p, q, n-16) == 0
	case n >= 8:
		return (eight(p, 0)^eight(q, 0))|(eight(p, n-8)^eight(q, n-8)) == 0
	case n >= 4:
		return (four(p, 0)^four(q, 0))|(four(p, n-4)^four(q, n-4)) == 0
	case n == 0:
		return true
	}
	return (one(p, 0)^one(q, 0))|(one(p, n>>1)^one(q, n>>1))|(one(p, n-1)^one(q, n-1)) == 0
}

// equal is ==, for what is likely to be equal.
func equal(a, b string) bool {
	return len(a) == len(b) && same(unsafe.Pointer(unsafe.StringData(a)), b)
}

// pair returns 0 if sixteen octets are equal.
func pair(p, q unsafe.Pointer, at uintptr) uint64 {
	return (eight(p, at) ^ eight(q, at)) | (eight(p, at+8) ^ eight(q, at+8))
}
