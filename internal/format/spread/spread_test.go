package spread_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/format/spread"
)

const minified = `{"properties":[{"property_id":"site","name":"A, {b}: \"c\"","tags":["x","y"],"identifiers":[{"type":"domain","value":"example.com"}]}],"authorized_agents":[]}`

const laidOut = `{
  "properties": [
    {
      "property_id": "site",
      "name": "A, {b}: \"c\"",
      "tags": ["x", "y"],
      "identifiers": [
        {"type": "domain", "value": "example.com"}
      ]
    }
  ],
  "authorized_agents": []
}
`

func TestOf(t *testing.T) {
	t.Parallel()
	indented := spread.Of([]byte("{\"a\":1,\r\n\r\n        \"b\":2}"))
	if end := indented.End(19); indented.Bytes[end] != '"' && end != indented.Start(19) {
		t.Errorf("white space ends at %q", indented.Bytes[end:])
	}
	text := spread.Of([]byte(minified))
	if string(text.Bytes) != laidOut {
		t.Errorf("got\n%s", text.Bytes)
	}
	for _, token := range []string{`"site"`, `"A, {b}: \"c\""`, `"y"`, `"example.com"`, `"authorized_agents"`} {
		at := strings.Index(minified, token)
		before, _, _ := strings.Cut(laidOut, token)
		from, to := text.Start(at), text.End(at+len(token))
		if got := string(text.Bytes[from:to]); got != token {
			t.Errorf("%s is at %q", token, got)
		}
		if line, want := text.Line(at), 1+strings.Count(before, "\n"); line != want {
			t.Errorf("%s is in line %d, want %d", token, line, want)
		}
	}
}

func TestMinified(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(minified, 2)
	for text, want := range map[string]bool{"": false, minified: false, long: true, long + "\n": true, long + strings.Repeat("\n{}", 9): false, laidOut: false} {
		if spread.Minified([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// FuzzOf: nothing but white space differs, and every place is within the text.
func FuzzOf(f *testing.F) {
	for _, text := range []string{minified, `{"a`, `}]`, "\\\"", `[[[{"x":[hidden]}`, "\xff:,"} {
		f.Add([]byte(text), 1)
	}
	f.Fuzz(func(t *testing.T, src []byte, offset int) {
		text := spread.Of(src)
		if !bytes.Equal(spaceless(src), spaceless(text.Bytes)) {
			t.Errorf("%q became %q", src, text.Bytes)
		}
		if offset < 0 || offset > len(src) {
			return
		}
		from, to := text.Start(offset), text.End(offset)
		if from < 0 || from > len(text.Bytes) || to < 0 || to > len(text.Bytes) || text.Line(offset) < 1 {
			t.Errorf("%d is at %d and %d in %q", offset, from, to, text.Bytes)
		}
	})
}

func spaceless(text []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n", r) {
			return -1
		}
		return r
	}, text)
}
