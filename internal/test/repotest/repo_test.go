package repotest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// module is the import path every package of the repository starts with.
const module = "github.com/avow-project/avow"

// goPackage is the part of `go list -json` the rules look at.
type goPackage struct {
	ImportPath string
	Dir        string
	Name       string
	Doc        string
	GoFiles    []string
	CgoFiles   []string
	Imports    []string
	Standard   bool
	Error      *struct{ Err string }
}

// ours tells whether the package belongs to the repository.
func (p *goPackage) ours() bool {
	return p.ImportPath == module || strings.HasPrefix(p.ImportPath, module+"/")
}

// rel is the import path below the module; the root package is ".".
func rel(importPath string) string {
	if importPath == module {
		return "."
	}
	return strings.TrimPrefix(importPath, module+"/")
}

// graph is every package of the repository and everything those reach, in the
// order of `go list -deps`: a package comes after what it imports.
type graph struct {
	order  []*goPackage
	byPath map[string]*goPackage
}

// newGraph indexes packages; the self-tests use it for invented ones.
func newGraph(packages ...*goPackage) *graph {
	g := &graph{byPath: map[string]*goPackage{}}
	for _, p := range packages {
		g.order = append(g.order, p)
		g.byPath[p.ImportPath] = p
	}
	return g
}

// own lists the packages of the repository.
func (g *graph) own() []*goPackage {
	var own []*goPackage
	for _, p := range g.order {
		if p.ours() {
			own = append(own, p)
		}
	}
	return own
}

// loaded caches the graph: listing takes a second, and most tests need it.
var loaded = sync.OnceValues(func() (*graph, error) {
	cmd := exec.Command("go", "list", "-e", "-deps",
		"-json=ImportPath,Dir,Name,Doc,GoFiles,CgoFiles,Imports,Standard,Error", "./...")
	cmd.Dir = rootDir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, errors.Join(err, errors.New(stderr.String()))
	}
	var packages []*goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := &goPackage{}
		err := dec.Decode(p)
		if errors.Is(err, io.EOF) {
			return newGraph(packages...), nil
		}
		if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
})

// load returns the import graph of the repository.
func load(t *testing.T) *graph {
	t.Helper()
	walk(t)
	g, err := loaded()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	if len(g.own()) < 2 {
		t.Fatalf("go list found %d packages of %s; the tests would check nothing", len(g.own()), module)
	}
	return g
}

// rootDir is the repository's top directory; tests run in their package's own.
const rootDir = "../../.."

// files lists what is, or would be, tracked: paths relative to the top, with
// forward slashes. Outside a checkout (an unpacked archive) it walks the tree.
func files(t *testing.T) []string {
	t.Helper()
	found := walk(t)
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = rootDir
	out, err := cmd.Output()
	if err != nil {
		return found
	}
	found = nil
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		_, err := os.Stat(filepath.Join(rootDir, name))
		if err == nil { // a deleted file stays in the index until the commit
			found = append(found, name)
		}
	}
	return found
}

// walk lists the files below the top without the directories git ignores.
//
// It is called even when git or go list gives the answer: `go test` caches a
// pass until a file or directory that the test itself opened changes, and it
// does not see what subprocesses read.
func walk(t *testing.T) []string {
	t.Helper()
	var found []string
	err := fs.WalkDir(os.DirFS(rootDir), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == ".git" || name == ".tools" || name == "bin"):
			return fs.SkipDir
		case !entry.IsDir():
			found = append(found, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// read returns a file of the repository.
func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(rootDir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// report fails the test once per problem, so that one run shows them all.
func report(t *testing.T, problems []string) {
	t.Helper()
	for _, p := range problems {
		t.Error(p)
	}
}
