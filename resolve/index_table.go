package resolve

import (
	"hash/maphash"
	"math/bits"
	"slices"
)

// secrets make the hashes of this process unlike those of any other, so that nobody
// can prepare a file whose names all fall into one bucket.
var secrets = func() [3]uint64 {
	seed := maphash.MakeSeed()
	return [3]uint64{maphash.String(seed, "a"), maphash.String(seed, "b"), maphash.String(seed, "c")}
}()

// hashOf multiplies sixteen octets at a time with secrets, as the hash of Go's maps
// does where the processor does not help. Names are short, and for them this takes
// half of the time of package maphash.
func hashOf(s string) uint64 {
	h, n, at := secrets[0], len(s), 0
	for n-at > 16 {
		h = fold(load8(s, at)^secrets[1], load8(s, at+8)^h)
		at += 16
	}
	var a, b uint64
	switch left := n - at; {
	case left >= 8:
		a, b = load8(s, at), load8(s, n-8)
	case left >= 4:
		a, b = load4(s, at), load4(s, n-4)
	case left > 0:
		a = load1(s, at)<<16 | load1(s, at+left>>1)<<8 | load1(s, n-1)
	}
	return fold(secrets[2]^uint64(n), fold(a^secrets[1], b^h))
}

func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// quickTag tells the names in a table of one bucket apart, most of the time. There it
// does not matter if somebody gives them the same.
func quickTag(s string) uint32 {
	n := len(s)
	switch {
	case n >= 4:
		return uint32(load4(s, n>>1-2)) + uint32(n)<<24
	case n > 0:
		return uint32(load1(s, n>>1))
	}
	return 0
}

// mix joins a hash with something else that belongs to the key.
func mix(h, other uint64) uint64 {
	h ^= other * 0x9e3779b97f4a7c15
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}

// A table is a hash table inside the words of a block. Rows of one bucket lie
// side by side and buckets follow each other, so that there is no empty space, and
// equal keys, however many, do not slow down the others. The first word of a row
// is the lower half of the hash; the caller compares the key itself.
//
// The value of a table is the place of its directory, which says where each bucket
// starts and where the last ends, and in the lowest bits the logarithm of the number
// of buckets.
type table uint32

const logBits = 5

// noTable is a table without rows: its only bucket begins and ends at the same place,
// which is what two words of zero in the header of a block say.
const noTable table = nothingAt << logBits

func (t table) dir() uint32 { return uint32(t) >> logBits }

func (t table) log() uint32 { return uint32(t) & (1<<logBits - 1) }

// perBucket is the number of rows that a bucket has on average at most.
const perBucket = 2

// oneBucket is the number of rows up to which a table has a single bucket.
const oneBucket = 2 * perBucket

// nameHash returns the hash of a name for a table of so many names, as block.named
// expects it.
func nameHash(s string, names int) uint64 {
	if names <= oneBucket {
		return uint64(quickTag(s))
	}
	return hashOf(s)
}

// A row is a row of a table that is being made.
type row struct {
	hash uint64
	cell [5]uint32
}

// addTable writes a table with the given number of cells in each row. Rows of a
// bucket keep their order.
func addTable(words []uint32, rows []row, cells int) ([]uint32, table) {
	log := 0
	if len(rows) > oneBucket {
		log = bits.Len(uint((len(rows) - 1) / perBucket))
	}
	buckets, shift := 1<<log, 64-log
	at := len(words)
	words = extend(words, buckets+1)
	dir := words[at:]
	for i := range rows {
		dir[rows[i].hash>>shift]++
	}
	next := uint32(len(words))
	for i, n := range dir {
		dir[i] = next
		next += n * uint32(cells+1)
	}
	first := dir[0]
	words = extend(words, len(rows)*(cells+1))
	dir = words[at : at+buckets+1]
	for i := range rows {
		r := &rows[i]
		to := &dir[r.hash>>shift]
		words[*to] = uint32(r.hash)
		copy(words[*to+1:], r.cell[:cells])
		*to += uint32(cells + 1)
	}
	// Each start has moved to the end of its bucket, where the next one starts.
	copy(dir[1:], dir[:buckets])
	dir[0] = first
	return words, table(at<<logBits | log)
}

// extend appends n zero words.
func extend(words []uint32, n int) []uint32 {
	return append(words, make([]uint32, n)...)
}

// bucket returns where the rows that may have a hash begin and end is written.
func (t table) bucket(hash uint64) uint32 {
	// The shift is done in two steps, as one by 64 is slow.
	return t.dir() + uint32(hash>>1>>((63-t.log())&63))
}

