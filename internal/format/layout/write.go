// Package layout writes JSON documents in the canonical form of avow: the order of
// members, indentation, and which characters are escaped.
package layout

import (
	"cmp"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// Names returns the member names of the format. Documents have to be parsed with them.
var Names = sync.OnceValue(func() *jsontree.Names { return jsontree.NewNames(model.KnownNames()) })

// Document returns the canonical bytes of a document.
func Document(tree *jsontree.Tree) []byte { return Edited(tree, Edit{}) }

// An Edit is what is different in the document that Edited writes.
type Edit struct {
	// Without are the names of members that the root object loses.
	Without []string
	// Added has the objects whose members are added to those of an object.
	Added map[jsontree.Value]jsontree.Value
}

// Edited returns the canonical bytes of a document after some changes.
func Edited(tree *jsontree.Tree, e Edit) []byte {
	root := tree.Root()
	// Indentation makes most documents less than twice as long.
	f := formatter{dst: make([]byte, 0, 2*len(tree.Source())), edit: e}
	f.value(root, layoutOf(root), 0)
	return append(f.dst, '\n')
}

// Value returns the canonical text of one value, without indentation of its first line
// and without a line feed at the end. Its members stay in the order they were written.
func Value(v jsontree.Value) []byte {
	if !v.Exists() {
		return nil
	}
	var f formatter
	f.value(v, nil, 0)
	return f.dst
}

const (
	indent = 2
	// width is the column a list on one line must not pass, its comma
	// included. It fits a side-by-side review on an ordinary screen.
	width = 100
)

// formatter writes one document.
type formatter struct {
	dst  []byte
	line int // where the current line starts in dst
	// members is a stack: each open object has its part at the end.
	members []rankedMember
	edit    Edit
}

// rankedMember is a member with its position in the canonical order.
type rankedMember struct {
	rank int32
	jsontree.Member
}

// value writes a value. Its layout decides the order of its members.
func (f *formatter) value(v jsontree.Value, l *layout, depth int) {
	switch v.Kind() {
	case jsontree.Object:
		f.object(v, l, depth)
	case jsontree.Array:
		f.array(v, l, depth)
	case jsontree.String:
		f.dst = AppendString(f.dst, v.Str())
	default:
		f.dst = append(f.dst, v.Text()...)
	}
}

// name writes the name of a member on a line of its own.
func (f *formatter) name(name string, depth int, comma bool) {
	f.newLine(depth, comma)
	f.dst = append(AppendString(f.dst, name), ": "...)
}

// newLine starts a line, after a comma or not.
func (f *formatter) newLine(depth int, comma bool) {
	if comma {
		f.dst = append(f.dst, ',')
	}
	f.dst = append(f.dst, '\n')
	f.line = len(f.dst)
	for range depth * indent {
		f.dst = append(f.dst, ' ')
	}
}

func (f *formatter) object(v jsontree.Value, l *layout, depth int) {
	f.dst = append(f.dst, '{')
	base := len(f.members)
	f.rank(v, l)
	count := len(f.members) - base
	params := l.params(v)
	for i := range count {
		// By index: the stack may move while the values below are written.
		m := f.members[base+i]
		f.name(m.Name(), depth+1, i > 0)
		f.value(m.Value(), l.member(m.rank, params), depth+1)
	}
	f.members = f.members[:base]
	if count > 0 {
		f.newLine(depth, false)
	}
	f.dst = append(f.dst, '}')
}

// rank pushes the members of an object in canonical order. Duplicates have the same
// rank and therefore keep their order.
func (f *formatter) rank(v jsontree.Value, l *layout) {
	base := len(f.members)
	f.push(v, l)
	if base == 0 {
		f.members = slices.DeleteFunc(f.members, func(m rankedMember) bool {
			return slices.Contains(f.edit.Without, m.Name())
		})
	}
	if len(f.edit.Added) > 0 {
		f.push(f.edit.Added[v], l)
	}
	slices.SortStableFunc(f.members[base:], func(a, b rankedMember) int { return cmp.Compare(a.rank, b.rank) })
}

func (f *formatter) push(v jsontree.Value, l *layout) {
	for m := range v.Members() {
		f.members = append(f.members, rankedMember{l.rank(m.NameID()), m})
	}
}

func (f *formatter) array(v jsontree.Value, l *layout, depth int) {
	if f.oneLine(v) {
		return
	}
	f.dst = append(f.dst, '[')
	for i, e := range v.Elems() {
		f.newLine(depth+1, i > 0)
		f.value(e, l.elem(), depth+1)
	}
	f.newLine(depth, false)
	f.dst = append(f.dst, ']')
}

// oneLine writes a list of plain values on the current line if it fits there;
// otherwise it writes nothing.
func (f *formatter) oneLine(v jsontree.Value) bool {
	start := len(f.dst)
	column := utf8.RuneCount(f.dst[f.line:]) + len("],")
	f.dst = append(f.dst, '[')
	mark := start
	for i, e := range v.Elems() {
		if i > 0 {
			f.dst = append(f.dst, ", "...)
		}
		nested := e.IsContainer()
		if !nested {
			f.value(e, nil, 0)
			column += utf8.RuneCount(f.dst[mark:])
			mark = len(f.dst)
		}
		if nested || column > width {
			f.dst = f.dst[:start]
			return false
		}
	}
	f.dst = append(f.dst, ']')
	return true
}

// AppendString appends s as a JSON string in canonical form. Besides what JSON
// demands, the characters that show nothing or turn the direction of text are
// written as \u sequences, so that a reviewer sees that they are there;
// everything else stands as it is. Bytes that are not UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		if c := s[i]; ' ' <= c && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r >= utf8.RuneSelf && !unicode.Is(unseen, r) && (r != utf8.RuneError || size > 1) {
			i += size
			continue
		}
		dst = append(dst, s[start:i]...)
		dst = appendEscape(dst, r)
		i += size
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	case utf8.RuneError:
		return utf8.AppendRune(dst, utf8.RuneError)
	}
	if r > 0xffff {
		// JSON writes these as two halves.
		r -= 0x10000
		dst = appendHex(dst, 0xd800+r>>10)
		r = 0xdc00 + r&0x3ff
	}
	return appendHex(dst, r)
}

func appendHex(dst []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// unseen lists the characters that are written as sequences: controls, soft
// hyphen, zero-width and direction marks, line and paragraph separators,
// fillers, annotation marks and tags. It is a list of our own, because the
// tables of package unicode grow and the canonical form must not.
var unseen = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x0080, Hi: 0x009f, Stride: 1},
		{Lo: 0x00ad, Hi: 0x00ad, Stride: 1},
		{Lo: 0x034f, Hi: 0x034f, Stride: 1},
		{Lo: 0x061c, Hi: 0x061c, Stride: 1},
		{Lo: 0x115f, Hi: 0x1160, Stride: 1},
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1},
		{Lo: 0x180b, Hi: 0x180f, Stride: 1},
		{Lo: 0x200b, Hi: 0x200f, Stride: 1},
		{Lo: 0x2028, Hi: 0x202e, Stride: 1},
		{Lo: 0x2060, Hi: 0x206f, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xfeff, Hi: 0xfeff, Stride: 1},
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1},
		{Lo: 0xfff9, Hi: 0xfffc, Stride: 1},
		{Lo: 0xfffe, Hi: 0xffff, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1d173, Hi: 0x1d17a, Stride: 1},
		{Lo: 0xe0000, Hi: 0xe0fff, Stride: 1},
	},
	LatinOffset: 2,
}
