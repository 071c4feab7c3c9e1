package lsp

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/model"
)

// A kind is what a node of an outline is.
type kind uint8

const (
	kindArray kind = iota
	kindObject
	kindKey
	kindString
	kindOther
)

// A node is a part of a text that looks like JSON. The end of one that is not closed is where
// it must have ended.
type node struct {
	kind       kind
	closed     bool
	start, end int
	// parent is the list or object that it is in, and name the node of its name; -1 for none.
	parent, name int32
}

// An outline is a text read as JSON as far as possible. Nodes are in the order of the text.
type outline struct {
	text  []byte
	nodes []node
	// pointer: the text is that of a file that says where the file is. telling: it has a
	// member that tells the format.
	pointer, telling bool
}

// deepest is how deep nodes are kept; the format needs a quarter of it.
const deepest = 64

// largestOutline is the largest text that is read; larger ones are refused by the check.
const largestOutline = 24 << 20

// reading is the making of an outline.
type reading struct {
	*outline
	open []int32 // the lists and objects that are open; -1 for those that are too deep
	name int32   // the name that waits for its value, in the innermost object
	at   int
}

func outlineOf(text []byte) *outline {
	r := &reading{outline: &outline{text: text}, name: -1}
	if len(text) > largestOutline {
		return r.outline
	}
	for r.at < len(text) {
		r.step()
	}
	for len(r.open) > 0 {
		r.shut(false)
	}
	return r.outline
}

// step reads one token.
func (r *reading) step() {
	switch c := r.text[r.at]; c {
	case ' ', '\t', '\r', '\n':
		r.at++
	case ',':
		r.name = -1
		r.at++
	case ':':
		r.at++
	case '{', '[':
		r.open = append(r.open, r.add(bracket(c), r.at, r.at+1))
		r.name = -1
		r.at++
	case '}', ']':
		r.at++
		r.close(bracket(c))
	case '"':
		r.quoted()
	default:
		start := r.at
		for r.at < len(r.text) && strings.IndexByte(" \t\r\n,:{}[]\"", r.text[r.at]) < 0 {
			r.at++
		}
		r.add(kindOther, start, r.at)
	}
}

// bracket returns what a bracket belongs to.
func bracket(c byte) kind {
	if c == '{' || c == '}' {
		return kindObject
	}
	return kindArray
}

// inner returns the list or object that the next token is in; -1 for none.
func (r *reading) inner() int32 {
	if len(r.open) == 0 {
		return -1
	}
	return r.open[len(r.open)-1]
}

// add adds a node, which takes the name that waits.
func (r *reading) add(k kind, start, end int) int32 {
	if len(r.open) > 0 && r.inner() < 0 || len(r.open) >= deepest {
		return -1
	}
	r.nodes = append(r.nodes, node{kind: k, start: start, end: end, parent: r.inner(), name: r.name, closed: true})
	r.name = -1
	return int32(len(r.nodes) - 1) //nolint:gosec // a text has at most 24 MB
}

// quoted reads a string: a name where one is due. One that is not closed ends with its line.
func (r *reading) quoted() {
	start := r.at
	closed := false
	r.at++
	for r.at < len(r.text) && !closed {
		switch r.text[r.at] {
		case '"':
			closed = true
		case '\\':
			r.at++
		case '\n', '\r':
			r.finish(start, r.at, false)
			return
		}
		r.at++
	}
	r.at = min(r.at, len(r.text))
	r.finish(start, r.at, closed)
}

// finish adds a string.
func (r *reading) finish(start, end int, closed bool) {
	k := kindString
	in := r.inner()
	if in >= 0 && r.nodes[in].kind == kindObject && (r.name < 0 || !r.colon(r.nodes[r.name].end, start)) {
		k, r.name = kindKey, -1
	}
	at := r.add(k, start, end)
	if at < 0 {
		return
	}
	r.nodes[at].closed = closed
	if k != kindKey {
		return
	}
	r.name = at
	if in == 0 {
		name := r.value(at)
		r.pointer = r.pointer || name == "authoritative_location"
		r.telling = r.telling || name == "authoritative_location" || name == "authorized_agents"
	}
}

// colon reports whether there is one between a name and a place, and no comma.
func (o *outline) colon(from, to int) bool {
	between := o.text[min(from, to):to]
	return slices.Contains(between, ':') && !slices.Contains(between, ',')
}

// close ends the innermost list or object of a kind. A bracket that fits nothing is left out.
func (r *reading) close(k kind) {
	for i := len(r.open) - 1; i >= 0; i-- {
		if r.open[i] >= 0 && r.nodes[r.open[i]].kind != k {
			continue
		}
		for len(r.open) > i+1 {
			r.shut(false)
		}
		r.shut(true)
		return
	}
}

