package jcs

import (
	"errors"
	"math"
	"strconv"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/avow-project/avow/internal/std/jsontree"
)

func canonical(text string) (string, error) {
	tree, err := jsontree.Parse([]byte(text), jsontree.Options{})
	if err != nil {
		return "", err
	}
	out, err := Append(nil, tree.Root())
	return string(out), err
}

func TestAppend(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`null`: `null`, ` true `: `true`, `[ ]`: `[]`, `{ }`: `{}`, `[false, "a"]`: `[false,"a"]`,
		`{"b": 1, "a": {"d": [], "c": 2}}`: `{"a":{"c":2,"d":[]},"b":1}`,
		// The order is that of UTF-16: the code units of a surrogate pair come before U+FB33.
		`{"\ufb33": 1, "\ud83d\ude02": 2, "\u20ac": 3, "\r": 4, "1": 5, "\u0080": 6, "\u00f6": 7}`: "{\"\\r\":4,\"1\":5,\"\u0080\":6,\"ö\":7,\"€\":3,\"😂\":2,\"\ufb33\":1}",
		`"\u0000\u001F\u007f\u2028\/\"\\\b\f\n\r\t\u000b"`:                                         "\"\\u0000\\u001f\u007f\u2028/\\\"\\\\\\b\\f\\n\\r\\t\\u000b\"",
		// Numbers of appendix B of the standard, and others.
		`-0`: `0`, `-0.0`: `0`, `0e5`: `0`, `1.0`: `1`, `1e2`: `100`, `4.50`: `4.5`, `2e-3`: `0.002`, `1E30`: `1e+30`,
		`0.000000000000000000000000001`: `1e-27`, `333333333.33333329`: `333333333.3333333`,
		`5e-324`: `5e-324`, `1.7976931348623157e308`: `1.7976931348623157e+308`, `1e21`: `1e+21`, `1e20`: `100000000000000000000`,
		`0.000001`: `0.000001`, `9.999999999999997e-7`: `9.999999999999997e-7`, `9007199254740991`: `9007199254740991`,
		`-9007199254740991`: `-9007199254740991`, `9.007199254740994e15`: `9007199254740994`,
	} {
		got, err := canonical(text)
		if err != nil || got != want {
			t.Errorf("%s: %s %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{`{"a": 1, "a": 1}`, `{"a": {"b": 1, "\u0062": 2}}`, `1e400`, `[9007199254740993]`, `-9007199254740992`} {
		got, err := canonical(text)
		if err == nil {
			t.Errorf("%s: %s", text, got)
		}
	}
	_, err := Append(nil, jsontree.Value{})
	if err == nil {
		t.Error("nothing has a canonical form")
	}
}

// compare asks another implementation.
func compare(t interface{ Fatalf(string, ...any) }, text string) {
	ours, err := canonical(text)
	if err != nil {
		return
	}
	theirs := jsontext.Value(text)
	err = theirs.Canonicalize()
	if err != nil || ours != string(theirs) {
		t.Fatalf("%s: %s, the other says %s %v", text, ours, theirs, err)
	}
	again, err := canonical(ours)
	if errors.Is(err, errNumber) {
		return // a whole number that was written with an exponent, which other readers take as it was
	}
	if err != nil || again != ours {
		t.Fatalf("%s is not stable: %s %v", ours, again, err)
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return
		}
		compare(t, strconv.FormatFloat(f, 'e', -1, 64))
	})
}

// FuzzAppend compares arbitrary JSON with another implementation.
func FuzzAppend(f *testing.F) {
	f.Add(`{"b": [1.50, -0, 1e-7], "a": {"\ud83d\ude02": "\u0001", "\ufb33": null}}`)
	f.Add(`[0.1, 1e21, 123456789012345680000, "\u2028"]`)
	f.Add(`[1e17]`)
	f.Fuzz(func(t *testing.T, text string) { compare(t, text) })
}
