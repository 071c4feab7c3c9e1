package repotest

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// The tests in this file break each rule on purpose: a checker that finds
// nothing is only worth something when it is known to find.

// invented is a package of this module that does not exist.
func invented(path string, imports ...string) *goPackage {
	return &goPackage{ImportPath: module + "/" + path, Imports: imports}
}

// wantProblem asks for exactly one problem that contains all the given words,
// or for none when there are no words.
func wantProblem(t *testing.T, problems []string, words ...string) {
	t.Helper()
	if len(words) == 0 {
		if len(problems) > 0 {
			t.Errorf("unexpected problems: %q", problems)
		}
		return
	}
	if len(problems) != 1 {
		t.Fatalf("want one problem, have %q", problems)
	}
	for _, w := range words {
		if !strings.Contains(problems[0], w) {
			t.Errorf("problem %q lacks %q", problems[0], w)
		}
	}
}

func TestLayerRuleCatches(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		pkg  *goPackage
		want []string
	}{
		{"allowed import", invented("adagents", module+"/internal/std/jsontree", "fmt"), nil},
		{"allowed by prefix", invented("internal/service/api/out", module+"/internal/service/ops"), nil},
		{"inward package imports outward", invented("adagents", module+"/internal/cli"), []string{"adagents must not import internal/cli"}},
		{"leaf imports leaf", invented("internal/std/jwk", module+"/internal/std/spell"), []string{"internal/std/jwk must not import internal/std/spell", "a leaf"}},
		{"neighbours", invented("internal/service/api", module+"/internal/service/web"), []string{"internal/service/api must not import internal/service/web"}},
		{"two formats", invented("internal/adstxt", module+"/adagents"), []string{"internal/adstxt must not import adagents"}},
		{"main goes around the command line", invented("cmd/avow", module+"/adagents"), []string{"cmd/avow must not import adagents"}},
		{"nobody imports benchmarks", invented("internal/cli", module+"/bench"), []string{"must not import bench"}},
		{"unknown package", invented("internal/surprise"), []string{"internal/surprise has no row"}},
		{"similar name is not a part", invented("tools2"), []string{"tools2 has no row"}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			wantProblem(t, checkLayers(layers, newGraph(tc.pkg)), tc.want...)
		})
	}
}

func TestTableRuleCatches(t *testing.T) {
	t.Parallel()
	wantProblem(t, checkTable([]layer{{"a", []string{"b"}, "why"}, {"b", nil, "why"}}), "a may import b", "not an earlier row")
	wantProblem(t, checkTable([]layer{{"a", nil, ""}}), "a has no reason")
	wantProblem(t, checkTable([]layer{{"a", nil, "why"}, {"b/...", []string{"a", "b/..."}, "why"}}))
}

func TestTestOnlyRuleCatches(t *testing.T) {
	t.Parallel()
	wantProblem(t, checkTestOnly(newGraph(invented("adagents", "github.com/google/go-cmp/cmp"))), "adagents imports", "outside its tests")
	wantProblem(t, checkTestOnly(newGraph(invented("adagents", "testing/fstest"))), "testing/fstest")
	wantProblem(t, checkTestOnly(newGraph(invented("internal/bench", "testing"))))
	wantProblem(t, checkTestOnly(newGraph(invented("internal/test/storetest", "testing"))))
	wantProblem(t, checkTestOnly(newGraph(invented("internal/service/store/sqlite", "testing"))), "internal/service/store/sqlite imports testing")
	wantProblem(t, checkTestOnly(newGraph(invented("internal/cli", module+"/internal/test/pgtest"))), "internal/cli imports", "pgtest")
}

func TestReachRuleCatches(t *testing.T) {
	t.Parallel()
	outside := []*goPackage{
		{ImportPath: "net", Imports: []string{"os"}, Standard: true},
		{ImportPath: "net/netip", Standard: true},
		{ImportPath: "net/http", Standard: true},
		{ImportPath: "os", Standard: true},
		{ImportPath: "fmt", Imports: []string{"os"}, Standard: true},
		{ImportPath: "example.org/helper", Imports: []string{"example.org/deeper"}},
		{ImportPath: "example.org/deeper", Imports: []string{"net"}},
	}
	tests := []struct {
		name string
		pkg  *goPackage
		want []string
	}{
		{"addresses without the network", invented("adagents", "net/netip"), nil},
		{"fmt brings os along, which is allowed", invented("adagents", "fmt"), nil},
		{"direct", invented("adagents", "net/http"), []string{"adagents reaches net/http"}},
		{"indirect, with the chain", invented("internal/std/jwk", "example.org/helper"), []string{"example.org/helper -> example.org/deeper -> net"}},
		{"os", invented("internal/std/spell", "os"), []string{"internal/std/spell imports os"}},
		{"below os", invented("internal/std/spell", "os/exec"), []string{"imports os/exec"}},
		{"slog", invented("adagents", "log/slog"), []string{"imports log/slog"}},
		{"database", invented("internal/custody", "database/sql"), []string{"internal/custody reaches database/sql"}},
		{"other packages may", invented("internal/cli", "net/http", "os"), nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			wantProblem(t, checkReach(newGraph(append(outside[:len(outside):len(outside)], tc.pkg)...)), tc.want...)
		})
	}
}

func TestClockRuleCatches(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, source string
		want         []string
	}{
		{"values of time are fine", `import "time"; var d = time.Second; var t time.Time`, nil},
		{"call", `import "time"; func f() { time.Now() }`, []string{"p.go:1:", "time.Now"}},
		{"mention without a call", `import "time"; var clock = time.Now`, []string{"time.Now"}},
		{"alias", `import tm "time"; var clock = tm.Now`, []string{"time.Now"}},
		{"dot import", `import . "time"; var clock = Now`, []string{"dot import"}},
		{"elapsed time", `import "time"; func f(t time.Time) { time.Since(t) }`, []string{"time.Since"}},
		{"the machine's zone", `import "time"; var z = time.Local`, []string{"time.Local"}},
		{"another Now", `var time struct{ Now int }; var n = time.Now`, nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, "p.go", "package p; "+tc.source, 0)
			if err != nil {
				t.Fatal(err)
			}
			wantProblem(t, checkClock(fset, file), tc.want...)
		})
	}
}
