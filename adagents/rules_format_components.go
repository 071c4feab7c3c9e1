package adagents

import (
	"slices"

	"github.com/avow-project/avow/internal/format/formatkind"
	"github.com/avow-project/avow/internal/model"
)

// Parts of the examples about components.
const (
	exampleTop        = `{"component_id": "top", "placement_ref": {"placement_id": "home_top"}, "required": true, "format_kind": "image", "params": {}}`
	exampleSide       = `{"component_id": "side", "placement_ref": {"placement_id": "home_side"}, "required": false, "format_kind": "image", "params": {}}`
	exampleComponents = `{"components": [
  ` + exampleTop + `,
  ` + exampleSide + `
]}`
)

// formatComponentRules are about creatives that fill several placements.
var formatComponentRules = []rule[*formatkind.View]{
	{Rule: Rule{
		Code: "format.component_invalid", Severity: Error, Effect: SkipEntry,
		Title: "a coordinated format is not described properly",
		Why: "Each component names its placement and its format. One that is incomplete cannot be filled, and the others " +
			"not without it.",
		Hint: "list two components or more, each with component_id, placement_ref, required and a format",
		Spec: "AdCP canonical formats",
		In:   InComponents,
		Bad: `{"components": [
  ` + exampleTop + `
]}`,
		Good: exampleComponents,
	}, check: checkComponentForm},
	{Rule: Rule{
		Code: "format.component_duplicate", Severity: Error, Effect: SkipEntry,
		Title: "two components have the same component_id",
		Why:   "Assets are supplied for a component by its id.",
		Hint:  "give each component its own component_id",
		Spec:  "AdCP canonical formats",
		In:    InComponents,
		Bad: `{"components": [
  ` + exampleTop + `,
  {"component_id": "top", "placement_ref": {"placement_id": "home_side"}, "required": false, "format_kind": "image", "params": {}}
]}`,
		Good: exampleComponents,
	}, check: onKind(formatkind.Coordinated, func(r reporter, p *formatkind.Part) {
		sayRepeatedID(r, p.Params.Get("components"), "component_id")
	})},
	{Rule: Rule{
		Code: "format.component_placement_duplicate", Severity: Error, Effect: SkipEntry,
		Title: "two components fill the same placement",
		Why:   "A placement shows one creative at a time, so each component needs a placement of its own.",
		Hint:  "name another placement, or join the components",
		Spec:  "AdCP canonical formats",
		In:    InComponents,
		Bad: `{"components": [
  ` + exampleTop + `,
  {"component_id": "side", "placement_ref": {"placement_id": "home_top"}, "required": false, "format_kind": "image", "params": {}}
]}`,
		Good: exampleComponents,
	}, check: onKind(formatkind.Coordinated, checkComponentPlacements)},
	{Rule: Rule{
		Code: "format.component_none_required", Severity: Error, Effect: SkipEntry,
		Title: "no component is required",
		Why:   "A creative whose every part may be missing could be empty.",
		Hint:  "set required to true on one component at least",
		Spec:  "AdCP canonical formats",
		In:    InComponents,
		Bad: `{"components": [
  {"component_id": "top", "placement_ref": {"placement_id": "home_top"}, "required": false, "format_kind": "image", "params": {}},
  ` + exampleSide + `
]}`,
		Good: exampleComponents,
	}, check: onKind(formatkind.Coordinated, checkComponentRequired)},
	{Rule: Rule{
		Code: "format.component_sequence_gap", Severity: Error, Effect: SkipEntry,
		Title: "the sequence of components has a gap",
		Why:   "The numbers give the order of presentation, so they start at 1 and leave none out.",
		Hint:  "number the components 1, 2, 3; equal numbers appear together",
		Spec:  "AdCP canonical formats",
		In:    InComponents,
		Bad: `{"components": [
  {"component_id": "top", "placement_ref": {"placement_id": "home_top"}, "required": true, "sequence": 1, "format_kind": "image", "params": {}},
  {"component_id": "side", "placement_ref": {"placement_id": "home_side"}, "required": false, "sequence": 3, "format_kind": "image", "params": {}}
]}`,
		Good: `{"components": [
  {"component_id": "top", "placement_ref": {"placement_id": "home_top"}, "required": true, "sequence": 1, "format_kind": "image", "params": {}},
  {"component_id": "side", "placement_ref": {"placement_id": "home_side"}, "required": false, "sequence": 2, "format_kind": "image", "params": {}}
]}`,
	}, check: onKind(formatkind.Coordinated, checkComponentSequence)},
	{Rule: Rule{
		Code: "format.component_format_choice", Severity: Error, Effect: SkipEntry,
		Title: "a component does not have exactly one format",
		Why: "A component refers to a format or declares one with format_kind and params. With both, or half of one, its " +
			"format is not known.",
		Hint: "give format_option_ref, or format_kind together with params",
		Spec: "AdCP canonical formats",
		In:   InComponents,
		Bad: `{"components": [
  ` + exampleTop + `,
  {"component_id": "side", "placement_ref": {"placement_id": "home_side"}, "required": false, "format_kind": "image"}
]}`,
		Good: exampleComponents,
	}, check: onKind(formatkind.Coordinated, checkComponentFormats)},
	{Rule: Rule{
		Code: "format.component_kind_invalid", Severity: Error, Effect: SkipEntry,
		Title: "a component has a kind that components cannot have",
		Why: "A component is one creative of a canonical kind. Coordinated formats do not nest, and custom ones cannot " +
			"be checked.",
		Hint: "use a canonical kind such as image or html5",
		Spec: "AdCP canonical formats",
		In:   InComponents,
		Bad: `{"components": [
  ` + exampleTop + `,
  {"component_id": "side", "placement_ref": {"placement_id": "home_side"}, "required": false, "format_kind": "custom", "params": {}}
]}`,
		Good: exampleComponents,
	}, check: checkComponentKinds},
	{Rule: Rule{
		Code: "format.component_shared_slot_unknown", Severity: Error, Effect: SkipEntry,
		Title: "a shared slot is for a component that does not exist",
		Why:   "A shared asset is supplied once and used by the listed components; one that does not exist cannot use it.",
		Hint:  "list component_id values of this format",
		Spec:  "AdCP canonical formats",
		In:    InComponents,
		Bad: `{"components": [
  ` + exampleTop + `,
  ` + exampleSide + `
 ],
 "shared_slots": [{"asset_group_id": "logo", "asset_type": "image", "consumed_by": ["top", "sight"]}]}`,
		Good: `{"components": [
  ` + exampleTop + `,
  ` + exampleSide + `
 ],
 "shared_slots": [{"asset_group_id": "logo", "asset_type": "image", "consumed_by": ["top", "side"]}]}`,
	}, check: onKind(formatkind.Coordinated, checkSharedSlots)},
}

