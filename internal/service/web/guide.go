package web

import (
	"bytes"
	"encoding/xml"
	"html/template"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/avow-project/avow/docs"
	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/guide"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/std/markdown"
)

// guidePage is a page of the guide, or what was found in it.
type guidePage struct {
	Canonical, Description string
	Parts                  []guide.Part
	*guide.Page
	Body template.HTML
	// Query is the search; Hits are the best of Found places.
	Query string
	Hits  []guideHit
	Found int
	// Search is the address of the search; empty where there is none.
	Home, Search string
}

// guideHit is a place that was found.
type guideHit struct {
	guide.Hit
	URL string
}

// servedGuide is the guide as the service has it. Reading it takes some milliseconds, which most
// commands have no use for.
var servedGuide = sync.OnceValue(func() *guide.Guide {
	g, err := guide.New(docs.Guide, guide.Options{Page: guideURL, Elsewhere: servedElsewhere})
	if err != nil {
		panic("the guide cannot be read: " + err.Error())
	}
	return g
})

// guideURL is the address of a page of the guide.
func guideURL(slug string) string { return strings.TrimSuffix("/guide/"+slug, "/") }

// servedElsewhere has the documents in whose place the service has other pages.
func servedElsewhere(file, fragment string) string {
	switch file {
	case "http.md":
		return "/docs"
	case "rules.md":
		for _, r := range catalogue.All() {
			if fragment != "" && markdown.Anchor(r.Code) == fragment {
				return ruleURL(r.Code)
			}
		}
		return "/rules"
	}
	return ""
}

// guideRoutes are those of the guide.
func (p *Pages) guideRoutes() {
	p.handle("GET /guide", edge.Read, 0, p.guide)
	p.handle("GET /guide/{page}", edge.Read, 0, p.guide)
	p.handle("GET /sitemap.xml", edge.Static, 0, p.sitemap)
}

// guide answers with a page of the guide.
func (p *Pages) guide(w http.ResponseWriter, r *http.Request) {
	g, slug := servedGuide(), r.PathValue("page")
	found := g.Pages[slug]
	if found == nil {
		p.notFound(w, r)
		return
	}
	page := guidePageOf(g, found)
	page.Canonical, page.Home, page.Search = p.baseURL+guideURL(slug), guideURL(""), guideURL("")
	query := strings.TrimSpace(shortened(r.URL.Query().Get("q"), longestQuery))
	if slug == "" && query != "" {
		w.Header().Set("X-Robots-Tag", "noindex")
		page.find(g, query)
	}
	w.Header().Set("Cache-Control", "public, max-age=300")
	p.render(w, r, http.StatusOK, "guide", page)
}

func guidePageOf(g *guide.Guide, page *guide.Page) *guidePage {
	return &guidePage{Description: page.About, Parts: g.Parts, Page: page, Body: template.HTML(page.HTML)} //nolint:gosec // our own documents, which are part of the program
}

// find looks for words.
func (page *guidePage) find(g *guide.Guide, query string) {
	hits, found := g.Search(query)
	page.Query, page.Found = query, found
	for _, h := range hits {
		url := guideURL(h.Page.Slug)
		if h.ID != "" {
			url += "#" + h.ID
		}
		page.Hits = append(page.Hits, guideHit{h, url})
	}
}

// sitemap lists what crawlers may read, where the address of the service is known.
func (p *Pages) sitemap(w http.ResponseWriter, r *http.Request) {
	if p.baseURL == "" {
		p.notFound(w, r)
		return
	}
	paths := []string{"/", "/rules", "/docs"}
	for _, slug := range slices.Sorted(maps.Keys(servedGuide().Pages)) {
		paths = append(paths, guideURL(slug))
	}
	b := bytes.NewBufferString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, path := range paths {
		b.WriteString("<url><loc>")
		_ = xml.EscapeText(b, []byte(p.baseURL+path)) // a buffer takes everything
		b.WriteString("</loc></url>\n")
	}
	b.WriteString("</urlset>\n")
	w.Header().Set("Content-Type", "application/xml")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	sendPacked(w, r, http.StatusOK, b.Bytes())
}

// StaticGuide returns the guide as files that need no service, by their names. It is made of the
// folder docs, and fails when a link in it leads nowhere. Exists reports whether the repository
// has a file.
func StaticGuide(files fs.FS, exists func(name string) bool) (map[string][]byte, error) {
	g, err := guide.New(files, guide.Options{Page: staticURL, Exists: exists})
	if err != nil {
		return nil, err
	}
	if len(g.Problems) > 0 {
		return nil, &brokenLinks{g.Problems}
	}
	t, err := template.New("static.html").Funcs(pageFuncs("guide")).ParseFS(templateFiles, "templates/static.html",
		"templates/guide.html")
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{"style.css": styleSheet().body, "icon.svg": icon().body}
	for slug, page := range g.Pages {
		shown := guidePageOf(g, page)
		shown.Home = staticURL("")
		var b strings.Builder
		err := t.Execute(&b, shown)
		if err != nil {
			return nil, err
		}
		all[staticURL(slug)] = []byte(b.String())
	}
	return all, nil
}

// staticURL is the name of a page among files.
func staticURL(slug string) string {
	if slug == "" {
		return "index.html"
	}
	return slug + ".html"
}

// brokenLinks says which links lead nowhere.
type brokenLinks struct{ list []string }

func (e *brokenLinks) Error() string { return strings.Join(e.list, "\n") }
