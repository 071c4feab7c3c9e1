package resolve

import "unsafe"

// Blocks of small files lie in slabs, many in one, when there are many: an allocation
// for each would leave them all over the heap, and the processor would have to look up
// a page for each question. In few large pieces of memory the system can give them
// large pages, if it is advised to.
//
// A slab stays as long as one of its blocks does. So an index knows how many lines of
// blocks were ever put into its slabs and how many of them it still has, and makes new
// slabs when that is less than half.
type slabs struct {
	advise func([]byte)
	free   []uint32 // of the last slab
	seen   int      // blocks so far, in slabs or not
	words  int      // of these
	rented int      // lines in slabs
}

const (
	// unslabbed is how many blocks have memory of their own before slabs are used. Then
	// an index to which documents are added one by one has none.
	unslabbed = 256
	// slabWords is the size of a slab. The first ones are smaller, as large as all
	// blocks before, so that a slab with little in it does not matter.
	slabWords = 1 << 20
	// spared is the number of lines, a quarter of a megabyte, up to which nobody minds
	// what is out of use.
	spared = 1 << 12
	// lineWords is the size of a cache line. A block begins with one.
	lineWords = 16
)

// take returns memory for a block of a size.
func (s *slabs) take(words int) ([]uint32, bool) {
	s.seen++
	s.words += words
	if s.seen <= unslabbed {
		return make([]uint32, words), false
	}
	if len(s.free) < words {
		s.free = make([]uint32, max(words, min(slabWords, s.words)))
		advise(s.advise, s.free)
	}
	s.rented += linesOf(words)
	out := s.free[:words:words]
	s.free = s.free[min(len(s.free), lineWords*linesOf(words)):]
	return out, true
}

func linesOf(words int) int { return (words + lineWords - 1) / lineWords }

// advised is the size from which on it is worth it to speak about memory.
const advised = 1 << 20

// advise tells the system what memory is for.
func advise[T any](tell func([]byte), memory []T) {
	var one T
	size := uintptr(cap(memory)) * unsafe.Sizeof(one)
	if tell != nil && size >= advised {
		tell(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(memory))), size))
	}
}

// resettle moves what is in slabs into new ones if most of the old ones is not in use
// any more. The shards are new ones, too, because others may still read the old.
func (x *Index) resettle() {
	if x.rented <= 2*x.live+spared {
		return
	}
	fresh := slabs{advise: x.advise, seen: unslabbed, words: x.live * lineWords}
	for k, s := range x.shards {
		if s.rented > 0 {
			x.shards[k] = s.moved(&fresh)
		}
	}
	x.rented, x.live = fresh.rented, fresh.rented
}

// moved returns a copy of a shard with the blocks that are in slabs in others.
func (s *shard) moved(to *slabs) *shard {
	next := &shard{slots: make([]slot, len(s.slots)), count: s.count, names: s.names, rented: s.rented}
	for i, one := range s.slots {
		if one.rented {
			words, _ := to.take(int(*one.words))
			copy(words, unsafe.Slice(one.words, len(words)))
			one.words = &words[0]
		}
		next.slots[i] = one
	}
	return next
}
