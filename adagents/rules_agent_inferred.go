package adagents

import "github.com/avow-project/avow/internal/std/words"

// agentInferredRules are about what Build has put into entries.
var agentInferredRules = []rule[*File]{
	{
		Rule: Rule{
			Code: "agent.scope_inferred", Severity: Info,
			Title: "the scope of an agent was worked out",
			Why: "The request names an agent and not what it may sell, so the new file lets it sell every property that came with the request. " +
				"That is said when a file is made, and never about a file that is there.",
			Hint: "nothing to do if the agent may sell all of them; otherwise list the property_ids that it may sell",
			Spec: "avow docs/rules.md",
			In:   InFile,
			Bad:  inferredExample(`"site", "app"`),
			Good: inferredExample(`"site"`),
			given: func(o *Options) {
				o.inferred = []int{0}
			},
		},
		check: func(r reporter, f *File) {
			for _, i := range r.opt.inferred {
				list := f.Agents[i].member(atAgentPropertyIDs)
				if list.Len() == len(f.Properties) {
					r.say(list, "the request does not say what the agent may sell, so the entry was given all of it: %s",
						words.Plural(list.Len(), "property", "properties"))
				}
			}
		},
	},
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
