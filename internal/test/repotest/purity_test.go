package repotest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pure lists the packages that turn bytes into values and values into reports.
// Those that do not exist yet are listed so that they are pure from their
// first day.
var pure = []string{
	"adagents", "conformance", "docs", "formats", "internal/adstxt", "internal/answer", "internal/changes",
	"internal/custody", "internal/deploy", "internal/draft", "internal/edit",
	"internal/format/conform", "internal/format/foreign", "internal/format/formatkind", "internal/format/jsonedit",
	"internal/format/layout", "internal/format/lenient", "internal/format/spread", "internal/format/trust",
	"internal/guide", "internal/index", "internal/model", "internal/monitor", "internal/operator",
	"internal/portable", "internal/question", "internal/redact", "internal/service/growth",
	"internal/service/patience", "internal/service/retain", "internal/std/freshness", "internal/std/hostname",
	"internal/std/ipclass", "internal/std/iso3166", "internal/std/jcs", "internal/std/jsontree", "internal/std/jwk",
	"internal/std/langtag", "internal/std/markdown", "internal/std/rfc3339", "internal/std/sfv",
	"internal/std/spell", "internal/std/textedit", "internal/std/textsafe", "internal/std/words",
	"internal/translog", "keypin", "receipt", "resolve", "schemas", "supplypath",
}

// ban is a package pattern with the reason it is not allowed.
type ban struct{ pattern, why string }

// reachBans may not be reached even through other packages.
var reachBans = []ban{
	{"net", "a check that can open a connection is not a function of its input; net/netip and net/url are fine"},
	{"net/http", "users of the library should not link an HTTP stack to read a file"},
	{"database/sql", "the centre keeps no state"},
}

// importBans may not be imported directly. They cannot be banned indirectly:
// fmt itself imports os.
var importBans = []ban{
	{"os/...", "callers read files and the environment; the centre takes bytes"},
	{"log/...", "the centre returns findings; callers decide what is logged"},
	{"syscall", "it is os by another name"},
}

// clockBans are names of package time that depend on the moment or the machine.
var clockBans = map[string]string{
	"Now":          "the caller passes the time, so that a verdict can be repeated",
	"Since":        "it reads the clock",
	"Until":        "it reads the clock",
	"Sleep":        "the centre does not wait",
	"After":        "the centre does not wait",
	"AfterFunc":    "the centre does not wait",
	"NewTimer":     "the centre does not wait",
	"NewTicker":    "the centre does not wait",
	"Tick":         "the centre does not wait",
	"Local":        "the result would depend on the machine's time zone",
	"LoadLocation": "it reads the machine's time zone files",
}

// path returns the shortest import chain from one package to another, or nil.
func (g *graph) path(from, to string) []string {
	parent := map[string]string{from: ""}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at == to {
			return chain(parent, to)
		}
		p := g.byPath[at]
		if p == nil {
			continue
		}
		for _, next := range p.Imports {
			_, seen := parent[next]
			if !seen {
				parent[next] = at
				queue = append(queue, next)
			}
		}
	}
	return nil
}

// chain follows the parents back to the start.
func chain(parent map[string]string, end string) []string {
	var links []string
	for at := end; at != ""; at = parent[at] {
		links = append(links, at)
	}
	slices.Reverse(links)
	return links
}

// checkReach applies the import bans to the pure packages of the graph.
func checkReach(g *graph) []string {
	var problems []string
	for _, p := range g.own() {
		name := rel(p.ImportPath)
		if !slices.Contains(pure, name) {
			continue
		}
		for _, b := range reachBans {
			links := g.path(p.ImportPath, b.pattern)
			if links != nil {
				problems = append(problems, fmt.Sprintf("%s reaches %s (%s): %s", name, b.pattern, strings.Join(links, " -> "), b.why))
			}
		}
		for _, imp := range p.Imports {
			for _, b := range importBans {
				if matches(b.pattern, imp) {
					problems = append(problems, fmt.Sprintf("%s imports %s: %s", name, imp, b.why))
				}
			}
		}
	}
	return problems
}

// checkClock finds uses of the clock in one file. It asks for the name under
// which the file imports package time, so an alias does not hide the call.
func checkClock(fset *token.FileSet, file *ast.File) []string {
	local := timeName(file)
	if local == "" {
		return nil
	}
	if local == "." {
		return []string{fset.Position(file.Pos()).String() + ": dot import of time hides uses of the clock"}
	}
	var problems []string
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := sel.X.(*ast.Ident)
		if !ok || x.Name != local {
			return true
		}
		why, banned := clockBans[sel.Sel.Name]
		if banned {
			problems = append(problems, fmt.Sprintf("%s: time.%s: %s", fset.Position(sel.Pos()), sel.Sel.Name, why))
		}
		return true
	})
	return problems
}

// timeName is the identifier package time has in the file, or "".
func timeName(file *ast.File) string {
	for _, imp := range file.Imports {
		path, err := strconv.Unquote(imp.Path.Value)
		if err != nil || path != "time" {
			continue
		}
		if imp.Name != nil {
			return imp.Name.Name
		}
		return "time"
	}
	return ""
}

func TestPurePackagesReachNothingOutside(t *testing.T) {
	t.Parallel()
	report(t, checkReach(load(t)))
}

func TestPurePackagesDoNotReadTheClock(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, p := range load(t).own() {
		if !slices.Contains(pure, rel(p.ImportPath)) {
			continue
		}
		if len(p.CgoFiles) > 0 {
			t.Errorf("%s uses cgo; the pure packages are plain Go", rel(p.ImportPath))
		}
		for _, name := range p.GoFiles {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Error(err)
				continue
			}
			report(t, checkClock(fset, file))
			checked++
		}
	}
	if checked == 0 {
		t.Error("no file of a pure package was found")
	}
}
