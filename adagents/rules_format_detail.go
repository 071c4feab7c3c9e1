package adagents

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/format/formatkind"
	"github.com/avow-project/avow/internal/model"
)

const exampleSchemaRef = `{"uri": "https://example.com/roadblock.json", "digest": "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}`

// formatCustomRules are about declarations that bring their own schema.
var formatCustomRules = []rule[*formatkind.View]{
	{Rule: Rule{
		Code: "format.custom_incomplete", Severity: Error, Effect: SkipEntry,
		Title: "a custom format lacks what describes it",
		Why: "A custom format is not known to anybody, so it names its shape, its schema, and either an older format " +
			"that stands for it or that there is none.",
		Hint: "add format_shape, format_schema, and canonical_formats_only true or v1_format_ref",
		Spec: "AdCP canonical formats",
		In:   InFormat,
		Bad:  `{"format_option_id": "rb", "format_kind": "custom", "format_shape": "roadblock", "canonical_formats_only": true, "params": {}}`,
		Good: `{"format_option_id": "rb", "format_kind": "custom", "format_shape": "roadblock", "canonical_formats_only": true,
 "format_schema": ` + exampleSchemaRef + `, "params": {}}`,
	}, check: checkCustomComplete},
	{Rule: Rule{
		Code: "format.custom_members_on_canonical", Severity: Error,
		Title: "members of a custom format on a canonical one",
		Why: "format_shape and format_schema describe custom formats. On a canonical kind readers cannot tell which of " +
			"the two is meant.",
		Hint: "remove the member, or use format_kind custom",
		Spec: "AdCP canonical formats",
		In:   InFormat,
		Bad:  `{"format_option_id": "mpu", "format_kind": "image", "format_shape": "roadblock", "params": {}}`,
		Good: `{"format_option_id": "mpu", "format_kind": "image", "params": {}}`,
		fix:  removeIt(Likely, "remove what belongs to custom formats"),
	}, check: func(r reporter, x *formatkind.View) {
		if model.Params()[x.Kind] == nil {
			return
		}
		for _, name := range []string{"format_shape", "format_schema"} {
			if v := x.Raw.Get(name); v.Exists() {
				r.say(v, "%s is for custom formats, this one is %s", name, x.Kind)
			}
		}
	}},
	{Rule: Rule{
		Code: "format.schema_ref_invalid", Severity: Error, Effect: SkipEntry,
		Title: "format_schema does not pin a schema",
		Why: "A reader fetches the schema and compares it with the digest before using it. Without https and a digest it " +
			"could be replaced on the way.",
		Hint: "give uri as an https URL and digest as sha256: and 64 lower-case hex digits",
		Spec: "AdCP canonical formats",
		In:   InFormat,
		Bad: `{"format_option_id": "rb", "format_kind": "custom", "format_shape": "roadblock", "canonical_formats_only": true,
 "format_schema": {"uri": "https://example.com/roadblock.json", "digest": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}, "params": {}}`,
		Good: `{"format_option_id": "rb", "format_kind": "custom", "format_shape": "roadblock", "canonical_formats_only": true,
 "format_schema": ` + exampleSchemaRef + `, "params": {}}`,
		fix: toForm(Likely),
	}, check: func(r reporter, x *formatkind.View) {
		if v := x.Raw.Get("format_schema"); v.Exists() && x.Kind == formatkind.Custom {
			r.sayConform("format_schema", v, &model.FormatDeclaration.Field("format_schema").Type)
		}
	}},
	{Rule: Rule{
		Code: "format.shape_unknown", Severity: Info,
		Title: "format_shape is not in the vocabulary",
		Why:   "Any shape may be named. A known name lets buyers find formats of the same sort across publishers.",
		Hint:  "check the spelling; keep it when no known shape fits",
		Spec:  "AdCP canonical formats",
		In:    InFormat,
		Bad: `{"format_option_id": "rb", "format_kind": "custom", "format_shape": "road_block", "canonical_formats_only": true,
 "format_schema": ` + exampleSchemaRef + `, "params": {}}`,
		Good: `{"format_option_id": "rb", "format_kind": "custom", "format_shape": "roadblock", "canonical_formats_only": true,
 "format_schema": ` + exampleSchemaRef + `, "params": {}}`,
	}, check: func(r reporter, x *formatkind.View) {
		v := x.Raw.Get("format_shape")
		if x.Kind == formatkind.Custom && !blank(v.Str()) && !slices.Contains(model.FormatShapes, v.Str()) {
			r.say(v, "%s is not a known shape", quote(v.Str())).withHint("%s", suggest(v.Str(), model.FormatShapes))
		}
	}},
	{Rule: Rule{
		Code: "format.shape_promoted", Severity: Warning,
		Title: "the custom shape has become a canonical kind",
		Why:   "Protocol 3.2 has a kind of its own for this shape. The custom form is read until 2027-01-31 only.",
		Hint:  "declare the format with the canonical kind",
		Spec:  "AdCP canonical formats",
		In:    InFormat,
		Bad: `{"format_option_id": "skin", "format_kind": "custom", "format_shape": "multi_state_display", "canonical_formats_only": true,
 "format_schema": ` + exampleSchemaRef + `, "params": {}}`,
		Good: `{"format_option_id": "rb", "format_kind": "custom", "format_shape": "roadblock", "canonical_formats_only": true,
 "format_schema": ` + exampleSchemaRef + `, "params": {}}`,
	}, check: func(r reporter, x *formatkind.View) {
		v := x.Raw.Get("format_shape")
		if kind := promotedShapes[v.Str()]; kind != "" && x.Kind == formatkind.Custom {
			r.say(v, "%s is the canonical kind %s now", quote(v.Str()), kind).withHint("use format_kind %s before 2027-01-31",
				kind)
		}
	}},
}

