package operator

import (
	"slices"
)

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
