package repotest

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
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

// checkResults lists the exported functions of a file whose result has a type that other packages
// cannot name.
func checkResults(fset *token.FileSet, file *ast.File) []string {
	var problems []string
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || !d.Name.IsExported() || !receiverExported(d) || d.Type.Results == nil {
			continue
		}
		own := ownTypes(d)
		for _, result := range d.Type.Results.List {
			name := hiddenType(result.Type)
			if name != "" && !own[name] {
				problems = append(problems, fmt.Sprintf("%s: exported function %s returns the unexported type %s",
					fset.Position(d.Name.Pos()), d.Name.Name, name))
			}
		}
	}
	return problems
}

// ownTypes has the type parameters of a function and of its receiver.
func ownTypes(d *ast.FuncDecl) map[string]bool {
	own := map[string]bool{}
	if d.Type.TypeParams != nil {
		for _, field := range d.Type.TypeParams.List {
			for _, name := range field.Names {
				own[name.Name] = true
			}
		}
	}
	if d.Recv != nil {
		ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok {
				own[name.Name] = true
			}
			return true
		})
	}
	return own
}

// hiddenType returns the first name in a type that begins in lower case and that the language does not have.
func hiddenType(expr ast.Expr) string {
	switch e := expr.(type) {
	case *ast.Ident:
		if !e.IsExported() && types.Universe.Lookup(e.Name) == nil {
			return e.Name
		}
	case *ast.StarExpr:
		return hiddenType(e.X)
	case *ast.ArrayType:
		return hiddenType(e.Elt)
	case *ast.ChanType:
		return hiddenType(e.Value)
	case *ast.MapType:
		return cmp.Or(hiddenType(e.Key), hiddenType(e.Value))
	case *ast.IndexExpr:
		return hiddenType(e.X)
	case *ast.IndexListExpr:
		return hiddenType(e.X)
	}
	return ""
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
				report(t, checkResults(fset, file))
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

func TestResultRuleCatches(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, source string
		want         []string
	}{
		{"hidden", "func F() t { return t{} }", []string{"p.go:2:6", "exported function F returns the unexported type t"}},
		{"pointer", "func F() (*t, error) { return nil, nil }", []string{"type t"}},
		{"lists and tables of it", "func F() map[string][]t { return nil }", []string{"type t"}},
		{"method", "func (T) M() chan t { return nil }", []string{"exported function M"}},
		{"exported", "func F() (l *T, b []bool, err error) { return }", nil},
		{"of another package", "func F() *ast.Ident { return nil }", nil},
		{"type parameter", "func F[t any]() t { panic(0) }", nil},
		{"type parameter of the receiver", "func (*T[k, v]) M() v { panic(0) }", nil},
		{"unexported function", "func f() t { return t{} }", nil},
		{"method of an unexported type", "func (t) M() t { return t{} }", nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, "p.go", "package p\n"+tc.source, 0)
			if err != nil {
				t.Fatal(err)
			}
			wantProblem(t, checkResults(fset, file), tc.want...)
		})
	}
}
