package adagents

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/langtag"
	"github.com/avow-project/avow/internal/std/spell"
)

// isReference reports whether a format option points to a top-level format.
// format_kind decides, whatever its value: an option that has it is a
// declaration of its own, even with an id.
func (o *FormatOption) isReference() bool {
	return o.Raw.Is(Object) && !o.member(atFormatOptionKind).Exists()
}

// optionCheck is a format option that is being checked, with its placement.
type optionCheck struct {
	*FormatOption
	placement *Placement
}

// resolve returns the index of the format that a reference means, of those
// consumers use.
func (c *content) resolve(o *FormatOption) (int, bool) {
	if !o.isReference() {
		return 0, false
	}
	i, ok := c.index.formats[o.OptionID]
	return i, ok && !c.file.Formats[i].effect.gone()
}

// catalogued is an example of one format and one placement that refers to it.
func catalogued(format, reference string) string {
	return `{
  "formats": [{
    "format_option_id": "mpu", "format_kind": "image", "params": {"width": 300, "height": 250},
    ` + format + `
  }],
  "placements": [{
    "placement_id": "article", "name": "Article", "description": "Inside an article",
    "property_ids": ["site"],
    "format_options": [` + reference + `]
  }]
}`
}

const mpuReference = `{"format_option_id": "mpu"}`

// formatOptionRules look at one format option of the current placement.
var formatOptionRules = [][]rule[optionCheck]{optionShapeRules, optionMeaningRules, optionLocaleRules}

var optionShapeRules = []rule[optionCheck]{
	{Rule: Rule{
		Code: "placement.format_option_not_object", Severity: Error, Effect: DropRef,
		Title: "a format option is not an object",
		Why:   "A format option is a reference or a declaration, and both are objects. Consumers leave out anything else.",
		Hint:  `write {"format_option_id": "..."}`,
		Spec:  "AdCP adagents.json Tech Spec, placements",
		In:    InPlacement, Bad: placedWith(`"mpu"`), Good: placedWith(mpuReference),
		fix: objectFromText(optionFromText),
	}, check: func(r reporter, o optionCheck) {
		switch {
		case o.Raw.Is(Object):
		case o.Raw.Is(String):
			r.say(o.Raw, "a format option must be an object, not a string").
				withHint(`write {"format_option_id": %s}`, whole(o.Raw.Str()))
		default:
			r.say(o.Raw, "a format option must be an object, not %s", o.Raw.Kind())
		}
	}},
	{Rule: Rule{
		Code: "placement.format_option_empty", Severity: Error, Effect: DropRef,
		Title: "a format option says no format",
		Why:   "An option with neither format_option_id nor format_kind refers to nothing and declares nothing.",
		Hint:  "add format_option_id to refer to a format of this file, or format_kind and params to declare one in place",
		Spec:  "AdCP adagents.json Tech Spec, placements",
		In:    InPlacement, Bad: placedWith(`{"display_name": "MPU"}`), Good: placedWith(mpuReference),
		fix: formatByName,
	}, check: func(r reporter, o optionCheck) {
		v := o.member(atFormatOptionOptionID)
		if !o.isReference() || v.Exists() && (!v.Is(String) || !blank(o.OptionID)) || o.Raw.Has("capability_id") {
			return
		}
		r.sayOf(o.Raw, v, "format_option_id", "the format option has neither format_option_id nor format_kind")
	}},
	{Rule: Rule{
		Code: "placement.capability_id", Severity: Error, Effect: DropRef,
		Title: "a format option carries capability_id",
		Why: "capability_id names a capability of an agent and has no meaning in a publisher's file. The published " +
			"schema refuses it here.",
		Hint: "use format_option_id",
		Spec: "AdCP adagents.json schema, placements",
		In:   InPlacement, Bad: placedWith(`{"capability_id": "mpu"}`), Good: placedWith(mpuReference),
		fix: optionID,
	}, check: func(r reporter, o optionCheck) {
		if v := o.Raw.Get("capability_id"); v.Exists() {
			r.say(v, "capability_id must not appear in a format option")
		}
	}},
	{Rule: Rule{
		Code: "placement.format_inline_invalid", Severity: Error, Effect: DropRef,
		Title: "a format declared in place is not valid",
		Why: "An option with format_kind is a full declaration and is checked like one of the top-level formats. " +
			"Consumers leave a faulty one out and keep the placement.",
		Hint: "correct the declaration, or refer to a top-level format with format_option_id alone",
		Spec: "AdCP adagents.json Tech Spec, placements",
		In:   InPlacement,
		Bad:  placedWith(`{"format_kind": "image"}`),
		Good: placedWith(`{"format_kind": "image", "params": {"width": 300, "height": 250}}`),
		fix:  inlineFormat,
	}, check: func(r reporter, o optionCheck) {
		if o.Raw.Is(Object) && !o.isReference() {
			inlineFaults(r, o.FormatOption, func(at Value, msg string) { r.say(at, "%s", msg) })
		}
	}},
}

