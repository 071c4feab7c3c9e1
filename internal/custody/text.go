package custody

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/std/textsafe"
)

var outcomeTexts = []string{
	Failed: "failed", Invalid: "invalid", Whole: "whole", NotModified: "not_modified", Gone: "gone", Denied: "denied",
}

// String returns the stable text of the outcome.
func (o Outcome) String() string { return textOf(outcomeTexts, int(o)) }

// MarshalText returns the stable text of the outcome.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads the stable text of an outcome.
func (o *Outcome) UnmarshalText(text []byte) error {
	i, err := indexOf("outcome", outcomeTexts, text)
	*o = Outcome(i)
	return err
}

var severityTexts = []string{Info: "info", Warning: "warning", Alert: "alert"}

// String returns the stable text of the severity.
func (s Severity) String() string { return textOf(severityTexts, int(s)) }

// MarshalText returns the stable text of the severity.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the stable text of a severity.
func (s *Severity) UnmarshalText(text []byte) error {
	i, err := indexOf("severity", severityTexts, text)
	*s = Severity(i)
	return err
}

var standingTexts = []string{
	Unknown: "unknown", Fresh: "fresh", Stale: "stale", Expired: "expired", Ended: "ended", Shut: "shut",
}

// String returns the stable text of the standing.
func (s Standing) String() string { return textOf(standingTexts, int(s)) }

// MarshalText returns the stable text of the standing.
func (s Standing) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Usable reports whether a record of this standing may be used.
func (s Standing) Usable() bool { return s == Fresh || s == Stale }

func textOf(texts []string, i int) string {
	if i >= len(texts) {
		return "unknown"
	}
	return texts[i]
}

// indexOf is strict: a record with a text that this version does not know was damaged, or
// written by a later one, and must not be read as something milder.
func indexOf(what string, texts []string, text []byte) (uint8, error) {
	i := slices.Index(texts, string(text))
	if i < 0 {
		return 0, fmt.Errorf("%s %q is not known", what, textsafe.Line(string(text), shown))
	}
	return uint8(i), nil
}

// shown is the number of cells a value from outside takes in a message, and kept the
// number of bytes of it that a record or a change keeps.
const (
	shown = 120
	kept  = 1_000
)

// quote puts a value from outside into a message.
func quote(s string) string { return `"` + textsafe.Line(s, shown) + `"` }

// cut bounds a text from outside. Longer texts are not worth keeping.
func cut(s string) string {
	if len(s) <= kept {
		return s
	}
	end := kept
	for end > kept-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return textsafe.Line(s[:end], kept)
}

// UnusablePrefix begins what is said about a file that came and must not be used.
const UnusablePrefix = "the file cannot be used: "

// say adds an event with the severity of its code and returns it, to be completed.
func say(events *[]Event, e Event) *Event {
	e.Severity = severityOf(e.Code)
	*events = append(*events, e)
	return &(*events)[len(*events)-1]
}

// changed adds the changes of a version, as many as an event takes.
func (e *Event) changed(changes []Change) {
	e.Changes = changes[:min(len(changes), MaxChanges):min(len(changes), MaxChanges)]
	e.More = len(changes) - len(e.Changes)
}

func withDetail(message, detail string) string {
	if detail == "" {
		return message
	}
	return message + ": " + cut(detail)
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
