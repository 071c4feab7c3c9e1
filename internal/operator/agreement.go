package operator

import "slices"

// An Agreement is how two sides of one path describe it: the publisher's file by
// delegation_type, the operator's brand.json by relationship. It is a second result
// beside the verdict, which it never changes: the file alone authorizes.
type Agreement uint8

// The outcomes. The text of each is stable.
const (
	// AgreementUnknown: neither side says anything, or what the operator says could not
	// be determined.
	AgreementUnknown Agreement = iota
	// Agree: both say the same.
	Agree
	// Inline: the operator declares the property its own and the file does not delegate
	// it, so there is nothing to compare.
	Inline
	// Mismatch: they say different things.
	Mismatch
	// IncompletePublisher: the operator describes the path, the publisher does not.
	IncompletePublisher
	// IncompleteOperator: the publisher describes the path, the operator says nothing
	// about the property.
	IncompleteOperator
	// NotComparable: the operator declares the property its own while the publisher
	// says that another company sells it, or a side uses a word that is not defined.
	NotComparable
	// Ambiguous: the operator says several things, and none of them counts.
	Ambiguous
)

var agreementTexts = [...]string{
	AgreementUnknown: "unknown", Agree: "agree", Inline: "inline", Mismatch: "mismatch",
	IncompletePublisher: "incomplete_publisher", IncompleteOperator: "incomplete_operator",
	NotComparable: "not_comparable", Ambiguous: "ambiguous",
}

// String returns the stable text of the outcome.
func (a Agreement) String() string { return agreementTexts[a] }

// MarshalText returns the stable text of the outcome.
func (a Agreement) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// Proceed reports whether a buyer may go on without asking a person: both sides agree, or
// there is nothing that they could disagree about.
func (a Agreement) Proceed() bool { return a == Agree || a == Inline }

var delegations = []string{"direct", "delegated", "ad_network"}

// CompareRelationship compares the delegation_type of an entry with the relationship that
// the operator's brand.json declares for the same property. An empty relationship means
// that the operator does not list the property: one that is listed without a
// relationship is owned.
func CompareRelationship(delegationType, relationship string) Agreement {
	described := slices.Contains(delegations, delegationType)
	switch {
	case relationship == "" && delegationType == "":
		return AgreementUnknown
	case relationship == "":
		return IncompleteOperator
	case delegationType != "" && !described:
		return NotComparable
	case relationship == "owned" && (delegationType == "" || delegationType == "direct"):
		return Inline
	case !slices.Contains(delegations, relationship):
		return NotComparable
	case delegationType == "":
		return IncompletePublisher
	case delegationType == relationship:
		return Agree
	}
	return Mismatch
}
