package adagents

import (
	"slices"
)

// indexAll files every entry under what it selects.
func (x *exclusivity) indexAll() {
	x.byProperty = make(map[int32][]int32)
	x.byTag = make(map[string][]int32)
	x.byInline = make(map[scopedID][]int32)
	x.byDomain = make(map[string][]selectorRef)
	x.bySignal = make(map[string][]int32)
	x.bySignalTag = make(map[string][]int32)
	for i := range x.c.file.Agents {
		if x.authorizes(i) {
			x.index(int32(i), &x.c.file.Agents[i])
		}
	}
}

func (x *exclusivity) index(i int32, a *Agent) {
	s := a.Scope()
	for _, id := range s.PropertyIDs {
		if p := x.c.propertyByID(id); p >= 0 {
			x.byProperty[int32(p)] = append(x.byProperty[int32(p)], i)
		}
	}
	fileUnder(x.byTag, s.PropertyTags, i)
	for k := range s.Properties {
		if key, ok := x.inlineKey(&s.Properties[k]); ok {
			x.byInline[key] = append(x.byInline[key], i)
		}
	}
	for k := range s.Selectors {
		if s.Selectors[k].effect.gone() {
			continue
		}
		for _, domain := range x.c.publishersOf(&s.Selectors[k]) {
			x.byDomain[domain] = append(x.byDomain[domain], selectorRef{i, int32(k)})
		}
	}
	fileUnder(x.bySignal, s.SignalIDs, i)
	fileUnder(x.bySignalTag, s.SignalTags, i)
}

func fileUnder(m map[string][]int32, names []string, i int32) {
	for _, name := range names {
		m[name] = append(m[name], i)
	}
}

// inlineKey names an inline property by publisher and id, which is what makes
// it the same property as another.
func (x *exclusivity) inlineKey(p *Property) (scopedID, bool) {
	domain := x.c.publisherOf(p)
	return scopedID{domain, p.ID}, domain != "" && p.ID != "" && !p.effect.gone()
}

// meet compares the entry at hand with every other that selects something it
// selects too.
func (x *exclusivity) meet() {
	s := x.c.file.Agents[x.entry].Scope()
	for _, id := range s.PropertyIDs {
		if p := x.c.propertyByID(id); p >= 0 {
			x.meetProperty(p)
		}
	}
	for _, tag := range s.PropertyTags {
		for _, p := range x.c.taggedProperties()[tag] {
			x.meetProperty(int(p))
		}
	}
	for k := range s.Properties {
		x.meetInline(&s.Properties[k])
	}
	for k := range s.Selectors {
		x.meetSelector(&s.Selectors[k])
	}
	for _, id := range s.SignalIDs {
		if i, ok := x.c.index.signals[id]; ok {
			x.meetSignal(&x.c.file.Signals[i])
		}
	}
	x.meetSignalTags(s.SignalTags)
}

// meetProperty compares with the entries that cover a top-level property.
func (x *exclusivity) meetProperty(i int) {
	x.left--
	if x.decided() {
		return
	}
	p := &x.c.file.Properties[i]
	x.against(x.byProperty[int32(i)])
	for _, tag := range p.Tags {
		x.left--
		x.against(x.byTag[tag])
	}
	if key, ok := x.inlineKey(p); ok {
		x.against(x.byInline[key])
	}
	for _, ref := range x.byDomain[x.c.publisherOf(p)] {
		if x.decided() {
			return
		}
		if x.picks(x.selector(ref), p) {
			x.compare(int(ref.entry))
		}
	}
}

// meetInline compares with the entries that cover a property of the entry's
// own: by the same publisher and id, inline or in the file's catalog.
func (x *exclusivity) meetInline(p *Property) {
	key, ok := x.inlineKey(p)
	if !ok || x.decided() {
		return
	}
	x.against(x.byInline[key])
	if i := x.c.propertyByID(p.ID); i >= 0 && x.c.publisherOf(&x.c.file.Properties[i]) == key.publisher {
		x.meetProperty(i)
	}
}

// meetSelector compares with the selectors over the same publishers that
// certainly pick something the selector picks, and with the entries that cover
// the publishers' properties in this file.
func (x *exclusivity) meetSelector(s *Selector) {
	if s.effect.gone() {
		return
	}
	for no, domain := range x.c.publishersOf(s) {
		x.left--
		if x.decided() {
			return
		}
		if x.c.revoked(domain) {
			continue
		}
		for _, ref := range x.byDomain[domain] {
			if x.decided() {
				return
			}
			if x.pickAlike(s, x.selector(ref)) {
				x.compare(int(ref.entry))
			}
		}
		for i := x.c.lastOwned(no); i >= 0; i = x.c.alsoOwned(i) {
			if x.picks(s, &x.c.file.Properties[i]) {
				x.meetProperty(int(i))
			}
		}
	}
}

func (x *exclusivity) selector(ref selectorRef) *Selector {
	return &x.c.file.Agents[ref.entry].Selectors[ref.selector]
}

// picks reports whether a selector over the publisher of a property picks it.
func (x *exclusivity) picks(s *Selector, p *Property) bool {
	x.left--
	switch s.SelectionType {
	case "all":
		return true
	case "by_id":
		return p.ID != "" && x.listsMeet(s.PropertyIDs, []string{p.ID})
	}
	return len(p.Tags) > 0 && x.listsMeet(s.PropertyTags, p.Tags)
}

