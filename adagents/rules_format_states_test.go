package adagents

import (
	"fmt"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/format/formatkind"
)

// statefulFormat writes a stateful format from the members of its params.
func statefulFormat(members string) string {
	return declaration(formatkind.Stateful, `{"initial_state_id": "a", "user_controls": {"dismissible": true, "user_collapsible": true}, `+members+`}`)
}

// testState writes a state with an id and more members.
func testState(id, more string) string {
	return fmt.Sprintf(`{"state_id": %q, "anchoring": "inline", "close_affordance": false, "breakpoints": [{"breakpoint_id": "d", "width": 100, "height": 50}]%s}`, id, more)
}

// testTransition writes a transition; the rest begins with the trigger.
func testTransition(id, from, to, rest string) string {
	return fmt.Sprintf(`{"transition_id": %q, "from_state_id": %q, "to_state_id": %q, %s}`, id, from, to, rest)
}

const testTap = `"trigger": "user_action", "input": "tap", "transition_mode": "instant"`

// TestFormatStates covers the states of a stateful format.
func TestFormatStates(t *testing.T) {
	t.Parallel()
	breakpoint := func(members string) string {
		return `"states": [{"state_id": "a", "anchoring": "inline", "close_affordance": false, "breakpoints": [{"breakpoint_id": "d", ` + members + `}]}]`
	}
	for _, tt := range []struct {
		members string
		want    []string
	}{
		{`"reveal": "none"`, []string{"error format.state_graph_invalid /0/params/states"}},
		{`"states": []`, []string{"error format.state_graph_invalid /0/params/states"}},
		{`"states": {}`, []string{"error format.state_graph_invalid /0/params/states"}},
		{`"states": ["a"]`, []string{"error format.state_graph_invalid /0/params/states/0"}},
		{`"states": [` + testState("A", "") + `]`, []string{
			"error format.state_graph_initial_unknown /0/params/initial_state_id",
			"error format.state_graph_invalid /0/params/states/0/state_id",
		}},
		{`"reveal": "sideways", "states": [` + testState("a", "") + `]`, []string{"error format.param_enum /0/params/reveal"}},
		{breakpoint(`"height": 5`), []string{"error format.state_graph_breakpoint_invalid /0/params/states/0/breakpoints/0/width"}},
		{breakpoint(`"width": 5`), []string{"error format.state_graph_breakpoint_invalid /0/params/states/0/breakpoints/0/height"}},
		{breakpoint(`"width": 5, "height": 5, "height_range": [1, 2]`), []string{"error format.state_graph_breakpoint_invalid /0/params/states/0/breakpoints/0"}},
		{breakpoint(`"width": 5, "viewport_height_percent": 0`), []string{"error format.state_graph_invalid /0/params/states/0/breakpoints/0/viewport_height_percent"}},
		{breakpoint(`"width_range": [5, 4], "height_range": [5, 4]`), []string{
			"error format.range_inverted /0/params/states/0/breakpoints/0/height_range",
			"error format.range_inverted /0/params/states/0/breakpoints/0/width_range",
		}},
		{breakpoint(`"width": 500, "height": 100, "canvas_aspect_ratio": "4:1"`), []string{"error format.state_graph_breakpoint_invalid /0/params/states/0/breakpoints/0/canvas_aspect_ratio"}},
		{breakpoint(`"width": 400, "height": 100, "canvas_aspect_ratio": "4:1"`), nil},
		{breakpoint(`"width": 400, "viewport_height_percent": 50`) + `, "supply_mode": "rendered_canvases"`, []string{
			"error format.state_graph_supply_fluid /0/params/states/0/breakpoints/0/viewport_height_percent",
		}},
		{`"states": [` + testState("a", `, "max_animation_s": 1`) + `]`, []string{"error format.state_graph_animation /0/params/states/0/max_animation_s"}},
		{`"states": [` + testState("a", `, "max_animation_s": 1, "motion": "static"`) + `]`, []string{"error format.state_graph_animation /0/params/states/0/max_animation_s"}},
		{`"states": [` + testState("a", `, "slot_bindings": ["logo", "mascot"]`) + `]`, []string{"error format.state_graph_slot_unknown /0/params/states/0/slot_bindings/1"}},
		{`"slots": [{"asset_group_id": "logo", "asset_type": "vast"}], "states": [` + testState("a", "") + `]`, []string{"error format.state_graph_slot_type /0/params/slots/0/asset_type"}},
		{`"canvas_constraints": [{"constraint": "safe_area", "region": {"x": 0, "y": 0, "width": 101, "height": 1, "unit": "percent"}, "breakpoint_id": "d"}], "states": [` + testState("a", "") + `]`, []string{
			"error format.state_graph_canvas_invalid /0/params/canvas_constraints/0/region/width",
			"error format.state_graph_canvas_invalid /0/params/canvas_constraints/0/state_id",
		}},
		{`"canvas_constraints": [{"constraint": "safe_area", "region": {"x": 0, "y": 0, "width": 1, "height": 1}, "state_id": "b"},
			{"constraint": "safe_area", "region": {"x": 0, "y": 0, "width": 0, "height": 1}, "state_id": "a", "breakpoint_id": "e"}], "states": [` + testState("a", "") + `]`, []string{
			"error format.state_graph_canvas_invalid /0/params/canvas_constraints/0/state_id",
			"error format.state_graph_canvas_invalid /0/params/canvas_constraints/1/breakpoint_id",
			"error format.state_graph_invalid /0/params/canvas_constraints/1/region/width",
		}},
	} {
		checkFormatLines(t, Options{}, statefulFormat(tt.members), tt.want)
	}
}

