package adagents

// selectorRules look at one selector of publisher_properties that is an object. An unusable
// selector contributes nothing; the others of its entry still count.
var selectorRules = [][]rule[*Selector]{selectorShapeRules, selectorDomainRules, selectorPredicateRules}

var selectorObjectRules = []rule[*Selector]{
	{Rule: Rule{
		Code: "selector.not_object", Severity: Error, Effect: SkipEntry,
		Title: "a publisher selector is not an object",
		Why: "A selector names a publisher and says which of its properties are meant. A bare domain leaves the second " +
			"open.",
		Hint: `write an object, for example {"publisher_domain": "example.com", "selection_type": "all"}`,
		Spec: "AdCP adagents.json Tech Spec, publisher_properties",
		In:   InSelector,
		fix:  fixBareSelector,
		Bad:  `"example.com"`,
		Good: `{"publisher_domain": "example.com", "selection_type": "all"}`,
	}, shapes: shapes{{notObject, 0, "the selector is %s, not an object"}}},
}

// selectorShapeRules look at which members a selector has.
var selectorShapeRules = []rule[*Selector]{
	{Rule: Rule{
		Code: "selector.selection_type_missing", Severity: Error, Effect: SkipEntry,
		Title: "a publisher selector has no selection_type",
		Why:   "selection_type says how properties are picked. Without it the selector picks none; it never means all.",
		Hint:  "write all, by_tag or by_id",
		Spec:  "AdCP adagents.json Tech Spec, publisher_properties",
		In:    InSelector,
		fix:   fixSelectionType,
		Bad:   `{"publisher_domain": "example.com"}`,
		Good:  goodSelector,
	}, shapes: shapes{{unstated, atSelectorSelectionType, "the selector has no selection_type"}}},
	{Rule: Rule{
		Code: "selector.selection_type_unknown", Severity: Error, Effect: SkipEntry,
		Title: "a publisher selector has an unknown selection_type",
		Why:   "A reader that does not know how properties are picked picks none.",
		Hint:  "write all, by_tag or by_id",
		Spec:  "AdCP adagents.json Tech Spec, publisher_properties",
		In:    InSelector,
		fix:   fixSelectionType,
		Bad:   `{"publisher_domain": "example.com", "selection_type": "any"}`,
		Good:  goodSelector,
	}, shapes: shapes{
		{wrongKind, atSelectorSelectionType, "selection_type must be a text, not %s"},
		{unknownWord, atSelectorSelectionType, "the selection_type %s is not known"},
	}},
	{Rule: Rule{
		Code: "selector.domain_missing", Severity: Error, Effect: SkipEntry,
		Title: "a publisher selector names no publisher",
		Why: "Exactly one of publisher_domain and publisher_domains must be present. Without either there is no file to " +
			"look in.",
		Hint: "add publisher_domain, or publisher_domains for several publishers",
		Spec: "AdCP adagents.json Tech Spec, publisher_properties",
		In:   InSelector,
		fix:  fixNoPublisher,
		Bad:  `{"selection_type": "all"}`,
		Good: goodSelector,
	}, check: func(r reporter, s *Selector) {
		if !s.member(atSelectorPublisherDomain).Exists() && !s.member(atSelectorPublisherDomains).Exists() {
			r.say(s.Raw, "the selector has neither publisher_domain nor publisher_domains")
		}
	}},
	{Rule: Rule{
		Code: "selector.domain_both", Severity: Error, Effect: SkipEntry,
		Title: "a publisher selector names publishers in two ways",
		Why: "Exactly one of publisher_domain and publisher_domains must be present, whatever their values. Readers " +
			"disagree about which one to use.",
		Hint: "keep one of the two, or write two selectors",
		Spec: "AdCP adagents.json Tech Spec, publisher_properties",
		In:   InSelector,
		fix:  fixTwoForms,
		Bad:  `{"publisher_domain": "example.com", "publisher_domains": ["example.net"], "selection_type": "all"}`,
		Good: `{"publisher_domains": ["example.com", "example.net"], "selection_type": "all"}`,
	}, check: func(r reporter, s *Selector) {
		if s.twoForms() {
			r.say(s.Raw, "the selector has both publisher_domain and publisher_domains")
		}
	}},
	{Rule: Rule{
		Code: "selector.by_id_compact", Severity: Error, Effect: SkipEntry,
		Title: "a selector by id names several publishers",
		Why:   "Property ids belong to one publisher, so by_id works with publisher_domain only.",
		Hint:  "write one selector with publisher_domain for each publisher",
		Spec:  "AdCP adagents.json Tech Spec, publisher_properties",
		In:    InSelector,
		fix:   fixByIDCompact,
		Bad:   `{"publisher_domains": ["example.com"], "selection_type": "by_id", "property_ids": ["site"]}`,
		Good:  `{"publisher_domain": "example.com", "selection_type": "by_id", "property_ids": ["site"]}`,
	}, check: func(r reporter, s *Selector) {
		if v := s.member(atSelectorPublisherDomains); s.SelectionType == "by_id" && v.Exists() && !s.twoForms() {
			r.say(v, "publisher_domains is not allowed with selection_type by_id")
		}
	}},
	{Rule: Rule{
		Code: "selector.domains_type", Severity: Error, Effect: SkipEntry,
		Title: "publisher_domains is not a list",
		Why:   "publisher_domains lists several publishers. A single one belongs in publisher_domain.",
		Hint:  "write a list in square brackets, or rename the member to publisher_domain",
		Spec:  "AdCP adagents.json Tech Spec, publisher_properties",
		In:    InSelector,
		fix:   fixList,
		Bad:   `{"publisher_domains": "example.com", "selection_type": "all"}`,
		Good:  `{"publisher_domains": ["example.com"], "selection_type": "all"}`,
	}, check: func(r reporter, s *Selector) {
		if v := s.member(atSelectorPublisherDomains); v.Exists() && !v.Is(Array) && !s.twoForms() {
			r.say(v, "publisher_domains must be an array, not %s", v.Kind())
		}
	}},
	{Rule: Rule{
		Code: "selector.domains_empty", Severity: Error, Effect: SkipEntry,
		Title: "publisher_domains is empty",
		Why:   "An empty list names no publisher, so the selector covers nothing.",
		Hint:  "list the publishers, or remove the selector",
		Spec:  "AdCP adagents.json schema, publisher_properties",
		In:    InSelector,
		fix:   fixNoDomains,
		Bad:   `{"publisher_domains": [], "selection_type": "all"}`,
		Good:  `{"publisher_domains": ["example.com"], "selection_type": "all"}`,
	}, check: func(r reporter, s *Selector) {
		if v := s.member(atSelectorPublisherDomains); v.Is(Array) && v.Len() == 0 && !s.twoForms() {
			r.say(v, "publisher_domains is empty")
		}
	}},
}

