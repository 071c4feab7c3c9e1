package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
)

// textHandler writes results for people.
type textHandler struct {
	w     io.Writer
	paint style
	quiet bool
	// several means that there is more than one target.
	several bool
	// width is that of the terminal, or below 1 when it is not known.
	width int
	begun bool
}

const (
	// unknownWidth is assumed when the width of the terminal is not known.
	unknownWidth = 100
	// narrowest is the smallest excerpt worth showing.
	narrowest = 60
	// widest keeps excerpts readable on very wide terminals.
	widest = 120
)

func (h *textHandler) target(r *result) error {
	if r.report == nil && r.found == nil {
		return nil // why is said on standard error already
	}
	short := h.quiet || len(r.shown) == 0 && r.omitted == 0 && r.valid()
	if h.begun && (!short || r.found != nil && !h.quiet) {
		fmt.Fprintln(h.w)
	}
	h.begun = true
	if !h.quiet {
		writeHops(h.w, h.paint, r.found)
	}
	if short {
		fmt.Fprintln(h.w, h.oneLine(r))
		return h.agents(r)
	}
	if r.found != nil {
		fmt.Fprintln(h.w)
	}
	fmt.Fprintf(h.w, "%s  %s\n", h.paint.bold(safe(r.target.label())), h.header(r))
	h.findings(r)
	if r.omitted > 0 {
		fmt.Fprintf(h.w, "\n… and %s more (--max-findings 0 shows all)\n", words.Thousands(r.omitted))
	}
	fmt.Fprintf(h.w, "\n%s: %s\n", h.verdict(r), h.closing(r))
	return h.agents(r)
}

func (h *textHandler) finish(t *tally) error {
	if !h.several {
		return nil
	}
	if !h.quiet && t.valid+t.invalid+t.absent+t.unreached > 0 {
		fmt.Fprintln(h.w)
	}
	_, err := fmt.Fprintln(h.w, describeTally(t))
	return err
}

// longestText cuts a message or pointer that holds a text without end.
const longestText = 1000

// safe makes outside text fit for one line of a terminal.
func safe(s string) string { return textsafe.Line(s, longestText) }

// header says what the file is and what consumers get out of it.
func (h *textHandler) header(r *result) string {
	switch {
	case r.verdict() > notValid:
		return h.paint.red(verdictWords[r.verdict()])
	case r.unusable():
		return h.paint.red(about(r, ""))
	case r.report.Pointer != nil:
		return about(r, "")
	}
	return about(r, "  ") + " usable"
}

// about describes a file in a few words; gap stands before the numbers.
func about(r *result, gap string) string {
	switch {
	case r.unusable():
		return "unusable"
	case r.report.Pointer != nil:
		return "pointer to " + safe(r.report.Pointer.AuthoritativeLocation)
	}
	return r.report.Kind.String() + gap + describeUsable(content(r.report))
}

// oneLine is all there is to say about a target without its findings.
func (h *textHandler) oneLine(r *result) string {
	line := safe(r.target.label()) + ": " + h.verdict(r)
	if r.verdict() <= notValid {
		line += " (" + about(r, "; ") + ")"
	}
	if r.counts != [adagents.Error + 1]int{} || r.baselined > 0 {
		line += ": " + h.numbers(r)
	}
	return line
}

func (h *textHandler) verdict(r *result) string {
	words := verdictWords[r.verdict()]
	if r.valid() {
		return h.paint.green(words)
	}
	return h.paint.red(words)
}

// closing is the last word about a target: what was found, or what it means
// that nothing was.
func (h *textHandler) closing(r *result) string {
	if r.verdict() > notValid {
		return answerSentence(r.found)
	}
	return h.numbers(r)
}

// numbers counts the findings of a target.
func (h *textHandler) numbers(r *result) string {
	var parts []string
	if r.counts != [adagents.Error + 1]int{} || r.baselined == 0 {
		parts = append(parts, describeCounts(r.counts))
	}
	if r.baselined > 0 {
		parts = append(parts, words.Thousands(r.baselined)+" known")
	}
	if r.report != nil && len(r.report.Skipped) > 0 {
		parts = append(parts, "buyers skip "+words.Plural(len(r.report.Skipped), "entry", "entries"))
	}
	return strings.Join(parts, "; ")
}

// findings writes the findings to show.
func (h *textHandler) findings(r *result) {
	sources := map[*document]*redact.Source{nil: {}}
	for _, i := range r.shown {
		f := r.findings[i]
		src, ok := sources[f.doc]
		if !ok {
			src = redact.Of(f.doc.src, f.doc.report)
			sources[f.doc] = src
		}
		h.finding(safe(placeOf(r.target, f)), src, f, r.isKnown(i))
	}
}

// placeOf is where a finding lies: the file or URL, and the line and column if
// there are any.
func placeOf(t target, f finding) string {
	name := f.url
	if name == "" {
		name = t.label()
	}
	switch {
	case f.Line == 0:
		return name + ":"
	case f.Column == 0:
		return fmt.Sprintf("%s:%d:", name, f.Line)
	}
	return fmt.Sprintf("%s:%d:%d:", name, f.Line, f.Column)
}

func (h *textHandler) finding(place string, src *redact.Source, f finding, known bool) {
	mark := ""
	if known {
		mark = h.paint.dim(" (known)")
	}
	fmt.Fprintf(h.w, "\n%s %s %s %s%s\n",
		h.paint.bold(place),
		h.paint.severity(f.Severity, f.Severity.String()+":"),
		safe(f.Message), h.paint.dim("["+f.Code+"]"), mark)
	if f.doc != nil {
		h.excerpt(src, f.Finding)
	}
	if f.detail != "" {
		h.remark("detail", safe(f.detail))
	}
	if f.Pointer != "" {
		h.remark("at", safe(f.Pointer))
	}
	if f.Effect != adagents.NoEffect {
		h.remark("effect", effects[f.Effect])
	}
	if f.Hint != "" {
		h.remark("hint", safe(f.Hint))
	}
	if f.More > 0 {
		h.remark("more", words.Thousands(f.More)+" findings like this one are not listed")
	}
}

// remark writes one more line about a finding.
func (h *textHandler) remark(label, text string) {
	fmt.Fprintf(h.w, "  %s %s\n", h.paint.dim(label+":"), text)
}

// excerpt shows the line of a finding with marks under the value.
func (h *textHandler) excerpt(src *redact.Source, f *adagents.Finding) {
	offset, length := src.Place(f.Offset, f.Length)
	if !src.Tells(offset, length) {
		return
	}
	width := h.width
	if width < 1 {
		width = unknownWidth
	}
	number := strconv.Itoa(f.Line)
	gutter := len(number) + len("   | ")
	x := cut(src.Bytes(), offset, length, min(max(width-gutter-2, narrowest), widest))
	if strings.Trim(x.text, " "+ellipsis) == "" {
		return
	}
	fmt.Fprintf(h.w, "  %s\n", strings.TrimRight(h.paint.dim(number+" |")+" "+x.text, " "))
	fmt.Fprintf(h.w, "  %s %s\n", h.paint.dim(strings.Repeat(" ", len(number))+" |"), h.paint.severity(f.Severity, x.marks))
}
