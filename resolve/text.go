package resolve

import (
	"github.com/avow-project/avow/internal/std/textsafe"
)

var stateTexts = [...]string{
	Unreachable: "unreachable",
	Absent:      "absent",
	Unusable:    "unusable",
	Usable:      "usable",
	Withheld:    "withheld",
}

// String returns the stable text of the state.
func (s State) String() string { return textOf(stateTexts[:], int(s)) }

// MarshalText returns the stable text of the state.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

var verdictTexts = [...]string{
	Unverified:    "unverified",
	UnusableFile:  "unusable",
	NoneAsserted:  "none_asserted",
	NotAuthorized: "not_authorized",
	Conditional:   "conditional",
	Authorized:    "authorized",
}

// String returns the stable text of the verdict.
func (v Verdict) String() string { return textOf(verdictTexts[:], int(v)) }

// MarshalText returns the stable text of the verdict.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

func textOf(texts []string, i int) string {
	if i >= len(texts) {
		return "unknown"
	}
	return texts[i]
}

// shown is the number of cells a value from outside takes in a message.
const shown = 80

// quote prepares a value from a file or a question for a message.
func quote(s string) string { return `"` + textsafe.Line(s, shown) + `"` }

func withDetail(message, detail string) string {
	if detail == "" {
		return message
	}
	return message + ": " + detail
}
