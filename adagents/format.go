package adagents

import (
	"bytes"
	"cmp"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/jsontree"
	"github.com/avow-project/avow/internal/model"
)

// Format returns the canonical bytes of a file: UTF-8 without byte order mark,
// two spaces of indentation, line feeds, one at the end. The members of known
// objects come in the order of the documentation and unknown ones after them
// in the order they were written, as do the tags of a tag map. Short lists of
// plain values take one line.
//
// Nothing is lost or mended: numbers keep their digits, duplicate members stay,
// and a file with findings is formatted like any other. Formatting the result
// again changes nothing. The error is an *Unusable when src is not JSON.
func Format(src []byte) ([]byte, error) {
	tree, err := jsontree.Parse(src, jsontree.Options{Names: names})
	if err != nil {
		c := &run{report: new(Report)}
		c.unreadable(src, err)
		return nil, c.report.Unusable
	}
	root := tree.Root()
	t := &fileType
	if root.Has("authoritative_location") {
		t = &pointerType
	}
	f := newFormatter(tree)
	defer f.release()
	f.value(root, t, 0)
	return f.text(), nil
}

// FormatValue returns the canonical text of one value, without indentation of
// its first line and without a line feed at the end. Its members stay in the
// order they were written.
func FormatValue(v Value) []byte {
	f := formatter{from: v.Tree()}
	f.value(v, nil, 0)
	return f.dst
}

var (
	fileType    = model.Type{Kind: model.Object, Object: model.File}
	pointerType = model.Type{Kind: model.Object, Object: model.Pointer}
	paramTypes  = paramTypesByKind()
)

func paramTypesByKind() map[string]*model.Type {
	types := make(map[string]*model.Type, len(model.Params))
	for kind, o := range model.Params {
		types[kind] = &model.Type{Kind: model.Object, Object: o}
	}
	return types
}

const (
	formatIndent = 2
	// formatWidth is the column a list on one line must not pass, its comma
	// included. It fits a side-by-side review on an ordinary screen.
	formatWidth = 100
)

// formatter writes one document.
type formatter struct {
	from *Tree
	dst  []byte
	line int // where the current line starts in dst
	// members is a stack: each open object has its part at the end.
	members []rankedMember
	// made is the tree of what is written; nil when nobody wants it.
	made *jsontree.Rewriter
}

// formatters are used again: how long a document becomes is not known before, and most
// of the room that would do for every one is left empty.
var formatters = sync.Pool{New: func() any { return new(formatter) }}

// mostSpare is the room, in bytes, above which a formatter is not used again.
const mostSpare = 1 << 20

func newFormatter(from *Tree) *formatter {
	f := formatters.Get().(*formatter)
	f.from = from
	size := len(from.Source())
	f.dst = slices.Grow(f.dst, size+size/2)
	return f
}

// text returns what is written, with a line feed at the end: a copy, unless the original
// is too long for being written over.
func (f *formatter) text() []byte {
	f.dst = append(f.dst, '\n')
	if cap(f.dst) > mostSpare {
		return f.dst
	}
	return bytes.Clone(f.dst)
}

// release lets the formatter be used again, after its text was taken.
func (f *formatter) release() {
	if cap(f.dst) <= mostSpare {
		*f = formatter{dst: f.dst[:0], members: f.members[:0]}
		formatters.Put(f)
	}
}

// rankedMember is a member with its place in the canonical order. It has no pointer, so
// that sorting a few thousand of them is no work for the garbage collector.
type rankedMember struct {
	rank int32
	node uint32 // of its name
}

// value writes v. The type it should have decides the order of its members;
// t is nil for a value the format does not describe.
func (f *formatter) value(v Value, t *model.Type, depth int) {
	start, kind := len(f.dst), v.Kind()
	plain := true
	switch kind {
	case Object:
		f.object(v, t, depth)
		return
	case Array:
		f.array(v, t, depth)
		return
	case String:
		plain = isPlain(v.Text())
	}
	if plain {
		f.dst = append(f.dst, v.Text()...)
	} else {
		f.dst = AppendString(f.dst, v.Str())
	}
	if f.made != nil {
		f.made.Scalar(kind, start, f.dst, !plain && hasEscape(f.dst[start:]))
	}
}

// name writes the name of a member and what follows it.
func (f *formatter) name(node uint32) {
	start, text := len(f.dst), f.from.At(node).Text()
	plain := isPlain(text)
	if plain {
		f.dst = append(f.dst, text...)
	} else {
		f.dst = AppendString(f.dst, f.from.NameAt(node))
	}
	if f.made != nil {
		f.made.Key(start, f.dst, f.from.NameIDAt(node), !plain && hasEscape(f.dst[start:]))
	}
	f.dst = append(f.dst, ": "...)
}

// added writes a member that the source does not have.
func (f *formatter) added(m addedMember) {
	start := len(f.dst)
	f.dst = AppendString(f.dst, m.name)
	f.made.Key(start, f.dst, names.ID(m.name), hasEscape(f.dst[start:]))
	f.dst = append(f.dst, ": "...)
	start = len(f.dst)
	f.dst = AppendString(f.dst, m.value)
	f.made.Scalar(String, start, f.dst, hasEscape(f.dst[start:]))
}