// predicate returns the list that picks properties and its name.
func (s *Selector) predicate() (Value, string) {
	switch s.SelectionType {
	case "by_id":
		return s.member(atSelectorPropertyIDs), "property_ids"
	case "by_tag":
		return s.member(atSelectorPropertyTags), "property_tags"
	}
	return Value{}, ""
}

// selectorPredicateRules look at how a selector picks properties.
var selectorPredicateRules = []rule[*Selector]{
	{Rule: Rule{
		Code: "selector.property_ids_missing", Severity: Error, Effect: SkipEntry,
		Title: "a selector by id has no ids",
		Why:   "With selection_type by_id the member property_ids lists what is meant. Without it the selector picks nothing.",
		Hint:  "list the property ids, or change selection_type",
		Spec:  "AdCP adagents.json Tech Spec, publisher_properties",
		In:    InSelector,
		fix:   fixPredicate,
		Bad:   `{"publisher_domain": "example.com", "selection_type": "by_id"}`,
		Good:  `{"publisher_domain": "example.com", "selection_type": "by_id", "property_ids": ["site"]}`,
	}, check: func(r reporter, s *Selector) {
		if s.SelectionType == "by_id" {
			emptyPredicate(r, s)
		}
	}},
	{Rule: Rule{
		Code: "selector.property_tags_missing", Severity: Error, Effect: SkipEntry,
		Title: "a selector by tag has no tags",
		Why: "With selection_type by_tag the member property_tags lists what is meant. Without it the selector picks " +
			"nothing.",
		Hint: "list the property tags, or change selection_type",
		Spec: "AdCP adagents.json Tech Spec, publisher_properties",
		In:   InSelector,
		fix:  fixPredicate,
		Bad:  `{"publisher_domain": "example.com", "selection_type": "by_tag"}`,
		Good: `{"publisher_domain": "example.com", "selection_type": "by_tag", "property_tags": ["news"]}`,
	}, check: func(r reporter, s *Selector) {
		if s.SelectionType == "by_tag" {
			emptyPredicate(r, s)
		}
	}},
	{Rule: Rule{
		Code: "selector.predicate_ignored", Severity: Warning,
		Title: "a selector has a list that its selection_type ignores",
		Why: "Only the list named by selection_type is used. With all, neither is, and the selector covers more than the " +
			"list suggests.",
		Spec: "AdCP adagents.json Tech Spec, publisher_properties",
		In:   InSelector,
		fix:  fixIgnoredList,
		Bad:  `{"publisher_domain": "example.com", "selection_type": "all", "property_tags": ["news"]}`,
		Good: `{"publisher_domain": "example.com", "selection_type": "by_tag", "property_tags": ["news"]}`,
	}, check: func(r reporter, s *Selector) {
		if v := s.member(atSelectorPropertyIDs); v.Exists() && (s.SelectionType == "all" || s.SelectionType == "by_tag") {
			r.say(v, "property_ids is ignored, because selection_type is %s", s.SelectionType).
				withHint("remove property_ids, or change selection_type to by_id")
		}
		if v := s.member(atSelectorPropertyTags); v.Exists() && (s.SelectionType == "all" || s.SelectionType == "by_id") {
			r.say(v, "property_tags is ignored, because selection_type is %s", s.SelectionType).
				withHint("remove property_tags, or change selection_type to by_tag")
		}
	}},
	{Rule: Rule{
		Code: "selector.item_type", Severity: Error,
		Title: "an id or tag of a selector is not a text",
		Why:   "Ids and tags are texts. Any other item, and a blank one, picks nothing.",
		Hint:  "write the id or tag as a text in double quotes",
		Spec:  "AdCP adagents.json schema, publisher_properties",
		In:    InSelector,
		fix:   fixItem,
		Bad:   `{"publisher_domain": "example.com", "selection_type": "by_id", "property_ids": ["site", 17]}`,
		Good:  `{"publisher_domain": "example.com", "selection_type": "by_id", "property_ids": ["site"]}`,
	}, check: func(r reporter, s *Selector) {
		list, name := s.predicate()
		for _, v := range list.Elems() {
			switch {
			case !v.Is(String):
				r.say(v, "an item of %s must be a text, not %s", name, v.Kind())
			case blank(v.Str()):
				r.say(v, "an item of %s is blank", name)
			}
		}
	}},
	{Rule: Rule{
		Code: "selector.item_pattern", Severity: Warning, Strict: Error,
		Title: "an id or tag of a selector has unusual characters",
		Why: "The protocol restricts ids and tags to lower-case letters, digits and underscores. Matching is exact all " +
			"the same, so the item works if the publisher spells it the same way.",
		Spec: "AdCP adagents.json schema, publisher_properties",
		In:   InSelector,
		Bad:  `{"publisher_domain": "example.com", "selection_type": "by_tag", "property_tags": ["scope3-aee"]}`,
		Good: `{"publisher_domain": "example.com", "selection_type": "by_tag", "property_tags": ["scope3_aee"]}`,
	}, check: func(r reporter, s *Selector) {
		list, name := s.predicate()
		for _, v := range list.Elems() {
			if text := v.Str(); !isID(text) && !blank(text) {
				f := r.say(v, "%s in %s is not made of lower-case letters, digits and underscores", quote(text), name)
				if near := idFrom(text); near != "" {
					f.withHint("write %q, here and in the publisher's file", near)
				}
			}
		}
	}},
	{Rule: Rule{
		Code: "selector.item_duplicate", Severity: Warning,
		Title: "an id or tag of a selector is listed twice",
		Why:   "The second mention adds nothing, and often one of the two was meant to be another.",
		Hint:  "remove one of the two, or correct it",
		Spec:  "avow docs/rules.md",
		In:    InSelector,
		fix:   removeIt(Safe, "remove the repeated item"),
		Bad:   `{"publisher_domain": "example.com", "selection_type": "by_id", "property_ids": ["site", "site"]}`,
		Good:  `{"publisher_domain": "example.com", "selection_type": "by_id", "property_ids": ["site"]}`,
	}, check: func(r reporter, s *Selector) {
		list, name := s.predicate()
		checkRepeats(r, name, list, Warning)
	}},
}

// emptyPredicate reports a selector whose list is absent, empty or no list.
func emptyPredicate(r reporter, s *Selector) {
	list, name := s.predicate()
	switch {
	case !list.Exists():
		r.missing(s.Raw, name, "the selection_type is %s, but there is no %s", s.SelectionType, name)
	case !list.Is(Array):
		r.say(list, "%s must be an array, not %s", name, list.Kind())
	case list.Len() == 0:
		r.say(list, "%s is empty, so the selector picks nothing", name)
	}
}