// TestFormatTransitions covers triggers and the graph they form.
func TestFormatTransitions(t *testing.T) {
	t.Parallel()
	const at = " /0/params/transitions/"
	for _, tt := range []struct {
		states      string
		transitions []string
		want        []string
	}{
		{"ab", []string{testTransition("t", "a", "b", `"trigger": "timer", "delay_ms": 1, "transition_mode": "instant"`)}, nil},
		{"ab", []string{testTransition("t", "a", "b", `"trigger": "timer", "delay_ms": 1, "input": "tap", "transition_mode": "scroll_linked"`)}, []string{
			"error format.state_graph_trigger_members" + at + "0/input", "error format.state_graph_trigger_members" + at + "0/transition_mode",
		}},
		{"ab", []string{testTransition("t", "a", "b", `"trigger": "scroll_threshold", "input": "tap", "scroll_reference": "document_progress", "transition_mode": "instant"`)}, []string{
			"error format.state_graph_trigger_members" + at + "0/input", "error format.state_graph_trigger_members" + at + "0/scroll_threshold_percent",
		}},
		{"ab", []string{testTransition("t", "a", "b", `"trigger": "scroll_progress", "input": "scroll", "scroll_reference": "document_progress", "scroll_start_percent": 5, "scroll_end_percent": 5, "transition_mode": "scroll_linked"`)}, []string{
			"error format.state_graph_scroll_order" + at + "0/scroll_end_percent",
		}},
		{"ab", []string{testTransition("t", "a", "b", `"trigger": "scroll_progress", "input": "scroll", "scroll_reference": "document_progress", "scroll_start_percent": 5, "scroll_end_percent": 6, "transition_mode": "instant"`)}, []string{
			"error format.state_graph_trigger_members" + at + "0/transition_mode",
		}},
		{"ab", []string{testTransition("t", "a", "b", `"trigger": "media_event", "transition_mode": "instant"`)}, []string{"error format.state_graph_trigger_members" + at + "0/media_event"}},
		{"ab", []string{testTransition("t", "a", "b", `"trigger": "wish", "transition_mode": "instant"`)}, []string{"error format.state_graph_invalid" + at + "0/trigger"}},
		{"ab", []string{testTransition("t", "a", "b", testTap), testTransition("u", "c", "d", testTap)}, []string{
			"error format.state_graph_transition_unknown" + at + "1/from_state_id", "error format.state_graph_transition_unknown" + at + "1/to_state_id",
		}},
		{"ab", []string{testTransition("t", "a", "C", testTap)}, []string{"error format.state_graph_invalid" + at + "0/to_state_id"}},
		{"abc", []string{testTransition("t", "a", "b", testTap)}, []string{"error format.state_graph_unreachable /0/params/states/2/state_id"}},
		{"ab", []string{
			testTransition("t", "a", "b", `"trigger": "timer", "delay_ms": 5000, "transition_mode": "instant"`),
			testTransition("u", "a", "b", `"trigger": "timer", "delay_ms": 9000, "transition_mode": "instant"`),
		}, []string{"error format.state_graph_exit_ambiguous" + at + "1"}},
		{"ab", []string{
			testTransition("t", "a", "b", `"trigger": "media_event", "media_event": "video_start", "transition_mode": "instant"`),
			testTransition("u", "a", "b", `"trigger": "media_event", "media_event": "video_complete", "transition_mode": "instant"`),
		}, nil},
		{"ab", []string{
			testTransition("t", "a", "b", testTap),
			testTransition("u", "b", "a", `"trigger": "in_view_timer", "delay_ms": 999, "transition_mode": "instant"`),
		}, []string{"error format.state_graph_timer_cycle" + at + "1/delay_ms"}},
		{"ab", nil, []string{"error format.state_graph_invalid /0/params/transitions"}},
		{"a", []string{testTransition("t", "a", "a", testTap)}, []string{"error format.state_graph_single_state_transitions /0/params/transitions"}},
	} {
		var states []string
		for _, id := range strings.Split(tt.states, "") {
			states = append(states, testState(id, ""))
		}
		members := `"states": [` + strings.Join(states, ",") + `], "transitions": [` + strings.Join(tt.transitions, ",") + `]`
		checkFormatLines(t, Options{}, statefulFormat(members), tt.want)
	}
}