var optionMeaningRules = []rule[optionCheck]{
	{Rule: Rule{
		Code: "placement.format_option_unresolved", Severity: Error, Effect: DropRef,
		Title: "a format option refers to no format of this file",
		Why: "References are resolved in the same file's formats and nowhere else. Consumers leave the format out and " +
			"keep the placement.",
		Hint: "declare the format in formats, or correct format_option_id",
		Spec: "AdCP adagents.json Tech Spec, placements",
		In:   InPlacement,
		Bad:  placedWith(`{"format_option_id": "mpu_large"}`),
		Good: placedWith(mpuReference),
		fix: oneOf(Choice, nearestOf(Likely, formatIDs),
			removeOwner(Choice, "remove the format option, which leads nowhere")),
	}, check: func(r reporter, o optionCheck) {
		if !o.isReference() || blank(o.OptionID) || r.brokenList(atFileFormats) {
			return
		}
		i, ok := r.index.formats[o.OptionID]
		switch {
		case !ok:
			r.say(o.member(atFormatOptionOptionID), "no format of this file has the format_option_id %s", quote(o.OptionID)).
				withHint("%s", r.didYouMean(formatIDs, o.OptionID))
		case r.file.Formats[i].effect.gone():
			// The format is reported; the reference falls with it.
			r.lose(DropRef)
		}
	}},
	{Rule: Rule{
		Code: "placement.format_option_out_of_scope", Severity: Warning,
		Title: "a format does not apply to the placement's properties",
		Why: "The format says which properties accept it, and the placement runs on none of them. A buyer could never " +
			"use the two together.",
		Hint: "widen applies_to_property_ids or applies_to_property_tags of the format, or remove the reference",
		Spec: "AdCP adagents.json schema, placements",
		In:   InFile,
		Bad:  scopedTo("shop"),
		Good: scopedTo("site"),
	}, check: checkOptionScope},
	{Rule: Rule{
		Code: "placement.format_reference_extra", Severity: Info,
		Title: "a reference to a format repeats parts of the format",
		Why: "A reference takes everything from the format it means. Besides locale_policy and display_name, members " +
			"beside format_option_id are not a partial redeclaration, and consumers may ignore them.",
		Hint: "remove the extra members, or declare the format in place with format_kind and params",
		Spec: "AdCP adagents.json schema, placements",
		In:   InPlacement,
		Bad:  placedWith(`{"format_option_id": "mpu", "seller_preference": "preferred"}`),
		Good: placedWith(`{"format_option_id": "mpu", "display_name": "MPU in articles"}`),
	}, check: checkReferenceExtra},
}

// scopedTo is an example file with two properties and a format for one of them.
func scopedTo(property string) string {
	return `{
  "$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json",
  "catalog_etag": "v1",
  "properties": [
    {
      "property_id": "site", "property_type": "website", "name": "Example News",
      "identifiers": [{"type": "domain", "value": "example.com"}]
    },
    {
      "property_id": "shop", "property_type": "website", "name": "Example Shop",
      "identifiers": [{"type": "subdomain", "value": "shop.example.com"}]
    }
  ],
` + strings.TrimSuffix(strings.TrimPrefix(
		catalogued(`"applies_to_property_ids": ["`+property+`"]`, mpuReference), "{\n"), "\n}") + `,
  "authorized_agents": [{
    "url": "https://agent.example/mcp", "authorized_for": "All inventory",
    "authorization_type": "property_ids", "property_ids": ["site", "shop"],
    "signing_keys": [` + exampleKey + `]
  }],
  "last_updated": "2026-01-02T00:00:00Z"
}`
}

// checkOptionScope is silent when the format's own references are all wrong:
// then nothing is known of its scope.
func checkOptionScope(r reporter, o optionCheck) {
	i, ok := r.resolve(o.FormatOption)
	if !ok {
		return
	}
	f := &r.file.Formats[i]
	if len(f.AppliesToPropertyIDs)+len(f.AppliesToPropertyTags) == 0 || r.applies(i, o.placement) || !r.scoped(f) {
		return
	}
	r.say(o.member(atFormatOptionOptionID), "format %s applies to none of the placement's properties", quote(o.OptionID))
}

