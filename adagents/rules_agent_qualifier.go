package adagents

import (
	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
)

// A qualifier narrows an entry.
type qualifier struct {
	name string
	at   int
	kind model.Kind
	// inventory says that it narrows inventory and so means nothing to signals.
	inventory bool
}

// form says how the member is written.
func (q *qualifier) form() string {
	if q.kind == model.Array {
		return "write a list in square brackets"
	}
	return "write a timestamp such as 2026-01-02T00:00:00Z"
}

// The type and direction of delegation and exclusivity never narrow anything,
// so a fault in them costs nothing; these six fail closed.
var qualifiers = [...]qualifier{
	{"collections", atAgentCollections, model.Array, true},
	{"placement_ids", atAgentPlacementIDs, model.Array, true},
	{"placement_tags", atAgentPlacementTags, model.Array, true},
	{"countries", atAgentCountries, model.Array, false},
	{"effective_from", atAgentEffectiveFrom, model.String, false},
	{"effective_until", atAgentEffectiveUntil, model.String, false},
}

// agentQualifierRules look at the members that narrow an entry, or describe it.
var agentQualifierRules = []rule[*Agent]{
	{
		Rule: Rule{
			Code: "agent.qualifier_type", Severity: Error, Effect: EmptyEntry,
			Title:  "a narrowing member has the wrong type",
			Why:    "Ignoring a member that narrows the entry would widen it beyond what the publisher wrote, so the entry authorizes nothing.",
			Hint:   "write a list in square brackets, and times as texts",
			Spec:   "AdCP adagents.json Tech Spec, authorized_agents",
			Varies: "drops only the item when an item of placement_ids or placement_tags has the wrong type",
			In:     InAgent,
			Bad:    sellerOfSite + ",\n" + `  "countries": "US"` + "\n}",
			Good:   sellerOfSite + ",\n" + `  "countries": ["US"]` + "\n}",
		},
		check: func(r reporter, a *Agent) {
			for i := range qualifiers {
				q := &qualifiers[i]
				if v := a.member(q.at); v.Exists() && !conform.KindFits(v, q.kind) {
					r.say(v, "%s must be %s, not %s", q.name, conform.KindText(&model.Type{Kind: q.kind}), v.Kind()).
						withHint("%s, or leave %s out for no restriction", q.form(), q.name)
				}
			}
			textItems(r, "placement_ids", a.member(atAgentPlacementIDs))
			textItems(r, "placement_tags", a.member(atAgentPlacementTags))
		},
	},
	{
		Rule: Rule{
			Code: "agent.qualifier_empty", Severity: Error, Effect: EmptyEntry,
			Title: "a narrowing list is empty",
			Why:   "An empty list allows nothing. Some readers take it for no restriction at all, which would open the entry to everything.",
			Spec:  "AdCP adagents.json schema, authorized_agents",
			In:    InAgent,
			Bad:   sellerOfSite + ",\n" + `  "countries": []` + "\n}",
			Good:  sellerOfSite + ",\n" + `  "countries": ["US"]` + "\n}",
		},
		check: func(r reporter, a *Agent) {
			for i := range qualifiers {
				if v := a.member(qualifiers[i].at); v.Is(Array) && v.Len() == 0 {
					r.say(v, "%s is empty, so the entry authorizes nothing", qualifiers[i].name).
						withHint("remove %s for no restriction, or list what is allowed", qualifiers[i].name)
				}
			}
		},
	},
	{
		Rule: Rule{
			Code: "agent.qualifier_not_applicable", Severity: Warning,
			Title: "collections or placements on a signal entry",
			Why:   "Signals do not run in placements or programs, so these members narrow nothing here.",
			Hint:  "remove the member, or move it to the entry that authorizes properties",
			Spec:  "avow docs/rules.md",
			In:    InAgent,
			Bad: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Auto intenders",
  "authorization_type": "signal_ids",
  "signal_ids": ["auto_intender"],
  "placement_ids": ["home_top"]
}`,
			Good: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Auto intenders",
  "authorization_type": "signal_ids",
  "signal_ids": ["auto_intender"]
}`,
		},
		check: func(r reporter, a *Agent) {
			if s := a.companion(); s == nil || !s.signal {
				return
			}
			for i := range qualifiers {
				q := &qualifiers[i]
				if v := a.member(q.at); q.inventory && v.Is(Array) && v.Len() > 0 {
					r.say(v, "%s has no meaning on an entry that authorizes signals", q.name)
				}
			}
		},
	},
	{
		Rule: Rule{
			Code: "agent.delegation_type_unknown", Severity: Error,
			Title: "an unknown delegation_type",
			Why:   "Buyers compare delegation_type with what the seller declares about itself. It takes only three values.",
			Hint:  "write direct, delegated or ad_network",
			Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
			In:    InAgent,
			Bad:   sellerOfSite + ",\n" + `  "delegation_type": "reseller"` + "\n}",
			Good:  sellerOfSite + ",\n" + `  "delegation_type": "delegated"` + "\n}",
		},
		check: func(r reporter, a *Agent) {
			v := a.member(atAgentDelegationType)
			switch {
			case v.Exists() && !v.Is(String):
				r.say(v, "delegation_type must be a text, not %s", v.Kind())
			case v.Exists() && !delegationKnown(a.DelegationType):
				r.say(v, "the delegation_type %s is not known", quote(a.DelegationType)).
					withHint("%s", suggest(a.DelegationType, model.DelegationTypes))
			}
		},
	},
	{
		Rule: Rule{
			Code: "agent.exclusive_type", Severity: Error,
			Title: "exclusive is not true or false",
			Why:   "Anything but true is treated as false, so the claim to be the sole path is lost.",
			Hint:  "write true or false without quotes",
			Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
			In:    InAgent,
			Bad:   sellerOfSite + ",\n" + `  "exclusive": "no"` + "\n}",
			Good:  sellerOfSite + ",\n" + `  "exclusive": false` + "\n}",
		},
		check: func(r reporter, a *Agent) {
			if v := a.member(atAgentExclusive); v.Exists() && !v.IsBool() {
				r.say(v, "exclusive must be true or false, not %s; it is treated as false", v.Kind())
			}
		},
	},
}

func delegationKnown(s string) bool {
	return s == "direct" || s == "delegated" || s == "ad_network"
}

// textItems reports the items of a narrowing list that are no texts. Leaving
// one out narrows the entry further, so the rest may stay.
func textItems(r reporter, name string, list Value) {
	for _, v := range list.Elems() {
		if !v.Is(String) {
			r.sayWith(Error, DropRef, v, "an item of %s must be a text, not %s", name, v.Kind())
		}
	}
}
