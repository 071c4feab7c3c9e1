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
