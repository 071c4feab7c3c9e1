package jsontree

import (
	"slices"
	"unsafe"
)

// A Rewriter makes the tree of a text while the text is being written, so that a writer
// who knows what it writes need not have it read again. The writer says what each piece
// is as soon as it stands at the end of the text. Nothing is looked at again: what is
// said must be what Parse would find, and a test of the writer holds it to that.
type Rewriter struct {
	names            *Names
	nodes            []node
	unknown, notable []uint32
}

// NewRewriter returns a Rewriter for a text like that of a tree, with room for some nodes
// more. The names whose ids Key is given are those of the tree. The memory of a spent tree
// is used again, see Options; it may be nil.
func NewRewriter(like *Tree, more int, spent *Tree) *Rewriter {
	return &Rewriter{names: like.names, nodes: spent.room(like.size + more), notable: make([]uint32, 0, len(like.notable)+more)}
}

// Key notes the member name from start to the end of dst, its quotes included. Its id is
// that of its name, 0 when it has none.
func (w *Rewriter) Key(start int, dst []byte, id uint16, withEscapes bool) {
	if id == 0 {
		w.unknown = append(w.unknown, uint32(len(w.nodes)))
	}
	w.nodes = append(w.nodes, node{off: uint32(start), end: uint32(len(dst)), kind: key, flag: escapeFlag(withEscapes), n: id})
}

// Scalar notes the value from start to the end of dst, which is neither an array nor an
// object.
func (w *Rewriter) Scalar(k Kind, start int, dst []byte, withEscapes bool) {
	if k == String && (withEscapes || len(dst)-start >= Notable) {
		w.notable = append(w.notable, uint32(len(w.nodes)))
	}
	w.nodes = append(w.nodes, node{off: uint32(start), end: uint32(len(dst)), kind: k, flag: escapeFlag(withEscapes)})
}

// Pair is Key and then Scalar, for a name with an id and a value shorter than Notable, both
// without escapes.
func (w *Rewriter) Pair(id uint16, start, end int, k Kind, valueStart, valueEnd int) {
	w.nodes = append(w.nodes, node{off: uint32(start), end: uint32(end), kind: key, n: id},
		node{off: uint32(valueStart), end: uint32(valueEnd), kind: k})
}

// Open notes an array or object whose bracket stands at start. What is noted up to the
// call of Close is inside.
func (w *Rewriter) Open(k Kind, start int) uint32 {
	w.nodes = append(w.nodes, node{off: uint32(start), kind: k})
	return uint32(len(w.nodes) - 1)
}

// Close ends what Open returned; it has n elements or members.
func (w *Rewriter) Close(opened uint32, n int) {
	c := &w.nodes[opened]
	c.end, c.n = uint32(len(w.nodes)), uint16(min(n, manyChildren))
}

// Undo forgets what Open returned and everything after it.
func (w *Rewriter) Undo(opened uint32) {
	w.nodes = w.nodes[:opened]
	w.unknown, w.notable = before(w.unknown, opened), before(w.notable, opened)
}

// Tree returns the tree of the whole text, which must not be changed afterwards. No
// object of it may have two members of the same name: they would not be listed.
func (w *Rewriter) Tree(text []byte) *Tree {
	return &Tree{
		src: text, text: unsafe.String(unsafe.SliceData(text), len(text)), names: w.names,
		nodes: w.nodes, size: len(w.nodes), unknown: w.unknown, notable: w.notable,
	}
}

func escapeFlag(withEscapes bool) uint8 {
	if withEscapes {
		return escaped
	}
	return 0
}

// before returns the part of an ascending list below a node.
func before(list []uint32, node uint32) []uint32 {
	for len(list) > 0 && list[len(list)-1] >= node {
		list = list[:len(list)-1]
	}
	return list
}

// Equal reports whether two trees are the same in every respect, for tests of those who
// make trees.
func (t *Tree) Equal(u *Tree) bool {
	return t.text == u.text && t.start == u.start && t.names == u.names && slices.Equal(t.nodes[:t.size], u.nodes[:u.size]) &&
		slices.Equal(t.dups, u.dups) && slices.Equal(t.unknown, u.unknown) && slices.Equal(t.notable, u.notable)
}
