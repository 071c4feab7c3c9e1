package adagents

import (
	"slices"

	"github.com/avow-project/avow/internal/format/formatkind"
)

// formatGraphRules are about the transitions of a stateful format.
var formatGraphRules = []rule[*formatkind.View]{
	{Rule: Rule{
		Code: "format.state_graph_single_state_transitions", Severity: Error, Effect: SkipEntry,
		Title: "transitions with a single state",
		Why:   "There is no other state to change to. Use reveal to say how a single state comes into view.",
		Hint:  "remove transitions, or add the states they lead to",
		Spec:  "AdCP canonical formats",
		In:    InStateful,
		Bad: `{"states": [` + exampleSmall + `],
 "transitions": [` + exampleExpand + `]}`,
		Good: exampleStates,
	}, check: onKind(formatkind.Stateful, func(r reporter, p *formatkind.Part) {
		if v := p.Params.Get("transitions"); v.Len() > 0 && p.Params.Get("states").Len() == 1 {
			r.say(v, "the format has one state and %s", counted(v.Len(), "transition"))
		}
	})},
	{Rule: Rule{
		Code: "format.state_graph_transitions_missing", Severity: Error, Effect: SkipEntry,
		Title: "several states without transitions",
		Why:   "Without transitions only the initial state is ever shown.",
		Hint:  "add transitions between the states, or keep one state",
		Spec:  "AdCP canonical formats",
		In:    InStateful,
		Bad:   `{"states": [` + exampleSmall + `, ` + exampleLarge + `]}`,
		Good: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [` + exampleExpand + `]}`,
	}, check: onKind(formatkind.Stateful, func(r reporter, p *formatkind.Part) {
		if n := p.Params.Get("states").Len(); n > 1 && !p.Params.Has("transitions") {
			r.missing(p.Params, "transitions", "the format has %d states and no transitions", n)
		}
	})},
	{Rule: Rule{
		Code: "format.state_graph_transition_duplicate", Severity: Error, Effect: SkipEntry,
		Title: "two transitions have the same transition_id",
		Why:   "Previews and reports name a transition by its id.",
		Hint:  "give each transition its own transition_id",
		Spec:  "AdCP canonical formats",
		In:    InStateful,
		Bad: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [` + exampleExpand + `,
  {"transition_id": "expand", "from_state_id": "large", "to_state_id": "small", "trigger": "user_action", "input": "tap", "transition_mode": "instant"}]}`,
		Good: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [` + exampleExpand + `,
  {"transition_id": "collapse", "from_state_id": "large", "to_state_id": "small", "trigger": "user_action", "input": "tap", "transition_mode": "instant"}]}`,
	}, check: onKind(formatkind.Stateful, func(r reporter, p *formatkind.Part) {
		sayRepeatedID(r, p.Params.Get("transitions"), "transition_id")
	})},
	{Rule: Rule{
		Code: "format.state_graph_transition_unknown", Severity: Error, Effect: SkipEntry,
		Title: "a transition names a state that does not exist",
		Why:   "A change from or to an unknown state cannot be carried out.",
		Hint:  "name two of the states",
		Spec:  "AdCP canonical formats",
		In:    InStateful,
		Bad: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [` + exampleExpand + `,
  {"transition_id": "close", "from_state_id": "large", "to_state_id": "closed", "trigger": "user_action", "input": "tap", "transition_mode": "instant"}]}`,
		Good: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [` + exampleExpand + `]}`,
	}, check: onKind(formatkind.Stateful, checkTransitionEnds)},
	{Rule: Rule{
		Code: "format.state_graph_transition_self", Severity: Error, Effect: SkipEntry,
		Title: "a transition leads back to where it starts",
		Why:   "A transition changes the state; one to the same state changes nothing.",
		Hint:  "name two different states",
		Spec:  "AdCP canonical formats",
		In:    InStateful,
		Bad: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [` + exampleExpand + `,
  {"transition_id": "stay", "from_state_id": "large", "to_state_id": "large", "trigger": "user_action", "input": "tap", "transition_mode": "instant"}]}`,
		Good: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [` + exampleExpand + `]}`,
	}, check: onKind(formatkind.Stateful, func(r reporter, p *formatkind.Part) {
		for _, t := range p.Params.Get("transitions").Elems() {
			from, to := t.Get("from_state_id").Str(), t.Get("to_state_id")
			if from != "" && from == to.Str() && len(p.Graph().IDs) > 1 {
				r.say(to, "the transition starts and ends at %s", quote(from))
			}
		}
	})},
	{Rule: Rule{
		Code: "format.state_graph_trigger_members", Severity: Error, Effect: SkipEntry,
		Title: "a transition's members do not fit its trigger",
		Why: "Each trigger has its own conditions: a timer its delay, a scroll trigger its position. Others would be " +
			"ignored or contradict it.",
		Hint: "give the members of the trigger and no others",
		Spec: "AdCP canonical formats",
		In:   InStateful,
		Bad: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [{"transition_id": "expand", "from_state_id": "small", "to_state_id": "large",
   "trigger": "timer", "transition_mode": "instant"}]}`,
		Good: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [{"transition_id": "expand", "from_state_id": "small", "to_state_id": "large",
   "trigger": "timer", "delay_ms": 3000, "transition_mode": "instant"}]}`,
	}, check: onKind(formatkind.Stateful, func(r reporter, p *formatkind.Part) {
		for _, t := range p.Params.Get("transitions").Elems() {
			sayTrigger(r, t)
		}
	})},
	{Rule: Rule{
		Code: "format.state_graph_scroll_order", Severity: Error, Effect: SkipEntry,
		Title: "a scroll transition ends before it begins",
		Why:   "The change runs from the start position to the end position, so the end is the greater one.",
		Hint:  "make scroll_end_percent greater than scroll_start_percent",
		Spec:  "AdCP canonical formats",
		In:    InStateful,
		Bad: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [{"transition_id": "expand", "from_state_id": "small", "to_state_id": "large",
   "trigger": "scroll_progress", "input": "scroll", "scroll_reference": "document_progress",
   "scroll_start_percent": 60, "scroll_end_percent": 20, "transition_mode": "scroll_linked"}]}`,
		Good: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [{"transition_id": "expand", "from_state_id": "small", "to_state_id": "large",
   "trigger": "scroll_progress", "input": "scroll", "scroll_reference": "document_progress",
   "scroll_start_percent": 20, "scroll_end_percent": 60, "transition_mode": "scroll_linked"}]}`,
	}, check: onKind(formatkind.Stateful, func(r reporter, p *formatkind.Part) {
		for _, t := range p.Params.Get("transitions").Elems() {
			start, ok1 := t.Get("scroll_start_percent").Float()
			end, ok2 := t.Get("scroll_end_percent").Float()
			if ok1 && ok2 && start >= end {
				r.say(t.Get("scroll_end_percent"), "the change starts at %v %% and ends at %v %%", start, end)
			}
		}
	})},
	{Rule: Rule{
		Code: "format.state_graph_exit_ambiguous", Severity: Error, Effect: SkipEntry,
		Title: "two transitions leave a state for the same cause",
		Why:   "When the cause occurs, it is unclear which of the two happens.",
		Hint:  "remove one of them, or give it another trigger",
		Spec:  "AdCP canonical formats",
		In:    InStateful,
		Bad: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [` + exampleExpand + `,
  {"transition_id": "grow", "from_state_id": "small", "to_state_id": "large", "trigger": "user_action", "input": "tap", "transition_mode": "animated"}]}`,
		Good: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [` + exampleExpand + `,
  {"transition_id": "grow", "from_state_id": "small", "to_state_id": "large", "trigger": "user_action", "input": "swipe_up", "transition_mode": "animated"}]}`,
	}, check: onKind(formatkind.Stateful, checkExits)},
	{Rule: Rule{
		Code: "format.state_graph_unreachable", Severity: Error, Effect: SkipEntry,
		Title: "a state can never be reached",
		Why:   "No chain of transitions leads from the initial state to it, so it is never shown.",
		Hint:  "add a transition to the state, or remove it",
		Spec:  "AdCP canonical formats",
		In:    InStateful,
		Bad: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [{"transition_id": "collapse", "from_state_id": "large", "to_state_id": "small",
   "trigger": "user_action", "input": "tap", "transition_mode": "instant"}]}`,
		Good: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [` + exampleExpand + `]}`,
	}, check: onKind(formatkind.Stateful, checkReachable)},
	{Rule: Rule{
		Code: "format.state_graph_timer_cycle", Severity: Error, Effect: SkipEntry,
		Title: "states change in a circle too fast",
		Why:   "A timer within a cycle fires again and again. Below one second the ad flickers.",
		Hint:  "give timers within a cycle a delay_ms of 1000 or more",
		Spec:  "AdCP canonical formats",
		In:    InStateful,
		Bad: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [` + exampleExpand + `,
  {"transition_id": "collapse", "from_state_id": "large", "to_state_id": "small", "trigger": "timer", "delay_ms": 200, "transition_mode": "instant"}]}`,
		Good: `{"states": [` + exampleSmall + `, ` + exampleLarge + `],
 "transitions": [` + exampleExpand + `,
  {"transition_id": "collapse", "from_state_id": "large", "to_state_id": "small", "trigger": "timer", "delay_ms": 2000, "transition_mode": "instant"}]}`,
	}, check: onKind(formatkind.Stateful, checkTimerCycles)},
}

