package adagents

import (
	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/formatkind"
	"github.com/avow-project/avow/internal/model"
)

// formatSlotRules are about the assets a buyer supplies.
var formatSlotRules = []rule[*formatkind.View]{
	{Rule: Rule{
		Code: "format.slot_invalid", Severity: Error,
		Title: "a slot is not described properly",
		Why:   "A buyer fills slots by their group and asset type; a limit that does not belong to the type cannot be met.",
		Hint:  "give asset_group_id and asset_type, and only the limits of that type",
		Spec:  "AdCP canonical formats",
		In:    InParams,
		Bad:   `{"slots": [{"asset_group_id": "logo", "asset_type": "image", "max_chars": 30}]}`,
		Good:  `{"slots": [{"asset_group_id": "logo", "asset_type": "image", "max_size_kb": 30}]}`,
		fix:   oneOf(Likely, toForm(Likely), removeIt(Likely, "remove what does not belong to the asset type")),
	}, check: func(r reporter, x *formatkind.View) { sayParamFaults(r, x, formatkind.ClaimSlot, anyFault) }},
	{Rule: Rule{
		Code: "format.slot_duplicate", Severity: Warning,
		Title: "two slots for the same asset group",
		Why:   "Assets are assigned to slots by their group, so the second slot is never filled or the first one twice.",
		Hint:  "join the two slots, with min and max for several assets",
		Spec:  "avow docs/rules.md",
		In:    InParams,
		Bad: `{"slots": [
  {"asset_group_id": "headlines", "asset_type": "text", "max_chars": 30},
  {"asset_group_id": "headlines", "asset_type": "text", "max_chars": 90}
]}`,
		Good: `{"slots": [
  {"asset_group_id": "headlines", "asset_type": "text", "max_chars": 30},
  {"asset_group_id": "long_headlines", "asset_type": "text", "max_chars": 90}
]}`,
	}, check: onParts(checkSlotDuplicates)},
	{Rule: Rule{
		Code: "format.slot_min_gt_max", Severity: Error,
		Title: "a slot needs more assets than it takes",
		Why:   "No number of assets is at least min and at most max.",
		Hint:  "exchange min and max",
		Spec:  "avow docs/rules.md",
		In:    InParams,
		Bad:   `{"slots": [{"asset_group_id": "headlines", "asset_type": "text", "min": 5, "max": 3}]}`,
		Good:  `{"slots": [{"asset_group_id": "headlines", "asset_type": "text", "min": 3, "max": 5}]}`,
		fix:   exchange(Likely, "min", "max"),
	}, check: onParts(func(r reporter, p *formatkind.Part) {
		for _, slot := range p.Slots() {
			saySlotCounts(r, slot)
		}
		if p.Kind == formatkind.Coordinated {
			for _, slot := range p.Params.Get("shared_slots").Elems() {
				saySlotCounts(r, slot)
			}
		}
	})},
	{Rule: Rule{
		Code: "format.slot_group_unknown", Severity: Info,
		Title: "an asset group is not in the vocabulary",
		Why:   "Any name may be used. A known one lets buyers fill the slot without asking what is meant.",
		Hint:  "check the spelling; keep it when no known group fits",
		Spec:  "AdCP canonical formats",
		In:    InParams,
		Bad:   `{"slots": [{"asset_group_id": "headlnes", "asset_type": "text"}]}`,
		Good:  `{"slots": [{"asset_group_id": "headlines", "asset_type": "text"}]}`,
	}, check: onParts(func(r reporter, p *formatkind.Part) {
		for _, slot := range p.Slots() {
			v := slot.Get("asset_group_id")
			if _, known := formatkind.AssetGroups[v.Str()]; !known && !blank(v.Str()) {
				r.say(v, "%s is not a known asset group", quote(v.Str())).withHint("%s",
					didYouMean(v.Str(), formatkind.AssetGroupNames))
			}
		}
	})},
	{Rule: Rule{
		Code: "format.pixel_ratio_subset", Severity: Warning,
		Title: "a required pixel ratio is not accepted",
		Why:   "The buyer must supply a picture that the same declaration does not take.",
		Hint:  "add the ratio to pixel_ratios, or do not require it",
		Spec:  "avow docs/rules.md",
		In:    InParams,
		Bad:   `{"slots": [{"asset_group_id": "images_square", "asset_type": "image", "pixel_ratios": [1, 2], "required_pixel_ratios": [3]}]}`,
		Good:  `{"slots": [{"asset_group_id": "images_square", "asset_type": "image", "pixel_ratios": [1, 2], "required_pixel_ratios": [2]}]}`,
	}, check: onParts(checkPixelRatios)},
}

func checkSlotDuplicates(r reporter, p *formatkind.Part) {
	seen := make(map[string]bool)
	for _, slot := range p.Slots() {
		v := slot.Get("asset_group_id")
		if blank(v.Str()) {
			continue
		}
		if seen[v.Str()] {
			r.say(v, "there is another slot for %s", quote(v.Str()))
		}
		seen[v.Str()] = true
	}
}

// saySlotCounts reports the rule for a slot that cannot be filled.
func saySlotCounts(r reporter, slot Value) {
	least, ok1 := slot.Get("min").Float()
	most, ok2 := slot.Get("max").Float()
	if ok1 && ok2 && least > most {
		r.say(slot.Get("max"), "max %v is below min %v", most, least)
	}
}

