package resolve

import (
	"math/bits"
	"slices"
	"strings"
	"sync/atomic"
	"weak"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

// An Index has the documents of many publishers in a form in which a decision takes
// a fraction of a microsecond. It is immutable and refers to none of the documents
// it was made from. The zero value is an Index of no publishers.
//
// Publishers are spread over shards, so that replacing one document copies one
// shard and not the whole.
type Index struct {
	shards []*shard // a power of two, or none
	tables []slots
	count  int
	// rented is how many lines of blocks were put into slabs since those were made, and
	// live how many of them are in use.
	rented, live int
	advise       func([]byte)
}

// A slot is the place of a publisher. Two of them fit into a cache line. The name is
// in the publisher's group in the block or, if it has none, in the shard.
type slot struct {
	words   *uint32 // the block; nil when no entry can matter, and step then says all
	hash    uint64
	group   uint32 // the publisher's group in the block, or 0
	name    uint32 // place of the name in the shard
	nameLen uint32 // 0 in an empty slot
	step    Step
	rented  bool // whether the block is in a slab, and this slot's alone
	// lines is how many cache lines are worth fetching before they are needed, of the
	// block if whole is set, or else of the group.
	lines uint8
	whole bool
}

// A newSlot is on its way into a shard.
type newSlot struct {
	slot
	name string // as far as the publisher has no group
}

// without gives the decision for a publisher of whom nothing needs to be read.
func (s *slot) without() Decision {
	d := Decision{Entry: -1, Reason: s.step}
	switch s.step {
	case stepUnusable:
		d.Verdict = UnusableFile
	case stepNoneAsserted, stepReplaced, stepMirror:
		d.Verdict = NoneAsserted
	case stepRevoked:
		d.Verdict = NotAuthorized
	}
	return d
}

// Build makes the index of some documents. Of several for one publisher the last
// counts. Publishers that share a file share what is made of it, if their documents
// have the same File.
func Build(docs []*Document) *Index {
	b := Builder{slots: make([]newSlot, 0, len(docs))}
	b.Add(docs...)
	return b.Index()
}

// With returns an index in which the given documents replace those of their
// publishers. The rest is shared with x, which stays as it is.
func (x *Index) With(docs ...*Document) *Index {
	b := Builder{Advise: x.advise, from: x}
	b.Add(docs...)
	return b.Index()
}

// Len returns the number of publishers.
func (x *Index) Len() int { return x.count }

// find returns the slot of a publisher, or nil.
func (x *Index) find(publisher string) *slot {
	if len(x.shards) == 0 || publisher == "" {
		return nil
	}
	hash := hashOf(publisher)
	k := shardOf(hash, len(x.shards))
	t := x.tables[k]
	if t.first == nil {
		return nil
	}
	for i := hash; ; i++ {
		at := t.at(i)
		if at.hash == hash && int(at.nameLen) == len(publisher) && same(x.shards[k].placeOf(at), publisher) {
			return at
		}
		if at.nameLen == 0 {
			return nil
		}
	}
}

// shardOf uses the upper end of the hash; within a shard the lower one counts.
func shardOf(hash uint64, shards int) uint64 { return hash >> 32 & uint64(shards-1) }

// A Builder makes an Index document by document, so that not all of them need to be
// in memory at once. The zero value is ready for use, by one goroutine.
type Builder struct {
	// Advise, if there is one, is told of every large piece of memory that is about to
	// be filled and will be read all over. It may ask the system to keep it in large
	// pages, which makes decisions in a large index quicker. It must not change it.
	Advise func(memory []byte)

	from     *Index // what the documents are added to
	compiler compiler
	slots    []newSlot
	// shared has the blocks of files that several publishers may point to. It keeps
	// none of them alive but the last.
	shared    map[blockKey]block
	lastFile  *adagents.File
	lastHeld  heldKey
	lastBlock block
}

// A blockKey tells what is compiled alike.
type blockKey struct {
	file weak.Pointer[adagents.File]
	held heldKey
}

// Add takes documents, which may be forgotten afterwards. Their Publisher must be in
// canonical form.
func (b *Builder) Add(docs ...*Document) {
	from := len(b.slots)
	b.slots = slices.Grow(b.slots, len(docs))
	for _, doc := range docs {
		b.add(doc)
	}
	list := b.slots[from:]
	inParts(len(list), partsOf(len(list)), func(_, from, to int) {
		before := new(newSlot)
		for i := from; i < to; i++ {
			list[i].settle(before)
			before = &list[i]
		}
	})
}

func (b *Builder) add(doc *Document) {
	if doc == nil || doc.Publisher == "" {
		return
	}
	doc = speaksFor(doc, doc.Publisher)
	s := newSlot{name: doc.Publisher}
	switch {
	case doc.Catalog() != doc:
		s.step = stepMirror
	case doc.State == Absent:
		s.step = stepAbsent
	case doc.State == Unusable:
		s.step = stepUnusable
	case doc.State == Withheld:
		s.step = stepWithheld
	case doc.State != Usable:
		s.step = stepUnreachable
	case doc.Replaced:
		s.step = stepReplaced
	case assertsNobody(doc):
		s.step = stepNoneAsserted
	default:
		made, rented := b.blockOf(doc)
		s.words, s.rented = (*uint32)(made.first), rented
	}
	b.slots = append(b.slots, s)
}

// settle finds the publisher in its block. Those of a file that several share tend to
// come in the order of its groups.
func (s *newSlot) settle(before *newSlot) {
	s.hash, s.nameLen = hashOf(s.name), uint32(len(s.name))
	if s.words != nil {
		made := blockAt(s.words)
		if made.revokes(s.name, s.hash) {
			s.step, s.words, s.rented = stepRevoked, nil, false
		} else {
			s.group = s.groupAfter(before, made)
			s.measure(int(made.size()))
		}
	}
	if s.group != 0 {
		s.name = "" // the block has it
	} else {
		s.name = strings.Clone(s.name) // it may be a part of a much larger text
	}
}

// groupAfter returns the group of the publisher, which may be behind that of another.
func (s *newSlot) groupAfter(before *newSlot, made block) uint32 {
	if before.words == s.words && before.group != 0 {
		next := made.group(before.group)[groupEnd]
		if next < made.word(groupsEndAt) && made.groupName(next) == s.name {
			return next
		}
	}
	return made.owner(s.name, s.hash)
}

// blockOf compiles the file of a document, and reports whether the block is in a slab.
// What the file means depends on the publisher in a publisher's own file, and behind a
// pointer where a property that names nobody is the publisher's. Others may be shared, so
// nobody knows when they are out of use, and they are in no slab.
func (b *Builder) blockOf(doc *Document) (block, bool) {
	b.compiler.slabs.advise = b.Advise
	if impliesPublisher(doc) || doc.Method == methodPointer && ownsUnnamed(doc, new(hostname.Memo)) {
		return b.compiler.compile(doc, true)
	}
	held := heldOf(doc)
	if doc.File == b.lastFile && held == b.lastHeld {
		return b.lastBlock, false
	}
	key := blockKey{weak.Make(doc.File), held}
	made, ok := b.shared[key]
	if !ok {
		made, _ = b.compiler.compile(doc, false)
		if b.shared == nil {
			b.shared = make(map[blockKey]block)
		}
		b.shared[key] = made
	}
	b.lastFile, b.lastHeld, b.lastBlock = doc.File, held, made
	return made, false
}

// perShard is how many publishers a shard has at most on average. A larger one makes
// With slower, a smaller one the list of shards longer.
const perShard = 512

// Index returns the index of what was added so far.
func (b *Builder) Index() *Index {
	x := &Index{}
	if b.from != nil {
		*x = *b.from
	}
	x.advise, x.rented = b.Advise, x.rented+b.compiler.slabs.rented
	need := x.count + len(b.slots)
	if need == 0 {
		return x
	}
	shards := 1 << bits.Len(uint((need-1)/perShard))
	if shards > len(x.shards) {
		x.spread(shards)
	}
	x.put(b.slots)
	x.resettle()
	x.tables = make([]slots, len(x.shards))
	for k, s := range x.shards {
		x.tables[k] = s.table()
	}
	return x
}

// put adds slots to copies of the shards they belong to.
func (x *Index) put(slots []newSlot) {
	n := len(x.shards)
	// Sorted by counting, so that those of one shard keep their order.
	ends := make([]int, n+1)
	for i := range slots {
		ends[shardOf(slots[i].hash, n)+1]++
	}
	for k := range n {
		ends[k+1] += ends[k]
	}
	order := make([]uint32, len(slots))
	for i := range slots {
		k := shardOf(slots[i].hash, n)
		order[ends[k]] = uint32(i)
		ends[k]++
	}
	x.putSorted(slots, order, ends[:n])
}

// putSorted adds slots in the order of the shards, of which each has those up to its end.
func (x *Index) putSorted(slots []newSlot, order []uint32, ends []int) {
	old := x.shards
	x.shards = slices.Clone(old)
	rooms := rooms{advise: x.advise}
	tables := make([][]slot, len(ends))
	from := 0
	for k, to := range ends {
		if from < to {
			tables[k] = rooms.take(old[k].sizeWith(to-from), 2*(len(slots)-from))
		}
		from = to
	}
	inParts(len(ends), min(len(ends), partsOf(len(slots))), func(_, first, last int) {
		for k := first; k < last; k++ {
			if tables[k] != nil {
				x.shards[k] = old[k].with(slots, order[startOf(ends, k):ends[k]], tables[k])
			}
		}
	})
	for k, s := range x.shards {
		x.count += s.count - old[k].count
		x.live += s.rented - old[k].rented
	}
}

// startOf returns where something begins whose parts are known by their ends.
func startOf(ends []int, k int) int {
	if k == 0 {
		return 0
	}
	return ends[k-1]
}

// A Live is an Index that can be replaced while it is being asked. The zero value
// is empty.
type Live struct{ index atomic.Pointer[Index] }

// Index returns the current index. Whoever asks several questions that belong
// together asks the same one.
func (l *Live) Index() *Index {
	x := l.index.Load()
	if x == nil {
		return &Index{}
	}
	return x
}

// Decide answers from the current index.
func (l *Live) Decide(q *Query) Decision { return l.Index().Decide(q) }

// Swap replaces the index and returns the one before, or nil.
func (l *Live) Swap(x *Index) *Index { return l.index.Swap(x) }

// Update replaces the documents of some publishers. It may be called by several
// goroutines at once; no update is lost.
func (l *Live) Update(docs ...*Document) *Index {
	for {
		old := l.index.Load()
		x := &Index{}
		if old != nil {
			x = old
		}
		next := x.With(docs...)
		if l.index.CompareAndSwap(old, next) {
			return next
		}
	}
}
