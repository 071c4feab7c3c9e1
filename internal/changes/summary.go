package changes

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/words"
)

// A Piece is one thing that a version changes, in a few words.
type Piece struct {
	// Sign is "+" for what is new, "−" for what is gone, and empty otherwise.
	Sign string
	// Text is from outside in part, without secrets and not escaped.
	Text string
}

// bookkeeping are changes that mean nothing to buyers, or repeat what others say.
var bookkeeping = map[string]bool{
	"file.date_changed": true, "file.date_unchanged": true, "catalog.etag_changed": true, "catalog.etag_unchanged": true,
	"properties.dropped": true, "properties.grown": true,
}

// signs are the changes that add or take away something whose name says it all, with the words behind
// one name and behind several.
var signs = map[string]struct{ sign, one, many string }{
	"agent.added":        {"+", " may sell", " may sell"},
	"agent.removed":      {"−", " may not sell any more", " may not sell any more"},
	"property.added":     {"+", ": a property was added", ": properties were added"},
	"property.removed":   {"−", ": a property was removed", ": properties were removed"},
	"revocation.added":   {"−", " is revoked", " are revoked"},
	"revocation.removed": {"+", " is not revoked any more", " are not revoked any more"},
}

// ranks are the codes that come first in a summary, because they say most to buyers.
var ranks = []string{"agent.added", "agent.removed", "revocation.added", "revocation.removed"}

// Summary says in a few words what a version changes, with most pieces at most, and how many it leaves out.
func Summary(list []custody.Change, most int) ([]Piece, int) {
	byCode := map[string][]*custody.Change{}
	var codes []string
	for i := range list {
		c := &list[i]
		if bookkeeping[c.Code] {
			continue
		}
		if byCode[c.Code] == nil {
			codes = append(codes, c.Code)
		}
		byCode[c.Code] = append(byCode[c.Code], c)
	}
	rank := func(code string) int {
		i := slices.Index(ranks, code)
		if i < 0 {
			return len(ranks)
		}
		return i
	}
	slices.SortStableFunc(codes, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(byCode[b][0].Severity, byCode[a][0].Severity))
	})
	var pieces []Piece
	for _, code := range codes {
		for _, p := range piecesOf(byCode[code]) {
			same := func(other Piece) bool { return other.Text == p.Text } // as when countries are exchanged
			if !slices.ContainsFunc(pieces, same) {
				pieces = append(pieces, p)
			}
		}
	}
	n := min(len(pieces), most)
	return pieces[:n:n], len(pieces) - n
}

// piecesOf says what changes of one code mean: one by one, or together where they are many or have
// nothing but a name.
func piecesOf(list []*custody.Change) []Piece {
	code := list[0].Code
	if s, ok := signs[code]; ok {
		names := make([]string, len(list))
		for i, c := range list {
			names[i] = AgentName(c.Subject)
		}
		text := names[0] + s.one
		if len(names) > 1 {
			text = Names(names) + s.many
		}
		return []Piece{{s.sign, redact.Credentials(text)}}
	}
	if len(list) > few && repeated[code] != "" {
		return []Piece{{"", words.Thousands(len(list)) + " " + repeated[code]}}
	}
	var pieces []Piece
	for _, c := range list {
		pieces = append(pieces, Piece{"", Meaning(c)})
	}
	return pieces
}

// Meaning says what a change means in a few words: "ssp.example only in DE, previously everywhere".
func Meaning(c *custody.Change) string {
	name := AgentName(c.Subject)
	var text string
	switch c.Code {
	case "agent.countries_narrowed", "agent.countries_widened":
		text = name + " " + countryWords(c.After) + ", previously " + countryWords(c.Before)
	default:
		before, after, ok := strings.Cut(c.Difference(), custody.Arrow)
		if !ok {
			return Words(c)
		}
		text = titleOf(c.Code) + ": " + after + ", previously " + before
		if name != "" {
			text = name + ": " + text
		}
	}
	return redact.Credentials(text)
}

// countryWords say where an entry holds.
func countryWords(list string) string {
	if list == "" {
		return "everywhere"
	}
	countries := strings.Fields(list)
	if len(countries) > 2*few {
		return "in " + words.Thousands(len(countries)) + " countries"
	}
	return "only in " + strings.Join(countries, ", ")
}

// AgentName is the host of an agent, with its path unless that is the usual one, or what else changed as it
// is.
func AgentName(subject string) string {
	u, err := url.Parse(subject)
	if err != nil || u.Host == "" || u.Path == "/" || u.Path == "/mcp" {
		return ShortName(subject)
	}
	return u.Host + u.EscapedPath()
}

// ShortName is the host of a URL, or another text as it is.
func ShortName(subject string) string {
	u, err := url.Parse(subject)
	if err != nil || u.Host == "" {
		return subject
	}
	return u.Host
}

// Names lists the first of some names, each once.
func Names(list []string) string {
	list = slices.Clone(list)
	slices.Sort(list)
	list = slices.Compact(list)
	text := strings.Join(list[:min(len(list), few)], ", ")
	if more := len(list) - few; more > 0 {
		text += " and " + words.Thousands(more) + " more"
	}
	return text
}

// Sellers says who may sell by a file; empty for a file without agents.
func Sellers(f *adagents.File) string {
	var names []string
	for i := range f.Agents {
		if !f.Agents[i].Inert() {
			names = append(names, AgentName(f.Agents[i].URL))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return redact.Credentials(Names(names) + " may sell")
}