// promotedShapes gives the kind that replaces a custom shape.
var promotedShapes = map[string]string{
	"multi_state_display":      formatkind.Stateful,
	"multi_placement_takeover": formatkind.Coordinated,
}

// checkCustomComplete lists everything a custom format lacks in one finding.
func checkCustomComplete(r reporter, x *formatkind.View) {
	if x.Kind != formatkind.Custom {
		return
	}
	var lacks []string
	if lacksID(x.Raw.Get("format_shape")) {
		lacks = append(lacks, "format_shape")
	}
	if !x.Raw.Has("format_schema") {
		lacks = append(lacks, "format_schema")
	}
	if !x.Raw.Has("v1_format_ref") && !x.CanonicalOnly() {
		lacks = append(lacks, "canonical_formats_only true or v1_format_ref")
	}
	if len(lacks) > 0 {
		r.say(x.Raw, "the custom format lacks %s", strings.Join(lacks, ", ")).withHint("add %s", strings.Join(lacks, ", "))
	}
}

// formatDetailRules are about older formats, languages and channels.
var formatDetailRules = []rule[*formatkind.View]{
	{Rule: Rule{
		Code: "format.v1_conflict", Severity: Error,
		Title: "v1_format_ref together with canonical_formats_only",
		Why:   "The one names an older format that stands for this one, the other says that there is none.",
		Hint:  "remove one of the two",
		Spec:  "AdCP canonical formats",
		In:    InFormat,
		Bad: `{"format_option_id": "mpu", "format_kind": "image", "canonical_formats_only": true,
 "v1_format_ref": [{"agent_url": "https://agent.example/mcp", "id": "display_300x250"}], "params": {}}`,
		Good: `{"format_option_id": "mpu", "format_kind": "image",
 "v1_format_ref": [{"agent_url": "https://agent.example/mcp", "id": "display_300x250"}], "params": {}}`,
		fix: remedy{Choice, func(x fixing) []Fix {
			return x.eitherOf(x.owner(), []string{"v1_format_ref"}, []string{"canonical_formats_only"})
		}},
	}, check: func(r reporter, x *formatkind.View) {
		if v := x.Raw.Get("v1_format_ref"); v.Exists() && x.Raw.Get("canonical_formats_only").Bool() {
			r.say(v, "v1_format_ref contradicts canonical_formats_only true")
		}
	}},
	{Rule: Rule{
		Code: "format.v1_ref_invalid", Severity: Warning, Strict: Error,
		Title: "an older format is not named properly",
		Why:   "Buyers on the older model look the format up by agent and id, and by size where one is given.",
		Hint:  "give agent_url and id; width and height come together",
		Spec:  "AdCP canonical formats",
		In:    InFormat,
		Bad: `{"format_option_id": "mpu", "format_kind": "image",
 "v1_format_ref": [{"agent_url": "https://agent.example/mcp", "id": "display", "width": 300}], "params": {}}`,
		Good: `{"format_option_id": "mpu", "format_kind": "image",
 "v1_format_ref": [{"agent_url": "https://agent.example/mcp", "id": "display", "width": 300, "height": 250}], "params": {}}`,
	}, check: checkV1Refs},
	{Rule: Rule{
		Code: "format.v1_lossy_multi_size", Severity: Warning,
		Title: "fewer older formats than sizes",
		Why:   "An older format has one size. Buyers on that model cannot see the sizes that have no counterpart.",
		Hint:  "name one older format for each size",
		Spec:  "avow docs/rules.md",
		In:    InFormat,
		Bad: `{"format_option_id": "banner", "format_kind": "image",
 "v1_format_ref": [{"agent_url": "https://agent.example/mcp", "id": "display_300x250"}],
 "params": {"sizes": [{"width": 300, "height": 250}, {"width": 728, "height": 90}]}}`,
		Good: `{"format_option_id": "banner", "format_kind": "image",
 "v1_format_ref": [
   {"agent_url": "https://agent.example/mcp", "id": "display_300x250"},
   {"agent_url": "https://agent.example/mcp", "id": "display_728x90"}
 ],
 "params": {"sizes": [{"width": 300, "height": 250}, {"width": 728, "height": 90}]}}`,
	}, check: func(r reporter, x *formatkind.View) {
		p, v := x.Own(), x.Raw.Get("v1_format_ref")
		if p == nil || !p.HasSizeModes() || v.Len() == 0 {
			return
		}
		if sizes := p.Params.Get("sizes"); sizes.Is(Array) && sizes.Len() > v.Len() {
			r.say(v, "v1_format_ref names %s for %d sizes", counted(v.Len(), "older format"), sizes.Len())
		}
	}},
	{Rule: Rule{
		Code: "format.locale_requires_canonical_only", Severity: Error,
		Title: "locale_policy without canonical_formats_only",
		Why:   "The older model cannot express languages. A buyer that sees the format through it would miss the restriction.",
		Hint:  "set canonical_formats_only to true, or remove locale_policy",
		Spec:  "AdCP canonical formats",
		In:    InFormat,
		Bad:   `{"format_option_id": "mpu", "format_kind": "image", "locale_policy": {"accepted_language_ranges": ["en"]}, "params": {}}`,
		Good: `{"format_option_id": "mpu", "format_kind": "image", "canonical_formats_only": true,
 "locale_policy": {"accepted_language_ranges": ["en"]}, "params": {}}`,
		fix: canonicalOnly,
	}, check: func(r reporter, x *formatkind.View) {
		if v := x.Raw.Get("locale_policy"); v.Exists() && !x.CanonicalOnly() {
			r.say(v, "locale_policy needs canonical_formats_only true")
		}
	}},
	{Rule: Rule{
		Code: "format.locale_tag_invalid", Severity: Error,
		Title: "an accepted language is not a language tag",
		Why: "Languages are compared by their tags, as written: en, pt-BR, zh-Hant. Another case or a wildcard matches " +
			"nothing.",
		Hint: "list 1 to 50 different tags in canonical case",
		Spec: "BCP 47",
		In:   InFormat,
		Bad: `{"format_option_id": "mpu", "format_kind": "image", "canonical_formats_only": true,
 "locale_policy": {"accepted_language_ranges": ["pt-br"]}, "params": {}}`,
		Good: `{"format_option_id": "mpu", "format_kind": "image", "canonical_formats_only": true,
 "locale_policy": {"accepted_language_ranges": ["pt-BR"]}, "params": {}}`,
		fix: toForm(Likely),
	}, check: func(r reporter, x *formatkind.View) {
		if v := x.Raw.Get("locale_policy").Get("accepted_language_ranges"); v.Is(Array) {
			r.sayConform("accepted_language_ranges", v, &model.LocalePolicy.Field("accepted_language_ranges").Type)
		}
	}},
	{Rule: Rule{
		Code: "format.member_invalid", Severity: Warning, Strict: Error,
		Title: "a member of a format has a value that is not allowed",
		Why: "Unknown preferences, unsupported sample pages, invalid revisions and properties named by anything but an " +
			"id are ignored.",
		Hint: "use preferred, accepted or discouraged, an https URL for the sample, a revision such as 1.0.0, and ids as " +
			"strings",
		Spec: "AdCP canonical formats",
		In:   InFormat,
		Bad:  `{"format_option_id": "mpu", "format_kind": "image", "seller_preference": "favourite", "params": {}}`,
		Good: `{"format_option_id": "mpu", "format_kind": "image", "seller_preference": "preferred", "params": {}}`,
	}, check: func(r reporter, x *formatkind.View) {
		for _, name := range []string{"seller_preference", "sample_render_url"} {
			if v := x.Raw.Get(name); v.Is(String) {
				r.sayConform(name, v, &model.FormatDeclaration.Field(name).Type)
			}
		}
		checkFormatScope(r, x)
	}},
	{Rule: Rule{
		Code: "format.channel_unknown", Severity: Warning, Strict: Error,
		Title: "applies_to_channels names an unknown channel",
		Why:   "Buyers filter formats by channel. They never ask for an unknown one; one listed twice is a slip.",
		Hint:  "use the channels of the protocol, each once",
		Spec:  "AdCP canonical formats",
		In:    InFormat,
		Bad:   `{"format_option_id": "mpu", "format_kind": "image", "applies_to_channels": ["displey"], "params": {}}`,
		Good:  `{"format_option_id": "mpu", "format_kind": "image", "applies_to_channels": ["display"], "params": {}}`,
	}, check: func(r reporter, x *formatkind.View) {
		if v := x.Raw.Get("applies_to_channels"); v.Is(Array) {
			r.sayConform("applies_to_channels", v, &model.FormatDeclaration.Field("applies_to_channels").Type)
		}
	}},
}

