package repotest

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// goList runs `go list` and returns its lines.
func goList(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = rootDir
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOFLAGS=-mod=readonly")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v\n%s", args, err, &stderr)
	}
	return strings.Fields(string(out))
}

// TestGoModIsTidy is what `go mod tidy` would say about direct and indirect modules, from
// what is on this machine: that command also wants the tests of other people's modules.
func TestGoModIsTidy(t *testing.T) {
	t.Parallel()
	direct := map[string]bool{}
	const imports = `{{range .Imports}}{{.}} {{end}}{{range .TestImports}}{{.}} {{end}}{{range .XTestImports}}{{.}} {{end}}`
	for _, path := range goList(t, "-f", imports, "./...") {
		direct[path] = true
	}
	mod := readGoMod(t, "go.mod")
	owner := func(path string) string {
		best := ""
		for _, r := range mod.Require {
			if (path == r.Path || strings.HasPrefix(path, r.Path+"/")) && len(r.Path) > len(best) {
				best = r.Path
			}
		}
		return best
	}
	imported := map[string]bool{}
	for path := range direct {
		imported[owner(path)] = true
	}
	for _, r := range mod.Require {
		switch {
		case r.Indirect && imported[r.Path]:
			t.Errorf("go.mod calls %s indirect, and the repository imports it; run go mod tidy", r.Path)
		case !r.Indirect && !imported[r.Path]:
			t.Errorf("go.mod does not call %s indirect, and the repository does not import it; run go mod tidy", r.Path)
		}
	}
}

// licences tells licences by what only they say.
var licences = []struct {
	name string
	says *regexp.Regexp
}{
	{"Mozilla Public License 2.0", regexp.MustCompile(`Mozilla Public License,? [Vv]ersion 2\.0`)},
	{"Apache License 2.0", regexp.MustCompile(`Apache License\s+Version 2\.0`)},
	{"MIT", regexp.MustCompile(`Permission is hereby granted, free of charge, to any person obtaining`)},
	{"BSD 3-Clause", regexp.MustCompile(`(?s)Redistribution and use in source and binary forms.*(Neither the name|names? of .{0,80}may not)`)},
}

// linkable are the licences of what may be part of a binary. Tests may use modules
// under any that is told.
var linkable = []string{"Apache License 2.0", "MIT", "BSD 3-Clause"}

// licencesIn tells the licences of a module from the file in its folder: that of the module,
// and after it those of the parts that the same file has.
func licencesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !regexp.MustCompile(`(?i)^(licen[cs]e|copying)(\.(md|txt))?$`).MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		at := map[int]string{}
		for _, l := range licences {
			found := l.says.FindIndex(text)
			if found != nil {
				at[found[0]] = l.name
			}
		}
		var names []string
		for _, offset := range slices.Sorted(maps.Keys(at)) {
			names = append(names, at[offset])
		}
		return names
	}
	return nil
}

// TestLicences holds the modules that are compiled to the licences that are allowed, and
// NOTICE to what the modules say themselves.
func TestLicences(t *testing.T) {
	t.Parallel()
	const form = `{{with .Module}}{{if not .Main}}{{.Path}}={{.Dir}}{{end}}{{end}}`
	folders, linked := map[string]string{}, map[string]bool{}
	for _, line := range goList(t, "-deps", "-test", "-f", form, "./...") {
		path, dir, _ := strings.Cut(line, "=")
		folders[path] = dir
	}
	for _, line := range goList(t, "-deps", "-f", form, "./cmd/avow") {
		path, _, _ := strings.Cut(line, "=")
		linked[path] = true
	}
	if len(linked) == 0 || len(folders) <= len(linked) {
		t.Fatalf("%d modules in the binary, %d in all", len(linked), len(folders))
	}
	notice, major := read(t, "NOTICE"), regexp.MustCompile(`/v\d+$`)
	for _, path := range slices.Sorted(maps.Keys(folders)) {
		found := licencesIn(t, folders[path])
		if len(found) == 0 {
			t.Errorf("%s: no licence is found in its folder; look at it, and teach this test", path)
			continue
		}
		for _, licence := range found {
			if linked[path] && !slices.Contains(linkable, licence) {
				t.Errorf("%s is under %s, which is not allowed in the binary (%s)", path, licence, strings.Join(linkable, ", "))
			}
		}
		named := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(major.ReplaceAllString(path, "")) + ` +(.*)$`).FindStringSubmatch(notice)
		if len(named) < 2 || !strings.HasPrefix(named[1], found[0]) {
			t.Errorf("%s is under %s, NOTICE says %q", path, found[0], named)
		}
	}
}
