package adagents

import "github.com/avow-project/avow/internal/std/hostname"

// agentBrandRules compare an entry with what its operator says of itself in
// brand.json. They need Options.Relationships.
var agentBrandRules = []rule[*Agent]{
	{
		Rule: Rule{
			Code: "brand.relationship_mismatch", Severity: Warning,
			Title: "publisher and operator describe the path differently",
			Why:   "For delegated and network paths the publisher's delegation_type and the relationship in the operator's brand.json must agree. It is looked for only when the relationships are given; owned is never compared.",
			Spec:  "AdCP brand.json",
			In:    InAgent,
			given: brandSaysDelegated,
			Bad:   sellerOfSite + ",\n" + `  "delegation_type": "direct"` + "\n}",
			Good:  sellerOfSite + ",\n" + `  "delegation_type": "delegated"` + "\n}",
		},
		check: func(r reporter, a *Agent) {
			relation, known := r.relationship(a)
			v := a.member(atAgentDelegationType)
			if !known || relation == "owned" || !delegationKnown(a.DelegationType) || relation == a.DelegationType {
				return
			}
			r.say(v, "delegation_type is %s, but the operator's brand.json says %s", quote(a.DelegationType), quote(relation)).
				withHint("agree with the operator on one of the two")
		},
	},
	{
		Rule: Rule{
			Code: "brand.relationship_incomplete", Severity: Info,
			Title: "only one side describes the path",
			Why:   "For delegated and network paths buyers compare the publisher's delegation_type with the relationship in the operator's brand.json. When one side is silent there is nothing to compare.",
			Spec:  "AdCP brand.json",
			In:    InAgent,
			given: brandSaysDelegated,
			Bad:   sellerOfSite + "\n}",
			Good:  sellerOfSite + ",\n" + `  "delegation_type": "delegated"` + "\n}",
		},
		check: func(r reporter, a *Agent) {
			relation, known := r.relationship(a)
			v := a.member(atAgentDelegationType)
			switch {
			case r.opt.Relationships == nil:
			case known && !v.Exists() && indirect(relation):
				r.missing(a.Raw, "delegation_type", "the operator's brand.json says %s, the entry has no delegation_type", quote(relation)).
					withHint(`add "delegation_type": %q if that is so`, relation)
			case !known && indirect(a.DelegationType):
				r.say(v, "delegation_type is %s, the operator's brand.json says nothing about this agent", quote(a.DelegationType)).
					withHint("ask the operator to declare the relationship")
			}
		},
	},
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
