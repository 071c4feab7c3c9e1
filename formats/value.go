package formats

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// Params are the parameters of a format: what JSON holds, with a bool, float64, string,
// []any or map[string]any for each, or a number with its text where a float64 would lose some
// of it. They are not changed once they are made.
type Params map[string]any

// A literal is a number that a float64 cannot hold exactly, as it is written.
type literal string

// MarshalJSON writes the parameters in the order in which the format lists them.
func (p Params) MarshalJSON() ([]byte, error) { return appendObject(nil, p), nil }

// MarshalJSON writes the number as it is.
func (l literal) MarshalJSON() ([]byte, error) { return []byte(l), nil }

// String returns the parameters as JSON.
func (p Params) String() string { return string(appendObject(nil, p)) }

// exactLimit is the magnitude below which every whole number is a float64 of its own.
const exactLimit = 1 << 53

// valueOf copies a value out of a document.
func valueOf(v jsontree.Value) any {
	switch v.Kind() {
	case jsontree.True, jsontree.False:
		return v.Bool()
	case jsontree.Number:
		f, ok := v.Float()
		if !ok || math.Abs(f) >= exactLimit {
			return literal(v.Text())
		}
		return f
	case jsontree.String:
		return v.Str()
	case jsontree.Array:
		list := make([]any, 0, v.Len())
		for _, e := range v.Elems() {
			list = append(list, valueOf(e))
		}
		return list
	case jsontree.Object:
		return objectOf(v)
	default:
		return nil
	}
}

func objectOf(v jsontree.Value) map[string]any {
	out := make(map[string]any, v.Len())
	for m := range v.Members() {
		out[m.Name()] = valueOf(m.Value())
	}
	return out
}

// equal reports whether two values are the same JSON. The order of members does not
// matter, that of elements does.
func equal(a, b any) bool {
	switch a := a.(type) {
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, equal)
	default:
		return plain(b) && a == b
	}
}

// plain reports whether a value can be compared with ==.
func plain(v any) bool {
	switch v.(type) {
	case []any, map[string]any:
		return false
	}
	return true
}

// textOf returns a value as JSON, for messages.
func textOf(v any) string { return string(appendValue(nil, v)) }

func appendValue(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case float64:
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	case literal:
		return append(dst, v...)
	case string:
		quoted, err := jsontext.AppendQuote(dst, v)
		if err != nil { // what is not UTF-8 cannot come from a document
			return append(dst, `""`...)
		}
		return quoted
	case []any:
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, e)
		}
		return append(dst, ']')
	case map[string]any:
		return appendObject(dst, v)
	case Params:
		return appendObject(dst, v)
	}
	return append(dst, "null"...)
}

func appendObject(dst []byte, o map[string]any) []byte {
	dst = append(dst, '{')
	for i, name := range inOrder(o) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendValue(dst, name), ':')
		dst = appendValue(dst, o[name])
	}
	return append(dst, '}')
}

// parameterRanks has the rank of each parameter that the format knows, over all kinds.
var parameterRanks = sync.OnceValue(func() map[string]int {
	out := map[string]int{}
	for _, kind := range model.FormatKinds {
		if table := model.Params()[kind]; table != nil {
			for _, name := range table.Names() {
				if _, ok := out[name]; !ok {
					out[name] = len(out)
				}
			}
		}
	}
	return out
})

// inOrder returns the names of members: those of parameters as the format lists them,
// then the others.
func inOrder[V any](o map[string]V) []string {
	names := slices.Sorted(maps.Keys(o))
	rank := func(name string) int {
		at, ok := parameterRanks()[name]
		if !ok {
			return len(parameterRanks())
		}
		return at
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	return names
}
