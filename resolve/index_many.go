package resolve

import "unsafe"

// together is how many queries DecideAll takes at once: enough for the processor to
// have as many reads under way as it can, few enough for what they fetch to stay.
const together = 16

// DecideAll answers queries as Decide does, the first into the first of out, which must
// not be shorter. In an index of many files most of the time of a decision is spent
// waiting for memory, twice: for the place of the publisher, and for its file. Here the
// queries wait together.
func (x *Index) DecideAll(queries []Query, out []Decision) {
	var c crowd
	for len(queries) > 0 {
		n := min(together, len(queries))
		c.decide(x, queries[:n], out[:n])
		queries, out = queries[n:], out[n:]
	}
}

// A crowd has what is known of some queries between the steps. Touched is a sum of
// what was read, which means nothing.
type crowd struct {
	seats   [together]seat
	touched uint32
}

type seat struct {
	hash  uint64
	shard *shard
	slot  *slot
}

func (c *crowd) decide(x *Index, queries []Query, out []Decision) {
	if len(x.shards) == 0 {
		for i := range out {
			out[i] = Decision{Entry: -1}
		}
		return
	}
	for i := range queries {
		hash := hashOf(queries[i].Publisher)
		s := x.shards[shardOf(hash, len(x.shards))]
		c.seats[i] = seat{hash: hash, shard: s}
		if len(s.slots) > 0 {
			c.touched += s.slots[hash&uint64(len(s.slots)-1)].group
		}
	}
	for i := range queries {
		at := &c.seats[i]
		at.slot = at.shard.first(at.hash)
		if at.slot != nil && at.slot.words != nil {
			// The first word, and the one at which the publisher's group begins.
			c.touched += *at.slot.words + *(*uint32)(unsafe.Add(unsafe.Pointer(at.slot.words), 4*uintptr(at.slot.group)))
		}
	}
	for i := range queries {
		s := c.seats[i].slot
		if s != nil && s.words != nil {
			b := blockAt(s.words)
			c.touched += b.touch(s.group)
		}
	}
	for i := range queries {
		at := &c.seats[i]
		if at.slot != nil && at.shard.nameOf(at.slot) != queries[i].Publisher {
			at.slot = x.find(queries[i].Publisher)
		}
		out[i] = at.slot.decide(&queries[i])
	}
}

// first returns the first slot with a hash, whatever the name, or nil.
func (s *shard) first(hash uint64) *slot {
	if len(s.slots) == 0 {
		return nil
	}
	mask := uint64(len(s.slots) - 1)
	for i := hash & mask; s.slots[i].nameLen != 0; i = (i + 1) & mask {
		if s.slots[i].hash == hash {
			return &s.slots[i]
		}
	}
	return nil
}