// checkTransitionEnds is silent about a format with one state: that it has
// transitions at all is the fault then.
func checkTransitionEnds(r reporter, p *formatkind.Part) {
	g := p.Graph()
	if !g.Sound || len(g.IDs) < 2 {
		return
	}
	for _, t := range p.Params.Get("transitions").Elems() {
		for _, name := range []string{"from_state_id", "to_state_id"} {
			v := t.Get(name)
			if _, ok := g.States[v.Str()]; !ok && isStateID(v) {
				r.say(v, "no state has the id %s", quote(v.Str()))
			}
		}
	}
}

// triggerForm says which members a trigger needs and which it excludes.
type triggerForm struct {
	needs, excludes []string
	linked          bool // the mode is scroll_linked, and only here
}

var triggerForms = map[string]triggerForm{
	"timer":         {needs: []string{"delay_ms"}, excludes: slices.Concat(inputMembers, scrollMembers)},
	"in_view_timer": {needs: []string{"delay_ms"}, excludes: slices.Concat(inputMembers, scrollMembers)},
	"scroll_threshold": {
		needs:    []string{"input", "scroll_reference", "scroll_threshold_percent"},
		excludes: []string{"delay_ms", "media_event", "scroll_start_percent", "scroll_end_percent"},
	},
	"scroll_progress": {
		needs:    []string{"input", "scroll_reference", "scroll_start_percent", "scroll_end_percent"},
		excludes: []string{"delay_ms", "media_event", "scroll_threshold_percent", "direction"},
		linked:   true,
	},
	"user_action": {needs: []string{"input"},
		excludes: slices.Concat([]string{"delay_ms", "media_event", "direction"}, scrollMembers)},
	"media_event": {needs: []string{"media_event"},
		excludes: slices.Concat([]string{"delay_ms", "input", "direction"}, scrollMembers)},
}

