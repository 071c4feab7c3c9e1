package deploy

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the files of testdata")

// shown writes steps in the form of the files in testdata.
func shown(steps []Step) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "== %s: %s\n", [...]string{"advice", "file", "part", "shell"}[s.Kind], s.Do)
		if s.Path != "" {
			fmt.Fprintf(&b, "-- %s --\n", s.Path)
		}
		b.WriteString(s.Text)
	}
	return b.String()
}

func TestSteps(t *testing.T) {
	t.Parallel()
	pointer := Site{
		Content: []byte("{\n  \"authoritative_location\": \"https://cdn.network.example/it's/$1.json\"\n}\n"),
		Domains: []string{"news.example", "shop.news.example"},
	}
	for _, h := range Hosts() {
		got := shown(h.Steps(pointer))
		name := filepath.Join("testdata", h.Name+".txt")
		if *update {
			err := os.WriteFile(name, []byte(got), 0o600)
			if err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s: %s", h.Name, diff)
		}
	}
}

// TestEveryHost looks at what no host may lack.
func TestEveryHost(t *testing.T) {
	t.Parallel()
	content := `{"name": "a \"b\" \\ </script> ' $x"}`
	for _, many := range []bool{false, true} {
		s := Site{Content: []byte(content), Domains: []string{"one.example"}}
		for i := 0; many && i < 2*few; i++ {
			s.Domains = append(s.Domains, fmt.Sprintf("p%d.example", i))
		}
		for _, h := range Hosts() {
			whole, list := 0, 0
			for _, step := range h.Steps(s) {
				if step.Do == "" || strings.HasSuffix(step.Do, ".") || (step.Kind == Advice) != (step.Text == "") || step.Kind == Whole && step.Path == "" {
					t.Errorf("%s: %+v", h.Name, step)
				}
				if step.Kind == Whole && filepath.Base(step.Path) == FileName && step.Text == content {
					whole++
				}
				if step.Path == ListName && strings.Count(step.Text, "\n") == len(s.Domains) {
					list++
				}
			}
			if whole != 1 || (list == 1) != many {
				t.Errorf("%s, many domains %v: the file is there %d times, the list %d times", h.Name, many, whole, list)
			}
		}
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		h, ok := Lookup(name)
		if !ok || h.Name != name || h.Title == "" {
			t.Errorf("%s: %+v", name, h)
		}
	}
	if _, ok := Lookup("gopher"); ok {
		t.Error("there is no such host")
	}
}
