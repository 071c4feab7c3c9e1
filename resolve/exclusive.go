package resolve

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
)

// exclusiveOthers names the other agents that the file calls the only ones for
// what was asked. They do not change the verdict: that the publisher contradicts
// itself is a fact to show.
func (c *explanation) exclusiveOthers() {
	if c.q.Signal != "" {
		return
	}
	mine := c.holdingsSet()
	named := map[uint32]bool{}
	for i := range c.f.entries {
		e, n := &c.f.entries[i], uint32(i)
		if !e.has(exclusive) || e.has(inert) || !e.scope.sells() || e.agent == none || named[e.agent] {
			continue
		}
		url := c.f.str(c.f.agents[e.agent].url)
		if url == c.q.Agent || !c.overlaps(n, mine) {
			continue
		}
		named[e.agent] = true
		c.exclusive = append(c.exclusive, url)
		c.sayOf("exclusive.other_agent", n, "the file calls "+quote(url)+" the only agent for what was asked"+
			c.wherever(&c.doc.File.Agents[n]))
	}
}

// overlaps reports whether another agent's entry covers what was asked and, where
// this agent has something, some of the same.
func (c *explanation) overlaps(n uint32, mine *propertySet) bool {
	other := c.evaluation
	other.listen, other.covered, other.reach, other.fits, other.met = nil, buffer[uint32]{}, buffer[uint32]{},
		buffer[uint32]{}, buffer[bool]{}
	needs, ok := other.judge(n)
	other.spend(costListed * other.covered.n)
	c.budget = other.budget
	if !ok || needs != c.sharedNeed(n) {
		return false
	}
	return len(c.holdings) == 0 || slices.ContainsFunc(other.covered.all(), func(p uint32) bool {
		return mine.has(c.property(p))
	})
}

// sharedNeed returns what another agent's entry may need and still be at odds with
// the entries of this one: a country that the question leaves open, if both hold in
// the same one.
func (c *explanation) sharedNeed(n uint32) Needs {
	e := &c.f.entries[n]
	if c.q.Country != "" || !e.has(inCountries) {
		return 0
	}
	meets := func(h holding) bool {
		mine := &c.f.entries[h.entry]
		return !mine.has(inCountries) || overlap(c.f.list(mine.countries), c.f.list(e.countries))
	}
	if len(c.holdings) > 0 && !slices.ContainsFunc(c.holdings, meets) {
		return 0
	}
	return NeedsCountry
}

// wherever names the countries of an entry when the question leaves them open.
func (c *explanation) wherever(a *adagents.Agent) string {
	switch n := len(a.Countries); {
	case n == 0 || c.q.Country != "":
		return ""
	case n > mostNamed:
		return " in some countries"
	}
	return " in " + strings.Join(a.Countries, ", ")
}

// holdingsSet returns the properties that the agent asked about covers.
func (c *explanation) holdingsSet() *propertySet {
	s := newPropertySet()
	for i := range c.holdings {
		for k := range c.holdings[i].properties {
			s.add(c.holdings[i].properties[k].Property)
		}
	}
	return s
}
