package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/words"
)

// authorizesNobody reports whether a usable file lists agents, none of which may sell
// anything.
func authorizesNobody(r *check.Result) bool {
	if Unusable(r) || r.Report.File == nil || r.Report.File.UsableAgents() > 0 {
		return false
	}
	return r.Report.Tree().Root().Get("authorized_agents").Len() > 0
}

// whyNobody names the rules that left no agent.
func whyNobody(r *check.Result) string {
	var codes []string
	for _, skip := range r.Report.Skipped {
		if strings.HasPrefix(skip.Pointer, "/authorized_agents/") {
			codes = append(codes, skip.Code)
		}
	}
	return inBrackets(codes)
}

// whyNot are the codes of the errors about a target, the most important first.
func whyNot(r *check.Result) string {
	var codes []string
	for _, i := range r.Ranked() {
		if r.Findings[i].Severity == adagents.Error && !r.IsKnown(i) {
			codes = append(codes, r.Findings[i].Code)
		}
	}
	return inBrackets(codes)
}

// inBrackets names the first codes, each once.
func inBrackets(all []string) string {
	const most = 3
	var codes []string
	for _, code := range all {
		if code != "" && !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	switch {
	case len(codes) == 0:
		return ""
	case len(codes) > most:
		codes = append(codes[:most], fmt.Sprintf("%d more", len(codes)-most))
	}
	return " (" + strings.Join(codes, ", ") + ")"
}

// offers writes how much keeps buyers away, and the commands that repair the file.
func (h *Text) offers(r *check.Result) {
	if len(r.Docs) == 0 || r.Verdict() > check.NotValid {
		return
	}
	away := 0
	var fixable [adagents.Choice + 1]int
	for i, f := range r.Findings {
		n := 1 + f.More
		if r.IsKnown(i) {
			continue
		}
		if f.KeepsBuyersAway() {
			away += n
		}
		// The command repairs the last file, not a pointer to it.
		if f.Doc == r.Docs[len(r.Docs)-1] && (f.Severity > adagents.Info || f.KeepsBuyersAway()) {
			fixable[bestKind(f.Finding)] += n
		}
	}
	what := "all of this file"
	if Unusable(r) {
		what = "this file"
	}
	if away > 0 {
		text := words.Plural(away, "thing keeps", "things keep") + " buyers from using " + what
		fmt.Fprintf(h.W, "\n%s\n", h.Paint.Bold(text))
	} else if fixable[adagents.Safe]+fixable[adagents.Likely] > 0 {
		fmt.Fprintln(h.W)
	}
	h.command(r.Target, fixable[adagents.Safe], "a safe fix", "")
	h.command(r.Target, fixable[adagents.Likely], "a likely fix", " --likely")
	if away > 0 {
		h.command(r.Target, fixable[adagents.Choice], "several fixes to choose from", "")
	}
}

// bestKind is the kind of fix that a finding gets when the user lets avow do what it can.
func bestKind(f *adagents.Finding) adagents.FixKind {
	switch {
	case adagents.Safely(nil, f) >= 0:
		return adagents.Safe
	case adagents.Probably(nil, f) >= 0:
		return adagents.Likely
	case len(f.Fixes) > 0:
		return adagents.Choice
	}
	return adagents.NoFix
}

// command writes a command that applies the fixes of n findings.
func (h *Text) command(t check.Target, n int, what, flag string) {
	if n == 0 {
		return
	}
	text := "avow fix" + flag + h.Again + " " + console.ShellQuote(t.Name)
	if t.OnWeb() {
		text += " > adagents.json"
	}
	fmt.Fprintf(h.W, "%s %s: %s\n", words.Plural(n, "finding has", "findings have"), what,
		h.Paint.Bold(console.Safe(text)))
}
