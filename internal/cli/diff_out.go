package cli

import (
	"fmt"
	"io"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/words"
)

// comparisonDocument is the JSON output of the diff command. Its members are a contract
// like those of jsonResult.
type comparisonDocument struct {
	Old     jsonSide     `json:"old"`
	New     jsonSide     `json:"new"`
	Changes []jsonChange `json:"changes"`
	// Worst is null when there are no changes.
	Worst  *string        `json:"worst"`
	Counts map[string]int `json:"counts"`
}

type jsonSide struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	// URL and AdoptedAt are those of a version that was kept.
	URL       string `json:"url,omitempty"`
	AdoptedAt string `json:"adopted_at,omitempty"`
	// Kind and what the version has; a pointer has nothing itself.
	Kind   string      `json:"kind"`
	Usable *jsonUsable `json:"usable"`
}

// jsonChange is a custody.Change without secrets.
type jsonChange struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Subject  string `json:"subject,omitempty"`
	Before   string `json:"before,omitempty"`
	After    string `json:"after,omitempty"`
	Pointer  string `json:"pointer,omitempty"`
	Message  string `json:"message"`
}

func changesForJSON(list []custody.Change) []jsonChange {
	docs := make([]jsonChange, 0, len(list))
	for i := range list {
		c := &list[i]
		docs = append(docs, jsonChange{
			Code: c.Code, Severity: c.Severity.String(), Subject: redact.Credentials(c.Subject), Before: redact.Credentials(c.Before),
			After: redact.Credentials(c.After), Pointer: c.Pointer, Message: redact.Credentials(c.Message),
		})
	}
	return docs
}

func comparisonDocumentOf(c *comparison) comparisonDocument {
	doc := comparisonDocument{
		Old: sideForJSON(c.old), New: sideForJSON(c.next), Changes: changesForJSON(c.changes), Counts: map[string]int{},
	}
	counts := countSeverities(c.changes)
	for s := custody.Info; s <= custody.Alert; s++ {
		doc.Counts[s.String()] = counts[s]
	}
	if len(c.changes) > 0 {
		worst := custody.Worst(c.changes).String()
		doc.Worst = &worst
	}
	return doc
}

func sideForJSON(s *side) jsonSide {
	return jsonSide{
		Name: redact.Credentials(s.name), SHA256: s.hash, URL: redact.URL(s.url), AdoptedAt: s.adopted,
		Kind: s.report.Kind.String(), Usable: usableForJSON(s.report),
	}
}

func countSeverities(list []custody.Change) [custody.Alert + 1]int {
	var counts [custody.Alert + 1]int
	for i := range list {
		counts[list[i].Severity]++
	}
	return counts
}

func (a *app) showComparison(f *diffFlags, c *comparison) error {
	out, err := a.openOutput(f.output)
	if err != nil {
		return err
	}
	if f.format.value == "json" {
		err = writeJSONLine(out.w, comparisonDocumentOf(c))
	} else {
		t := &changeText{w: out.w, width: a.textWidth()}
		if f.output == "" {
			t.paint = a.style(Stdout)
		}
		t.comparison(c)
	}
	return out.close(err)
}

// changeText writes changes for people.
type changeText struct {
	w     io.Writer
	paint style
	width int
}

// comparison writes a line per change, then how far they reach.
func (t *changeText) comparison(c *comparison) {
	t.changes(c.changes, "")
	if len(c.changes) > 0 {
		fmt.Fprintln(t.w)
	}
	fmt.Fprintf(t.w, "%s\n", wrap(safe(comparisonWords(c)), t.width))
	if len(c.all) == 0 {
		return
	}
	for _, s := range []struct {
		label string
		side  *side
	}{{"before:", c.old}, {"after:", c.next}} {
		fmt.Fprintf(t.w, "%s%s\n", t.paint.dim(padded(s.label, len("before: "))), sideWords(s.side))
	}
}

// changes writes a line per change.
func (t *changeText) changes(list []custody.Change, indent string) {
	for i := range list {
		c := &list[i]
		fmt.Fprintf(t.w, "%s%s %s %s\n", indent, t.severity(c.Severity), safe(redact.Credentials(c.Message)), t.paint.dim("["+c.Code+"]"))
	}
}

// severity is the word for a severity, all of the same width.
func (t *changeText) severity(s custody.Severity) string {
	return t.paint.custody(s, padded(s.String(), len("warning")))
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
func sideWords(s *side) string {
	const digits = 12
	text := safe(redact.Credentials(s.name)) + ", SHA-256 " + s.hash[:digits] + ellipsis
	if s.report.File == nil {
		return text + ": a pointer to " + safe(redact.URL(pointerOf(s.report)))
	}
	return text + ": " + describeUsable(s.report.File)
}
