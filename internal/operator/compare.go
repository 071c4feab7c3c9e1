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

// relationships are the words of a brand.json.
var relationships = []string{owned, "direct", "delegated", "ad_network"}

// Action returns what a buyer should do: proceed, or hold the purchase until a person has
// looked at it. The authorization itself stands in both cases.
func Action(a Agreement) string {
	if a.Proceed() {
		return "proceed"
	}
	return "hold"
}

// Action returns what a buyer should do about the most serious of the paths.
func (c *Comparison) Action() string { return Action(c.Agreement) }

// Advice says what to do, which where nothing is known depends on why.
func (c *Comparison) Advice() string {
	switch {
	case len(c.Paths) == 0:
		return "nothing was compared"
	case c.Agreement == AgreementUnknown && c.Statement.State == Unreachable:
		return "hold for a person, or ask again later: what the operator says could not be determined"
	}
	return agreementCodes[c.Agreement].Hint
}

// message says what both sides say about a path.
func (s *Statement) message(p *Path) string {
	file := "the publisher's file calls the path " + p.DelegationType
	if p.DelegationType == "" {
		file = "the publisher's file does not say what the path is"
	}
	switch p.Agreement {
	case Ambiguous:
		if s.State == AgentAmbiguous {
			return file + "; " + s.Detail
		}
		return file + ", and the brand.json lists the property with different relationships"
	case AgreementUnknown, IncompleteOperator:
		return file + ", and " + s.silence()
	case Inline:
		return file + ", and the operator declares the property its own"
	case NotComparable:
		if p.Relationship == owned && p.DelegationType != "" {
			return file + ", while the operator declares the property its own"
		}
		if !slices.Contains(relationships, p.Relationship) {
			return file + ", and the operator uses a word that is not defined: " + p.Relationship
		}
		return file + ", which is not defined, and the operator calls it " + p.Relationship
	case Agree:
		return "both sides call the path " + p.Relationship
	}
	return file + ", and the operator calls it " + p.Relationship
}

// silence says why nothing is known from the operator.
func (s *Statement) silence() string {
	switch s.State {
	case Found:
		return "the brand.json of the operator does not list the property"
	case Absent:
		return "the operator has no brand.json"
	}
	return s.Detail
}
