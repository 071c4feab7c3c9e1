package repotest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/model"
)

// guides are the pages that lead through the code by the names of files and of what is
// in them. Code in quotes after a link to a Go file names something in that file.
var guides = []string{"CONTRIBUTING.md", "docs/walks.md"}

// mention is a Markdown link, with its target, or code in quotes.
var mention = regexp.MustCompile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)|`([^`]+)`")

// blockStart begins a paragraph, a list item, a row of a table or a heading.
var blockStart = regexp.MustCompile(`^(\s*$|\s*\* |\s*[0-9]+\. |\||#)`)

// goName is code that names something: a function, a type, or something of one.
var goName = regexp.MustCompile(`^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$`)

// checkMentions finds names in a page that are not in the file they are said to be in.
// source returns the text of a file, and "" when there is none, which is for checkLinks.
func checkMentions(name, text string, source func(string) string) []string {
	var problems []string
	file, names := "", map[string]bool(nil)
	for i, line := range strings.Split(text, "\n") {
		if blockStart.MatchString(line) {
			file = ""
		}
		for _, m := range mention.FindAllStringSubmatch(line, -1) {
			switch {
			case m[1] != "" && path.Ext(m[1]) == ".go":
				file = path.Join(path.Dir(name), m[1])
				names = identifiers(source(file))
			case m[1] != "":
				file = ""
			case file != "" && goName.MatchString(m[2]):
				for _, part := range strings.Split(m[2], ".") {
					if !names[part] {
						problems = append(problems, fmt.Sprintf("%s:%d: there is no %s in %s", name, i+1, part, file))
					}
				}
			}
		}
	}
	return problems
}

// identifiers returns the names in a Go file; what comments and texts say is none.
func identifiers(src string) map[string]bool {
	fset, names := token.NewFileSet(), map[string]bool{}
	var s scanner.Scanner
	s.Init(fset.AddFile("", -1, len(src)), []byte(src), nil, 0)
	for {
		_, kind, text := s.Scan()
		switch kind {
		case token.EOF:
			return names
		case token.IDENT:
			names[text] = true
		}
	}
}

// scopeNames are what packages adagents and resolve call the authorization types.
var scopeNames = []string{
	"ByPropertyIDs", "ByPropertyTags", "ByInlineProperties", "ByPublisherProperties", "BySignalIDs", "BySignalTags", "VisitScope",
	"scopeIDs", "scopeTags", "scopeInline", "scopeSelectors", "scopeSignalIDs", "scopeSignalTags",
}

// decidesByType reports whether code does something for one authorization type and not for
// another: it names one, has an answer for each, or goes through what an entry selects.
func decidesByType(file *ast.File) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || slices.Contains(scopeNames, n.Name)
		case *ast.BasicLit:
			found = found || n.Value == `"inline_properties"`
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.SelectorExpr)
			found = found || ok && f.Sel.Name == "Scope" && len(n.Args) == 0
		}
		return !found
	})
	return found
}

// comparesTypes reports whether code compares a Type with the text of an authorization
// type, which nobody finds who adds one.
func comparesTypes(file *ast.File) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found = found || isType(n.X) && isAuthorizationType(n.Y)
		case *ast.SwitchStmt:
			for _, clause := range n.Body.List {
				cases, ok := clause.(*ast.CaseClause)
				found = found || ok && isType(n.Tag) && slices.ContainsFunc(cases.List, isAuthorizationType)
			}
		}
		return !found
	})
	return found
}

func isType(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Type"
}

func isAuthorizationType(e ast.Expr) bool {
	literal, ok := e.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return false
	}
	text, err := strconv.Unquote(literal.Value)
	return err == nil && slices.Contains(model.AuthorizationTypes, text)
}

// packageName is a package in quotes on the page about packages.
var packageName = regexp.MustCompile("`((?:internal|cmd)/[a-z0-9/]+)`")

// inQuotes is a name in a table.
var inQuotes = regexp.MustCompile("`([^`]+)`")

// families are packages that the page names as a whole.
var families = []string{"internal/bench/...", "internal/gen/...", "internal/service/store/...", "tools/..."}

// commandPackage is what begins the packages of commands, which stand in one row by the
// last part of their names.
const commandPackage = "internal/cli/"

func TestArchitectureHasThePackages(t *testing.T) {
	t.Parallel()
	text := read(t, "docs/architecture.md")
	for _, m := range packageName.FindAllStringSubmatch(text, -1) {
		if !existsHere(m[1]) {
			t.Errorf("docs/architecture.md names %s, which is not there", m[1])
		}
	}
	for _, p := range load(t).own() {
		name := rel(p.ImportPath)
		if name == "." || matchesAny(families, name) {
			continue
		}
		command, ok := strings.CutPrefix(name, commandPackage)
		if !strings.Contains(text, "`"+name+"`") && (!ok || !strings.Contains(text, "`"+command+"`")) {
			t.Errorf("docs/architecture.md does not name %s", name)
		}
	}
}