// pickAlike reports whether two selectors over one publisher pick a property in
// common. Whether a tag and an id do depends on the publisher's file.
func (x *exclusivity) pickAlike(s, o *Selector) bool {
	x.left--
	switch {
	case s.SelectionType == "all" || o.SelectionType == "all":
		return true
	case s.SelectionType != o.SelectionType:
		return false
	case s.SelectionType == "by_id":
		return x.listsMeet(s.PropertyIDs, o.PropertyIDs)
	}
	return x.listsMeet(s.PropertyTags, o.PropertyTags)
}

// meetSignalTags compares with the entries that cover a signal with one of the tags.
func (x *exclusivity) meetSignalTags(list []string) {
	if len(list) == 0 {
		return
	}
	tags := textsOf(list)
	for i := range x.c.file.Signals {
		s := &x.c.file.Signals[i]
		x.left -= len(s.Tags)
		if x.decided() {
			return
		}
		if tags.meets(s.Tags) {
			x.meetSignal(s)
		}
	}
}

func (x *exclusivity) meetSignal(s *Signal) {
	x.left--
	if s.effect.gone() || x.decided() {
		return
	}
	x.against(x.bySignal[s.ID])
	for _, tag := range s.Tags {
		x.left--
		x.against(x.bySignalTag[tag])
	}
}

// authorizes reports whether an entry authorizes anything.
func (x *exclusivity) authorizes(i int) bool {
	a := &x.c.file.Agents[i]
	return a.effect.worst < EmptyEntry && x.c.agents.canonical[i] != "" && a.companion() != nil
}

// decided reports whether the entry at hand needs no further comparison, or
// none is left.
func (x *exclusivity) decided() bool {
	return x.left < 0 || x.conflict >= 0 && (x.lone || x.double >= 0)
}

// against compares the entry at hand with others that share something with it.
func (x *exclusivity) against(others []int32) {
	for _, o := range others {
		if x.decided() {
			return
		}
		x.compare(int(o))
	}
}

func (x *exclusivity) compare(o int) {
	x.left--
	if x.seen[o] == int32(x.entry+1) {
		return
	}
	x.seen[o] = int32(x.entry + 1)
	urls := x.c.agents.canonical
	if urls[o] == urls[x.entry] {
		return
	}
	b := &x.c.file.Agents[o]
	found := &x.conflict
	if b.Exclusive {
		found = &x.double
	}
	if *found < 0 && x.overlap(&x.c.file.Agents[x.entry], b) {
		*found = o
	}
}

// overlap compares what narrows two entries that share a property or signal.
// A list that only one of them has does not keep them apart.
func (x *exclusivity) overlap(a, b *Agent) bool {
	wa, wb := a.window(), b.window()
	return wa.meets(&wb) &&
		x.listsMeet(a.Countries, b.Countries) &&
		x.placementsMeet(a, b) &&
		x.collectionsMeet(a, b)
}

func (x *exclusivity) listsMeet(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	x.left -= len(a) + len(b)
	set := textsOf(a)
	return set.meets(b)
}

// placementsMeet reports whether two entries have a placement in common, if
// both are narrowed to placements.
func (x *exclusivity) placementsMeet(a, b *Agent) bool {
	if !narrowedToPlacements(a) || !narrowedToPlacements(b) {
		return true
	}
	if len(a.PlacementIDs) > 0 && len(b.PlacementIDs) > 0 {
		return x.listsMeet(a.PlacementIDs, b.PlacementIDs)
	}
	x.left -= len(a.PlacementIDs) + len(a.PlacementTags) + len(b.PlacementIDs) + len(b.PlacementTags)
	ids, tags := textsOf(a.PlacementIDs), textsOf(a.PlacementTags)
	otherIDs, otherTags := textsOf(b.PlacementIDs), textsOf(b.PlacementTags)
	for i := range x.c.file.Placements {
		p := &x.c.file.Placements[i]
		x.left -= 1 + len(p.Tags)
		if x.left < 0 {
			return false
		}
		if !p.effect.gone() && runsIn(p, &ids, &tags) && runsIn(p, &otherIDs, &otherTags) {
			return true
		}
	}
	return false
}

func narrowedToPlacements(a *Agent) bool { return len(a.PlacementIDs)+len(a.PlacementTags) > 0 }

// runsIn reports whether a placement is among those by id and those by tag; an
// empty list does not narrow.
func runsIn(p *Placement, ids, tags *textSet) bool {
	return (len(ids.list) == 0 || ids.has(p.ID)) && (len(tags.list) == 0 || tags.meets(p.Tags))
}

// collectionsMeet reports whether two entries have a collection in common, if
// both are narrowed to collections.
func (x *exclusivity) collectionsMeet(a, b *Agent) bool {
	if len(a.Collections) == 0 || len(b.Collections) == 0 {
		return true
	}
	// Without an id, a domain has some collection; with "*" in place of the domain, it has all.
	type key struct{ domain, id string }
	listed := make(map[key]bool)
	for i := range a.Collections {
		s := &a.Collections[i]
		domain, _ := s.domain(&x.c.index.hosts)
		x.left -= 1 + len(s.CollectionIDs)
		listed[key{domain, ""}] = true
		if s.All() {
			listed[key{"*", domain}] = true
		}
		for _, id := range s.CollectionIDs {
			listed[key{domain, id}] = true
		}
	}
	return slices.ContainsFunc(b.Collections, func(s CollectionSelector) bool {
		domain, _ := s.domain(&x.c.index.hosts)
		x.left -= 1 + len(s.CollectionIDs)
		return listed[key{"*", domain}] || s.All() && listed[key{domain, ""}] ||
			slices.ContainsFunc(s.CollectionIDs, func(id string) bool { return listed[key{domain, id}] })
	})
}
