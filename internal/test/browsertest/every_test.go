package browsertest

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/service/web"
)

// wilds are what stands for the wildcards in the addresses of pages.
var wilds = map[string]string{
	"{$}": "", "{domain}": "good.example", "{name}": "good.example", "{code}": "agent.url_missing", "{page}": "publisher", "{url...}": "https:%2F%2Fagent.example%2Fmcp",
}

// pageless are addresses that answer with something else than a page, or only after something has been done.
var pageless = map[string]string{
	"/go": "leads elsewhere", "/check": "leads elsewhere", "/sitemap.xml": "for crawlers", "/robots.txt": "for crawlers", "/favicon.ico": "a picture", "/preview/{name}": "a picture", "/suggest": "for the script", "/progress": "for the script",
	"/assets/{name}": "a file", "/assets/script/{version}/{name}": "a file", "/check/{domain}/report.md": "a text",
	"/publisher/{domain}": "leads elsewhere", "/publisher/{domain}/log": "leads elsewhere",
	"/ask/receipt": "a file", "/path/receipt": "a file",
	"/network/{id}": "TestNetwork has runs", "/network/{id}/progress": "for the script", "/network/{id}/publishers.csv": "a file", "/network/{id}/messages.txt": "a file",
	"/moderate/proposal/{id}": "TestModeration has a key and proposals",
}

// views are pages that one address has with parameters.
var views = map[string][]string{
	"/check/{domain}": {"?tab=sell", "?tab=ask", "?tab=history", "?tab=evidence"},
	"/ask":            {"?publisher=good.example", "?publisher=good.example&agent=https%3A%2F%2Fagent.example%2Fmcp&country=UK"},
	"/find":           {"?q=example"},
	"/rules":          {"?q=signing+key", "?group=in-file-agent"},
	"/guide":          {"?q=revocation"},
	"/paste":          {"?new=new.example"},
	"/build":          {"?domain=good.example"},
}

// addresses are the addresses of all pages, made from the table of routes: a route that is added is here, too.
func addresses(t *testing.T) []string {
	t.Helper()
	pages := web.New(web.Config{})
	wild := regexp.MustCompile(`\{[^}]*\}`)
	list := []string{"/docs", "/docs?op=authorize", "/no/such/page"}
	for _, pattern := range pages.Patterns() {
		path, ok := strings.CutPrefix(pattern, "GET ")
		if !ok || pageless[path] != "" {
			continue
		}
		address := wild.ReplaceAllStringFunc(path, func(name string) string {
			text, ok := wilds[name]
			if !ok {
				t.Errorf("%s: say what is to stand for %s, or that it is not a page", path, name)
			}
			return text
		})
		if pages.Lookup(httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)).Program {
			continue // for scripts
		}
		list = append(list, address)
		for _, view := range views[path] {
			list = append(list, address+view)
		}
	}
	return list
}

// TestEveryPage looks at all pages there are: on a desktop and on a phone, light and dark, for everybody, without
// anything that moves, in few bytes; and without scripts, with everything that scripts do not add.
func TestEveryPage(t *testing.T) {
	t.Parallel()
	base := start(t, internet(nil))
	list := addresses(t)
	const least = 25
	if len(list) < least {
		t.Errorf("%d pages, and %d are wanted", len(list), least)
	}
	var visits []visit
	for _, address := range list {
		name := "every" + strings.Map(func(r rune) rune {
			if strings.ContainsRune("/?&=%:", r) {
				return '-'
			}
			return r
		}, address)
		status := http.StatusOK
		if address == "/no/such/page" {
			status = http.StatusNotFound
		}
		visits = append(visits,
			visit{Name: name, URL: address, Status: status, Axe: true, Outline: true, Looks: everyLook},
			visit{Name: name + "-plain", URL: address, Status: status, Outline: true, Looks: []string{"plain"}})
	}
	sights := look(t, base, shots(t), only(visits))
	plain := map[string][]string{}
	for i := range sights {
		for _, p := range sights[i].problems() {
			t.Error(p)
		}
		if tasks() && sights[i].Longest > 0 {
			t.Logf("task of %d ms: %s, %s", sights[i].Longest, sights[i].Name, sights[i].Look)
		}
		if name, ok := strings.CutSuffix(sights[i].Name, "-plain"); ok {
			plain[name] = sights[i].Outline
		}
	}
	for i := range sights {
		s := &sights[i]
		if s.Look != "light" {
			continue
		}
		without := plain[s.Name]
		if strings.HasPrefix(s.Name, "every-build") {
			if !slices.ContainsFunc(without, func(x string) bool { return strings.HasPrefix(x, "a /paste") }) {
				t.Errorf("%s: without scripts, nothing leads on: %v", s.Name, without)
			}
			continue
		}
		if len(s.Outline) == 0 {
			t.Errorf("%s: nothing is on the page", s.Name)
		}
		for _, x := range s.Outline {
			if !slices.Contains(without, x) {
				t.Errorf("%s: without scripts there is no %s", s.Name, x)
			}
		}
	}
}
