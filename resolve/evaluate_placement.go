package resolve

import (
	"cmp"
	"slices"
)

// scoped reports whether an entry is limited to placements.
func (e *entryFact) scoped() bool { return e.has(byPlacementID | byPlacementTag) }

// inPlacement narrows what an entry covers to placements. Each is judged by itself: a good
// one does not vouch for its neighbours.
func (c *evaluation) inPlacement(n uint32, needs Needs) (Needs, bool) {
	e := &c.f.entries[n]
	if !e.scoped() && len(c.q.Placements) == 0 {
		return needs, true
	}
	if e.scoped() && (c.full || len(c.q.Placements) == 0) {
		c.findFits(e)
	}
	if len(c.q.Placements) == 0 {
		if c.fits.n == 0 {
			return c.refuse(stepNoPlacement, n)
		}
		c.keepUnder(c.fits.all())
		return needs | NeedsPlacement, true
	}
	some := false
	for _, id := range c.q.Placements {
		covered := c.placementCovered(n, id)
		c.met.add(covered)
		some = some || covered
	}
	if c.full && some {
		c.keepUnderMet()
	}
	return needs, some
}

// keepUnder leaves out what the last entry covers and none of some placements runs on, where it
// is wanted what that is.
func (c *evaluation) keepUnder(at []uint32) {
	if !c.full || c.covered.n == 0 {
		return
	}
	keys := c.keysOf(at)
	kept := 0
	all := c.covered.all()
	for _, p := range all {
		if c.spend(1) && overlap(keys, c.f.list(c.f.properties[p].keys)) {
			all[kept] = p
			kept++
		}
	}
	c.covered.cut(kept)
}

// keepUnderMet is keepUnder for the placements asked about that the entry covers. One that the
// file does not have may run on anything.
func (c *evaluation) keepUnderMet() {
	var placements []uint32
	for i, met := range c.met.all() {
		if !met {
			continue
		}
		k := c.f.placement(c.q.Placements[i])
		if k == none {
			return
		}
		placements = append(placements, k)
	}
	c.keepUnder(placements)
}

// keysOf returns the keys of the properties that placements run on.
func (c *evaluation) keysOf(placements []uint32) []uint32 {
	var keys []uint32
	for _, k := range placements {
		if !c.spend(links(&c.f.placements[k])) {
			return nil
		}
		keys = append(keys, c.f.list(c.f.placements[k].keys)...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// findFits finds the placements that a limited entry comes to, or the first of them when
// the answer need not name them.
func (c *evaluation) findFits(e *entryFact) {
	if e.has(byPlacementID) {
		for _, k := range c.f.list(e.placements) {
			if !c.fit(e, k) {
				return
			}
		}
		return
	}
	for k := range c.f.placements {
		if !c.fit(e, uint32(k)) {
			return
		}
	}
}

// fit adds a placement if it fits, and reports whether to go on.
func (c *evaluation) fit(e *entryFact, k uint32) bool {
	p := &c.f.placements[k]
	if !c.spend(links(p)) {
		return false
	}
	if p.index == none || !c.admits(e, k) || !c.runsOn(p) || !c.inProgram(e, p) {
		return true
	}
	c.fits.add(k)
	return c.full
}

// links is what it costs to compare a placement.
func links(p *placementFact) int { return int(1 + p.keys.n + p.tags.n + p.programs.n) }

// placementCovered reports whether an entry covers a placement. One that the file does not
// have is covered with the property, unless the entry is limited to placements.
func (c *evaluation) placementCovered(n uint32, id string) bool {
	e, k := &c.f.entries[n], c.f.placement(id)
	if k == none {
		switch {
		case c.f.has(placementInDoubt):
			c.fail(stepPlacementLeftOut, n, id, 0)
		default:
			c.fail(stepPlacementUnknown, n, id, 0)
			return !e.scoped()
		}
		return false
	}
	p := &c.f.placements[k]
	if !c.spend(links(p)) {
		return false
	}
	switch {
	case p.has(leftOutPlacement):
		c.fail(stepPlacementLeftOut, n, id, 0)
	case !c.admits(e, k):
		c.fail(stepPlacementNotListed, n, id, 0)
	case !c.runsOn(p):
		c.fail(stepPlacementElsewhere, n, id, p.index)
	case !c.inProgram(e, p):
		c.fail(stepPlacementProgram, n, id, p.index)
	default:
		return true
	}
	return false
}

// admits reports whether the lists of an entry let a placement through. With both lists it
// must pass both.
func (c *evaluation) admits(e *entryFact, k uint32) bool {
	return (!e.has(byPlacementID) || contains(c.f.list(e.placements), k)) &&
		(!e.has(byPlacementTag) || overlap(c.f.list(e.placementTags), c.f.list(c.f.placements[k].tags)))
}

// runsOn reports whether a placement runs on a property that the last entry covers.
func (c *evaluation) runsOn(p *placementFact) bool {
	keys := c.f.list(p.keys)
	if c.covered.n == 1 {
		return overlap(keys, c.f.list(c.f.properties[c.covered.few[0]].keys))
	}
	if !c.reached {
		c.reached = true
		c.uniteKeys()
	}
	return overlap(keys, c.reach.all())
}

// uniteKeys puts the keys of all that the last entry covers into one list.
func (c *evaluation) uniteKeys() {
	c.reach.cut(0)
	for _, p := range c.covered.all() {
		keys := c.f.list(c.f.properties[p].keys)
		if !c.spend(1 + costLookup*len(keys)) {
			return
		}
		for _, key := range keys {
			c.reach.add(key)
		}
	}
	c.sortReach()
}

func (c *evaluation) sortReach() {
	slices.Sort(c.reach.all())
	c.reach.cut(len(slices.Compact(c.reach.all())))
}

// inProgram reports whether a placement can run in a collection that counts: one of the
// publisher that the entry lists and the question names, if it names any. A placement that
// belongs to no collection in particular can; one whose collections cannot be read cannot.
func (c *evaluation) inProgram(e *entryFact, p *placementFact) bool {
	if !e.has(inCollections) {
		return true
	}
	if p.programs.n == 0 {
		return !p.has(unreadableList)
	}
	ids := c.f.list(p.programs)
	for _, k := range c.f.list(e.collections) {
		one := &c.f.more.collections[k]
		if c.f.str(one.domain) != c.q.Publisher || !c.collectionCounts(k) {
			continue
		}
		if one.id.n == 0 && c.asksForAny(ids) ||
			one.number != none && contains(ids, one.number) && (len(c.q.Collections) == 0 || c.asksFor(k)) {
			return true
		}
	}
	return false
}

// asksForAny reports whether the question names one of the publisher's programs, or none at all.
func (c *evaluation) asksForAny(programs []uint32) bool {
	c.spend(len(programs) * len(c.q.Collections))
	for i := range c.q.Collections {
		asked := &c.q.Collections[i]
		if asked.PublisherDomain != c.q.Publisher {
			continue
		}
		for _, number := range programs {
			if c.f.str(c.f.more.programs[number]) == asked.ID {
				return true
			}
		}
	}
	return len(c.q.Collections) == 0
}

// byIndex puts placements into the order of the file.
func (f *facts) byIndex(list []uint32) []uint32 {
	slices.SortFunc(list, func(a, b uint32) int { return cmp.Compare(f.placements[a].index, f.placements[b].index) })
	return list
}
