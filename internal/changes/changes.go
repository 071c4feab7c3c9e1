// Package changes says in a few lines what changes between two versions of a file: what repeats is
// put together.
package changes

import (
	"slices"
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/words"
)

// few is the number of changes of one kind that are shown one by one.
const few = 3

// repeated are the words for what many changes of a code have in common, after their number.
// Other codes have their title.
var repeated = map[string]string{
	"property.added":              "properties are new",
	"property.removed":            "properties are gone",
	"property.changed":            "properties are described differently",
	"property.identified":         "properties are recognised by other identifiers",
	"revocation.added":            "publishers are revoked",
	"revocation.removed":          "publishers are not revoked any more",
	"agent.added":                 "agents are authorized that were not before",
	"agent.removed":               "agents are not authorized any more",
	"agent.described":             "entries are authorized in other words",
	"agent.delegation_downgraded": "entries are delegated less directly",
	"agent.delegation_upgraded":   "entries are delegated more directly",
	"agent.exclusive_lost":        "entries are not exclusive any more",
	"agent.exclusive_gained":      "entries are exclusive now",
	"agent.entry_added":           "entries are new",
	"agent.entry_removed":         "entries are gone",
	"agent.scope_widened":         "entries authorize for more",
	"agent.scope_narrowed":        "entries authorize for less",
	"agent.countries_widened":     "entries hold in more countries",
	"agent.countries_narrowed":    "entries hold in fewer countries",
	"agent.window_widened":        "entries hold for a longer time",
	"agent.window_narrowed":       "entries hold for a shorter time",
	"signing_key.added":           "keys are new",
	"signing_key.removed":         "keys are gone",
	"signing_key.withdrawn":       "keys are revoked",
	"signing_key.repurposed":      "keys are for other messages",
	"encryption_key.changed":      "agents have other encryption keys",
}

// A Line is what is shown of a change, or of several of one kind.
type Line struct {
	Severity custody.Severity
	Code     string
	// Text is from outside in part, without secrets and not escaped.
	Text string
	// First is the first of the changes.
	First *custody.Change
}

// A Comparison is two versions of a file with what differs. Either may be nil, for a pointer.
type Comparison struct {
	Old, Next *adagents.File
	Changes   []custody.Change
}

// Lines puts changes of one kind together if there are many, unless each is asked for.
func (c *Comparison) Lines(each bool) []Line {
	var out []Line
	for rest := c.Changes; len(rest) > 0; {
		code := rest[0].Code
		n := slices.IndexFunc(rest, func(x custody.Change) bool { return x.Code != code })
		if n < 0 {
			n = len(rest)
		}
		if n > few && !each {
			out = append(out, Line{rest[0].Severity, code, c.groupWords(rest[:n]), &rest[0]})
		} else {
			for i := range rest[:n] {
				out = append(out, Line{rest[i].Severity, code, Words(&rest[i]), &rest[i]})
			}
		}
		rest = rest[n:]
	}
	return out
}

// Words say what changed, with its values before and after.
func Words(c *custody.Change) string {
	text := c.Message
	if difference := c.Difference(); difference != "" {
		text += ": " + difference
	}
	return redact.Credentials(text)
}

// groupWords sum up changes of one code: how many there are, of whom, and the first of them.
func (c *Comparison) groupWords(list []custody.Change) string {
	code := list[0].Code
	text := words.Thousands(len(list)) + " " + repeated[code]
	if repeated[code] == "" {
		text = titleOf(code) + ", " + words.Thousands(len(list)) + " times"
	}
	var subjects []string
	for i := range list {
		if s := list[i].Subject; s != "" && !slices.Contains(subjects[max(0, len(subjects)-1):], s) {
			subjects = append(subjects, s) // those of one code are in order
		}
	}
	kind, _, _ := strings.Cut(code, ".")
	switch {
	case kind == "property":
		if n := c.owners(list); n > 0 {
			text += ", of " + words.Plural(n, "publisher", "publishers")
		}
	case (kind == "agent" || kind == "signing_key") && len(subjects) < len(list):
		text += ", of " + words.Plural(len(subjects), "agent", "agents")
	}
	same := list[0].Difference()
	if same != "" && !slices.ContainsFunc(list, func(x custody.Change) bool { return x.Difference() != same }) {
		text += ": " + same
	}
	return redact.Credentials(text + examples(subjects))
}

// examples names the first of a list.
func examples(list []string) string {
	if len(list) == 0 {
		return ""
	}
	text := " (" + strings.Join(list[:min(len(list), few)], ", ")
	if more := len(list) - few; more > 0 {
		text += " and " + words.Thousands(more) + " more"
	}
	return text + ")"
}

// titleOf is the title of a code.
func titleOf(code string) string {
	for _, rule := range custody.Codes() {
		if rule.Code == code {
			return rule.Title
		}
	}
	return code
}

// owners counts the publishers that properties belong to. The publisher of the file itself is
// not known and not counted.
func (c *Comparison) owners(list []custody.Change) int {
	file := c.Next
	if strings.HasSuffix(list[0].Code, "removed") { // its pointer leads into the older one
		file = c.Old
	}
	if file == nil {
		return 0
	}
	var domains []string
	for _, p := range file.Raw.Get("properties").Elems() {
		domains = append(domains, strings.ToLower(p.Get("publisher_domain").Str()))
	}
	seen := map[string]bool{}
	for i := range list {
		// The pointer is /properties/N, or leads into that.
		text, _, _ := strings.Cut(strings.TrimPrefix(list[i].Pointer, "/properties/"), "/")
		n, err := strconv.Atoi(text)
		if err == nil && n < len(domains) && domains[n] != "" {
			seen[domains[n]] = true
		}
	}
	return len(seen)
}

// ReachWords say how many are affected; empty for none.
func ReachWords(r custody.Reach) string {
	var parts []string
	for _, x := range []struct {
		n         int
		one, many string
	}{
		{r.Agents, "agent", "agents"}, {r.Publishers, "publisher", "publishers"}, {r.Properties, "property", "properties"},
	} {
		if x.n > 0 {
			parts = append(parts, words.Plural(x.n, x.one, x.many))
		}
	}
	return strings.Join(parts, ", ")
}
