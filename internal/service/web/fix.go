package web

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/textedit"
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
	adagents.Safe: "safe: no agent may sell more than before", adagents.Likely: "what was probably meant", adagents.Choice: "one of several to choose from",
}

// fixesOf shows the fixes of a finding.
func fixesOf(d *document, f *adagents.Finding, p *pen) []shownFix {
	var list []shownFix
	for i := range f.Fixes {
		fix := &f.Fixes[i]
		x := shownFix{Title: sentence(p.words(fix.Title)), Kind: kindWords[fix.Kind]}
		if !d.source.Hides() {
			x.Lines = diffOf(d.source.Bytes(), fix.Edits, p)
		}
		if d.applies {
			x.ID = fixID(f, i)
		}
		list = append(list, x)
	}
	return list
}

func diffOf(src []byte, edits []adagents.Edit, p *pen) []diffLine {
	var lines []diffLine
	for _, h := range textedit.Hunks(src, edits, around) {
		if slices.ContainsFunc(h.Lines, func(line string) bool { return len(line) > longestDiff }) || len(lines)+len(h.Lines) > mostDiff {
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

// repair is the whole file with its fixes, to be copied, and the command that makes it.
type repair struct {
	Text, Command string
	// Fixes is how many were applied, and Errors how many errors are left.
	Fixes, Errors int
}

// repairOf repairs a file. Nothing is shown of one that has secrets, or characters that a
// browser would obey or hide.
func repairOf(v *registry.Validation, d *document) repair {
	if d.source.Hides() || !slices.ContainsFunc(d.report.Findings, func(f adagents.Finding) bool { return adagents.Probably(nil, &f) >= 0 }) {
		return repair{}
	}
	done := v.Repaired(adagents.Probably)
	if done == nil || len(done.Applied) == 0 || !harmless(done.Text) {
		return repair{}
	}
	r := repair{Text: string(done.Text), Fixes: len(done.Applied), Errors: done.After.Count(adagents.Error), Command: "avow fix -w --likely adagents.json"}
	if v.Discovery != nil {
		r.Command = "avow fix --likely " + safe(v.Domain) + " > adagents.json"
	}
	return r
}
