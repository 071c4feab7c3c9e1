package resolve

import (
	"math/bits"
	"sync"
)

// A shard has some of the publishers of an index, in a table with open addressing
// that is never more than three quarters full.
type shard struct {
	slots []slot // a power of two, or none
	count int

	// The inverse is made when somebody asks for it.
	once    sync.Once
	inverse *inverse
}

func (s *shard) find(name string, hash uint64) *slot {
	if len(s.slots) == 0 {
		return nil
	}
	at := s.place(name, hash)
	if at.name == "" {
		return nil
	}
	return at
}

// place returns the slot of a name, or the empty one where it belongs.
func (s *shard) place(name string, hash uint64) *slot {
	mask := uint64(len(s.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		at := &s.slots[i]
		if at.hash == hash && at.name == name || at.name == "" {
			return at
		}
	}
}

// with returns a shard in which those of the slots that are named are added or
// replaced.
func (s *shard) with(slots []slot, named []uint32) *shard {
	size := 1 << bits.Len(uint((s.count+len(named))*4/3))
	next := &shard{slots: make([]slot, size)}
	for i := range s.slots {
		if s.slots[i].name != "" {
			next.put(&s.slots[i])
		}
	}
	for _, i := range named {
		next.put(&slots[i])
	}
	return next
}

func (s *shard) put(one *slot) {
	at := s.place(one.name, one.hash)
	if at.name == "" {
		s.count++
	}
	*at = *one
}

// spread distributes the slots of shards over more of them.
func spread(old []*shard, n int) []*shard {
	x := Index{shards: make([]*shard, n)}
	for i := range x.shards {
		x.shards[i] = new(shard)
	}
	var all []slot
	for _, s := range old {
		for i := range s.slots {
			if s.slots[i].name != "" {
				all = append(all, s.slots[i])
			}
		}
	}
	x.put(all)
	return x.shards
}