// checkComponentForm adds what the tables cannot say about references: a
// format of a product has no publisher, one of a publisher names it.
func checkComponentForm(r reporter, x *formatkind.View) {
	sayParamFaults(r, x, formatkind.ClaimComponent, anyFault)
	onKind(formatkind.Coordinated, func(r reporter, p *formatkind.Part) {
		for _, component := range p.Params.Get("components").Elems() {
			ref := component.Get("format_option_ref")
			domain := ref.Get("publisher_domain")
			switch scope := ref.Get("scope").Str(); {
			case scope == "product" && domain.Exists():
				r.say(domain, "publisher_domain does not go with scope product").withHint(
					"remove publisher_domain, or use scope publisher")
			case scope == "publisher" && !domain.Exists():
				r.missing(ref, "publisher_domain", "scope publisher needs publisher_domain").withHint(
					"name the publisher that declares the format")
			}
		}
	})(r, x)
}

func checkComponentPlacements(r reporter, p *formatkind.Part) {
	type placement struct{ domain, id string }
	seen := make(map[placement]bool)
	for _, component := range p.Params.Get("components").Elems() {
		ref := component.Get("placement_ref")
		id := ref.Get("placement_id")
		k := placement{ref.Get("publisher_domain").Str(), id.Str()}
		if id.Str() == "" {
			continue
		}
		if seen[k] {
			r.say(id, "another component fills %s too", quote(id.Str()))
		}
		seen[k] = true
	}
}

