package redact

import (
	"bytes"
	"sort"
	"strconv"
)

// JSON is the text of one JSON value without what looks like a secret, and whether there
// was something to hide. A value without secrets is returned as it is.
func JSON(value []byte) ([]byte, bool) {
	s := replaceSpans(value, likelySecrets(value, nil))
	return s.JSON(0, len(value)), s.Hides()
}

// JSON returns the part of the original between two offsets, which must be one JSON
// value, without its secrets. Unlike [Source.Bytes] it can still be read as JSON: a value
// that is a secret or holds a part of one is replaced by a string as a whole.
func (r *Source) JSON(from, to int) []byte {
	if !r.hidesWithin(from, to) {
		return r.original[from:to]
	}
	out, names := make([]byte, 0, to-from), 0
	for i := from; i < to; {
		end := r.leafEnd(i, to)
		switch {
		case end == i:
			out = append(out, r.original[i])
			i++
			continue
		case !r.hidesWithin(i, end):
			out = append(out, r.original[i:end]...)
		case r.nameEndsAt(end):
			// Members keep different names.
			names++
			out = strconv.AppendQuote(out, "[hidden "+strconv.Itoa(names)+"]")
		default:
			out = strconv.AppendQuote(out, hiddenText)
		}
		i = end
	}
	return out
}

// Value returns the JSON value that begins at an offset of the original, as [Source.JSON]
// does, when it holds a secret.
func (r *Source) Value(from int) ([]byte, bool) {
	if !r.Hides() {
		return nil, false
	}
	to := valueEnd(r.original, from)
	return r.JSON(from, to), r.hidesWithin(from, to)
}

// hidesWithin reports whether there is a secret between two offsets of the original.
func (r *Source) hidesWithin(from, to int) bool {
	i := sort.Search(len(r.cuts), func(i int) bool { return r.cuts[i].to > from })
	return i < len(r.cuts) && r.cuts[i].from < to
}

// leafEnd returns where the text that begins at i ends, when it is to be shown or hidden as
// one: a string, a number, a word, or an object or array of which nothing is shown. It
// returns i for everything else.
func (r *Source) leafEnd(i, to int) int {
	switch c := r.original[i]; {
	case c == '"':
		return min(stringEnd(r.original, i), to)
	case c == '{' || c == '[':
		cut := holding(r.cuts, i)
		if cut < 0 {
			return i
		}
		end := valueEnd(r.original, i)
		if end > r.cuts[cut].to {
			return i
		}
		return end
	case bytes.IndexByte([]byte(",:]} \t\r\n"), c) >= 0:
		return i
	default:
		return min(valueEnd(r.original, i), to)
	}
}

// nameEndsAt reports whether the string that ends at an offset names a member.
func (r *Source) nameEndsAt(end int) bool {
	after := skipSpace(r.original, end)
	return after < len(r.original) && r.original[after] == ':'
}
