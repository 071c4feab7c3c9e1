package repotest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// foreign are strings that only make sense on one machine or inside one
// network. They are put together here so that this file does not contain them.
var foreign = []struct{ text, why string }{
	{"/work" + "/main", "a path of one machine"},
	{"/work" + "/shared", "a path of one machine"},
	{".." + "/shared", "a path outside the repository"},
	{"/root" + "/go", "a path of one machine"},
	{"proxy" + ".golang.org", "where modules come from is the user's setting"},
	{"sum" + ".golang.org", "where checksums come from is the user's setting"},
	{"registry" + ".npmjs.org", "where packages come from is the user's setting"},
}

// checkForeign finds such strings in a text.
func checkForeign(name, text string) []string {
	var problems []string
	for i, line := range strings.Split(text, "\n") {
		for _, f := range foreign {
			if strings.Contains(line, f.text) {
				problems = append(problems, fmt.Sprintf("%s:%d contains %q: %s", name, i+1, f.text, f.why))
			}
		}
	}
	return problems
}

// link is an inline Markdown link or image: the text and the target, which
// may carry a title.
var link = regexp.MustCompile(`\[[^\]]*\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)`)

// scheme recognises targets that lead out of the repository.
var scheme = regexp.MustCompile(`^[a-z][a-z0-9+.-]*:`)

// checkLinks finds relative links of a Markdown text that lead to no file.
// Links inside fenced code are examples, not links.
func checkLinks(name, text string, exists func(string) bool) []string {
	var problems []string
	fenced := false
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if fenced {
			continue
		}
		for _, m := range link.FindAllStringSubmatch(line, -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || scheme.MatchString(target) {
				continue
			}
			if strings.HasPrefix(target, "/") || !exists(path.Join(path.Dir(name), target)) {
				problems = append(problems, fmt.Sprintf("%s:%d: link to %s leads nowhere", name, i+1, m[1]))
			}
		}
	}
	return problems
}

// existsHere looks a path up in the working tree; a path that climbs out of
// the repository does not exist.
func existsHere(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return false
	}
	_, err := os.Stat(filepath.Join(rootDir, name))
	return err == nil
}

func TestNoForeignPaths(t *testing.T) {
	t.Parallel()
	for _, name := range files(t) {
		text := read(t, name)
		binary := strings.Contains(text[:min(len(text), 8000)], "\x00")
		if !binary {
			report(t, checkForeign(name, text))
		}
	}
}

// citation is how texts name sections of papers that readers outside do not have.
var citation = regexp.MustCompile(`(?i)\b(mission (section )?[0-9]|protocol [A-F][0-9])`)

// checkCitations finds such names in a text.
func checkCitations(name, text string) []string {
	var problems []string
	for i, line := range strings.Split(text, "\n") {
		if m := citation.FindString(line); m != "" {
			problems = append(problems, fmt.Sprintf("%s:%d cites %q: cite a public document, or a rule of docs/rules.md", name, i+1, m))
		}
	}
	return problems
}

func TestCitationsArePublic(t *testing.T) {
	t.Parallel()
	for _, name := range files(t) {
		if name != "internal/test/repotest/text_test.go" {
			report(t, checkCitations(name, read(t, name)))
		}
	}
}

func TestCitationRuleCatches(t *testing.T) {
	t.Parallel()
	wantProblem(t, checkCitations("f.go", "one\nsee mission 2.6\n"), "f.go:2", "mission 2")
	wantProblem(t, checkCitations("f.go", "see protocol B11"), "f.go:1", "protocol B1")
	wantProblem(t, checkCitations("f.go", "the submission 2 and protocol version 3, RFC 3339"))
}

// clumsy matches habits of translated English: a pronoun in place of who acts, "is no X" for
// "is not an X", and "that of the X" for repeating the noun.
var clumsy = regexp.MustCompile(`(?i)\b(nobody|somebody|whoever|is no|that of the)\b`)

// idiomatic are phrases with these words that are good English, or names.
var idiomatic = regexp.MustCompile(`(?i)\bthere is no\b|\bis no (longer|more|less|later|help)\b|` +
	`nobody\.example|^"nobody"$|\ba user nobody\b|\bthe answer is no\b`)

// checkWording finds clumsy sentences in the comments and strings of a Go file, or in all of
// another text. Sentences run over lines, so these are joined first.
func checkWording(name, text string) []string {
	prose := []string{text}
	if path.Ext(name) == ".go" {
		prose = proseOf(text)
	}
	var problems []string
	for _, p := range prose {
		p = idiomatic.ReplaceAllString(strings.Join(strings.Fields(p), " "), "")
		for _, at := range clumsy.FindAllStringIndex(p, -1) {
			problems = append(problems, fmt.Sprintf("%s: say who acts, \"is not an X\", or the noun again: ...%s",
				name, p[max(0, at[0]-40):min(len(p), at[1]+20)]))
		}
	}
	return problems
}

// proseOf returns the comments and the string literals of a Go file.
func proseOf(text string) []string {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	var prose []string
	for _, c := range file.Comments {
		prose = append(prose, c.Text())
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			prose = append(prose, l.Value)
		}
		return true
	})
	return prose
}

