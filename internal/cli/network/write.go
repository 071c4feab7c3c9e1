package network

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/rollout"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/wire"
)

// write writes the report, and the messages.
func (v *visitor) write() error {
	a, f, s, out := v.app, v.flags, v.summary, &v.out
	var err error
	switch f.format.Value {
	case "json":
		err = console.WriteJSONPretty(out, documentOf(s))
	case "ndjson":
		d := documentOf(s)
		err = console.WriteJSONLine(out, lastLine{d.File, d.Counts, d.Named, d.Reached, d.Contested})
	case "csv":
		err = s.WriteCSV(out, a.Comma)
	case "markdown":
		writeMarkdown(s, out)
	case "html":
		err = writeHTML(out, s)
	default:
		writeText(s, out, a)
	}
	if err != nil {
		return err
	}
	err = a.WriteResult(f.out, out.Bytes(), f.force)
	if err != nil || f.folder == "" {
		return err
	}
	return writeMessages(s, a, f.folder)
}

// A document is the report as JSON. Its members are a contract.
type document struct {
	File       string                `json:"file"`
	Counts     map[rollout.State]int `json:"counts"`
	Publishers []publisherDocument   `json:"publishers"`
	// Named is the number of publishers that the file names, and Reached that of those who
	// lead to it.
	Named     int               `json:"named"`
	Reached   int               `json:"reached"`
	Contested []contestDocument `json:"contested"`
}

// A lastLine comes after those of all publishers.
type lastLine struct {
	File      string                `json:"file"`
	Counts    map[rollout.State]int `json:"counts"`
	Named     int                   `json:"named"`
	Reached   int                   `json:"reached"`
	Contested []contestDocument     `json:"contested"`
}

type publisherDocument struct {
	Publisher string        `json:"publisher"`
	State     rollout.State `json:"state"`
	Code      string        `json:"code"`
	Detail    string        `json:"detail"`
	URL       string        `json:"url"`
}

type contestDocument struct {
	Type      string   `json:"type"`
	Value     string   `json:"value"`
	ClaimedBy []string `json:"claimed_by"`
}

func publisherOf(r *rollout.Row) publisherDocument {
	return publisherDocument{string(r.Publisher), r.State, r.Code, r.Detail, r.URL}
}

func documentOf(s *rollout.Summary) *document {
	d := &document{File: s.File(), Counts: make(map[rollout.State]int), Publishers: []publisherDocument{}, Named: s.Named,
		Reached: s.Reached, Contested: []contestDocument{}}
	for _, state := range rollout.States() {
		d.Counts[state] = s.Counts[state]
	}
	for i := range s.Rows {
		d.Publishers = append(d.Publishers, publisherOf(&s.Rows[i]))
	}
	for _, c := range s.Contests {
		d.Contested = append(d.Contested, contestDocument(c))
	}
	return d
}

const (
	barWidth = 50
	mostRows = 5 // publishers that are named for a cause
)

func writeText(s *rollout.Summary, w io.Writer, a *console.App) {
	paint := a.Style(console.Stdout)
	fmt.Fprintf(w, "%s\n%s\n", console.Safe(s.File()), paint.Bold(s.Headline()))
	full := int(s.Percent() * barWidth / 100)
	fmt.Fprintf(w, "[%s%s]\n\n", strings.Repeat("=", full), strings.Repeat("-", barWidth-full))
	for _, state := range rollout.States() {
		if n := s.Counts[state]; n > 0 {
			fmt.Fprintf(w, "%8d  %s\n", n, state)
		}
	}
	for _, c := range causes(s) {
		fmt.Fprintf(w, "\n%s %s %s\n",
			paint.Bold(words.Plural(len(c.Rows), "publisher", "publishers")+", "+string(c.State)+":"), c.Rule.Title,
			paint.Dim("["+c.Rule.Code+"]"))
		fmt.Fprintf(w, "  to do:    %s\n", c.Rule.Hint)
		fmt.Fprintf(w, "  which:    %s\n", console.Safe(someOf(c.Rows)))
		if c.Message != "" {
			fmt.Fprintf(w, "  message:\n%s", indented(textsafe.Lines(c.Message)))
		}
	}
	if len(s.Contests) > 0 {
		fmt.Fprintf(w, "\n%s\n", paint.Bold("Claimed by several:"))
		for _, c := range s.Contests {
			fmt.Fprintf(w, "  %s %s: %s\n", c.Type, console.Safe(c.Value), console.Safe(strings.Join(c.ClaimedBy, ", ")))
		}
	}
}

