package repotest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// checkDocs lists the exported names of a file that have no comment.
func checkDocs(fset *token.FileSet, file *ast.File) []string {
	var bare []string
	missing := func(name *ast.Ident, kind string) {
		bare = append(bare, fmt.Sprintf("%s: exported %s %s has no comment", fset.Position(name.Pos()), kind, name.Name))
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Doc == nil && d.Name.IsExported() && receiverExported(d) {
				missing(d.Name, "function")
			}
		case *ast.GenDecl:
			bareSpecs(d, missing)
		}
	}
	return bare
}

// bareSpecs reports the undocumented names of one declaration. A comment on a
// group covers its constants and variables, which explain each other; a type
// in a group still needs its own.
func bareSpecs(d *ast.GenDecl, missing func(*ast.Ident, string)) {
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() && s.Doc == nil && (d.Doc == nil || d.Lparen.IsValid()) {
				missing(s.Name, "type")
			}
		case *ast.ValueSpec:
			if s.Doc != nil || s.Comment != nil || d.Doc != nil {
				continue
			}
			for _, name := range s.Names {
				if name.IsExported() {
					missing(name, d.Tok.String())
				}
			}
		}
	}
}

// receiverExported is true for plain functions and for methods a user of the
// package can reach.
func receiverExported(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	for expr := d.Recv.List[0].Type; ; {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e.IsExported()
		default:
			return false
		}
	}
}

func TestEveryPackageIsExplained(t *testing.T) {
	t.Parallel()
	for _, p := range load(t).own() {
		name := rel(p.ImportPath)
		want := "Package " + p.Name + " "
		if p.Name == "main" {
			want = "Command " + filepath.Base(p.ImportPath) + " "
		}
		switch {
		case len(p.GoFiles) == 0:
			t.Errorf("%s has no Go file outside its tests; put a doc.go with the package comment there", name)
		case !strings.HasPrefix(p.Doc, want):
			t.Errorf("%s: the package comment must start with %q, it is %q", name, want, p.Doc)
		}
	}
}

func TestEveryExportedNameIsExplained(t *testing.T) {
	t.Parallel()
	for _, p := range load(t).own() {
		for _, name := range p.GoFiles {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Error(err)
				continue
			}
			if !ast.IsGenerated(file) {
				report(t, checkDocs(fset, file))
			}
		}
	}
}

func TestDocRuleCatches(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, source string
		want         []string
	}{
		{"function", "func F() {}", []string{"p.go:2:6", "exported function F"}},
		{"documented function", "// F does.\nfunc F() {}", nil},
		{"unexported function", "func f() {}", nil},
		{"method", "// T is.\ntype T int\n\nfunc (T) M() {}", []string{"exported function M"}},
		{"method of a generic type", "// T is.\ntype T[K, V any] int\n\nfunc (*T[K, V]) M() {}", []string{"exported function M"}},
		{"method of an unexported type", "type t int\n\nfunc (*t) M() {}", nil},
		{"type", "type T int", []string{"exported type T"}},
		{"type in a commented group", "// Types.\ntype (\n\tT int\n)", []string{"exported type T"}},
		{"constant", "const C = 1", []string{"exported const C"}},
		{"constants of a commented group", "// Kinds.\nconst (\n\tA = 1\n\tB = 2\n)", nil},
		{"constant with a trailing comment", "const (\n\tA = 1 // the first\n)", nil},
		{"variable", "var V int", []string{"exported var V"}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, "p.go", "package p\n"+tc.source, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			wantProblem(t, checkDocs(fset, file), tc.want...)
		})
	}
}
