package adagents

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/avow-project/avow/internal/bench"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// TestFormatGolden formats testdata/fmt/*.json and compares with the golden
// files, which must format to themselves.
func TestFormatGolden(t *testing.T) {
	t.Parallel()
	inputs, err := filepath.Glob("testdata/fmt/*.json")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no inputs (error %v)", err)
	}
	for _, name := range inputs {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			src := readTestFile(t, name)
			want := readTestFile(t, strings.TrimSuffix(name, ".json")+".golden")
			for _, in := range [][]byte{src, want} {
				got, err := Format(in)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), string(got)); diff != "" {
					t.Errorf("formatted (-want +got):\n%s", diff)
				}
			}
			checkFormat(t, src)
		})
	}
}

func readTestFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// checkFormat holds Format to its promises on one input.
func checkFormat(t testing.TB, src []byte) {
	t.Helper()
	tree, perr := jsontree.Parse(src, jsontree.Options{})
	out, err := Format(src)
	if (perr == nil) != (err == nil) {
		t.Fatalf("parse error %v, format error %v", perr, err)
	}
	if err != nil {
		return
	}
	again, err := jsontree.Parse(out, jsontree.Options{MaxBytes: 1 << 30})
	if err != nil {
		t.Fatalf("the result is not JSON: %v\n%s", err, out)
	}
	if !sameValue(tree.Root(), again.Root()) {
		t.Fatalf("the result says something else\n%s\n%s", src, out)
	}
	checkCanonicalBytes(t, out)
	twice, err := Format(out)
	if err != nil || !bytes.Equal(out, twice) {
		t.Fatalf("formatting again changes the result (error %v)\n%s\n%s", err, out, twice)
	}
}

func checkCanonicalBytes(t testing.TB, out []byte) {
	t.Helper()
	if !utf8.Valid(out) || bytes.ContainsAny(out, "\r\t") || !bytes.HasSuffix(out, []byte("\n")) || bytes.HasSuffix(out, []byte("\n\n")) {
		t.Errorf("not canonical bytes: %q", out)
	}
	for _, r := range string(out) {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == 0x200b || r == 0xfeff || r == 0x2028) {
			t.Errorf("%U stands unescaped", r)
		}
	}
	for line := range bytes.Lines(out) {
		if text := bytes.TrimSuffix(line, []byte("\n")); bytes.HasSuffix(text, []byte(" ")) {
			t.Errorf("a line ends with a space: %q", text)
		}
	}
}

// sameValue compares two values exactly: numbers by their digits, duplicate
// members in their order. Only the order of different members is free.
func sameValue(a, b Value) bool {
	switch {
	case a.Kind() != b.Kind() || a.Len() != b.Len():
		return false
	case a.Is(String):
		return a.Str() == b.Str()
	case a.Is(Array):
		return sameElements(a, b)
	case a.Is(Object):
		return sameMembers(a, b)
	}
	return a.Text() == b.Text()
}

// sameElements compares arrays of equal length.
func sameElements(a, b Value) bool {
	x, ok := a.FirstElem()
	y, _ := b.FirstElem()
	for ; ok; x, ok = x.Next() {
		if !sameValue(x.Value(), y.Value()) {
			return false
		}
		y, _ = y.Next()
	}
	return true
}

func sameMembers(a, b Value) bool {
	rest := make(map[string][]Value, a.Len())
	for m := range b.Members() {
		rest[m.Name()] = append(rest[m.Name()], m.Value())
	}
	for m := range a.Members() {
		values := rest[m.Name()]
		if len(values) == 0 || !sameValue(m.Value(), values[0]) {
			return false
		}
		rest[m.Name()] = values[1:]
	}
	return true
}

func TestFormatErrors(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"":            "file.empty",
		"{\n \"a\":}": "file.json_invalid",
		"\"\xff\"":    "file.not_utf8",
		strings.Repeat("[", 100) + strings.Repeat("]", 100): "file.too_deep",
	}
	for src, code := range tests {
		_, err := Format([]byte(src))
		var unusable *Unusable
		if !errors.As(err, &unusable) {
			t.Errorf("%q: error %v is not an *Unusable", src, err)
			continue
		}
		if got := unusable.Findings[0].Code; got != code {
			t.Errorf("%q: code %s, want %s", src, got, code)
		}
	}
}

func TestFormatBench(t *testing.T) {
	t.Parallel()
	for _, src := range [][]byte{bench.Small(), bench.ObjectMembers(3000), bench.EscapedStrings(50), bench.LongString(5000), bench.DeepNesting(64), bench.TagMatrix(20)} {
		checkFormat(t, src)
	}
}

