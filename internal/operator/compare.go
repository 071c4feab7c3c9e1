package operator

import (
	"slices"

	"github.com/avow-project/avow/resolve"
)

// A Comparison is what both sides say about the paths of one agent.
type Comparison struct {
	Statement *Statement
	// Agreement is the gravest of those of the paths.
	Agreement resolve.Agreement
	// Paths has one line for each entry and each property that it covers.
	Paths []Path
}

// A Path is one property that an entry lets the agent sell.
type Path struct {
	// Entry is the JSON Pointer of the entry, PublisherDomain and PropertyID name the
	// property.
	Entry, PublisherDomain, PropertyID string
	// DelegationType is what the entry says, Relationship what the brand.json says at
	// Pointer; each is empty where nothing is said.
	DelegationType, Relationship, Pointer string
	Agreement                             resolve.Agreement
	// Message says what that means for people.
	Message string
}

// Compare compares a statement with the entries that let the agent sell. Nothing comes of
// entries that cover no property.
func Compare(s *Statement, grants []resolve.Grant) *Comparison {
	c := &Comparison{Statement: s, Agreement: resolve.Agree}
	for i := range grants {
		g := &grants[i]
		for k := range g.Properties {
			c.Paths = append(c.Paths, s.path(g, &g.Properties[k]))
		}
	}
	if len(c.Paths) == 0 {
		c.Agreement = resolve.AgreementUnknown
		return c
	}
	for i := range c.Paths {
		c.Agreement = graver(c.Agreement, c.Paths[i].Agreement)
	}
	return c
}

// Nothing is the comparison where there is nothing to compare; why says why.
func Nothing(why string) *Comparison { return Compare(&Statement{Detail: why}, nil) }

// Covered reports whether entries cover a property, so that there is something to compare.
func Covered(grants []resolve.Grant) bool {
	return slices.ContainsFunc(grants, func(g resolve.Grant) bool { return len(g.Properties) > 0 })
}

func (s *Statement) path(g *resolve.Grant, covered *resolve.Covered) Path {
	p := Path{
		Entry: g.Entry, PublisherDomain: covered.PublisherDomain, PropertyID: covered.PropertyID, DelegationType: g.DelegationType,
	}
	p.Agreement = s.agreement(&p, covered)
	p.Message = s.message(&p)
	return p
}

// agreement fills in what the operator says and compares.
func (s *Statement) agreement(p *Path, covered *resolve.Covered) resolve.Agreement {
	switch {
	case s.State == AgentAmbiguous:
		return resolve.Ambiguous
	case !s.State.silent():
		return resolve.AgreementUnknown
	case s.State != Found || covered.Property == nil:
		return resolve.CompareRelationship(p.DelegationType, "")
	}
	first, other := s.claims.of(covered.Property)
	switch {
	case first == nil:
		return resolve.CompareRelationship(p.DelegationType, "")
	case other != nil:
		p.Pointer = other.pointer
		return resolve.Ambiguous
	}
	p.Relationship, p.Pointer = first.relationship, first.pointer
	return resolve.CompareRelationship(p.DelegationType, p.Relationship)
}

// gravity orders agreements by how much a buyer should mind.
var gravity = [...]resolve.Agreement{
	resolve.Agree, resolve.Inline, resolve.AgreementUnknown, resolve.IncompletePublisher, resolve.IncompleteOperator,
	resolve.NotComparable, resolve.Ambiguous, resolve.Mismatch,
}

func graver(a, b resolve.Agreement) resolve.Agreement {
	for i := len(gravity) - 1; i > 0; i-- {
		if gravity[i] == a || gravity[i] == b {
			return gravity[i]
		}
	}
	return resolve.Agree
}
