package resolve

import "github.com/avow-project/avow/adagents"

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
		c.say("exclusive.other_agent", a.Raw, "the file calls "+quote(url)+" the only agent for what was asked")
	}
}

// overlaps reports whether another agent's entry covers what was asked and, where
// this agent has something, some of the same.
func (c *inquiry) overlaps(a *adagents.Agent, mine *propertySet) bool {
	other := inquiry{q: c.q, doc: c.doc, v: c.v, owned: c.owned, asked: c.asked, left: c.left}
	h, ok := other.judge(a)
	c.left = other.left
	if !ok || len(h.needs) > 0 {
		return false
	}
	return len(c.holdings) == 0 || mine.meets(h.properties)
}

// A propertySet finds properties of one publisher. Those with an id are known by it,
// since each entry may have its own copy.
type propertySet struct {
	ids  map[string]struct{}
	self map[*adagents.Property]struct{}
}

// held returns the properties that the agent asked about covers.
func (c *inquiry) held() *propertySet {
	s := &propertySet{make(map[string]struct{}), make(map[*adagents.Property]struct{})}
	for i := range c.holdings {
		for k := range c.holdings[i].properties {
			p := &c.holdings[i].properties[k]
			s.ids[p.PropertyID] = struct{}{}
			s.self[p.Property] = struct{}{}
		}
	}
	return s
}

func (s *propertySet) meets(list []Covered) bool {
	for i := range list {
		_, byID := s.ids[list[i].PropertyID]
		_, bySelf := s.self[list[i].Property]
		if bySelf || byID && list[i].PropertyID != "" {
			return true
		}
	}
	return false
}
