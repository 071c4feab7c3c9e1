package repotest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// goMod is the part of `go mod edit -json` the rules look at.
type goMod struct {
	Module  struct{ Path string }
	Go      string
	Require []struct {
		Path, Version string
		Indirect      bool
	}
	Replace []struct{ Old struct{ Path string } }
	Exclude []struct{ Path string }
}

// version is that of a required module, or empty.
func (m goMod) version(path string) string {
	for _, r := range m.Require {
		if r.Path == path {
			return r.Version
		}
	}
	return ""
}

// readGoMod returns a parsed go.mod file, named from the top of the repository.
func readGoMod(t *testing.T, name string) goMod {
	t.Helper()
	cmd := exec.Command("go", "mod", "edit", "-json", name)
	cmd.Dir = rootDir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var mod goMod
	err = json.Unmarshal(out, &mod)
	if err != nil {
		t.Fatal(err)
	}
	return mod
}

func TestGoModIsPlain(t *testing.T) {
	t.Parallel()
	mod := readGoMod(t, "go.mod")
	if mod.Module.Path != module {
		t.Errorf("module is %q, want %q", mod.Module.Path, module)
	}
	if !regexp.MustCompile(`^1\.\d+\.\d+$`).MatchString(mod.Go) {
		t.Errorf("go directive %q must name a full version", mod.Go)
	}
	for _, r := range mod.Replace {
		t.Errorf("replace of %s: `go install` of this module refuses replace directives", r.Old.Path)
	}
	for _, e := range mod.Exclude {
		t.Errorf("exclude of %s: raise the requirement instead, users do not see excludes", e.Path)
	}
	sums := read(t, "go.sum")
	for _, r := range mod.Require {
		if !strings.Contains(sums, r.Path+" "+r.Version+"/go.mod h1:") {
			t.Errorf("%s %s has no checksum in go.sum", r.Path, r.Version)
		}
	}
}

func TestNoticeNamesEveryModule(t *testing.T) {
	t.Parallel()
	notice := read(t, "NOTICE")
	major := regexp.MustCompile(`/v\d+$`)
	for _, r := range readGoMod(t, "go.mod").Require {
		name := major.ReplaceAllString(r.Path, "")
		if !strings.Contains(notice, "\n"+name+" ") {
			t.Errorf("NOTICE does not name %s and its licence", name)
		}
	}
}

// TestLibcFitsSQLite: modernc.org/sqlite is translated for one version of
// modernc.org/libc, and its documentation asks for exactly that one. Raising
// another module may raise it unseen.
func TestLibcFitsSQLite(t *testing.T) {
	t.Parallel()
	const libc, sqlite = "modernc.org/libc", "modernc.org/sqlite"
	var found struct{ GoMod string }
	cmd := exec.Command("go", "list", "-m", "-json=GoMod", sqlite)
	cmd.Dir = rootDir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	err = json.Unmarshal(out, &found)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := readGoMod(t, "go.mod").version(libc), readGoMod(t, found.GoMod).version(libc)
	if ours == "" || ours != theirs {
		t.Errorf("go.mod has %s %q, %s is made for %q", libc, ours, sqlite, theirs)
	}
}

func TestToolsArePinned(t *testing.T) {
	t.Parallel()
	floating := regexp.MustCompile(`@(latest|upgrade|patch|main|master)\b`)
	for _, name := range files(t) {
		building := name == "Makefile" || strings.HasPrefix(name, ".ci/") || strings.HasPrefix(name, ".github/") || strings.HasPrefix(name, "tools/")
		if !building {
			continue
		}
		for _, m := range floating.FindAllString(read(t, name), -1) {
			t.Errorf("%s uses %s; a build must not change by itself", name, m)
		}
	}
}

