package adagents

import (
	"hash/maphash"
	"math/bits"
	"slices"
)

// seed keeps authors of hostile files from choosing texts whose hashes collide.
var seed = maphash.MakeSeed()

func hashOf(s string) uint32 { return fold(maphash.String(seed, s)) }

// fold makes a hash short, and never zero, which stands for none.
func fold(h uint64) uint32 { return max(uint32(h>>32), 1) }

// A hashTable finds the numbers of things by their hashes, which are at hand from decoding.
// Maps would hold the texts again. With one for the ids of 60,000 properties a check took 30 ms more CPU time, and
// one for the 120,000 identifiers took 16 MB, where the slots take 2.
type hashTable []hashSlot // a power of two

// hashSlot is kept small, because fetching it from memory is most of the cost of a look-up.
type hashSlot struct {
	hash uint32
	no   uint32 // one more than the number; zero marks a free slot
}

// newHashTable makes a table for n things, with a third of it to spare.
func newHashTable(n int) hashTable { return make(hashTable, 1<<bits.Len(uint(n+n/2))) }

// find returns the slot of what has the hash and is the same, or a free one. Things are
// compared only when the hash is not new, which is seldom.
func (t hashTable) find(hash uint32, same func(no uint32) bool) *hashSlot {
	mask := uint32(len(t) - 1)
	for k := hash & mask; ; k = (k + 1) & mask {
		if s := &t[k]; s.no == 0 || s.hash == hash && same(s.no-1) {
			return s
		}
	}
}

// idTable finds the file's properties by property_id; of several with one id, the first.
type idTable struct {
	list   []Property
	slots  hashTable
	repeat bool // some id occurs twice
}

func newIDTable(list []Property, d *decoder) idTable {
	t := idTable{list: list, slots: newHashTable(len(list))}
	for i := range d.fastpaths.each {
		id := d.fastpaths.each[i].id
		if id == 0 {
			continue
		}
		s := t.slots.find(id, func(no uint32) bool { return list[no].ID == list[i].ID })
		if s.no != 0 {
			t.repeat = true
			d.fastpaths.recount(i, &list[i])
			continue
		}
		*s = hashSlot{id, uint32(i) + 1}
	}
	return t
}

// get returns the index of the first property with an id.
func (t *idTable) get(id string) (int, bool) {
	if id == "" || len(t.list) == 0 {
		return 0, false
	}
	s := t.slots.find(hashOf(id), func(no uint32) bool { return t.list[no].ID == id })
	return int(s.no) - 1, s.no != 0
}

// ids returns the ids, for suggestions.
func (t *idTable) ids() []string {
	var ids []string
	for i := range t.list {
		if t.list[i].ID != "" {
			ids = append(ids, t.list[i].ID)
		}
	}
	return ids
}

// enter adds the identifiers of a property to the table of those of all properties, if none
// of their hashes is in it. If one is, it adds some of them or none and returns false; the rule
// then looks closer.
func (t hashTable) enter(first uint32, hashes []uint32) bool {
	for k, h := range hashes {
		if h == 0 {
			continue
		}
		s := t.find(h, func(uint32) bool { return true })
		if s.no != 0 {
			return false
		}
		*s = hashSlot{h, first + uint32(k) + 1}
	}
	return true
}

// publisherTable gives each publisher that the selectors of agents or the properties name a
// number, in the order in which they are met, so that a name is looked up once.
type publisherTable struct {
	list  []knownPublisher // by number
	slots hashTable
	also  []int32 // by property: the one before it of the same publisher, or -1
}

type knownPublisher struct {
	name string // in canonical form
	last int32  // the last usable property of the publisher, or -1
	met  uint32 // the scan of a selector that met it last
	fine bool   // it is not a public suffix
}

// reserve makes room for n more publishers.
func (t *publisherTable) reserve(n int) {
	n += len(t.list)
	if n+n/2 < len(t.slots) {
		return
	}
	old := t.slots
	t.slots = newHashTable(max(n, 2*len(t.list)))
	for _, s := range old {
		if s.no != 0 {
			*t.slots.find(s.hash, func(uint32) bool { return false }) = s
		}
	}
	t.list = slices.Grow(t.list, n-len(t.list))
}

// slot returns the slot of a publisher, which is free if it has no number.
func (t *publisherTable) slot(name string, hash uint32) *hashSlot {
	return t.slots.find(hash, func(no uint32) bool { return t.list[no].name == name })
}

// number returns the number of a publisher.
func (t *publisherTable) number(name string, hash uint32) int32 {
	t.reserve(1)
	s := t.slot(name, hash)
	if s.no == 0 {
		t.list = append(t.list, knownPublisher{name: name, last: -1})
		*s = hashSlot{hash, uint32(len(t.list))}
	}
	return int32(s.no) - 1
}

// lastOwned returns the index of the last usable property of a publisher, or -1;
// alsoOwned leads from it to the others. A network's file has thousands of publishers with
// one property each, so they are chained and not kept in lists, and asked for so often that
// an iterator's closures would show.
func (c *content) lastOwned(publisher int32) int32 {
	c.chainOwned()
	return c.index.publishers.list[publisher].last
}

// alsoOwned returns the property before the i-th of the same publisher, or -1.
func (c *content) alsoOwned(i int32) int32 { return c.index.publishers.also[i] }

func (c *content) chainOwned() {
	t := &c.index.publishers
	if t.also != nil {
		return
	}
	t.also = make([]int32, len(c.file.Properties))
	for i := range c.file.Properties {
		p := &c.file.Properties[i]
		seen := &c.dec.fastpaths.each[i]
		domain, hash := p.PublisherDomain, seen.publisher
		if !seen.plain || !seen.owned {
			domain = c.publisherOf(p)
			hash = hashOf(domain)
		}
		if p.effect.gone() || domain == "" {
			continue
		}
		no := t.number(domain, hash) // may move the list
		owner := &t.list[no]
		owner.fine = owner.fine || seen.plain && seen.located
		t.also[i], owner.last = owner.last, int32(i)
	}
}
