package adagents

// stateGraph is the graph of a stateful format. It serves rules about the
// whole of it, so it only has the transitions between two different states.
type stateGraph struct {
	ids    []string       // in file order, each once
	states map[string]int // by state_id: index in ids
	next   [][]int        // for each state the states that follow
	back   [][]int        // the same edges, reversed
	edges  []graphEdge
	sound  bool // states is a list, and every state in it has an id
	broken bool // some transition was left out
}

// graphEdge is one transition.
type graphEdge struct {
	raw      Value
	from, to int
}

// stateGraph builds the graph once for all rules.
func (p *formatPart) stateGraph() *stateGraph {
	if p.graph != nil {
		return p.graph
	}
	g := &stateGraph{states: make(map[string]int)}
	p.graph = g
	list := p.params.Get("states")
	g.sound = list.Len() > 0 && list.Is(Array)
	for _, state := range list.Elems() {
		g.addState(state.Get("state_id").Str())
	}
	g.next, g.back = make([][]int, len(g.ids)), make([][]int, len(g.ids))
	for _, t := range p.params.Get("transitions").Elems() {
		g.addTransition(t)
	}
	return g
}

func (g *stateGraph) addState(id string) {
	if id == "" {
		g.sound = false
		return
	}
	if _, ok := g.states[id]; ok {
		return
	}
	g.states[id] = len(g.ids)
	g.ids = append(g.ids, id)
}

func (g *stateGraph) addTransition(t Value) {
	from, ok1 := g.states[t.Get("from_state_id").Str()]
	to, ok2 := g.states[t.Get("to_state_id").Str()]
	if !ok1 || !ok2 || from == to {
		g.broken = true
		return
	}
	g.edges = append(g.edges, graphEdge{t, from, to})
	g.next[from] = append(g.next[from], to)
	g.back[to] = append(g.back[to], from)
}

// reach returns the states that can be reached from one.
func (g *stateGraph) reach(start int) []bool {
	seen := make([]bool, len(g.ids))
	seen[start] = true
	todo := []int{start}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, n := range g.next[s] {
			if !seen[n] {
				seen[n] = true
				todo = append(todo, n)
			}
		}
	}
	return seen
}

// cycles gives each state the number of its strongly connected component: a
// transition is part of a cycle exactly if both ends have the same number.
// The method is Kosaraju's, with stacks of its own, because a hostile graph
// may be a very long chain.
func (g *stateGraph) cycles() []int {
	component := make([]int, len(g.ids))
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
func (g *stateGraph) finishOrder() []int {
	type frame struct{ state, child int }
	seen := make([]bool, len(g.ids))
	order := make([]int, 0, len(g.ids))
	var stack []frame
	for s := range g.ids {
		if !seen[s] {
			seen[s] = true
			stack = append(stack, frame{s, 0})
		}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.child == len(g.next[top.state]) {
				order = append(order, top.state)
				stack = stack[:len(stack)-1]
				continue
			}
			n := g.next[top.state][top.child]
			top.child++
			if !seen[n] {
				seen[n] = true
				stack = append(stack, frame{n, 0})
			}
		}
	}
	return order
}
