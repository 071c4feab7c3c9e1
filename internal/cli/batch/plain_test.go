package batch

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plainLines are lines of JSON, and whether they are plain.
var plainLines = []struct {
	line  string
	plain bool
}{
	{`{"publisher":"a.example","agent":"https://b.example/mcp"}`, true},
	{"{ \"id\" : \"7\" ,\t\"country\": \"DE\" } ", true},
	{`{"publisher":"a.example","country":""}`, false},
	{`{"publisher":"a.example","placement":" "}`, false},
	{`{"publisher":"a.example","placement":"p q"}`, true},
	{`{}`, false},
	{`{"publisher":"a.example"`, false},
	{`{"publisher":"a.example"} x`, false},
	{`{"publisher":"a.example",}`, false},
	{`{"publisher":"a.example" "agent":"x"}`, false},
	{`{"publisher" "a.example"}`, false},
	{`{"publisher":"a.example`, false},
	{`{"publisher"`, false},
	{`{"publisher":`, false},
	{`{"publisher":"a\u002eexample"}`, false},
	{`{"publisher":"bücher.example"}`, false},
	{`{"publisher":"a.example","publisher":"b.example"}`, false},
	{`{"id":7}`, false},
	{`{"placements":["p"]}`, false},
	{`{"publishers":"a.example"}`, false},
	{`["publisher"]`, false},
	{``, false},
}

func TestReadPlain(t *testing.T) {
	t.Parallel()
	for _, test := range plainLines {
		w := written{raw: []byte(test.line)}
		if w.readPlain() != test.plain {
			t.Errorf("%s: plain is %v", test.line, !test.plain)
		}
	}
}

// FuzzReadPlain makes sure that a line that is plain means what the parser says.
func FuzzReadPlain(f *testing.F) {
	for _, test := range plainLines {
		f.Add(test.line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		quick := written{raw: []byte(line)}
		if !quick.readPlain() {
			if quick.cells != [parts]string{} {
				t.Fatalf("%q is not plain, and the question has %q", line, quick.cells)
			}
			return
		}
		slow := written{raw: []byte(line)}
		err := slow.parse()
		if err != nil {
			t.Fatalf("%q is plain, but: %v", line, err)
		}
		if diff := cmp.Diff(slow.cells, quick.cells); diff != "" || slow.placements != nil || slow.collections != nil {
			t.Fatalf("%q: -parser +plain\n%s", line, diff)
		}
	})
}
