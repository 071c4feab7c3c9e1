package jsontree

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Position is a place in the source for people: line and column count from
// 1, columns in Unicode code points.
type Position struct {
	Offset int // in bytes, from 0
	Line   int
	Column int
}

// Positions returns the positions of byte offsets, which must be in ascending
// order. It reads the source once, whatever the number of offsets.
func (t *Tree) Positions(offsets []int) []Position {
	return Positions(t.src, offsets)
}

// Positions returns the positions of byte offsets in src, which must be in
// ascending order. A byte order mark takes no column.
func Positions(src []byte, offsets []int) []Position {
	out := make([]Position, len(offsets))
	line, column, at := 1, 1, 0
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		at = 3
	}
	for i, off := range offsets {
		if off > at {
			chunk := src[at:min(off, len(src))]
			if n := bytes.Count(chunk, []byte{'\n'}); n > 0 {
				line += n
				column = 1
				chunk = chunk[bytes.LastIndexByte(chunk, '\n')+1:]
			}
			column += countRunes(chunk)
			at = off
		}
		out[i] = Position{Offset: off, Line: line, Column: column}
	}
	return out
}

// countRunes is utf8.RuneCount for text that is mostly ASCII, of which a file may have
// megabytes in one line.
func countRunes(b []byte) int {
	n := 0
	for len(b) > 0 {
		plain := 0
		for plain+8 <= len(b) && binary.LittleEndian.Uint64(b[plain:])&tops == 0 {
			plain += 8
		}
		n, b = n+plain, b[plain:]
		// A character may reach beyond the part that is counted one by one.
		for k := 0; k < 8 && len(b) > 0; k++ {
			_, size := utf8.DecodeRune(b)
			n, b = n+1, b[size:]
		}
	}
	return n
}

// Pointers returns the JSON Pointer (RFC 6901) of each node, which must be in
// ascending order. Subtrees without a wanted node are skipped whole, so the
// cost is linear in the tree however many nodes are asked for.
func (t *Tree) Pointers(nodes []uint32) []string {
	w := pointerWalk{t: t, want: nodes, out: make([]string, len(nodes))}
	w.emit(0)
	w.walk(0)
	return w.out
}

// Locate returns the JSON Pointers of values, which may be of several trees, in one pass over each: finding
// one by itself takes as long as finding all. A value that does not exist has none.
func Locate(values []Value) []string {
	out := make([]string, len(values))
	trees := make(map[*Tree][]int)
	for i, v := range values {
		if v.Exists() {
			trees[v.t] = append(trees[v.t], i)
		}
	}
	for tree, list := range trees {
		slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(values[a].i, values[b].i) })
		nodes := make([]uint32, len(list))
		for k, i := range list {
			nodes[k] = values[i].i
		}
		for k, pointer := range tree.Pointers(nodes) {
			out[list[k]] = pointer
		}
	}
	return out
}

// PointerTo returns the JSON Pointer of a value within v, relative to v. It is as quick as
// v is small.
func (v Value) PointerTo(inner Value) string {
	w := pointerWalk{t: v.t, want: []uint32{inner.i}, out: make([]string, 1)}
	w.emit(v.i)
	w.walk(v.i)
	return w.out[0]
}

type pointerWalk struct {
	t    *Tree
	want []uint32
	next int // first entry of want not yet answered
	path []byte
	out  []string
}

// emit answers every wanted node up to and including i with the current path.
func (w *pointerWalk) emit(i uint32) {
	for w.next < len(w.want) && w.want[w.next] <= i {
		w.out[w.next] = string(w.path)
		w.next++
	}
}

func (w *pointerWalk) walk(i uint32) {
	c := &w.t.nodes[i]
	if c.kind != Array && c.kind != Object {
		return
	}
	depth := len(w.path)
	index := 0
	for k := i + 1; k < c.end && w.next < len(w.want); index++ {
		value := k
		if c.kind == Object {
			value++
		}
		after := w.t.next(value)
		if w.want[w.next] < after {
			if c.kind == Object {
				w.path = appendToken(w.path, w.t.str(k))
			} else {
				w.path = strconv.AppendInt(append(w.path, '/'), int64(index), 10)
			}
			w.emit(value)
			w.walk(value)
			w.path = w.path[:depth]
		}
		k = after
	}
}

func appendToken(dst []byte, token string) []byte {
	dst = append(dst, '/')
	for i := range len(token) {
		switch c := token[i]; c {
		case '~':
			dst = append(dst, "~0"...)
		case '/':
			dst = append(dst, "~1"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// Pointer appends one token to a JSON Pointer.
func Pointer(base, token string) string {
	return string(appendToken([]byte(base), token))
}

// Lookup returns the value a JSON Pointer names. Of duplicate members it
// takes the last.
func (t *Tree) Lookup(pointer string) (Value, bool) {
	v := t.Root()
	if pointer == "" {
		return v, true
	}
	if pointer[0] != '/' {
		return Value{}, false
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		name := strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		if v.Is(Array) {
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || strconv.Itoa(i) != name {
				return Value{}, false
			}
			v = v.Index(i)
		} else {
			v = v.Get(name)
		}
		if !v.Exists() {
			return Value{}, false
		}
	}
	return v, true
}
