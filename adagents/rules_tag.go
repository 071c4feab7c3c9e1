package adagents

// tagCheck is an explanation of a tag that is being checked.
type tagCheck struct {
	*Tag
	section string // "tags", "placement_tags" or "signal_tags"
}

// tagRules look at the explanations of tags, in any of the three maps.
var tagRules = []rule[tagCheck]{
	{Rule: Rule{
		Code: "tag.value_type", Severity: Error,
		Title: "a tag's explanation is not an object",
		Why:   "Each tag is explained by an object with a name and a description.",
		Hint:  `write {"name": "...", "description": "..."}`,
		Spec:  "AdCP adagents.json Tech Spec, tags",
		In:    InTags,
		Bad:   `{"tags": {"news": "News sites"}}`,
		Good:  `{"tags": {"news": {"name": "News", "description": "News sites"}}}`,
		fix:   tagFromText,
	}, check: func(r reporter, x tagCheck) {
		if !x.Raw.Is(Object) {
			r.say(x.Raw, "the tag %s must be explained by an object, not %s", quote(x.Key), x.Raw.Kind())
		}
	}},
	{Rule: Rule{
		Code: "tag.name_missing", Severity: Error,
		Title: "a tag has no name",
		Why:   "The name is what people see in place of the tag.",
		Hint:  "add a name",
		Spec:  "AdCP adagents.json Tech Spec, tags",
		In:    InTags,
		Bad:   `{"tags": {"news": {"description": "News sites"}}}`,
		Good:  `{"tags": {"news": {"name": "News", "description": "News sites"}}}`,
		fix:   tagName,
	}, shapes: shapes{{unstated, atTagName, "the tag%s has no name"}}},
	{Rule: Rule{
		Code: "tag.description_missing", Severity: Warning, Strict: Error,
		Title: "a tag has no description",
		Why:   "Buyers learn from the description what carrying the tag means.",
		Hint:  "add a description",
		Spec:  "AdCP adagents.json Tech Spec, tags",
		In:    InTags,
		Bad:   `{"tags": {"news": {"name": "News"}}}`,
		Good:  `{"tags": {"news": {"name": "News", "description": "News sites"}}}`,
	}, shapes: shapes{{unstated, atTagDescription, "the tag%s has no description"}}},
	{Rule: Rule{
		Code: "tag.key_pattern", Severity: Warning,
		Title: "a name that no tag should have",
		Why: "Property tags consist of lower-case letters, digits and underscores, signal tags may have hyphens as well. " +
			"Readers that hold on to this never find an entry with another tag.",
		Hint: "rename the tag here and where it is used",
		Spec: "avow docs/rules.md",
		In:   InTags,
		Bad: `{
  "tags": {
    "news": {"name": "News", "description": "News sites"},
    "Local News": {"name": "Local news", "description": "News from around here"}
  }
}`,
		Good: `{"tags": {"news": {"name": "News", "description": "News sites"}}}`,
	}, check: func(r reporter, x tagCheck) {
		if carriable(x.section, x.Key) {
			return
		}
		f := r.say(x.Raw, "%s does not have the form of a tag", quote(x.Key))
		if id := idFrom(x.Key); id != "" {
			f.withHint("rename it to %q here and where it is used", id)
		}
	}},
}

func (x *Tag) who() string { return " " + quote(x.Key) }

// absentOrBlank reports whether a text is not there or shows nothing. Another rule
// reports values of other types.
func absentOrBlank(v Value) bool {
	return !v.Exists() || v.Is(String) && blank(v.Str())
}

// carriable reports whether an entry could carry a tag of the map.
func carriable(tagMap, key string) bool {
	switch tagMap {
	case "tags":
		return isID(key)
	case "signal_tags":
		return isSignalTag(key)
	}
	return !blank(key)
}

// tagClosingRules compare the explanations with what is carried.
var tagClosingRules = []rule[*File]{{
	Rule: Rule{
		Code: "tag.unused", Severity: Info,
		Title: "an explained tag is not used",
		Why:   "Nothing in the file carries or asks for the tag. Often the tag was renamed in one place only.",
		Hint:  "remove the explanation, or tag the entries it is meant for",
		Spec:  "avow docs/rules.md",
		In:    InTags,
		Bad: `{
  "tags": {
    "news": {"name": "News", "description": "News sites"},
    "sports": {"name": "Sports", "description": "Sports sites"}
  }
}`,
		Good: `{"tags": {"news": {"name": "News", "description": "News sites"}}}`,
	},
	check: func(r reporter, x *File) {
		unusedTags(r, "tags", x.Tags, r.index.propertyTag, x.usePropertyTags)
		unusedTags(r, "placement_tags", x.PlacementTags, r.index.placementTag, x.usePlacementTags)
		unusedTags(r, "signal_tags", x.SignalTags, r.index.signalTag, x.useSignalTags)
	},
}}

// unusedTags reports the tags of a map that nothing uses. carried answers for
// most of them at once; only for the rest the file is searched, through uses.
func unusedTags(r reporter, tagMap string, tags []Tag, carried map[string]int, uses func(use func([]string))) {
	var rest map[string]int
	for i := range tags {
		if carried[tags[i].Key] == 0 && carriable(tagMap, tags[i].Key) {
			if rest == nil {
				rest = make(map[string]int)
			}
			first(rest, tags[i].Key, i)
		}
	}
	if len(rest) == 0 {
		return
	}
	uses(func(list []string) {
		for _, tag := range list {
			delete(rest, tag)
		}
	})
	for i := range tags {
		if k, ok := rest[tags[i].Key]; ok && k == i {
			r.say(tags[i].Raw, "nothing in the file uses the tag %s of %s", quote(tags[i].Key), tagMap)
		}
	}
}

// usePropertyTags passes on every list of property tags in the file.
func (f *File) usePropertyTags(use func([]string)) {
	for i := range f.Properties {
		use(f.Properties[i].Tags)
	}
	for i := range f.Placements {
		use(f.Placements[i].PropertyTags)
	}
	for i := range f.Formats {
		use(f.Formats[i].AppliesToPropertyTags)
	}
	for i := range f.Agents {
		a := &f.Agents[i]
		use(a.PropertyTags)
		for k := range a.Properties {
			use(a.Properties[k].Tags)
		}
		for k := range a.Selectors {
			use(a.Selectors[k].PropertyTags)
		}
	}
}

func (f *File) usePlacementTags(use func([]string)) {
	for i := range f.Placements {
		use(f.Placements[i].Tags)
	}
	for i := range f.Agents {
		use(f.Agents[i].PlacementTags)
	}
}

func (f *File) useSignalTags(use func([]string)) {
	for i := range f.Signals {
		use(f.Signals[i].Tags)
	}
	for i := range f.Agents {
		use(f.Agents[i].SignalTags)
	}
}
