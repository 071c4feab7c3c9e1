package adagents

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/formatkind"
	"github.com/avow-project/avow/internal/model"
)

// Parts of the examples about states.
const (
	exampleSmall = `{"state_id": "small", "anchoring": "inline", "close_affordance": false,
   "breakpoints": [{"breakpoint_id": "desktop", "width": 970, "height": 250}]}`
	exampleLarge = `{"state_id": "large", "anchoring": "inline", "close_affordance": true,
   "breakpoints": [{"breakpoint_id": "desktop", "width": 970, "height": 500}]}`
	exampleExpand = `{"transition_id": "expand", "from_state_id": "small", "to_state_id": "large",
   "trigger": "user_action", "input": "tap", "transition_mode": "instant"}`
	exampleStates = `{"states": [` + exampleSmall + `]}`
)

// formatStateRules are about the states of a stateful format.
var formatStateRules = []rule[*formatkind.View]{
	{Rule: Rule{
		Code: "format.state_graph_invalid", Severity: Error, Effect: SkipEntry,
		Title: "a stateful format is not described properly",
		Why:   "The seller renders the format from its states and transitions. One that is incomplete cannot be rendered.",
		Hint:  "give states, initial_state_id and user_controls, each with all its members",
		Spec:  "AdCP canonical formats",
		In:    InStateful,
		Bad: `{"states": [{"state_id": "small", "anchoring": "inline",
   "breakpoints": [{"breakpoint_id": "desktop", "width": 970, "height": 250}]}]}`,
		Good: exampleStates,
	}, check: func(r reporter, x *formatkind.View) { sayParamFaults(r, x, formatkind.ClaimState, anyFault) }},
	{Rule: Rule{
		Code: "format.state_graph_state_duplicate", Severity: Error, Effect: SkipEntry,
		Title: "two states have the same state_id",
		Why:   "Transitions and artwork refer to a state by id, so ids must be unique.",
		Hint:  "give each state its own state_id",
		Spec:  "AdCP canonical formats",
		In:    InStateful,
		Bad: `{"states": [` + exampleSmall + `, ` + exampleLarge + `, ` + exampleLarge + `],
 "transitions": [` + exampleExpand + `]}`,
		Good: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [` + exampleExpand + `]}`,
	}, check: onKind(formatkind.Stateful, func(r reporter, p *formatkind.Part) {
		sayRepeatedID(r, p.Params.Get("states"), "state_id")
	})},
	{Rule: Rule{
		Code: "format.state_graph_initial_unknown", Severity: Error, Effect: SkipEntry,
		Title: "initial_state_id is not one of the states",
		Why:   "The ad starts in that state; without it nothing can be shown.",
		Hint:  "name one of the states",
		Spec:  "AdCP canonical formats",
		In:    InFormat,
		Bad: `{"format_option_id": "skin", "format_kind": "seller_rendered_stateful_display", "params": {
 "states": [` + exampleSmall + `],
 "initial_state_id": "tiny", "user_controls": {"dismissible": true, "user_collapsible": false}}}`,
		Good: `{"format_option_id": "skin", "format_kind": "seller_rendered_stateful_display", "params": {
 "states": [` + exampleSmall + `],
 "initial_state_id": "small", "user_controls": {"dismissible": true, "user_collapsible": false}}}`,
	}, check: onKind(formatkind.Stateful, func(r reporter, p *formatkind.Part) {
		v, g := p.Params.Get("initial_state_id"), p.Graph()
		if _, ok := g.States[v.Str()]; !ok && v.Is(String) && g.Sound && !p.Faulty("initial_state_id") {
			r.say(v, "no state has the id %s", quote(v.Str())).withHint("%s", didYouMean(v.Str(), g.IDs))
		}
	})},
	{Rule: Rule{
		Code: "format.state_graph_breakpoint_duplicate", Severity: Error, Effect: SkipEntry,
		Title: "two breakpoints of a state have the same id",
		Why:   "Artwork is supplied for each state and breakpoint by id.",
		Hint:  "give each breakpoint of the state its own breakpoint_id",
		Spec:  "AdCP canonical formats",
		In:    InStateful,
		Bad: `{"states": [{"state_id": "small", "anchoring": "inline", "close_affordance": false,
   "breakpoints": [{"breakpoint_id": "phone", "width": 970, "height": 250}, {"breakpoint_id": "phone", "width": 320, "height": 100}]}]}`,
		Good: `{"states": [{"state_id": "small", "anchoring": "inline", "close_affordance": false,
   "breakpoints": [{"breakpoint_id": "desktop", "width": 970, "height": 250}, {"breakpoint_id": "phone", "width": 320, "height": 100}]}]}`,
	}, check: onKind(formatkind.Stateful, func(r reporter, p *formatkind.Part) {
		for _, state := range p.Params.Get("states").Elems() {
			sayRepeatedID(r, state.Get("breakpoints"), "breakpoint_id")
		}
	})},
	{Rule: Rule{
		Code: "format.state_graph_breakpoint_invalid", Severity: Error, Effect: SkipEntry,
		Title: "a breakpoint does not have one width and one height",
		Why:   "The canvas of a breakpoint has one width and one height, each fixed, within a range, or following the page.",
		Hint:  "give one of width, width_range, width_mode and one of height, height_range, viewport_height_percent",
		Spec:  "AdCP canonical formats",
		In:    InStateful,
		Bad: `{"states": [{"state_id": "small", "anchoring": "inline", "close_affordance": false,
   "breakpoints": [{"breakpoint_id": "desktop", "width": 970, "width_mode": "full_bleed", "height": 250}]}]}`,
		Good: exampleStates,
	}, check: checkBreakpoints},
	{Rule: Rule{
		Code: "format.state_graph_supply_fluid", Severity: Error, Effect: SkipEntry,
		Title: "finished canvases for a size that is not fixed",
		Why: "With rendered_canvases the buyer supplies a picture for each breakpoint, which is impossible when its size " +
			"follows the page.",
		Hint: "use pixel sizes, or another supply_mode",
		Spec: "AdCP canonical formats",
		In:   InStateful,
		Bad: `{"supply_mode": "rendered_canvases",
 "states": [{"state_id": "small", "anchoring": "inline", "close_affordance": false,
   "breakpoints": [{"breakpoint_id": "desktop", "width_mode": "full_bleed", "height": 250}]}]}`,
		Good: `{"supply_mode": "rendered_canvases", "states": [` + exampleSmall + `]}`,
	}, check: onKind(formatkind.Stateful, func(r reporter, p *formatkind.Part) {
		if p.Text("supply_mode") == "rendered_canvases" {
			eachBreakpoint(p, func(b Value) { sayFluid(r, b) })
		}
	})},
	{Rule: Rule{
		Code: "format.state_graph_animation", Severity: Error, Effect: SkipEntry,
		Title: "motion and max_animation_s do not go together",
		Why:   "An animated state says how long it moves; a static one does not move at all.",
		Hint:  "give max_animation_s with motion animated, and only then",
		Spec:  "AdCP canonical formats",
		In:    InStateful,
		Bad: `{"states": [{"state_id": "small", "anchoring": "inline", "close_affordance": false, "motion": "animated",
   "breakpoints": [{"breakpoint_id": "desktop", "width": 970, "height": 250}]}]}`,
		Good: `{"states": [{"state_id": "small", "anchoring": "inline", "close_affordance": false, "motion": "animated", "max_animation_s": 15,
   "breakpoints": [{"breakpoint_id": "desktop", "width": 970, "height": 250}]}]}`,
	}, check: onKind(formatkind.Stateful, func(r reporter, p *formatkind.Part) {
		for _, state := range p.Params.Get("states").Elems() {
			sayAnimation(r, state)
		}
	})},
	{Rule: Rule{
		Code: "format.state_graph_overlay_not_dismissible", Severity: Error, Effect: SkipEntry,
		Title: "an overlay cannot be closed",
		Why:   "An ad that lies over the page must be closable, in that state or as a whole.",
		Hint:  "set close_affordance of the state, or dismissible, to true",
		Spec:  "AdCP canonical formats",
		In:    InFormat,
		Bad: `{"format_option_id": "skin", "format_kind": "seller_rendered_stateful_display", "params": {
 "states": [{"state_id": "small", "anchoring": "overlay", "close_affordance": false,
   "breakpoints": [{"breakpoint_id": "desktop", "width": 970, "height": 250}]}],
 "initial_state_id": "small", "user_controls": {"dismissible": false, "user_collapsible": false}}}`,
		Good: `{"format_option_id": "skin", "format_kind": "seller_rendered_stateful_display", "params": {
 "states": [{"state_id": "small", "anchoring": "overlay", "close_affordance": true,
   "breakpoints": [{"breakpoint_id": "desktop", "width": 970, "height": 250}]}],
 "initial_state_id": "small", "user_controls": {"dismissible": false, "user_collapsible": false}}}`,
	}, check: onKind(formatkind.Stateful, checkDismissible)},
	{Rule: Rule{
		Code: "format.state_graph_slot_unknown", Severity: Error, Effect: SkipEntry,
		Title: "a state shows a slot that does not exist",
		Why:   "The states are assembled from the slots of the format; one that is not listed cannot be filled.",
		Hint:  "list the slot, or remove it from slot_bindings",
		Spec:  "AdCP canonical formats",
		In:    InStateful,
		Bad: `{"slots": [{"asset_group_id": "logo", "asset_type": "image"}],
 "states": [{"state_id": "small", "anchoring": "inline", "close_affordance": false, "slot_bindings": ["logo", "headline"],
   "breakpoints": [{"breakpoint_id": "desktop", "width": 970, "height": 250}]}]}`,
		Good: `{"slots": [{"asset_group_id": "logo", "asset_type": "image"}],
 "states": [{"state_id": "small", "anchoring": "inline", "close_affordance": false, "slot_bindings": ["logo"],
   "breakpoints": [{"breakpoint_id": "desktop", "width": 970, "height": 250}]}]}`,
	}, check: onKind(formatkind.Stateful, checkSlotBindings)},
	{Rule: Rule{
		Code: "format.state_graph_slot_type", Severity: Error, Effect: SkipEntry,
		Title: "a stateful format asks for an asset type it cannot take",
		Why:   "The seller renders the ad, so the buyer supplies pictures, videos, texts, links and archives, never code.",
		Hint:  "use image, video, text, url, zip or pixel_tracker",
		Spec:  "AdCP canonical formats",
		In:    InStateful,
		Bad:   `{"slots": [{"asset_group_id": "content", "asset_type": "html"}], "states": [` + exampleSmall + `]}`,
		Good:  `{"slots": [{"asset_group_id": "content", "asset_type": "text"}], "states": [` + exampleSmall + `]}`,
	}, check: onKind(formatkind.Stateful, func(r reporter, p *formatkind.Part) {
		for _, slot := range p.Slots() {
			v := slot.Get("asset_type")
			if slices.Contains(model.AssetTypes, v.Str()) && !slices.Contains(stateAssetTypes, v.Str()) {
				r.say(v, "assets of type %s cannot be used in a stateful format", quote(v.Str()))
			}
		}
	})},
}

// stateAssetTypes are the asset types a stateful format takes.
var stateAssetTypes = []string{"image", "video", "text", "url", "zip", "pixel_tracker"}

// sayRepeatedID reports the rule for elements with the id of an earlier
// one.
func sayRepeatedID(r reporter, list Value, name string) {
	seen := make(map[string]bool)
	for _, e := range list.Elems() {
		v := e.Get(name)
		if !v.Is(String) {
			continue
		}
		if seen[v.Str()] {
			r.say(v, "%s %s is used twice", name, quote(v.Str()))
		}
		seen[v.Str()] = true
	}
}

// eachBreakpoint calls f for every breakpoint of every state.
func eachBreakpoint(p *formatkind.Part, f func(b Value)) {
	for _, state := range p.Params.Get("states").Elems() {
		for _, b := range state.Get("breakpoints").Elems() {
			f(b)
		}
	}
}

var (
	widthForms  = []string{"width", "width_range", "width_mode"}
	heightForms = []string{"height", "height_range", "viewport_height_percent"}
)

func checkBreakpoints(r reporter, x *formatkind.View) {
	sayParamFaults(r, x, formatkind.ClaimBreakpoint, anyFault)
	onKind(formatkind.Stateful, func(r reporter, p *formatkind.Part) {
		eachBreakpoint(p, func(b Value) {
			sayForms(r, b, widthForms)
			sayForms(r, b, heightForms)
			ratio := b.Get("canvas_aspect_ratio")
			if conform.FormFault(ratio.Str(), model.Aspect) != "" {
				return
			}
			if bad := formatkind.AspectFault(ratio.Str(), b); bad != "" {
				r.say(ratio, "canvas_aspect_ratio %s does not fit %s", quote(ratio.Str()), bad).withHint("correct one of the two")
			}
		})
	})(r, x)
}

// sayForms reports the rule when several of the forms are present.
func sayForms(r reporter, b Value, forms []string) {
	var present []string
	for _, name := range forms {
		if b.Has(name) {
			present = append(present, name)
		}
	}
	if len(present) > 1 {
		r.say(b, "the breakpoint has %s at once", strings.Join(present, " and ")).withHint("keep one of them")
	}
}

// sayFluid reports the rule for a breakpoint that follows the page.
func sayFluid(r reporter, b Value) {
	for _, name := range []string{"width_mode", "viewport_height_percent"} {
		if v := b.Get(name); v.Exists() {
			r.say(v, "%s has no fixed size, which rendered_canvases needs", name)
		}
	}
}

func sayAnimation(r reporter, state Value) {
	motion, limit := state.Get("motion"), state.Get("max_animation_s")
	switch {
	case motion.Str() == "animated" && !limit.Exists():
		r.missing(state, "max_animation_s", "an animated state needs max_animation_s")
	case limit.Exists() && (!motion.Exists() || motion.Str() == "static"):
		r.say(limit, "max_animation_s is for animated states, this one is static")
	}
}

func checkDismissible(r reporter, p *formatkind.Part) {
	dismissible := p.Params.Get("user_controls").Get("dismissible")
	if dismissible.Bool() || !dismissible.IsBool() {
		return
	}
	for _, state := range p.Params.Get("states").Elems() {
		v, affordance := state.Get("anchoring"), state.Get("close_affordance")
		over := v.Str() == "overlay" || v.Str() == "fullscreen_overlay"
		if over && affordance.IsBool() && !affordance.Bool() {
			r.say(v, "the state lies over the page as %s and cannot be closed", v.Str())
		}
	}
}

func checkSlotBindings(r reporter, p *formatkind.Part) {
	declared := formatkind.DefaultStateSlots
	if p.Params.Has("slots") {
		declared = make(map[string]struct{})
		for _, slot := range p.Slots() {
			declared[slot.Get("asset_group_id").Str()] = struct{}{}
		}
	}
	for _, state := range p.Params.Get("states").Elems() {
		for _, v := range state.Get("slot_bindings").Elems() {
			if _, ok := declared[v.Str()]; !ok && v.Is(String) {
				r.say(v, "the format has no slot %s", quote(v.Str()))
			}
		}
	}
}
