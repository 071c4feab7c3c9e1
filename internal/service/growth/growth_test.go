package growth_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/service/growth"
)

var update = flag.Bool("update-operating", false, "rewrite the list of what can grow in docs/operating.md")

const top = "../../.."

// TestTablesAreListed: every table of the schemas of both databases is in the list, and no other.
func TestTablesAreListed(t *testing.T) {
	t.Parallel()
	made := regexp.MustCompile(`(?m)^CREATE TABLE (\w+)`)
	for _, database := range []string{"sqlite", "postgres"} {
		have := []string{"schema_versions"} // made by what runs the migrations
		migrations, err := filepath.Glob(filepath.Join(top, "internal/service/store", database, "migrations/*.sql"))
		if err != nil || len(migrations) == 0 {
			t.Fatalf("no migrations of %s: %v", database, err)
		}
		for _, name := range migrations {
			for _, m := range made.FindAllSubmatch(read(t, name), -1) {
				have = append(have, string(m[1]))
			}
		}
		compare(t, database, have, growth.Names(growth.Table))
	}
}

// TestCodeIsListed: whatever keeps something in memory for long, or lets something wait, is in the
// list, and what the list says about the code is there.
func TestCodeIsListed(t *testing.T) {
	t.Parallel()
	var listed, have []string
	for _, i := range growth.All() {
		listed = append(listed, i.In...)
		if i.In == nil && i.Kind == growth.Cache {
			listed = append(listed, i.Name)
		}
	}
	for _, dir := range []string{"internal/service", "internal/fetch", "internal/webhook", "internal/netguard", "internal/cli/serve", "internal/supply", "discover", "resolve"} {
		err := filepath.WalkDir(filepath.Join(top, dir), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			have = append(have, growing(t, string(read(t, name)))...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range fixed {
		listed = append(listed, name)
	}
	compare(t, "the code", have, listed)
}

// fixed are those that look as if they could grow and cannot, with the reason.
var fixed = map[string]string{
	"netguard.resolvConf": "the servers in a file of the system",
	"web.fontSet":         "the fonts that the program has",
}

// compare reports what is in one list alone.
func compare(t *testing.T, where string, have, listed []string) {
	t.Helper()
	for _, name := range have {
		if !slices.Contains(listed, name) {
			t.Errorf("%s: %s is not in the list of package growth", where, name)
		}
	}
	for _, name := range listed {
		if !slices.Contains(have, name) {
			t.Errorf("%s: the list of package growth has %s, which is not there", where, name)
		}
	}
}

// growing returns the places in a file where something is kept or waits: the names of caches, types with a
// lock and something without a fixed size, and functions that make a budget or a channel with room.
func growing(t *testing.T, text string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	add := func(name string) {
		name = file.Name.Name + "." + name
		if !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	for _, d := range file.Decls {
		found = append(found, named(d)...)
		switch d := d.(type) {
		case *ast.FuncDecl:
			if makesRoom(d) {
				add(d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if name, ok := holder(s); ok {
					add(name)
				}
			}
		}
	}
	return found
}

// named returns the names of the caches that a declaration makes; one without a name is "cache without a name".
func named(d ast.Decl) []string {
	var names []string
	ast.Inspect(d, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || nameOf(call.Fun) != "flight.NewCache" {
			return true
		}
		name := "cache without a name"
		for _, arg := range call.Args {
			limits, _ := arg.(*ast.CompositeLit)
			for _, e := range limits.Elts {
				pair, _ := e.(*ast.KeyValueExpr)
				text, ok := pair.Value.(*ast.BasicLit)
				if ok && nameOf(pair.Key) == "Name" {
					name = strings.Trim(text.Value, `"`)
				}
			}
		}
		names = append(names, name)
		return true
	})
	return names
}

// makesRoom reports whether a function makes a budget, a list or a channel with room for more than one.
func makesRoom(f *ast.FuncDecl) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch name := nameOf(call.Fun); {
		case name == "budget.New" || name == "list.New":
			found = true
		case name == "make" && len(call.Args) == 2:
			_, channel := call.Args[0].(*ast.ChanType)
			size, literal := call.Args[1].(*ast.BasicLit)
			found = found || channel && (!literal || size.Value != "1")
		}
		return true
	})
	return found
}

// holder returns the name of a type, or of a variable, that has a lock and something that can grow.
func holder(s ast.Spec) (string, bool) {
	switch s := s.(type) {
	case *ast.ValueSpec:
		return s.Names[0].Name, nameOf(s.Type) == "sync.Map"
	case *ast.TypeSpec:
		of, ok := s.Type.(*ast.StructType)
		if !ok {
			return "", false
		}
		locked, grows := false, false
		for _, f := range of.Fields.List {
			name := nameOf(f.Type)
			locked = locked || name == "sync.Mutex" || name == "sync.RWMutex" || name == "sync.Map"
			array, isArray := f.Type.(*ast.ArrayType)
			_, isMap := f.Type.(*ast.MapType)
			grows = grows || isMap || isArray && array.Len == nil || name == "sync.Map" || name == "list.List"
		}
		return s.Name.Name, locked && grows
	}
	return "", false
}

// nameOf returns the name of a type or a function as it is written, without what it is made for.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return nameOf(e.X) + "." + e.Sel.Name
	case *ast.StarExpr:
		return nameOf(e.X)
	case *ast.IndexExpr:
		return nameOf(e.X)
	case *ast.IndexListExpr:
		return nameOf(e.X)
	}
	return ""
}

// TestGrowingIsFound: what the test above looks for is found in each of its forms.
func TestGrowingIsFound(t *testing.T) {
	t.Parallel()
	got := growing(t, `package p
type a struct { mu sync.Mutex; m map[string]int }
type b struct { mu *sync.RWMutex; l []int }
type c struct { m sync.Map }
type d struct { m map[string]int }
type e struct { mu sync.Mutex; n int; l [3]int }
var f sync.Map
func g() { x = flight.NewCache(flight.Limits[int, int]{Count: 1, Name: "n"}); y = flight.NewCache(flight.Limits[int, int]{}) }
func h() { x = make(chan int, 8) }
func i() { x = make(chan int, 1); y = make([]int, 9); z = make(chan int) }
func (s *s) j() { x = s{c: budget.New(1, 1, 1)} }
`)
	if want := []string{"p.a", "p.b", "p.c", "p.f", "n", "cache without a name", "p.h", "p.j"}; !slices.Equal(got, want) {
		t.Errorf("found %v", got)
	}
}

// TestOperatingManual holds the table of what can grow to the list.
func TestOperatingManual(t *testing.T) {
	t.Parallel()
	name := filepath.Join(top, "docs/operating.md")
	manual := read(t, name)
	const begin, end = "<!-- what can grow -->\n", "<!-- end of what can grow -->"
	before, rest, ok := bytes.Cut(manual, []byte(begin))
	_, after, ended := bytes.Cut(rest, []byte(end))
	if !ok || !ended {
		t.Fatal("docs/operating.md has no place for what can grow")
	}
	want := slices.Concat(before, []byte(begin+growth.Markdown()+end), after)
	if bytes.Equal(manual, want) {
		return
	}
	t.Error("docs/operating.md has another list of what can grow; run go test ./internal/service/growth -args -update-operating")
	if *update {
		err := os.WriteFile(name, want, 0o644)
		if err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
