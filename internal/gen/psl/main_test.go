package main

import (
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/gen/genfile"
)

func TestCommittedListIsCurrent(t *testing.T) {
	t.Parallel()
	err := genfile.Check("../../std/hostname", files)
	if err != nil {
		t.Fatal(err)
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
