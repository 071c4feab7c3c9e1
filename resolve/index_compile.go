package resolve

import (
	"maps"
	"slices"
	"unsafe"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A compiler turns files into blocks, one after the other. What it allocates serves
// for the next one too.
type compiler struct {
	doc     *Document
	file    *adagents.File
	hosts   hostname.Memo
	revoked map[string]struct{}
	top     *topLevel // made when it is needed
	whose   whose

	slabs                   slabs
	parts                   int // in which properties are looked at, or 0 for as many as there are processors
	words                   []uint32
	rows, idRows, ownerRows []row
	keys                    []uint32 // of what is looked at

	owners, agents, ids, tags, types          interner
	placeIDs, placeTags, programs, programIDs interner
	lastTypes                                 [16]numberedType // by lastTypeAt

	found   []foundProperty
	sellers []seller
	counts  []uint32 // for each owner where its properties begin in found; before, see numberEntries
	targets []target
	reached int    // how many of the targets are stored
	placed  uint32 // where the placements are
	pairs   []row
	seen    []uint32 // for each key the last owner with it
}

// A foundProperty is a usable property with the owner it was found to have.
type foundProperty struct {
	property *adagents.Property
	owner    uint32
	inline   uint32 // entry, or none
	at       uint32 // its place in the block
}

// A seller is an agent entry that can authorize the sale of properties.
type seller struct {
	entry  *adagents.Agent
	agent  uint32
	number uint32 // as written
	inline []uint32
}

// compile makes the block of a usable document, in a slab if it may be in one. It
// reports whether it is.
func (c *compiler) compile(doc *Document, slab bool) (block, bool) {
	l := c.write(doc)
	if c.hosts.Full() && c.parts != 1 {
		// Which names were refused depends on who was asked: one has to be asked about all.
		before := c.parts
		c.parts = 1
		l = c.write(doc)
		c.parts = before
	}
	words, rented := c.finished(slab)
	return newBlock(&l, words), rented
}

// write leaves the block in words, without its header.
func (c *compiler) write(doc *Document) layout {
	c.start(doc)
	var l layout
	c.findSellers()
	c.findKeys()
	c.findProperties()
	c.findTargets()
	c.writeProperties(&l)
	c.writePlacements(&l)
	c.writeEntries(&l)
	c.writePrograms(&l)
	c.writeRevoked(&l)
	// What is empty may be behind all else, and pointers must not leave the block.
	c.words = extend(c.words, 1)
	return l
}

// largeWords is the size from which on a block takes over the memory it was made in.
const largeWords = 1 << 16

// finished returns the words in memory of their own, or in a slab.
func (c *compiler) finished(slab bool) ([]uint32, bool) {
	n := len(c.words)
	if slab && n <= smallBlock {
		words, rented := c.slabs.take(n)
		copy(words, c.words)
		return words, rented
	}
	if n < largeWords || cap(c.words)-n > n/8 {
		return slices.Clip(slices.Clone(c.words)), false
	}
	words := c.words
	c.words = nil
	return words, false
}

func (c *compiler) start(doc *Document) {
	c.doc, c.file, c.hosts = doc, doc.File, hostname.Memo{}
	c.revoked, c.top = revokedIn(doc, &c.hosts), nil
	c.whose = whose{}
	if impliesPublisher(doc) || doc.Method == methodPointer && ownsUnnamed(doc, &c.hosts) {
		c.whose = whoseIn(doc, &c.hosts)
	}
	c.words = extend(c.words[:0], headerWidth)
	for _, t := range []*interner{
		&c.owners, &c.agents, &c.ids, &c.tags, &c.types, &c.placeIDs, &c.placeTags, &c.programs, &c.programIDs,
	} {
		t.reset()
	}
	c.lastTypes = [len(c.lastTypes)]numberedType{} // the next file numbers its own anew
	clear(c.found)
	clear(c.sellers)
	c.targets, c.reached = c.targets[:0], 0
	c.found, c.sellers, c.pairs, c.seen = c.found[:0], c.sellers[:0], c.pairs[:0], c.seen[:0]
}

// put stores a string, and returns its place and length.
func (c *compiler) put(s string) (uint32, uint32) {
	at := len(c.words)
	if s == "" {
		return uint32(4 * at), 0
	}
	c.words = extend(c.words, (len(s)+3)/4)
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&c.words[at])), len(s)), s)
	return uint32(4 * at), uint32(len(s))
}

// table stores a table, unless it would be empty.
func (c *compiler) table(rows []row, cells int) table {
	if len(rows) == 0 {
		return noTable
	}
	words, t := addTable(c.words, rows, cells)
	c.words = words
	return t
}

// list stores a list of numbers sorted and without repetition.
func (c *compiler) list(numbers []uint32) (uint32, uint32) {
	numbers = compact(numbers)
	at := uint32(len(c.words))
	c.words = append(c.words, numbers...)
	return at, uint32(len(numbers))
}

