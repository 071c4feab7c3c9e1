package web

import (
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/catalogue"
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

// fixID names a fix within a text: the code and the place of its finding, and a sum of what it does.
// Its number would not do, as fixes that repeat a secret are not shown.
func fixID(f *adagents.Finding, fix *adagents.Fix) string {
	sum := crc32.ChecksumIEEE(fmt.Appendf(nil, "%q %v", fix.Title, fix.Edits))
	return f.Code + " " + strconv.Itoa(f.Offset) + " " + strconv.FormatUint(uint64(sum), 16)
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

// appliedFixes says what was done to a document.
type appliedFixes struct {
	Count, More int
	Titles      []string
}

// mostTitles is how many fixes are named.
const mostTitles = 10

// appliedOf names fixes. The titles of fixes may quote a secret: in a file that has one, the titles of the
// rules take their place.
func appliedOf(done *adagents.Repaired, hides bool) *appliedFixes {
	out := &appliedFixes{}
	if done == nil {
		return out
	}
	p := &pen{trailBytes}
	for _, a := range done.Applied {
		out.Count++
		if len(out.Titles) == mostTitles {
			out.More++
			continue
		}
		title := a.Fix.Title
		if hides {
			title = "Fixed: " + catalogue.Lookup(a.Finding.Code).Title
		}
		out.Titles = append(out.Titles, sentence(p.words(title)))
	}
	return out
}

// applyForm is the form by which the fixes of a report are applied. Its buttons are beside the
// fixes.
type applyForm struct {
	// Action is where the form leads; empty when fixes cannot be applied here.
	Action string
	// SHA256 is the hash of the published file that the report is about.
	SHA256 string
	// Encoded is a document that is not published, in base64, so that every byte of it comes
	// back, and Domain the one that it is for.
	Encoded, Domain string
	// Builder is where the builder begins with the published file; empty when that is the file of a manager.
	Builder string
}

// applyFormOf returns the form for a report. A large file has no fixes here. One with secrets has them:
// its form carries back what the sender sent, and a published file is not in the page.
func applyFormOf(v *registry.Validation) applyForm {
	if len(v.Body) > registry.FixesUpTo {
		return applyForm{}
	}
	if v.Discovery != nil {
		u := url.URL{Path: "/check/" + v.Domain + "/fix", RawPath: "/check/" + url.PathEscape(v.Domain) + "/fix"}
		form := applyForm{Action: u.String(), SHA256: string(registry.HashOf(v.Body))}
		if v.Discovery.Method != discover.ManagerDomain {
			form.Builder = builderURL(v.Domain)
		}
		return form
	}
	return applyForm{Action: "/paste/fix", Encoded: base64.StdEncoding.EncodeToString(v.Body), Domain: safe(v.Domain)}
}