// scoped reports whether any property a format names exists.
func (c *content) scoped(f *FormatDeclaration) bool {
	return slices.ContainsFunc(f.AppliesToPropertyIDs, func(id string) bool {
		_, ok := c.index.properties.get(id)
		return ok
	}) ||
		slices.ContainsFunc(f.AppliesToPropertyTags, func(tag string) bool { return c.index.propertyTag[tag] > 0 })
}

// checkReferenceExtra passes over misspelt members, which are reported as
// such, and over capability_id, which has a rule of its own.
func checkReferenceExtra(r reporter, o optionCheck) {
	if !o.isReference() || o.OptionID == "" {
		return
	}
	const most = 5
	var extra []string
	for m := range o.Raw.Members() {
		switch name := m.Name(); name {
		case "format_option_id", "locale_policy", "display_name", "capability_id":
			continue
		default:
			if model.FormatOption.Field(name) == nil && misspelt(name) {
				continue
			}
			extra = append(extra, quote(name))
		}
		if len(extra) > most {
			extra[most] = "..."
			break
		}
	}
	if len(extra) > 0 {
		r.say(o.Raw, "the reference to %s also carries %s", quote(o.OptionID), strings.Join(extra, ", "))
	}
}

var optionNames = model.FormatOption.Names()

func misspelt(name string) bool {
	_, ok := spell.Nearest(name, optionNames, spell.MaxDistance)
	return ok
}

var optionLocaleRules = []rule[optionCheck]{
	{Rule: Rule{
		Code: "placement.locale_policy_invalid", Severity: Error, Effect: DropRef,
		Title: "the languages of a format reference cannot be read",
		Why: "A reference may narrow the languages of its format. If the narrowing cannot be read, the format must not " +
			"be used as if there were none.",
		Hint: "list one to fifty language tags in canonical case, for example en or pt-BR",
		Spec: "AdCP adagents.json schema, placements",
		In:   InTopLevel,
		Bad:  catalogued(`"canonical_formats_only": true`, localised(`"EN"`)),
		Good: catalogued(`"canonical_formats_only": true`, localised(`"en"`)),
		fix:  toForm(Likely),
	}, check: func(r reporter, o optionCheck) {
		if o.isReference() {
			r.sayFaults(model.FormatOption, "locale_policy", o.member(atFormatOptionLocalePolicy))
		}
	}},
	{Rule: Rule{
		Code: "placement.locale_not_narrower", Severity: Warning,
		Title: "a placement accepts languages its format does not",
		Why:   "A placement may only narrow the languages of a format. A range the format does not cover is never accepted.",
		Hint:  "use ranges inside those of the format, or widen the format's locale_policy",
		Spec:  "AdCP adagents.json schema, placements",
		In:    InTopLevel,
		Bad: catalogued(`"canonical_formats_only": true, "locale_policy": {"accepted_language_ranges": ["en"]}`,
			localised(`"en-GB", "fr"`)),
		Good: catalogued(`"canonical_formats_only": true, "locale_policy": {"accepted_language_ranges": ["en"]}`,
			localised(`"en-GB"`)),
	}, check: checkLocaleNarrower},
	{Rule: Rule{
		Code: "placement.locale_v1_projection", Severity: Warning,
		Title: "languages are narrowed on a format that has an older form",
		Why: "Buyers of older protocol versions see the format under its older name, where languages cannot be " +
			"expressed. They would be offered every language.",
		Hint: "set canonical_formats_only to true on the format, or remove locale_policy from the reference",
		Spec: "AdCP adagents.json schema, placements",
		In:   InTopLevel,
		Bad:  catalogued(`"display_name": "MPU"`, localised(`"en"`)),
		Good: catalogued(`"display_name": "MPU", "canonical_formats_only": true`, localised(`"en"`)),
	}, check: func(r reporter, o optionCheck) {
		i, ok := r.resolve(o.FormatOption)
		v := o.member(atFormatOptionLocalePolicy)
		if ok && v.Is(Object) && !r.file.Formats[i].CanonicalFormatsOnly {
			r.say(v, "locale_policy on a reference to %s, which is not canonical_formats_only", quote(o.OptionID))
		}
	}},
}

func localised(ranges string) string {
	return `{"format_option_id": "mpu", "locale_policy": {"accepted_language_ranges": [` + ranges + `]}}`
}

