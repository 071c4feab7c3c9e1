package resolve

import (
	"encoding"
	"testing"
)

func TestTexts(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]interface {
		encoding.TextMarshaler
		String() string
	}{
		"unreachable": Unreachable, "absent": Absent, "unusable": Unusable, "usable": Usable,
		"unverified": Unverified, "none_asserted": NoneAsserted, "not_authorized": NotAuthorized, "conditional": Conditional, "authorized": Authorized,
		"agree": Agree, "mismatch": Mismatch, "inline": Inline, "ambiguous": Ambiguous, "not_comparable": NotComparable,
		"incomplete_publisher": IncompletePublisher, "incomplete_operator": IncompleteOperator,
		"unknown": Verdict(99),
	} {
		text, err := v.MarshalText()
		if err != nil || string(text) != want || v.String() != want {
			t.Errorf("%d is %q %q, want %q", v, v, text, want)
		}
	}
	if UnusableFile.String() != "unusable" {
		t.Error(UnusableFile)
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
