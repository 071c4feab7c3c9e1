package resolve

import "unsafe"

// smallBlock is the number of words up to which a block is touched as a whole.
const smallBlock = 512

// groupLines is how many lines of a group of a larger block are touched.
const groupLines = 4

// measure notes what is worth touching of a block of so many words.
func (s *slot) measure(words int) {
	s.whole = words <= smallBlock
	if s.whole {
		s.lines = uint8(linesOf(words))
	} else {
		s.lines = uint8(min(groupLines, linesOf(words-int(s.group))))
	}
}

// touch reads something of every cache line of a small block, or of a group of a large
// one, and returns a sum that means nothing. In an index of many files hardly any of
// them is in the cache, and the processor fetches lines that do not depend on each
// other at the same time; one by one, as the questions lead to them, they take several
// times as long.
func (s *slot) touch() uint32 {
	first := unsafe.Pointer(s.words)
	if !s.whole {
		first = unsafe.Add(first, 4*uintptr(s.group))
	}
	sum := uint32(0)
	for i := range uintptr(s.lines) {
		sum += *(*uint32)(unsafe.Add(first, 4*lineWords*i))
	}
	return sum
}

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
	table slots
	slot  *slot // where the search begins, and then the first with the hash, or nil
}

func (c *crowd) decide(x *Index, queries []Query, out []Decision) {
	if len(x.shards) == 0 {
		for i := range out {
			out[i] = Decision{Entry: -1}
		}
		return
	}
	seats := c.seats[:len(queries)]
	for i := range seats {
		hash := hashOf(queries[i].Publisher)
		at := &seats[i]
		at.hash, at.table, at.slot = hash, x.tables[shardOf(hash, len(x.shards))], nil
		if at.table.first != nil {
			at.slot = at.table.at(hash)
		}
	}
	c.fetch(seats)
	for i := range seats {
		at := &seats[i]
		if at.slot != nil && x.shards[shardOf(at.hash, len(x.shards))].nameOf(at.slot) != queries[i].Publisher {
			at.slot = x.find(queries[i].Publisher)
		}
		out[i] = at.slot.decide(&queries[i], 0)
	}
}

// fetch touches the slots and then the blocks. The processor looks ahead a limited
// number of instructions, so there is nothing in these loops but the reads.
func (c *crowd) fetch(seats []seat) {
	sum := uint32(0)
	for i := range seats {
		if seats[i].slot != nil {
			sum += seats[i].slot.group
		}
	}
	for i := range seats {
		seats[i].slot = seats[i].table.find(seats[i].hash)
	}
	for i := range seats {
		if seats[i].slot != nil && seats[i].slot.words != nil {
			sum += seats[i].slot.touch()
		}
	}
	c.touched += sum
}