// TestArchitectureHasTheOrder: imports point from the bottom of the table of packages to its top, and it marks
// those that are held to be pure.
func TestArchitectureHasTheOrder(t *testing.T) {
	t.Parallel()
	rows := map[string]int{}
	marked := map[string]bool{}
	for line := range strings.Lines(section(read(t, "docs/architecture.md"), "Packages")) {
		cells := strings.Split(line, "|")
		if len(cells) < 5 {
			continue
		}
		for _, m := range inQuotes.FindAllStringSubmatch(cells[1], -1) {
			name := m[1]
			if !strings.Contains(name, "/") && existsHere(commandPackage+name) && strings.Contains(cells[1], commandPackage) {
				name = commandPackage + name
			}
			rows[name], marked[name] = len(rows), strings.Contains(cells[2], "yes")
		}
	}
	for _, p := range load(t).own() {
		name := rel(p.ImportPath)
		row, ok := rows[name]
		if !ok {
			continue
		}
		if marked[name] != slices.Contains(pure, name) {
			t.Errorf("docs/architecture.md and the list of pure packages differ about %s", name)
		}
		for _, imported := range p.Imports {
			if rows[rel(imported)] > row {
				t.Errorf("docs/architecture.md has %s above %s, which it imports", name, rel(imported))
			}
		}
	}
}

// section returns a part of a page, from its heading to the next of the same depth.
func section(text, heading string) string {
	_, rest, _ := strings.Cut(text, "\n## "+heading+"\n")
	rest, _, _ = strings.Cut(rest, "\n## ")
	return rest
}

func TestGuidesNameWhatIsThere(t *testing.T) {
	t.Parallel()
	source := func(name string) string {
		if !existsHere(name) {
			return ""
		}
		return read(t, name)
	}
	for _, name := range guides {
		report(t, checkMentions(name, read(t, name), source))
	}
}

// TestListsOfFilesAreShort: what is derived from a table is not edited by hand. Files that are written by a
// command, and those for rare cases, do not count.
func TestListsOfFilesAreShort(t *testing.T) {
	t.Parallel()
	text := read(t, "CONTRIBUTING.md")
	for heading, most := range map[string]int{"Adding a part of a question": 6, "Adding an operation": 4, "Adding a column to the rows of the directory": 4} {
		n := 0
		for line := range strings.Lines(section(text, heading)) {
			if strings.HasPrefix(line, "| [") && !strings.Contains(line, "| written by ") && !strings.Contains(line, "| only for ") {
				n++
			}
		}
		if n == 0 || n > most {
			t.Errorf("%s: %d files to edit, and at most %d are allowed", heading, n, most)
		}
	}
}

func TestAuthorizationTypesAreInTheGuide(t *testing.T) {
	t.Parallel()
	guide := section(read(t, "CONTRIBUTING.md"), "Adding an authorization type")
	found := 0
	for _, name := range files(t) {
		shipped := path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, "internal/bench/")
		if !shipped {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, read(t, name), parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if comparesTypes(file) {
			t.Errorf("%s compares an authorization type with a text; use Agent.Scope or adagents.VisitScope", name)
		}
		if !decidesByType(file) {
			continue
		}
		found++
		if !strings.Contains(guide, "]("+name+")") {
			t.Errorf("%s decides by authorization type; name it in the list of CONTRIBUTING.md", name)
		}
	}
	if found == 0 {
		t.Error("nothing decides by authorization type")
	}
}

func TestGuideRuleCatches(t *testing.T) {
	t.Parallel()
	source := func(name string) string {
		if name != "a/b.go" {
			return ""
		}
		return "package b\n\n// other is not here.\nfunc (t *T) Do() {}\n"
	}
	tests := []struct {
		name, text string
		want       []string
	}{
		{"known", "* [b.go](../a/b.go): `Do`, `T.Do` and `b.T`", nil},
		{"on the next line", "* [b.go](../a/b.go):\n  `Do`", nil},
		{"unknown", "* [b.go](../a/b.go): `Undo`", []string{"docs/x.md:1", "no Undo in a/b.go"}},
		{"in a comment alone", "[b.go](../a/b.go) has `other`", []string{"no other in a/b.go"}},
		{"unknown part", "[b.go](../a/b.go) has `T.Undo`", []string{"no Undo"}},
		{"no file", "[c.go](../a/c.go) has `Do`", []string{"no Do in a/c.go"}},
		{"before the link", "`Undo`, see [b.go](../a/b.go)", nil},
		{"after another link", "[b.go](../a/b.go), [d](d.md): `Undo`", nil},
		{"in the next item", "* [b.go](../a/b.go)\n* `Undo`", nil},
		{"no name", "[b.go](../a/b.go) has `--undo` and `make undo`", nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			wantProblem(t, checkMentions("docs/x.md", tc.text, source), tc.want...)
		})
	}
}

func TestDecidesByTypeCatches(t *testing.T) {
	t.Parallel()
	catches(t, decidesByType, map[string]bool{
		`var _ = a.Type == adagents.BySignalIDs`: true,
		`var _ = a.Type == "website"`:            false,
		`var _ = "inline_properties"`:            true,
		`var _ = len(a.Scope().Selectors)`:       true,
		`var _ = adagents.VisitScope[int](a, v)`: true,
		`var _ = key.Scope(name)`:                false,
		`func f() { switch { case true: } }`:     false,
		`var _ = scopeTags`:                      true,
	})
	catches(t, comparesTypes, map[string]bool{
		`var _ = a.Type == "signal_ids"`:                                        true,
		`var _ = a.Type != "property_tags"`:                                     true,
		`var _ = a.Type == "website"`:                                           false,
		`var _ = name == "signal_tags"`:                                         false,
		`func f() { switch a.Type { case "x": case "publisher_properties": } }`: true,
		`func f() { switch name { case "publisher_properties": } }`:             false,
	})
}

func catches(t *testing.T, rule func(*ast.File) bool, tests map[string]bool) {
	t.Helper()
	for src, want := range tests {
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", "package p\n"+src, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := rule(file); got != want {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
}
