package adagents

import (
	"slices"

	"github.com/avow-project/avow/internal/model"
)

// formatIndex holds what the rules about formats need to know of the formats
// they have seen before, and the declaration at hand.
type formatIndex struct {
	view    *formatView
	texts   map[string]string // by format_option_id: canonical text of its first declaration
	digests map[string]string // by platform extension URI: the digest first seen
	asked   bool              // the members a registry needs were asked for
}

// formatView is what the rules need of a format declaration, wherever it
// stands: in formats, or in place among a placement's format options.
type formatView struct {
	raw   Value
	kind  string // blank when absent or not a string
	parts []*formatPart
}

// formatPart is one params object together with the kind it belongs to. A
// declaration has one, and one more for each component that declares its
// format in place.
type formatPart struct {
	kind   string
	params Value
	table  *model.ObjectType
	faults []paramFault
	crowds map[crowd][2]int // number and last index of faults, once there are many
	kinds  map[Value]bool   // format_kind values of components, once needed
	graph  *stateGraph      // once needed
}

// paramFault is a problem within a member of params, and who reports it.
type paramFault struct {
	problem
	name  string // member of params; of several levels the outermost
	inner bool   // the problem is deeper than the member itself
	whole bool   // the message needs no name in front of it
	claim claim
	more  uint32 // further faults of the kind that are counted only
}

// A claim says which family of rules reports a fault in params.
type claim uint8

const (
	claimParam claim = iota
	claimSlot
	claimState
	claimBreakpoint
	claimComponent
	claimComponentFormat
	claimComponentKind
	claimExperience
)

// The two kinds whose params have rules of their own.
const (
	statefulKind    = "seller_rendered_stateful_display"
	coordinatedKind = "coordinated_placements"
	customKind      = "custom"
)

// formatView returns the view of a declaration. Every rule asks for the same
// one in turn, so the last is kept: building it compares all params with
// their tables.
func (c *content) formatView(raw Value) *formatView {
	x := &c.index.format
	if x.view == nil || x.view.raw != raw {
		x.view = newFormatView(raw)
	}
	return x.view
}

func newFormatView(raw Value) *formatView {
	v := &formatView{raw: raw}
	v.kind = raw.Get("format_kind").Str()
	v.addPart(raw)
	if v.kind != coordinatedKind {
		return v
	}
	for _, component := range raw.Get("params").Get("components").Elems() {
		// A component of these kinds is at fault for that alone.
		if k := component.Get("format_kind").Str(); k != coordinatedKind && k != customKind {
			v.addPart(component)
		}
	}
	return v
}

// addPart adds the params of a declaration or component, if they can be
// checked: custom and unknown kinds have no table.
func (v *formatView) addPart(owner Value) {
	kind := owner.Get("format_kind").Str()
	params := owner.Get("params")
	table := model.Params[kind]
	if table == nil || !params.Is(Object) {
		return
	}
	p := &formatPart{kind: kind, params: params, table: table}
	p.collect()
	v.parts = append(v.parts, p)
}

// own returns the declaration's own params, or nil when they cannot be checked.
func (v *formatView) own() *formatPart {
	if len(v.parts) == 0 || v.parts[0].params != v.raw.Get("params") {
		return nil
	}
	return v.parts[0]
}

// collect compares the params with the table of their kind.
func (p *formatPart) collect() {
	for m := range p.params.Members() {
		if f := p.table.Field(m.Name()); f != nil {
			p.compare(f, m.Value())
		}
	}
	for i := range p.table.Fields {
		if f := &p.table.Fields[i]; f.Required && !p.params.Has(f.Name) {
			p.add(f, problem{fault: lacking, at: p.params, missing: f.Name, msg: f.Name + " is missing", hint: f.Doc}, p.params)
		}
	}
	p.collectSlots()
}

func (p *formatPart) compare(f *model.Field, v Value) {
	conform(v, &f.Type, func(q problem) { p.add(f, q, v) })
	if f.Type.Tuple && f.Type.Elem.Nullable && v.Len() == 2 && v.Index(0).Is(Null) && v.Index(1).Is(Null) {
		p.add(f, problem{fault: outOfRange, at: v, msg: "needs a number at one end at least"}, v)
	}
	if f.Name == "required_connections" {
		p.compareConnections(f, v)
	}
}

func (p *formatPart) add(f *model.Field, q problem, member Value) {
	p.put(p.faultOf(f, q, member))
}

func (p *formatPart) faultOf(f *model.Field, q problem, member Value) paramFault {
	inner := q.at != member
	return paramFault{problem: q, name: f.Name, inner: inner, claim: p.claimant(f.Name, q, inner)}
}

// crowd is a kind of fault of which params have very many.
type crowd struct {
	name  string
	claim claim
	fault fault
}