// An interner gives every string a number, in the order of arrival. It is used for
// one document after the other.
type interner struct {
	slots  []internSlot
	names  []string
	hashes []uint64

	touched uint32 // a sum of what was read, which means nothing
}

type internSlot struct {
	tag  uint32 // upper half of the hash
	next uint32 // number + 1, or 0 in an empty slot
}

// none is the number of a string that has none.
const none = ^uint32(0)

// keepSlots is the size up to which the table serves for the next document. Clearing
// a large one for many small documents would take longer than they do.
const keepSlots = 256

func (t *interner) reset() {
	if len(t.slots) > keepSlots {
		t.slots = nil
	}
	clear(t.slots)
	clear(t.names)
	t.names, t.hashes = t.names[:0], t.hashes[:0]
}

// find returns the number of a string, or none.
func (t *interner) find(s string, hash uint64) uint32 {
	if len(t.names) == 0 {
		return none
	}
	return t.slot(s, hash).next - 1
}

// add returns the number of a string that may be new.
func (t *interner) add(s string, hash uint64) uint32 {
	if 2*len(t.names) >= len(t.slots) {
		t.resize(max(16, 2*len(t.slots)))
	}
	slot := t.slot(s, hash)
	if slot.next == 0 {
		t.names, t.hashes = append(t.names, s), append(t.hashes, hash)
		*slot = internSlot{uint32(hash >> 32), uint32(len(t.names))}
	}
	return slot.next - 1
}

func (t *interner) slot(s string, hash uint64) *internSlot {
	mask, tag := uint64(len(t.slots)-1), uint32(hash>>32)
	for i := hash & mask; ; i = (i + 1) & mask {
		slot := &t.slots[i]
		if slot.next == 0 || slot.tag == tag && t.names[slot.next-1] == s {
			return slot
		}
	}
}

// fetch reads where some names are likely to be, because the processor fetches what does
// not depend on each other at the same time.
func (t *interner) fetch(names []ownedProperty) {
	mask := uint64(len(t.slots) - 1)
	if len(t.slots) == 0 {
		return
	}
	for i := range names {
		t.touched += t.slots[names[i].hash&mask].next
	}
}

// expect makes room for about n strings at once.
func (t *interner) expect(n int) {
	if n > len(t.slots)/2 {
		t.resize(1 << bits.Len(uint(2*n)))
		t.names, t.hashes = slices.Grow(t.names, n), slices.Grow(t.hashes, n)
	}
}

func (t *interner) resize(size int) {
	t.slots = make([]internSlot, size)
	mask := uint64(size - 1)
	for n, hash := range t.hashes {
		i := hash & mask
		for t.slots[i].next != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = internSlot{uint32(hash >> 32), uint32(n + 1)}
	}
}

// search returns where the first element that is not below x is, or would be. The
// processor cannot foresee comparisons, so there is no branch that depends on one.
func (l list) search(x uint32) uint32 {
	at, n := uint32(0), l.n
	for n > 1 {
		half := n >> 1
		at += half & -below32(l.at(at+half-1), x)
		n -= half
	}
	if n == 1 {
		at += below32(l.at(at), x)
	}
	return at
}

// below32 returns 1 if a < b, and otherwise 0.
func below32(a, b uint32) uint32 { return uint32((uint64(a) - uint64(b)) >> 63) }

// contains reports whether a sorted list has an element.
func (l list) contains(x uint32) bool {
	if l.n <= fewKeys {
		for i := range l.n {
			if l.at(i) == x {
				return true
			}
		}
		return false
	}
	if x < l.at(0) { // such as an id among tags
		return false
	}
	// As in search, but for the last element that is not above x.
	at, n := uint32(0), l.n
	for n > 1 {
		half := n >> 1
		at += half & (below32(x, l.at(at+half)) - 1)
		n -= half
	}
	return l.at(at) == x
}

// fewKeys is the length up to which a list is searched from the front.
const fewKeys = 8

// overlap reports whether two sorted lists have an element in common.
func overlap(a, b list) bool {
	if a.n > b.n {
		a, b = b, a
	}
	if b.n > fewKeys {
		for i := range a.n {
			if b.contains(a.at(i)) {
				return true
			}
		}
		return false
	}
	i, k := uint32(0), uint32(0)
	for i < a.n && k < b.n {
		x, y := a.at(i), b.at(k)
		if x == y {
			return true
		}
		// Which of them is smaller cannot be foreseen either.
		less := below32(x, y)
		i += less
		k += 1 - less
	}
	return false
}
