package jsontree

import (
	"iter"
	"slices"
	"strconv"
)

// A Value is one value of a tree. The zero Value does not exist: its kind is
// Invalid and every question about it has an empty answer, so that look-ups
// can be chained.
type Value struct {
	t *Tree
	i uint32
}

// Exists reports whether there is a value.
func (v Value) Exists() bool { return v.t != nil }

// Kind returns the value's type.
func (v Value) Kind() Kind {
	if v.t == nil {
		return Invalid
	}
	return v.t.nodes[v.i].kind
}

// Is reports whether the value exists and has the kind.
func (v Value) Is(k Kind) bool { return v.Kind() == k }

// IsContainer reports whether the value is an array or object.
func (v Value) IsContainer() bool { return v.Is(Array) || v.Is(Object) }

// Node returns the value's index in the tree; it grows in document order.
func (v Value) Node() uint32 { return v.i }

// Tree returns the tree the value belongs to.
func (v Value) Tree() *Tree { return v.t }

// At returns the value at a node index of the tree.
func (t *Tree) At(node uint32) Value { return Value{t, node} }

// Offset returns where the value starts in the source.
func (v Value) Offset() int {
	if v.t == nil {
		return 0
	}
	return int(v.t.nodes[v.i].off)
}

// End returns where a scalar ends in the source; for a container, where its
// opening bracket ends.
func (v Value) End() int {
	if v.t == nil {
		return 0
	}
	n := &v.t.nodes[v.i]
	if n.kind == Array || n.kind == Object {
		return int(n.off) + 1
	}
	return int(n.end)
}

// Source returns the source of the value, containers to their closing bracket. It is
// nil for a value that does not exist.
func (v Value) Source() []byte {
	if v.t == nil {
		return nil
	}
	after := v.EndNode()
	at := Value{v.t, after - 1}.End()
	// The brackets that close behind the last node inside are those of the containers
	// that end with it.
	for i := v.i; i < after; i++ {
		n := &v.t.nodes[i]
		if (n.kind == Array || n.kind == Object) && n.end == after {
			at = skipSpace(v.t.src, at) + 1
		}
	}
	return v.t.src[v.Offset():at]
}

// Text returns the source text of a scalar, quotes included; it is empty for
// containers.
func (v Value) Text() string {
	if v.t == nil || v.IsContainer() {
		return ""
	}
	n := &v.t.nodes[v.i]
	return v.t.text[n.off:n.end]
}

// Str returns a string's content, and "" for every other kind.
func (v Value) Str() string {
	s, _ := v.AsString()
	return s
}

// AsString returns a string's content, and false for every other kind.
func (v Value) AsString() (string, bool) {
	if v.t == nil {
		return "", false
	}
	n := &v.t.nodes[v.i]
	if n.kind != String {
		return "", false
	}
	s := v.t.text[n.off+1 : n.end-1]
	if n.flag&escaped != 0 {
		s = unescape(s)
	}
	return s, true
}

// Bool reports whether the value is true.
func (v Value) Bool() bool { return v.Is(True) }

// IsBool reports whether the value is true or false.
func (v Value) IsBool() bool { return v.Is(True) || v.Is(False) }

// Float returns a number's value, and false for other kinds and for numbers
// no float64 can hold.
func (v Value) Float() (float64, bool) {
	if !v.Is(Number) {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.Text(), 64)
	return f, err == nil
}

// Len returns the number of elements or members.
func (v Value) Len() int {
	if !v.IsContainer() {
		return 0
	}
	n := &v.t.nodes[v.i]
	if n.n < manyChildren {
		return int(n.n)
	}
	i := slices.IndexFunc(v.t.crowds, func(c crowd) bool { return c.node == v.i })
	return v.t.crowds[i].children
}

// Get returns the member with exactly this name; of duplicates the last one,
// as most JSON readers do.
func (v Value) Get(name string) Value {
	var found Value
	if !v.Is(Object) {
		return found
	}
	t := v.t
	for k, end := v.i+1, t.nodes[v.i].end; k < end; k = t.next(k + 1) {
		n := &t.nodes[k]
		if n.flag&escaped == 0 && int(n.end-n.off) != len(name)+len(`""`) {
			continue // most names are not even as long
		}
		if t.str(k) == name {
			found = Value{t, k + 1}
		}
	}
	return found
}

// Has reports whether an object has a member of this name, whatever its value.
func (v Value) Has(name string) bool { return v.Get(name).Exists() }

// Index returns the element at i, or a Value that does not exist.
func (v Value) Index(i int) Value {
	for e, ok := v.FirstElem(); ok; e, ok = e.Next() {
		if i == 0 {
			return e.Value()
		}
		i--
	}
	return Value{}
}

// A Member is one name and value of an object.
type Member struct {
	t   *Tree
	k   uint32
	end uint32
}

// FirstMember returns the first member of an object, in document order.
func (v Value) FirstMember() (Member, bool) {
	if !v.Is(Object) {
		return Member{}, false
	}
	end := v.t.nodes[v.i].end
	return Member{v.t, v.i + 1, end}, v.i+1 < end
}

// Next returns the member after m.
func (m Member) Next() (Member, bool) {
	k := m.t.next(m.k + 1)
	return Member{m.t, k, m.end}, k < m.end
}

// NameID returns the name's id in the tree's Names, 0 when unknown.
func (m Member) NameID() uint16 { return m.t.nodes[m.k].n }

// Name returns the member's name.
func (m Member) Name() string { return m.t.str(m.k) }

// Value returns the member's value.
func (m Member) Value() Value { return Value{m.t, m.k + 1} }

// Node returns the index of the name's node; it stands for the member in
// Locate and leads to the same pointer as the value.
func (m Member) Node() uint32 { return m.k }

// MemberAt returns the member whose name stands at a node index of the tree.
func (t *Tree) MemberAt(node uint32) Member { return Member{t, node, node + 1} }

// An Elem is one element of an array.
type Elem struct {
	t   *Tree
	k   uint32
	end uint32
}

// FirstElem returns the first element of an array.
func (v Value) FirstElem() (Elem, bool) {
	if !v.Is(Array) {
		return Elem{}, false
	}
	end := v.t.nodes[v.i].end
	return Elem{v.t, v.i + 1, end}, v.i+1 < end
}

// Next returns the element after e.
func (e Elem) Next() (Elem, bool) {
	k := e.t.next(e.k)
	return Elem{e.t, k, e.end}, k < e.end
}

// Value returns the element's value.
func (e Elem) Value() Value { return Value{e.t, e.k} }

// After returns the value that follows v in the node list: the next element
// of v's array. It must not be called on the last one.
func (v Value) After() Value { return Value{v.t, v.t.next(v.i)} }

// Members iterates over an object's members.
func (v Value) Members() iter.Seq[Member] {
	return func(yield func(Member) bool) {
		for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
			if !yield(m) {
				return
			}
		}
	}
}

// Elems iterates over an array's elements with their indexes.
func (v Value) Elems() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		i := 0
		for e, ok := v.FirstElem(); ok; e, ok = e.Next() {
			if !yield(i, e.Value()) {
				return
			}
			i++
		}
	}
}

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
