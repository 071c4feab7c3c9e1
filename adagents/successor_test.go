package adagents_test

import (
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
)

// TestSuccessor: a file leads to a URL exactly if the check has nothing against it.
func TestSuccessor(t *testing.T) {
	t.Parallel()
	const long = "https://next.example/"
	for written, want := range map[string]string{
		"https://Next.example:443/a.json":                "https://next.example/a.json",
		long + strings.Repeat("a", 8_000-len(long)):      long + strings.Repeat("a", 8_000-len(long)),
		long + strings.Repeat("a", 8_001-len(long)):      "",
		long + strings.Repeat("\u00e4", 4_000-len(long)): "",
		"http://next.example/a.json":                     "",
		"https://user@next.example/a.json":               "",
		"next.example":                                   "",
		"":                                               "",
	} {
		r := adagents.Check([]byte(`{"superseded_by": "`+written+`", "authorized_agents": []}`), adagents.Options{})
		got, ok := r.File.Successor()
		if got != want || ok != (want != "") {
			t.Errorf("%.40q: %.40q %v", written, got, ok)
		}
		invalid := false
		for i := range r.Findings {
			invalid = invalid || r.Findings[i].Code == "file.superseded_by_invalid"
		}
		if invalid == ok {
			t.Errorf("%.40q: it leads on: %v, it is invalid: %v", written, ok, invalid)
		}
	}
	_, ok := (*adagents.File)(nil).Successor()
	if ok {
		t.Error("no file has a successor")
	}
}
