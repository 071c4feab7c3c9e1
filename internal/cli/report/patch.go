package report

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/textedit"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
)

// around is how many lines a diff shows around a change.
const around = 3

// A Patch is what edits change in a file.
type Patch struct {
	Name                      string
	Before, After             []byte
	BeforeReport, AfterReport *adagents.Report
	Edits                     []textedit.Edit
	// Heading returns what stands above a part of the diff, given the edits that it shows; nil
	// for nothing.
	Heading func(edits []int) string
}

// String returns the diff. Secrets are not shown.
func (p Patch) String() string {
	hunks := textedit.Hunks(p.Before, p.Edits, around)
	for i := range hunks {
		if p.Heading != nil {
			hunks[i].Heading = p.Heading(hunks[i].Edits)
		}
	}
	before, after := redact.Of(p.Before, p.BeforeReport), redact.Of(p.After, p.AfterReport)
	if before.Hides() || after.Hides() {
		if !before.SameLines() || !after.SameLines() {
			return "# the diff is left out: it would show a secret of several lines\n"
		}
		hide(hunks, before.Bytes(), after.Bytes())
	}
	return textedit.Unified(p.Name, p.Name, hunks)
}

// hide puts lines without secrets in the place of those of a diff.
func hide(hunks []textedit.Hunk, before, after []byte) {
	old, now := bytes.Split(before, []byte("\n")), bytes.Split(after, []byte("\n"))
	for i := range hunks {
		h := &hunks[i]
		o, n := h.OldStart-1, h.NewStart-1
		for k, line := range h.Lines {
			switch line[0] {
			case ' ':
				h.Lines[k] = " " + string(old[o])
				o, n = o+1, n+1
			case '-':
				h.Lines[k] = "-" + string(old[o])
				o++
			case '+':
				h.Lines[k] = "+" + string(now[n])
				n++
			}
		}
	}
}

// longestLine is the length from which a line of a diff does not help.
const longestLine = 2_000

// Shown is the diff for a person: of a file with lines that are too long to be read, what each
// edit takes away and puts in place.
func (p Patch) Shown() string {
	text := p.String()
	for line := range strings.Lines(text) {
		if len(line) > longestLine {
			return p.excerpts()
		}
	}
	return text
}

// excerpts shows edits one by one.
func (p Patch) excerpts() string {
	const most, width = 50, 160
	if redact.Of(p.Before, p.BeforeReport).Hides() || redact.Of(p.After, p.AfterReport).Hides() {
		return "# the diff is left out: it would show a secret\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s has lines that are too long for a diff; the changes are:\n", p.Name)
	for i, e := range p.Edits {
		if i == most {
			fmt.Fprintf(&b, "# and %s more\n", words.Thousands(len(p.Edits)-most))
			break
		}
		fmt.Fprintf(&b, "@@ byte %d @@\n", e.Start)
		if e.End > e.Start {
			fmt.Fprintf(&b, "-%s\n", textsafe.Line(string(p.Before[e.Start:min(e.End, e.Start+4*width)]), width))
		}
		if e.New != "" {
			fmt.Fprintf(&b, "+%s\n", textsafe.Line(e.New[:min(len(e.New), 4*width)], width))
		}
	}
	return b.String()
}

// LikelyMark begins the lines of a diff that is shown and not part of the patch: what likely fixes
// would do.
const LikelyMark = "# likely: "

// PaintPatch prints a diff in colours. On a terminal, characters that it would obey are shown
// instead.
func PaintPatch(a *console.App, text string) {
	paint := a.Style(console.Stdout)
	person := a.Env.IsTerminal(console.Stdout)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if person {
			line = console.Safe(line)
		}
		switch bare := strings.TrimPrefix(line, LikelyMark); {
		case strings.HasPrefix(bare, "@@"):
			line = paint.Bold(line)
		case strings.HasPrefix(bare, "-"):
			line = paint.Red(line)
		case strings.HasPrefix(bare, "+"):
			line = paint.Green(line)
		}
		fmt.Fprintln(a.Out, line)
	}
}
