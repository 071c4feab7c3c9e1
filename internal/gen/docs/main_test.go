package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/gen/genfile"
	"github.com/avow-project/avow/internal/std/markdown"
)

const manual = "../../../docs"

func TestPagesAreCurrent(t *testing.T) {
	t.Parallel()
	err := genfile.Check(manual, pages)
	if err != nil {
		t.Error(err)
	}
}

// TestRulesPageIsComplete looks for every rule: its heading, its row, and no
// link that leads to no heading.
func TestRulesPageIsComplete(t *testing.T) {
	t.Parallel()
	page, err := rulesPage()
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	headings := make(map[string]bool)
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && line[0] == '#' {
			headings[markdown.Anchor(strings.TrimSpace(title))] = true
		}
	}
	for _, r := range catalogue.All() {
		if !strings.Contains(text, "\n### "+r.Code+"\n") || !strings.Contains(text, "| ["+r.Code+"](#") {
			t.Errorf("%s is not on the page", r.Code)
		}
	}
	for _, part := range strings.Split(text, "](#")[1:] {
		target, _, _ := strings.Cut(part, ")")
		if !headings[target] {
			t.Errorf("the link #%s leads nowhere", target)
		}
	}
	if strings.Count(text, "```")%2 != 0 {
		t.Error("a block of code is not closed")
	}
}

func TestCommandsPage(t *testing.T) {
	t.Parallel()
	page, err := commandsPage()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n## avow validate\n", "\n## avow discover\n", "\n## avow authorize\n", "\n## avow resolve\n", "\n## avow verify\n", "\n## avow fmt\n", "\n## avow create\n", "\n## avow explain\n",
		"\n## avow schema\n", "\n## avow completion\n", "\n## avow version\n", "| `-w, --write` |", "`--format WORD` | `text` |",
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q on the page", want)
		}
	}
}

// TestCodesOnCommandsPage keeps the hand-written part honest: the codes in its
// example are codes of rules.
func TestCodesOnCommandsPage(t *testing.T) {
	t.Parallel()
	found := regexp.MustCompile(`"code": "([^"]+)"`).FindAllStringSubmatch(commandsTemplate, -1)
	if len(found) == 0 {
		t.Error("no code in the template")
	}
	for _, m := range found {
		if catalogue.Lookup(m[1]).Code == "" {
			t.Errorf("no rule has the code %s", m[1])
		}
	}
}

func TestProse(t *testing.T) {
	t.Parallel()
	got := prose("Use ** and a_b.\n\nLike this:\n  avow fmt *.json\nor not\n  last")
	want := "Use \\*\\* and a\\_b.\n\nLike this:\n\n```sh\navow fmt *.json\n```\nor not\n\n```sh\nlast\n```"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestHTTPPage looks at the links of the page and at the table of clients, which is
// written by hand.
func TestHTTPPage(t *testing.T) {
	t.Parallel()
	page, err := httpPage()
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	headings := make(map[string]bool)
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && line[0] == '#' {
			headings[markdown.Anchor(strings.TrimSpace(title))] = true
		}
	}
	for _, m := range regexp.MustCompile(`\]\(#([^)]*)\)`).FindAllStringSubmatch(text, -1) {
		if !headings[m[1]] {
			t.Errorf("the link #%s leads nowhere", m[1])
		}
	}
	for _, m := range regexp.MustCompile("\\| `(?:GET|POST|PUT|DELETE) [^`]+` \\|").FindAllString(httpTemplate, -1) {
		route := strings.Trim(m, "|` ")
		if !strings.Contains(text, "\n### "+route+"\n") {
			t.Errorf("there is no route %s", route)
		}
	}
	if strings.Count(text, "```")%2 != 0 || strings.Contains(text, "\n\n\n") {
		t.Error("the page is not well formed")
	}
}

// TestCitations holds every rule to a public document that the page names, and the page to
// documents that some rule cites.
func TestCitations(t *testing.T) {
	t.Parallel()
	cited := make(map[string]bool)
	for _, r := range slices.Concat(catalogue.File.Codes(), catalogue.Way.Codes()) {
		i := slices.IndexFunc(documents, func(d document) bool {
			rest, ok := strings.CutPrefix(r.Spec, d.Title)
			return ok && (rest == "" || rest[0] == ',' || rest[0] == ' ')
		})
		if i < 0 {
			t.Errorf("%s cites %q, which is no document of the page", r.Code, r.Spec)
			continue
		}
		cited[documents[i].Title] = true
	}
	for _, d := range documents {
		if !cited[d.Title] {
			t.Errorf("nothing cites %s", d.Title)
		}
	}
}
