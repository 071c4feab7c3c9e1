package resolve

import (
	"iter"
	"math"
	"slices"
	"time"
)

// A Claim is an agent entry that covers something of a publisher.
type Claim struct {
	Agent string // canonical URL
	// Entry is the number of the entry in authorized_agents.
	Entry     int32
	Exclusive bool
	// Limits says what else a question must name: the entry is limited to some
	// countries, collections or placements.
	Limits Needs
	// From and Until bound the time; zero means open. Both ends are included.
	From, Until time.Time
}

// A Selected is a property that an entry selects.
type Selected struct {
	// PublisherDomain is whose the property is. If that is not the publisher asked
	// about, this is a claim of whoever serves the file.
	PublisherDomain string
	PropertyID      string
	// Entry is the number of the first entry in authorized_agents that selects it.
	Entry int32
}

// A FileKey tells files of subjects apart; that of subjects without entries is zero.
type FileKey struct{ f *facts }

// File returns what subjects share whose publishers share a file.
func (s *Subject) File() FileKey { return FileKey{s.f} }

// Agents returns the agents that the file names, by canonical URL.
func (k FileKey) Agents() iter.Seq[string] {
	return func(yield func(string) bool) {
		if k.f == nil {
			return
		}
		for i := range k.f.agents {
			if !yield(k.f.str(k.f.agents[i].url)) {
				return
			}
		}
	}
}

// wide begins an evaluation of what entries cover, whatever else they are limited to.
func (s *Subject) wide(q *Question) evaluation {
	c := evaluation{q: q, f: s.f, held: s.held, whose: whose{q.Publisher, s.all, s.home}, own: s.own}
	c.left, c.look = maxWork, math.MinInt
	c.begin()
	return c
}

// ineffective reports whether an entry never covers a property.
func (e *entryFact) ineffective() bool {
	return e.has(inert|unreadableWindow) || !e.scope.sells()
}

// Sells reports whether an entry of an agent covers a property of the publisher, whatever
// else it is limited to.
func (s *Subject) Sells(publisher, agent string) bool {
	if s.f == nil {
		return false
	}
	c := s.wide(&Question{Publisher: publisher})
	return slices.ContainsFunc(s.f.entriesOf(agent), func(n uint32) bool {
		return !s.f.entries[n].ineffective() && c.coversSome(n)
	})
}

// coversSome is cover for those who do not care about placements.
func (c *evaluation) coversSome(n uint32) bool {
	e := &c.f.entries[n]
	c.findAsked(false)
	if c.whole && e.scope != scopeInline {
		return c.coversAny(n)
	}
	return c.cover(n)
}

// Claims returns the entries that cover a property of the publisher, or any of its
// properties if property is empty, whatever else they are limited to. They are in the
// order of the file.
func (s *Subject) Claims(publisher, property string) []Claim {
	if s.f == nil {
		return nil
	}
	c := s.wide(&Question{Publisher: publisher, Property: property})
	var out []Claim
	for i := range s.f.entries {
		e := &s.f.entries[i]
		if !e.ineffective() && e.agent != none && c.coversSome(uint32(i)) {
			out = append(out, s.f.claim(e))
		}
	}
	return out
}

func (f *facts) claim(e *entryFact) Claim {
	c := Claim{Agent: f.str(f.agents[e.agent].url), Entry: e.written(), Exclusive: e.has(exclusive)}
	if e.has(inCountries) {
		c.Limits |= NeedsCountry
	}
	if e.has(inCollections) {
		c.Limits |= NeedsCollection
	}
	if e.scoped() {
		c.Limits |= NeedsPlacement
	}
	c.From, c.Until = f.bounds(e)
	return c
}

// Selects returns what the entries of an agent select in the file, as far as the properties
// are in it, whoever they belong to. Time and place do not matter. It takes one pass over
// the properties.
func (s *Subject) Selects(publisher, agent string) []Selected {
	if s.f == nil {
		return nil
	}
	entries := slices.DeleteFunc(slices.Clone(s.f.entriesOf(agent)), func(n uint32) bool { return s.f.entries[n].ineffective() })
	if len(entries) == 0 {
		return nil
	}
	c := s.wide(&Question{Publisher: publisher})
	var out []Selected
	for g := range s.f.publishers {
		group, owner := &s.f.publishers[g], s.f.str(s.f.publishers[g].name)
		if uint32(g) == c.unnamed {
			owner, c.own = publisher, s.own
		} else {
			c.own = uint32(g)
		}
		for p := group.from; p < group.to; p++ {
			if uint32(g) == c.unnamed && !c.isOurs(p) || c.held != nil && (c.held.has(owner) || c.isHeld(p)) {
				continue
			}
			if n := c.firstFor(entries, p); n != none {
				out = append(out, Selected{owner, s.f.str(s.f.properties[p].id), s.f.entries[n].written()})
			}
		}
	}
	return out
}

// firstFor returns the first of some entries that selects a property, or none.
func (c *evaluation) firstFor(entries []uint32, p uint32) uint32 {
	inline := c.f.properties[p].inline
	for _, n := range entries {
		if inline == n || inline == none && c.covers(n, p) {
			return n
		}
	}
	return none
}
