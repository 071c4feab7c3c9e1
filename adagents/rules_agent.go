package adagents

import (
	"strings"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
)

// agentURL reads the URL of an entry, once for all rules about it.
func (c *content) agentURL(a *Agent) *readURL {
	u := &c.agents.url
	if u.of != a {
		*u = readURL{of: a}
		u.canonical, u.info, u.err = c.index.hosts.CanonicalURL(a.URL)
	}
	return u
}

// sellerOfSite opens the examples: an entry in good order, to be closed by the
// member an example is about.
const sellerOfSite = `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Display on the site",
  "authorization_type": "property_ids",
  "property_ids": ["site"]`

// agentObjectRules is the one rule about items that are no objects.
var agentObjectRules = []rule[*Agent]{
	{Rule: Rule{
		Code: "agent.not_object", Severity: Error, Effect: SkipEntry,
		Title: "an agent entry is not an object",
		Why: "An entry says which agent may sell what. A bare URL names the agent and says nothing about the scope, so " +
			"it authorizes nothing.",
		Hint: "write an object with url, authorized_for, authorization_type and its selector",
		Spec: "AdCP adagents.json Tech Spec, authorized_agents",
		In:   InAgent,
		fix:  fixBareAgent,
		Bad:  `"https://seller.example/mcp"`,
		Good: sellerOfSite + "\n}",
	}, shapes: shapes{{notObject, 0, "the entry is %s, not an object"}}},
}

// maxAuthorizedFor is in code points.
const maxAuthorizedFor = 500

