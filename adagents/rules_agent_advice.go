package adagents

import (
	"cmp"

	"github.com/avow-project/avow/internal/std/words"
)

// longList is how many properties an entry names by id before tags suit it better: lists
// of fewer than 20 are read and kept by people, lists of more than 100 are not.
const longList = 100

// agentAdviceRules look at how agents are listed, and whether they may be.
var agentAdviceRules = []rule[*File]{
	{
		Rule: Rule{
			Code: "agent.property_ids_many", Severity: Info,
			Title: "an entry lists many properties by id",
			Why: "Ids suit small lists that people read and keep, of fewer than 20 properties. In a list of more than 100 a missing or a forgotten id goes unnoticed; " +
				"with property_tags a new property is covered as soon as it carries the tag.",
			Hint:  "give these properties a tag, and use authorization_type property_tags",
			Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
			In:    InFile,
			Bad:   inferredExample(`"site", "app"`),
			Good:  inferredExample(`"site"`),
			given: func(o *Options) { o.longList = 1 },
		},
		check: func(r reporter, f *File) {
			for i := range f.Agents {
				list := f.Agents[i].selected(atAgentPropertyIDs)
				if list.Len() > cmp.Or(r.opt.longList, longList) {
					r.say(list, "the entry lists %s by id", words.Plural(list.Len(), "property", "properties"))
				}
			}
		},
	},
	{
		Rule: Rule{
			Code: "mirror.agents", Severity: Error,
			Title:  "a mirror names agents",
			Why:    "A community mirror describes the inventory of a platform that has not published a file. Only the platform itself can authorize agents, so buyers ignore those of a mirror.",
			Hint:   `write "authorized_agents": []`,
			Spec:   "AdCP adagents.json Tech Spec, superseded_by",
			Varies: "reported only when the file is checked as a community mirror",
			In:     InAgents,
			Bad:    "[\n  " + nested(sellerOfSite+"\n}") + "\n]",
			Good:   "[]",
			given:  func(o *Options) { o.Role = Mirror },
		},
		check: func(r reporter, f *File) {
			if r.opt.Role == Mirror && len(f.Agents) > 0 {
				r.say(f.member(atFileAgents), "a community mirror authorizes nobody, and this one names %s", counted(len(f.Agents), "agent"))
			}
		},
	},
}
