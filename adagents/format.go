package adagents

import (
	"cmp"
	"slices"
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
	tree, err := jsontree.Parse(src, jsontree.Options{})
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
	f := formatter{dst: make([]byte, 0, len(src)+len(src)/2)}
	f.value(root, t, 0)
	return append(f.dst, '\n'), nil
}

// FormatValue returns the canonical text of one value, without indentation of
// its first line and without a line feed at the end. Its members stay in the
// order they were written.
func FormatValue(v Value) []byte {
	var f formatter
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
	dst  []byte
	line int // where the current line starts in dst
	// members is a stack: each open object has its part at the end.
	members []rankedMember
}

// rankedMember is a member with its place in the canonical order.
type rankedMember struct {
	rank int
	jsontree.Member
}

// value writes v. The type it should have decides the order of its members;
// t is nil for a value the format does not describe.
func (f *formatter) value(v Value, t *model.Type, depth int) {
	switch v.Kind() {
	case Object:
		f.object(v, t, depth)
	case Array:
		f.array(v, t, depth)
	case String:
		f.dst = appendText(f.dst, v)
	default:
		f.dst = append(f.dst, v.Text()...)
	}
}

func (f *formatter) newLine(depth int) {
	f.dst = append(f.dst, '\n')
	f.line = len(f.dst)
	for range depth * formatIndent {
		f.dst = append(f.dst, ' ')
	}
}

func (f *formatter) object(v Value, t *model.Type, depth int) {
	if v.Len() == 0 {
		f.dst = append(f.dst, "{}"...)
		return
	}
	base := len(f.members)
	f.rank(v, t)
	count := len(f.members) - base
	params := paramsOf(v, t)
	f.dst = append(f.dst, '{')
	for i := range count {
		if i > 0 {
			f.dst = append(f.dst, ',')
		}
		// By index: the stack may move while the values below are written.
		m := f.members[base+i]
		f.newLine(depth + 1)
		f.dst = AppendString(f.dst, m.Name())
		f.dst = append(f.dst, ": "...)
		f.value(m.Value(), memberType(t, m.rank, params), depth+1)
	}
	f.members = f.members[:base]
	f.newLine(depth)
	f.dst = append(f.dst, '}')
}

// rank pushes the members of v in canonical order. Duplicates have the same
// rank and therefore keep their order.
func (f *formatter) rank(v Value, t *model.Type) {
	base := len(f.members)
	ordered, last := true, 0
	for m := range v.Members() {
		rank := rankOf(t, m.Name())
		ordered = ordered && rank >= last
		last = rank
		f.members = append(f.members, rankedMember{rank, m})
	}
	if !ordered {
		slices.SortStableFunc(f.members[base:], func(a, b rankedMember) int { return cmp.Compare(a.rank, b.rank) })
	}
}

// unknownMember is the rank of a member its object does not know.
const unknownMember = 1 << 30

// rankOf returns the index of the member among the fields of t.
func rankOf(t *model.Type, name string) int {
	if t == nil || t.Kind != model.Object || t.Object == nil {
		return unknownMember
	}
	for i := range t.Object.Fields {
		if t.Object.Fields[i].Name == name {
			return i
		}
	}
	return unknownMember
}

// memberType returns the type of a member of an object of type t; params is
// the type its params have.
func memberType(t *model.Type, rank int, params *model.Type) *model.Type {
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
	f.dst = append(f.dst, '[')
	for i, e := range v.Elems() {
		if i > 0 {
			f.dst = append(f.dst, ',')
		}
		f.newLine(depth + 1)
		f.value(e, elem, depth+1)
	}
	f.newLine(depth)
	f.dst = append(f.dst, ']')
}

// oneLine writes a list of plain values on the current line if it fits there;
// otherwise it writes nothing.
func (f *formatter) oneLine(v Value) bool {
	start := len(f.dst)
	column := utf8.RuneCount(f.dst[f.line:]) + len("],")
	f.dst = append(f.dst, '[')
	mark := start
	for i, e := range v.Elems() {
		if i > 0 {
			f.dst = append(f.dst, ", "...)
		}
		if !e.Is(Array) && !e.Is(Object) {
			f.value(e, nil, 0)
			column += utf8.RuneCount(f.dst[mark:])
			mark = len(f.dst)
		}
		if e.Is(Array) || e.Is(Object) || column > formatWidth {
			f.dst = f.dst[:start]
			return false
		}
	}
	f.dst = append(f.dst, ']')
	return true
}
