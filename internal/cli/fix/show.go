package fix

import (
	"fmt"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/wire"
)

// diff returns the changes of a file, each with the reasons for it. Secrets are not shown.
func diff(name string, src []byte, done *adagents.Repaired) string {
	edits := make([]adagents.Edit, len(done.Changes))
	for i := range done.Changes {
		edits[i] = done.Changes[i].Edit
	}
	return report.Patch{
		Name: name, Before: src, After: done.Text, BeforeReport: done.Before, AfterReport: done.After, Edits: edits,
		Heading: func(changes []int) string { return reasons(done, changes) },
	}.String()
}

// reasons says which fixes a part of the diff shows.
func reasons(done *adagents.Repaired, changes []int) string {
	const most = 3
	var list []string
	times := map[string]int{}
	seen := map[int]bool{}
	for _, c := range changes {
		for _, k := range done.Changes[c].Fixes {
			text := reason(&done.Applied[k])
			if seen[k] {
				continue
			}
			seen[k] = true
			times[text]++
			if times[text] == 1 {
				list = append(list, text)
			}
		}
	}
	more := len(list) - most
	list = list[:min(len(list), most)]
	for i, text := range list {
		if times[text] > 1 {
			list[i] += fmt.Sprintf(", %s times", words.Thousands(times[text]))
		}
	}
	if more > 0 {
		list = append(list, fmt.Sprintf("and %s more", words.Thousands(more)))
	}
	return strings.Join(list, "; ")
}

func reason(a *adagents.Applied) string {
	text := a.Fix.Title + " [" + a.Finding.Code + "]"
	if a.Fix.Kind != adagents.Safe {
		text += " (" + a.Fix.Kind.String() + ")"
	}
	return text
}

// writeText shows what was done to a target.
func (r *run) writeText(t check.Target, src []byte, opt adagents.Options, done *adagents.Repaired) error {
	name := t.Label()
	switch {
	case r.check:
		if len(done.Applied) > 0 {
			fmt.Fprintln(r.app.Out, console.Safe(name))
		}
		return nil
	case t.OnWeb() || t.Stdin:
		_, err := r.app.Out.Write(done.Text)
		likely, _ := offers(done.After)
		if err != nil || t.Stdin && done.After.Count(adagents.Error) == 0 && (likely == 0 || r.likely) {
			return err // a filter that has done its work says nothing
		}
		fmt.Fprint(r.app.Err, textsafe.Lines(r.guesses(t, opt, done)))
	case r.ask == nil:
		report.PaintPatch(r.app, diff(name, src, done)+r.guesses(t, opt, done))
	}
	r.sumUp(t, done)
	return nil
}

// guesses is what --likely would do beyond what was done, as a diff in which each line is marked so
// that no program takes it for a part of a patch.
func (r *run) guesses(t check.Target, opt adagents.Options, done *adagents.Repaired) string {
	if r.likely || r.write || r.ask != nil {
		return ""
	}
	more := adagents.Repair(done.Text, adagents.RepairOptions{Options: opt, Choose: adagents.Probably})
	if len(more.Applied) == 0 {
		return ""
	}
	var b strings.Builder
	for line := range strings.Lines(diff(t.Label(), done.Text, more)) {
		b.WriteString(report.LikelyMark + line)
	}
	return b.String()
}

// sumUp tells the person at the terminal what was done and what is left to do.
func (r *run) sumUp(t check.Target, done *adagents.Repaired) {
	name := console.ShellQuote(t.Name)
	n := len(done.Applied)
	text := t.Label() + ": "
	switch {
	case n == 0:
		text += "nothing to fix automatically"
	case t.OnWeb() || t.Stdin:
		text += words.Plural(n, "fix was", "fixes were") + " applied"
	case r.write || r.ask != nil:
		text += words.Plural(n, "fix was", "fixes were") + " applied and written"
	default:
		text += words.Plural(n, "fix", "fixes")
	}
	errors := done.After.Count(adagents.Error)
	switch {
	case errors == 0 && done.After.AuthorizesNobody():
		text += "; no error is left, but the file authorizes none of its agents"
	case errors == 0:
		text += "; no error is left"
	default:
		text += "; " + words.Plural(errors, "error remains", "errors remain") + " (see avow validate)"
	}
	r.app.Note("%s", text)
	likely, choices := offers(done.After)
	if likely > 0 && !r.likely && r.ask == nil {
		r.app.Note("%s with --likely (a best guess)", words.Plural(likely, "more fix", "more fixes"))
	}
	if r.ask == nil {
		for _, f := range choices {
			r.app.Note("%s (%s): choose one with --choose %s=N", f.Message, at(f), f.Code)
			for i := range f.Fixes {
				fmt.Fprintf(r.app.Err, "  %d  %s\n", i+1, console.Safe(f.Fixes[i].Title))
			}
		}
	}
	if n > 0 && !r.write && r.ask == nil && !t.OnWeb() && !t.Stdin {
		r.app.Note("write the file with avow fix -w%s %s", r.flagsAgain(), name)
	}
}

// flagsAgain repeats the flags that decide what is applied.
func (r *run) flagsAgain() string {
	text := ""
	if r.likely {
		text += " --likely"
	}
	for _, c := range r.choose {
		text += " --choose " + console.ShellQuote(c)
	}
	return text
}

// at is where a finding is.
func at(f *adagents.Finding) string { return fmt.Sprintf("%d:%d", f.Line, f.Column) }

// offers counts the likely fixes that are left, and returns one finding of each rule that
// leaves a choice.
func offers(after *adagents.Report) (int, []*adagents.Finding) {
	likely := 0
	var choices []*adagents.Finding
	seen := map[string]bool{}
	for i := range after.Findings {
		f := &after.Findings[i]
		switch {
		case len(f.Fixes) == 0:
		case adagents.Probably(nil, f) >= 0:
			likely++
		case !seen[f.Code]:
			seen[f.Code] = true
			choices = append(choices, f)
		}
	}
	return likely, choices
}

// document is what was done to a target, in JSON.
type document struct {
	Target  string         `json:"target"`
	Changed bool           `json:"changed"`
	Valid   bool           `json:"valid"` // whether no error is left
	Applied []appliedFix   `json:"applied"`
	Diff    string         `json:"diff"`
	Text    *string        `json:"text,omitzero"` // of a target that is not a file at hand
	Left    []wire.Finding `json:"findings"`
}

type appliedFix struct {
	Code    string `json:"code"`
	Kind    string `json:"kind"`
	Title   string `json:"title"`
	Pointer string `json:"pointer"`
	Line    int    `json:"line"`
}

// writeJSON writes what was done to a target as one line.
func (r *run) writeJSON(t check.Target, src []byte, done *adagents.Repaired) error {
	doc := document{Target: t.Name, Changed: len(done.Applied) > 0, Valid: done.After.Valid(),
		Diff: diff(t.Label(), src, done), Applied: []appliedFix{}, Left: []wire.Finding{}}
	for i := range done.Applied {
		a := &done.Applied[i]
		doc.Applied = append(doc.Applied, appliedFix{a.Finding.Code, a.Fix.Kind.String(), a.Fix.Title, a.Finding.Pointer,
			a.Finding.Line})
	}
	left := redact.Report(done.Text, done.After)
	for i := range left.Findings {
		doc.Left = append(doc.Left, wire.CLI.Finding(&left.Findings[i], ""))
	}
	if t.OnWeb() || t.Stdin {
		text := string(done.Text)
		doc.Text = &text
	}
	return console.WriteJSONLine(r.app.Out, doc)
}
