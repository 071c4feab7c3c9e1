package adagents

// agentExclusiveRules hold the entries that claim to be the only path to what
// they cover against the others.
var agentExclusiveRules = []rule[*File]{
	{Rule: Rule{
		Code: "agent.exclusive_conflict", Severity: Warning,
		Title: "an exclusive slice is also open to another agent",
		Why: "exclusive says that no other path exists for the slice, yet another entry authorizes a different agent for " +
			"part of it. Both still count, so buyers cannot rely on the claim.",
		Spec: "AdCP adagents.json Tech Spec, authorized_agents",
		In:   InAgents,
		Bad: `[
  ` + nested(sellerOfSite) + `,
    "exclusive": true
  },
  ` + nested(badURL("https://other.example/mcp")) + `
]`,
		Good: `[
  ` + nested(sellerOfSite) + `,
    "exclusive": true
  }
]`,
	}, check: func(r reporter, f *File) {
		for _, h := range r.exclusivity().hits {
			if !h.double {
				r.say(f.Agents[h.entry].member(atAgentExclusive),
					"the entry is exclusive, but /authorized_agents/%d authorizes another agent for part of the same slice", h.other).
					withHint("remove exclusive, or narrow one of the two entries")
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.exclusive_double", Severity: Warning, Strict: Error,
		Title: "two agents are exclusive for the same slice",
		Why:   "Two entries for different agents both claim to be the only path to an overlapping slice. Both cannot be true.",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InAgents,
		Bad: `[
  ` + nested(sellerOfSite) + `,
    "exclusive": true
  },
  ` + nested(otherSeller) + `,
    "exclusive": true
  }
]`,
		Good: `[
  ` + nested(sellerOfSite) + `,
    "countries": ["US"],
    "exclusive": true
  },
  ` + nested(otherSeller) + `,
    "countries": ["CA"],
    "exclusive": true
  }
]`,
	}, check: func(r reporter, f *File) {
		for _, h := range r.exclusivity().hits {
			if h.double {
				r.say(f.Agents[h.entry].member(atAgentExclusive),
					"the entry is exclusive, and so is /authorized_agents/%d for part of the same slice", h.other).
					withHint("decide which of the two is exclusive, or narrow them")
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.exclusive_unchecked", Severity: Info,
		Title: "too many entries to compare exclusive ones",
		Why: "Comparing every exclusive entry with every other would take too long for this file, so conflicts between " +
			"them may have gone unnoticed.",
		Hint:  "set exclusive on the few entries that need it",
		Spec:  "avow docs/rules.md",
		In:    InAgents,
		given: func(o *Options) { o.comparisons = 1 },
		Bad: `[
  ` + nested(sellerOfSite) + `,
    "countries": ["US"],
    "exclusive": true
  },
  ` + nested(otherSeller) + `,
    "countries": ["CA"],
    "exclusive": true
  }
]`,
		Good: `[
  ` + nested(sellerOfSite) + `
  }
]`,
	}, check: func(r reporter, f *File) {
		if n := r.exclusivity().unchecked; n > 0 {
			r.say(f.member(atFileAgents), "%d exclusive entries were not compared with all others", n)
		}
	}},
}

// maxComparisons bounds the comparison of slices in one file. Real files need
// a few thousand steps.
const maxComparisons = 2_000_000

func (c *content) exclusivity() *exclusivity {
	if c.agents.exclusive == nil {
		c.agents.exclusive = &exclusivity{c: c, left: maxComparisons}
		if c.opt.comparisons > 0 {
			c.agents.exclusive.left = c.opt.comparisons
		}
		c.agents.exclusive.compareAll()
	}
	return c.agents.exclusive
}

// compareAll looks at every exclusive entry. Nothing is indexed when there is
// none.
func (x *exclusivity) compareAll() {
	var claims []int
	for i := range x.c.file.Agents {
		if x.c.file.Agents[i].Exclusive && x.authorizes(i) {
			claims = append(claims, i)
		}
	}
	if len(claims) == 0 {
		return
	}
	x.lone = len(claims) == 1
	x.seen = make([]int32, len(x.c.file.Agents))
	x.indexAll()
	for n, i := range claims {
		x.entry, x.conflict, x.double = i, -1, -1
		x.meet()
		if x.conflict >= 0 {
			x.hits = append(x.hits, exclusiveHit{i, x.conflict, false})
		}
		if x.double >= 0 {
			x.hits = append(x.hits, exclusiveHit{i, x.double, true})
		}
		if x.left < 0 {
			x.unchecked = len(claims) - n
			return
		}
	}
}
