package adagents

var propertyIDRules = []rule[*propertyCheck]{
	{
		Rule: Rule{
			Code: "property.id_missing", Severity: Warning,
			Title:  "a property has no property_id",
			Why:    "Agents and placements refer to properties by id. One without an id can only be reached by its tags.",
			Hint:   "add a property_id of lower-case letters, digits and underscores",
			Spec:   "AdCP adagents.json Tech Spec, properties",
			Varies: "info for a property inside an agent entry, which needs no id to be reached; an error in the strict profile when it is there and empty",
			In:     InProperty,
			Bad: `{"property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "publisher_domain": "example.com"}`,
			Good: goodProperty,
		},
		check: func(r reporter, x *propertyCheck) {
			v := x.member(atPropertyID)
			if x.ID != "" || v.Exists() && !v.Is(String) || !x.Raw.Is(Object) {
				return
			}
			f := r.sayOf(x.Raw, v, "property_id", "the property %shas no property_id", named(x.Name))
			switch {
			case v.Exists() && r.opt.Profile == Strict:
				f.withSeverity(Error)
			case x.inline:
				f.withSeverity(Info)
			}
			if id := idFrom(x.Name); id != "" {
				f.withHint("add a property_id, for example %q", id)
			}
		},
	},
	{
		Rule: Rule{
			Code: "property.id_pattern", Severity: Warning, Strict: Error,
			Title: "a property_id has characters the schema does not allow",
			Why: "The published schema allows lower-case letters, digits and underscores, and strict consumers refuse other ids. " +
				"Ids are compared exactly, so hyphens and underscores are not the same.",
			Hint: "use lower-case letters, digits and underscores",
			Spec: "AdCP adagents.json schema, properties",
			In:   InProperty,
			Bad: `{"property_id": "example-shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "publisher_domain": "example.com"}`,
			Good: `{"property_id": "example_shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "publisher_domain": "example.com"}`,
		},
		check: func(r reporter, x *propertyCheck) {
			if isID(x.ID) || x.ID == "" {
				return
			}
			f := r.say(x.member(atPropertyID), "the property_id %s is not made of lower-case letters, digits and underscores", quote(x.ID))
			if id := idFrom(x.ID); id != "" {
				f.withHint("rename it to %q here and wherever it is referred to", id)
			}
		},
	},
}
