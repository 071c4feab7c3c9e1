package resolve

import (
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/avow-project/avow/internal/std/hostname"
)

// enoughWork is the number of properties or documents from which on it is worth it to
// have several processors work on them.
const enoughWork = 4096

// partsOf returns into how many parts work on n things is divided.
func partsOf(n int) int {
	if n < enoughWork {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// inParts divides n things, and has a goroutine work on each part.
func inParts(n, parts int, work func(part, from, to int)) {
	if parts == 1 {
		work(0, 0, n)
		return
	}
	var all sync.WaitGroup
	for part := range parts {
		all.Go(func() { work(part, n*part/parts, n*(part+1)/parts) })
	}
	all.Wait()
}

// An ownedProperty is what can be found out about a property without looking at others.
type ownedProperty struct {
	owner string // "" for one that does not count
	hash  uint64
}

// findOwners finds the owners of the properties of the file, each by itself.
func (c *compiler) findOwners(parts int) []ownedProperty {
	list := c.file.Properties
	out := make([]ownedProperty, len(list))
	memos := make([]hostname.Memo, parts)
	inParts(len(list), parts, func(part, from, to int) {
		var last ownedProperty // neighbours tend to have the same owner
		for i := from; i < to; i++ {
			owner := c.whose.owner(&list[i], &memos[part])
			if owner == "" || revokesProperty(c.revoked, &list[i], owner, &memos[part]) {
				continue
			}
			if owner != last.owner {
				last = ownedProperty{owner, hashOf(owner)}
			}
			out[i] = last
		}
	})
	for i := range memos {
		c.hosts.Merge(&memos[i])
	}
	return out
}

// writeGroups stores the properties of all owners. It reports whether there is a
// wildcard among those in tables.
func (c *compiler) writeGroups() bool {
	parts := c.partsFor(len(c.found))
	if parts == 1 {
		return c.writeOwners(0, len(c.owners.names))
	}
	// Each part is written where it is likely to end up, or a little further on, and the
	// first, which c writes itself, exactly there.
	owners, used, all := len(c.owners.names), len(c.words), c.words[:cap(c.words)]
	room := func(owner int) int { return used + int(c.counts[owner])*(len(all)-used)/len(c.found) }
	helpers, wild := make([]compiler, parts), make([]bool, parts)
	for part := 1; part < parts; part++ {
		from, to := owners*part/parts, owners*(part+1)/parts
		helpers[part] = c.helper(all[room(from):room(from):room(to)], uint32(from))
	}
	c.words = all[:used:room(owners/parts)]
	inParts(owners, parts, func(part, from, to int) {
		if part == 0 {
			wild[0] = c.writeOwners(from, to)
		} else {
			wild[part] = helpers[part].writeOwners(from, to)
		}
	})
	if unsafe.SliceData(c.words) == unsafe.SliceData(all) {
		c.words = all[:len(c.words)]
	}
	for part := 1; part < parts; part++ {
		c.take(&helpers[part], c.found[c.counts[owners*part/parts]:])
	}
	return slices.Contains(wild, true)
}

// helper returns a compiler for the groups of some owners, from one on. What it shares
// with c it only reads.
func (c *compiler) helper(words []uint32, owner uint32) compiler {
	reached := 0
	for reached < len(c.targets) && c.targets[reached].owner < owner {
		reached++
	}
	return compiler{
		doc: c.doc, file: c.file, words: words, owners: c.owners, ids: c.ids, tags: c.tags,
		found: c.found, counts: c.counts, targets: c.targets, reached: reached,
	}
}

// take appends what a helper has written, with all places and types as they are here.
// The properties are those that begin with the first of the helper.
func (c *compiler) take(h *compiler, found []foundProperty) {
	base := uint32(len(c.words))
	types := make([]uint32, len(knownTypes), len(knownTypes)+len(h.types.names))
	for n := range types {
		types[n] = uint32(n)
	}
	for n, name := range h.types.names {
		types = append(types, uint32(len(knownTypes))+c.types.add(name, h.types.hashes[n]))
	}
	c.words = append(c.words, h.words...)
	written := c.words[base:]
	for _, r := range h.ownerRows {
		g := (*group)(written[r.cell[0]:])
		for at, end := g.properties(r.cell[0]).from, g[groupEnd]; at < end; at += written[at] {
			relocate(written, at, base, types)
			found[0].at = base + at
			found = found[1:]
		}
		g[groupEnd] += base
		r.cell[0] += base
		c.ownerRows = append(c.ownerRows, r)
	}
	for _, r := range h.idRows {
		c.idRows = append(c.idRows, row{r.hash, [5]uint32{r.cell[0] + base, r.cell[1] + base}})
	}
	for _, r := range h.rows {
		kind := types[r.cell[3]&^wildcard] | r.cell[3]&wildcard
		c.rows = append(c.rows, row{r.hash, [5]uint32{r.cell[0] + base, r.cell[1] + 4*base, r.cell[2], kind, r.cell[4] + base}})
	}
	for _, r := range h.pairs {
		c.pairs = append(c.pairs, row{0, [5]uint32{r.cell[0] + base, r.cell[1]}})
	}
	c.hosts.Merge(&h.hosts)
}

// relocate changes the places and types in a property that has been moved.
func relocate(words []uint32, at, base uint32, types []uint32) {
	p := (*property)(words[at:])
	for list := p.identifiers(words); len(list) >= identifierWidth; list = list[identifierWidth:] {
		list[identifierType] = types[list[identifierType]&^wildcard] | list[identifierType]&wildcard
		list[identifierValue] += 4 * base
	}
	p[propertyType] = types[p[propertyType]]
	p[propertyID] += 4 * base
	p[propertyKeys] += base
}

// partsFor is what partsOf is, unless a number is given.
func (c *compiler) partsFor(n int) int {
	if c.parts > 0 {
		return min(c.parts, max(1, n))
	}
	return partsOf(n)
}

// textOfWords returns words as text. Nobody may write to them while it is in use.
func textOfWords(words []uint32) string {
	return unsafe.String((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words))
}
