package model

// StateIDPattern is the form of state, breakpoint, transition and component ids.
const StateIDPattern = `^[a-z][a-z0-9_]*$`

// statefulDisplayParams are the params of kind seller_rendered_stateful_display.
func statefulDisplayParams() *ObjectType {
	return &ObjectType{
		Name: "StatefulDisplayParams",
		Doc:  "a display ad the seller renders, with states and changes between them",
		Fields: withBase([]Field{
			{Name: "supply_mode", Type: oneOf("components", "rendered_canvases", "layered_source"), Default: `"components"`,
				Doc: "What the buyer supplies: parts, finished pictures, or design files."},
			{Name: "states", Type: list(object(State), minItems(1)), Required: true,
				Doc: "The states the ad can be in; at least one."},
			{Name: "initial_state_id", Type: str(pattern(StateIDPattern)), Required: true, Doc: "The state shown first."},
			{Name: "reveal", Type: oneOf("none", "clip_window", "scroll_parallax"), Default: `"none"`,
				Doc: "How the ad comes into view while the page scrolls."},
			{Name: "transitions", Type: list(object(Transition), minItems(1)),
				Doc: "Changes between states; needed with several states, absent with one."},
			{Name: "clickthrough", Type: oneOf("required", "optional", "none"), Default: `"required"`,
				Doc: "Whether a landing page must, may or must not be supplied."},
			{Name: "user_controls", Type: object(UserControls), Required: true, Doc: "What the viewer can do with the ad."},
			{Name: "canvas_constraints", Type: list(object(CanvasConstraint)), Doc: "Areas of the artwork with special rules."},
			durationOpenRange,
			durationExact,
			aspectRatio,
			containers,
			{Name: "video_playback", Type: oneOf("none", "auto_muted", "user_initiated"), Doc: "How video in the ad starts."},
			{Name: "max_initial_load_kb", Go: "MaxInitialLoadKB", Type: positive(), Doc: "Most kilobytes loaded at the start."},
			{Name: "max_subload_kb", Go: "MaxSubloadKB", Type: positive(), Doc: "Most kilobytes loaded after the page is done."},
			{Name: "polite_load", Type: boolean(), Doc: "Whether everything but the start waits until the page is done."},
		}),
	}
}

// State is one appearance of a stateful ad.
var State = &ObjectType{
	Name: "State",
	Doc:  "one appearance of a stateful ad",
	Fields: []Field{
		{Name: "state_id", Go: "ID", Type: str(pattern(StateIDPattern)), Required: true,
			Doc: "Id of the state, unique within states."},
		{Name: "anchoring", Type: oneOf("inline", "sticky_top", "sticky_bottom", "overlay", "fullscreen_overlay", "underlay"),
			Required: true, Doc: "Where on the page the ad sits in this state."},
		{Name: "breakpoints", Type: list(object(Breakpoint), minItems(1)), Required: true,
			Doc: "Sizes of the canvas, one for each class of screen."},
		{Name: "close_affordance", Type: boolean(), Required: true, Doc: "Whether a close button is shown in this state."},
		{Name: "slot_bindings", Type: list(str(pattern(IDPattern)), unique),
			Doc: "The slots rendered in this state; all of them when absent."},
		{Name: "motion", Type: oneOf("static", "animated"), Default: `"static"`,
			Doc: "Whether the ad moves within this state."},
		{Name: "max_animation_s", Go: "MaxAnimationSeconds", Type: number(aboveZero),
			Doc: "Longest animation in seconds; needed with motion animated only."},
	},
}

// Breakpoint is the canvas of a state on one class of screen.
var Breakpoint = &ObjectType{
	Name: "Breakpoint",
	Doc:  "the canvas of a state on one class of screen",
	Fields: []Field{
		{Name: "breakpoint_id", Go: "ID", Type: str(pattern(StateIDPattern)), Required: true,
			Doc: "Id of the breakpoint, unique within the state."},
		{Name: "width", Type: positive(), Doc: "Width in pixels; one of width, width_range and width_mode."},
		{Name: "width_range", Type: pair(positive()),
			Doc: "Smallest and largest width in pixels; one of width, width_range and width_mode."},
		{Name: "width_mode", Type: oneOf("full_bleed", "gutter_residual"),
			Doc: "A width that follows the page; one of width, width_range and width_mode."},
		{Name: "height", Type: positive(), Doc: "Height in pixels; one of height, height_range and viewport_height_percent."},
		{Name: "height_range", Type: pair(positive()),
			Doc: "Smallest and largest height in pixels; one of height, height_range and viewport_height_percent."},
		{Name: "viewport_height_percent", Type: number(aboveZero, atMost(100)),
			Doc: "Height in percent of the window; one of height, height_range and viewport_height_percent."},
		{Name: "canvas_aspect_ratio", Type: formatted(Aspect), Doc: "Width to height the canvas keeps, for example 16:9."},
	},
	AnyOf: [][]string{{"width", "width_range", "width_mode"}, {"height", "height_range", "viewport_height_percent"}},
}

