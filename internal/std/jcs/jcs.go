// Package jcs writes JSON in the one form of RFC 8785, over which signatures are made: members
// in the order of their UTF-16 names, numbers as ECMAScript writes them, and the fewest
// escapes.
//
// What two readers might take for different values is refused instead of written: a member
// that is there twice, and numbers that no float64 holds exactly enough to agree on.
package jcs

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// maxExact is the largest whole number up to which every float64 is exact.
const maxExact = 1<<53 - 1

// The errors.
var (
	errDuplicate = errors.New("a member is there twice")
	errNumber    = errors.New("a number is too large for all readers to agree on")
	errNothing   = errors.New("there is no value")
)

// Append appends the canonical form of a value to dst.
func Append(dst []byte, v jsontree.Value) ([]byte, error) {
	switch v.Kind() {
	case jsontree.Object:
		return appendObject(dst, v)
	case jsontree.Array:
		dst = append(dst, '[')
		for i, e := range v.Elems() {
			if i > 0 {
				dst = append(dst, ',')
			}
			var err error
			dst, err = Append(dst, e)
			if err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case jsontree.String:
		return AppendString(dst, v.Str()), nil
	case jsontree.Number:
		return appendNumber(dst, v)
	case jsontree.Invalid:
		return nil, errNothing
	}
	return append(dst, v.Text()...), nil
}

// appendObject writes the members in the order of their names.
func appendObject(dst []byte, v jsontree.Value) ([]byte, error) {
	type member struct {
		name  string
		units []uint16
		value jsontree.Value
	}
	list := make([]member, 0, v.Len())
	for m := range v.Members() {
		list = append(list, member{m.Name(), utf16.Encode([]rune(m.Name())), m.Value()})
	}
	slices.SortFunc(list, func(a, b member) int { return slices.CompareFunc(a.units, b.units, cmp.Compare) })
	dst = append(dst, '{')
	for i := range list {
		if i > 0 && list[i].name == list[i-1].name {
			return nil, errDuplicate
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, list[i].name), ':')
		var err error
		dst, err = Append(dst, list[i].value)
		if err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

// AppendString appends the canonical form of a string, which must be UTF-8.
func AppendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	short := map[rune]byte{'\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r', '"': '"', '\\': '\\'}
	dst = append(dst, '"')
	for _, r := range s {
		c, ok := short[r]
		switch {
		case ok:
			dst = append(dst, '\\', c)
		case r < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// appendNumber writes a number as ECMAScript does: the shortest digits that lead back to it,
// with an exponent below 1e-6 and from 1e21 on.
func appendNumber(dst []byte, v jsontree.Value) ([]byte, error) {
	f, ok := v.Float()
	if !ok || math.Abs(f) > maxExact && !strings.ContainsAny(v.Text(), ".eE") {
		return nil, errNumber
	}
	if f == 0 {
		return append(dst, '0'), nil // also for -0
	}
	size := math.Abs(f)
	if size >= 1e-6 && size < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64), nil
	}
	text := strconv.FormatFloat(f, 'e', -1, 64)
	// Go writes two digits of an exponent at least.
	mantissa, exponent, _ := strings.Cut(text, "e")
	return append(dst, mantissa+"e"+exponent[:1]+strings.TrimLeft(exponent[1:], "0")...), nil
}
