package resolve

import (
	"math"
	"slices"
	"time"

	"github.com/avow-project/avow/adagents"
)

// A Claim is an agent entry that covers something of a publisher.
type Claim struct {
	Agent string // canonical URL
	// Entry is the number of the entry in authorized_agents, and Index its place among those
	// that are used.
	Entry             int32
	Index             int
	Type              adagents.AuthorizationType
	Exclusive, Pinned bool
	// Limits is what the entry is limited to.
	Limits Limits
	// From and Until bound the time; zero means open. Both ends are included.
	From, Until time.Time
}

// Holds reports whether the entry is in force at an instant.
func (c *Claim) Holds(at time.Time) bool {
	return !at.Before(c.From) && (c.Until.IsZero() || !at.After(c.Until))
}

// wide begins an evaluation of what entries cover, whatever else they are limited to.
func (s *Subject) wide(q *Question) evaluation {
	c := evaluation{q: q, f: s.f, held: s.held, whose: whose{q.Publisher, s.all, s.home}, own: s.own}
	c.left, c.nextCheck = maxWork, math.MinInt
	c.begin()
	return c
}

// ineffective reports whether an entry never covers a property.
func (e *entryFact) ineffective() bool {
	return e.has(inert|unreadableWindow) || !e.scope.sells()
}

// holdsSometime is judge for a question that names nothing about an instant at which the entry holds.
func (c *evaluation) holdsSometime(n uint32) bool {
	c.fits.cut(0)
	e := &c.f.entries[n]
	if e.ineffective() || e.has(inCountries) && e.countries.n == 0 || !c.cover(n) {
		return false
	}
	_, ok := c.narrow(n, 0)
	return ok
}

// Claims returns the entries that cover a property of the publisher, or any of its properties if
// property is empty, at some time, if a question names what the entry is limited to. They are in
// the order of the file.
func (s *Subject) Claims(publisher, property string) []Claim {
	if s.f == nil {
		return nil
	}
	c := s.wide(&Question{Publisher: publisher, Property: property})
	var out []Claim
	for i := range s.f.entries {
		if s.f.entries[i].agent != none && c.holdsSometime(uint32(i)) {
			out = append(out, s.f.claim(i))
		}
	}
	return out
}

func (f *facts) claim(i int) Claim {
	e := &f.entries[i]
	c := Claim{Agent: f.str(f.agents[e.agent].url), Entry: e.written(), Index: i, Type: e.scope.kind(),
		Exclusive: e.has(exclusive), Pinned: e.has(pinned)}
	if e.has(inCountries) {
		c.Limits |= LimitedCountry
	}
	if e.has(inCollections) {
		c.Limits |= LimitedCollection
	}
	if e.scoped() {
		c.Limits |= LimitedPlacement
	}
	if e.has(bounded) {
		c.Limits |= LimitedTime
	}
	c.From, c.Until = f.bounds(e)
	return c
}

// Coverage returns a function for the ids of the publisher's own properties that an entry covers,
// as a Claim has it, sorted. The properties are looked for once.
func (s *Subject) Coverage(publisher string) func(entry int) []string {
	if s.f == nil {
		return func(int) []string { return nil }
	}
	c := s.evaluate(&Question{Publisher: publisher})
	return func(entry int) []string {
		if !c.holdsSometime(uint32(entry)) {
			return nil
		}
		var out []string
		for _, p := range c.covered.all() {
			if id := s.f.str(s.f.properties[p].id); id != "" {
				out = append(out, id)
			}
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
}
