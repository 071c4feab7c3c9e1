// Package spread lays a minified JSON text out in lines, for reading. No byte of a token changes, and
// each place in the text as it was has one in the text as it is laid out. A text need not be valid.
package spread

import (
	"bytes"
	"sort"
)

const (
	// longest is the mean length of lines from which a text is hard to read.
	longest = 200
	// short is how many bytes an array or object may have to stay on its line.
	short = 72
	// deepest is the depth from which lines are not indented further.
	deepest, indent = 20, 2
)

// Minified reports whether a text is hard to read as it is.
func Minified(src []byte) bool {
	return len(src)/(bytes.Count(bytes.TrimSpace(src), []byte("\n"))+1) > longest
}

// A Text is laid out. Its places are those of the text as it was.
type Text struct {
	Bytes []byte
	// from and to are where pieces begin that were copied: as they were, and as they are.
	from, to []int
}

// Of lays a text out.
func Of(src []byte) *Text {
	t := &Text{Bytes: make([]byte, 0, len(src)+len(src)/2)}
	depth, inline := 0, 0 // up to inline everything stays on its line
	for i := 0; i < len(src); {
		end := tokenEnd(src, i)
		switch c := src[i]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		case c == '{' || c == '[':
			t.copy(src, i, end)
			if i >= inline {
				inline = shortEnd(src, i)
			}
			if i >= inline {
				depth++
				t.line(depth)
			}
		case (c == '}' || c == ']') && i >= inline:
			depth = max(depth-1, 0)
			t.line(depth)
			t.copy(src, i, end)
		case c == ',' && i >= inline:
			t.copy(src, i, end)
			t.line(depth)
		case c == ',' || c == ':':
			t.copy(src, i, end)
			t.Bytes = append(t.Bytes, ' ')
		default:
			t.copy(src, i, end)
		}
		i = end
	}
	t.Bytes = append(t.Bytes, '\n')
	return t
}

func (t *Text) copy(src []byte, from, end int) {
	t.from, t.to = append(t.from, from), append(t.to, len(t.Bytes))
	t.Bytes = append(t.Bytes, src[from:end]...)
}

func (t *Text) line(depth int) {
	t.Bytes = append(t.Bytes, '\n')
	t.Bytes = append(t.Bytes, bytes.Repeat([]byte(" "), indent*min(depth, deepest))...)
}

// Start returns where what began at an offset begins now.
func (t *Text) Start(offset int) int { return t.moved(offset, sort.SearchInts(t.from, offset+1)-1) }

// moved returns where an offset in a piece is now.
func (t *Text) moved(offset, i int) int {
	if i < 0 {
		return 0
	}
	end := len(t.Bytes)
	if i+1 < len(t.to) {
		end = t.to[i+1]
	}
	return min(t.to[i]+offset-t.from[i], end)
}

// End returns where something ends that ended at an offset.
func (t *Text) End(offset int) int { return t.moved(offset, sort.SearchInts(t.from, offset)-1) }

// Line returns the number of the line that a place in the text as it was is in.
func (t *Text) Line(offset int) int { return 1 + bytes.Count(t.Bytes[:t.Start(offset)], []byte("\n")) }

// tokenEnd is where the token that begins at i ends.
func tokenEnd(src []byte, i int) int {
	if bytes.IndexByte([]byte("{}[],: \t\r\n"), src[i]) >= 0 {
		return i + 1
	}
	text := src[i] == '"'
	for i++; i < len(src); i++ {
		switch {
		case text && src[i] == '\\':
			i++
		case text && src[i] == '"':
			return i + 1
		case !text && bytes.IndexByte([]byte("{}[],:\" \t\r\n"), src[i]) >= 0:
			return i
		}
	}
	return len(src)
}

// shortEnd is where the array or object that begins at i ends, or i if it is long or has another in it.
func shortEnd(src []byte, i int) int {
	for end := i + 1; end < len(src) && end-i < short; end = tokenEnd(src, end) {
		switch src[end] {
		case '{', '[':
			return i
		case '}', ']':
			return end + 1
		}
	}
	return i
}
