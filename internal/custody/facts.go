package custody

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

// FactsOf returns what the rules need to know about a file.
func FactsOf(f *adagents.File) Facts {
	var hosts hostname.Memo
	facts := Facts{LastUpdated: dateOf(f.LastUpdated), CatalogETag: short(Clean(f.CatalogETag)),
		Revoked: revokedOf(f, &hosts)}
	facts.SupersededBy, _ = f.Successor()
	for i := range f.Agents {
		facts.Agents = append(facts.Agents, short(agentURL(&f.Agents[i], &hosts)))
	}
	slices.Sort(facts.Agents)
	facts.Agents = slices.Compact(facts.Agents)
	facts.Ends = endsOf(f, &hosts)
	return facts
}

// endsOf returns when entries and keys end.
func endsOf(f *adagents.File, hosts *hostname.Memo) []End {
	var ends []End
	add := func(t adagents.Timestamp, what func() string) {
		at := dateOf(t)
		if t != "" && !at.IsZero() {
			ends = append(ends, End{at, cut(Clean(what()))})
		}
	}
	for i := range f.Agents {
		a := &f.Agents[i]
		add(a.EffectiveUntil, func() string { return "the authorization of " + agentURL(a, hosts) })
		for k := range a.SigningKeys {
			key := &a.SigningKeys[k]
			add(key.RevokedAt, func() string { return "the key " + quote(key.Kid) + " of " + agentURL(a, hosts) })
		}
	}
	slices.SortStableFunc(ends, func(a, b End) int { return a.At.Compare(b.At) })
	return slices.Compact(ends)
}

// dateOf returns a date in UTC, and the zero time for one that cannot be read. One that
// lies outside the years 1 to 9999 there is among those: stores do not keep it.
func dateOf(t adagents.Timestamp) time.Time {
	date, ok := t.Time()
	if !ok || date.UTC().Year() < 1 || date.UTC().Year() > 9999 {
		return time.Time{}
	}
	return date.UTC()
}

// maxName is the number of bytes from which on a name is remembered by its hash.
const maxName = 500

// short returns a name that is compared with others, and not read. Anybody may make up one
// of megabytes, and a record keeps many.
func short(s string) string {
	if len(s) <= maxName {
		return s
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(s)))
}

// agentURL returns the canonical URL of an agent, or the text that stands for it: an
// agent that cannot be called was still named.
func agentURL(a *adagents.Agent, hosts *hostname.Memo) string {
	url, _, err := hosts.CanonicalURL(a.URL)
	if err != nil {
		return Clean(a.URL)
	}
	return url
}

// Clean returns a text without what a store may refuse to keep: bytes that are no UTF-8,
// and NUL. Both become the character that stands for others.
func Clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// revokedOf reads the list of revoked publishers generously: an entry counts as long as
// its domain can be told, whatever else is wrong with it.
func revokedOf(f *adagents.File, hosts *hostname.Memo) []Revoked {
	var out []Revoked
	for i := range f.Revocations {
		r := &f.Revocations[i]
		at := dateOf(r.RevokedAt)
		for _, text := range r.Domains() {
			domain, _, err := hosts.Canonical(text)
			if err == nil {
				out = append(out, Revoked{Domain: domain, At: at})
			}
		}
	}
	return inOrder(out)
}

// inOrder returns the list sorted, each domain once with its earliest date. FactsOf makes
// it so; a list from elsewhere must not make a revocation disappear.
func inOrder(list []Revoked) []Revoked {
	strict := func(a, b Revoked) int { return cmp.Or(cmp.Compare(a.Domain, b.Domain), compareDates(a.At, b.At)) }
	same := func(a, b Revoked) bool { return a.Domain == b.Domain }
	sorted := true
	for i := 1; i < len(list) && sorted; i++ {
		sorted = list[i-1].Domain < list[i].Domain
	}
	if sorted {
		return list
	}
	list = slices.SortedFunc(slices.Values(list), strict)
	return slices.CompactFunc(list, same)
}

// compareDates puts an earlier date first, and none last.
func compareDates(a, b time.Time) int {
	if a.IsZero() != b.IsZero() {
		if a.IsZero() {
			return 1
		}
		return -1
	}
	return a.Compare(b)
}
