package adagents

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/bench"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// straightRequests are requests in which nothing inside an entry is worked out.
var straightRequests = []string{
	`{}`,
	`{"authorized_agents": []}`,
	`{"last_updated": "2026-01-01T00:00:00Z", "x": [1, {"b": 1, "a": 2}], "authorized_agents": [{"url": "https://a.example", "authorization_type": "property_ids", "property_ids": ["a"]}], "$schema": 1}`,
	`{"include_schema": false, "include_timestamp": false, "catalog_etag": "old", "compute_etag": true, "formats": [{"params": {"width": 1, "b": 2}, "format_kind": "image"}]}`,
	`{"authoritative_location": "https://a.example/f", "compute_etag": true}`,
	`{"y": 1, "x": 2, "y": 3, "authorized_agents": 7}`,
	`{"include_schema": false, "include_timestamp": false}`,
	`{"properties": [], "authorized_agents": [], "formats": [{"format_option_id": "a", "format_kind": "image", "params": {}}]}`,
	`{"x": [], "": {}, "w\u0061y": ["\u00e9\u200b", "\"", {"a\n": null}], "n": [[1.5e3, true, [false, {}]]], "\u0075rl": "ü"}`,
	`{"tags": {"z": {"name": "Z"}, "a": {}}, "x": ["` + strings.Repeat(`a long one that does not fit on one line", "`, 4) + `\\", [], "\u0000"]}`,
}

// agrees compares the short way with the long one.
func agrees(t *testing.T, request []byte) {
	t.Helper()
	tree, err := jsontree.Parse(request, jsontree.Options{Names: names})
	if err != nil || !tree.Root().Is(Object) {
		return
	}
	b := builder{root: tree.Root(), opt: BuildOptions{Now: time.Unix(1_700_000_000, 0), Quoted: true}, built: new(Built), memory: usedBuilder(t)}
	etag := b.etag()
	for _, v := range b.root.Get("authorized_agents").Elems() {
		if impliedType(v) != "" {
			return
		}
	}
	long, err := Format(b.draft(etag))
	if err != nil {
		return
	}
	made := b.straight(etag)
	short := made.Source()
	if !bytes.Equal(long, short) {
		t.Errorf("%s\nbecomes\n%s\nand not\n%s", request, short, long)
	}
	if quoted := b.quoted(short); !bytes.Equal(quoted, b.built.Quoted) {
		t.Errorf("%s\nis quoted as\n%s\nand not as\n%s", short, b.built.Quoted, quoted)
	}
	read, err := jsontree.Parse(short, jsontree.Options{Names: names})
	if err != nil {
		t.Fatalf("%s cannot be read: %v", short, err)
	}
	if len(tree.Duplicates()) == 0 && !made.Equal(read) {
		t.Errorf("the tree made of %s is not that of reading it", short)
	}
}

// TestPairs writes values of every length about those that are written with their name at
// once, and compares with names that are not known to the formatter.
func TestPairs(t *testing.T) {
	t.Parallel()
	for n := range 2 * shortText {
		for _, value := range []string{
			`"` + strings.Repeat("v", n) + `"`, `"` + strings.Repeat("v", n) + `ü"`, `"` + strings.Repeat("v", n) + "\x7f" + `"`,
			`"\n` + strings.Repeat("v", n) + `"`, "1" + strings.Repeat("0", n), "true", "null", `{}`, `[]`,
		} {
			for _, after := range []string{"", ", \"zzz\": {}", strings.Repeat(" ", shortText)} {
				src := []byte(`{"name": ` + value + after + "}")
				tree, err := jsontree.Parse(src, jsontree.Options{Names: names})
				if err != nil {
					t.Fatal(err)
				}
				have, err := Format(src)
				if want := string(FormatValue(tree.Root())) + "\n"; err != nil || string(have) != want {
					t.Fatalf("%s becomes\n%s and not\n%s", src, have, want)
				}
				agrees(t, src)
			}
		}
	}
}

