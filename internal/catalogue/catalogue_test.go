package catalogue

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/operator"
)

func TestEveryExampleSaysItsPart(t *testing.T) {
	t.Parallel()
	for _, r := range adagents.Rules() {
		if PartWords[r.In] == "" {
			t.Errorf("%s: no words for where its examples stand", r.Code)
		}
	}
}

// form is that of a code.
var form = regexp.MustCompile(`^[a-z]+(_[a-z]+)*\.[a-z0-9]+(_[a-z0-9]+)*$`)

// TestEveryCodeIsExplained once, in one style, and in a list that callers cannot change.
func TestEveryCodeIsExplained(t *testing.T) {
	t.Parallel()
	severities := map[*Kind][]adagents.Severity{
		File: {adagents.Info, adagents.Warning, adagents.Error}, Way: {adagents.Info, adagents.Warning, adagents.Error},
		Event: {adagents.Info, adagents.Warning, adagents.Alert}, Reason: {0}, Message: {0}, Rollout: {0},
	}
	seen := map[string]bool{}
	for _, k := range kinds {
		k.Codes()[0].Code = "changed"
		for _, r := range k.Codes() {
			switch {
			case seen[r.Code] || !form.MatchString(r.Code):
				t.Errorf("%s is there twice, or has another form", r.Code)
			case r.Title == "" || strings.HasSuffix(r.Title, ".") || !strings.HasSuffix(r.Why, ".") || strings.HasSuffix(r.Hint, ".") || r.Hint == "" && k != File:
				t.Errorf("%s is not explained: %q, %q, %q", r.Code, r.Title, r.Why, r.Hint)
			case !slices.Contains(severities[k], r.Severity) || (r.Spec != "") != (k == File || k == Way):
				t.Errorf("%s has the severity %q and cites %q", r.Code, r.Severity, r.Spec)
			}
			seen[r.Code] = true
		}
	}
}

// otherWords look like codes and are none: words of the service for programs, why it refuses
// a request or is not ready, which come with their explanation or are in docs/operating.md;
// and names of members, files and hosts.
var otherWords = []string{
	"agent.no_answer", "agent.not_asked", "agent.not_spoken", "agent.unknown", "brand.other_key", "brand.unknown", "code.unknown", "draft.none", "file.invalid", "file.secret", "internal.time", "property.none",
	"request.body", "request.domain", "request.encoding", "request.json", "request.lines", "request.missing", "request.size", "request.type", "request.unknown",
	"request.value", "store.slow", "translog.standing", "translog.witness_late", "version.unknown",
	"brand.round", "discovery.unknown", "fetch.waiters", "fetch.polite", "fix.too_large", "format.not_json", "format.too_large",
	"agent.discovered", "agent.profile_updated", "property.created", "property.stale", "property.updated", "publisher.adagents_changed", "publisher.adagents_discovered",
	"collections.collection_id", "format.json", "formats.format_option_id", "placements.placement_id", "placements.tags",
	"properties.property_id", "properties.tags", "publisher.example", "publisher.name", "publisher.url", "signals.id", "signals.tags",
}

// TestEveryCodeIsUsedAndKnown reads the source: a code that nobody gives, and one that is not
// in the catalogue, are both mistakes that no other test would see.
func TestEveryCodeIsUsedAndKnown(t *testing.T) {
	t.Parallel()
	groups, beginnings := map[string]bool{}, map[string]bool{}
	for _, r := range All() {
		groups[Group(r.Code)] = true
		for i, c := range r.Code {
			if c == '_' {
				beginnings[r.Code[:i]] = true
			}
		}
	}
	used := map[string]bool{}
	for _, name := range sources(t) {
		given, texts := codesIn(t, name)
		for _, code := range texts {
			used[code] = true
			meant := groups[Group(code)] && !beginnings[code] || slices.Contains(given, code)
			if meant && Lookup(code).Code == "" && !slices.Contains(otherWords, code) {
				t.Errorf("%s: %s is not in the catalogue", name, code)
			}
		}
	}
	for _, r := range operator.Codes() {
		used[r.Code] = true // found by their position
	}
	for _, k := range []*Kind{Way, Reason, Event, Message} {
		for _, r := range k.Codes() {
			start, end := r.Code[:strings.LastIndexAny(r.Code, "._")], r.Code[strings.IndexByte(r.Code, '.'):]
			if !used[r.Code] && !used[start] && !used[end] {
				t.Errorf("%s is explained and never given", r.Code)
			}
		}
	}
}

// sources are the files of what is shipped.
func sources(t *testing.T) []string {
	t.Helper()
	const root = "../.."
	var names []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		skip := slices.Contains([]string{"testdata", "node_modules", "test", "bench", "gen", "tools"}, d.Name()) || len(d.Name()) > 2 && d.Name()[0] == '.'
		switch {
		case err != nil:
			return err
		case d.IsDir() && skip:
			return fs.SkipDir
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			names = append(names, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// codesIn returns the codes that are the member Code of something, and the texts in the form of
// a code or of the end of one. Such members in files called codes are explanations, and not
// among the texts.
func codesIn(t *testing.T, name string) ([]string, []string) {
	t.Helper()
	var given, texts []string
	tree, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	explains := strings.HasPrefix(filepath.Base(name), "codes")
	ast.Inspect(tree, func(n ast.Node) bool {
		if pair, ok := n.(*ast.KeyValueExpr); ok {
			key, ok := pair.Key.(*ast.Ident)
			code, isText := pair.Value.(*ast.BasicLit)
			if ok && isText && key.Name == "Code" {
				text, _ := strconv.Unquote(code.Value)
				given = append(given, text)
				return !explains
			}
		}
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err := strconv.Unquote(lit.Value)
			if err == nil && (form.MatchString(text) || strings.HasPrefix(text, ".") && form.MatchString("x"+text)) {
				texts = append(texts, text)
			}
		}
		return true
	})
	return given, texts
}
