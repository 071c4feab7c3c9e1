package resolve

import (
	"math/bits"
	"sync"
	"unsafe"
)

// A shard has some of the publishers of an index, in a table with open addressing
// that is never more than three quarters full.
type shard struct {
	slots []slot // a power of two, or none
	count int
	names []byte // of the publishers that have no group in a block
	// rented is how many lines the blocks have that are in slabs.
	rented int

	// The inverse is made when somebody asks for it.
	once    sync.Once
	inverse *inverse
}

// slots is where the table of a shard is. The index has them side by side, so that a
// decision need not fetch the shard.
type slots struct {
	first unsafe.Pointer // nil if there are none
	mask  uint64         // how many there are, less one
}

func (s *shard) table() slots {
	if len(s.slots) == 0 {
		return slots{}
	}
	return slots{unsafe.Pointer(&s.slots[0]), uint64(len(s.slots) - 1)}
}

// at returns the slot for a hash, or one that follows.
func (t slots) at(hash uint64) *slot {
	return (*slot)(unsafe.Add(t.first, uintptr(hash&t.mask)*unsafe.Sizeof(slot{})))
}

// find returns the first slot with a hash, whatever the name, or nil.
func (t slots) find(hash uint64) *slot {
	if t.first == nil {
		return nil
	}
	for i := hash; t.at(i).nameLen != 0; i++ {
		if t.at(i).hash == hash {
			return t.at(i)
		}
	}
	return nil
}

// place returns the slot of a name, or the empty one where it belongs.
func (s *shard) place(name string, hash uint64) *slot {
	mask := uint64(len(s.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		at := &s.slots[i]
		if at.hash == hash && s.nameOf(at) == name || at.nameLen == 0 {
			return at
		}
	}
}

// nameOf returns the name in a slot of the shard. Nobody writes to it any more.
func (s *shard) nameOf(at *slot) string {
	return unsafe.String((*byte)(s.placeOf(at)), at.nameLen)
}

// placeOf returns where the name in a slot of the shard is.
func (s *shard) placeOf(at *slot) unsafe.Pointer {
	if at.group != 0 {
		return at.ownPlace()
	}
	return unsafe.Pointer(unsafe.SliceData(s.names[at.name:]))
}

// ownName returns the name in a slot with a group.
func (at *slot) ownName() string { return unsafe.String((*byte)(at.ownPlace()), at.nameLen) }

func (at *slot) ownPlace() unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(at.words), 4*(uintptr(at.group)+groupWidth))
}

// sizeWith returns the number of slots that it takes to have so many publishers more.
func (s *shard) sizeWith(more int) int { return 1 << bits.Len(uint((s.count+more)*4/3)) }

// rooms is where the tables of an index that is made at once lie side by side, for the
// reason for which blocks lie in slabs. All in one of them stay as long as the last of
// them, but the tables are a small part of the index.
type rooms struct {
	advise func([]byte)
	free   []slot
}

const (
	// roomSlots is the size of a room, and bulkSlots that from which on rooms are used.
	roomSlots = 1 << 18
	bulkSlots = 1 << 15
)

// take returns a table of so many slots, of about the given number in all.
func (r *rooms) take(size, all int) []slot {
	if len(r.free) < size {
		if all < bulkSlots {
			return make([]slot, size)
		}
		r.free = make([]slot, max(size, min(all, roomSlots)))
		advise(r.advise, r.free)
	}
	out := r.free[:size:size]
	r.free = r.free[size:]
	return out
}

// with returns a shard in which those of the slots that are named are added or
// replaced. It takes over the empty table.
func (s *shard) with(slots []newSlot, named []uint32, table []slot) *shard {
	next := &shard{slots: table, names: make([]byte, 0, len(s.names))}
	for i := range s.slots {
		if s.slots[i].nameLen != 0 {
			next.put(s.renewed(&s.slots[i]))
		}
	}
	for _, i := range named {
		next.put(slots[i])
	}
	return next
}

// renewed returns a slot of the shard as one for another.
func (s *shard) renewed(at *slot) newSlot {
	one := newSlot{slot: *at}
	if at.group == 0 {
		one.name = s.nameOf(at)
	}
	return one
}

func (s *shard) put(one newSlot) {
	name := one.name
	if one.group != 0 {
		name = one.ownName()
	}
	at := s.place(name, one.hash)
	if at.nameLen == 0 {
		s.count++
	}
	if at.rented {
		s.rented -= int(at.lines)
	}
	if one.rented {
		s.rented += int(one.lines)
	}
	if one.group == 0 {
		one.slot.name = uint32(len(s.names))
		s.names = append(s.names, name...)
	}
	*at = one.slot
}

// spread distributes the slots over more shards.
func (x *Index) spread(n int) {
	old := x.shards
	x.shards, x.count, x.live = make([]*shard, n), 0, 0
	for i := range x.shards {
		x.shards[i] = new(shard)
	}
	var all []newSlot
	for _, s := range old {
		for i := range s.slots {
			if s.slots[i].nameLen != 0 {
				all = append(all, s.renewed(&s.slots[i]))
			}
		}
	}
	x.put(all)
}
