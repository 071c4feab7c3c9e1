package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/gen/genfile"
)

// installed is written by tools/ensure.sh once the packages are there.
const installed = sources + "/node_modules/.installed"

// needPackages ends the test where the packages of npm are missing.
func needPackages(t *testing.T) {
	t.Helper()
	_, err := os.Stat(installed)
	if err != nil {
		t.Fatal("the npm packages are not installed; run make test-deps")
	}
}

// TestCurrent builds the scripts again and compares them with those that are committed.
func TestCurrent(t *testing.T) {
	t.Parallel()
	needPackages(t)
	err := genfile.Check(target, files)
	if err != nil {
		t.Error(err)
	}
}

// TestTypes has the compiler check the types of all scripts.
func TestTypes(t *testing.T) {
	t.Parallel()
	needPackages(t)
	cmd := exec.CommandContext(t.Context(), "node", "node_modules/typescript/bin/tsc", "--noEmit", "--project", ".")
	cmd.Dir = sources
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("tsc: %v\n%s", err, out)
	}
}

// TestBuild builds a script with a package and a part that is loaded later, and some that
// must not be built.
func TestBuild(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main.ts":    "import { twice } from '@some/package';\nexport const a: number = twice(21);\nvoid import('./later');\n",
		"later.ts":   "console.log('later');\n",
		"wrong.ts":   "import './nowhere';\n",
		"strange.ts": "import 'strange';\n",
		"node_modules/@some/package/package.json": `{"name": "@some/package", "version": "1.2.3", "license": "MIT", "main": "index.js"}`,
		"node_modules/@some/package/index.js":     "export function twice(n) { return 2 * n; }\n",
		"node_modules/@some/package/LICENSE":      "Do what you like.\n",
		"node_modules/strange/package.json":       `{"name": "strange", "version": "1.0.0", "license": "SEE SOMEWHERE", "main": "index.js"}`,
		"node_modules/strange/index.js":           "console.log(1);\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err != nil {
			t.Fatal(err)
		}
		err = os.WriteFile(path, []byte(text), 0o600)
		if err != nil {
			t.Fatal(err)
		}
	}
	built, err := build(dir, []entry{{"made", "main.ts"}})
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, 0, len(built))
	for name := range built {
		names = append(names, name)
	}
	slices.Sort(names)
	if len(names) != 3 || !strings.HasPrefix(names[0], "later-") || names[1] != "licences.txt" || names[2] != "made.js" {
		t.Errorf("built %q", names)
	}
	if text := string(built["licences.txt"]); !strings.Contains(text, "@some/package 1.2.3 (MIT)\n\nDo what you like.") {
		t.Errorf("licences: %s", text)
	}
	if !strings.Contains(string(built["made.js"]), names[0]) || strings.Contains(string(built["made.js"]), ": number") {
		t.Errorf("made.js: %s", built["made.js"])
	}
	for source, want := range map[string]string{"wrong.ts": "wrong.ts:1", "strange.ts": `"SEE SOMEWHERE" is not one of`} {
		_, err := build(dir, []entry{{"made", source}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", source, err)
		}
	}
}
