package lenient_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/format/lenient"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/textedit"
)

// read returns what Read makes of a file, or "" if nothing, and checks what it promises.
func read(t *testing.T, src []byte) (string, lenient.Result) {
	t.Helper()
	before := bytes.Clone(src)
	result := lenient.Read(src)
	if !bytes.Equal(src, before) {
		t.Fatalf("the file itself was changed: %.200q", before)
	}
	if !result.OK {
		if len(result.Edits) > 0 || len(result.Assumed) > 0 {
			t.Errorf("edits although nothing can be done: %.200q", src)
		}
		return "", result
	}
	out, err := textedit.Apply(src, result.Edits)
	if err != nil {
		t.Fatalf("%.200q: %v", src, err)
	}
	tree, err := jsontree.Parse(out, jsontree.Options{})
	if err != nil || tree.HasBOM() {
		t.Fatalf("%.200q became %.200q: %v", src, out, err)
	}
	if again := lenient.Read(out); !again.OK || len(again.Edits) > 0 {
		t.Fatalf("%.200q has edits again", out)
	}
	if (len(result.Edits) == 0) != (len(result.Assumed) == 0) {
		t.Errorf("%.200q: %d edits and %d assumptions", src, len(result.Edits), len(result.Assumed))
	}
	for _, a := range result.Assumed {
		if a.Text == "" || a.Count < 1 || a.Offset < 0 || a.Offset > len(src) {
			t.Errorf("%.200q: %+v", src, a)
		}
	}
	return string(out), result
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, test := range repairs {
		got, result := read(t, []byte(test.in))
		if got != test.want || result.OK != (test.want != "") {
			t.Errorf("%s: %s\nbecame %s\nnot    %s\n%v", test.name, test.in, got, test.want, result.Assumed)
		}
		if test.in == test.want && len(result.Edits) > 0 {
			t.Errorf("%s: edits of a valid file", test.name)
		}
	}
}

// TestCutOff: nothing is made up for the end of a file that is missing. A file that lacks closing
// brackets alone is another matter.
func TestCutOff(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		`{"a": 1, "b`: true, `{"a": 1, "b"`: true, "{\n  \"a\": [{\"b\":\n": true, `{"a": ["x`: true,
		`{"a": 1,`: false, `{"a": ["x"]`: false, `{"a": 1}`: false, `{a`: false,
	} {
		got := lenient.Read([]byte(in))
		if got.CutOff != want || want && (got.OK || len(got.Edits) > 0) {
			t.Errorf("%q: %+v", in, got)
		}
	}
}

func TestAssumptions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		in   string
		want []string
	}{
		{`{"a": 1}`, nil},
		{"\xef\xbb\xbf{}", []string{"0: removed the byte order mark"}},
		{`{"a": 1,}`, []string{"7: removed a surplus comma"}},
		{"{\n// 1\n\"a\": 1 // 2\n,}", []string{"2: removed 2 comments", "19: removed a surplus comma"}},
		{"{'a': 1 b: 2 'c': x", []string{
			"1: wrote double quotes for the other quotes around 2 texts", "7: added 2 missing commas",
			"8: put quotes around a name", "18: put quotes around a text", "19: added a missing closing bracket",
		}},
		{"[" + strings.Repeat("1,,", 1200) + "1]", []string{"3: removed 1,200 surplus commas"}},
		{"\xff\xfe{\x00,\x00}\x00", []string{"0: converted the file from UTF-16 to UTF-8", "0: removed a surplus comma"}},
		{"var x = {\"a\": \"\xe4\"};", []string{"0: removed program code around the JSON in 2 places", "15: read a character that is not UTF-8 as Windows-1252"}},
	} {
		var got []string
		for _, a := range lenient.Read([]byte(test.in)).Assumed {
			got = append(got, fmt.Sprintf("%d: %s", a.Offset, a.Text))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%.100s: %s", test.in, diff)
		}
	}
}

// TestUntouched checks that a long file with one fault keeps everything but a byte.
func TestUntouched(t *testing.T) {
	t.Parallel()
	file := "{\r\n\t\"b\" :1.50e0 ,\"a\":\"\\u00e4\\/\",\r\n\r\n   \"a\": [ ]" + strings.Repeat(" \n", 100) + ",}"
	result := lenient.Read([]byte(file))
	at := strings.LastIndex(file, ",")
	if diff := cmp.Diff([]textedit.Edit{{Start: at, End: at + 1}}, result.Edits); diff != "" {
		t.Error(diff)
	}
}

// TestHostile reads files that are made to cost much. It ends in time only as long as the work
// is in proportion to their length.
func TestHostile(t *testing.T) {
	t.Parallel()
	const size = 1 << 15
	for _, unit := range []string{
		`"`, `'`, `""`, `"a" `, `"a"b`, `"a b" c `, "\"\n", "\"a\n", `[`, `{`, `]`, `}`, `[]`, `{}`, `[1}`, `{"a":`, `{"a":[`, `,`, `:`, `;`, `=`,
		`a`, `a `, `a:`, `a: 1 `, "a: b\n", `1 `, `-`, `.`, `...`, `/`, `//`, `/*`, `/**/`, "//\n", "#\n", `#`, `<!--`, "`", "```\n", `\`, `\"`, `"\`,
		"\x00", "\xff", "\xc2\xa0", "“", "”a", "\ufeff", "(", ")", "var x=", "x(", "}]", "]}", "{]", "[}", "{a:[}", "\"a\":", "\"a\": 1\n", " \"a\n", "'a'b ", "[\"a\"b\"",
	} {
		long := strings.Repeat(unit, size/len(unit))
		for _, start := range []string{"", "[", `{"a": `, `{"a": "`, "[\"x\",\n", "{\n  \"a\": [{\n"} {
			read(t, []byte(start+long))
			read(t, []byte(start+long+`"]}`))
		}
	}
}

// FuzzRead checks that any bytes are read without panic, that the promises hold, and that the
// lenient reader understands valid files as they are.
func FuzzRead(f *testing.F) {
	for _, test := range repairs {
		f.Add([]byte(test.in))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		read(t, src)
		tree, err := jsontree.Parse(src, jsontree.Options{})
		if err != nil || tree.HasBOM() || !tree.Root().Is(jsontree.Object) && !tree.Root().Is(jsontree.Array) {
			return
		}
		if edits, failed := lenient.Unchecked(src); failed || edits > 0 {
			t.Errorf("%q is valid, and has %d edits, gave up: %v", src, edits, failed)
		}
	})
}