func TestCIRunsMakeTest(t *testing.T) {
	t.Parallel()
	script := read(t, ".ci/run")
	if !regexp.MustCompile(`\nmake -C "\S+" test\n$`).MatchString(script) {
		t.Error(".ci/run must end in `make test`, so that it runs what contributors run")
	}
	info, err := os.Stat(filepath.Join(rootDir, ".ci/run"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode()&0o111 == 0 {
		t.Error(".ci/run is not executable")
	}
	if !strings.Contains(read(t, ".github/workflows/ci.yml"), "make test") {
		t.Error("the workflow must run `make test`")
	}
}

// targets maps the make targets to their help text, empty when they have none.
func targets(makefile string) map[string]string {
	found := map[string]string{}
	rule := regexp.MustCompile(`(?m)^([a-z][a-z-]*):[^=\n]*?(?:## (.*))?$`)
	for _, m := range rule.FindAllStringSubmatch(makefile, -1) {
		found[m[1]] = m[2]
	}
	return found
}

// mentioned lists the make targets that a document tells the reader to run.
func mentioned(text string) []string {
	var names []string
	command := regexp.MustCompile("(?m)(?:`|^    (?:\\$ )?)make ([a-z][a-z-]*)")
	for _, m := range command.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

func TestDocumentedTargetsExist(t *testing.T) {
	t.Parallel()
	known := targets(read(t, "Makefile"))
	if len(mentioned(read(t, "CONTRIBUTING.md"))) == 0 {
		t.Error("CONTRIBUTING.md names no make target; the rule would check nothing")
	}
	for _, name := range files(t) {
		if filepath.Ext(name) != ".md" {
			continue
		}
		for _, target := range mentioned(read(t, name)) {
			_, ok := known[target]
			if !ok {
				t.Errorf("%s mentions `make %s`, which the Makefile does not have", name, target)
			}
		}
	}
}

func TestEveryTargetHasHelp(t *testing.T) {
	t.Parallel()
	makefile := read(t, "Makefile")
	known := targets(makefile)
	for name, help := range known {
		if help == "" {
			t.Errorf("make target %s has no ## text, so `make help` hides it", name)
		}
		if !strings.Contains(makefile, "\n.PHONY: "+name+"\n") {
			t.Errorf("make target %s is not declared .PHONY; a file of that name would disable it", name)
		}
	}
	for _, name := range []string{"help", "build", "test", "race", "fuzz", "bench", "lint", "generate", "clean", "tidy-check"} {
		_, ok := known[name]
		if !ok {
			t.Errorf("make target %s is missing", name)
		}
	}
}

// TestRaceNamesTests: a test that SHARED names is in a package of PARTLY, or go test would not say so.
// Elsewhere no test has such a name: `make unit` would leave it out and `make race` not run it.
func TestRaceNamesTests(t *testing.T) {
	t.Parallel()
	makefile := read(t, "Makefile")
	value := func(name string) string {
		m := regexp.MustCompile(`(?m)^` + name + ` *:= *(.+)$`).FindStringSubmatch(makefile)
		if m == nil {
			t.Fatalf("the Makefile does not set %s", name)
		}
		return m[1]
	}
	partly := strings.Fields(value("PARTLY"))
	var tests, others strings.Builder
	for _, name := range files(t) {
		switch {
		case !strings.HasSuffix(name, "_test.go"):
		case slices.Contains(partly, path.Dir(name)):
			tests.WriteString(read(t, name))
		default:
			others.WriteString(read(t, name))
		}
	}
	for _, name := range strings.Split(value("SHARED"), "|") {
		function := "\nfunc " + name + "(t *testing.T)"
		if !strings.Contains(tests.String(), function) {
			t.Errorf("SHARED names %s, which none of the packages in PARTLY has", name)
		}
		if strings.Contains(others.String(), function) {
			t.Errorf("SHARED names %s, which a package has that is not in PARTLY", name)
		}
	}
}

func TestTargetRulesCatch(t *testing.T) {
	t.Parallel()
	got := targets("X := 1\na: b ## does a\nb:\n\techo c: ## no\nd: ## does d\n")
	if len(got) != 3 || got["a"] != "does a" || got["b"] != "" || got["d"] != "does d" {
		t.Errorf("targets = %q", got)
	}
	names := mentioned("Run `make test`.\n\n    make lint\n    $ make tidy-check\n\nThis will make sure.\n")
	want := []string{"test", "lint", "tidy-check"}
	if !slices.Equal(names, want) {
		t.Errorf("mentioned = %q, want %q", names, want)
	}
}