func checkComponentRequired(r reporter, p *formatkind.Part) {
	list := p.Params.Get("components")
	for _, component := range list.Elems() {
		if v := component.Get("required"); v.Bool() || !v.IsBool() {
			return
		}
	}
	if list.Len() > 0 {
		r.say(list, "none of the %d components is required", list.Len())
	}
}

// checkComponentSequence finds the first number left out.
func checkComponentSequence(r reporter, p *formatkind.Part) {
	used := make(map[int64]bool)
	list := p.Params.Get("components")
	for _, component := range list.Elems() {
		if n, ok := numberOf(component.Get("sequence")).Int(); ok && n >= 1 {
			used[n] = true
		}
	}
	next := int64(1)
	for used[next] {
		next++
	}
	if int(next) <= len(used) {
		r.say(list, "no component has sequence %d, but a later number is used", next)
	}
}

func checkComponentFormats(r reporter, p *formatkind.Part) {
	for _, component := range p.Params.Get("components").Elems() {
		ref, kind, params := component.Has("format_option_ref"), component.Has("format_kind"), component.Has("params")
		switch {
		case !component.Is(Object):
		case ref && (kind || params):
			r.say(component, "the component refers to a format and declares one")
		case ref:
		case !kind && !params:
			r.missing(component, "format_kind", "the component has no format")
		case !kind:
			r.missing(component, "format_kind", "the component has params but no format_kind")
		case !params:
			r.missing(component, "params", "the component has format_kind but no params")
		}
	}
}

// checkComponentKinds follows references within the file as well.
func checkComponentKinds(r reporter, x *formatkind.View) {
	for _, p := range x.Parts {
		for i := range p.Faults {
			if f := &p.Faults[i]; f.Claim == formatkind.ClaimComponentKind {
				r.say(f.At, "%s cannot be the kind of a component", quote(f.At.Str())).withHint("%s", nearKind(f.At.Str()))
			}
		}
	}
	onKind(formatkind.Coordinated, func(r reporter, p *formatkind.Part) {
		for _, component := range p.Params.Get("components").Elems() {
			sayComponentRef(r, component.Get("format_option_ref"))
		}
	})(r, x)
}

// nearKind proposes a kind for a misspelt one.
func nearKind(kind string) string {
	if slices.Contains(model.FormatKinds, kind) {
		return ""
	}
	return didYouMean(kind, model.Component.Field("format_kind").Type.Enum)
}

// sayComponentRef reports the rule for a reference to a format of this
// file that no component can have.
func sayComponentRef(r reporter, ref Value) {
	id := ref.Get("format_option_id")
	i, ok := r.index.formats[id.Str()]
	if !ok || ref.Get("scope").Str() != "publisher" {
		return
	}
	kind := r.file.Formats[i].Kind
	if kind != formatkind.Custom && kind != formatkind.Coordinated {
		return
	}
	r.byDomain = true
	if r.opt.Domain != "" && ref.Get("publisher_domain").Str() == r.opt.Domain {
		r.say(id, "%s is a %s format, which a component cannot have", quote(id.Str()), kind)
	}
}

func checkSharedSlots(r reporter, p *formatkind.Part) {
	known := make(map[string]bool)
	for _, component := range p.Params.Get("components").Elems() {
		known[component.Get("component_id").Str()] = true
	}
	for _, slot := range p.Params.Get("shared_slots").Elems() {
		for _, v := range slot.Get("consumed_by").Elems() {
			if v.Is(String) && !known[v.Str()] {
				r.say(v, "no component has the id %s", quote(v.Str()))
			}
		}
	}
}
