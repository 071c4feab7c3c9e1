package operator

import "testing"

func TestAgreementTexts(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]Agreement{
		"unknown": AgreementUnknown, "agree": Agree, "mismatch": Mismatch, "inline": Inline, "ambiguous": Ambiguous, "not_comparable": NotComparable,
		"incomplete_publisher": IncompletePublisher, "incomplete_operator": IncompleteOperator,
	} {
		text, err := a.MarshalText()
		if err != nil || string(text) != want || a.String() != want {
			t.Errorf("%d is %q %q, want %q", a, a, text, want)
		}
	}
}

// TestCompareRelationship compares what both sides of a path say about it: every word of
// one side beside every word of the other.
func TestCompareRelationship(t *testing.T) {
	t.Parallel()
	delegations := []string{"", "direct", "delegated", "ad_network", "reseller"}
	for relationship, want := range map[string][]Agreement{
		"owned":      {Inline, Inline, NotComparable, NotComparable, NotComparable},
		"direct":     {IncompletePublisher, Agree, Mismatch, Mismatch, NotComparable},
		"delegated":  {IncompletePublisher, Mismatch, Agree, Mismatch, NotComparable},
		"ad_network": {IncompletePublisher, Mismatch, Mismatch, Agree, NotComparable},
		"":           {AgreementUnknown, IncompleteOperator, IncompleteOperator, IncompleteOperator, IncompleteOperator},
		"reseller":   {NotComparable, NotComparable, NotComparable, NotComparable, NotComparable},
		"Direct":     {NotComparable, NotComparable, NotComparable, NotComparable, NotComparable},
	} {
		for i, delegation := range delegations {
			got := CompareRelationship(delegation, relationship)
			if got != want[i] {
				t.Errorf("relationship %q, delegation_type %q: got %v, want %v", relationship, delegation, got, want[i])
			}
			if got.Proceed() != (got == Agree || got == Inline) {
				t.Errorf("%v: proceed %v", got, got.Proceed())
			}
		}
	}
}
