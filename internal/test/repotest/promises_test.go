package repotest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/test/promise"
)

// TestCodesStay: a code that was ever given is explained in the manual, which is made from the catalogue.
func TestCodesStay(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile(filepath.Join(rootDir, "docs/rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, m := range regexp.MustCompile(`(?m)^### ([a-z_]+\.[a-z0-9_.]+)$`).FindAllSubmatch(manual, -1) {
		codes = append(codes, string(m[1]))
	}
	promise.Keep(t, "testdata/codes.txt", codes)
}

// TestGoAPIStays: programs that import the packages outside of internal still compile.
func TestGoAPIStays(t *testing.T) {
	t.Parallel()
	var names []string
	for _, p := range load(t).own() {
		path := rel(p.ImportPath)
		if p.Name == "main" || path == "docs" || strings.Contains(path+"/", "internal/") {
			continue
		}
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.FileExports(file)
			for _, decl := range file.Decls {
				for _, text := range declared(decl) {
					names = append(names, p.Name+": "+text)
				}
			}
		}
	}
	promise.Keep(t, "testdata/goapi.txt", names)
}

// declared is what a declaration lets others use, each with its type.
func declared(decl ast.Decl) []string {
	var all []string
	switch d := decl.(type) {
	case *ast.FuncDecl:
		d.Body, d.Doc = nil, nil
		all = append(all, oneLine(d))
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range s.Names {
					all = append(all, d.Tok.String()+" "+name.Name)
				}
			case *ast.TypeSpec:
				all = append(all, declaredType(s)...)
			}
		}
	}
	return all
}

// declaredType is a type with its fields or methods, one by one because more may be added.
func declaredType(s *ast.TypeSpec) []string {
	prefix := "type " + s.Name.Name
	var of string
	var list *ast.FieldList
	switch t := s.Type.(type) {
	case *ast.StructType:
		of, list = " struct", t.Fields
	case *ast.InterfaceType:
		of, list = " interface", t.Methods
	default:
		return []string{prefix + " " + oneLine(t)}
	}
	all := []string{prefix + of}
	for _, f := range list.List {
		for _, name := range f.Names {
			all = append(all, prefix+of+", "+name.Name+" "+oneLine(f.Type))
		}
		if len(f.Names) == 0 {
			all = append(all, prefix+of+", "+oneLine(f.Type))
		}
	}
	return all
}

// oneLine is a node of Go in one line.
func oneLine(node ast.Node) string {
	var b bytes.Buffer
	_ = printer.Fprint(&b, token.NewFileSet(), node) // a buffer does not fail
	return strings.Join(strings.Fields(b.String()), " ")
}
