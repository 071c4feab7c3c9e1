package web

import (
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/service/edge"
)

// New returns the pages.
func New(c Config) *Pages {
	p := &Pages{service: c.Service, reader: c.Reader, baseURL: c.BaseURL, contact: c.Contact, now: c.Now, log: c.Log,
		mux: http.NewServeMux(), infos: map[string]edge.Route{}}
	if p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	if p.now == nil {
		p.now = time.Now
	}
	pageTemplates() // one that cannot be read is noticed at the start
	p.handle("GET /{$}", edge.Static, 0, p.home)
	p.handle("GET /go", edge.Create, 0, p.goTo)
	p.handle("POST /go", edge.Create, largestBody, p.goTo)
	p.handle("GET /suggest", edge.Read, 0, p.suggest)
	p.handle("GET /progress", edge.Read, 0, p.progress)
	p.handle("GET /check", edge.Static, 0, p.checkForm)
	p.handle("GET /check/{domain}", edge.Validate, 0, p.check)
	p.handle("POST /check", edge.Validate, 0, p.checkAgain)
	p.handle("GET /paste", edge.Static, 0, p.pasteForm)
	p.handle("POST /paste", edge.Create, largestBody, p.paste)
	p.handle("POST /paste/fix", edge.Create, largestBody, p.fixPasted)
	p.handle("POST /check/{domain}/fix", edge.Validate, 0, p.fixPublished)
	p.buildRoutes()
	p.networkRoutes()
	p.directoryRoutes()
	p.handle("GET /ask", edge.Lookup, 0, p.question)
	p.handle("GET /ask/receipt", edge.Lookup, 0, p.receipt)
	p.handle("GET /path", edge.Lookup, 0, p.path)
	p.handle("GET /path/receipt", edge.Lookup, 0, p.pathReceipt)
	p.handle("POST /ask/batch", edge.Lookup, largestBody, p.askMany)
	p.handle("GET /check/{domain}/report.md", edge.Validate, 0, p.markdown)
	p.handle("GET /check/{domain}/trust", edge.Read, 0, p.trust)
	p.handle("GET /preview/{name}", edge.Create, 0, p.preview)
	p.handle("GET /badge/{name}", edge.Badge, 0, p.badge)
	p.handle("GET /rules", edge.Read, 0, p.rules)
	p.handle("GET /rules/{code}", edge.Read, 0, p.rule)
	p.guideRoutes()
	p.handle("GET /publisher/{domain}", edge.Static, 0, p.movedPublisher(sellTab))
	p.handle("GET /publisher/{domain}/log", edge.Static, 0, p.movedPublisher(evidenceTab))
	p.handle("GET /moderate", edge.Read, 0, p.moderate)
	p.handle("POST /moderate", edge.Read, 0, p.enter) // it writes nothing, and wrong keys have a rate of their own
	p.handle("POST /moderate/leave", edge.Read, 0, p.leave)
	p.handle("GET /moderate/hold", edge.Read, 0, p.held)
	p.handle("POST /moderate/hold", edge.Write, 0, p.decideHold)
	p.handle("POST /moderate/undo", edge.Write, 0, p.undoHold)
	p.handle("GET /moderate/proposal/{id}", edge.Read, 0, p.proposal)
	p.handle("POST /moderate/proposal/{id}", edge.Write, 0, p.decideProposal)
	p.handle("POST /moderate/proposal/{id}/undo", edge.Write, 0, p.undoProposal)
	p.handle("GET /assets/{name}", edge.Static, 0, p.asset)
	p.handle("GET /assets/script/{version}/{name}", edge.Static, 0, p.script)
	p.handle("GET /favicon.ico", edge.Static, 0, favicon)
	p.handle("GET /robots.txt", edge.Static, 0, p.robots)
	p.mux.HandleFunc("/", p.nothing)
	return p
}

// directoryRoutes are the pages about everything that is known.
func (p *Pages) directoryRoutes() {
	p.handle("GET /agent/{url...}", edge.Read, 0, p.agent)
	p.handle("GET /find", edge.Read, 0, p.find)
	p.handle("GET /stats", edge.Read, 0, p.stats)
}

// Patterns lists the pages, as package http reads patterns.
func (p *Pages) Patterns() []string { return slices.Sorted(maps.Keys(p.infos)) }

// Lookup returns what is known about a request before it is answered.
func (p *Pages) Lookup(r *http.Request) edge.Route {
	_, pattern := p.mux.Handler(r)
	info, ok := p.infos[pattern]
	if !ok {
		return edge.Route{Class: edge.Static}
	}
	return info
}

// ServeHTTP answers a request.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	protect(w.Header())
	p.mux.ServeHTTP(w, r)
}

// nothing answers where there is no page, or none for the method.
func (p *Pages) nothing(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		other := r.Clone(r.Context())
		other.Method = method
		_, pattern := p.mux.Handler(other)
		if pattern != "/" && pattern != "" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 {
		p.notFound(w, r)
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	p.fail(w, r, &problemPage{
		Status: http.StatusMethodNotAllowed, Title: "This page cannot be used that way",
		Message: "The request has a method that this page does not know.", Hint: "Start again from the form below.",
	})
}

// assetsByName are the files that pages refer to by their names, but for the scripts.
var assetsByName = sync.OnceValue(func() map[string]*asset {
	return map[string]*asset{styleSheet().name: styleSheet(), buildSheet().name: buildSheet(),
		formAsset().name: formAsset(), icon().name: icon()}
})

// favicon leads to the icon, for what has no page that names it.
func favicon(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, "/assets/"+icon().name, http.StatusFound)
}

// asset answers with an asset.
func (p *Pages) asset(w http.ResponseWriter, r *http.Request) {
	p.sendAsset(w, r, assetsByName()[r.PathValue("name")])
}

// script answers with a script.
func (p *Pages) script(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.Path, scripts().path) {
		p.notFound(w, r)
		return
	}
	p.sendAsset(w, r, scripts().files[r.PathValue("name")])
}

// sendAsset writes an asset, or the page that says there is none.
func (p *Pages) sendAsset(w http.ResponseWriter, r *http.Request, a *asset) {
	if a == nil {
		p.notFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.media)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	body := a.body
	if edge.Takes(r, edge.Gzip) > 0 {
		h.Set("Content-Encoding", edge.Gzip)
		body = a.packed()
	}
	sendBody(w, http.StatusOK, body)
}

// robots keeps crawlers from having the web asked about everything.
func (p *Pages) robots(w http.ResponseWriter, r *http.Request) {
	// they show links that people share
	text := "User-agent: Twitterbot\nUser-agent: facebookexternalhit\nUser-agent: LinkedInBot\nUser-agent: " +
		"Slackbot\nAllow: /check/\nAllow: /preview/\nDisallow: /\n\n" +
		"User-agent: *\nDisallow: /check\nDisallow: /ask?\nDisallow: /ask/\nDisallow: /path?\nDisallow: /path/\nDisallow: " +
		"/go\nDisallow: /badge/\nDisallow: /preview/\nDisallow: /network/\nDisallow: /agent/\nDisallow: /find\nDisallow: " +
		"/suggest\nDisallow: /progress\nDisallow: /publisher/\nDisallow: /moderate\nDisallow: /api/\nDisallow: /guide?\n"
	if p.baseURL != "" {
		text += "Sitemap: " + p.baseURL + "/sitemap.xml\n"
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	sendPacked(w, r, http.StatusOK, []byte(text))
}
