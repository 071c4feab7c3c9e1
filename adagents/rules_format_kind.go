package adagents

import (
	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/formatkind"
)

// formatIndex holds what the rules about formats need to know of the formats
// they have seen before, and the declaration at hand.
type formatIndex struct {
	view    *formatkind.View
	texts   map[string]string // by format_option_id: canonical text of its first declaration
	digests map[string]string // by platform extension URI: the digest first seen
	asked   bool              // the members a registry needs were asked for
}

// formatView returns the view of a declaration. Every rule asks for the same
// one in turn, so the last is kept: building it compares all params with
// their tables.
func (c *content) formatView(raw Value) *formatkind.View {
	x := &c.index.format
	if x.view == nil || x.view.Raw != raw {
		x.view = formatkind.New(raw)
	}
	return x.view
}

// sayParamFaults reports the rule for the faults of a claim that match.
func sayParamFaults(r reporter, x *formatkind.View, who formatkind.Claim, match func(conform.Fault) bool) {
	for _, p := range x.Parts {
		for i := range p.Faults {
			f := &p.Faults[i]
			switch {
			case f.Claim != who || !match(f.Fault):
			case f.Whole:
				r.say(f.At, "%s", f.Msg).withHint("%s", f.Hint)
				r.further(f.More)
			default:
				r.sayProblem(f.Name, f.Problem)
				r.further(f.More)
			}
		}
	}
}

// anyFault matches every fault.
func anyFault(conform.Fault) bool { return true }

// onParts makes a check of a declaration out of a check of one params object.
func onParts(check func(r reporter, p *formatkind.Part)) func(reporter, *formatkind.View) {
	return func(r reporter, x *formatkind.View) {
		for _, p := range x.Parts {
			check(r, p)
		}
	}
}

// onKind is onParts for the params of one kind.
func onKind(kind string, check func(r reporter, p *formatkind.Part)) func(reporter, *formatkind.View) {
	return onParts(func(r reporter, p *formatkind.Part) {
		if p.Kind == kind {
			check(r, p)
		}
	})
}

// lacksID reports whether an id is absent or says nothing. An id of another
// type is a fault of its own.
func lacksID(v Value) bool { return !v.Exists() || v.Is(String) && blank(v.Str()) }
