package layout

import "testing"

// TestLayouts: every member that the format describes has a number, and none has that of
// names that are unknown.
func TestLayouts(t *testing.T) {
	t.Parallel()
	seen := map[*layout]bool{nil: true}
	var visit func(l *layout)
	visit = func(l *layout) {
		if seen[l] {
			return
		}
		seen[l] = true
		if len(l.ranks) > 0 && l.ranks[0] != unknownRank {
			t.Errorf("unknown names have the rank %d", l.ranks[0])
		}
		visit(l.values)
		for _, field := range l.fields {
			visit(field)
		}
		for _, params := range l.paramsByKind {
			visit(params)
		}
	}
	visit(layouts().file)
	visit(layouts().pointer)
	if len(seen) < 50 {
		t.Errorf("only %d layouts", len(seen))
	}
}
