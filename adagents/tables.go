package adagents

import (
	"hash/maphash"
	"math/bits"
)

// idTable finds the file's properties by property_id; of several with one id,
// the first. With a map instead, a check of 60,000 properties took 30 ms more
// CPU time, on a busy machine, and 2 MB more memory: the hashes are at hand from
// decoding, and the strings need not be held again.
type idTable struct {
	list   []Property
	seed   maphash.Seed
	slots  []idSlot // a power of two
	repeat bool     // some id occurs twice
}

type idSlot struct {
	hash  uint32
	index uint32 // one more than that of the property; zero marks a free slot
}

func newIDTable(list []Property, d *decoder) idTable {
	t := idTable{list: list, seed: d.seed, slots: make([]idSlot, 1<<bits.Len(uint(2*len(list))))}
	for i := range d.fastpaths.each {
		if seen := &d.fastpaths.each[i]; seen.named && !t.add(i, seen.id) {
			t.repeat = true
			d.fastpaths.recount(i, &list[i])
		}
	}
	return t
}

// add enters a property unless there is one with its id. The ids are compared
// only when the hash is not new, which is seldom.
func (t *idTable) add(i int, hash uint32) bool {
	mask := uint32(len(t.slots) - 1)
	for k := hash & mask; ; k = (k + 1) & mask {
		s := &t.slots[k]
		if s.index == 0 {
			*s = idSlot{hash, uint32(i) + 1}
			return true
		}
		if s.hash == hash && t.list[s.index-1].ID == t.list[i].ID {
			return false
		}
	}
}

// get returns the index of the first property with an id.
func (t *idTable) get(id string) (int, bool) {
	if id == "" || len(t.list) == 0 {
		return 0, false
	}
	hash := uint32(maphash.String(t.seed, id) >> 32)
	mask := uint32(len(t.slots) - 1)
	for k := hash & mask; t.slots[k].index != 0; k = (k + 1) & mask {
		if s := &t.slots[k]; s.hash == hash && t.list[s.index-1].ID == id {
			return int(s.index) - 1, true
		}
	}
	return 0, false
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

// identifierTable finds equal identifiers of one publisher. It is a hash table
// of positions in the file: a map would hold the three strings of each key, which
// takes 16 MB for 120,000 identifiers, where the slots take 2.
type identifierTable struct {
	slots []identifierSlot // a power of two
	used  int
}

// identifierSlot is kept small, because fetching it from memory is most of the
// cost of a look-up.
type identifierSlot struct {
	hash uint32
	no   uint32 // one more than the number of the identifier in the file; zero marks a free slot
}

// init allocates slots for two identifiers on each property.
func (t *identifierTable) init(properties int) {
	*t = identifierTable{slots: make([]identifierSlot, 1<<bits.Len(uint(3*properties)))}
}

// enter adds the identifiers of a property if none of their hashes is in the
// table. If one is, it adds some of them or none and returns false; add then
// looks closer.
func (t *identifierTable) enter(first uint32, hashes []uint32) bool {
	for k, h := range hashes {
		if h == 0 {
			continue
		}
		mask := uint32(len(t.slots) - 1)
		i := h & mask
		for t.slots[i].no != 0 {
			if t.slots[i].hash == h {
				return false
			}
			i = (i + 1) & mask
		}
		t.fill(i, identifierSlot{h, first + uint32(k) + 1})
	}
	return true
}

// fill takes a free slot, and grows the table when three quarters are taken.
func (t *identifierTable) fill(i uint32, s identifierSlot) {
	t.slots[i] = s
	t.used++
	if 4*t.used >= 3*len(t.slots) {
		t.grow()
	}
}

func (t *identifierTable) grow() {
	old := t.slots
	t.slots = make([]identifierSlot, 2*len(old))
	mask := uint32(len(t.slots) - 1)
	for _, s := range old {
		if s.no == 0 {
			continue
		}
		i := s.hash & mask
		for t.slots[i].no != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = s
	}
}
