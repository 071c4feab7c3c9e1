package jsontree

import "iter"

// Sweeps over the whole tree, for checks that look at every name or text
// wherever it stands. They follow the flat node list, so their cost is that of
// reading an array.

// UnknownMembers iterates, in document order, over the members of all objects
// whose name is not one of the tree's Names.
func (t *Tree) UnknownMembers() iter.Seq[Member] {
	return func(yield func(Member) bool) {
		for i := range t.nodes {
			n := &t.nodes[i]
			if n.kind == key && n.n == 0 && !yield(Member{t, uint32(i), uint32(i) + 1}) {
				return
			}
		}
	}
}

// Strings iterates, in document order, over the string values; with
// escapedOnly over those that were written with a backslash, which a search in
// the source text can miss.
func (t *Tree) Strings(escapedOnly bool) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for i := range t.nodes {
			n := &t.nodes[i]
			if n.kind != String || escapedOnly && n.flag&escaped == 0 {
				continue
			}
			if !yield(Value{t, uint32(i)}) {
				return
			}
		}
	}
}

// EndNode returns the node index after the value and everything inside it:
// node n lies inside v exactly when v.Node() < n && n < v.EndNode().
func (v Value) EndNode() uint32 {
	if v.t == nil {
		return 0
	}
	return v.t.next(v.i)
}
