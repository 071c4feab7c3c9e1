package cli

import (
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/words"
)

// describeUsable says what consumers get out of a file. Agents are named even
// when there are none, since a file without any authorizes nobody.
func describeUsable(f *adagents.File) string {
	parts := []string{"no agents"}
	if n := activeAgents(f); n > 0 {
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

// describeTally sums up a run over several targets.
func describeTally(t *tally) string {
	s := "checked " + words.Plural(t.valid+t.invalid, "file", "files") + ": " + words.Thousands(t.valid) + " valid"
	if t.invalid > 0 {
		s += ", " + words.Thousands(t.invalid) + " not valid"
	}
	if t.unread > 0 {
		s += "; could not read " + words.Thousands(t.unread)
	}
	if t.absent > 0 {
		s += "; " + words.Plural(t.absent, "domain has", "domains have") + " no file"
	}
	if t.unreached > 0 {
		s += "; no answer about " + words.Thousands(t.unreached)
	}
	return s
}

// verdictWords are the verdicts for people.
var verdictWords = map[verdict]string{
	valid: "valid", notValid: "not valid", noFile: "no file", noAnswer: "no answer",
}

// bytesInWords writes a size in the unit that people think in.
func bytesInWords(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10) + " B"
	case n < 10_000:
		return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + " kB"
	case n < 1_000_000:
		return strconv.FormatInt((n+500)/1000, 10) + " kB"
	}
	return strconv.FormatFloat(float64(n)/1_000_000, 'f', 1, 64) + " MB"
}

// milliseconds writes how long something took.
func milliseconds(d time.Duration) string {
	return strconv.FormatInt(d.Round(time.Millisecond).Milliseconds(), 10) + " ms"
}

// effects say what consumers do about a finding. NoEffect has no words.
var effects = map[adagents.Effect]string{
	adagents.DropRef:    "buyers ignore this reference and use the rest of the entry",
	adagents.EmptyEntry: "this entry authorizes nothing",
	adagents.SkipEntry:  "buyers leave this entry out and use the rest of the file",
	adagents.AbortFile:  "buyers must not use this file at all",
}
