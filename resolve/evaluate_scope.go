package resolve

import (
	"slices"
	"sort"
	"strings"

	"github.com/avow-project/avow/internal/std/hostname"
)

// cover finds what an entry covers of what was asked, and reports whether that is
// anything. Where it does not matter what it is, it stops at the first.
func (c *evaluation) cover(n uint32) bool {
	e := &c.f.entries[n]
	c.covered.cut(0)
	c.reached = false
	all := c.full || e.scoped() || len(c.q.Placements) > 0
	if e.scope == scopeInline {
		c.findAsked(all)
		c.coverInline(n)
		return c.covered.n > 0
	}
	c.findAsked(all)
	if c.whole {
		return c.coversAny(n)
	}
	cost := 1
	if e.scope == scopeSelectors {
		cost += len(c.selectors(n)) / 8
	}
	if !c.spend(1 + cost*c.asked.n) {
		return false
	}
	for _, p := range c.asked.all() {
		if !c.covers(n, p) {
			continue
		}
		c.covered.add(p)
		if !all {
			break
		}
	}
	return c.covered.n > 0
}

// covers reports whether an entry selects a property at the top level of the file. Only
// the selector that belongs to the entry's type counts.
func (c *evaluation) covers(n, p uint32) bool {
	e, keys := &c.f.entries[n], c.f.list(c.f.properties[p].keys)
	switch e.scope {
	case scopeIDs:
		return len(keys) > 0 && keys[0] < tagKey && contains(c.f.list(e.selects), keys[0])
	case scopeTags:
		return overlap(c.f.list(e.selects), keys)
	case scopeSelectors:
		pairs := c.selectors(n)
		for i := 0; i < len(pairs); i += 2 {
			takes := c.f.selectors[pairs[i+1]]
			if takes.n == everything || overlap(c.f.list(takes), keys) {
				return true
			}
		}
	}
	return false
}

// coversAny is covers for all properties of a publisher that has many.
func (c *evaluation) coversAny(n uint32) bool {
	e, own := &c.f.entries[n], &c.f.publishers[c.wholeOf()]
	keys := c.f.list(c.f.tables[own.table].keys)
	if e.scope != scopeSelectors {
		return overlap(c.f.list(e.selects), keys)
	}
	pairs := c.selectors(n)
	for i := 0; i < len(pairs); i += 2 {
		takes := c.f.selectors[pairs[i+1]]
		if takes.n == everything && own.from < own.inline || takes.n != everything && overlap(c.f.list(takes), keys) {
			return true
		}
	}
	return false
}

// selectors returns the selectors of an entry that name the publisher, as pairs of the
// entry and the selector. The document at hand is the one that speaks for the publisher,
// so there is nothing to look up elsewhere.
func (c *evaluation) selectors(n uint32) []uint32 {
	if c.own == none {
		return nil
	}
	pairs := c.f.list(c.f.publishers[c.own].reach)
	count := len(pairs) / 2
	from := 0
	if count > fewNames {
		from = sort.Search(count, func(i int) bool { return pairs[2*i] >= n })
	}
	for from < count && pairs[2*from] != n {
		if pairs[2*from] > n {
			return nil
		}
		from++
	}
	to := from
	for to < count && pairs[2*to] == n {
		to++
	}
	return pairs[2*from : 2*to]
}

// coverInline adds the properties that an entry declares itself.
func (c *evaluation) coverInline(n uint32) {
	for _, group := range [...]uint32{c.own, c.unnamed} {
		if group == none {
			continue
		}
		g := &c.f.publishers[group]
		list := c.f.properties[g.inline:g.to]
		from := sort.Search(len(list), func(i int) bool { return list[i].inline >= n })
		for i := from; i < len(list) && list[i].inline == n && c.spend(1); i++ {
			c.take(&c.covered, group, g.inline+uint32(i))
		}
	}
	c.sortByIndex(c.covered.all())
}

// sortByIndex puts properties of two groups into the order of the file.
func (c *evaluation) sortByIndex(list []uint32) {
	if c.own != none && c.unnamed != none && len(list) > 1 {
		slices.SortFunc(list, func(a, b uint32) int { return int(c.f.properties[a].index) - int(c.f.properties[b].index) })
	}
}

// findAsked looks for the properties that the question is about, unless that was done. It does
// not list all of a publisher that has many where the answer need not name them.
func (c *evaluation) findAsked(all bool) {
	if c.found && (!c.whole || !all) {
		return
	}
	c.found = true
	c.whole = !all && c.wholeOf() != none
	if c.whole {
		return
	}
	c.asked.cut(0)
	for _, group := range [...]uint32{c.own, c.unnamed} {
		if group != none {
			c.findIn(group)
		}
	}
	c.sortByIndex(c.asked.all())
}

// wholeOf returns the one publisher of which all properties are asked about, if it has
// many of them and all count; none otherwise.
func (c *evaluation) wholeOf() uint32 {
	group := c.own
	switch {
	case c.q.Property != "" || c.q.PropertyType != "" || c.q.Identifier.Type != "" || c.held != nil:
		return none
	case c.unnamed == none:
	case group != none && c.f.publishers[group].from < c.f.publishers[group].to, !c.whose.all:
		return none
	default:
		group = c.unnamed
	}
	if group == none || c.f.publishers[group].table == none {
		return none
	}
	return group
}