// TestStateGraphLong checks that a long chain costs no more than its length.
func TestStateGraphLong(t *testing.T) {
	t.Parallel()
	const n = 20000
	states, transitions := make([]string, n), make([]string, n)
	for i := range n {
		states[i] = testState(fmt.Sprintf("a%d", i), "")
		transitions[i] = testTransition(fmt.Sprintf("t%d", i), fmt.Sprintf("a%d", i), fmt.Sprintf("a%d", (i+1)%n), `"trigger": "timer", "delay_ms": 10, "transition_mode": "instant"`)
	}
	format := statefulFormat(`"states": [` + strings.Join(states, ",") + `], "transitions": [` + strings.Join(transitions, ",") + `]`)
	format = strings.Replace(format, `"initial_state_id": "a"`, `"initial_state_id": "a0"`, 1)
	if got := formatFindings(Options{MaxFindings: n}, format); len(got) != n {
		t.Errorf("%d findings, want one for each of %d timers", len(got), n)
	}
}

// TestFormatComponents covers coordinated formats and the formats inside them.
func TestFormatComponents(t *testing.T) {
	t.Parallel()
	const at = "/0/params/components"
	second := func(rest string) string {
		return `{"component_id": "b", "placement_ref": {"placement_id": "q"}, "required": false, ` + rest + `}`
	}
	for _, tt := range []struct {
		second string
		want   []string
	}{
		{second(`"format_kind": "image", "params": {"width": "1", "height": 1, "widht": 2}`), []string{
			"error format.param_type " + at + "/1/params/width", "warning format.param_unknown " + at + "/1/params/widht",
		}},
		{second(`"format_kind": "image", "params": {"width": 1}`), []string{"error format.size_mode_conflict " + at + "/1/params/height"}},
		{second(`"format_kind": "seller_rendered_stateful_display", "params": {}`), []string{
			"error format.state_graph_invalid " + at + "/1/params/initial_state_id",
			"error format.state_graph_invalid " + at + "/1/params/states",
			"error format.state_graph_invalid " + at + "/1/params/user_controls",
		}},
		{second(`"format_kind": "coordinated_placements", "params": {}`), []string{"error format.component_kind_invalid " + at + "/1/format_kind"}},
		{second(`"format_kind": "html", "params": {}`), []string{"error format.component_kind_invalid " + at + "/1/format_kind"}},
		{second(`"sequence": 2, "format_kind": "html5", "params": {}`), []string{"error format.component_sequence_gap " + at}},
		{second(`"sequence": 0, "format_kind": "html5", "params": {}`), []string{"error format.component_invalid " + at + "/1/sequence"}},
		{second(`"serving_policy": "any", "format_kind": "html5", "params": {}`), []string{"error format.component_invalid " + at + "/1/serving_policy"}},
		{second(`"sequence": 1`), []string{"error format.component_format_choice " + at + "/1/format_kind"}},
		{second(`"params": {}`), []string{"error format.component_format_choice " + at + "/1/format_kind"}},
		{second(`"format_kind": "image", "params": {}, "format_option_ref": {"scope": "product", "format_option_id": "x"}`), []string{"error format.component_format_choice " + at + "/1"}},
		{second(`"format_option_ref": {"scope": "product", "publisher_domain": "example.com", "format_option_id": "x"}`), []string{"error format.component_invalid " + at + "/1/format_option_ref/publisher_domain"}},
		{second(`"format_option_ref": {"scope": "publisher", "format_option_id": "x"}`), []string{"error format.component_invalid " + at + "/1/format_option_ref/publisher_domain"}},
		{second(`"format_option_ref": {"scope": "publisher", "publisher_domain": "example.com", "format_option_id": "f"}`), []string{"error format.component_kind_invalid " + at + "/1/format_option_ref/format_option_id"}},
		{second(`"format_option_ref": {"scope": "publisher", "publisher_domain": "example.org", "format_option_id": "f"}`), nil},
		{second(`"format_kind": "image", "params": {}, "canvas_constraints": [{"constraint": "safe_area", "region": {"x": 0, "y": 0, "width": 1, "height": 1}, "breakpoint_id": "x"}]`), []string{
			"error format.component_canvas_invalid " + at + "/1/canvas_constraints/0/state_id",
		}},
		{`"b"`, []string{"error format.component_invalid " + at + "/1"}},
		{`{"component_id": "b", "required": "yes", "placement_ref": {}, "format_kind": "image", "params": {}}`, []string{
			"error format.component_invalid " + at + "/1/placement_ref/placement_id", "error format.component_invalid " + at + "/1/required",
		}},
	} {
		first := `{"component_id": "a", "placement_ref": {"placement_id": "p"}, "required": true, "format_kind": "image", "params": {}}`
		checkFormatLines(t, Options{Domain: "example.com"}, declaration(formatkind.Coordinated, `{"components": [`+first+`, `+tt.second+`]}`), tt.want)
	}
	checkFormatLines(t, Options{}, declaration(formatkind.Coordinated, `{}`), []string{"error format.component_invalid /0/params/components"})
	checkFormatLines(t, Options{}, declaration(formatkind.Coordinated, strings.TrimSuffix(exampleComponents, "}")+
		`, "shared_slots": [{"asset_group_id": "logo", "asset_type": "image", "min": 3, "max": 2, "consumed_by": ["top"]}]}`), []string{
		"error format.slot_min_gt_max /0/params/shared_slots/0/max",
	})
}
