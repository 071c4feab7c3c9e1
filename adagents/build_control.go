package adagents

import (
	"slices"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// controls checks the members that steer Build. They never reach the file, so
// the check of the file would not see a mistake in them, and a mistake must
// not be taken for a default. Each member yields one finding at most.
func (b *builder) controls() []Finding {
	var faults []Finding
	seen := make(map[string]int)
	for m := range b.root.Members() {
		name := m.Name()
		if !slices.Contains(controlMembers, name) {
			continue
		}
		seen[name]++
		switch {
		case seen[name] == 2:
			faults = append(faults, b.fault(m, "file.duplicate_key", name+" is given more than once", "keep one of them"))
		case seen[name] == 1 && !m.Value().IsBool():
			faults = append(faults, b.fault(m, "file.field_type",
				name+" must be true or false, it is "+m.Value().Kind().String(), "write true or false without quotes, or leave it out"))
		}
	}
	return faults
}

func (b *builder) fault(m jsontree.Member, code, msg, hint string) Finding {
	v := m.Value()
	at := b.root.Tree().Positions([]int{v.Offset()})[0]
	rule, _ := LookupRule(code)
	return Finding{
		Code: code, Severity: Error, Effect: AbortFile, Pointer: "/" + m.Name(),
		Offset: at.Offset, Line: at.Line, Column: at.Column, Length: v.End() - v.Offset(),
		Message: msg, Hint: hint, Spec: rule.Spec,
	}
}
