package adagents

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/formatkind"
	"github.com/avow-project/avow/internal/model"
)

const exampleSchemaRef = `{"uri": "https://example.com/roadblock.json", "digest": "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}`

// formatCustomRules are about declarations that bring their own schema.
var formatCustomRules = []rule[*formatkind.View]{
	{
		Rule: Rule{
			Code: "format.custom_incomplete", Severity: Error, Effect: SkipEntry,
			Title: "a custom format lacks what describes it",
			Why:   "A custom format is not known to anybody, so it names its shape, its schema, and either an older format that stands for it or that there is none.",
			Hint:  "add format_shape, format_schema, and canonical_formats_only true or v1_format_ref",
			Spec:  "AdCP canonical formats",
			In:    InFormat,
			Bad:   `{"format_option_id": "rb", "format_kind": "custom", "format_shape": "roadblock", "canonical_formats_only": true, "params": {}}`,
			Good: `{"format_option_id": "rb", "format_kind": "custom", "format_shape": "roadblock", "canonical_formats_only": true,
 "format_schema": ` + exampleSchemaRef + `, "params": {}}`,
		},
		check: checkCustomComplete,
	},
	{
		Rule: Rule{
			Code: "format.custom_members_on_canonical", Severity: Error,
			Title: "members of a custom format on a canonical one",
			Why:   "format_shape and format_schema describe custom formats. On a canonical kind readers cannot tell which of the two is meant.",
			Hint:  "remove the member, or use format_kind custom",
			Spec:  "AdCP canonical formats",
			In:    InFormat,
			Bad:   `{"format_option_id": "mpu", "format_kind": "image", "format_shape": "roadblock", "params": {}}`,
			Good:  `{"format_option_id": "mpu", "format_kind": "image", "params": {}}`,
		},
		check: func(r reporter, x *formatkind.View) {
			if model.Params[x.Kind] == nil {
				return
			}
			for _, name := range []string{"format_shape", "format_schema"} {
				if v := x.Raw.Get(name); v.Exists() {
					r.say(v, "%s is for custom formats, this one is %s", name, x.Kind)
				}
			}
		},
	},
	{
		Rule: Rule{
			Code: "format.schema_ref_invalid", Severity: Error, Effect: SkipEntry,
			Title: "format_schema does not pin a schema",
			Why:   "A reader fetches the schema and compares it with the digest before using it. Without https and a digest it could be replaced on the way.",
			Hint:  "give uri as an https URL and digest as sha256: and 64 lower-case hex digits",
			Spec:  "AdCP canonical formats",
			In:    InFormat,
			Bad: `{"format_option_id": "rb", "format_kind": "custom", "format_shape": "roadblock", "canonical_formats_only": true,
 "format_schema": {"uri": "https://example.com/roadblock.json", "digest": "abc123"}, "params": {}}`,
			Good: `{"format_option_id": "rb", "format_kind": "custom", "format_shape": "roadblock", "canonical_formats_only": true,
 "format_schema": ` + exampleSchemaRef + `, "params": {}}`,
		},
		check: func(r reporter, x *formatkind.View) {
			if v := x.Raw.Get("format_schema"); v.Exists() && x.Kind == formatkind.Custom {
				r.sayConform("format_schema", v, &model.FormatDeclaration.Field("format_schema").Type)
			}
		},
	},
	{
		Rule: Rule{
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
		},
		check: func(r reporter, x *formatkind.View) {
			v := x.Raw.Get("format_shape")
			if x.Kind == formatkind.Custom && !blank(v.Str()) && !slices.Contains(model.FormatShapes, v.Str()) {
				r.say(v, "%s is not a known shape", quote(v.Str())).withHint("%s", suggest(v.Str(), model.FormatShapes))
			}
		},
	},
	{
		Rule: Rule{
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
		},
		check: func(r reporter, x *formatkind.View) {
			v := x.Raw.Get("format_shape")
			if kind := promotedShapes[v.Str()]; kind != "" && x.Kind == formatkind.Custom {
				r.say(v, "%s is the canonical kind %s now", quote(v.Str()), kind).withHint("use format_kind %s before 2027-01-31", kind)
			}
		},
	},
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

// sayConform reports the rule for every way in which a value misses its type,
// and returns whether there is any.
func (r reporter) sayConform(name string, v Value, t *model.Type) bool {
	faulty := false
	conform.Check(v, t, func(p conform.Problem) {
		faulty = true
		r.sayProblem(name, p)
	})
	return faulty
}