// usedBuilder returns a builder that has memory of another file.
func usedBuilder(t *testing.T) *Builder {
	t.Helper()
	b := new(Builder)
	_, err := b.Build([]byte(`{"authorized_agents": [], "signals": [], "x": ["`+strings.Repeat(`other", "\u0007`, 200)+`"]}`), BuildOptions{})
	if b.made == nil {
		t.Fatal("nothing was made: ", err)
	}
	return b
}

// TestBuilder makes files with memory that was used before.
func TestBuilder(t *testing.T) {
	t.Parallel()
	requests := slices.Concat(straightRequests, []string{
		`{`, `[]`, `{"compute_etag": 1}`, string(bench.Small()), `{"authorized_agents": [{"url": "https://a.example", "property_ids": ["a"]}]}`,
		string(bench.Publisher500()), string(bench.TagMatrix(100)), string(bench.DuplicateIDs(300)),
	})
	for _, r := range Rules() {
		requests = append(requests, string(Example(r.In, r.Bad)), string(Example(r.In, r.Good)))
	}
	b, opt := new(Builder), BuildOptions{Now: time.Unix(1_700_000_000, 0), Quoted: true}
	var room []byte
	for range 3 {
		for _, request := range requests {
			want, wantErr := Build([]byte(request), opt)
			again := opt
			again.Room = room
			got, err := b.Build([]byte(request), again)
			room = got.Quoted
			if (err == nil) != (wantErr == nil) || !bytes.Equal(got.File, want.File) || !bytes.Equal(got.Quoted, want.Quoted) {
				t.Errorf("%s\nbecomes\n%s (%v), and not\n%s (%v)", request, got.File, err, want.File, wantErr)
			}
			if diff := cmp.Diff(want.Report.Findings, got.Report.Findings); diff != "" {
				t.Error(request, diff)
			}
			if diff := cmp.Diff(want.Report.Skipped, got.Report.Skipped); diff != "" {
				t.Error(request, diff)
			}
			if diff := cmp.Diff(want.Inferred, got.Inferred); diff != "" {
				t.Error(request, diff)
			}
			if !reflect.DeepEqual(want.Report.File, got.Report.File) {
				t.Errorf("the content of %s is another", request)
			}
			if want.Report.tree != nil && !want.Report.tree.Equal(got.Report.tree) {
				t.Errorf("the tree of %s is another", request)
			}
		}
		slices.Reverse(requests)
	}
}

// TestBuilderHeld: what a builder keeps grows with the file before, and is a few times it.
func TestBuilderHeld(t *testing.T) {
	t.Parallel()
	b := new(Builder)
	for _, n := range []int{100, 1000} {
		for range 3 {
			file := bench.Large(n)
			built, err := b.Build(file, BuildOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if held, size := b.Held(), len(built.File); held < size || held > 10*size {
				t.Errorf("%d bytes are held for a file of %d", held, size)
			}
		}
	}
}

// TestQuotedStays: a quoted file is its caller's, also after the next was made.
func TestQuotedStays(t *testing.T) {
	t.Parallel()
	b, opt := new(Builder), BuildOptions{Quoted: true}
	first, err := b.Build(bench.Small(), opt)
	if err != nil {
		t.Fatal(err)
	}
	quoted := first.Quoted
	kept := bytes.Clone(quoted)
	_, err = b.Build(bench.Publisher500(), opt)
	if err != nil || !bytes.Equal(quoted, kept) {
		t.Errorf("another file was written over it: %v", err)
	}
}

func TestStraight(t *testing.T) {
	t.Parallel()
	for _, request := range straightRequests {
		agrees(t, []byte(request))
	}
}

func FuzzStraight(f *testing.F) {
	for _, request := range straightRequests {
		f.Add([]byte(request))
	}
	f.Fuzz(agrees)
}
