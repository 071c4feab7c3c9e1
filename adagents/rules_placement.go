package adagents

// placed is an example placement with some members added.
func placed(members string) string {
	return `{
  "placement_id": "article", "name": "Article", "description": "Inside an article",
  "property_ids": ["site"], "format_options": [{"format_option_id": "mpu"}],
  ` + members + `
}`
}

// placedOn is an example placement with the given links to properties.
func placedOn(links string) string {
	return `{
  "placement_id": "article", "name": "Article", "description": "Inside an article",
  ` + links + `,
  "format_options": [{"format_option_id": "mpu"}]
}`
}

// placedWith is an example placement with the given format options.
func placedWith(options string) string {
	return `{
  "placement_id": "article", "name": "Article", "description": "Inside an article",
  "property_ids": ["site"],
  "format_options": [` + options + `]
}`
}

const goodPlacement = `{
  "placement_id": "article", "name": "Article", "description": "Inside an article",
  "property_ids": ["site"], "format_options": [{"format_option_id": "mpu"}]
}`

var placementCoreRules = []rule[*Placement]{
	{
		Rule: Rule{
			Code: "placement.not_object", Severity: Error, Effect: SkipEntry,
			Title: "a placement is not an object",
			Why:   "Each entry of placements describes one placement; a bare value describes nothing.",
			Hint:  "write an object with placement_id, name, description, property_ids and format_options",
			Spec:  "AdCP adagents.json Tech Spec, placements",
			In:    InPlacement, Bad: `"article"`, Good: goodPlacement,
		},
		check: func(r reporter, x *Placement) {
			if !x.Raw.Is(Object) {
				r.say(x.Raw, "the placement must be an object, not %s", x.Raw.Kind())
			}
		},
	},
	{
		Rule: Rule{
			Code: "placement.id_missing", Severity: Error, Effect: SkipEntry,
			Title: "a placement has no placement_id",
			Why:   "Agents, products and creatives refer to a placement by its id; without one it cannot be used.",
			Hint:  "add a stable placement_id, for example home_top",
			Spec:  "AdCP adagents.json Tech Spec, placements",
			In:    InPlacement,
			Bad: `{
  "name": "Article", "description": "Inside an article",
  "property_ids": ["site"], "format_options": [{"format_option_id": "mpu"}]
}`,
			Good: goodPlacement,
		},
		check: func(r reporter, x *Placement) {
			if x.Raw.Is(Object) && blank(x.ID) {
				r.sayOf(x.Raw, x.member(atPlacementID), "placement_id", "the placement has no placement_id")
			}
		},
	},
	{
		Rule: Rule{
			Code: "placement.name_missing", Severity: Error, Effect: SkipEntry,
			Title: "a placement has no name",
			Why:   "The name is what a buyer reads when choosing a placement.",
			Hint:  "add a name that a person recognises",
			Spec:  "AdCP adagents.json Tech Spec, placements",
			In:    InPlacement,
			Bad: `{
  "placement_id": "article", "description": "Inside an article",
  "property_ids": ["site"], "format_options": [{"format_option_id": "mpu"}]
}`,
			Good: goodPlacement,
		},
		check: func(r reporter, x *Placement) {
			if x.Raw.Is(Object) && blank(x.Name) {
				r.sayOf(x.Raw, x.member(atPlacementName), "name", "the placement%s has no name", called(x.ID))
			}
		},
	},
	{
		Rule: Rule{
			Code: "placement.id_duplicate", Severity: Error, Effect: SkipEntry,
			Title: "a placement_id is used twice",
			Why:   "An id stands for one placement. Consumers keep the first entry and leave out the others.",
			Hint:  "give the second placement an id of its own, or merge the two",
			Spec:  "AdCP adagents.json Tech Spec, placements",
			In:    InPlacement,
			Bad: `{
  "placement_id": "home_top", "name": "Article", "description": "Inside an article",
  "property_ids": ["site"], "format_options": [{"format_option_id": "mpu"}]
}`,
			Good: goodPlacement,
		},
		check: func(r reporter, x *Placement) {
			if blank(x.ID) {
				return
			}
			if i := r.index.placements[x.ID]; &r.file.Placements[i] != x {
				r.say(x.member(atPlacementID), "placement_id %s is already used by entry %d of placements", quote(x.ID), i)
			}
		},
	},
	{
		Rule: Rule{
			Code: "placement.description_missing", Severity: Warning,
			Title: "a placement has no description",
			Why:   "A public placement describes itself in a sentence, so that a buyer knows what the name means.",
			Hint:  "add a description of one sentence",
			Spec:  "AdCP adagents.json Tech Spec, placements",
			In:    InPlacement,
			Bad: `{
  "placement_id": "article", "name": "Article",
  "property_ids": ["site"], "format_options": [{"format_option_id": "mpu"}]
}`,
			Good: goodPlacement,
		},
		check: func(r reporter, x *Placement) {
			v := x.member(atPlacementDescription)
			if x.Raw.Is(Object) && (!v.Exists() || v.Is(String) && blank(x.Description)) {
				r.sayOf(x.Raw, v, "description", "the placement%s has no description", called(x.ID))
			}
		},
	},
	{
		Rule: Rule{
			Code: "placement.format_options_missing", Severity: Warning,
			Title:  "a placement lists no formats",
			Varies: "an error in the strict profile for an empty list",
			Why:    "A public placement says which formats it takes; without them a buyer cannot prepare a creative.",
			Hint:   "list references to the file's formats, or declare a format in place with format_kind and params",
			Spec:   "AdCP adagents.json Tech Spec, placements",
			In:     InPlacement,
			Bad: `{
  "placement_id": "article", "name": "Article", "description": "Inside an article",
  "property_ids": ["site"]
}`,
			Good: goodPlacement,
		},
		check: func(r reporter, x *Placement) {
			v := x.member(atPlacementFormatOptions)
			if x.Raw.Is(Object) && (!v.Exists() || v.Is(Array) && v.Len() == 0) {
				f := r.sayOf(x.Raw, v, "format_options", "the placement%s lists no format_options", called(x.ID))
				if v.Exists() {
					f.withSeverity(r.lenient())
				}
			}
		},
	},
}

// called names an entry in a message, if it can be named.
func called(id string) string {
	if blank(id) {
		return ""
	}
	return " " + quote(id)
}
