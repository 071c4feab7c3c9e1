package repotest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// public are the packages that outside programs may rely on; docs/decisions/0059 says why these.
var public = []string{
	".", "adagents", "conformance", "discover", "formats", "keypin", "keypin/pinhttp", "receipt", "resolve", "schemas", "supplypath",
}

// TestPublicPackages: nothing else can be imported from outside but docs, which is not promised, and each
// has a runnable example.
func TestPublicPackages(t *testing.T) {
	t.Parallel()
	var found []string
	for _, p := range load(t).own() {
		name := rel(p.ImportPath)
		if p.Name == "main" || name == "docs" || strings.HasPrefix(name, "internal/") {
			continue
		}
		found = append(found, name)
		if !hasExample(t, p.Dir) {
			t.Errorf("%s has no example with an output", name)
		}
	}
	slices.Sort(found)
	if !slices.Equal(found, public) {
		t.Errorf("public are %v, want %v", found, public)
	}
}

func hasExample(t *testing.T, dir string) bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(names, func(name string) bool {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, example, ok := bytes.Cut(src, []byte("\nfunc Example"))
		return ok && bytes.Contains(example, []byte("\n\t// Output:\n"))
	})
}
