package guide

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/avow-project/avow/docs"
	"github.com/avow-project/avow/internal/buildinfo"
)

func small(t *testing.T, pages map[string]string) *Guide {
	t.Helper()
	files := fstest.MapFS{}
	for name, text := range pages {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	g, err := New(files, Options{
		Page: func(slug string) string { return "/g/" + slug },
		Elsewhere: func(file, fragment string) string {
			if file == "rules.md" {
				return "/rules/" + fragment
			}
			return ""
		},
		Exists: func(name string) bool { return name == "docs/other.md" || name == "LICENSE" },
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

var twoPages = map[string]string{
	"guide/README.md": "# Guide\n\nHello.\n\n## Begin\n\n* [One](one.md): the first\n  of them\n* [Two](../two.md): the second\n\n## More\n\n* [Rules](../rules.md): all\n",
	"guide/one.md":    "# The first\n\nSee [two](../two.md#part), [a rule](../rules.md#x), [a file](../other.md), [the licence](../../LICENSE) and [me](#sub).\n\n## Sub\n\nPinned keys of agents, and more about keys.\n",
	"two.md":          "# The second\n\n## Part\n\nText about [keys](guide/one.md) and a thing.\n",
}

func TestNew(t *testing.T) {
	t.Parallel()
	g := small(t, twoPages)
	if len(g.Problems) > 0 {
		t.Error(g.Problems)
	}
	if len(g.Parts) != 2 || g.Parts[0].Entries[0].About != "the first of them" || g.Parts[1].Entries[0].URL != "/rules/" || g.Parts[0].Entries[1].URL != "/g/two" {
		t.Errorf("%+v", g.Parts)
	}
	one, two := g.Pages["one"], g.Pages["two"]
	for _, want := range []string{`"/g/two#part"`, `"/rules/x"`, buildinfo.Source("docs/other.md"), buildinfo.Source("LICENSE"), `"#sub"`} {
		if !strings.Contains(one.HTML, want) {
			t.Errorf("no %s in %s", want, one.HTML)
		}
	}
	if one.Before != nil || one.After == nil || one.After.URL != "/g/two" || two.Before.URL != "/g/one" || two.After != nil || one.Part != "Begin" {
		t.Errorf("%+v, %+v", one, two)
	}
	if g.Pages[""].Title != "Guide" || !strings.Contains(two.HTML, `"/g/one"`) {
		t.Errorf("%+v", g.Pages)
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"guide/README.md": twoPages["guide/README.md"], "two.md": twoPages["two.md"], "guide/one.md": "# One\n\n[a](nothing.md) [b](../two.md#none) [c](#none) [d](https://e.example/#none)\n"}
	got := small(t, pages).Problems
	slices.Sort(got)
	want := []string{"guide/one.md: the link #none leads to no heading", "guide/one.md: the link ../two.md#none leads to no heading", "guide/one.md: the link nothing.md leads nowhere"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for name, page := range map[string]string{"empty": "# Guide\n", "no title": twoPages["guide/README.md"]} {
		_, err := New(fstest.MapFS{"guide/README.md": {Data: []byte(page)}, "two.md": {Data: []byte("text")}}, Options{Page: func(s string) string { return s }})
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	_, err := New(fstest.MapFS{}, Options{})
	if err == nil {
		t.Error("no documents: no error")
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	g := small(t, twoPages)
	hits, n := g.Search("KEYS pinned")
	if n != 1 || hits[0].Page.Slug != "one" || hits[0].ID != "sub" || strings.Join(hits[0].Excerpt, "|") != "|Pinned| |keys| of agents, and more about |keys|." {
		t.Errorf("%d: %+v", n, hits)
	}
	hits, n = g.Search("keys")
	if n != 2 || hits[0].Page.Slug != "one" || hits[1].Title != "Part" {
		t.Errorf("%d: %+v", n, hits)
	}
	hits, _ = g.Search("part")
	if len(hits) != 1 || len(hits[0].Excerpt) != 1 {
		t.Errorf("a heading alone: %+v", hits)
	}
	for _, none := range []string{"", "  ", "keys zebra", strings.Repeat("zz ", 500)} {
		if hits, n := g.Search(none); n != 0 || len(hits) != 0 {
			t.Errorf("%q: %+v", none, hits)
		}
	}
}

// TestServed is about the real documents: all of the folder guide are in the table of
// contents, and the search finds what people look for.
func TestServed(t *testing.T) {
	t.Parallel()
	g, err := New(docs.Guide, Options{Page: func(slug string) string { return "/guide/" + slug }, Elsewhere: func(file, _ string) string { return "/" + file }})
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{"README.md": true}
	for _, part := range g.Parts {
		for _, e := range part.Entries {
			listed[strings.TrimPrefix(e.file, "guide/")] = true
			if e.About == "" {
				t.Errorf("%s: the table of contents says nothing about it", e.Title)
			}
		}
	}
	entries, err := docs.Guide.ReadDir("guide")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !listed[e.Name()] {
			t.Errorf("%s is not in the table of contents", e.Name())
		}
	}
	for query, slug := range map[string]string{"pinned key": "trust", "rollout": "network", "ads.txt draft": "ads-txt", "backup": "operator"} {
		hits, _ := g.Search(query)
		if !slices.ContainsFunc(hits[:min(len(hits), 8)], func(h Hit) bool { return h.Page.Slug == slug }) {
			t.Errorf("%s: %s is not among the first", query, slug)
		}
	}
}

// FuzzExcerpt makes sure that no text and no words make it fall over.
func FuzzExcerpt(f *testing.F) {
	f.Add("one two three", "two")
	f.Add(strings.Repeat("x", 500)+" İ key", "key x")
	f.Fuzz(func(t *testing.T, text, query string) {
		words := strings.Fields(strings.ToLower(query))
		joined := strings.Join(excerpt(text, words), "")
		if len(joined) > len(text)+len(strings.ToLower(text))+20 {
			t.Errorf("%q", joined)
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	g, err := New(docs.Guide, Options{Page: func(slug string) string { return slug }})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		g.Search("pinned keys")
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		_, err := New(docs.Guide, Options{Page: func(slug string) string { return slug }})
		if err != nil {
			b.Fatal(err)
		}
	}
}
