package resolve

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
)

// writeEntries stores the agent entries, which are sorted by agent, and the table of
// agents.
func (c *compiler) writeEntries(b *layout) {
	b.entries, b.entryCount = uint32(len(c.words)), uint32(len(c.sellers))
	c.words = extend(c.words, len(c.sellers)*entryWidth)
	c.findInline()
	for n := range c.sellers {
		record := c.entryRecord(&c.sellers[n])
		copy(c.words[int(b.entries)+n*entryWidth:], record[:])
	}
	c.writeAgents(b)
}

func (c *compiler) writeAgents(b *layout) {
	rows := c.rows[:0]
	next := 0
	for n, url := range c.agents.names {
		r := row{hash: nameHash(url, len(c.agents.names))}
		r.cell[0], r.cell[1] = c.put(url)
		r.cell[2] = uint32(next)
		for next < len(c.sellers) && c.sellers[next].agent == uint32(n) {
			next++
		}
		r.cell[3] = uint32(next)
		rows = append(rows, r)
	}
	b.urls = uint32(len(c.words))
	for i := range rows {
		c.words = append(c.words, rows[i].cell[0], rows[i].cell[1])
	}
	b.agents = c.table(rows, agentCells)
	c.rows = rows
}

func (c *compiler) entryRecord(s *seller) [entryWidth]uint32 {
	a := s.entry
	record := [entryWidth]uint32{entryNumber: s.number, entryAgent: s.agent}
	flags := uint32(0)
	switch a.Type {
	case "property_ids":
		record[entryScope], record[entryScopeLen] = c.keysOf(a.PropertyIDs, nil)
	case "property_tags":
		flags = byTags
		record[entryScope], record[entryScopeLen] = c.keysOf(nil, a.PropertyTags)
	case "inline_properties":
		flags = byInline
		record[entryScope], record[entryScopeLen] = c.list(s.inline)
	case "publisher_properties":
		flags = bySelectors // which are with the publishers they name
	}
	if a.Exclusive {
		flags |= flagExclusive
	}
	flags |= c.window(a, &record) | c.qualifiers(a, &record)
	record[entryFlags] = flags
	return record
}

// findInline gives each entry the places of the properties it declares itself.
func (c *compiler) findInline() {
	for n := range c.found {
		if i := c.found[n].inline; i != none {
			c.sellers[i].inline = append(c.sellers[i].inline, c.found[n].at)
		}
	}
}

// findKeys numbers the ids and tags by which properties are selected. Those of
// properties that nothing refers to need no number.
func (c *compiler) findKeys() {
	for n := range c.sellers {
		a := c.sellers[n].entry
		switch a.Type {
		case "property_ids":
			addAll(&c.ids, a.PropertyIDs)
		case "property_tags":
			addAll(&c.tags, a.PropertyTags)
		case "publisher_properties":
			for i := range a.Selectors {
				addAll(&c.ids, a.Selectors[i].PropertyIDs)
				addAll(&c.tags, a.Selectors[i].PropertyTags)
			}
		}
	}
	for i := range c.file.Placements {
		addAll(&c.ids, c.file.Placements[i].PropertyIDs)
		addAll(&c.tags, c.file.Placements[i].PropertyTags)
	}
}

// addAll numbers strings. An empty one names nothing, even when a list has one.
func addAll(t *interner, list []string) {
	for _, s := range list {
		if s != "" {
			t.add(s, hashOf(s))
		}
	}
}

// keysOf stores the keys of ids and tags.
func (c *compiler) keysOf(ids, tags []string) (uint32, uint32) {
	c.keys = c.keys[:0]
	for _, id := range ids {
		if n := c.ids.find(id, hashOf(id)); n != none {
			c.keys = append(c.keys, n|idKey)
		}
	}
	for _, tag := range tags {
		if n := c.tags.find(tag, hashOf(tag)); n != none {
			c.keys = append(c.keys, n|tagKey)
		}
	}
	return c.list(c.keys)
}

// A target is an owner that a selector of an entry names.
type target struct{ owner, entry, selector uint32 }

// findTargets stores the selectors, and notes by owner which of them name it: an entry
// may name thousands of publishers, in one selector or in one for each.
func (c *compiler) findTargets() {
	for n := range c.sellers {
		a := c.sellers[n].entry
		if a.Type != "publisher_properties" {
			continue
		}
		for i := range a.Selectors {
			s := &a.Selectors[i]
			selector, ok := c.selector(s)
			if !ok {
				continue
			}
			c.reach(s.PublisherDomain, uint32(n), selector)
			for _, domain := range s.PublisherDomains {
				c.reach(domain, uint32(n), selector)
			}
		}
	}
	byOwner := func(a, b target) int { return int(a.owner) - int(b.owner) }
	if !slices.IsSortedFunc(c.targets, byOwner) {
		slices.SortStableFunc(c.targets, byOwner)
	}
}

// reach notes that a selector names a domain, unless the file has no property of it.
func (c *compiler) reach(domain string, entry, selector uint32) {
	name, ok := c.canonical(domain)
	if !ok || c.isRevoked(name) {
		return
	}
	owner := c.owners.find(name, hashOf(name))
	if owner != none {
		c.targets = append(c.targets, target{owner, entry, selector})
	}
}

// writeReach stores the selectors that name an owner, by entry.
func (c *compiler) writeReach(owner uint32) uint32 {
	n := 0
	for n < len(c.targets)-c.reached && c.targets[c.reached+n].owner == owner {
		n++
	}
	list := c.targets[c.reached:][:n]
	c.reached += n
	for _, t := range list {
		c.words = append(c.words, t.entry)
	}
	for _, t := range list {
		c.words = append(c.words, t.selector)
	}
	return uint32(n)
}