// someOf names the first publishers of a cause.
func someOf(rows []rollout.Row) string {
	var names []string
	for _, r := range rows {
		names = append(names, string(r.Publisher))
	}
	return words.Some(names, mostRows)
}

// indented puts spaces before the lines of a text.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			b.WriteString("    ")
		}
		b.WriteString(line)
	}
	return b.String()
}

func writeMarkdown(s *rollout.Summary, w io.Writer) {
	fmt.Fprintf(w, "# Rollout of %s\n\n%s\n\n| State | Publishers |\n|---|---|\n", cell(s.File()), s.Headline())
	for _, state := range rollout.States() {
		if n := s.Counts[state]; n > 0 {
			fmt.Fprintf(w, "| %s | %d |\n", state, n)
		}
	}
	for _, c := range causes(s) {
		fmt.Fprintf(w, "\n## %s (%d)\n\n`%s`: %s.\n\n%s\n", cell(c.Rule.Title), len(c.Rows), c.Rule.Code, c.Rule.Hint,
			cell(someOf(c.Rows)))
		if c.Message != "" {
			fmt.Fprintf(w, "\n```text\n%s```\n", textsafe.Lines(strings.ReplaceAll(c.Message, "```", "'''")))
		}
	}
	fmt.Fprint(w, "\n## Publishers\n\n| Publisher | State | Code | Detail | URL |\n|---|---|---|---|---|\n")
	for _, r := range s.Rows {
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", r.Publisher, r.State, r.Code, cell(r.Detail), cell(r.URL))
	}
	if len(s.Contests) > 0 {
		fmt.Fprint(w, "\n## Claimed by several\n\n| Type | Value | Claimed by |\n|---|---|---|\n")
		for _, c := range s.Contests {
			fmt.Fprintf(w, "| %s | %s | %s |\n", cell(c.Type), cell(c.Value), cell(strings.Join(c.ClaimedBy, ", ")))
		}
	}
}

// cell writes a text so that Markdown shows it as it is.
func cell(text string) string { return textsafe.Markdown(textsafe.Terminal(text)) }

// letter is what messages are made of.
func (f *flags) letter(a *console.App) (rollout.Letter, error) {
	text := ""
	if f.template != "" {
		src, err := a.ReadInput(f.template)
		if err != nil {
			return rollout.Letter{}, err
		}
		text = string(src)
	}
	letter, err := rollout.NewLetter(text, f.sender)
	if err != nil {
		return letter, console.UsageError("see avow network --help for the names", "--template %s: %v", f.template, err)
	}
	return letter, nil
}

// writeMessages writes a message for each publisher that has to do something.
func writeMessages(s *rollout.Summary, a *console.App, folder string) error {
	err := os.MkdirAll(folder, 0o755)
	if err != nil {
		return console.Failure("", "cannot make the folder %s: %s", folder, console.Reason(err))
	}
	count := 0
	for i := range s.Rows {
		text := s.Message(&s.Rows[i])
		if text == "" {
			continue
		}
		// A domain in canonical form has letters, digits, hyphens and dots alone.
		err := console.WriteFile(filepath.Join(folder, string(s.Rows[i].Publisher)+".txt"), []byte(textsafe.Lines(text)))
		if err != nil {
			return err
		}
		count++
	}
	a.Note("wrote %s into %s", words.Plural(count, "message", "messages"), folder)
	return nil
}

//go:embed page.html
var pageText string

// A cause is one with what is known of its code.
type cause struct {
	rollout.Cause
	Rule adagents.Rule
}

// causes returns why publishers are in their states.
func causes(s *rollout.Summary) []cause {
	var list []cause
	for _, c := range s.Causes() {
		list = append(list, cause{c, catalogue.Lookup(c.Code)})
	}
	return list
}

// writeHTML writes the report as one page that needs nothing else.
func writeHTML(w io.Writer, s *rollout.Summary) error {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return err
	}
	return t.Execute(w, map[string]any{
		"File": s.File(), "Headline": s.Headline(), "Made": wire.Time(s.Now), "Shares": s.Shares(), "Causes": causes(s),
		"Rows": s.Rows, "Contests": s.Contests,
	})
}
