package adagents

import (
	"slices"

	"github.com/avow-project/avow/internal/model"
)

// propertyAliases are words people use for the types.
var propertyAliases = map[string]string{
	"android_app": "mobile_app",
	"app":         "mobile_app",
	"audio":       "streaming_audio",
	"chatbot":     "ai_assistant",
	"ctv":         "ctv_app",
	"desktop":     "desktop_app",
	"domain":      "website",
	"ios_app":     "mobile_app",
	"mobile":      "mobile_app",
	"ooh":         "dooh",
	"site":        "website",
	"tv":          "linear_tv",
	"web":         "website",
}

var propertyShapeRules = []rule[*propertyCheck]{
	{Rule: Rule{
		Code: "property.not_object", Severity: Error, Effect: SkipEntry,
		Title: "a property is not an object",
		Why:   "Consumers leave out what is not a property and use the others.",
		Hint:  "write an object with property_id, property_type, name and identifiers",
		Spec:  "AdCP adagents.json Tech Spec, properties",
		In:    InProperty,
		Bad:   `"shop.example.com"`,
		Good:  goodProperty,
		fix:   propertyFromText,
	}, shapes: shapes{{notObject, 0, "a property must be an object, not %s"}}},
	{Rule: Rule{
		Code: "property.identifiers_missing", Severity: Error, Effect: SkipEntry,
		Title: "a property has no identifiers",
		Why:   "Identifiers are how the market recognises a property. Consumers leave out a property without them and go on.",
		Hint:  `add "identifiers": [{"type": "domain", "value": "example.com"}]`,
		Spec:  "AdCP adagents.json Tech Spec, properties",
		In:    InProperty,
		Bad: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "tags": ["news"], "publisher_domain": "example.com"}`,
		Good: goodProperty,
		fix:  identifiersFrom,
	}, check: checkIdentifiers},
	{Rule: Rule{
		Code: "property.name_missing", Severity: Error, Effect: SkipEntry,
		Title: "a property has no name",
		Why: "The name is what people see in a media plan. The published schema requires it, so consumers leave out a " +
			"property without one.",
		Hint: `add "name", what a reader or listener would call the property`,
		Spec: "AdCP adagents.json Tech Spec, properties",
		In:   InProperty,
		Bad: `{"property_id": "shop", "property_type": "website",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "publisher_domain": "example.com"}`,
		Good: goodProperty,
		fix:  propertyName,
	}, shapes: shapes{{noText, atPropertyName, "the property%s has no name"}}},
	{Rule: Rule{
		Code: "property.type_missing", Severity: Error, Effect: SkipEntry,
		Title: "a property has no property_type",
		Why: "The type says how identifiers are to be matched: a website by its domain, an app by its store id. " +
			"Consumers leave out a property without one.",
		Hint: `add "property_type", for example "website" or "mobile_app"`,
		Spec: "AdCP adagents.json Tech Spec, properties",
		In:   InProperty,
		Bad: `{"property_id": "shop", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "publisher_domain": "example.com"}`,
		Good: goodProperty,
		fix:  addMember(Likely, typeFromIdentifiers),
	}, shapes: shapes{{noText, atPropertyType, "the property%s has no property_type"}}},
	{Rule: Rule{
		Code: "property.type_unknown", Severity: Warning, Strict: Error,
		Title: "the property_type is not a known one",
		Why: "Consumers look for types they know and may pass over this property. A newer protocol version may have " +
			"added it.",
		Hint: "use a type of the published list, for example website, mobile_app or ctv_app",
		Spec: "AdCP adagents.json schema, properties",
		In:   InProperty,
		Bad: `{"property_id": "shop", "property_type": "web_site", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "publisher_domain": "example.com"}`,
		Good: goodProperty,
		fix:  nearestWord(propertyAliases, model.PropertyTypes),
	}, shapes: shapes{{unknownWord, atPropertyType, "%s is not a known property type"}}, words: propertyAliases},
	{Rule: Rule{
		Code: "property.type_identifier_mismatch", Severity: Info,
		Title: "no identifier suits the property_type",
		Why: "Consumers look a property up by the identifiers usual for its type: a website by domain, an app by bundle or " +
			"store id. " +
			"Without one of those the property is hard to find.",
		Hint: "add an identifier of a type that suits, or correct property_type",
		Spec: "AdCP adagents.json schema, properties",
		In:   InProperty,
		Bad: `{"property_id": "app", "property_type": "mobile_app", "name": "Example App",
  "identifiers": [{"type": "domain", "value": "app.example.com"}],
  "tags": ["news"], "publisher_domain": "example.com"}`,
		Good: `{"property_id": "app", "property_type": "mobile_app", "name": "Example App",
  "identifiers": [{"type": "ios_bundle", "value": "com.example.app"}],
  "tags": ["news"], "publisher_domain": "example.com"}`,
	}, check: checkSuits},
}

// goodProperty is the good example of most property rules.
const goodProperty = `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "publisher_domain": "example.com"}`

func (x *Property) who() string   { return named(x.ID) }
func (x *Identifier) who() string { return named(x.Value) }

// named returns an id for the middle of a sentence, or nothing.
func named(id string) string {
	if id == "" {
		return ""
	}
	return " " + quote(id)
}

func checkIdentifiers(r reporter, x *propertyCheck) {
	for i := range x.Identifiers {
		if x.Identifiers[i].usable() {
			return
		}
	}
	v := x.member(atPropertyIdentifiers)
	switch {
	case !x.Raw.Is(Object):
	case len(x.Identifiers) > 0:
		// Each of them has a finding that says why it is unusable.
		r.lose(SkipEntry)
	case v.Is(Array):
		r.say(v, "the property%s has an empty list of identifiers", named(x.ID))
	case v.Exists():
		r.say(v, "identifiers must be an array, not %s", v.Kind())
	default:
		f := r.missing(x.Raw, "identifiers", "the property%s has no identifiers", named(x.ID))
		f.withHint("%s", legacyHint(x.Raw))
	}
}

// legacyHint recognises the shape of an old example, which gave each property
// a domain and its agents and which no consumer reads.
func legacyHint(v Value) string {
	domain := v.Get("domain")
	switch {
	case domain.Is(String):
		return `replace "domain" by "identifiers": [{"type": "domain", "value": ` + quote(domain.Str()) +
			`}] and list agents in authorized_agents`
	case v.Has("agents"):
		return "agents are listed in the top-level authorized_agents; a property needs identifiers"
	}
	return ""
}

func checkSuits(r reporter, x *propertyCheck) {
	kind := propertyKinds[x.Type]
	if kind == nil || kind.suits == nil {
		return
	}
	usable := false
	for i := range x.Identifiers {
		if !x.Identifiers[i].usable() {
			continue
		}
		if x.idents[i].kind == nil || slices.Contains(kind.suits, x.Identifiers[i].Type) {
			return
		}
		usable = true
	}
	if usable {
		r.say(x.member(atPropertyIdentifiers), "none of the identifiers is of a type usual for a %s", x.Type).
			withHint("add one of type %s or correct property_type", alternatives(kind.suits))
	}
}

// alternatives joins words with commas and a final "or".
func alternatives(words []string) string {
	text := words[0]
	for i, w := range words[1:] {
		if i == len(words)-2 {
			text += " or " + w
		} else {
			text += ", " + w
		}
	}
	return text
}

var propertyIDRules = []rule[*propertyCheck]{
	{Rule: Rule{
		Code: "property.id_missing", Severity: Warning,
		Title: "a property has no property_id",
		Why:   "Agents and placements refer to properties by id. One without an id can only be reached by its tags.",
		Hint:  "add a property_id of lower-case letters, digits and underscores",
		Spec:  "AdCP adagents.json Tech Spec, properties",
		Varies: "info for a property inside an agent entry, which needs no id to be reached; an error in the strict " +
			"profile when it is there and empty",
		In: InProperty,
		Bad: `{"property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "publisher_domain": "example.com"}`,
		Good: goodProperty,
		fix:  propertyID,
	}, check: func(r reporter, x *propertyCheck) {
		v := x.member(atPropertyID)
		if x.ID != "" || v.Exists() && !v.Is(String) || !x.Raw.Is(Object) {
			return
		}
		f := r.sayOf(x.Raw, v, "property_id", "the property%s has no property_id", named(x.Name))
		switch {
		case v.Exists() && r.opt.Profile == Strict:
			f.withSeverity(Error)
		case x.inline:
			f.withSeverity(Info)
		}
		if id := idFrom(x.Name); id != "" {
			f.withHint("add a property_id, for example %q", id)
		}
	}},
	{Rule: Rule{
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
		fix: renamed("property_ids"),
	}, check: func(r reporter, x *propertyCheck) {
		if isID(x.ID) || x.ID == "" {
			return
		}
		f := r.say(x.member(atPropertyID), "the property_id %s is not made of lower-case letters, digits and underscores",
			quote(x.ID))
		if id := idFrom(x.ID); id != "" {
			f.withHint("rename it to %q here and wherever it is referred to", id)
		}
	}},
}
