package adagents

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/std/hostname"
)

// agentClosingRules compare the entries of authorized_agents with each other.
var agentClosingRules = slices.Concat(agentDoubleRules, agentExclusiveRules, agentInferredRules, agentAdviceRules)

var agentDoubleRules = []rule[*File]{
	{
		Rule: Rule{
			Code: "agent.duplicate_entry", Severity: Warning,
			Title: "an agent is listed twice with the same scope",
			Why:   "The second entry adds nothing. When the first is changed or removed later, the other is easily forgotten and keeps the agent authorized.",
			Hint:  "remove one of the two",
			Spec:  "avow docs/rules.md",
			In:    InAgents,
			Bad: `[
  ` + nested(sellerOfSite+"\n}") + `,
  ` + nested(sellerOfSite+"\n}") + `
]`,
			Good: `[
  ` + nested(sellerOfSite+"\n}") + `
]`,
		},
		check: func(r reporter, f *File) {
			for _, d := range r.doubles() {
				if d.sameScope {
					r.say(f.Agents[d.entry].Raw, "the entry repeats /authorized_agents/%d: the same agent with the same scope", d.first)
				}
			}
		},
	},
	{
		Rule: Rule{
			Code: "agent.duplicate_url", Severity: Info,
			Title: "an agent is listed with several scopes",
			Why:   "This is allowed: the scopes are united. Some readers look at one entry only.",
			Hint:  "nothing to do if the scopes cannot be written as one entry",
			Spec:  "avow docs/rules.md",
			In:    InAgents,
			Bad: `[
  ` + nested(sellerOfSite+"\n}") + `,
  ` + nested(strings.NewReplacer("property_ids", "property_tags", `["site"]`, `["news"]`).Replace(sellerOfSite)+"\n}") + `
]`,
			Good: `[
  ` + nested(sellerOfSite+"\n}") + `
]`,
		},
		check: func(r reporter, f *File) {
			for _, d := range r.doubles() {
				if !d.sameScope {
					r.say(f.Agents[d.entry].member(atAgentURL), "the agent is also listed in /authorized_agents/%d; the scopes are united", d.first)
				}
			}
		},
	},
	{
		Rule: Rule{
			Code: "agent.url_near_duplicate", Severity: Warning,
			Title: "two agents have nearly the same URL",
			Why:   "The URLs differ in scheme, trailing slash or letter case only. They count as two agents, though one was probably meant, and each matches only its own spelling.",
			Spec:  "AdCP URL canonicalization",
			In:    InAgents,
			Bad: `[
  ` + nested(sellerOfSite+"\n}") + `,
  ` + nested(badURL("https://seller.example/mcp/")) + `
]`,
			Good: `[
  ` + nested(sellerOfSite+"\n}") + `,
  ` + nested(badURL("https://other.example/mcp")) + `
]`,
		},
		check: func(r reporter, f *File) {
			near := make(map[string]string)
			told := make(map[string]bool)
			for i, url := range r.agents.canonical {
				if url == "" {
					continue
				}
				key := hostname.NearKey(url)
				other, ok := near[key]
				if !ok {
					near[key] = url
					continue
				}
				if difference := hostname.NearMiss(other, url); difference != "" && !told[url] {
					told[url] = true
					r.say(f.Agents[i].member(atAgentURL), "%s differs from %s only in %s, so it is another agent", quote(url), quote(other), difference).
						withHint("use the URL under which the agent is called, in every entry")
				}
			}
		},
	},
}

// nested indents an example entry for its place in a list.
func nested(entry string) string { return strings.ReplaceAll(entry, "\n", "\n  ") }

// double is an entry whose agent an earlier entry names too.
type double struct {
	entry, first int
	sameScope    bool
}

// doubles finds the entries of agents that are listed before. Scopes are
// compared by their text, so the work is linear in the size of the entries.
func (c *content) doubles() []double {
	if c.agents.doubled {
		return c.agents.doubles
	}
	c.agents.doubled = true
	byURL := make(map[string]int, len(c.file.Agents))
	scopes := make(map[string]int)
	for i, url := range c.agents.canonical {
		if url == "" {
			continue
		}
		first, ok := byURL[url]
		if !ok {
			byURL[url] = i
			continue
		}
		if first >= 0 {
			// The text of the first one is needed only now, and only once.
			scopes[url+scopeText(&c.file.Agents[first])] = first
			scopes[url] = first
			byURL[url] = -1
		}
		scope := url + scopeText(&c.file.Agents[i])
		same, found := scopes[scope]
		if !found {
			same = scopes[url]
			scopes[scope] = i
		}
		c.agents.doubles = append(c.agents.doubles, double{i, same, found})
	}
	return c.agents.doubles
}

// scopeText is equal for entries that authorize the same. What is said of the
// path counts too: a delegated and a direct entry are not the same.
func scopeText(a *Agent) string {
	var b strings.Builder
	b.WriteString("\n" + string(a.Type))
	parts := []int{
		atAgentDelegationType, atAgentCollections, atAgentPlacementIDs, atAgentPlacementTags,
		atAgentCountries, atAgentEffectiveFrom, atAgentEffectiveUntil, atAgentExclusive,
	}
	if s := a.companion(); s != nil {
		parts = append(parts, s.at)
	}
	for _, at := range parts {
		b.WriteByte('\n')
		if v := a.member(at); v.Is(Array) {
			b.WriteString(sortedText(v))
		} else {
			conform.WriteCanonical(&b, v)
		}
	}
	return b.String()
}
