package cli

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/textsafe"
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
	// longestText cuts a message or pointer that holds a text without end.
	longestText = 1000
)

func (h *textHandler) target(r *result) error {
	if r.report == nil {
		return nil // said on standard error already
	}
	if h.quiet || len(r.shown) == 0 && r.omitted == 0 {
		h.begun = true
		_, err := fmt.Fprintln(h.w, h.oneLine(r))
		return err
	}
	if h.begun {
		fmt.Fprintln(h.w)
	}
	h.begun = true
	fmt.Fprintf(h.w, "%s  %s\n", h.paint.bold(safe(r.target.label())), h.header(r.report))
	h.findings(r)
	if r.omitted > 0 {
		fmt.Fprintf(h.w, "\n… and %s more (--max-findings 0 shows all)\n", thousands(r.omitted))
	}
	_, err := fmt.Fprintf(h.w, "\n%s: %s\n", h.verdict(r), h.closing(r))
	return err
}

func (h *textHandler) finish(t *tally) error {
	if !h.several {
		return nil
	}
	if !h.quiet && t.valid+t.invalid > 0 {
		fmt.Fprintln(h.w)
	}
	_, err := fmt.Fprintln(h.w, describeTally(t))
	return err
}

// safe makes outside text fit for one line of a terminal.
func safe(s string) string { return textsafe.Line(s, longestText) }

// header says what the file is and what consumers get out of it.
func (h *textHandler) header(r *adagents.Report) string {
	switch {
	case r.Unusable != nil:
		return h.paint.red(about(r, ""))
	case r.Pointer != nil:
		return about(r, "")
	}
	return about(r, "  ") + " usable"
}

// about describes a file in a few words; gap stands before the numbers.
func about(r *adagents.Report, gap string) string {
	switch {
	case r.Unusable != nil:
		return "unusable"
	case r.Pointer != nil:
		return "pointer to " + safe(r.Pointer.AuthoritativeLocation)
	}
	return r.Kind.String() + gap + describeUsable(content(r))
}

// oneLine is all there is to say about a target without its findings.
func (h *textHandler) oneLine(r *result) string {
	line := fmt.Sprintf("%s: %s (%s)", safe(r.target.label()), h.verdict(r), about(r.report, "; "))
	if r.counts != [adagents.Error + 1]int{} || r.baselined > 0 {
		line += ": " + h.closing(r)
	}
	return line
}

func (h *textHandler) verdict(r *result) string {
	if r.valid() {
		return h.paint.green("valid")
	}
	return h.paint.red("not valid")
}

// closing counts the findings of a target.
func (h *textHandler) closing(r *result) string {
	var parts []string
	if r.counts != [adagents.Error + 1]int{} || r.baselined == 0 {
		parts = append(parts, describeCounts(r.counts))
	}
	if r.baselined > 0 {
		parts = append(parts, thousands(r.baselined)+" known")
	}
	if len(r.report.Skipped) > 0 {
		parts = append(parts, "buyers skip "+plural(len(r.report.Skipped), "entry", "entries"))
	}
	return strings.Join(parts, "; ")
}

// findings writes the findings to show.
func (h *textHandler) findings(r *result) {
	if len(r.shown) == 0 {
		return
	}
	name := safe(r.target.label())
	src := redact(r.src, r.report)
	for _, i := range r.shown {
		h.finding(name, src, &r.report.Findings[i], r.isKnown(i))
	}
}

func (h *textHandler) finding(name string, src *redaction, f *adagents.Finding, known bool) {
	mark := ""
	if known {
		mark = h.paint.dim(" (known)")
	}
	fmt.Fprintf(h.w, "\n%s %s %s %s%s\n",
		h.paint.bold(fmt.Sprintf("%s:%d:%d:", name, f.Line, f.Column)),
		h.paint.severity(f.Severity, f.Severity.String()+":"),
		safe(f.Message), h.paint.dim("["+f.Code+"]"), mark)
	h.excerpt(src, f)
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
		h.remark("more", thousands(f.More)+" findings like this one are not listed")
	}
}

// remark writes one more line about a finding.
func (h *textHandler) remark(label, text string) {
	fmt.Fprintf(h.w, "  %s %s\n", h.paint.dim(label+":"), text)
}

// excerpt shows the line of a finding with marks under the value.
func (h *textHandler) excerpt(src *redaction, f *adagents.Finding) {
	offset, length := src.place(f.Offset, f.Length)
	if len(src.src) == 0 || unreadable(src.src) || wholeFile(src.src, offset, length) {
		return
	}
	width := h.width
	if width < 1 {
		width = unknownWidth
	}
	number := strconv.Itoa(f.Line)
	gutter := len(number) + len("   | ")
	x := cut(src.src, offset, length, min(max(width-gutter-2, narrowest), widest))
	if strings.Trim(x.text, " "+ellipsis) == "" {
		return
	}
	fmt.Fprintf(h.w, "  %s\n", strings.TrimRight(h.paint.dim(number+" |")+" "+x.text, " "))
	fmt.Fprintf(h.w, "  %s %s\n", h.paint.dim(strings.Repeat(" ", len(number))+" |"), h.paint.severity(f.Severity, x.marks))
}

// wholeFile reports whether a finding is about the file as such; the brace it
// begins with tells the reader nothing.
func wholeFile(src []byte, offset, length int) bool {
	if length > 0 || offset >= len(src) || src[offset] != '{' || offset > longestText {
		return false
	}
	return len(bytes.TrimSpace(bytes.TrimPrefix(src[:offset], []byte("\uFEFF")))) == 0
}

// unreadable reports whether a source begins like UTF-16 or UTF-32 or is no
// text at all. Its bytes tell the reader nothing, and secrets are not found
// among them.
func unreadable(src []byte) bool {
	head := src[:min(len(src), 4)]
	return bytes.IndexByte(head, 0) >= 0 || bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
}
