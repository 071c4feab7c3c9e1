package adagents

import (
	"hash/maphash"
	"math/bits"
)

// idTable finds the file's properties by property_id; of several with one id,
// the first. With a map in its place a check of 60,000 properties took 30 ms more
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
