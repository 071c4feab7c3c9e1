package resolve

import "slices"

// An Agreement is how two sides of one path describe it: the publisher's file by
// delegation_type, the operator's brand.json by relationship.
type Agreement uint8

// The outcomes. The text of each is stable.
const (
	// NotStated: one side says nothing that could be compared.
	NotStated Agreement = iota
	// Agrees: both say the same.
	Agrees
	// Contradicts: they say different things.
	Contradicts
	// OwnedNoCounterpart: the operator declares the property its own, for which
	// the file has no word.
	OwnedNoCounterpart
)

var agreementTexts = [...]string{
	NotStated:          "not_stated",
	Agrees:             "agrees",
	Contradicts:        "contradicts",
	OwnedNoCounterpart: "owned_no_counterpart",
}

// String returns the stable text of the outcome.
func (a Agreement) String() string { return textOf(agreementTexts[:], int(a)) }

// MarshalText returns the stable text of the outcome.
func (a Agreement) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

var delegations = []string{"direct", "delegated", "ad_network"}

// Agree compares the delegation_type of an entry with the relationship that the
// operator's brand.json declares for the same property. A word that neither format
// defines contradicts one that is defined, and says nothing beside another.
func Agree(delegationType, relationship string) Agreement {
	if relationship == "owned" {
		return OwnedNoCounterpart
	}
	if delegationType == "" || relationship == "" {
		return NotStated
	}
	known := slices.Contains(delegations, delegationType)
	switch {
	case known && delegationType == relationship:
		return Agrees
	case known || slices.Contains(delegations, relationship):
		return Contradicts
	}
	return NotStated
}
