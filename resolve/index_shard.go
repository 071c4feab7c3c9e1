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

	// The inverse is made when somebody asks for it.
	once    sync.Once
	inverse *inverse
}

func (s *shard) find(name string, hash uint64) *slot {
	if len(s.slots) == 0 {
		return nil
	}
	mask := uint64(len(s.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		at := &s.slots[i]
		if at.hash == hash && s.nameOf(at) == name {
			return at
		}
		if at.nameLen == 0 {
			return nil
		}
	}
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
	if at.group != 0 {
		return at.ownName()
	}
	return unsafe.String(unsafe.SliceData(s.names[at.name:]), at.nameLen)
}

// ownName returns the name in a slot with a group.
func (at *slot) ownName() string {
	name := unsafe.Add(unsafe.Pointer(at.words), 4*(uintptr(at.group)+groupWidth))
	return unsafe.String((*byte)(name), at.nameLen)
}

// with returns a shard in which those of the slots that are named are added or
// replaced.
func (s *shard) with(slots []newSlot, named []uint32) *shard {
	size := 1 << bits.Len(uint((s.count+len(named))*4/3))
	next := &shard{slots: make([]slot, size), names: make([]byte, 0, len(s.names))}
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
	if one.group == 0 {
		one.slot.name = uint32(len(s.names))
		s.names = append(s.names, name...)
	}
	*at = one.slot
}

// spread distributes the slots of shards over more of them.
func spread(old []*shard, n int) []*shard {
	x := Index{shards: make([]*shard, n)}
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
	return x.shards
}
