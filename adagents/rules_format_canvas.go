package adagents

import (
	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/formatkind"
	"github.com/avow-project/avow/internal/model"
)

// formatCanvasRules are about areas of the artwork with special rules.
var formatCanvasRules = []rule[*formatkind.View]{
	{
		Rule: Rule{
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
		},
		check: onKind(formatkind.Stateful, func(r reporter, p *formatkind.Part) {
			list := p.Params.Get("canvas_constraints")
			if list.Len() == 0 {
				return
			}
			canvases := canvasesOf(p)
			for _, v := range list.Elems() {
				sayRegion(r, v.Get("region"))
				sayCanvasRef(r, v, canvases)
			}
		}),
	},
	{
		Rule: Rule{
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
		},
		check: onKind(formatkind.Coordinated, func(r reporter, p *formatkind.Part) {
			for _, component := range p.Params.Get("components").Elems() {
				for _, v := range component.Get("canvas_constraints").Elems() {
					sayRegion(r, v.Get("region"))
					sayCanvasRef(r, v, nil)
				}
			}
		}),
	},
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

// sayRegion reports the current rule for a percent area that leaves the canvas.
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

// sayCanvasRef reports the current rule for a constraint on a canvas that does
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