func (r *reading) shut(closed bool) {
	at := r.inner()
	r.open = r.open[:len(r.open)-1]
	r.name = -1
	if at >= 0 {
		r.nodes[at].end, r.nodes[at].closed = r.at, closed
	}
}

// value returns what a string says.
func (o *outline) value(at int32) string {
	n := &o.nodes[at]
	raw := o.text[n.start:n.end]
	text, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return strings.Trim(string(raw), `"`)
	}
	return string(text)
}

// token returns the name, string or word at an offset; -1 for none. At the end of a word it is
// that word, but behind the closing quote of a string nothing.
func (o *outline) token(offset int) int32 {
	i, _ := slices.BinarySearchFunc(o.nodes, offset, func(n node, at int) int { return cmp.Compare(n.start, at) })
	for ; i >= 0; i-- {
		if i == len(o.nodes) || o.nodes[i].start > offset {
			continue
		}
		n := &o.nodes[i]
		switch {
		case n.kind == kindOther && offset <= n.end,
			(n.kind == kindKey || n.kind == kindString) && (offset < n.end || !n.closed && offset == n.end):
			return int32(i) //nolint:gosec // as in add
		}
		return -1
	}
	return -1
}

// around returns the innermost list or object around an offset; -1 for none.
func (o *outline) around(offset int) int32 {
	i, _ := slices.BinarySearchFunc(o.nodes, offset, func(n node, at int) int { return cmp.Compare(n.start, at) })
	for at := int32(i) - 1; at >= 0; at = o.nodes[at].parent { //nolint:gosec // as in add
		n := &o.nodes[at]
		inside := offset < n.end || !n.closed && offset == n.end
		if (n.kind == kindObject || n.kind == kindArray) && inside {
			return at
		}
	}
	return -1
}

// members yields the names in an object.
func (o *outline) members(object int32) []int32 {
	var out []int32
	for i := object + 1; int(i) < len(o.nodes) && o.nodes[i].start < o.nodes[object].end; i++ {
		if o.nodes[i].parent == object && o.nodes[i].kind == kindKey {
			out = append(out, i)
		}
	}
	return out
}

// valueOf returns the node with the value of a name; -1 when there is none.
func (o *outline) valueOf(name int32) int32 {
	next := name + 1
	if int(next) < len(o.nodes) && o.nodes[next].name == name {
		return next
	}
	return -1
}

// said returns the text that an object has under a name.
func (o *outline) said(object int32, name string) string {
	for _, at := range o.members(object) {
		v := o.valueOf(at)
		if v >= 0 && o.nodes[v].kind == kindString && o.value(at) == name {
			return o.value(v)
		}
	}
	return ""
}

// A meaning is what the format says about a value.
type meaning struct {
	// field is the member that the value, or the list around it, belongs to, and owner the
	// object that has it; nil when the format does not know it.
	field *model.Field
	owner *model.ObjectType
	typ   *model.Type
}

// object returns the object that a value is; nil when it is none that is known.
func (m *meaning) object() *model.ObjectType {
	if m.typ == nil || m.typ.Kind != model.Object {
		return nil
	}
	return m.typ.Object
}

// means says what a value means, or the value of a name.
func (o *outline) means(at int32) meaning {
	var path []int32
	for ; at >= 0; at = o.nodes[at].parent {
		path = append(path, at)
	}
	root := model.File
	if o.pointer {
		root = model.Pointer
	}
	m := meaning{typ: &model.Type{Kind: model.Object, Object: root}}
	for i := len(path) - 2; i >= 0; i-- {
		m = o.step(m, path[i+1], path[i])
	}
	return m
}

// step goes from a list or object to something in it.
func (o *outline) step(m meaning, parent, at int32) meaning {
	n := &o.nodes[at]
	name := n.name
	if n.kind == kindKey {
		name = at
	}
	switch {
	case m.typ == nil:
		return meaning{}
	case name < 0 || m.typ.Kind == model.Map:
		return meaning{m.field, m.owner, m.typ.Elem}
	case m.typ.Kind != model.Object || m.typ.Object == nil:
		return meaning{}
	}
	owner := m.typ.Object
	field := owner.Field(o.value(name))
	if field == nil {
		return meaning{owner: owner}
	}
	typ := &field.Type
	if field.Name == "params" && typ.Kind == model.Object {
		typ = &model.Type{Kind: model.Object, Object: model.Params()[o.said(parent, "format_kind")]}
	}
	return meaning{field, owner, typ}
}