// maxRanges is how many language ranges a policy may have; longer ones are
// reported elsewhere and not compared.
const maxRanges = 50

func checkLocaleNarrower(r reporter, o optionCheck) {
	i, ok := r.resolve(o.FormatOption)
	if !ok || o.LocalePolicy == nil || r.file.Formats[i].LocalePolicy == nil {
		return
	}
	wide, narrow := r.file.Formats[i].LocalePolicy.AcceptedLanguageRanges, o.LocalePolicy.AcceptedLanguageRanges
	if len(wide) == 0 || len(wide) > maxRanges || len(narrow) > maxRanges {
		return
	}
	for _, v := range o.LocalePolicy.member(atLocalePolicyAcceptedLanguageRanges).Elems() {
		tag := v.Str()
		if langtag.Valid(tag) && !slices.ContainsFunc(wide, func(span string) bool { return langtag.Covers(span, tag) }) {
			r.say(v, "the format accepts %s, which does not cover %s", listed(wide[:min(len(wide), 5)]), quote(tag))
		}
	}
}

// placementOptionRules look at the format options of a placement together.
var placementOptionRules = []rule[*Placement]{{
	Rule: Rule{
		Code: "placement.format_option_duplicate", Severity: Warning,
		Title: "a placement lists a format option twice",
		Why:   "An id stands for one format. The second mention adds nothing, or contradicts the first.",
		Hint:  "remove the second mention",
		Spec:  "avow docs/rules.md",
		In:    InPlacement,
		Bad:   placedWith(mpuReference + ", " + mpuReference),
		Good:  placedWith(mpuReference),
	},
	check: func(r reporter, x *Placement) {
		repeatedOptions(x.FormatOptions, func(o *FormatOption) {
			r.say(o.member(atFormatOptionOptionID), "format option %s is listed twice", quote(o.OptionID))
		})
	},
}}

// repeatedOptions calls yield for each option whose id occurred before.
func repeatedOptions(list []FormatOption, yield func(*FormatOption)) {
	if len(list) < 2 {
		return
	}
	const few = 8 // up to here comparing is cheaper than hashing
	var seen map[string]struct{}
	if len(list) > few {
		seen = make(map[string]struct{}, len(list))
	}
	for i := range list {
		id := list[i].OptionID
		dup := seen == nil && hasOption(list[:i], id)
		if seen != nil {
			_, dup = seen[id]
			seen[id] = struct{}{}
		}
		if dup && !blank(id) {
			yield(&list[i])
		}
	}
}

func hasOption(list []FormatOption, id string) bool {
	for i := range list {
		if list[i].OptionID == id {
			return true
		}
	}
	return false
}

// inlineFaults checks a format option that carries format_kind as a full
// declaration and calls yield for each fault that makes it unusable. What is
// merely odd is reported under its own code, as it is in formats.
func inlineFaults(r reporter, o *FormatOption, yield func(at Value, msg string)) {
	if !o.Raw.Is(Object) {
		return
	}
	own := findings{limits: limits{unlisted: r.out.limits.unlisted}}
	view := r.formatView(o.Raw)
	for _, rules := range declarationRules {
		for i := range rules {
			rules[i].check(reporter{r.content, &own, &rules[i].Rule, nil}, view)
		}
	}
	r.out.limits.unlisted = own.limits.unlisted
	r.out.losses = r.out.losses || own.losses
	for i := range own.list {
		if f := &own.list[i]; f.sev < Error {
			r.takeOver(f)
		}
	}
	for i := range own.list {
		if f := &own.list[i]; f.sev == Error {
			yield(r.tree.At(f.node), f.msg)
		}
	}
}

// takeOver adds a finding of another rule, with the effect it has in a placement.
func (r reporter) takeOver(f *rawFinding) {
	f.effect = inlineEffect(f.effect)
	k := findingKind{f.rule, f.sev, f.effect}
	if !r.out.limits.admit(k, r.opt.MaxFindings, len(r.out.list)) {
		r.omit(k, f.node)
		return
	}
	r.out.list = append(r.out.list, *f)
	if r.effect != nil {
		r.effect.raise(f.effect, len(r.out.list))
	}
}

// inlineEffect turns what happens to an entry of formats into what happens to
// an option of a placement: one that cannot be used is dropped. What only
// concerns a reference inside it does not cost the option.
func inlineEffect(e Effect) Effect {
	if e == SkipEntry {
		return DropRef
	}
	return NoEffect
}