// TestFormatLinear formats inputs that punish work done again for each member.
func TestFormatLinear(t *testing.T) {
	t.Parallel()
	const n = 30000
	params := strings.Repeat(`"params":{"a":1},`, n)
	for _, src := range []string{
		`{"formats":[{` + params + `"format_kind":"image"}]}`,
		`{"` + strings.Repeat("n", 1<<20) + `":[` + strings.Repeat(`[1],`, n) + `2]}`,
		`{"x":[` + strings.Repeat(`"aaaaaaaaaaaaaaaa",`, n) + `{}]}`,
	} {
		out, err := Format([]byte(src))
		if err != nil || len(out) < len(src) {
			t.Errorf("%d bytes from %d (error %v)", len(out), len(src), err)
		}
	}
}

func TestFormatValue(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		`{"url":1,"a":[]}`: "{\n  \"url\": 1,\n  \"a\": []\n}",
		`[ 1 ,2 ]`:         "[1, 2]",
		`"\u0041"`:         `"A"`,
		`{}`:               "{}",
	}
	for src, want := range tests {
		tree, err := jsontree.Parse([]byte(src), jsontree.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(FormatValue(tree.Root())); got != want {
			t.Errorf("%s: got %q, want %q", src, got, want)
		}
	}
}

func TestAppendString(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"":                       `""`,
		"plain/é中😀":              `"plain/é中😀"`,
		"\"\\\b\f\n\r\t\x00\x1f": `"\"\\\b\f\n\r\t\u0000\u001f"`,
		"\x7f\u0085\u200b":       `"\u007f\u0085\u200b"`,
		"\U000e0041":             `"\udb40\udc41"`,
		"a\xffb\xc3":             "\"a\ufffdb\ufffd\"",
		"\ufffd":                 "\"\ufffd\"",
		"\u2028\u202e\ufeff":     `"\u2028\u202e\ufeff"`,
	}
	for s, want := range tests {
		if got := string(AppendString(nil, s)); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
}

// TestFormatProperty draws whole documents from the names the format knows and
// from others.
func TestFormatProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := drawJSON(t, 5)
		tree, err := jsontree.Parse([]byte(src), jsontree.Options{})
		if err != nil {
			t.Fatalf("drew no JSON: %v\n%s", err, src)
		}
		out, err := Format([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		again, err := jsontree.Parse(out, jsontree.Options{})
		if err != nil || !sameValue(tree.Root(), again.Root()) {
			t.Fatalf("the result differs (error %v)\n%s\n%s", err, src, out)
		}
		twice, err := Format(out)
		if err != nil || !bytes.Equal(out, twice) {
			t.Fatalf("formatting again changes the result (error %v)\n%s", err, out)
		}
	})
}

var drawNames = []string{"authorized_agents", "url", "properties", "tags", "name", "formats", "params", "format_kind", "signals", "id", "x", "authoritative_location", "ext"}

func drawJSON(t *rapid.T, depth int) string {
	kind := rapid.IntRange(0, 6).Draw(t, "kind")
	if depth == 0 {
		kind %= 4
	}
	space := rapid.SampledFrom([]string{"", " ", "\r\n", "\t"}).Draw(t, "space")
	switch kind {
	case 0:
		return space + rapid.SampledFrom([]string{"null", "true", "false", `"image"`, `"\ud83d\ude00"`}).Draw(t, "word")
	case 1:
		return rapid.StringMatching(`-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,9})?([eE][-+]?[0-9]{1,3})?`).Draw(t, "number") + space
	case 2, 3:
		return string(AppendString(nil, rapid.String().Draw(t, "string"))) + space
	case 4:
		n := rapid.IntRange(0, 8).Draw(t, "length")
		items := make([]string, n)
		for i := range items {
			items[i] = drawJSON(t, depth-1)
		}
		return "[" + space + strings.Join(items, ",") + "]"
	}
	n := rapid.IntRange(0, 8).Draw(t, "size")
	members := make([]string, n)
	for i := range members {
		name := rapid.SampledFrom(drawNames).Draw(t, "name")
		members[i] = `"` + name + `"` + space + ":" + drawJSON(t, depth-1)
	}
	return space + "{" + strings.Join(members, ",") + "}"
}

func FuzzFormat(f *testing.F) {
	addFormatSeeds(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1<<16 {
			return
		}
		checkFormat(t, src)
	})
}

func addFormatSeeds(f *testing.F) {
	f.Helper()
	inputs, err := filepath.Glob("testdata/fmt/*.json")
	if err != nil || len(inputs) == 0 {
		f.Fatalf("no seeds (error %v)", err)
	}
	for _, name := range inputs {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Add(bench.Small())
	f.Add([]byte(`{"a":[1,{"b":[]}],"a":"\u200b"}`))
}

func BenchmarkFormat(b *testing.B) {
	src := bench.Large(10000)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		_, err := Format(src)
		if err != nil {
			b.Fatal(err)
		}
	}
}
