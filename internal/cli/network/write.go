package network

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/rollout"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
)

// write writes the report, and the messages.
func (s *summary) write(a *console.App, f *flags) error {
	var out bytes.Buffer
	var err error
	switch f.format.Value {
	case "json":
		err = console.WriteJSONPretty(&out, s.document())
	case "csv":
		err = s.writeCSV(&out)
	case "markdown":
		s.writeMarkdown(&out)
	case "html":
		err = s.writeHTML(&out)
	default:
		s.writeText(&out, a)
	}
	if err != nil {
		return err
	}
	err = a.WriteResult(f.out, out.Bytes(), f.force)
	if err != nil || f.folder == "" {
		return err
	}
	return s.writeMessages(a, f.folder)
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

func (s *summary) document() *document {
	d := &document{File: s.file(), Counts: make(map[rollout.State]int), Publishers: []publisherDocument{}, Named: s.named, Reached: s.reached, Contested: []contestDocument{}}
	for _, state := range rollout.States() {
		d.Counts[state] = s.counts[state]
	}
	for _, r := range s.rows {
		d.Publishers = append(d.Publishers, publisherDocument{string(r.Publisher), r.State, r.Code, r.Detail, r.URL})
	}
	for _, c := range s.contests {
		d.Contested = append(d.Contested, contestDocument(c))
	}
	return d
}

// file is the address of the file, or what the user calls it.
func (s *summary) file() string {
	if s.network.URL != "" {
		return s.network.URL
	}
	return s.name
}

// headline says in one line how far the rollout has come.
func (s *summary) headline() string {
	return fmt.Sprintf("publishers that lead to the file: %d of %d (%.1f %%)", s.reached, s.named, s.percent())
}

// writeCSV writes a table whose cells neither a terminal nor a spreadsheet obeys.
func (s *summary) writeCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	err := c.Write([]string{"publisher", "state", "code", "detail", "url"})
	for i := range s.rows {
		r := &s.rows[i]
		cells := []string{string(r.Publisher), string(r.State), r.Code, r.Detail, r.URL}
		for j := range cells {
			cells[j] = textsafe.CSV(textsafe.Terminal(cells[j]))
		}
		err = errors.Join(err, c.Write(cells))
	}
	c.Flush()
	return errors.Join(err, c.Error())
}

const (
	barWidth = 50
	mostRows = 5 // publishers that are named for a cause
)

func (s *summary) writeText(w io.Writer, a *console.App) {
	paint := a.Style(console.Stdout)
	fmt.Fprintf(w, "%s\n%s\n", console.Safe(s.file()), paint.Bold(s.headline()))
	full := int(s.percent() * barWidth / 100)
	fmt.Fprintf(w, "[%s%s]\n\n", strings.Repeat("=", full), strings.Repeat("-", barWidth-full))
	for _, state := range rollout.States() {
		if n := s.counts[state]; n > 0 {
			fmt.Fprintf(w, "%8d  %s\n", n, state)
		}
	}
	for _, c := range s.causes() {
		if c.Message == "" {
			continue
		}
		fmt.Fprintf(w, "\n%s %s %s\n", paint.Bold(words.Plural(len(c.Rows), "publisher", "publishers")+", "+string(c.State)+":"), c.Rule.Title, paint.Dim("["+c.Rule.Code+"]"))
		fmt.Fprintf(w, "  to do:    %s\n", c.Rule.Hint)
		fmt.Fprintf(w, "  which:    %s\n", console.Safe(someOf(c.Rows)))
		fmt.Fprintf(w, "  message:\n%s", indented(textsafe.Lines(c.Message)))
	}
	if len(s.contests) > 0 {
		fmt.Fprintf(w, "\n%s\n", paint.Bold("Claimed by several:"))
		for _, c := range s.contests {
			fmt.Fprintf(w, "  %s %s: %s\n", c.Type, console.Safe(c.Value), console.Safe(strings.Join(c.ClaimedBy, ", ")))
		}
	}
}

// someOf names the first publishers of a cause.
func someOf(rows []rollout.Row) string {
	var names []string
	for _, r := range rows[:min(len(rows), mostRows)] {
		names = append(names, string(r.Publisher))
	}
	text := strings.Join(names, ", ")
	if more := len(rows) - mostRows; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
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

func (s *summary) writeMarkdown(w io.Writer) {
	fmt.Fprintf(w, "# Rollout of %s\n\n%s\n\n| State | Publishers |\n|---|---|\n", cell(s.file()), s.headline())
	for _, state := range rollout.States() {
		if n := s.counts[state]; n > 0 {
			fmt.Fprintf(w, "| %s | %d |\n", state, n)
		}
	}
	for _, c := range s.causes() {
		if c.Message != "" {
			fmt.Fprintf(w, "\n## %s (%d)\n\n`%s`: %s.\n\n", cell(c.Rule.Title), len(c.Rows), c.Rule.Code, c.Rule.Hint)
			fmt.Fprintf(w, "%s\n\n```text\n%s```\n", cell(someOf(c.Rows)), textsafe.Lines(strings.ReplaceAll(c.Message, "```", "'''")))
		}
	}
	fmt.Fprint(w, "\n## Publishers\n\n| Publisher | State | Code | Detail | URL |\n|---|---|---|---|---|\n")
	for _, r := range s.rows {
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", r.Publisher, r.State, r.Code, cell(r.Detail), cell(r.URL))
	}
	if len(s.contests) > 0 {
		fmt.Fprint(w, "\n## Claimed by several\n\n| Type | Value | Claimed by |\n|---|---|---|\n")
		for _, c := range s.contests {
			fmt.Fprintf(w, "| %s | %s | %s |\n", cell(c.Type), cell(c.Value), cell(strings.Join(c.ClaimedBy, ", ")))
		}
	}
}

// cell writes a text so that Markdown shows it as it is.
func cell(text string) string { return textsafe.Markdown(textsafe.Terminal(text)) }

// writeMessages writes a message for each publisher that has to do something.
func (s *summary) writeMessages(a *console.App, folder string) error {
	err := os.MkdirAll(folder, 0o755)
	if err != nil {
		return console.Failure("", "cannot make the folder %s: %s", folder, console.Reason(err))
	}
	count := 0
	for i := range s.rows {
		text := s.network.Message(&s.rows[i], s.now)
		if text == "" {
			continue
		}
		// A domain in canonical form has letters, digits, hyphens and dots alone.
		err := console.WriteFile(filepath.Join(folder, string(s.rows[i].Publisher)+".txt"), []byte(textsafe.Lines(text)))
		if err != nil {
			return err
		}
		count++
	}
	a.Note("wrote %s into %s", words.Plural(count, "message", "messages"), folder)
	return nil
}