// compact sorts a list in place and leaves out repetitions. Nearly all are short, and
// most are in order.
func compact(numbers []uint32) []uint32 {
	if len(numbers) > fewKeys {
		slices.Sort(numbers)
		return slices.Compact(numbers)
	}
	n := 0 // how many are in order
	for _, x := range numbers {
		at := n
		for at > 0 && numbers[at-1] > x {
			at--
		}
		if at > 0 && numbers[at-1] == x {
			continue
		}
		copy(numbers[at+1:n+1], numbers[at:n])
		numbers[at] = x
		n++
	}
	return numbers[:n]
}

func (c *compiler) canonical(domain string) (string, bool) {
	name, _, err := c.hosts.Canonical(domain)
	return name, err == nil
}

func (c *compiler) isRevoked(domain string) bool {
	_, ok := c.revoked[domain]
	return ok
}

// findSellers sorts the entries that count by agent. An agent with nothing but
// other entries is known to be listed.
func (c *compiler) findSellers() {
	c.numberEntries()
	for i := range c.file.Agents {
		a := &c.file.Agents[i]
		url, _, err := c.hosts.CanonicalURL(a.URL)
		if err != nil {
			continue
		}
		agent := c.agents.add(url, hashOf(url))
		if !a.Inert() && sells(a.Type) {
			c.sellers = append(c.sellers, seller{entry: a, agent: agent, number: c.counts[i]})
		}
	}
	slices.SortStableFunc(c.sellers, func(a, b seller) int { return int(a.agent) - int(b.agent) })
}

// numberEntries leaves in counts the number of each entry in the array as written,
// where entries that are not usable have one too.
func (c *compiler) numberEntries() {
	c.counts = c.counts[:0]
	agents := c.file.Agents
	for k, v := range c.file.Raw.Get("authorized_agents").Elems() {
		if n := len(c.counts); n < len(agents) && agents[n].Raw.Node() == v.Node() {
			c.counts = append(c.counts, uint32(k))
		}
	}
	for len(c.counts) < len(agents) { // a file that was not read from bytes
		c.counts = append(c.counts, uint32(len(c.counts)))
	}
}

// findProperties lists the properties that belong to somebody and are not revoked,
// in the order of their owners.
func (c *compiler) findProperties() {
	c.found = slices.Grow(c.found, len(c.file.Properties))
	c.owners.expect(len(c.file.Properties))
	c.findDeclared()
	for n := range c.sellers {
		a := c.sellers[n].entry
		if a.Type != "inline_properties" {
			continue
		}
		for i := range a.Properties {
			c.findProperty(&a.Properties[i], uint32(n))
		}
	}
	c.sortByOwner()
}

// findDeclared lists the properties at the top level of the file.
func (c *compiler) findDeclared() {
	parts := c.partsFor(len(c.file.Properties))
	if parts == 1 {
		for i := range c.file.Properties {
			c.findProperty(&c.file.Properties[i], none)
		}
		return
	}
	all := c.findOwners(parts)
	for i, one := range all {
		if i%together == 0 {
			c.owners.fetch(all[i:min(len(all), i+together)])
		}
		if one.owner != "" {
			c.found = append(c.found, foundProperty{&c.file.Properties[i], c.owners.add(one.owner, one.hash), none, 0})
		}
	}
}

func (c *compiler) findProperty(p *adagents.Property, inline uint32) {
	owner := c.whose.owner(p, &c.hosts)
	if owner == "" || revokesProperty(c.revoked, p, owner, &c.hosts) {
		return
	}
	c.found = append(c.found, foundProperty{p, c.ownerNumber(owner), inline, 0})
}

func (c *compiler) ownerNumber(owner string) uint32 {
	if len(c.found) > 0 {
		last := c.found[len(c.found)-1].owner
		if c.owners.names[last] == owner {
			return last
		}
	}
	return c.owners.add(owner, hashOf(owner))
}

// sortByOwner puts properties of one owner side by side, and leaves in counts where
// those of each owner end.
func (c *compiler) sortByOwner() {
	c.counts = slices.Grow(c.counts[:0], len(c.owners.names)+1)[:len(c.owners.names)+1]
	clear(c.counts)
	sorted := true
	for i := range c.found {
		c.counts[c.found[i].owner+1]++
		sorted = sorted && (i == 0 || c.found[i-1].owner <= c.found[i].owner)
	}
	for i := 1; i < len(c.counts); i++ {
		c.counts[i] += c.counts[i-1]
	}
	if !sorted {
		slices.SortStableFunc(c.found, func(a, b foundProperty) int { return int(a.owner) - int(b.owner) })
	}
}

func (c *compiler) writeRevoked(b *layout) {
	rows := c.rows[:0]
	for _, domain := range slices.Sorted(maps.Keys(c.revoked)) {
		r := row{hash: hashOf(domain)}
		r.cell[0], r.cell[1] = c.put(domain)
		rows = append(rows, r)
	}
	b.revoked = c.table(rows, revokedCells)
	c.rows = rows
}
