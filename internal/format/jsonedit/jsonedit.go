// Package jsonedit makes edits to the text of a JSON document: members and elements are
// added, removed, renamed and replaced where they stand. Everything else stays as it was
// written, and what is added follows the indentation and spacing around it.
package jsonedit

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/format/layout"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/textedit"
)

// An Editor makes edits to one document. It knows what stands around each value, which a
// tree does not keep.
type Editor struct {
	tree *jsontree.Tree
	src  []byte
	// These are filled when they are first needed, which they are not for what stands near
	// the beginning of its container.
	parent []uint32 // of each node; the root's is the root itself
	before []uint32 // the member name or element before a member name or element; 0 for none
}

// New returns an editor for a document.
func New(tree *jsontree.Tree) *Editor { return &Editor{tree: tree, src: tree.Source()} }

// nearby is how many nodes are looked at for the beginning of a container.
const nearby = 64

// parentOf returns the node of the container that a node other than the root stands in.
func (e *Editor) parentOf(node uint32) uint32 {
	for p := node; e.parent == nil && p > 0 && node-p < nearby; {
		p--
		if v := e.tree.At(p); v.IsContainer() && v.EndNode() > node {
			return p
		}
	}
	e.linkAll()
	return e.parent[node]
}

// beforeOf returns the member name or element before a member name or element, or 0.
func (e *Editor) beforeOf(node uint32) uint32 {
	parent := e.tree.At(e.parentOf(node))
	if e.before != nil {
		return e.before[node]
	}
	last := uint32(0)
	for m := range parent.Members() {
		if m.Node() == node {
			break
		}
		last = m.Node()
	}
	for _, x := range parent.Elems() {
		if x.Node() == node {
			break
		}
		last = x.Node()
	}
	return last
}

// linkAll notes what stands around each value of the document.
func (e *Editor) linkAll() {
	if e.parent == nil {
		e.parent, e.before = make([]uint32, e.tree.Len()), make([]uint32, e.tree.Len())
		e.link(e.tree.Root())
	}
}

// link notes what stands around the values inside a container.
func (e *Editor) link(v jsontree.Value) {
	last := uint32(0)
	for m := range v.Members() {
		e.parent[m.Node()], e.parent[m.Value().Node()] = v.Node(), v.Node()
		e.before[m.Node()], last = last, m.Node()
		e.link(m.Value())
	}
	for _, x := range v.Elems() {
		e.parent[x.Node()] = v.Node()
		e.before[x.Node()], last = last, x.Node()
		e.link(x)
	}
}

// Parent returns the object or array that a value stands in, and a value that does not
// exist for the root.
func (e *Editor) Parent(v jsontree.Value) jsontree.Value {
	if !v.Exists() || v.Node() == 0 {
		return jsontree.Value{}
	}
	return e.tree.At(e.parentOf(v.Node()))
}

// Name returns the name of the member whose value v is, or "".
func (e *Editor) Name(v jsontree.Value) string {
	m, ok := e.member(v)
	if !ok {
		return ""
	}
	return m.Name()
}

func (e *Editor) member(v jsontree.Value) (jsontree.Member, bool) {
	if !e.Parent(v).Is(jsontree.Object) {
		return jsontree.Member{}, false
	}
	return e.tree.MemberAt(v.Node() - 1), true
}

// Span returns where a value starts and ends.
func (e *Editor) Span(v jsontree.Value) (int, int) {
	if !v.IsContainer() {
		return v.Offset(), v.End()
	}
	last := e.tree.At(v.EndNode() - 1)
	end := last.End()
	for {
		if last.IsContainer() {
			end = e.space(end) + 1 // its closing bracket
		}
		if last.Node() == v.Node() {
			return v.Offset(), end
		}
		last = e.Parent(last)
	}
}

// space returns the first offset from i on that is not white space.
func (e *Editor) space(i int) int {
	for i < len(e.src) && strings.IndexByte(" \t\r\n", e.src[i]) >= 0 {
		i++
	}
	return i
}

// Source returns a value as it is written.
func (e *Editor) Source(v jsontree.Value) string {
	start, end := e.Span(v)
	return string(e.src[start:end])
}

// Replace puts another text in the place of a value.
func (e *Editor) Replace(v jsontree.Value, text string) textedit.Edit {
	start, end := e.Span(v)
	return textedit.Edit{Start: start, End: end, New: text}
}

// Rename gives the member whose value v is another name.
func (e *Editor) Rename(v jsontree.Value, name string) textedit.Edit {
	key := e.tree.At(v.Node() - 1)
	return textedit.Edit{Start: key.Offset(), End: key.End(), New: String(name)}
}

// Remove takes a member or an element away, with its comma.
func (e *Editor) Remove(v jsontree.Value) textedit.Edit { return e.remove(v, v) }

// RemoveAll takes several members and elements away. Those that stand side by side go with
// one edit, which takes the right commas with it.
func (e *Editor) RemoveAll(values ...jsontree.Value) []textedit.Edit {
	values = slices.Clone(values)
	slices.SortFunc(values, func(a, b jsontree.Value) int { return a.Offset() - b.Offset() })
	var edits []textedit.Edit
	for len(values) > 0 {
		n := 1
		for n < len(values) && e.beforeOf(e.start(values[n])) == e.start(values[n-1]) {
			n++
		}
		edits = append(edits, e.remove(values[0], values[n-1]))
		values = values[n:]
	}
	return edits
}

