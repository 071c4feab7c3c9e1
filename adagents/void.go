package adagents

import "github.com/avow-project/avow/internal/std/hostname"

// Whatever cannot be read falls out of the list it stands in. This file looks
// at what is left of the lists that define and narrow the scope of an entry:
// when that is nothing, the entry authorizes nothing, and must not be taken
// for one that was never narrowed. The findings are those of the items.

// loseEmptySelector gives up a selector that has no publisher left to look at,
// or nothing left to pick.
func (c *checker) loseEmptySelector(s *Selector) {
	if !s.effect.gone() && (c.namesNobody(s) || s.picksNothing()) {
		c.findings.lose(&s.effect, SkipEntry)
	}
}

// namesNobody reports whether every publisher of a selector is unreadable, a
// public suffix or revoked.
func (c *content) namesNobody(s *Selector) bool {
	for domain := range s.domains(&c.index.hosts) {
		if !c.revoked(domain) && !hostname.IsPublicSuffix(domain) {
			return false
		}
	}
	return true
}

// picksNothing reports whether a selector lists no id or tag that can be read.
func (s *Selector) picksNothing() bool {
	list, name := s.predicate()
	return name != "" && !hasText(list)
}

func hasText(list Value) bool {
	for _, v := range list.Elems() {
		if !blank(v.Str()) {
			return true
		}
	}
	return false
}

// loseEmptyEntry makes an entry authorize nothing when its selector covers
// nothing, or what narrows it leaves nothing.
func (c *checker) loseEmptyEntry(a *Agent) {
	if a.effect.worst < EmptyEntry && (c.coversNothing(a) || c.narrowedToNothing(a)) {
		c.findings.lose(&a.effect, EmptyEntry)
	}
}

func (c *content) coversNothing(a *Agent) bool {
	s := a.companion()
	switch {
	case s == nil:
		return true
	case s.at == atAgentProperties:
		return allGone(a.Properties)
	case s.at == atAgentSelectors:
		return allGone(a.Selectors)
	case s.signal && c.scope().catalogs > 0:
		return !hasText(a.member(s.at)) // an outside catalog may have them
	}
	for _, v := range a.member(s.at).Elems() {
		if v.Is(String) && c.resolves(s, v.Str()) {
			return false
		}
	}
	return true
}

func allGone[T any, P entryPointer[T]](list []T) bool {
	for i := range list {
		if !P(&list[i]).outcome().gone() {
			return false
		}
	}
	return true
}

// narrowedToNothing reports whether some narrowing list has no usable item
// left. Placements mean nothing to entries about signals.
func (c *content) narrowedToNothing(a *Agent) bool {
	if v := a.member(atAgentCountries); v.Exists() && countriesLeft(v) == EmptyEntry {
		return true
	}
	if !a.sells() {
		return false
	}
	return noneOf(a.member(atAgentPlacementIDs), func(v Value) bool { return c.usablePlacement(v) != nil }) ||
		noneOf(a.member(atAgentPlacementTags), func(v Value) bool { return v.Is(String) && c.index.placeTag[v.Str()] > 0 })
}

// noneOf reports whether a list is present and no item of it is usable.
func noneOf(list Value, usable func(Value) bool) bool {
	for _, v := range list.Elems() {
		if usable(v) {
			return false
		}
	}
	return list.Exists()
}
