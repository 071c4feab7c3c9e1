package resolve

import (
	"slices"
	"time"

	"github.com/avow-project/avow/adagents"
)

// Limits is a set of what restricts the properties of a list.
type Limits uint8

// The members of a set of limits.
const (
	LimitedCountry Limits = 1 << iota
	LimitedPlacement
	LimitedCollection
	// LimitedTime: it began or ends at some time.
	LimitedTime
)

var limitNames = [...]string{"country", "placement", "collection", "time"}

// Strings returns the limits as lists have them.
func (l Limits) Strings() []string {
	var out []string
	for i, name := range limitNames {
		if l&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// Limits returns what an entry that needs something is limited to.
func (n Needs) Limits() Limits {
	var out Limits
	for i, need := range [...]Needs{NeedsCountry, NeedsPlacement, NeedsCollection} {
		if n&need != 0 {
			out |= 1 << i
		}
	}
	return out
}

// A Row is what the file that speaks for a publisher lets an agent sell of the publisher's own
// properties at an instant. It has for each property what a question about it is answered that
// names neither country nor placement nor collection.
type Row struct {
	Agent string // canonical URL
	// Authorized has the ids of the properties for which the answer is yes, and Conditional
	// of those for which it is yes if the question names what Limited lists. Both are sorted.
	// Properties without an id are counted and not listed.
	Authorized, Conditional []string
	AuthorizedCount         int
	ConditionalCount        int
	// Total is how many properties of its own the publisher has.
	Total int
	// Limited is what the properties that are listed depend on.
	Limited Limits
	// Types are the authorization types of the entries that cover one, in the order of the
	// format, and Pinned is set when one of these lists keys of the agent.
	Types  []adagents.AuthorizationType
	Pinned bool
	// From and Until are the hull of the times at which these entries hold; zero means open.
	From, Until time.Time
	// Next is when an entry of the agent begins or ends to hold next; zero for never.
	Next time.Time
}

// Row returns what an agent may sell of the publisher. It looks at no property that names
// another publisher, however many share the file.
func (s *Subject) Row(publisher, agent string, at time.Time) Row {
	return s.RowFor(&Question{Publisher: publisher, Agent: agent, At: at})
}

// RowFor is Row for a question in canonical form, whose properties are to be listed.
func (s *Subject) RowFor(q *Question) Row {
	if s.f == nil {
		return Row{Agent: q.Agent}
	}
	c := s.evaluate(q)
	return c.row(c.items(), q.Agent, true)
}

// Rows returns what each agent of the file may sell of the publisher, without those that may
// sell nothing, by agent. The properties are counted and not listed: there may be thousands of
// agents that sell thousands.
func (s *Subject) Rows(publisher string, at time.Time) []Row {
	if s.f == nil {
		return nil
	}
	var out []Row
	c := s.evaluate(&Question{Publisher: publisher, At: at})
	own := c.items()
	for i := range s.f.agents {
		if r := c.row(own, s.f.str(s.f.agents[i].url), false); r.AuthorizedCount+r.ConditionalCount > 0 {
			out = append(out, r)
		}
	}
	return out
}

// row judges the entries of an agent, which covers each property by itself, and lists the ids of
// what it may sell if they are wanted.
func (c *evaluation) row(own *items, agent string, ids bool) Row {
	r := Row{Agent: agent, Total: len(own.list)}
	clear(own.sold)
	for _, n := range c.f.entriesOf(agent) {
		e := &c.f.entries[n]
		r.next(c.f, e, c.q.At)
		needs, ok := c.judge(n)
		if !ok {
			continue
		}
		r.take(c.f, e)
		for _, p := range c.covered.all() {
			own.sold[own.index[p]].add(needs, e.has(bounded))
		}
	}
	r.fill(own, ids)
	return r
}

// evaluate begins an evaluation that finds everything that entries cover.
func (s *Subject) evaluate(q *Question) *evaluation {
	c := s.wide(q)
	c.full, c.budget = true, unlimited()
	return &c
}

// take adds what an entry is besides what it covers.
func (r *Row) take(f *facts, e *entryFact) {
	from, until := f.bounds(e)
	if len(r.Types) == 0 {
		r.From, r.Until = from, until
	}
	if from.Before(r.From) { // the zero time is before any other
		r.From = from
	}
	if until.IsZero() || !r.Until.IsZero() && until.After(r.Until) {
		r.Until = until
	}
	r.Pinned = r.Pinned || e.has(pinned)
	if kind := e.scope.kind(); !slices.Contains(r.Types, kind) {
		r.Types = append(r.Types, kind)
		slices.SortFunc(r.Types, func(a, b adagents.AuthorizationType) int {
			return slices.Index(kinds, a) - slices.Index(kinds, b)
		})
	}
}

// next notes when an entry begins or ends.
func (r *Row) next(f *facts, e *entryFact, at time.Time) {
	if e.ineffective() {
		return
	}
	from, until := f.bounds(e)
	for _, edge := range [...]time.Time{from, until} {
		if edge.After(at) && (r.Next.IsZero() || edge.Before(r.Next)) {
			r.Next = edge
		}
	}
}

// kinds are the authorization types of the scopes that sell properties, in their order.
var kinds = []adagents.AuthorizationType{
	adagents.ByPropertyIDs, adagents.ByPropertyTags, adagents.ByInlineProperties, adagents.ByPublisherProperties,
}

// kind returns the authorization type of a scope that sells properties.
func (s scope) kind() adagents.AuthorizationType { return kinds[s-scopeIDs] }

// items are the properties of a publisher as Owned lists them. Those with the same id have one
// answer, as questions name them by it: index has the position of each in sold, and list the
// properties with theirs.
type items struct {
	list  []item
	index map[uint32]uint32
	sold  []sale
}

type item struct {
	id string
	at uint32
}

func (c *evaluation) items() *items {
	out := &items{index: map[uint32]uint32{}}
	byID := map[string]uint32{}
	for _, p := range c.ours() {
		one := &c.f.properties[p]
		id := c.f.str(one.id)
		at, again := byID[id]
		if !again || id == "" {
			at = uint32(len(out.sold)) //nolint:gosec // a file has fewer properties
			out.sold = append(out.sold, sale{})
			byID[id] = at
		}
		out.index[p] = at
		if !again || id == "" || one.inline == none {
			out.list = append(out.list, item{id, at})
		}
	}
	c.found = false // what was asked about is looked for again
	return out
}

// sales are what entries say about properties, by what tells these apart.
type sales[K comparable] map[K]sale

// A sale is the best that entries say about a property.
type sale struct {
	// some: an entry covers it.
	some  bool
	needs Needs
	// timed: all of these entries hold for a time.
	timed bool
}

func (s sale) limits() Limits {
	if s.timed {
		return s.needs.Limits() | LimitedTime
	}
	return s.needs.Limits()
}

// add adds what an entry says: what needs nothing is better than what does.
func (s *sale) add(needs Needs, timed bool) {
	switch {
	case !s.some, needs == 0 && s.needs != 0:
		*s = sale{true, needs, timed}
	case needs == 0 || s.needs != 0:
		s.needs |= needs
		s.timed = s.timed && timed
	}
}

func (s sales[K]) add(p K, needs Needs, timed bool) {
	one := s[p]
	one.add(needs, timed)
	s[p] = one
}

// fill counts what is sold, and lists it if that is wanted.
func (r *Row) fill(own *items, wanted bool) {
	for _, p := range own.list {
		one := own.sold[p.at]
		if !one.some {
			continue
		}
		r.Limited |= one.limits()
		ids, count := &r.Authorized, &r.AuthorizedCount
		if one.needs != 0 {
			ids, count = &r.Conditional, &r.ConditionalCount
		}
		*count++
		if wanted && p.id != "" {
			*ids = append(*ids, p.id)
		}
	}
	for _, ids := range [...]*[]string{&r.Authorized, &r.Conditional} {
		slices.Sort(*ids)
		*ids = slices.Compact(*ids)
	}
}