// agentEntryRules look at the members that every entry has.
var agentEntryRules = []rule[*Agent]{
	{Rule: Rule{
		Code: "agent.authorized_for_missing", Severity: Error,
		Title: "an agent entry lacks its description",
		Why:   "People read authorized_for to see what the publisher meant; the selector alone does not tell them.",
		Hint:  "describe in a few words what the agent may sell",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InAgent,
		fix:   fixDescription,
		Bad:   `{"url": "https://seller.example/mcp", "authorization_type": "property_ids", "property_ids": ["site"]}`,
		Good:  sellerOfSite + "\n}",
	}, shapes: shapes{
		{wrongKind, atAgentAuthorizedFor, "authorized_for must be a text, not %s"},
		{unstated, atAgentAuthorizedFor, "the entry does not say what the agent is authorized for"},
	}},
	{Rule: Rule{
		Code: "agent.authorized_for_length", Severity: Error,
		Title: "the description of an agent entry is too long",
		Why:   "The description has at most 500 characters, so that every reader can show it.",
		Hint:  "shorten the text to 500 characters",
		Spec:  "AdCP adagents.json schema, authorized_agents",
		In:    InAgent,
		fix:   fixLength,
		Bad: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "` + strings.Repeat("All of the display inventory on the site. ", 12) + `",
  "authorization_type": "property_ids",
  "property_ids": ["site"]
}`,
		Good: sellerOfSite + "\n}",
	}, shapes: shapes{{tooLong, atAgentAuthorizedFor, "authorized_for has %d characters, at most %d are allowed"}}},
	{Rule: Rule{
		Code: "agent.type_missing", Severity: Error, Effect: EmptyEntry,
		Title: "an agent entry has no authorization_type",
		Why: "authorization_type says which selector defines the scope. Without it the entry authorizes nothing; it " +
			"never means everything.",
		Spec: "AdCP adagents.json Tech Spec, authorized_agents",
		In:   InAgent,
		fix:  fixTypeMissing,
		Bad: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Display on the site",
  "property_ids": ["site"]
}`,
		Good: sellerOfSite + "\n}",
	}, check: func(r reporter, a *Agent) {
		v := a.member(atAgentType)
		if !v.Exists() || v.Is(String) && blank(string(a.Type)) {
			r.sayOf(a.Raw, v, "authorization_type", "the entry has no authorization_type").
				withHint("%s", typeHint(a))
		}
	}},
	{Rule: Rule{
		Code: "agent.type_unknown", Severity: Error, Effect: EmptyEntry,
		Title: "an agent entry has an unknown authorization_type",
		Why:   "A reader that does not know the type cannot tell the scope, so the entry authorizes nothing.",
		Hint:  "write property_ids, property_tags, inline_properties, publisher_properties, signal_ids or signal_tags",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InAgent,
		fix:   fixTypeUnknown,
		Bad: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Display on the site",
  "authorization_type": "property_id",
  "property_ids": ["site"]
}`,
		Good: sellerOfSite + "\n}",
	}, shapes: shapes{
		{wrongKind, atAgentType, "authorization_type must be a text, not %s"},
		{unknownWord, atAgentType, "the authorization_type %s is not known"},
	}},
	{Rule: Rule{
		Code: "agent.last_updated_newer", Severity: Warning,
		Title: "an agent entry is newer than its file",
		Why: "An entry cannot change without the file changing. Readers that go by the file's last_updated would miss " +
			"the change.",
		Hint: "set the file's last_updated to the time of the last change of anything in it",
		Spec: "avow docs/rules.md",
		In:   InAgent,
		Bad:  sellerOfSite + ",\n" + `  "last_updated": "2026-05-01T00:00:00Z"` + "\n}",
		Good: sellerOfSite + ",\n" + `  "last_updated": "2026-01-01T00:00:00Z"` + "\n}",
	}, check: func(r reporter, a *Agent) {
		v := a.member(atAgentLastUpdated)
		if !v.Is(String) || r.file.LastUpdated == "" {
			return
		}
		entry, entryOK := a.LastUpdated.Time()
		file, fileOK := r.file.LastUpdated.Time()
		if entryOK && fileOK && entry.After(file) {
			r.say(v, "the entry was updated at %s, the file only at %s", quote(string(a.LastUpdated)),
				quote(string(r.file.LastUpdated)))
		}
	}},
}

// typeHint guesses the missing type from the only selector present.
func typeHint(a *Agent) string {
	guess := ""
	for i := range companions {
		if !a.member(companions[i].at).Exists() {
			continue
		}
		if guess != "" {
			return "name the selector to use: " + strings.Join(model.AuthorizationTypes, ", ")
		}
		guess = companions[i].name
	}
	if guess == "" {
		return "write one of " + strings.Join(model.AuthorizationTypes, ", ") + " and the selector of that name"
	}
	return `add "authorization_type": "` + guess + `"`
}

// nested indents an example entry for a list.
func nested(entry string) string { return strings.ReplaceAll(entry, "\n", "\n  ") }

// badURL is the example entry with another URL.
func badURL(url string) string {
	return strings.Replace(sellerOfSite, "https://seller.example/mcp", url, 1) + "\n}"
}

const otherSeller = `{
  "url": "https://other.example/mcp",
  "authorized_for": "Display on the site",
  "authorization_type": "property_ids",
  "property_ids": ["site"]`

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
	{Rule: Rule{
		Code: "agent.qualifier_type", Severity: Error, Effect: EmptyEntry,
		Title: "a narrowing member has the wrong type",
		Why: "Ignoring a member that narrows the entry would widen it beyond what the publisher wrote, so the entry " +
			"authorizes nothing.",
		Hint:   "write a list in square brackets, and times as texts",
		Spec:   "AdCP adagents.json Tech Spec, authorized_agents",
		Varies: "drops only the item when an item of placement_ids or placement_tags has the wrong type",
		In:     InAgent,
		fix:    fixQualifier,
		Bad:    sellerOfSite + ",\n" + `  "countries": "US"` + "\n}",
		Good:   sellerOfSite + ",\n" + `  "countries": ["US"]` + "\n}",
	}, check: func(r reporter, a *Agent) {
		for i := range qualifiers {
			q := &qualifiers[i]
			if v := a.member(q.at); v.Exists() && !conform.KindFits(v, q.kind) {
				r.say(v, "%s must be %s, not %s", q.name, conform.KindText(&model.Type{Kind: q.kind}), v.Kind()).
					withHint("%s, or leave %s out for no restriction", q.form(), q.name)
			}
		}
		textItems(r, "placement_ids", a.member(atAgentPlacementIDs))
		textItems(r, "placement_tags", a.member(atAgentPlacementTags))
	}},
	{Rule: Rule{
		Code: "agent.qualifier_empty", Severity: Error, Effect: EmptyEntry,
		Title: "a narrowing list is empty",
		Why: "An empty list allows nothing. Some readers take it for no restriction at all, which would open the entry " +
			"to everything.",
		Spec: "AdCP adagents.json schema, authorized_agents",
		In:   InAgent,
		fix:  fixQualifierEmpty,
		Bad:  sellerOfSite + ",\n" + `  "countries": []` + "\n}",
		Good: sellerOfSite + ",\n" + `  "countries": ["US"]` + "\n}",
	}, check: func(r reporter, a *Agent) {
		for i := range qualifiers {
			if v := a.member(qualifiers[i].at); v.Is(Array) && v.Len() == 0 {
				r.say(v, "%s is empty, so the entry authorizes nothing", qualifiers[i].name).
					withHint("remove %s for no restriction, or list what is allowed", qualifiers[i].name)
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.qualifier_not_applicable", Severity: Warning,
		Title: "collections or placements on a signal entry",
		Why:   "Signals do not run in placements or programs, so these members narrow nothing here.",
		Hint:  "remove the member, or move it to the entry that authorizes properties",
		Spec:  "avow docs/rules.md",
		In:    InAgent,
		// one that cannot be read keeps the entry from taking effect
		fix: removeIt(Likely, "remove the member, which narrows nothing here"),
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
	}, check: func(r reporter, a *Agent) {
		if s := a.companion(); s == nil || !s.signal {
			return
		}
		for i := range qualifiers {
			q := &qualifiers[i]
			if v := a.member(q.at); q.inventory && v.Is(Array) && v.Len() > 0 {
				r.say(v, "%s has no meaning on an entry that authorizes signals", q.name)
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.delegation_type_unknown", Severity: Error,
		Title: "an unknown delegation_type",
		Why:   "Buyers compare delegation_type with what the seller declares about itself. It takes only three values.",
		Hint:  "write direct, delegated or ad_network",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InAgent,
		fix:   fixDelegation,
		Bad:   sellerOfSite + ",\n" + `  "delegation_type": "reseller"` + "\n}",
		Good:  sellerOfSite + ",\n" + `  "delegation_type": "delegated"` + "\n}",
	}, shapes: shapes{
		{wrongKind, atAgentDelegationType, "delegation_type must be a text, not %s"},
		{unknownWord, atAgentDelegationType, "the delegation_type %s is not known"},
	}},
	{Rule: Rule{
		Code: "agent.exclusive_type", Severity: Error,
		Title: "exclusive is not true or false",
		Why:   "Anything but true is treated as false, so the claim to be the sole path is lost.",
		Hint:  "write true or false without quotes",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InAgent,
		fix:   fixExclusive,
		Bad:   sellerOfSite + ",\n" + `  "exclusive": "no"` + "\n}",
		Good:  sellerOfSite + ",\n" + `  "exclusive": false` + "\n}",
	}, shapes: shapes{{wrongKind, atAgentExclusive, "exclusive must be true or false, not %s; it is treated as false"}}},
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

// goodFile opens the examples that are whole files.
const goodFile = `{
  "$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json",
  "catalog_etag": "v1",
  "last_updated": "2026-01-02T00:00:00Z",
`

// exampleKeys ends an agent entry in an example that is a whole file.
const exampleKeys = `
    "signing_keys": [` + exampleKey + `]
  }]
}`
