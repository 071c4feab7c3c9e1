package resolve

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
)

// exclusiveOthers names the other agents that the file calls the only ones for
// what was asked. They do not change the verdict: that the publisher contradicts
// itself is a fact to show.
func (c *inquiry) exclusiveOthers() {
	if c.q.Signal != "" {
		return
	}
	mine := c.held()
	named := map[string]bool{c.q.Agent: true}
	for i := range c.v.file.Agents {
		a := &c.v.file.Agents[i]
		if !a.Exclusive || a.Inert() || !sells(a.Type) {
			continue
		}
		url, _, err := c.v.hosts.CanonicalURL(a.URL)
		if err != nil || named[url] || !c.overlaps(a, mine) {
			continue
		}
		named[url] = true
		c.exclusive = append(c.exclusive, url)
		c.say("exclusive.other_agent", a.Raw, "the file calls "+quote(url)+" the only agent for what was asked"+c.wherever(a))
	}
}

// overlaps reports whether another agent's entry covers what was asked and, where
// this agent has something, some of the same.
func (c *inquiry) overlaps(a *adagents.Agent, mine *propertySet) bool {
	other := inquiry{
		q: c.q, doc: c.doc, v: c.v, owned: c.owned, asked: c.asked,
		reached: c.reached, mute: true, budget: c.budget,
	}
	h, ok := other.judge(a)
	c.budget, c.reached = other.budget, other.reached
	if !ok || !slices.Equal(h.needs, c.sharedNeed(a)) {
		return false
	}
	return len(c.holdings) == 0 || mine.meets(h.properties)
}

// sharedNeed returns what another agent's entry may need and still be at odds with
// the entries of this one: a country that the question leaves open, if both hold in
// the same one.
func (c *inquiry) sharedNeed(a *adagents.Agent) []string {
	if c.q.Country != "" || len(a.Countries) == 0 {
		return nil
	}
	listed := finder(a.Countries)
	meets := func(h holding) bool {
		return len(h.agent.Countries) == 0 || slices.ContainsFunc(h.agent.Countries, listed)
	}
	if len(c.holdings) > 0 && !slices.ContainsFunc(c.holdings, meets) {
		return nil
	}
	return []string{"country"}
}

// wherever names the countries of an entry when the question leaves them open.
func (c *inquiry) wherever(a *adagents.Agent) string {
	switch n := len(a.Countries); {
	case n == 0 || c.q.Country != "":
		return ""
	case n > mostNamed:
		return " in some countries"
	}
	return " in " + strings.Join(a.Countries, ", ")
}

// A propertySet finds properties of one publisher. Those with an id are known by it,
// since each entry may have its own copy.
type propertySet struct {
	ids  map[string]struct{}
	self map[*adagents.Property]struct{}
}

// held returns the properties that the agent asked about covers.
func (c *inquiry) held() *propertySet {
	s := newPropertySet()
	for i := range c.holdings {
		s.add(c.holdings[i].properties)
	}
	return s
}

func newPropertySet() *propertySet {
	return &propertySet{make(map[string]struct{}), make(map[*adagents.Property]struct{})}
}

func (s *propertySet) add(list []Covered) {
	for i := range list {
		s.ids[list[i].PropertyID] = struct{}{}
		s.self[list[i].Property] = struct{}{}
	}
}

func (s *propertySet) has(p *adagents.Property) bool {
	_, byID := s.ids[p.ID]
	_, bySelf := s.self[p]
	return bySelf || byID && p.ID != ""
}

func (s *propertySet) meets(list []Covered) bool {
	return slices.ContainsFunc(list, func(c Covered) bool { return s.has(c.Property) })
}
