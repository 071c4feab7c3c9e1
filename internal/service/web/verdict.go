package web

import (
	"net/url"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/words"
)

// verdict is the first thing the page says.
type verdict struct {
	// Class chooses the colour: good, bad, none or unknown; Mark says the same without.
	Class, Mark string
	Words       string
	// Detail says what that means, and Next what to do.
	Detail, Next string
	// Make is where a file can be made; empty when there is one.
	Make string
}

// addRepair says that avow can repair the file.
func (v *verdict) addRepair(r *repair) {
	if r.Text != "" {
		v.Next = strings.TrimSpace(v.Next + " avow has " + words.Plural(r.Fixes, "fix", "fixes") + " ready: see the repaired file below.")
	}
}

// verdictOf judges a check.
func verdictOf(v *registry.Validation, r *report) verdict {
	d := v.Discovery
	if d == nil {
		return documentVerdict(v, r)
	}
	switch {
	case d.Answer == discover.Absent:
		return verdict{
			Class: "none", Mark: "–", Words: "No file: nobody is authorized, and nobody is forbidden",
			Make:   "/build?" + url.Values{"domain": {v.Domain}}.Encode(),
			Detail: r.Domain + " publishes no adagents.json. That says nothing about any agent.",
			Next:   "To declare who may sell your inventory, publish a file at " + safe(d.URL) + ".",
		}
	case d.Answer == discover.Unusable || v.Report != nil && v.Report.Unusable != nil:
		return verdict{
			Class: "bad", Mark: "✗", Words: "Has errors: buyers must not use it",
			Detail: "There is a file for " + r.Domain + ", and it cannot be used at all until it is fixed.",
			Next:   r.nextStep(),
		}
	case d.Answer == discover.Usable:
		return fileVerdict(v, r, speaker(d, r.Domain))
	}
	return verdict{
		Class: "unknown", Mark: "?", Words: "Unreachable: avow could not determine what " + r.Domain + " declares",
		Detail: "That is not the same as having no file.",
		Next:   "See below what was asked and what came back, and check again later.",
	}
}

// documentVerdict judges a document that was sent.
func documentVerdict(v *registry.Validation, r *report) verdict {
	x := v.Report
	switch {
	case x.Unusable != nil:
		return verdict{
			Class: "bad", Mark: "✗", Words: "Has errors: buyers must not use it",
			Detail: "This document cannot be used at all until it is fixed.", Next: r.nextStep(),
		}
	case x.Pointer != nil && x.Valid():
		return verdict{
			Class: "good", Mark: "✓", Words: "Valid pointer",
			Detail: "This document points to " + safe(redact.URL(x.Pointer.AuthoritativeLocation)) + ". The file there has to be checked, too.",
			Next:   r.nextStep(),
		}
	}
	return fileVerdict(v, r, "This is what buyers find once the document is published.")
}

// fileVerdict judges a file that can be used. The first words are the consequence: a file
// may have few errors, or none, and still let nobody sell.
func fileVerdict(v *registry.Validation, r *report, detail string) verdict {
	out := verdict{Class: "bad", Mark: "✗", Next: r.nextStep()}
	listed, able := sellers(v)
	switch {
	case listed > 0 && able == 0:
		out.Words = "No agent can sell anything through this file"
		out.Detail = detail + " It lists " + words.Plural(listed, "agent", "agents") + ", and buyers can use none of the entries at present. The findings and the table of agents below say why."
	case !v.Valid():
		out.Words, out.Detail = "Has errors: "+partly(listed, able), detail+" Buyers leave out what the errors below are about."
	default:
		out.Class, out.Mark, out.Words, out.Detail = "good", "✓", "Valid: "+partly(listed, able), detail
		if listed == 0 && v.Report != nil && v.Report.File != nil {
			out.Detail += " It lists no agents: it authorizes nobody, and forbids nobody."
		}
	}
	return out
}

// partly says what the agents of a file can do.
func partly(listed, able int) string {
	switch {
	case listed == 0:
		return "buyers can use this file"
	case listed == 1:
		return "the agent in it can sell"
	case able == listed:
		return "all " + words.Thousands(listed) + " agents in it can sell"
	}
	return words.Thousands(listed-able) + " of " + words.Plural(listed, "agent", "agents") + " can sell nothing at present"
}

// sellers counts the entries of a file for agents, and those that let an agent sell
// something at the time of the check.
func sellers(v *registry.Validation) (int, int) {
	if v.Report == nil || v.Report.File == nil {
		return 0, 0
	}
	able := 0
	for i := range v.Report.File.Agents {
		a := &v.Report.File.Agents[i]
		from, begins := a.EffectiveFrom.Time()
		until, ends := a.EffectiveUntil.Time()
		if !a.Inert() && (!begins || !v.CheckedAt.Before(from)) && (!ends || !v.CheckedAt.After(until)) {
			able++
		}
	}
	return v.Report.File.Raw.Get("authorized_agents").Len(), able
}

// nextStep says what to do with the findings.
func (r *report) nextStep() string {
	errors, warnings := r.counts[adagents.Error], r.counts[adagents.Warning]
	switch {
	case errors > 0:
		return "Fix " + words.Plural(errors, "error", "errors") + " first" + also(warnings) + "."
	case warnings > 0:
		return "Look at " + words.Plural(warnings, "warning", "warnings") + " when you change the file."
	}
	return ""
}

func also(warnings int) string {
	if warnings == 0 {
		return ""
	}
	return ", then look at " + words.Plural(warnings, "warning", "warnings")
}

// speaker says which file counts.
func speaker(d *discover.Discovery, who string) string {
	switch d.Method {
	case discover.AuthoritativeLocation:
		if d.NothingFound() {
			return who + " points to " + safe(redact.URL(d.ResolvedURL)) + ", in which buyers find nothing for it."
		}
		return who + " points to " + safe(redact.URL(d.ResolvedURL)) + ", and that file speaks for it."
	case discover.ManagerDomain:
		return who + " has no file of its own; the file of its manager " + safe(d.ManagerDomain) + " speaks for it."
	}
	return who + " speaks for itself with its own file."
}