// selector stores what a selector takes of each publisher.
func (c *compiler) selector(s *adagents.Selector) (uint32, bool) {
	at, n := uint32(0), allKeys
	switch s.SelectionType {
	case "all":
	case "by_id":
		at, n = c.keysOf(s.PropertyIDs, nil)
	case "by_tag":
		at, n = c.keysOf(nil, s.PropertyTags)
	default:
		return 0, false
	}
	place := uint32(len(c.words))
	c.words = append(c.words, at, n)
	return place, n > 0
}

// window stores the time an entry holds, in whole seconds within it.
func (c *compiler) window(a *adagents.Agent, record *[entryWidth]uint32) uint32 {
	flags := uint32(0)
	from, okFrom := instant(a.EffectiveFrom)
	until, okUntil := instant(a.EffectiveUntil)
	if !okFrom || !okUntil {
		return flagNever
	}
	if !from.IsZero() {
		flags |= flagFrom
		first := from.Unix()
		if from.Nanosecond() > 0 {
			first++
		}
		record[entryFrom], record[entryFrom+1] = uint32(first), uint32(first>>32)
	}
	if !until.IsZero() {
		flags |= flagUntil
		record[entryUntil], record[entryUntil+1] = uint32(until.Unix()), uint32(until.Unix()>>32)
	}
	return flags
}

// qualifiers stores what else narrows an entry.
func (c *compiler) qualifiers(a *adagents.Agent, record *[entryWidth]uint32) uint32 {
	flags := uint32(0)
	if len(a.Countries) > 0 {
		flags |= flagCountries
		c.keys = c.keys[:0]
		for _, code := range a.Countries {
			if len(code) == 2 {
				c.keys = append(c.keys, countryWord(code))
			}
		}
		record[entryCountries], record[entryCountryLen] = c.list(c.keys)
	}
	if len(a.PlacementIDs) > 0 {
		flags |= flagPlaceIDs
		record[entryPlacements], record[entryPlaceLen] = c.numbersOf(&c.placeIDs, a.PlacementIDs)
	}
	if len(a.PlacementTags) > 0 {
		flags |= flagPlaceTags
		record[entryTags], record[entryTagLen] = c.numbersOf(&c.placeTags, a.PlacementTags)
	}
	if flags&flagsPlaced == flagsPlaced {
		flags &^= flagPlaceTags
		c.keepTagged(record)
	}
	if len(a.Collections) > 0 {
		flags |= flagCollection
		record[entryCollections], record[entryCollLen] = c.programsOf(a)
	}
	return flags
}

// keepTagged leaves those in the list of placements of an entry that have one of its
// tags, so that no question needs to look at the tags.
func (c *compiler) keepTagged(record *[entryWidth]uint32) {
	ids := c.words[record[entryPlacements]:][:record[entryPlaceLen]]
	tags := listOf(c.words[record[entryTags]:][:record[entryTagLen]])
	kept := slices.DeleteFunc(ids, func(n uint32) bool {
		placed := c.words[c.placed+n*placedWidth:]
		return !overlap(tags, listOf(c.words[placed[placedTags]:][:placed[placedTagLen]]))
	})
	record[entryPlaceLen] = uint32(len(kept))
}

func countryWord(code string) uint32 { return uint32(code[0])<<8 | uint32(code[1]) }

// numbersOf stores the numbers of strings that are known.
func (c *compiler) numbersOf(t *interner, list []string) (uint32, uint32) {
	c.keys = c.keys[:0]
	for _, s := range list {
		if n := t.find(s, hashOf(s)); n != none {
			c.keys = append(c.keys, n)
		}
	}
	return c.list(c.keys)
}

// programsOf stores the numbers of the collections an entry is limited to, without
// those of revoked publishers.
func (c *compiler) programsOf(a *adagents.Agent) (uint32, uint32) {
	c.keys = c.keys[:0]
	for i := range a.Collections {
		s := &a.Collections[i]
		domain, ok := c.canonical(s.PublisherDomain)
		if !ok || c.isRevoked(domain) {
			continue
		}
		for _, id := range s.CollectionIDs {
			if id != "" {
				c.keys = append(c.keys, c.program(domain, id))
			}
		}
	}
	return c.list(c.keys)
}

// program numbers a collection. The parts of its name are kept apart by an octet
// that no domain contains.
func (c *compiler) program(domain, id string) uint32 {
	name := domain + "\x00" + id
	return c.programs.add(name, hashOf(name))
}

// writePrograms stores the collections that entries name.
func (c *compiler) writePrograms(b *layout) {
	rows := c.rows[:0]
	var list []uint32
	for n, name := range c.programs.names {
		domain, id, _ := strings.Cut(name, "\x00")
		idHash := hashOf(id)
		r := row{hash: mix(idHash, hashOf(domain)), cell: [5]uint32{4: uint32(n)}}
		if len(c.programs.names) <= oneBucket {
			r.hash = nameHash(id, oneBucket)
		}
		r.cell[0], r.cell[1] = c.put(domain)
		r.cell[2], r.cell[3] = c.put(id)
		list = append(list, r.cell[0], r.cell[1], r.cell[2], r.cell[3], c.programIDs.find(id, idHash))
		rows = append(rows, r)
	}
	b.programs = uint32(len(c.words))
	c.words = append(c.words, list...)
	b.collections = c.table(rows, collectionCells)
	c.rows = rows
}