func hasEscape(text []byte) bool { return bytes.IndexByte(text, '\\') >= 0 }

// open writes the bracket of an array or object, and close the one at its end.
func (f *formatter) open(k jsontree.Kind, bracket byte) uint32 {
	var opened uint32
	if f.made != nil {
		opened = f.made.Open(k, len(f.dst))
	}
	f.dst = append(f.dst, bracket)
	return opened
}

func (f *formatter) close(opened uint32, n int, bracket byte) {
	if f.made != nil {
		f.made.Close(opened, n)
	}
	f.dst = append(f.dst, bracket)
}

// blanks are copied from: most lines are not deeper.
const blanks = "                                "

func (f *formatter) newLine(depth int) {
	f.dst = append(f.dst, '\n')
	f.line = len(f.dst)
	n := depth * formatIndent
	for ; n > len(blanks); n -= len(blanks) {
		f.dst = append(f.dst, blanks...)
	}
	f.dst = append(f.dst, blanks[:n]...)
}

func (f *formatter) object(v Value, t *model.Type, depth int) {
	opened := f.open(Object, '{')
	base := len(f.members)
	f.rank(v, t)
	count := len(f.members) - base
	params := paramsOf(v, t)
	for i := range count {
		if i > 0 {
			f.dst = append(f.dst, ',')
		}
		// By index: the stack may move while the values below are written.
		m := f.members[base+i]
		f.newLine(depth + 1)
		f.name(m.node)
		f.value(f.from.At(m.node+1), memberType(t, m.rank, params), depth+1)
	}
	f.members = f.members[:base]
	if count > 0 {
		f.newLine(depth)
	}
	f.close(opened, count, '}')
}

// rank pushes the members of v in canonical order. Duplicates have the same
// rank and therefore keep their order.
func (f *formatter) rank(v Value, t *model.Type) {
	base := len(f.members)
	ordered, last := true, int32(-1)
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		rank := rankOf(t, m.Name(), last+1)
		ordered = ordered && rank >= last
		last = rank
		f.members = append(f.members, rankedMember{rank, m.Node()})
	}
	if !ordered {
		slices.SortStableFunc(f.members[base:], func(a, b rankedMember) int { return cmp.Compare(a.rank, b.rank) })
	}
}

// unknownMember is the rank of a member its object does not know.
const unknownMember = 1 << 30

// rankOf returns the index of the member among the fields of t. Members mostly come in
// an order like the canonical one, so the search begins at the field that is next in it.
func rankOf(t *model.Type, name string, next int32) int32 {
	if t == nil || t.Kind != model.Object || t.Object == nil {
		return unknownMember
	}
	fields := t.Object.Fields
	start := min(int(next), len(fields))
	for i := start; i < len(fields); i++ {
		if fields[i].Name == name {
			return int32(i)
		}
	}
	for i := range start {
		if fields[i].Name == name {
			return int32(i)
		}
	}
	return unknownMember
}

// memberType returns the type of a member of an object of type t; params is
// the type its params have.
func memberType(t *model.Type, rank int32, params *model.Type) *model.Type {
	switch {
	case t != nil && t.Kind == model.Map:
		return t.Elem
	case rank == unknownMember:
		return nil
	case t.Object.Fields[rank].Name == "params":
		return params
	}
	return &t.Object.Fields[rank].Type
}

// paramsOf returns the type that the params of v have, which depends on its
// format_kind.
func paramsOf(v Value, t *model.Type) *model.Type {
	if t == nil || t.Object == nil || t.Object.Field("params") == nil {
		return nil
	}
	return paramTypes[v.Get("format_kind").Str()]
}

func (f *formatter) array(v Value, t *model.Type, depth int) {
	if f.oneLine(v) {
		return
	}
	var elem *model.Type
	if t != nil && t.Kind == model.Array {
		elem = t.Elem
	}
	opened := f.open(Array, '[')
	n := 0
	for e, ok := v.FirstElem(); ok; e, ok = e.Next() {
		if n > 0 {
			f.dst = append(f.dst, ',')
		}
		f.newLine(depth + 1)
		f.value(e.Value(), elem, depth+1)
		n++
	}
	f.newLine(depth)
	f.close(opened, n, ']')
}

// oneLine writes a list of plain values on the current line if it fits there;
// otherwise it writes nothing.
func (f *formatter) oneLine(v Value) bool {
	start := len(f.dst)
	column := utf8.RuneCount(f.dst[f.line:]) + len("],")
	opened := f.open(Array, '[')
	mark, n := start, 0
	for e, ok := v.FirstElem(); ok; e, ok = e.Next() {
		if n > 0 {
			f.dst = append(f.dst, ", "...)
		}
		n++
		nested := e.Value().Is(Array) || e.Value().Is(Object)
		if !nested {
			f.value(e.Value(), nil, 0)
			column += utf8.RuneCount(f.dst[mark:])
			mark = len(f.dst)
		}
		if nested || column > formatWidth {
			f.undo(start, opened)
			return false
		}
	}
	f.close(opened, n, ']')
	return true
}

// undo takes back what was written from a bracket on.
func (f *formatter) undo(start int, opened uint32) {
	f.dst = f.dst[:start]
	if f.made != nil {
		f.made.Undo(opened)
	}
}
