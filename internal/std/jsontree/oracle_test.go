package jsontree_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// oracleDepth is the fixed nesting limit of jsontext; with the same limit on our
// side both must agree on every input there is.
const oracleDepth = 10000

// oracleNames makes the parser take the path for known member names for some
// names and the one for unknown names for the rest.
var oracleNames = jsontree.NewNames([]string{"a", "name", "properties", "authorized_agents"})

// oracleTokens reads exactly one value with jsontext and lists its tokens:
// brackets and literals as they are, numbers as written, strings decoded behind
// a quote.
func oracleTokens(data []byte, allowDuplicates bool) ([]string, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(allowDuplicates))
	var list []string
	values := 0
	for {
		token, err := dec.ReadToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		text := token.String()
		if token.Kind() == '"' {
			text = `"` + text
		}
		list = append(list, text)
		if dec.StackDepth() == 0 {
			values++
		}
	}
	if values != 1 {
		return nil, errors.New("not exactly one value")
	}
	return list, nil
}

// treeTokens lists the same tokens from a tree.
func treeTokens(list []string, v jsontree.Value) []string {
	switch v.Kind() {
	case jsontree.Object:
		list = append(list, "{")
		for m := range v.Members() {
			list = append(list, `"`+m.Name())
			list = treeTokens(list, m.Value())
		}
		return append(list, "}")
	case jsontree.Array:
		list = append(list, "[")
		for _, e := range v.Elems() {
			list = treeTokens(list, e)
		}
		return append(list, "]")
	case jsontree.String:
		return append(list, `"`+v.Str())
	default:
		return append(list, v.Text())
	}
}

// compare parses data both ways and reports every disagreement: on whether it
// is JSON, on any decoded string or number text, and on whether a member name
// is repeated.
func compare(t *testing.T, data []byte) {
	t.Helper()
	plain := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	want, wantErr := oracleTokens(plain, true)
	tree, err := jsontree.Parse(data, jsontree.Options{MaxDepth: oracleDepth, Names: oracleNames})
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("parse says %v, jsontext says %v, for %.200q", err, wantErr, data)
	}
	checkError(t, "input", data, err)
	if err != nil {
		return
	}
	got := treeTokens(nil, tree.Root())
	// Almost always equal, and cmp is slow enough to hold the fuzzer up.
	if !slices.Equal(want, got) {
		diff := cmp.Diff(want, got)
		t.Errorf("tokens differ (-jsontext +tree) for %.200q:\n%s", data, diff)
	}
	checkSources(t, data, tree.Root())
	_, strictErr := oracleTokens(plain, false)
	if (len(tree.Duplicates()) > 0) != (strictErr != nil) {
		t.Errorf("%d repeated names found, jsontext says %v, for %.200q", len(tree.Duplicates()), strictErr, data)
	}
}

// checkSources reads the source of each of the first values of a document with jsontext.
func checkSources(t *testing.T, data []byte, root jsontree.Value) {
	t.Helper()
	for i := range min(root.EndNode(), 100) {
		v := root.Tree().At(i)
		raw, err := jsontext.NewDecoder(bytes.NewReader(data[v.Offset():]), jsontext.AllowDuplicateNames(true)).ReadValue()
		if err != nil || !bytes.Equal(raw, v.Source()) {
			t.Fatalf("node %d is %.200q, want %.200q, %v", i, v.Source(), raw, err)
		}
	}
}

// FuzzOracle holds the parser against jsontext, which was written and fuzzed by
// others, on arbitrary bytes. The two huge files of the suite are left to
// TestOracleSuite: as seeds they would keep the fuzzer busy shrinking them.
func FuzzOracle(f *testing.F) {
	const longest = 4 << 10
	files := suite(f)
	for _, name := range suiteNames(files) {
		if len(files[name]) <= longest {
			f.Add(files[name])
		}
	}
	for _, seed := range oracleSeeds() {
		f.Add([]byte(seed))
	}
	f.Fuzz(compare)
}

// oracleSeeds adds what the suite lacks: byte order marks, known names written
// with escapes, many members, and strings whose special byte falls on each
// place of an eight-byte word.
func oracleSeeds() []string {
	seeds := []string{
		"\xef\xbb\xbf{\"a\":1}",
		"\xef\xbb\xbf\xef\xbb\xbf{}",
		`{"name":1,"\u006eame":2}`,
		`{"x":1,"\u0078":2}`,
		`{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}`,
		`{"0":0,"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"\u0034":0}`,
		`["\ud83d\ude00\u00e9\"\\\/\b\f\n\r\t"]`,
		"[-0,0.0,1e5,1E+5,1.5e-5,-12.25]",
	}
	for _, special := range []string{`"`, `\n`, "\x1f", "\x7f", "é", "€", "😀", "\xff", "\xed\xa0\x80"} {
		for n := range 9 {
			seeds = append(seeds, `["`+strings.Repeat("a", n)+special+strings.Repeat("b", 8-n)+`"]`)
		}
	}
	return seeds
}

// TestOracleSuite compares the two on every file of the suite.
func TestOracleSuite(t *testing.T) {
	t.Parallel()
	for _, data := range suite(t) {
		compare(t, data)
	}
}

// TestOracleDepth compares the two exactly at the common nesting limit.
func TestOracleDepth(t *testing.T) {
	t.Parallel()
	for _, depth := range []int{oracleDepth - 1, oracleDepth, oracleDepth + 1} {
		compare(t, []byte(strings.Repeat("[", depth)+strings.Repeat("]", depth)))
		compare(t, []byte(strings.Repeat(`{"a":`, depth)+"0"+strings.Repeat("}", depth)))
	}
}

// TestOracleDefaultDepth fixes the limit that applies when nothing else is asked.
func TestOracleDefaultDepth(t *testing.T) {
	t.Parallel()
	for depth, want := range map[int]bool{1: true, 64: true, 65: false} {
		data := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		_, err := jsontree.Parse([]byte(data), jsontree.Options{})
		if (err == nil) != want {
			t.Errorf("depth %d: %v", depth, err)
		}
	}
}
