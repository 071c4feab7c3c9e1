package jsonedit

import (
	"testing"

	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/textedit"
)

// TestEdits makes one edit each.
func TestEdits(t *testing.T) {
	t.Parallel()
	lookup := func(e *Editor, pointer string) jsontree.Value {
		v, ok := e.tree.Lookup(pointer)
		if !ok {
			t.Fatal(pointer)
		}
		return v
	}
	remove := func(pointer string) func(*Editor) []textedit.Edit {
		return func(e *Editor) []textedit.Edit { return []textedit.Edit{e.Remove(lookup(e, pointer))} }
	}
	removeAll := func(pointers ...string) func(*Editor) []textedit.Edit {
		return func(e *Editor) []textedit.Edit {
			var values []jsontree.Value
			for _, p := range pointers {
				values = append(values, lookup(e, p))
			}
			return e.RemoveAll(values...)
		}
	}
	add := func(pointer string) func(*Editor) []textedit.Edit {
		return func(e *Editor) []textedit.Edit {
			return []textedit.Edit{e.AddMember(lookup(e, pointer), "n", "0")}
		}
	}
	for _, c := range []struct {
		src  string
		edit func(e *Editor) []textedit.Edit
		want string
	}{
		{`{"a": 1, "b": {"c": []}, "d": 2}`, remove("/a"), `{"b": {"c": []}, "d": 2}`},
		{`{"a": 1, "b": {"c": []}, "d": 2}`, remove("/b"), `{"a": 1, "d": 2}`},
		{`{"a": 1, "b": {"c": []}, "d": 2}`, remove("/d"), `{"a": 1, "b": {"c": []}}`},
		{`{"a": 1, "b": {"c": [ ] } , "d": 2}`, remove("/b/c"), `{"a": 1, "b": {} , "d": 2}`},
		{"{\n  \"a\": [\n    1,\n    2\n  ]\n}", remove("/a/0"), "{\n  \"a\": [\n    2\n  ]\n}"},
		{"{\n  \"a\": [\n    1,\n    2\n  ]\n}", remove("/a/1"), "{\n  \"a\": [\n    1\n  ]\n}"},
		{`[[ [ ] , {"a": [{}]} ] , 3]`, remove("/0"), `[3]`},
		{`{"a": 1, "b": {"c": []}, "d": 2}`, removeAll("/b", "/a"), `{"d": 2}`},
		{`{"a": 1, "b": {"c": []}, "d": 2}`, removeAll("/a", "/d"), `{"b": {"c": []}}`},
		{`{"a": 1, "b": {"c": []}, "d": 2}`, removeAll("/b", "/d"), `{"a": 1}`},
		{`{"a": 1, "b": {"c": []}, "d": 2}`, removeAll("/a", "/b", "/d"), `{}`},
		{`{"a": [0, 1, 2, 3, 4], "b": 5}`, removeAll("/a/0", "/a/1", "/a/3", "/b"), `{"a": [2, 4]}`},
		{`{}`, add(""), `{"n": 0}`},
		{`{"a":1}`, add(""), `{"a":1,"n":0}`},
		{`{"a": 1}`, add(""), `{"a": 1, "n": 0}`},
		{"{\r\n\t\"a\" : {\"b\" : 1}\r\n}", add(""), "{\r\n\t\"a\" : {\"b\" : 1},\r\n\t\"n\" : 0\r\n}"},
		{"{\n  \"a\": 1, \"b\": 2}", add(""), "{\n  \"a\": 1, \"b\": 2, \"n\": 0}"},
		{`{"a":{}}`, add("/a"), `{"a":{"n":0}}`},
		{`{"a": [1, 2]}`, func(e *Editor) []textedit.Edit { return []textedit.Edit{e.Append(lookup(e, "/a"), "3")} }, `{"a": [1, 2, 3]}`},
		{`{"a": [1]}`, func(e *Editor) []textedit.Edit { return []textedit.Edit{e.Append(lookup(e, "/a"), "3")} }, `{"a": [1, 3]}`},
		{`{"a": {"b": [] }}`, func(e *Editor) []textedit.Edit { return e.Wrap(lookup(e, "/a")) }, `{"a": [{"b": [] }]}`},
		{`{"a": 1}`, func(e *Editor) []textedit.Edit { return []textedit.Edit{e.Rename(lookup(e, "/a"), "b\"")} }, `{"b\"": 1}`},
		{`{"a": {"b": [{ }] } }`, func(e *Editor) []textedit.Edit {
			return []textedit.Edit{e.Replace(lookup(e, "/a"), e.Object("c", e.List(Strings([]string{"x", "y"})...)))}
		}, `{"a": {"c": ["x", "y"]} }`},
		{`{"a":{"b":[{ }] } }`, func(e *Editor) []textedit.Edit {
			return []textedit.Edit{e.Replace(lookup(e, "/a/b"), e.Object("c", e.List("1", "2"), "d", "3"))}
		}, `{"a":{"b":{"c":[1,2],"d":3} } }`},
	} {
		tree, err := jsontree.Parse([]byte(c.src), jsontree.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := textedit.Apply([]byte(c.src), c.edit(New(tree)))
		if err != nil || string(got) != c.want {
			t.Errorf("%s\nbecomes %s\nwant    %s\n%v", c.src, got, c.want, err)
		}
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	tree, err := jsontree.Parse([]byte(`{"a": [true]}`), jsontree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, a := New(tree), tree.Root().Get("a")
	if e.Name(a) != "a" || e.Name(a.Index(0)) != "" || e.Name(tree.Root()) != "" || e.Parent(tree.Root()).Exists() || e.Source(a) != "[true]" {
		t.Errorf("%q, %q, %q", e.Name(a), e.Name(a.Index(0)), e.Source(a))
	}
}