var (
	inputMembers  = []string{"input", "media_event"}
	scrollMembers = []string{"scroll_reference", "scroll_threshold_percent", "scroll_start_percent", "scroll_end_percent"}
)

// sayTrigger reports the rule for members that do not fit the trigger.
func sayTrigger(r reporter, t Value) {
	trigger := t.Get("trigger").Str()
	form, ok := triggerForms[trigger]
	if !ok {
		return
	}
	for _, name := range form.needs {
		if !t.Has(name) {
			r.missing(t, name, "trigger %s needs %s", trigger, name)
		}
	}
	for _, name := range form.excludes {
		if v := t.Get(name); v.Exists() {
			r.say(v, "%s does not go with trigger %s", name, trigger).withHint("remove %s", name)
		}
	}
	sayScroll(r, t, trigger, form)
}

// sayScroll reports the rule for the input and mode of scrolling.
func sayScroll(r reporter, t Value, trigger string, form triggerForm) {
	input, mode := t.Get("input"), t.Get("transition_mode")
	scrolls := slices.Contains(form.needs, "scroll_reference")
	if scrolls && input.Is(String) && input.Str() != "scroll" {
		r.say(input, "trigger %s needs input scroll", trigger).withHint("set input to scroll")
	}
	if mode.Is(String) && (mode.Str() == "scroll_linked") != form.linked {
		r.say(mode, "transition_mode %s does not go with trigger %s", quote(mode.Str()),
			trigger).withHint("scroll_linked goes with scroll_progress and with nothing else")
	}
}

// checkExits compares the causes of the transitions that leave a state.
func checkExits(r reporter, p *formatkind.Part) {
	type cause struct{ from, trigger, detail string }
	seen := make(map[cause]bool)
	for _, t := range p.Params.Get("transitions").Elems() {
		k := cause{t.Get("from_state_id").Str(), t.Get("trigger").Str(), ""}
		switch k.trigger {
		case "":
			continue
		case "user_action":
			k.detail = t.Get("input").Str()
		case "media_event":
			k.detail = t.Get("media_event").Str()
		case "scroll_threshold":
			k.detail = t.Get("direction").Str()
			if k.detail == "" {
				k.detail = "down"
			}
		}
		if seen[k] {
			r.say(t, "another transition leaves %s by %s", quote(k.from), causeText(k.trigger, k.detail))
		}
		seen[k] = true
	}
}

func causeText(trigger, detail string) string {
	if detail == "" {
		return trigger
	}
	return trigger + " " + detail
}

// checkReachable is silent when a fault elsewhere explains the gap.
func checkReachable(r reporter, p *formatkind.Part) {
	g := p.Graph()
	start, ok := g.States[p.Text("initial_state_id")]
	if !ok || !g.Sound || g.Broken || len(g.IDs) < 2 || p.Params.Get("transitions").Len() == 0 {
		return
	}
	seen := g.Reach(start)
	for _, state := range p.Params.Get("states").Elems() {
		v := state.Get("state_id")
		if !seen[g.States[v.Str()]] {
			r.say(v, "no transition leads to the state %s", quote(v.Str()))
		}
	}
}

func checkTimerCycles(r reporter, p *formatkind.Part) {
	const floor = 1000
	g := p.Graph()
	var component []int
	for _, e := range g.Edges {
		trigger := e.Raw.Get("trigger").Str()
		ms, ok := e.Raw.Get("delay_ms").Float()
		if !ok || ms >= floor || trigger != "timer" && trigger != "in_view_timer" {
			continue
		}
		if component == nil {
			component = g.Cycles()
		}
		if component[e.From] == component[e.To] {
			r.say(e.Raw.Get("delay_ms"), "the timer of %v ms is part of a cycle, which needs %d ms", ms, floor)
		}
	}
}
