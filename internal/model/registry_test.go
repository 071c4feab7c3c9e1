package model

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParamsCoverTheKinds(t *testing.T) {
	t.Parallel()
	if len(Params()) != len(FormatKinds) {
		t.Errorf("params for %d kinds, want %d", len(Params()), len(FormatKinds))
	}
	for _, kind := range FormatKinds {
		o, ok := Params()[kind]
		if !ok || (o == nil) != (kind == "custom") {
			t.Errorf("%s: params missing or unexpected", kind)
			continue
		}
		if o == nil {
			continue
		}
		if !strings.HasSuffix(o.Name, "Params") || o.Closed {
			t.Errorf("%s: %s should be open and end in Params", kind, o.Name)
		}
		tail := o.Names()[len(o.Fields)-len(baseParams):]
		if diff := cmp.Diff((&ObjectType{Fields: baseParams}).Names(), tail); diff != "" {
			t.Errorf("%s: does not end in the base params (-want +got):\n%s", kind, diff)
		}
	}
}

func TestObjectsReachEveryExportedType(t *testing.T) {
	t.Parallel()
	var got []string
	for _, o := range Objects() {
		got = append(got, strings.ToLower(o.Name))
	}
	want := declaredObjects(t)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("object types declared and reached (-declared +reached):\n%s", diff)
	}
}

// declaredObjects finds the exported variables set to &ObjectType{...} in the
// package's source, and the functions that make the params of a kind, in lower
// case. Comparing them with the names of the tables also shows a table whose
// Name is not that of the variable or function.
func declaredObjects(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		declared = append(declared, objectVars(file)...)
	}
	return declared
}

func objectVars(file *ast.File) []string {
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasSuffix(f.Name.Name, "Params") {
			found = append(found, strings.ToLower(f.Name.Name))
		}
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for i, value := range spec.Values {
			if spec.Names[i].IsExported() && isObjectLiteral(value) {
				found = append(found, strings.ToLower(spec.Names[i].Name))
			}
		}
		return false
	})
	return found
}

func isObjectLiteral(e ast.Expr) bool {
	address, ok := e.(*ast.UnaryExpr)
	if !ok {
		return false
	}
	literal, ok := address.X.(*ast.CompositeLit)
	if !ok {
		return false
	}
	name, ok := literal.Type.(*ast.Ident)
	return ok && name.Name == "ObjectType"
}

func TestObjectsOrderIsStable(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(names(Objects()), names(Objects())); diff != "" {
		t.Errorf("a second walk differs (-first +second):\n%s", diff)
	}
	if Objects()[0] != File {
		t.Errorf("the first object is %s, want File", Objects()[0].Name)
	}
}

func names(objects []*ObjectType) []string {
	all := make([]string, len(objects))
	for i, o := range objects {
		all[i] = o.Name
	}
	return all
}

func TestKnownNames(t *testing.T) {
	t.Parallel()
	known := KnownNames()
	if !slices.IsSorted(known) || len(slices.Compact(slices.Clone(known))) != len(known) {
		t.Error("known names are not sorted or not unique")
	}
	for _, name := range []string{"authorized_agents", "authoritative_location", "min_cards", "scroll_end_percent", "ccpa_opt_out_url"} {
		if !slices.Contains(known, name) {
			t.Errorf("%s is not known", name)
		}
	}
	for _, name := range []string{"capability_id_", "format_ids", "cards_min"} {
		if slices.Contains(known, name) {
			t.Errorf("%s should not be known", name)
		}
	}
}
