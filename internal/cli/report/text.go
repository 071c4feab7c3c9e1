package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/websource"
	"github.com/avow-project/avow/resolve"
)

// Text writes results for people.
type Text struct {
	W     io.Writer
	Paint console.Style
	Quiet bool
	// Several means that there is more than one target.
	Several bool
	// Width is the terminal's, or below 1 if unknown.
	Width int
	// Verbose shows infos in full; otherwise each takes one line.
	Verbose bool
	// Again are the flags, each after a space, that a command for the same file has to repeat.
	Again string
	// Begun says that something was written already.
	Begun bool
	heads headlines
}

const (
	// unknownWidth is assumed when the width of the terminal is not known.
	unknownWidth = 100
	// narrowest is the smallest excerpt worth showing.
	narrowest = 60
	// widest keeps excerpts readable on very wide terminals.
	widest = 120
)

// Target writes one result: how it was found, its findings and the verdict.
func (h *Text) Target(r *check.Result) error {
	if r.Report == nil && r.Found == nil {
		return nil // why is said on standard error already
	}
	short := h.Quiet || len(r.Shown) == 0 && r.Omitted == 0 && r.Valid()
	if h.Begun && (!short || r.Found != nil && !h.Quiet) {
		fmt.Fprintln(h.W)
	}
	h.Begun = true
	if !h.Quiet {
		writeHops(h.W, h.Paint, r.Found)
		h.served(r)
	}
	if short {
		fmt.Fprintln(h.W, h.oneLine(r))
		h.first(r)
		h.failing(r)
		h.expected(r)
		return h.agents(r)
	}
	if r.Found != nil {
		fmt.Fprintln(h.W)
	}
	fmt.Fprintf(h.W, "%s  %s\n", h.Paint.Bold(console.Safe(r.Target.Label())), h.header(r))
	h.Findings(r)
	if r.Omitted > 0 {
		fmt.Fprintf(h.W, "\n… and %s more (--max-findings 0 shows all)\n", words.Thousands(r.Omitted))
	}
	fmt.Fprintf(h.W, "\n%s: %s\n", h.verdict(r), h.closing(r))
	h.first(r)
	h.failing(r)
	h.expected(r)
	err := h.agents(r)
	h.offers(r)
	return err
}

// Finish sums up several targets.
func (h *Text) Finish(t *check.Summary) error {
	if !h.Several {
		return nil
	}
	if !h.Quiet && t.Valid+t.Invalid+t.Absent+t.Unreached > 0 {
		fmt.Fprintln(h.W)
	}
	_, err := fmt.Fprintln(h.W, describeSummary(t))
	return err
}

// first says first what there is to know about a publisher.
func (h *Text) first(r *check.Result) {
	if h.Quiet {
		return
	}
	if head := h.heads.of(r); head != nil {
		fmt.Fprintln(h.W, console.Safe(head.Text))
	}
}

// header says what the file is and what consumers get out of it.
func (h *Text) header(r *check.Result) string {
	switch {
	case r.Verdict() > check.NotValid:
		return h.Paint.Red(verdictWords[r.Verdict()])
	case Unusable(r):
		return h.Paint.Red(about(r, ""))
	case r.Report.Pointer != nil:
		return about(r, "")
	}
	return about(r, "  ") + " usable"
}

// about describes a file in a few words; gap stands before the numbers.
func about(r *check.Result, gap string) string {
	switch {
	case Unusable(r):
		return "unusable"
	case r.Report.Pointer != nil:
		return "pointer to " + console.Safe(r.Report.Pointer.AuthoritativeLocation)
	}
	return r.Report.Kind.String() + gap + DescribeUsable(content(r.Report))
}

// oneLine is all there is to say about a target without its findings.
func (h *Text) oneLine(r *check.Result) string {
	line := console.Safe(r.Target.Label()) + ": " + h.verdict(r)
	if r.Verdict() != check.NoFile {
		line += whyNot(r)
	}
	if r.Verdict() <= check.NotValid {
		line += " (" + about(r, "; ") + ")"
	}
	if r.Counts != [adagents.Error + 1]int{} || r.Baselined > 0 {
		line += ": " + h.numbers(r)
	}
	return line
}

func (h *Text) verdict(r *check.Result) string {
	words := verdictWords[r.Verdict()]
	switch {
	case !r.Valid():
		return h.Paint.Red(words)
	case authorizesNobody(r):
		return h.Paint.Yellow(words+", but authorizes no agent") + whyNobody(r)
	}
	return h.Paint.Green(words)
}

// closing is the last word about a target: what was found, or what it means
// that nothing was.
func (h *Text) closing(r *check.Result) string {
	if r.Verdict() > check.NotValid {
		return AnswerSentence(r.Found)
	}
	return h.numbers(r)
}

// numbers counts the findings of a target.
func (h *Text) numbers(r *check.Result) string {
	var parts []string
	if r.Counts != [adagents.Error + 1]int{} || r.Baselined == 0 {
		parts = append(parts, describeCounts(r.Counts))
	}
	if r.Baselined > 0 {
		parts = append(parts, words.Thousands(r.Baselined)+" known")
	}
	if r.Report != nil && len(r.Report.Skipped) > 0 {
		parts = append(parts, "buyers skip "+words.Plural(len(r.Report.Skipped), "entry", "entries"))
	}
	return strings.Join(parts, "; ")
}