// TestWording looks at what people read: comments, messages, help, descriptions, pages and
// documents. Texts whose bytes are the data of a test, such as vectors, are not changed.
func TestWording(t *testing.T) {
	t.Parallel()
	for _, name := range files(t) {
		switch path.Ext(name) {
		case ".md", ".tmpl", ".html":
			report(t, checkWording(name, read(t, name)))
		case ".go":
			if !strings.HasSuffix(name, "_test.go") {
				report(t, checkWording(name, read(t, name)))
			}
		}
	}
}

func TestWordingRuleCatches(t *testing.T) {
	t.Parallel()
	wantProblem(t, checkWording("f.md", "It is\nno JSON."), "f.md", "It is no JSON")
	wantProblem(t, checkWording("f.md", "There is no file, which is no longer used."))
	wantProblem(t, checkWording("f.go", "package f\n\n// F tells\n// whoever asks.\nvar nobody = 1\n"), "f.go", "whoever asks")
	wantProblem(t, checkWording("f.go", "package f\n\nvar f = `Nobody`\n"), "f.go", "Nobody")
}

func TestMarkdownLinksResolve(t *testing.T) {
	t.Parallel()
	found := 0
	for _, name := range files(t) {
		if path.Ext(name) != ".md" {
			continue
		}
		found++
		report(t, checkLinks(name, read(t, name), existsHere))
	}
	if found == 0 {
		t.Error("no Markdown file found")
	}
}

// recordLines is the longest a decision record may be: a page that is read.
const recordLines = 40

// recordNumber is that of a decision record.
var recordNumber = regexp.MustCompile(`^[0-9]{4}$`)

func TestDecisionRecords(t *testing.T) {
	t.Parallel()
	const dir = "docs/decisions/"
	index := read(t, dir+"README.md")
	last := ""
	for _, name := range slices.Sorted(slices.Values(files(t))) {
		record, ok := strings.CutPrefix(name, dir)
		if !ok || record == "README.md" {
			continue
		}
		number, _, _ := strings.Cut(record, "-")
		taken := number == last
		last = number
		text := read(t, name)
		switch {
		case !recordNumber.MatchString(number) || taken:
			t.Errorf("%s: a record has a number of its own, of four digits", name)
		case !strings.HasPrefix(text, "# "+number+": "):
			t.Errorf("%s: the title must start with its number", name)
		case !strings.Contains(text, "\nStatus: "):
			t.Errorf("%s has no status line", name)
		case !strings.Contains(index, "]("+record+")"):
			t.Errorf("%s is not in the index", name)
		case strings.Count(text, "\n") > recordLines:
			t.Errorf("%s has more than %d lines; a record is read in a minute", name, recordLines)
		}
	}
	if last == "" {
		t.Error("no decision record found")
	}
}

func TestForeignRuleCatches(t *testing.T) {
	t.Parallel()
	for _, f := range foreign {
		wantProblem(t, checkForeign("f.md", "one\nsee "+f.text+"/x\n"), "f.md:2", f.why)
	}
	wantProblem(t, checkForeign("f.md", "a path such as /workshop/main.go is fine\n"))
}

func TestLinkRuleCatches(t *testing.T) {
	t.Parallel()
	exists := func(name string) bool { return name == "docs/a.md" || name == "LICENSE" }
	tests := []struct {
		name, text string
		want       []string
	}{
		{"neighbour", "[a](a.md)", nil},
		{"upwards", "[l](../LICENSE)", nil},
		{"with a fragment", "[a](a.md#part)", nil},
		{"own heading", "[a](#part)", nil},
		{"with a title", `[a](a.md "title")`, nil},
		{"web", "[w](https://example.com/a.md) [m](mailto:a@example.com)", nil},
		{"in fenced code", "```\n[b](b.md)\n```", nil},
		{"broken", "text\n[b](b.md)", []string{"docs/x.md:2", "b.md leads nowhere"}},
		{"broken after fenced code", "```\n```\n[b](b.md)", []string{"docs/x.md:3"}},
		{"absolute", "[l](/LICENSE)", []string{"/LICENSE leads nowhere"}},
		{"second on the line", "[a](a.md) and ![b](b.png)", []string{"b.png"}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			wantProblem(t, checkLinks("docs/x.md", tc.text, exists), tc.want...)
		})
	}
	if existsHere("../etc") {
		t.Error("a path outside the repository must not resolve")
	}
}

// compiledAtStart matches a regular expression that is a variable of a package.
var compiledAtStart = regexp.MustCompile(`(?m)^(?:var |\t)\w+\s+= regexp\.MustCompile\(`)

// TestPatternsAreCompiledOnFirstUse: what a package compiles when it is loaded delays the start of every
// command. Tools that are not part of avow may.
func TestPatternsAreCompiledOnFirstUse(t *testing.T) {
	t.Parallel()
	if !compiledAtStart.MatchString("var (\n\ttagged   = regexp.MustCompile(`x`)\n)") {
		t.Error("a variable in a group is not seen")
	}
	for _, name := range files(t) {
		tool := strings.HasPrefix(name, "internal/gen/") || strings.HasPrefix(name, "internal/bench/")
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || tool {
			continue
		}
		if found := compiledAtStart.FindString(read(t, name)); found != "" {
			t.Errorf("%s has %q; compile it in a sync.OnceValue", name, found)
		}
	}
}