// start returns the node at which the member or element of a value begins.
func (e *Editor) start(v jsontree.Value) uint32 {
	if m, ok := e.member(v); ok {
		return m.Node()
	}
	return v.Node()
}

// remove takes away what stands from one value to another of the same container.
func (e *Editor) remove(first, last jsontree.Value) textedit.Edit {
	node := e.start(first)
	_, end := e.Span(last)
	if before := e.beforeOf(node); before != 0 {
		return textedit.Edit{Start: e.endOf(before), End: end}
	}
	comma := e.space(end)
	if e.src[comma] == ',' {
		return textedit.Edit{Start: e.tree.At(node).Offset(), End: e.space(comma + 1)}
	}
	open := e.Parent(first).Offset() + 1
	return textedit.Edit{Start: open, End: comma} // nothing else is in it
}

// endOf returns the end of the member or element that begins at a node.
func (e *Editor) endOf(node uint32) int {
	v := e.tree.At(node)
	if e.Parent(v).Is(jsontree.Object) {
		v = e.tree.At(node + 1)
	}
	_, end := e.Span(v)
	return end
}

// AddMember adds a member at the end of an object.
func (e *Editor) AddMember(object jsontree.Value, name, text string) textedit.Edit {
	member := String(name) + e.colon(object) + text
	return e.add(object, member)
}

// Append adds an element at the end of an array.
func (e *Editor) Append(array jsontree.Value, text string) textedit.Edit { return e.add(array, text) }

// AppendAll adds elements at the end of an array that has some, each set apart as the last one
// is. make gets the white space that stands before each.
func (e *Editor) AppendAll(array jsontree.Value, n int, make func(i int, lead string) string) textedit.Edit {
	last := e.last(array)
	lead, at := e.lead(array, last), e.endOf(last)
	var b strings.Builder
	for i := range n {
		b.WriteString("," + lead + make(i, lead))
	}
	return textedit.Edit{Start: at, End: at, New: b.String()}
}

// Lead returns the white space that stands before the elements or members of a container, as
// before its last; empty for a container without any.
func (e *Editor) Lead(container jsontree.Value) string {
	last := e.last(container)
	if last == 0 {
		return ""
	}
	return e.lead(container, last)
}

func (e *Editor) add(container jsontree.Value, text string) textedit.Edit {
	last := e.last(container)
	if last == 0 {
		at := container.Offset() + 1
		_, end := e.Span(container)
		return textedit.Edit{Start: at, End: end - 1, New: text}
	}
	at := e.endOf(last)
	return textedit.Edit{Start: at, End: at, New: "," + e.lead(container, last) + text}
}

// last returns the node of the last member name or element of a container, or 0.
func (e *Editor) last(container jsontree.Value) uint32 {
	last := uint32(0)
	for m := range container.Members() {
		last = m.Node()
	}
	for _, v := range container.Elems() {
		last = v.Node()
	}
	return last
}

// lead returns the white space that stands before the last member or element.
func (e *Editor) lead(container jsontree.Value, last uint32) string {
	end := e.tree.At(last).Offset()
	start := container.Offset() + 1
	if before := e.beforeOf(last); before != 0 {
		start = e.endOf(before)
	}
	text := string(e.src[start:end])
	space := text[strings.IndexByte(text, ',')+1:]
	if space == "" && e.beforeOf(last) == 0 && e.colon(container) == ": " {
		return " "
	}
	return space
}

// colon returns what stands between name and value in an object, or, where it has no
// members, in the document's first object that has.
func (e *Editor) colon(object jsontree.Value) string {
	m, ok := object.FirstMember()
	if !ok {
		m, ok = e.tree.Root().FirstMember()
	}
	if !ok {
		return ": "
	}
	name := e.tree.At(m.Node())
	return string(e.src[name.End():m.Value().Offset()])
}

// Compact reports whether the document is written without space after colons.
func (e *Editor) Compact() bool { return e.colon(e.tree.Root()) == ":" }

// Wrap makes a value the only element of an array.
func (e *Editor) Wrap(v jsontree.Value) []textedit.Edit {
	start, end := e.Span(v)
	return []textedit.Edit{{Start: start, End: start, New: "["}, {Start: end, End: end, New: "]"}}
}

// List returns an array of texts in one line.
func (e *Editor) List(texts ...string) string {
	comma := ", "
	if e.Compact() {
		comma = ","
	}
	return "[" + strings.Join(texts, comma) + "]"
}

// Object returns an object in one line; members are names and texts in turn.
func (e *Editor) Object(members ...string) string {
	comma, colon := ", ", ": "
	if e.Compact() {
		comma, colon = ",", ":"
	}
	var b strings.Builder
	for i := 0; i+1 < len(members); i += 2 {
		if i > 0 {
			b.WriteString(comma)
		}
		b.WriteString(String(members[i]) + colon + members[i+1])
	}
	return "{" + b.String() + "}"
}

// String returns a text as a JSON string.
func String(s string) string {
	return string(layout.AppendString(make([]byte, 0, len(s)+2), s))
}

// Strings returns texts as JSON strings.
func Strings(list []string) []string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = String(s)
	}
	return quoted
}
