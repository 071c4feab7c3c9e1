package web

import (
	"encoding/xml"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// TestGuide looks at every page of the guide: it has its frame, and its links lead to pages of
// the service.
func TestGuide(t *testing.T) {
	t.Parallel()
	links := regexp.MustCompile(`href="(/[^"#]*)(#[^"]*)?"`)
	bodies := map[string]string{}
	for slug := range servedGuide().Pages {
		r, body := get(t, new(checker), guideURL(slug))
		if r.StatusCode != http.StatusOK || !strings.Contains(body, `href="/guide" aria-current="true"`) || strings.Contains(body, "<!-- test") {
			t.Errorf("%s: %d", slug, r.StatusCode)
		}
		bodies[guideURL(slug)] = body
	}
	p := newPages(Config{Service: new(checker)})
	elsewhere := map[string]bool{}
	for from, body := range bodies {
		for _, m := range links.FindAllStringSubmatch(body, -1) {
			other, ours := bodies[m[1]]
			switch {
			case ours && m[2] != "" && !strings.Contains(other, `id="`+m[2][1:]+`"`):
				t.Errorf("%s: %s%s leads to no heading", from, m[1], m[2])
			case !ours && m[1] != "/docs":
				elsewhere[m[1]] = true
			}
		}
	}
	for target := range elsewhere {
		w := httptest.NewRecorder()
		p.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, http.NoBody))
		// The service of this test has no directory, so that the page about it is not ready.
		notReady := target == "/stats" && w.Code == http.StatusServiceUnavailable
		if w.Code >= http.StatusBadRequest && !notReady && target != "/ask" {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
}

func TestGuideSearch(t *testing.T) {
	t.Parallel()
	r, body := get(t, new(checker), "/guide?q=pinned+%3Cb%3Ekeys")
	if r.StatusCode != http.StatusOK || !strings.Contains(body, "No page has all of these words") || strings.Contains(body, "<b>keys") {
		t.Errorf("%d: %s", r.StatusCode, body)
	}
	r, body = get(t, new(checker), "/guide?q=revocation")
	if r.Header.Get("X-Robots-Tag") != "noindex" || !strings.Contains(body, `<a href="/guide/trust#revocation">`) || !strings.Contains(body, "<mark>revocation</mark>") {
		t.Errorf("%v: %s", r.Header, body)
	}
	r, _ = get(t, new(checker), "/guide/nothing")
	if r.StatusCode != http.StatusNotFound {
		t.Errorf("%d", r.StatusCode)
	}
}

// TestGuideIsNear makes sure that whoever has no file finds the tutorial.
func TestGuideIsNear(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"/", "/check/example.com", "/build"} {
		_, body := get(t, new(checker), target)
		if !strings.Contains(body, `href="/guide/publisher"`) {
			t.Errorf("%s does not lead to the tutorial", target)
		}
	}
}

func TestSitemap(t *testing.T) {
	t.Parallel()
	for base, status := range map[string]int{"": http.StatusNotFound, "https://registry.example": http.StatusOK} {
		p := newPages(Config{Service: new(checker), BaseURL: base})
		w, robots := httptest.NewRecorder(), httptest.NewRecorder()
		p.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/sitemap.xml", http.NoBody))
		p.ServeHTTP(robots, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/robots.txt", http.NoBody))
		if w.Code != status || strings.Contains(robots.Body.String(), "Sitemap: "+base+"/sitemap.xml") != (base != "") {
			t.Errorf("%q: %d, %s", base, w.Code, robots.Body)
		}
		if base == "" {
			continue
		}
		var list struct {
			URLs []string `xml:"url>loc"`
		}
		err := xml.Unmarshal(w.Body.Bytes(), &list)
		if err != nil || len(list.URLs) < 20 || list.URLs[0] != base+"/" {
			t.Errorf("%v: %q", err, list.URLs)
		}
	}
}
