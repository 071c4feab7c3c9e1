package diff

import (
	"fmt"
	"io"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/words"
)

// Text writes changes for people.
type Text struct {
	W     io.Writer
	Paint console.Style
	Width int
}

// comparison writes a line per change, then how far they reach.
func (t *Text) comparison(c *comparison) {
	t.Changes(c.changes, "")
	if len(c.changes) > 0 {
		fmt.Fprintln(t.W)
	}
	fmt.Fprintf(t.W, "%s\n", console.Wrap(console.Safe(comparisonWords(c)), t.Width))
	if len(c.all) == 0 {
		return
	}
	for _, s := range []struct {
		label string
		side  *Side
	}{{"before:", c.old}, {"after:", c.next}} {
		fmt.Fprintf(t.W, "%s%s\n", t.Paint.Dim(console.Padded(s.label, len("before: "))), sideWords(s.side))
	}
}

// Changes writes a line per change.
func (t *Text) Changes(list []custody.Change, indent string) {
	for i := range list {
		c := &list[i]
		fmt.Fprintf(t.W, "%s%s %s %s\n", indent, t.Severity(c.Severity), console.Safe(redact.Credentials(c.Message)), t.Paint.Dim("["+c.Code+"]"))
	}
}

// Severity is the word for a severity, all of the same width.
func (t *Text) Severity(s custody.Severity) string {
	return t.Paint.Custody(s, console.Padded(s.String(), len("warning")))
}

// comparisonWords sum a comparison up.
func comparisonWords(c *comparison) string {
	switch {
	case c.old.hash == c.next.hash:
		return "no changes: the bytes are the same"
	case len(c.all) == 0:
		return "no changes: the bytes differ, what they say does not"
	case len(c.changes) == 0:
		return "no changes of that severity; " + words.Plural(len(c.all), "milder one is", "milder ones are") + " not shown"
	}
	text := words.Plural(len(c.changes), "change", "changes") + ": " + severityCounts(c.changes)
	if milder := len(c.all) - len(c.changes); milder > 0 {
		text += "; " + words.Plural(milder, "milder one is", "milder ones are") + " not shown"
	}
	return text
}

// severityCounts say how many changes there are of each severity.
func severityCounts(list []custody.Change) string {
	counts, text := countSeverities(list), ""
	for s := int(custody.Alert); s >= int(custody.Info); s-- {
		if counts[s] == 0 {
			continue
		}
		if text != "" {
			text += ", "
		}
		name := custody.Severity(s).String()
		many := name + "s"
		if custody.Severity(s) == custody.Info {
			many = name
		}
		text += words.Plural(counts[s], name, many)
	}
	return text
}

// sideWords say which version it is and what it has.
func sideWords(s *Side) string {
	const digits = 12
	text := console.Safe(redact.Credentials(s.name)) + ", SHA-256 " + s.hash[:digits] + console.Ellipsis
	if s.report.File == nil {
		return text + ": a pointer to " + console.Safe(redact.URL(pointerOf(s.report)))
	}
	return text + ": " + report.DescribeUsable(s.report.File)
}

func countSeverities(list []custody.Change) [custody.Alert + 1]int {
	var counts [custody.Alert + 1]int
	for i := range list {
		counts[list[i].Severity]++
	}
	return counts
}
