package report

import (
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/std/words"
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
