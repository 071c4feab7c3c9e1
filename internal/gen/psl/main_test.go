package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// committed is the file the generator keeps.
var committed = filepath.Join("..", "..", "hostname", "psl_gen.txt")

func TestCommittedListIsCurrent(t *testing.T) {
	t.Parallel()
	err := run(committed, true)
	if err != nil {
		t.Fatal(err)
	}
}

func TestCheckFindsDifference(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "list.txt")
	err := run(path, false)
	if err != nil {
		t.Fatal(err)
	}
	err = run(path, true)
	if err != nil {
		t.Errorf("fresh file: %v", err)
	}
	err = run("main.go", true)
	if err == nil || !strings.Contains(err.Error(), "out of date") {
		t.Errorf("foreign file: got error %v, want one that says out of date", err)
	}
}

func TestRenderSortsWithinSections(t *testing.T) {
	t.Parallel()
	l := list{rules: []string{"b", "a", "d.a", "c.b"}, icann: 2, revision: "f00", date: "2026-01-02"}
	got := string(l.render("v1.2.3"))
	want := "# Section: icann\na\nb\n# Section: private\nc.b\nd.a\n"
	if !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant it to end in\n%s", got, want)
	}
	if !strings.Contains(got, "# Date: 2026-01-02\n") {
		t.Error("no date in the header")
	}
}

func TestReadListErrors(t *testing.T) {
	t.Parallel()
	_, err := readList(t.TempDir())
	if err == nil {
		t.Error("no error for a folder without tables")
	}
}
