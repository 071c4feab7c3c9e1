package report

import (
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/wire"
)

// describeCounts says how many findings of each severity there are.
func describeCounts(counts [adagents.Error + 1]int) string {
	var parts []string
	for sev := adagents.Error; sev >= adagents.Info; sev-- {
		if counts[sev] > 0 {
			parts = append(parts, words.Plural(counts[sev], sev.String(), sev.String()+"s"))
		}
	}
	if len(parts) == 0 {
		return "no findings"
	}
	return strings.Join(parts, ", ")
}

// describeSummary sums up a run over several targets.
func describeSummary(t *check.Summary) string {
	s := "checked " + words.Plural(t.Valid+t.Invalid, "file", "files") + ": " + words.Thousands(t.Valid) + " valid"
	if t.Invalid > 0 {
		s += ", " + words.Thousands(t.Invalid) + " not valid"
	}
	if t.Unread > 0 {
		s += "; could not read " + words.Thousands(t.Unread)
	}
	if t.Absent > 0 {
		s += "; " + words.Plural(t.Absent, "domain has", "domains have") + " no file"
	}
	if t.Unreached > 0 {
		s += "; no answer about " + words.Thousands(t.Unreached)
	}
	return s
}

// verdictWords are the verdicts for people.
var verdictWords = map[check.Verdict]string{
	check.Valid: "valid", check.NotValid: "not valid", check.NoFile: "no file", check.NoAnswer: "no answer",
}

// UsableOf returns how much of a file consumers use; nil when they must not use it.
func UsableOf(r *adagents.Report) *wire.Usable {
	f := content(r)
	if f == nil {
		return nil
	}
	return wire.UsableOf(f)
}

// Unusable reports whether consumers must not use what was found.
func Unusable(r *check.Result) bool {
	return r.Report == nil || r.Report.Unusable != nil || r.Found != nil && r.Found.Answer != discover.Usable
}

// DescribeUsable says what consumers get out of a file. Agents are named even when
// there are none, since a file without any authorizes no agent.
func DescribeUsable(f *adagents.File) string {
	parts := []string{"no agents"}
	if n := f.UsableAgents(); n > 0 {
		parts[0] = words.Plural(n, "agent", "agents")
	}
	for _, x := range []struct {
		n         int
		one, many string
	}{
		{len(f.Properties), "property", "properties"},
		{len(f.Collections), "collection", "collections"},
		{len(f.Placements), "placement", "placements"},
		{len(f.Formats), "format", "formats"},
		{len(f.Signals), "signal", "signals"},
	} {
		if x.n > 0 {
			parts = append(parts, words.Plural(x.n, x.one, x.many))
		}
	}
	return strings.Join(parts, ", ")
}

// content returns what consumers get out of a file. It is nil for a file they
// must not use and empty for a pointer.
func content(r *adagents.Report) *adagents.File {
	switch {
	case r.Unusable != nil:
		return nil
	case r.File == nil:
		return new(adagents.File)
	}
	return r.File
}
