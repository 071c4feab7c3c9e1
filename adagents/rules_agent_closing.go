package adagents

import (
	"cmp"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/words"
)

var agentDoubleRules = []rule[*File]{
	{Rule: Rule{
		Code: "agent.duplicate_entry", Severity: Warning,
		Title: "an agent is listed twice with the same scope",
		Why: "The second entry adds nothing. When the first is changed or removed later, the other is easily forgotten " +
			"and keeps the agent authorized.",
		Hint: "remove one of the two",
		Spec: "avow docs/rules.md",
		In:   InAgents,
		fix:  fixDouble,
		Bad: `[
  ` + nested(sellerOfSite+"\n}") + `,
  ` + nested(sellerOfSite+"\n}") + `
]`,
		Good: `[
  ` + nested(sellerOfSite+"\n}") + `
]`,
	}, check: func(r reporter, f *File) {
		for _, d := range r.doubles() {
			if d.sameScope {
				r.say(f.Agents[d.entry].Raw, "the entry repeats /authorized_agents/%d: the same agent with the same scope", d.first)
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.duplicate_url", Severity: Info,
		Title: "an agent is listed with several scopes",
		Why:   "This is allowed: the scopes are united. Some readers look at one entry only.",
		Hint:  "nothing to do if the scopes cannot be written as one entry",
		Spec:  "avow docs/rules.md",
		In:    InAgents,
		Bad: `[
  ` + nested(sellerOfSite+"\n}") + `,
  ` + nested(strings.NewReplacer("property_ids", "property_tags",
			`["site"]`, `["news"]`).Replace(sellerOfSite)+"\n}") + `
]`,
		Good: `[
  ` + nested(sellerOfSite+"\n}") + `
]`,
	}, check: func(r reporter, f *File) {
		for _, d := range r.doubles() {
			if !d.sameScope {
				r.say(f.Agents[d.entry].member(atAgentURL),
					"the agent is also listed in /authorized_agents/%d; the scopes are united", d.first)
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.url_near_duplicate", Severity: Warning,
		Title: "two agents have nearly the same URL",
		Why: "The URLs differ in scheme, trailing slash or letter case only. They count as two agents, though one was " +
			"probably meant, and each matches only its own spelling.",
		Spec: "AdCP URL canonicalization",
		In:   InAgents,
		Bad: `[
  ` + nested(sellerOfSite+"\n}") + `,
  ` + nested(badURL("https://seller.example/mcp/")) + `
]`,
		Good: `[
  ` + nested(sellerOfSite+"\n}") + `,
  ` + nested(badURL("https://other.example/mcp")) + `
]`,
	}, check: func(r reporter, f *File) {
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
				r.say(f.Agents[i].member(atAgentURL), "%s differs from %s only in %s, so it is another agent", quote(url),
					quote(other), difference).
					withHint("use the URL under which the agent is called, in every entry")
			}
		}
	}},
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
// path matters too: a delegated and a direct entry are not the same.
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

// agentBrandRules compare an entry with what its operator says of itself in
// brand.json. They need Options.Relationships.
var agentBrandRules = []rule[*Agent]{
	{Rule: Rule{
		Code: "brand.relationship_mismatch", Severity: Warning,
		Title: "publisher and operator describe the path differently",
		Why: "For delegated and network paths the publisher's delegation_type and the relationship in the operator's " +
			"brand.json must agree. It is looked for only when the relationships are given; owned is never compared.",
		Spec:  "AdCP brand.json",
		In:    InAgent,
		given: brandSaysDelegated,
		Bad:   sellerOfSite + ",\n" + `  "delegation_type": "direct"` + "\n}",
		Good:  sellerOfSite + ",\n" + `  "delegation_type": "delegated"` + "\n}",
	}, check: func(r reporter, a *Agent) {
		relation, known := r.relationship(a)
		v := a.member(atAgentDelegationType)
		if !known || relation == "owned" || !slices.Contains(model.DelegationTypes, a.DelegationType) ||
			relation == a.DelegationType {
			return
		}
		r.say(v, "delegation_type is %s, but the operator's brand.json says %s", quote(a.DelegationType), quote(relation)).
			withHint("agree with the operator on one of the two")
	}},
	{Rule: Rule{
		Code: "brand.relationship_incomplete", Severity: Info,
		Title: "only one side describes the path",
		Why: "For delegated and network paths buyers compare the publisher's delegation_type with the relationship in " +
			"the operator's brand.json. When one side is silent there is nothing to compare.",
		Spec:  "AdCP brand.json",
		In:    InAgent,
		given: brandSaysDelegated,
		Bad:   sellerOfSite + "\n}",
		Good:  sellerOfSite + ",\n" + `  "delegation_type": "delegated"` + "\n}",
	}, check: func(r reporter, a *Agent) {
		relation, known := r.relationship(a)
		v := a.member(atAgentDelegationType)
		switch {
		case r.opt.Relationships == nil:
		case known && !v.Exists() && indirect(relation):
			r.missing(a.Raw, "delegation_type", "the operator's brand.json says %s, the entry has no delegation_type",
				quote(relation)).
				withHint(`add "delegation_type": %q if that is so`, relation)
		case !known && indirect(a.DelegationType):
			r.say(v, "delegation_type is %s, the operator's brand.json says nothing about this agent", quote(a.DelegationType)).
				withHint("ask the operator to declare the relationship")
		}
	}},
}

func brandSaysDelegated(o *Options) {
	o.Relationships = map[string]string{"https://seller.example/mcp": "delegated"}
}

// indirect reports whether a path is one both sides must describe alike.
func indirect(relation string) bool { return relation == "delegated" || relation == "ad_network" }

// relationship returns what the operator of an agent says, if it is known.
func (c *content) relationship(a *Agent) (string, bool) {
	if len(c.opt.Relationships) == 0 {
		return "", false
	}
	if c.agents.relations == nil {
		c.agents.relations = make(map[string]string, len(c.opt.Relationships))
		for url, relation := range c.opt.Relationships {
			canonical, _, err := hostname.CanonicalURL(url)
			if err == nil {
				c.agents.relations[canonical] = relation
			}
		}
	}
	u := c.agentURL(a)
	if u.err != nil {
		return "", false
	}
	relation, ok := c.agents.relations[u.canonical]
	return relation, ok
}

// longList is how many properties an entry names by id before tags suit it better: lists
// of fewer than 20 are read and kept by people, lists of more than 100 are not.
const longList = 100

// agentAdviceRules look at how agents are listed, and whether they may be.
var agentAdviceRules = []rule[*File]{
	{Rule: Rule{
		Code: "agent.property_ids_many", Severity: Info,
		Title: "an entry lists many properties by id",
		Why: "Ids suit small lists that people read and keep, of fewer than 20 properties. In a list of more than 100 a " +
			"missing or a forgotten id goes unnoticed; " +
			"with property_tags a new property is covered as soon as it carries the tag.",
		Hint:  "give these properties a tag, and use authorization_type property_tags",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InFile,
		Bad:   inferredExample(`"site", "app"`),
		Good:  inferredExample(`"site"`),
		given: func(o *Options) { o.longList = 1 },
	}, check: func(r reporter, f *File) {
		for i := range f.Agents {
			list := f.Agents[i].selected(atAgentPropertyIDs)
			if list.Len() > cmp.Or(r.opt.longList, longList) {
				r.say(list, "the entry lists %s by id", words.Plural(list.Len(), "property", "properties"))
			}
		}
	}},
	{Rule: Rule{
		Code: "mirror.agents", Severity: Error,
		Title: "a mirror names agents",
		Why: "A community mirror describes the inventory of a platform that has not published a file. Only the platform " +
			"itself can authorize agents, so buyers ignore those of a mirror.",
		Hint:   `write "authorized_agents": []`,
		Spec:   "AdCP adagents.json Tech Spec, superseded_by",
		Varies: "reported only when the file is checked as a community mirror",
		In:     InAgents,
		Bad:    "[\n  " + nested(sellerOfSite+"\n}") + "\n]",
		Good:   "[]",
		given:  func(o *Options) { o.Role = Mirror },
		fix:    remedy{Likely, func(x fixing) []Fix { return x.one("remove the agents", x.Replace(x.at, "[]")) }},
	}, check: func(r reporter, f *File) {
		if r.opt.Role == Mirror && len(f.Agents) > 0 {
			r.say(f.member(atFileAgents), "a community mirror must not list agents; this one lists %s",
				counted(len(f.Agents), "agent"))
		}
	}},
}

// agentInferredRules are about what Build has put into entries.
var agentInferredRules = []rule[*File]{
	{Rule: Rule{
		Code: "agent.scope_inferred", Severity: Info,
		Title: "the scope of an agent was worked out",
		Why: "The request names an agent and not what it may sell, so the new file lets it sell every property that came " +
			"with the request. " +
			"That is said when a file is made, and never about a file that is there.",
		Hint: "nothing to do if the agent may sell all of them; otherwise list the property_ids that it may sell",
		Spec: "avow docs/rules.md",
		In:   InFile,
		Bad:  inferredExample(`"site", "app"`),
		Good: inferredExample(`"site"`),
		given: func(o *Options) {
			o.inferred = []int{0}
		},
	}, check: func(r reporter, f *File) {
		for _, i := range r.opt.inferred {
			list := f.Agents[i].member(atAgentPropertyIDs)
			if list.Len() == len(f.Properties) {
				r.say(list, "the request does not say what the agent may sell, so the entry was given all of it: %s",
					words.Plural(list.Len(), "property", "properties"))
			}
		}
	}},
}

// inferredExample is a file with two properties, an agent for some of them and one for the app.
func inferredExample(ids string) string {
	return `{
  "$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json",
  "catalog_etag": "v1",
  "properties": [
    {
      "property_id": "site",
      "property_type": "website",
      "name": "Example News",
      "identifiers": [{"type": "domain", "value": "example.com"}],
      "publisher_domain": "example.com"
    },
    {
      "property_id": "app",
      "property_type": "mobile_app",
      "name": "Example News for phones",
      "identifiers": [{"type": "ios_bundle", "value": "com.example.news"}],
      "publisher_domain": "example.com"
    }
  ],
  "authorized_agents": [
    {
      "url": "https://agent.example/mcp",
      "authorized_for": "All display inventory",
      "authorization_type": "property_ids",
      "property_ids": [` + ids + `],
      "signing_keys": [` + exampleKey + `]
    },
    {
      "url": "https://apps.example/mcp",
      "authorized_for": "The app",
      "authorization_type": "property_ids",
      "property_ids": ["app"],
      "signing_keys": [` + exampleKey + `]
    }
  ],
  "last_updated": "2026-01-02T00:00:00Z"
}`
}
