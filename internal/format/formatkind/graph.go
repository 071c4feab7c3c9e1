package formatkind

import "github.com/avow-project/avow/internal/std/jsontree"

// Graph is the graph of a stateful format. It serves rules about the
// whole of it, so it only has the transitions between two different states.
type Graph struct {
	IDs    []string       // in file order, each once
	States map[string]int // by state_id: index in IDs
	Next   [][]int        // for each state the states that follow
	back   [][]int        // the same edges, reversed
	Edges  []Edge
	Sound  bool // states is a list, and every state in it has an id
	Broken bool // some transition was left out
}

// Edge is one transition.
type Edge struct {
	Raw      jsontree.Value
	From, To int
}

// Graph builds the graph once for all rules.
func (p *Part) Graph() *Graph {
	if p.graph != nil {
		return p.graph
	}
	g := &Graph{States: make(map[string]int)}
	p.graph = g
	list := p.Params.Get("states")
	g.Sound = list.Len() > 0 && list.Is(jsontree.Array)
	for _, state := range list.Elems() {
		g.addState(state.Get("state_id").Str())
	}
	g.Next, g.back = make([][]int, len(g.IDs)), make([][]int, len(g.IDs))
	for _, t := range p.Params.Get("transitions").Elems() {
		g.addTransition(t)
	}
	return g
}

func (g *Graph) addState(id string) {
	if id == "" {
		g.Sound = false
		return
	}
	if _, ok := g.States[id]; ok {
		return
	}
	g.States[id] = len(g.IDs)
	g.IDs = append(g.IDs, id)
}

func (g *Graph) addTransition(t jsontree.Value) {
	from, ok1 := g.States[t.Get("from_state_id").Str()]
	to, ok2 := g.States[t.Get("to_state_id").Str()]
	if !ok1 || !ok2 || from == to {
		g.Broken = true
		return
	}
	g.Edges = append(g.Edges, Edge{t, from, to})
	g.Next[from] = append(g.Next[from], to)
	g.back[to] = append(g.back[to], from)
}

// Reach returns the states that can be reached from one.
func (g *Graph) Reach(start int) []bool {
	seen := make([]bool, len(g.IDs))
	seen[start] = true
	todo := []int{start}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, n := range g.Next[s] {
			if !seen[n] {
				seen[n] = true
				todo = append(todo, n)
			}
		}
	}
	return seen
}

// Cycles gives each state the number of its strongly connected component: a
// transition is part of a cycle exactly if both ends have the same number.
// The method is Kosaraju's, with stacks of its own, because a hostile graph
// may be a very long chain.
func (g *Graph) Cycles() []int {
	component := make([]int, len(g.IDs))
	order := g.finishOrder()
	count := 0
	for i := len(order) - 1; i >= 0; i-- {
		if component[order[i]] != 0 {
			continue
		}
		count++
		component[order[i]] = count
		for todo := []int{order[i]}; len(todo) > 0; {
			s := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, n := range g.back[s] {
				if component[n] == 0 {
					component[n] = count
					todo = append(todo, n)
				}
			}
		}
	}
	return component
}

// finishOrder returns the states in the order in which a depth-first walk
// leaves them.
func (g *Graph) finishOrder() []int {
	type frame struct{ state, child int }
	seen := make([]bool, len(g.IDs))
	order := make([]int, 0, len(g.IDs))
	var stack []frame
	for s := range g.IDs {
		if !seen[s] {
			seen[s] = true
			stack = append(stack, frame{s, 0})
		}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.child == len(g.Next[top.state]) {
				order = append(order, top.state)
				stack = stack[:len(stack)-1]
				continue
			}
			n := g.Next[top.state][top.child]
			top.child++
			if !seen[n] {
				seen[n] = true
				stack = append(stack, frame{n, 0})
			}
		}
	}
	return order
}