// checkFormatScope holds what a format says of its revision and its properties to the
// table. A revision beside a renderer has a rule of its own, an empty list too.
func checkFormatScope(r reporter, x *formatkind.View) {
	if v := x.Raw.Get("format_revision"); v.Is(String) && !x.Raw.Has("reference_renderer") {
		r.sayConform("format_revision", v, &model.FormatDeclaration.Field("format_revision").Type)
	}
	for _, name := range []string{"applies_to_property_ids", "applies_to_property_tags"} {
		if v := x.Raw.Get(name); v.Is(Array) && v.Len() > 0 {
			r.sayConform(name, v, &model.FormatDeclaration.Field(name).Type)
		}
	}
}

// checkV1Refs checks each older format by its table, then what the table
// cannot say: which of the optional members need each other.
func checkV1Refs(r reporter, x *formatkind.View) {
	list := x.Raw.Get("v1_format_ref")
	if !list.Exists() {
		return
	}
	r.sayConform("v1_format_ref", list, &model.FormatDeclaration.Field("v1_format_ref").Type)
	for _, v := range list.Elems() {
		width, height := v.Has("width"), v.Has("height")
		switch {
		case width && !height:
			r.missing(v, "height", "the older format has a width but no height")
		case height && !width:
			r.missing(v, "width", "the older format has a height but no width")
		case v.Has("pixel_ratio") && !width:
			r.missing(v, "width", "pixel_ratio needs width and height")
		}
	}
}
