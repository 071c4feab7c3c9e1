package operator

import (
	"slices"

	"github.com/avow-project/avow/resolve"
)

// MaxPaths is how many paths a comparison lists.
const MaxPaths = 100

// A Comparison is what both sides say about the paths of one agent.
type Comparison struct {
	Statement *Statement
	// Agreement is the most serious of those of the paths, and Gravest is how many of all paths
	// have it.
	Agreement Agreement
	Gravest   int
	// Paths has one line for each entry and each property that it covers. When there are
	// more than MaxPaths it has the most serious, and Omitted is how many were left out.
	Paths   []Path
	Omitted int

	// least is the least gravity among the listed ones, as far as that was looked up.
	least int
}

// A Path is one property that an entry lets the agent sell.
type Path struct {
	// Entry is the JSON Pointer of the entry, PublisherDomain and PropertyID name the
	// property.
	Entry, PublisherDomain, PropertyID string
	// DelegationType is what the entry says, Relationship what the brand.json says at
	// Pointer; each is empty where nothing is said.
	DelegationType, Relationship, Pointer string
	Agreement                             Agreement
	// Message says what that means for people.
	Message string
}

// Compare compares a statement with the entries that let the agent sell. Nothing comes of
// entries that cover no property.
func Compare(s *Statement, grants []resolve.Grant) *Comparison {
	c := &Comparison{Statement: s, Agreement: Agree}
	for i := range grants {
		g := &grants[i]
		for k := range g.Properties {
			p := s.path(g, &g.Properties[k])
			c.count(p.Agreement)
			c.list(p)
		}
	}
	if len(c.Paths) == 0 {
		c.Agreement = AgreementUnknown
	}
	for i := range c.Paths {
		c.Paths[i].Message = s.message(&c.Paths[i])
	}
	return c
}

// GravestFirst returns the listed paths in the order in which a buyer should look at them.
func (c *Comparison) GravestFirst() []Path {
	return slices.SortedStableFunc(slices.Values(c.Paths), func(a, b Path) int {
		return gravity(b.Agreement) - gravity(a.Agreement)
	})
}

// Total is how many paths were compared.
func (c *Comparison) Total() int { return len(c.Paths) + c.Omitted }

// count notes the agreement of another path.
func (c *Comparison) count(a Agreement) {
	switch {
	case a == c.Agreement:
		c.Gravest++
	case gravity(a) > gravity(c.Agreement):
		c.Agreement, c.Gravest = a, 1
	}
}

// list adds a path. When there is no room it takes the place of the last one of those that
// are less grave, or is left out.
func (c *Comparison) list(p Path) {
	if len(c.Paths) < MaxPaths {
		c.Paths = append(c.Paths, p)
		return
	}
	c.Omitted++
	if gravity(p.Agreement) <= c.least {
		return
	}
	c.least = gravity(slices.MinFunc(c.Paths, func(a, b Path) int {
		return gravity(a.Agreement) - gravity(b.Agreement)
	}).Agreement)
	for i := len(c.Paths) - 1; i >= 0 && gravity(p.Agreement) > c.least; i-- {
		if gravity(c.Paths[i].Agreement) == c.least {
			c.Paths = append(slices.Delete(c.Paths, i, i+1), p)
			return
		}
	}
}

// Nothing is the comparison where there is nothing to compare; why says why.
func Nothing(why string) *Comparison { return Compare(&Statement{Detail: why}, nil) }

// Covered reports whether entries cover a property, so that there is something to compare.
func Covered(grants []resolve.Grant) bool {
	return slices.ContainsFunc(grants, func(g resolve.Grant) bool { return len(g.Properties) > 0 })
}

// path compares one property that an entry covers.
func (s *Statement) path(g *resolve.Grant, covered *resolve.Covered) Path {
	p := Path{
		Entry: g.Entry, PublisherDomain: covered.PublisherDomain, PropertyID: covered.PropertyID,
		DelegationType: g.DelegationType,
	}
	p.Agreement = s.agreement(&p, covered)
	return p
}

// agreement fills in what the operator says and compares.
func (s *Statement) agreement(p *Path, covered *resolve.Covered) Agreement {
	switch {
	case s.State == AgentAmbiguous:
		return Ambiguous
	case !s.State.silent():
		return AgreementUnknown
	case s.State != Found || covered.Property == nil:
		return CompareRelationship(p.DelegationType, "")
	}
	first, other := s.claims.of(covered.Property)
	switch {
	case first == nil:
		return CompareRelationship(p.DelegationType, "")
	case other != nil:
		p.Pointer = other.pointer
		return Ambiguous
	}
	p.Relationship, p.Pointer = first.relationship, first.pointer
	return CompareRelationship(p.DelegationType, p.Relationship)
}

// gravest has the agreements by how much a buyer should mind.
var gravest = [...]Agreement{
	Agree, Inline, AgreementUnknown, IncompletePublisher, IncompleteOperator,
	NotComparable, Ambiguous, Mismatch,
}

func gravity(a Agreement) int { return slices.Index(gravest[:], a) }
