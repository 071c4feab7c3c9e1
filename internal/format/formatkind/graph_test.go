package formatkind

import (
	"testing"

	"pgregory.net/rapid"
)

// TestGraph compares the component numbers with plain reachability.
func TestGraph(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "states")
		g := &Graph{IDs: make([]string, n), Next: make([][]int, n), back: make([][]int, n)}
		for range rapid.IntRange(0, 16).Draw(t, "edges") {
			from, to := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")
			g.Next[from] = append(g.Next[from], to)
			g.back[to] = append(g.back[to], from)
		}
		component := g.Cycles()
		for a := range n {
			for b := range n {
				mutual := g.Reach(a)[b] && g.Reach(b)[a]
				if mutual != (component[a] == component[b]) {
					t.Fatalf("states %d and %d: mutual %v, components %v", a, b, mutual, component)
				}
			}
		}
	})
}
