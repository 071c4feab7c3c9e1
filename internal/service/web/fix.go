package web

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/textedit"
	"github.com/avow-project/avow/internal/std/words"
)

// shownFix is a way to repair what a finding is about.
type shownFix struct {
	Title, Kind string
	// Lines are those of a diff; empty when it would be too long or show a secret.
	Lines []diffLine
	// ID names the fix in the form that applies it; empty when it cannot be applied here.
	ID string
}

// diffLine is a line of a diff. Class is the style's: "old", "new" or "".
type diffLine struct{ Class, Text string }

const (
	// mostDiff is the number of lines that the diff of one fix may have, and longestDiff
	// the length of each in bytes.
	mostDiff, longestDiff = 24, 400
	// around is the number of lines that a diff shows around a change.
	around = 1
)

// kindWords are the kinds of fixes for people.
var kindWords = map[adagents.FixKind]string{
	adagents.Safe: "safe: no agent may sell more than before", adagents.Likely: "what was probably meant",
	adagents.Choice: "one of several to choose from",
}

// fixesOf shows the fixes of a finding.
func fixesOf(d *document, f *adagents.Finding, p *pen) []shownFix {
	var list []shownFix
	for i := range f.Fixes {
		fix := &f.Fixes[i]
		x := shownFix{Title: sentence(p.words(fix.Title)), Kind: kindWords[fix.Kind]}
		x.Lines = diffOf(d.text(), d.edits(fix.Edits), p)
		if d.applies {
			x.ID = fixID(f, fix)
		}
		list = append(list, x)
	}
	return list
}

func diffOf(src []byte, edits []adagents.Edit, p *pen) []diffLine {
	var lines []diffLine
	for _, h := range textedit.Hunks(src, edits, around) {
		if slices.ContainsFunc(h.Lines, func(line string) bool {
			return len(line) > longestDiff
		}) || len(lines)+len(h.Lines) > mostDiff {
			return nil
		}
		for _, line := range h.Lines {
			class := ""
			switch line[0] {
			case '-':
				class = "old"
			case '+':
				class = "new"
			}
			lines = append(lines, diffLine{class, line[:1] + p.piece([]byte(strings.TrimSuffix(line[1:], "\r")))})
		}
	}
	return lines
}

// repair is what the fixes make of a file.
type repair struct {
	// Text is the whole file, to be copied; empty when it has secrets, or characters that a browser
	// would obey or hide.
	Text string
	// Fixes is how many are applied, and Probable how many of them are not safe.
	Fixes, Probable int
	// Left says what is not repaired.
	Left string
}

// repairOf repairs a file.
func repairOf(v *registry.Validation, d *document) repair {
	if !slices.ContainsFunc(v.Report.Findings, func(f adagents.Finding) bool { return adagents.Probably(nil, &f) >= 0 }) {
		return repair{}
	}
	done := v.Repaired(adagents.Probably)
	if done == nil || len(done.Applied) == 0 {
		return repair{}
	}
	r := repair{Fixes: len(done.Applied), Left: leftWords(done.After, done.Text)}
	for _, a := range done.Applied {
		if a.Fix.Kind != adagents.Safe {
			r.Probable++
		}
	}
	if !d.source.Hides() && harmless(done.Text) {
		r.Text = string(done.Text)
	}
	return r
}

// mostLeft is how many lines are named that need a decision.
const mostLeft = 5

// leftWords says what is to be decided in a file whose fixes were applied. Lines of a minified one are those
// of its text laid out for reading.
func leftWords(after *adagents.Report, text []byte) string {
	n := after.Count(adagents.Error)
	if n == 0 {
		return "No error is left after that."
	}
	repaired := newDocument("", text, after)
	repaired.spread()
	where := " of the repaired file"
	if repaired.laid != nil {
		where += ", laid out for reading"
	}
	var lines []string
	for i := range after.Findings {
		f := &after.Findings[i]
		line := words.Thousands(repaired.line(f))
		if f.Severity == adagents.Error && f.Line > 0 && !slices.Contains(lines, line) && len(lines) < mostLeft {
			lines = append(lines, line)
		}
	}
	out := words.Plural(n, "error is", "errors are") + " left after that, for you to decide"
	if len(lines) > 0 {
		out += "; see " + strings.SplitN(words.Plural(len(lines), "line", "lines"), " ", 2)[1] + " " +
			strings.Join(lines, ", ") + where
	}
	return out + "."
}
