package diff

import (
	"fmt"
	"io"

	"github.com/avow-project/avow/internal/changes"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/words"
)

// Text writes changes for people.
type Text struct {
	W     io.Writer
	Paint console.Style
	Width int
	// Each shows every change of a comparison by itself.
	Each bool
}

// Comparison writes the changes, then how far they reach.
func (t *Text) Comparison(c *Comparison) {
	for _, l := range c.lines(t.Each) {
		t.line("", l.Severity, l.Text, l.Code)
	}
	if len(c.Changes) > 0 {
		fmt.Fprintln(t.W)
	}
	fmt.Fprintf(t.W, "%s\n", console.Wrap(console.Safe(comparisonWords(c)), t.Width))
	if len(c.all) == 0 {
		return
	}
	if reach := changes.ReachWords(c.reach); reach != "" {
		fmt.Fprintf(t.W, "affected: %s\n", reach)
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
		t.line(indent, list[i].Severity, changes.Words(&list[i]), list[i].Code)
	}
}

func (t *Text) line(indent string, s custody.Severity, text, code string) {
	fmt.Fprintf(t.W, "%s%s %s %s\n", indent, t.Severity(s), console.Safe(text), t.Paint.Dim("["+code+"]"))
}

// Severity is the word for a severity, all of the same width.
func (t *Text) Severity(s custody.Severity) string {
	return t.Paint.Custody(s, console.Padded(s.String(), len("warning")))
}

// comparisonWords sum a comparison up.
func comparisonWords(c *Comparison) string {
	switch {
	case c.old.hash == c.next.hash:
		return "no changes: the bytes are the same"
	case len(c.all) == 0:
		return "no changes that avow compares: the bytes differ in spelling, order or other members"
	case len(c.Changes) == 0:
		return "no changes of that severity; " + words.Plural(len(c.all), "milder one is", "milder ones are") + " not shown"
	}
	text := words.Plural(len(c.Changes), "change", "changes") + ": " + severityCounts(c.Changes)
	if milder := len(c.all) - len(c.Changes); milder > 0 {
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
