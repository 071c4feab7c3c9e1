package jsontree

import "iter"

// Notable is the number of source bytes, quotes included, from which a string counts as
// long: the length of the shortest header of a private key in PEM form.
const Notable = len(`"-----BEGIN PRIVATE KEY-----"`)

// UnknownMembers iterates, in document order, over the members of all objects
// whose name is not one of the tree's Names.
func (t *Tree) UnknownMembers() iter.Seq[Member] {
	return func(yield func(Member) bool) {
		for _, i := range t.unknown {
			if !yield(Member{t, i, i + 1}) {
				return
			}
		}
	}
}

// NotableStrings iterates, in document order, over the string values that are
// long or written with an escape: the ones that can hold more than a word.
// They are noted while parsing, because a search through all strings for the
// few that matter costs more than the note.
func (t *Tree) NotableStrings() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for _, i := range t.notable {
			if !yield(Value{t, i}) {
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
