package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// principal are the members of which an answer must have at least one, by kind. The others are
// compared if an implementation gives them.
var principal = map[string][]string{
	"check":       {"valid"},
	"discovery":   {"answer", "usable"},
	"redirect":    {"answer", "usable"},
	"authorize":   {"verdict", "authorized"},
	"resolve":     {"properties", "signals"},
	"formats":     {"formats", "accepted"},
	"agent_url":   {"canonical", "same"},
	"identifier":  {"match"},
	"signature":   {"verdict", "accepted"},
	"supply_path": {"state", "files", "partners"},
	"create":      {"created"},
}

// An Answer is what an implementation said about a case. One of the members is set.
type Answer struct {
	Answer map[string]any `json:"answer,omitzero"`
	// Unsupported says why the implementation has no answer to questions of this kind.
	Unsupported string `json:"unsupported,omitzero"`
	// Error says why the question is refused. Some questions have to be.
	Error string `json:"error,omitzero"`
	// Lost reports that nothing answered; Error says why.
	Lost bool `json:"-"`
}

// An Outcome is what became of a case.
type Outcome string

// The outcomes.
const (
	Passed      Outcome = "passed"
	Failed      Outcome = "failed"
	Unsupported Outcome = "unsupported"
)

// Judge compares an answer with that of a case. The text says what is wrong, or unsupported.
func Judge(c *Case, a *Answer) (Outcome, string) {
	refused, _ := c.Want["error"].(bool)
	switch {
	case a.Unsupported != "":
		return Unsupported, a.Unsupported
	case a.Lost:
		return Failed, a.Error
	case a.Error != "" && refused:
		return Passed, ""
	case a.Error != "":
		return Failed, "it answers with an error: " + a.Error
	case a.Answer == nil:
		return Failed, "the answer is empty"
	case refused:
		return Failed, "it answers a question that has to be refused: " + brief(a.Answer)
	}
	return judgeMembers(c, a.Answer)
}

func judgeMembers(c *Case, got map[string]any) (Outcome, string) {
	compared := false
	for _, name := range principal[c.Kind] {
		_, wanted := c.Want[name]
		_, given := got[name]
		compared = compared || wanted && given
	}
	if !compared {
		if _, only := got["authorized"]; only && c.Kind == "authorize" {
			return Unsupported, "the answer needs more words than yes and no"
		}
		return Failed, fmt.Sprintf("the answer has none of the members %s: %s", strings.Join(wantedOf(c), ", "), brief(got))
	}
	var wrong []string
	for _, name := range sortedKeys(c.Want) {
		value, given := got[name]
		if given && !same(c.Want[name], value) {
			wrong = append(wrong, fmt.Sprintf("%s is %s and should be %s", name, brief(value), brief(c.Want[name])))
		}
	}
	if len(wrong) > 0 {
		return Failed, strings.Join(wrong, "; ")
	}
	return Passed, ""
}

// wantedOf returns the principal members of the answer to a case.
func wantedOf(c *Case) []string {
	return slices.DeleteFunc(slices.Clone(principal[c.Kind]), func(name string) bool { _, ok := c.Want[name]; return !ok })
}

func sortedKeys(m map[string]any) []string {
	var all []string
	for name := range m {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// same compares values. The order of lists does not matter.
func same(want, got any) bool { return text(want) == text(got) }

// text writes a value in a form that is the same for equal values.
func text(v any) string {
	b, err := json.Marshal(ordered(v), json.Deterministic(true))
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// ordered sorts the lists in a value.
func ordered(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, 0, len(v))
		for _, e := range v {
			out = append(out, ordered(e))
		}
		slices.SortFunc(out, func(a, b any) int { return cmp.Compare(text(a), text(b)) })
		return out
	case map[string]any:
		out := map[string]any{}
		for name, e := range v {
			out[name] = ordered(e)
		}
		return out
	}
	return v
}

// longest is how much of a value a message repeats.
const longest = 300

// brief writes a value for a message.
func brief(v any) string {
	s := text(v)
	if len(s) > longest {
		s = strings.ToValidUTF8(s[:longest], "") + "..."
	}
	return s
}