func checkPixelRatios(r reporter, p *formatkind.Part) {
	var overall map[float64]bool
	if v := p.Params.Get("pixel_ratios"); v.Is(Array) && p.Table.Field("pixel_ratios") != nil {
		overall = ratios(v)
	}
	for _, slot := range p.Slots() {
		required := slot.Get("required_pixel_ratios")
		if slot.Get("asset_type").Str() != "image" || !slot.Has("pixel_ratios") || !required.Is(Array) {
			continue
		}
		accepted := ratios(slot.Get("pixel_ratios"))
		for _, v := range required.Elems() {
			f, ok := v.Float()
			if ok && (!accepted[f] || overall != nil && !overall[f]) {
				r.say(v, "pixel ratio %v is required but not among pixel_ratios", f)
			}
		}
	}
}

// ratios returns the numbers of a list as a set.
func ratios(list Value) map[float64]bool {
	set := make(map[float64]bool)
	for _, v := range list.Elems() {
		if f, ok := v.Float(); ok {
			set[f] = true
		}
	}
	return set
}

// formatCanvasRules are about areas of the artwork with special rules.
var formatCanvasRules = []rule[*formatkind.View]{
	{Rule: Rule{
		Code: "format.state_graph_canvas_invalid", Severity: Error, Effect: SkipEntry,
		Title: "a canvas constraint lies outside or applies to nothing",
		Why:   "The area must lie on the canvas, and the state and breakpoint it is for must exist.",
		Hint:  "keep percent areas within 100, and name declared states and breakpoints",
		Spec:  "AdCP canonical formats",
		In:    InStateful,
		Bad: `{"states": [` + exampleSmall + `],
 "canvas_constraints": [{"constraint": "safe_area", "region": {"x": 20, "y": 0, "width": 90, "height": 50, "unit": "percent"}}]}`,
		Good: `{"states": [` + exampleSmall + `],
 "canvas_constraints": [{"constraint": "safe_area", "region": {"x": 5, "y": 0, "width": 90, "height": 50, "unit": "percent"}}]}`,
	}, check: onKind(formatkind.Stateful, func(r reporter, p *formatkind.Part) {
		list := p.Params.Get("canvas_constraints")
		if list.Len() == 0 {
			return
		}
		canvases := canvasesOf(p)
		for _, v := range list.Elems() {
			sayRegion(r, v.Get("region"))
			sayCanvasRef(r, v, canvases)
		}
	})},
	{Rule: Rule{
		Code: "format.component_canvas_invalid", Severity: Error, Effect: SkipEntry,
		Title: "a component's canvas constraint lies outside",
		Why:   "The area must lie on the canvas, and a breakpoint only exists within a state.",
		Hint:  "keep percent areas within 100, and give state_id with breakpoint_id",
		Spec:  "AdCP canonical formats",
		In:    InComponents,
		Bad: `{"components": [
  {"component_id": "top", "placement_ref": {"placement_id": "home_top"}, "required": true, "format_kind": "image", "params": {},
   "canvas_constraints": [{"constraint": "safe_area", "region": {"x": 0, "y": 80, "width": 10, "height": 30, "unit": "percent"}}]},
  ` + exampleSide + `
]}`,
		Good: `{"components": [
  {"component_id": "top", "placement_ref": {"placement_id": "home_top"}, "required": true, "format_kind": "image", "params": {},
   "canvas_constraints": [{"constraint": "safe_area", "region": {"x": 0, "y": 60, "width": 10, "height": 30, "unit": "percent"}}]},
  ` + exampleSide + `
]}`,
	}, check: onKind(formatkind.Coordinated, func(r reporter, p *formatkind.Part) {
		for _, component := range p.Params.Get("components").Elems() {
			for _, v := range component.Get("canvas_constraints").Elems() {
				sayRegion(r, v.Get("region"))
				sayCanvasRef(r, v, nil)
			}
		}
	})},
}

// canvas names one breakpoint of one state; the breakpoint "" stands for the
// state as a whole.
type canvas struct{ state, breakpoint string }

// canvasesOf collects the canvases a constraint can be for.
func canvasesOf(p *formatkind.Part) map[canvas]bool {
	known := make(map[canvas]bool)
	for _, state := range p.Params.Get("states").Elems() {
		id := state.Get("state_id").Str()
		known[canvas{id, ""}] = true
		for _, b := range state.Get("breakpoints").Elems() {
			known[canvas{id, b.Get("breakpoint_id").Str()}] = true
		}
	}
	return known
}

// sayRegion reports the rule for a percent area that leaves the canvas.
func sayRegion(r reporter, region Value) {
	if region.Get("unit").Str() != "percent" {
		return
	}
	for _, side := range [][2]string{{"x", "width"}, {"y", "height"}} {
		start, ok1 := region.Get(side[0]).Float()
		extent, ok2 := region.Get(side[1]).Float()
		if ok1 && ok2 && start+extent > 100 {
			r.say(region.Get(side[1]), "the area ends at %v percent of the canvas (%s and %s)", start+extent, side[0], side[1])
		}
	}
}

// sayCanvasRef reports the rule for a constraint on a canvas that does
// not exist. Without known canvases only the form is checked.
func sayCanvasRef(r reporter, v Value, known map[canvas]bool) {
	state, b := v.Get("state_id"), v.Get("breakpoint_id")
	switch {
	case b.Exists() && !state.Exists():
		r.missing(v, "state_id", "breakpoint_id needs state_id beside it")
	case known == nil || !isStateID(state):
	case !known[canvas{state.Str(), ""}]:
		r.say(state, "no state has the id %s", quote(state.Str()))
	case isStateID(b) && !known[canvas{state.Str(), b.Str()}]:
		r.say(b, "the state %s has no breakpoint %s", quote(state.Str()), quote(b.Str()))
	}
}

// isStateID reports whether a value has the form of a state id; another form
// is a fault of its own.
func isStateID(v Value) bool {
	return v.Is(String) && conform.Compiled(model.StateIDPattern).MatchString(v.Str())
}
