package web

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/guide"
)

func TestLeads(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]lead{
		"":                        nil,
		"make it a list":          {{"make it a list", ""}},
		"avow fix --likely does":  {{"the repaired file", ""}, {" does", ""}},
		"ask avow authorize; ask": {{"ask ", ""}, {"Ask", "/ask"}, {"; ask", ""}},
		"avow validate mgr.example lists it; avow validate says more": {
			{"the report of mgr.example", "/check/mgr.example"}, {" lists it; ", ""}, {"the report", ""}, {" says more", ""},
		},
		"use the program: avow network": {{"use the program: ", ""}, {"avow network", "/guide/cli#avow-network"}},
		"avow edit add --properties":    {{"avow edit add", "/guide/cli#avow-edit-add"}, {" --properties", ""}},
	} {
		if diff := cmp.Diff(want, leadsOf(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	about := leadsAbout("a.example", "avow validate says how")
	if diff := cmp.Diff([]lead{{"the report", "/check/a.example"}, {" says how", ""}}, about); diff != "" {
		t.Error(diff)
	}
	if got := plainly("avow create --from makes a draft"); got != "the builder makes a draft" {
		t.Error(got)
	}
}

// TestNoCommands: no page and no hint tells visitors to run a program where a link leads to the same.
func TestNoCommands(t *testing.T) {
	t.Parallel()
	g := servedGuide()
	command := regexp.MustCompile(`\bavow (validate|discover|fix|fmt|explain|create|edit|pointer|authorize|resolve|network|crawl|watch|history|diff|hold|serve|keys|state|log|verify)\b`)
	for _, r := range catalogue.All() {
		for _, part := range leadsOf(r.Hint) {
			if part.URL == "" && command.MatchString(part.Text) {
				t.Errorf("%s: %q is not a link", r.Code, part.Text)
			}
			checkGuideLink(t, g, r.Code, part.URL)
		}
	}
	link := regexp.MustCompile(`href="(/guide/[^"{]+)"`)
	templates, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil || len(templates) == 0 {
		t.Fatal(err)
	}
	for _, name := range templates {
		text, err := templateFiles.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "<code>avow ") {
			t.Errorf("%s prints a command", name)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			checkGuideLink(t, g, name, m[1])
		}
	}
}

// checkGuideLink makes sure that a link into the guide leads to a page, and to a heading of it.
func checkGuideLink(t *testing.T, g *guide.Guide, where, url string) {
	t.Helper()
	slug, ok := strings.CutPrefix(url, "/guide/")
	if !ok {
		return
	}
	slug, id, _ := strings.Cut(slug, "#")
	page := g.Pages[slug]
	if page == nil {
		t.Errorf("%s: there is no page %s", where, url)
		return
	}
	if id != "" && !strings.Contains(page.HTML, `id="`+id+`"`) {
		t.Errorf("%s: there is no heading %s", where, url)
	}
}

// TestNames: a text links the agents and publishers that it names, and nothing that only looks like them.
func TestNames(t *testing.T) {
	t.Parallel()
	named := namesIn([]custody.Change{
		{Code: "agent.added", Subject: "https://ssp.example/mcp"}, {Code: "agent.added", Subject: "https://me:secret@hidden.example/a"},
		{Code: "revocation.added", Subject: "pub.example"}, {Code: "property.added", Subject: "a"},
	})
	for text, want := range map[string]string{
		"ssp.example may sell":                               "|ssp.example>/agent/https:%2F%2Fssp.example%2Fmcp| may sell",
		"ssp.example: no, a.":                                "|ssp.example>/agent/https:%2F%2Fssp.example%2Fmcp|: no, a.",
		`("https://ssp.example/mcp")`:                        `("|https://ssp.example/mcp>/agent/https:%2F%2Fssp.example%2Fmcp|")`,
		"pub.example and a are revoked":                      "|pub.example>/check/pub.example| and a are revoked",
		"notssp.example, ssp.example.evil, hidden.example/a": "notssp.example, ssp.example.evil, hidden.example/a",
	} {
		var got []string
		for _, l := range named.Link(text) {
			if l.URL != "" {
				l.Text += ">" + l.URL
			}
			got = append(got, l.Text)
		}
		if text := strings.Join(got, "|"); text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
	if got := linkedNames(nil).Link("x"); len(got) != 1 || got[0].Text != "x" {
		t.Errorf("%v", got)
	}
}
