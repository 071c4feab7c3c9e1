package adagents

import (
	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
)

// inlineMember returns the member that authors write instead of properties.
func (a *Agent) inlineMember() Value { return a.Raw.Get("inline_properties") }

// agentSelectorRules look at the list that defines the scope of an entry.
var agentSelectorRules = []rule[*Agent]{
	{Rule: Rule{
		Code: "agent.selector_missing", Severity: Error, Effect: EmptyEntry,
		Title: "the selector of an agent entry is missing",
		Why: "authorization_type names the member that lists what is covered. Without that list the entry authorizes " +
			"nothing; it never means everything.",
		Spec: "AdCP adagents.json Tech Spec, authorized_agents",
		In:   InAgent,
		fix:  fixSelectorMissing,
		Bad: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Display on the site",
  "authorization_type": "property_ids"
}`,
		Good: sellerOfSite + "\n}",
	}, check: func(r reporter, a *Agent) {
		s := a.companion()
		if s == nil {
			return
		}
		v := a.member(s.at)
		switch {
		case v.Exists() && !v.Is(Array):
			r.say(v, "%s must be an array, not %s", s.name, v.Kind())
		case !v.Exists() && (s.at != atAgentProperties || !a.inlineMember().Exists()):
			r.missing(a.Raw, s.name, "the authorization_type is %s, but there is no %s", s.typ, s.name).
				withHint("add %s, or change authorization_type to the selector present", s.name)
		}
	}},
	{Rule: Rule{
		Code: "agent.selector_empty", Severity: Error, Effect: EmptyEntry,
		Title: "the selector of an agent entry is empty",
		Why:   "An empty list covers nothing, so the entry authorizes nothing.",
		Hint:  "list what the agent may sell, or remove the entry",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InAgent,
		fix:   fixSelectorEmpty,
		Bad: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Display on the site",
  "authorization_type": "property_ids",
  "property_ids": []
}`,
		Good: sellerOfSite + "\n}",
	}, check: func(r reporter, a *Agent) {
		if s := a.companion(); s != nil {
			if v := a.member(s.at); v.Is(Array) && v.Len() == 0 {
				r.say(v, "%s is empty, so the entry authorizes nothing", s.name)
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.selector_item_type", Severity: Error, Effect: DropRef,
		Title: "a selector item is not a text",
		Why:   "Ids and tags are texts. Any other item, and a blank one, refers to nothing.",
		Hint:  "write the id or tag as a text in double quotes",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InAgent,
		fix:   fixItem,
		Bad: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Display on the site",
  "authorization_type": "property_ids",
  "property_ids": ["site", 17]
}`,
		Good: sellerOfSite + "\n}",
	}, check: func(r reporter, a *Agent) {
		s := a.companion()
		if s == nil || s.form == nil {
			return
		}
		for _, v := range a.member(s.at).Elems() {
			switch {
			case !v.Is(String):
				r.say(v, "an item of %s must be a text, not %s", s.name, v.Kind())
			case blank(v.Str()):
				r.say(v, "an item of %s is blank", s.name)
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.selector_item_pattern", Severity: Warning, Strict: Error,
		Title: "a selector item has characters that ids and tags do not have",
		Why: "The protocol restricts the characters of ids and tags. Matching is exact all the same, so an item works " +
			"if the catalog spells it the same way.",
		Hint:   "rename it here and in the catalog",
		Spec:   "AdCP adagents.json schema, authorized_agents",
		Varies: "drops the reference when the catalog does not have it either",
		In:     InAgent,
		fix:    fixItemForm,
		Bad: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Display on the site",
  "authorization_type": "property_ids",
  "property_ids": ["Site"]
}`,
		Good: sellerOfSite + "\n}",
	}, check: func(r reporter, a *Agent) {
		s := a.companion()
		if s == nil || s.form == nil {
			return
		}
		for _, v := range a.member(s.at).Elems() {
			if text := v.Str(); !s.form(text) && !blank(text) {
				sayPattern(r, s, v, text)
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.selector_item_duplicate", Severity: Warning,
		Title:  "an item is listed twice",
		Why:    "The second mention adds nothing, and often one of the two was meant to be another id.",
		Hint:   "remove one of the two, or correct it",
		Spec:   "avow docs/rules.md",
		Varies: "an error in the strict profile for placement_tags, whose items must differ by the schema",
		In:     InAgent,
		fix:    removeIt(Safe, "remove the repeated item"),
		Bad: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Display on the site",
  "authorization_type": "property_ids",
  "property_ids": ["site", "site"]
}`,
		Good: sellerOfSite + "\n}",
	}, check: func(r reporter, a *Agent) {
		if s := a.companion(); s != nil && s.form != nil {
			checkRepeats(r, s.name, a.member(s.at), Warning)
		}
		checkRepeats(r, "placement_ids", a.member(atAgentPlacementIDs), Warning)
		checkRepeats(r, "placement_tags", a.member(atAgentPlacementTags), r.lenient())
	}},
	{Rule: Rule{
		Code: "agent.selector_ignored", Severity: Warning,
		Title: "a selector that does not belong to the authorization_type",
		Why: "Only the selector named by authorization_type is used. Another one on the same entry is ignored, whatever " +
			"its author expected of it.",
		Spec:   "AdCP adagents.json Tech Spec, authorized_agents",
		Varies: "an error in the strict profile for items that the schema refuses",
		In:     InAgent,
		fix:    fixIgnoredSelector,
		Bad:    sellerOfSite + ",\n" + `  "property_tags": ["news"]` + "\n}",
		Good:   sellerOfSite + "\n}",
	}, check: func(r reporter, a *Agent) {
		s := a.companion()
		if s == nil {
			return
		}
		for i := range companions {
			if o := &companions[i]; o != s && a.member(o.at).Exists() {
				ignoredSelector(r, a.member(o.at), o.name, a.Type)
			}
		}
		if v := a.inlineMember(); s.at != atAgentProperties && v.Exists() {
			ignoredSelector(r, v, "inline_properties", a.Type)
		}
	}},
}

// agentInlineRules are about the member that looks as if it belonged to the
// type inline_properties.
var agentInlineRules = []rule[*Agent]{
	{Rule: Rule{
		Code: "agent.inline_properties_field", Severity: Error, Effect: EmptyEntry,
		Title: "inline properties stand under the wrong name",
		Why: "With authorization_type inline_properties the properties are listed in the member properties. A list under " +
			"the name inline_properties is not read.",
		Hint: "rename the member inline_properties to properties",
		Spec: "AdCP adagents.json Tech Spec, authorized_agents",
		In:   InAgent,
		fix:  fixInlineName,
		Bad: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "One app",
  "authorization_type": "inline_properties",
  "inline_properties": [{
    "property_type": "mobile_app",
    "name": "Example App",
    "identifiers": [{"type": "ios_bundle", "value": "com.example.app"}]
  }]
}`,
		Good: goodInline + "\n}",
	}, check: func(r reporter, a *Agent) {
		s, v := a.companion(), a.inlineMember()
		if s != nil && s.at == atAgentProperties && v.Exists() && !a.member(s.at).Exists() {
			r.say(v, "the properties stand in inline_properties, which is not read; their member is properties")
		}
	}},
	{Rule: Rule{
		Code: "agent.inline_properties_ignored", Severity: Warning,
		Title: "inline_properties is ignored beside properties",
		Why:   "With authorization_type inline_properties only the member properties is read.",
		Hint:  "move what is missing to properties and remove inline_properties",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InAgent,
		fix:   fixInlineIgnored,
		Bad:   goodInline + ",\n" + `  "inline_properties": []` + "\n}",
		Good:  goodInline + "\n}",
	}, check: func(r reporter, a *Agent) {
		if v := a.inlineMember(); v.Exists() && a.selected(atAgentProperties).Exists() {
			r.say(v, "inline_properties is ignored, because the entry has properties")
		}
	}},
}

const goodInline = `{
  "url": "https://seller.example/mcp",
  "authorized_for": "One app",
  "authorization_type": "inline_properties",
  "properties": [{
    "property_id": "app",
    "property_type": "mobile_app",
    "name": "Example App",
    "identifiers": [{"type": "ios_bundle", "value": "com.example.app"}],
    "publisher_domain": "example.com"
  }]`

func ignoredSelector(r reporter, v Value, name string, typ AuthorizationType) {
	r.say(v, "%s is ignored, because authorization_type is %s", name, typ).
		withHint("remove %s, or write a second entry of the same url for it", name)
	field := model.Agent.Field(name)
	if r.opt.Profile != Strict || field == nil || v.Is(Array) && field.Type.Elem.Kind != model.String {
		return // what lists of objects hold is checked wherever they stand
	}
	conform.Check(v, &field.Type, func(p conform.Problem) {
		r.sayAs(Error, p.At, "%s", p.Sentence(name)).withHint("%s", p.Hint)
	})
}

// sayPattern reports an item of an unusual form. When the catalog does not
// have it, that is said here too and not by a second finding.
func sayPattern(r reporter, s *companion, v Value, text string) {
	effect, more := NoEffect, ""
	if !r.resolves(s, text) && (!s.signal || r.scope().catalogs == 0) {
		effect, more = DropRef, ", and nothing in the file has it"
	}
	f := r.sayWith(r.severity(), effect, v, "%s in %s is not made of %s%s", quote(text), s.name, s.want, more)
	if near := idFrom(text); near != "" && r.resolves(s, near) {
		f.withHint("did you mean %q?", near)
	}
}

// repeats reports the items of a list that stand in it already.
func checkRepeats(r reporter, name string, list Value, sev Severity) {
	for v := range secondMentions(list) {
		r.sayAs(sev, v, "%s is listed twice in %s", quote(v.Str()), name)
	}
}

// secondMentions yields the texts of a list that occurred before.
func secondMentions(list Value) func(yield func(Value) bool) {
	return func(yield func(Value) bool) {
		var seen map[string]struct{}
		if list.Len() > few {
			seen = make(map[string]struct{}, list.Len())
		}
		for _, v := range list.Elems() {
			if v.Is(String) && occurred(seen, list, v) && !yield(v) {
				return
			}
		}
	}
}

// occurred reports whether a text stands in the list before v. Short lists,
// which is nearly all of them, are searched without an index.
func occurred(seen map[string]struct{}, list, v Value) bool {
	text := v.Str()
	if seen != nil {
		_, dup := seen[text]
		seen[text] = struct{}{}
		return dup
	}
	for e, ok := list.FirstElem(); ok && e.Value() != v; e, ok = e.Next() {
		if w := e.Value(); w.Is(String) && w.Str() == text {
			return true
		}
	}
	return false
}
