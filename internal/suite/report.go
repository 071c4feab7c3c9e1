package suite

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// A Report is a run with what it was about.
type Report struct {
	Name    string
	Results []*Result
}

// Writers are the forms of a report, by name.
var Writers = map[string]func(io.Writer, *Report) error{"text": WriteText, "json": WriteJSON, "junit": WriteJUnit,
	"markdown": WriteMarkdown}

// Share writes how many of the answers are right.
func Share(c *Count) string {
	p := c.Percent()
	if p < 0 {
		return "-"
	}
	return fmt.Sprintf("%d.%d %%", p/10, p%10)
}

// GradeLine says how the normative cases went.
func GradeLine(s *Summary) string {
	g := &s.Grade
	return fmt.Sprintf("normative cases: %d passed, %d failed, %d unsupported; %s of the answers are right", g.Passed,
		g.Failed, g.Unsupported, Share(g))
}

// WriteText writes a report for a terminal: the failures with what they rest on, then the counts.
func WriteText(w io.Writer, r *Report) error {
	var out strings.Builder
	for _, f := range Failures(r.Results) {
		c := f.Case
		fmt.Fprintf(&out, "FAILED %s: %s [%s]\n", c.ID, c.Title, c.Label)
		fmt.Fprintf(&out, "  question: %s\n", brief(c.Question))
		fmt.Fprintf(&out, "  expected: %s\n", brief(c.Want))
		fmt.Fprintf(&out, "  problem:  %s\n", textsafe.Terminal(f.Detail))
		fmt.Fprintf(&out, "  basis:    %s\n\n", c.Basis.Text())
	}
	s := Sum(r.Results)
	tab := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, part := range []struct {
		title string
		rows  []Row
	}{{"kind", s.Kinds}, {"section", s.Sections}} {
		fmt.Fprintf(tab, "%s\tpassed\tfailed\tunsupported\n", part.title)
		for i := range part.rows {
			row := &part.rows[i]
			fmt.Fprintf(tab, "%s\t%d\t%d\t%d\n", row.Name, row.Passed, row.Failed, row.Unsupported)
		}
		fmt.Fprintln(tab)
	}
	err := tab.Flush()
	if err != nil {
		return err
	}
	fmt.Fprintln(&out, GradeLine(s))
	_, err = io.WriteString(w, out.String())
	return err
}

// resultJSON is one result as JSON.
type resultJSON struct {
	ID       string         `json:"id"`
	Kind     string         `json:"kind"`
	Title    string         `json:"title"`
	Label    Label          `json:"label"`
	Outcome  Outcome        `json:"outcome"`
	Detail   string         `json:"detail,omitzero"`
	Basis    Basis          `json:"basis"`
	Question map[string]any `json:"question"`
	Want     map[string]any `json:"want"`
}

// reportJSON is a report as JSON.
type reportJSON struct {
	Format         int          `json:"format"`
	Suite          string       `json:"suite"`
	Implementation string       `json:"implementation"`
	Summary        *Summary     `json:"summary"`
	Results        []resultJSON `json:"results"`
}

// WriteJSON writes a report as one JSON object.
func WriteJSON(w io.Writer, r *Report) error {
	out := reportJSON{Format: Format, Suite: buildinfo.Get().Version, Implementation: r.Name, Summary: Sum(r.Results),
		Results: []resultJSON{}}
	for _, one := range r.Results {
		c := one.Case
		out.Results = append(out.Results,
			resultJSON{c.ID, c.Kind, c.Title, c.Label, one.Outcome, one.Detail, c.Basis, c.Question, c.Want})
	}
	return json.MarshalWrite(w, out, json.Deterministic(true), jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))
}

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Name    string       `xml:"name,attr"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string     `xml:"name,attr"`
	Classname string     `xml:"classname,attr"`
	Failure   *junitNote `xml:"failure"`
	Skipped   *junitNote `xml:"skipped"`
}

type junitNote struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes a report as build services read it: a suite for each kind. What is not
// supported is skipped, and so is what fails without being normative.
func WriteJUnit(w io.Writer, r *Report) error {
	all := junitSuites{Name: clean(r.Name)}
	for _, kind := range Kinds() {
		one := junitSuite{Name: kind}
		for _, result := range r.Results {
			if result.Case.Kind == kind {
				one.add(result)
			}
		}
		if one.Tests > 0 {
			all.Suites = append(all.Suites, one)
		}
	}
	b, err := xml.MarshalIndent(all, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, b)
	}
	return err
}

func (s *junitSuite) add(r *Result) {
	c := junitCase{Name: clean(r.Case.ID + ": " + r.Case.Title), Classname: "conformance." + r.Case.Kind}
	note := &junitNote{clean(r.Detail), clean(string(r.Case.Label) + ": " + r.Case.Basis.Text())}
	s.Tests++
	switch {
	case r.Outcome == Failed && r.Case.Label == Normative:
		c.Failure = note
		s.Failures++
	case r.Outcome != Passed:
		c.Skipped = note
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

// clean makes outside text fit for XML that people read.
func clean(s string) string { return textsafe.XML(textsafe.Terminal(s)) }

// WriteMarkdown writes a report for a page: the counts, then the failures.
func WriteMarkdown(w io.Writer, r *Report) error {
	s := Sum(r.Results)
	var out strings.Builder
	fmt.Fprintf(&out, "# Conformance of %s\n\nSuite %s; %s.\n\n", cell(r.Name), buildinfo.Get().Version, GradeLine(s))
	Table(&out, "Kind", s.Kinds)
	Table(&out, "Label", s.Labels)
	Table(&out, "Section", s.Sections)
	for i, f := range Failures(r.Results) {
		if i == 0 {
			fmt.Fprint(&out, "## Failures\n\n")
		}
		c := f.Case
		fmt.Fprintf(&out, "* `%s` (%s): %s %s. Basis: %s\n", c.ID, c.Label, cell(c.Title), cell(f.Detail),
			cell(c.Basis.Text()))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// Table writes counts as a Markdown table.
func Table(out io.Writer, title string, rows []Row) {
	fmt.Fprintf(out, "| %s | Passed | Failed | Unsupported |\n|---|---|---|---|\n", title)
	for i := range rows {
		fmt.Fprintf(out, "| %s | %d | %d | %d |\n", cell(rows[i].Name), rows[i].Passed, rows[i].Failed, rows[i].Unsupported)
	}
	fmt.Fprintln(out)
}

// cell makes outside text fit for a Markdown table.
func cell(s string) string { return textsafe.Markdown(textsafe.Terminal(s)) }
