// Package formatkind knows the kinds of creative formats: it reads the params of a format
// declaration, compares them with the table of their kind, and knows the vocabulary and the
// state graph that some kinds have.
package formatkind

import (
	"slices"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// View is what the rules need of a format declaration, wherever it
// stands: in formats, or in place among a placement's format options.
type View struct {
	Raw   jsontree.Value
	Kind  string // blank when absent or not a string
	Parts []*Part
}

// Part is one params object together with the kind it belongs to. A
// declaration has one, and one more for each component that declares its
// format in place.
type Part struct {
	Kind   string
	Params jsontree.Value
	Table  *model.ObjectType
	Faults []ParamFault
	counts map[faultKind][2]int    // number and last index of faults, once there are many
	kinds  map[jsontree.Value]bool // format_kind values of components, once needed
	graph  *Graph                  // once needed
}

// ParamFault is a problem within a member of params, and who reports it.
type ParamFault struct {
	conform.Problem
	Name  string // member of params; of several levels the outermost
	Whole bool   // the message needs no name in front of it
	Claim Claim
	More  uint32 // further faults of the kind that are counted only
}

// A Claim says which family of rules reports a fault in params.
type Claim uint8

// The claims, by what their rules are about.
const (
	ClaimParam Claim = iota
	ClaimSlot
	ClaimState
	ClaimBreakpoint
	ClaimComponent
	ClaimComponentFormat
	ClaimComponentKind
	ClaimExperience
)

// The two kinds whose params have rules of their own.
const (
	Stateful    = "seller_rendered_stateful_display"
	Coordinated = "coordinated_placements"
	Custom      = "custom"
)

// New returns the view of a declaration.
func New(raw jsontree.Value) *View {
	v := &View{Raw: raw}
	v.Kind = raw.Get("format_kind").Str()
	v.addPart(raw)
	if v.Kind != Coordinated {
		return v
	}
	for _, component := range raw.Get("params").Get("components").Elems() {
		// A component of these kinds is at fault for that alone.
		if k := component.Get("format_kind").Str(); k != Coordinated && k != Custom {
			v.addPart(component)
		}
	}
	return v
}

// addPart adds the params of a declaration or component, if they can be
// checked: custom and unknown kinds have no table.
func (v *View) addPart(owner jsontree.Value) {
	kind := owner.Get("format_kind").Str()
	params := owner.Get("params")
	table := model.Params()[kind]
	if table == nil || !params.Is(jsontree.Object) {
		return
	}
	p := &Part{Kind: kind, Params: params, Table: table}
	p.collect()
	v.Parts = append(v.Parts, p)
}

// Own returns the declaration's own params, or nil when they cannot be checked.
func (v *View) Own() *Part {
	if len(v.Parts) == 0 || v.Parts[0].Params != v.Raw.Get("params") {
		return nil
	}
	return v.Parts[0]
}

// collect compares the params with the table of their kind.
func (p *Part) collect() {
	for m := range p.Params.Members() {
		if f := p.Table.Field(m.Name()); f != nil {
			p.compare(f, m.Value())
		}
	}
	for i := range p.Table.Fields {
		if f := &p.Table.Fields[i]; f.Required && !p.Params.Has(f.Name) {
			p.add(f, conform.Problem{Fault: conform.Lacking, At: p.Params, Missing: f.Name, Msg: f.Name + " is missing",
				Hint: f.Doc}, p.Params)
		}
	}
	p.collectSlots()
}

func (p *Part) compare(f *model.Field, v jsontree.Value) {
	conform.Check(v, &f.Type, func(q conform.Problem) { p.add(f, q, v) })
	if f.Type.Tuple && f.Type.Elem.Nullable && v.Len() == 2 && v.Index(0).Is(jsontree.Null) &&
		v.Index(1).Is(jsontree.Null) {
		p.add(f, conform.Problem{Fault: conform.OutOfRange, At: v, Msg: "needs a number at one end at least"}, v)
	}
	if f.Name == "required_connections" {
		p.compareConnections(f, v)
	}
}

func (p *Part) add(f *model.Field, q conform.Problem, member jsontree.Value) {
	p.put(p.faultOf(f, q, member))
}

func (p *Part) faultOf(f *model.Field, q conform.Problem, member jsontree.Value) ParamFault {
	inner := q.At != member
	return ParamFault{Problem: q, Name: f.Name, Claim: p.claimant(f.Name, q, inner)}
}

// faultKind is a kind of fault of which params have very many.
type faultKind struct {
	name  string
	claim Claim
	fault conform.Fault
}

// maxAlike is how many faults of one kind are kept: as many findings of a rule are listed
// by default.
const maxAlike = 10_000

// fewFaults is the number of faults below which they are not counted by kind.
const fewFaults = 1000

// put keeps a fault, unless as many of its kind are known as are ever listed: a
// long list of wrong elements would take a hundred times its size otherwise.
func (p *Part) put(f ParamFault) {
	if len(p.Faults) >= fewFaults {
		if p.counts == nil {
			p.counts = make(map[faultKind][2]int)
		}
		k := faultKind{f.Name, f.Claim, f.Fault}
		seen := p.counts[k]
		if seen[0] == maxAlike {
			p.Faults[seen[1]].More++
			return
		}
		p.counts[k] = [2]int{seen[0] + 1, len(p.Faults)}
	}
	p.Faults = append(p.Faults, f)
}

// addWhole is add for a message that stands on its own.
func (p *Part) addWhole(f *model.Field, q conform.Problem, member jsontree.Value) {
	whole := p.faultOf(f, q, member)
	whole.Whole = true
	p.put(whole)
}

// claimant decides which rules report a fault.
func (p *Part) claimant(name string, q conform.Problem, inner bool) Claim {
	switch {
	case name == "slots" && inner:
		return ClaimSlot
	case name == "ctv_ad_experience" && q.Fault == conform.NotAllowed &&
		slices.Contains(model.CTVAdExperiences, q.At.Str()):
		return ClaimExperience
	case p.Kind == Stateful && name == "states" && (q.Missing == "width" || q.Missing == "height"):
		return ClaimBreakpoint
	case p.Kind == Stateful && slices.Contains(stateMembers, name):
		return ClaimState
	case p.Kind == Coordinated && name == "components" && q.Missing == "format_option_ref":
		return ClaimComponentFormat
	case p.Kind == Coordinated && name == "components" && p.isComponentKind(q):
		return ClaimComponentKind
	case p.Kind == Coordinated && (name == "components" || name == "shared_slots"):
		return ClaimComponent
	}
	return ClaimParam
}

// stateMembers are the params that make up the graph of a stateful format.
var stateMembers = []string{"states", "initial_state_id", "transitions", "user_controls", "canvas_constraints"}

// isComponentKind reports whether the problem is the format_kind of a component.
func (p *Part) isComponentKind(q conform.Problem) bool {
	if q.Fault != conform.NotAllowed {
		return false
	}
	if p.kinds == nil {
		p.kinds = make(map[jsontree.Value]bool)
		for _, component := range p.Params.Get("components").Elems() {
			p.kinds[component.Get("format_kind")] = true
		}
	}
	return p.kinds[q.At]
}

// compareConnections asks for a way to repair each connection that is not
// usable.
func (p *Part) compareConnections(f *model.Field, list jsontree.Value) {
	for _, v := range list.Elems() {
		broken := slices.Contains([]string{"missing", "pending", "expired", "revoked"}, v.Get("status").Str())
		if broken && !v.Has("provider") && !v.Has("authorization_url") {
			msg := "provider or authorization_url is needed with status " + conform.Quote(v.Get("status").Str())
			p.add(f, conform.Problem{Fault: conform.Lacking, At: v, Missing: "provider", Msg: msg}, list)
		}
	}
}

// Faulty reports whether a member of the params has a fault of its own, in
// which case rules that build on it stay silent.
func (p *Part) Faulty(names ...string) bool {
	return slices.ContainsFunc(p.Faults, func(f ParamFault) bool { return slices.Contains(names, f.Name) })
}

// Number returns a member that is a number.
func (p *Part) Number(name string) (jsontree.Value, float64, bool) {
	v := p.Params.Get(name)
	f, ok := v.Float()
	return v, f, ok
}

// Text returns a member that is a string, or "".
func (p *Part) Text(name string) string { return p.Params.Get(name).Str() }

// Is reports whether a member is true.
func (p *Part) Is(name string) bool { return p.Params.Get(name).Bool() }

// CanonicalOnly reports whether canonical_formats_only is true, or of a type
// that is reported elsewhere.
func (v *View) CanonicalOnly() bool {
	only := v.Raw.Get("canonical_formats_only")
	return only.Exists() && (only.Bool() || !only.IsBool())
}