// Transition is a change from one state to another.
var Transition = &ObjectType{
	Name: "Transition",
	Doc:  "a change from one state to another and its cause",
	Fields: []Field{
		{Name: "transition_id", Go: "ID", Type: str(pattern(StateIDPattern)), Required: true,
			Doc: "Id of the transition, unique within transitions."},
		{Name: "from_state_id", Type: str(pattern(StateIDPattern)), Required: true, Doc: "The state that is left."},
		{Name: "to_state_id", Type: str(pattern(StateIDPattern)), Required: true,
			Doc: "The state that is entered; not the one that is left."},
		{Name: "trigger", Type: oneOf("timer", "in_view_timer", "scroll_threshold", "scroll_progress", "user_action",
			"media_event"), Required: true, Doc: "What causes the change; decides which members below are needed."},
		{Name: "transition_mode", Go: "Mode", Type: oneOf("instant", "animated", "scroll_linked"), Required: true,
			Doc: "How the change looks; scroll_linked goes with trigger scroll_progress only."},
		{Name: "input", Type: oneOf("tap", "hover", "swipe_up", "swipe_down", "swipe_left", "swipe_right", "scroll",
			"expand_control", "collapse_control"), Doc: "With a user or scroll trigger: what the viewer does."},
		{Name: "media_event", Type: oneOf("video_start", "video_complete"),
			Doc: "With trigger media_event: the moment in the video."},
		{Name: "direction", Type: oneOf("down", "up"), Default: `"down"`,
			Doc: "With trigger scroll_threshold: the direction of scrolling that counts."},
		{Name: "delay_ms", Go: "DelayMS", Type: count(),
			Doc: "With a timer trigger: milliseconds until the change; at least 1000 within a cycle."},
		{Name: "duration_ms", Go: "DurationMS", Type: count(), Doc: "Length of an animated change in milliseconds."},
		{Name: "scroll_threshold_percent", Type: number(atLeast(0), atMost(100)),
			Doc: "With trigger scroll_threshold: the scroll position in percent."},
		{Name: "scroll_reference", Type: oneOf("document_progress", "containing_scroller_progress"),
			Doc: "With a scroll trigger: what the percentages are measured on."},
		{Name: "scroll_start_percent", Type: number(atLeast(0), atMost(100)),
			Doc: "With trigger scroll_progress: where the change begins."},
		{Name: "scroll_end_percent", Type: number(atLeast(0), atMost(100)),
			Doc: "With trigger scroll_progress: where the change is complete; above scroll_start_percent."},
		{Name: "preserve_playback", Type: boolean(), Default: "false",
			Doc: "Whether a running video goes on through the change."},
	},
}

// UserControls says what a viewer can do with a stateful ad.
var UserControls = &ObjectType{
	Name: "UserControls",
	Doc:  "what a viewer can do with a stateful ad",
	Fields: []Field{
		{Name: "dismissible", Type: boolean(), Required: true, Doc: "Whether the viewer can close the ad."},
		{Name: "user_collapsible", Type: boolean(), Required: true, Doc: "Whether the viewer can make the ad smaller."},
	},
}

// CanvasConstraint is a rule for an area of the artwork.
var CanvasConstraint = &ObjectType{
	Name: "CanvasConstraint",
	Doc:  "a rule for an area of the artwork",
	Fields: []Field{
		{Name: "constraint", Type: oneOf("safe_area", "reserved_region", "decoration_only_edge", "no_text_or_logos"),
			Required: true, Doc: "The rule for the area."},
		{Name: "region", Type: object(CanvasRegion), Required: true, Doc: "The area."},
		{Name: "state_id", Type: str(pattern(StateIDPattern)), Doc: "Limits the rule to one state."},
		{Name: "breakpoint_id", Type: str(pattern(StateIDPattern)),
			Doc: "Limits the rule to one breakpoint of the state; needs state_id."},
	},
}

// CanvasRegion is a rectangle on a canvas.
var CanvasRegion = &ObjectType{
	Name: "CanvasRegion",
	Doc:  "a rectangle on a canvas",
	Fields: []Field{
		{Name: "x", Type: number(atLeast(0)), Required: true, Doc: "Distance from the left edge."},
		{Name: "y", Type: number(atLeast(0)), Required: true, Doc: "Distance from the top edge."},
		{Name: "width", Type: number(aboveZero), Required: true, Doc: "Width of the rectangle."},
		{Name: "height", Type: number(aboveZero), Required: true, Doc: "Height of the rectangle."},
		{Name: "unit", Type: oneOf("px", "percent"), Default: `"px"`,
			Doc: "Unit of the numbers; with percent the rectangle ends at 100."},
	},
}