// findIn adds the properties of one group that the question is about.
func (c *evaluation) findIn(group uint32) {
	g := &c.f.publishers[group]
	switch {
	case c.q.Property != "" && g.table != none:
		c.findByID(group, c.f.list(c.f.tables[g.table].byID))
	case c.q.Identifier.Type != "" && g.table != none:
		c.findByIdentifier(group, c.q.Identifier)
	case group == c.unnamed && !c.whose.all && !c.whose.home:
	case group == c.unnamed && !c.whose.all && g.table != none:
		// What is at home with the publisher is known by its domain.
		c.findByIdentifier(group, Identifier{"domain", c.whose.publisher})
	default:
		cost := 1
		if group == c.unnamed {
			cost = costLookup
		}
		if !c.spend(cost * int(g.inline-g.from)) {
			return
		}
		for p := g.from; p < g.inline; p++ {
			c.take(&c.asked, group, p)
		}
	}
}

func (c *evaluation) findByID(group uint32, byID []uint32) {
	f := c.f
	from := sort.Search(len(byID), func(i int) bool { return f.str(f.properties[byID[i]].id) >= c.q.Property })
	for i := from; i < len(byID) && f.str(f.properties[byID[i]].id) == c.q.Property && c.spend(1); i++ {
		c.take(&c.asked, group, byID[i])
	}
}

// findByIdentifier looks for the value itself, for the domain of which it is the www or m
// form, and for wildcards above it.
func (c *evaluation) findByIdentifier(group uint32, id Identifier) {
	byValue := c.f.list(c.f.tables[c.f.publishers[group].table].byValue)
	value, start := id.Value, c.asked.n
	c.probe(group, byValue, value)
	if id.Type == "domain" {
		for {
			_, rest, below := strings.Cut(value, ".")
			if !below {
				break
			}
			value = rest
			c.probe(group, byValue, value)
		}
	}
	if c.asked.n-start > 1 { // it may be found in several ways
		slices.Sort(c.asked.all()[start:])
		c.asked.cut(len(slices.Compact(c.asked.all())))
	}
}

func (c *evaluation) probe(group uint32, byValue []uint32, value string) {
	f := c.f
	from := sort.Search(len(byValue), func(i int) bool { return f.str(f.identifiers[byValue[i]].value) >= value })
	for i := from; i < len(byValue) && f.str(f.identifiers[byValue[i]].value) == value && c.spend(1); i++ {
		c.take(&c.asked, group, f.identifiers[byValue[i]].property)
	}
}

// take adds a property of a group if it is the publisher's, is not held back, and is what
// the question is about.
func (c *evaluation) take(list *buffer[uint32], group, p uint32) {
	if c.about(p) && (c.held == nil || !c.isHeld(p)) && (group == c.own || c.isOurs(p)) {
		list.add(p)
	}
}

// about reports whether the question is about a property.
func (c *evaluation) about(p uint32) bool {
	one := &c.f.properties[p]
	return (c.q.Property == "" || c.q.Property == c.f.str(one.id)) &&
		(c.q.PropertyType == "" || c.q.PropertyType == c.f.str(one.kind)) &&
		(c.q.Identifier.Type == "" || c.f.identified(one, c.q.Identifier.Type, c.q.Identifier.Value))
}

// identified reports whether one of a property's identifiers is, or covers, the given
// one, which is in canonical form. Only the domain of a website stands for more hosts than
// it names.
func (f *facts) identified(p *propertyFact, kind, value string) bool {
	for _, id := range f.identifiers[p.identifiers.at:][:p.identifiers.n] {
		if f.str(id.kind) != kind || id.has(doubtful) {
			continue
		}
		base := f.str(id.value)
		switch {
		case !id.has(wildcard) && base == value:
			return true
		case kind != "domain" || len(base) >= len(value) || f.str(p.kind) != website:
		case id.has(wildcard):
			if strings.HasSuffix(value, base) && value[len(value)-len(base)-1] == '.' {
				return true
			}
		case isMainForm(value, base):
			return true
		}
	}
	return false
}

// isMainForm reports whether a host is the www or m form of a domain.
func isMainForm(host, domain string) bool {
	base, ok := mainForm(host)
	return ok && base == domain && hostname.MatchesDomain(domain, host)
}

// isOurs reports whether a property that names no publisher belongs to the document's publisher.
func (c *evaluation) isOurs(p uint32) bool {
	one := &c.f.properties[p]
	return c.whose.all || c.whose.home &&
		(c.f.identified(one, "domain", c.whose.publisher) || c.f.identified(one, "subdomain", c.whose.publisher))
}

// isHeld reports whether a host that a property is known as is held back.
func (c *evaluation) isHeld(p uint32) bool {
	one := &c.f.properties[p]
	for _, id := range c.f.identifiers[one.identifiers.at:][:one.identifiers.n] {
		kind := c.f.str(id.kind)
		if (kind == "domain" || kind == "subdomain" || id.has(doubtful)) && !id.has(wildcard) &&
			c.held.has(c.f.str(id.value)) {
			return true
		}
	}
	return false
}