// fewFaults is the number of faults below which they are not counted by kind.
const fewFaults = 1000

// put keeps a fault, unless as many of its kind are known as are ever listed: a
// long list of wrong elements would take a hundred times its size otherwise.
func (p *formatPart) put(f paramFault) {
	if len(p.faults) >= fewFaults {
		if p.crowds == nil {
			p.crowds = make(map[crowd][2]int)
		}
		k := crowd{f.name, f.claim, f.fault}
		seen := p.crowds[k]
		if seen[0] == defaultFindings {
			p.faults[seen[1]].more++
			return
		}
		p.crowds[k] = [2]int{seen[0] + 1, len(p.faults)}
	}
	p.faults = append(p.faults, f)
}

// addWhole is add for a message that stands on its own.
func (p *formatPart) addWhole(f *model.Field, q problem, member Value) {
	whole := p.faultOf(f, q, member)
	whole.whole = true
	p.put(whole)
}

// claimant decides which rules report a fault.
func (p *formatPart) claimant(name string, q problem, inner bool) claim {
	switch {
	case name == "slots" && inner:
		return claimSlot
	case name == "ctv_ad_experience" && q.fault == notAllowed && slices.Contains(model.CTVAdExperiences, q.at.Str()):
		return claimExperience
	case p.kind == statefulKind && name == "states" && (q.missing == "width" || q.missing == "height"):
		return claimBreakpoint
	case p.kind == statefulKind && slices.Contains(stateMembers, name):
		return claimState
	case p.kind == coordinatedKind && name == "components" && q.missing == "format_option_ref":
		return claimComponentFormat
	case p.kind == coordinatedKind && name == "components" && p.isComponentKind(q):
		return claimComponentKind
	case p.kind == coordinatedKind && (name == "components" || name == "shared_slots"):
		return claimComponent
	}
	return claimParam
}

// stateMembers are the params that make up the graph of a stateful format.
var stateMembers = []string{"states", "initial_state_id", "transitions", "user_controls", "canvas_constraints"}

// isComponentKind reports whether the problem is the format_kind of a component.
func (p *formatPart) isComponentKind(q problem) bool {
	if q.fault != notAllowed {
		return false
	}
	if p.kinds == nil {
		p.kinds = make(map[Value]bool)
		for _, component := range p.params.Get("components").Elems() {
			p.kinds[component.Get("format_kind")] = true
		}
	}
	return p.kinds[q.at]
}

// compareConnections asks for a way to repair each connection that is not
// usable.
func (p *formatPart) compareConnections(f *model.Field, list Value) {
	for _, v := range list.Elems() {
		broken := slices.Contains([]string{"missing", "pending", "expired", "revoked"}, v.Get("status").Str())
		if broken && !v.Has("provider") && !v.Has("authorization_url") {
			msg := "provider or authorization_url is needed with status " + quote(v.Get("status").Str())
			p.add(f, problem{fault: lacking, at: v, missing: "provider", msg: msg}, list)
		}
	}
}

// sayParamFaults reports the current rule for the faults of a claim that match.
func sayParamFaults(r reporter, x *formatView, who claim, match func(fault) bool) {
	for _, p := range x.parts {
		for i := range p.faults {
			f := &p.faults[i]
			switch {
			case f.claim != who || !match(f.fault):
			case f.whole:
				r.say(f.at, "%s", f.msg).withHint("%s", f.hint)
				r.further(f.more)
			default:
				r.sayProblem(f.name, f.problem)
				r.further(f.more)
			}
		}
	}
}

// anyFault matches every fault.
func anyFault(fault) bool { return true }

// faulty reports whether a member of the params has a fault of its own, in
// which case rules that build on it stay silent.
func (p *formatPart) faulty(names ...string) bool {
	return slices.ContainsFunc(p.faults, func(f paramFault) bool { return slices.Contains(names, f.name) })
}

// number returns a member that is a number.
func (p *formatPart) number(name string) (Value, float64, bool) {
	v := p.params.Get(name)
	f, ok := v.Float()
	return v, f, ok
}

// text returns a member that is a string, or "".
func (p *formatPart) text(name string) string { return p.params.Get(name).Str() }

// is reports whether a member is true.
func (p *formatPart) is(name string) bool { return p.params.Get(name).Bool() }

// onParts makes a check of a declaration out of a check of one params object.
func onParts(check func(r reporter, p *formatPart)) func(reporter, *formatView) {
	return func(r reporter, x *formatView) {
		for _, p := range x.parts {
			check(r, p)
		}
	}
}

// onKind is onParts for the params of one kind.
func onKind(kind string, check func(r reporter, p *formatPart)) func(reporter, *formatView) {
	return onParts(func(r reporter, p *formatPart) {
		if p.kind == kind {
			check(r, p)
		}
	})
}