// Findings writes the findings to show, the most important first.
func (h *Text) Findings(r *check.Result) {
	sources := map[*check.Document]*redact.Source{nil: {}}
	folded := false
	for _, i := range r.Ranked() {
		f := r.Findings[i]
		if !folded {
			fmt.Fprintln(h.W)
		}
		h.headline(console.Safe(positionOf(r.Target, f)), f, r.IsKnown(i))
		folded = h.folds(f)
		if folded {
			continue
		}
		src, ok := sources[f.Doc]
		if !ok {
			src = redact.Of(f.Doc.Src, f.Doc.Report)
			sources[f.Doc] = src
		}
		h.finding(src, f)
	}
}

// positionOf is where a finding lies: the file or URL, and the line and column if
// there are any.
func positionOf(t check.Target, f check.Finding) string {
	name := f.URL
	if name == "" {
		name = t.Label()
	}
	switch {
	case f.Line == 0:
		return name + ":"
	case f.Column == 0:
		return fmt.Sprintf("%s:%d:", name, f.Line)
	}
	return fmt.Sprintf("%s:%d:%d:", name, f.Line, f.Column)
}

// folds reports whether a finding takes a single line: an info about a file. One about the
// way has a hint that is for this domain only.
func (h *Text) folds(f check.Finding) bool {
	return f.Severity == adagents.Info && !f.KeepsBuyersAway() && f.Doc != nil && !h.Verbose
}

// headline is the first line about a finding.
func (h *Text) headline(position string, f check.Finding, known bool) {
	mark := ""
	if known {
		mark = h.Paint.Dim(" (known)")
	}
	if f.More > 0 && h.folds(f) {
		mark += h.Paint.Dim(" (and " + words.Thousands(f.More) + " more)")
	}
	fmt.Fprintf(h.W, "%s %s %s %s%s\n",
		h.Paint.Bold(position),
		h.Paint.Severity(f.Severity, f.Severity.String()+":"),
		console.Safe(f.Message), h.Paint.Dim("["+f.Code+"]"), mark)
}

func (h *Text) finding(src *redact.Source, f check.Finding) {
	if f.Doc != nil {
		h.excerpt(src, f.Finding)
	}
	if f.Detail != "" {
		h.remark("detail", console.Safe(f.Detail))
	}
	if f.Pointer != "" {
		h.remark("at", console.Safe(f.Pointer))
	}
	effect := f.Effect
	if f.KeepsBuyersAway() {
		effect = max(effect, adagents.EmptyEntry) // of the last reference of an entry
	}
	if effect != adagents.NoEffect {
		h.remark("effect", catalogue.Effects[effect])
	}
	if f.Hint != "" {
		h.remark("hint", console.Safe(f.Hint))
	}
	if f.More > 0 {
		h.remark("more", words.Thousands(f.More)+" findings like this one are not listed")
	}
}

// remark writes one more line about a finding.
func (h *Text) remark(label, text string) {
	fmt.Fprintf(h.W, "  %s %s\n", h.Paint.Dim(label+":"), text)
}

// excerpt shows the line of a finding with marks under the value.
func (h *Text) excerpt(src *redact.Source, f *adagents.Finding) {
	offset, length := src.Range(f.Offset, f.Length)
	if !src.Tells(offset, length) {
		return
	}
	width := h.Width
	if width < 1 {
		width = unknownWidth
	}
	number := strconv.Itoa(f.Line)
	gutter := len(number) + len("   | ")
	x := console.Cut(src.Bytes(), offset, length, min(max(width-gutter-2, narrowest), widest))
	if strings.Trim(x.Text, " "+console.Ellipsis) == "" {
		return
	}
	fmt.Fprintf(h.W, "  %s\n", strings.TrimRight(h.Paint.Dim(number+" |")+" "+x.Text, " "))
	fmt.Fprintf(h.W, "  %s %s\n", h.Paint.Dim(strings.Repeat(" ", len(number))+" |"),
		h.Paint.Severity(f.Severity, x.Marks))
}

// agents writes what is known about the endpoints of a file.
func (h *Text) agents(r *check.Result) error {
	if h.Quiet {
		return nil
	}
	return WriteAgents(h.W, h.Paint, r.Agents)
}

// headlines makes the headlines of publishers. What was read of a file serves the next publisher
// that shares it, too.
type headlines struct {
	report *adagents.Report
	doc    *resolve.Document
}

// of returns the headline of a target; nil for one that is not a publisher, and for one that could
// not be looked at.
func (x *headlines) of(r *check.Result) *headline.Headline {
	d := r.InEffect
	if d == nil || d.Domain == "" {
		return nil
	}
	doc := websource.Describe(d.Domain, d)
	switch {
	case doc.State != resolve.Usable:
	case x.report == d.Report && !d.Report.DependsOnDomain():
		doc.File, doc.Prepared, doc.Skipped = x.doc.File, x.doc.Prepared, x.doc.Skipped
	default:
		doc = websource.DocumentOf(d.Domain, d)
		x.report, x.doc = d.Report, doc
	}
	h := headline.Of(headline.Facts{Document: doc, At: r.At})
	return &h
}
