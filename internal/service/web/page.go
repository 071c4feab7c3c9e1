package web

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/std/words"
)

//go:embed templates
var templateFiles embed.FS

// pageTemplates are the pages by name, each with the parts that all share. Most commands
// have no use for them, and reading them takes a fifth of what those need to start.
var pageTemplates = sync.OnceValue(func() map[string]*template.Template {
	pages := map[string]*template.Template{}
	for name := range sectionOf {
		pages[name] = parsePage(name)
	}
	pages["badge-image"] = template.Must(template.ParseFS(templateFiles, "templates/badge-image.svg"))
	return pages
})

// A section is a part of the service that every page links to.
type section struct{ Name, Path, Title string }

// sections are those of the navigation, in its order.
var sections = []section{{"check", "/", "Check"}, {"build", "/build", "Build"}, {"ask", "/ask", "Ask"},
	{"network", "/network", "Network"}, {"rules", "/rules", "Rules"}, {"guide", "/guide", "Guide"},
	{"api", "/docs", "API"}}

// sectionOf has the section of each page by its name; empty for those of none.
var sectionOf = map[string]string{"home": "check", "build": "build", "report": "check", "paste": "check",
	"badge": "check", "reference": "api", "rules": "rules", "rule": "rules", "retry": "check", "ask": "ask", "path": "ask",
	"network": "network", "rollout": "network", "agent": "check", "find": "check", "stats": "check", "guide": "guide",
	"trust": "check", "moderate": "", "held": "", "proposal": "", "problem": ""}

// partsOf has the templates that a page shares with another one, or has in files of their own.
var partsOf = map[string][]string{
	"report": {"findings", "sell", "askform", "history", "evidence"},
	"paste":  {"findings", "sell"},
	"trust":  {"findings"},
	"ask":    {"askform"},
}

func parsePage(name string) *template.Template {
	t := template.New("frame.html").Funcs(pageFuncs(name))
	files := []string{"templates/frame.html", "templates/parts.html", "templates/" + name + ".html"}
	for _, part := range partsOf[name] {
		files = append(files, "templates/part-"+part+".html")
	}
	return template.Must(t.ParseFS(templateFiles, files...))
}

// pageFuncs are what templates can call, for a page.
func pageFuncs(name string) template.FuncMap {
	return template.FuncMap{
		"style":      func() string { return "/assets/" + styleSheet().name },
		"icon":       func() string { return "/assets/" + icon().name },
		"buildstyle": func() string { return "/assets/" + buildSheet().name },
		"script":     scriptPath,
		"count":      words.Thousands,
		"severities": func() []string { return []string{"error", "warning", "info"} },
		"sections":   func() []section { return sections },
		"on":         func(what string) bool { return what == name || what == sectionOf[name] },
		"noun":       words.Plural,
		"pieces":     words.Pieces,
		"domain":     showDomain,
		"leads":      leadsOf,
		"agent":      agentURL,
		"time":       func(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") },
		"clock":      func(t time.Time) string { return t.UTC().Format("15:04 UTC") },
		"date":       func(t time.Time) string { return t.UTC().Format("2 Jan 2006") },
		"stamp":      func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"odd":        func(n int) bool { return n%2 == 1 },
	}
}

// domainForm is the box for a domain, as every page has it.
type domainForm struct {
	Domain string
	Agents bool
	// Error says what is wrong with the domain, and Hint what to write instead.
	Error, Hint string
}

// render makes and writes a page.
func (p *Pages) render(w http.ResponseWriter, r *http.Request, status int, name string, data any) {
	page, err := makePage(name, data)
	p.send(w, r, status, page, err)
}

// makePage makes a page. Nothing is sent before the whole of it is made, so that a page is
// never half an answer.
func makePage(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	err := pageTemplates()[name].Execute(&b, data)
	return b.Bytes(), err
}

// send writes a page, unless it could not be made.
func (p *Pages) send(w http.ResponseWriter, r *http.Request, status int, page []byte, err error) {
	if err != nil {
		p.log.ErrorContext(r.Context(), "cannot make a page", "error", err)
		http.Error(w, "Internal server error", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", cacheControl(r, status))
	}
	sendPacked(w, r, status, page)
}

// policy permits the pages their own style sheet, scripts, icon and forms, and nothing else.
// Their scripts may ask this service, and can make neither markup nor code of a text.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// protect sets the headers of every page.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// cacheControl is the Cache-Control of a page that says nothing else: what anybody may read may be
// kept, if it is asked for each time whether it has changed.
func cacheControl(r *http.Request, status int) string {
	if status != http.StatusOK || !reads(r) || strings.HasPrefix(r.URL.Path, moderatePath) {
		return notKept
	}
	return "no-cache"
}

// notKept is the Cache-Control of what must not be cached.
const notKept = "no-store"

func reads(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// smallest is the size from which an answer is compressed: less fits in one packet anyhow.
const smallest = 1400

// sendPacked writes an answer whose headers are set, in fewer bytes where that is worth it, or that
// it has not changed if it may be kept.
func sendPacked(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	if status == http.StatusOK && reads(r) && w.Header().Get("Cache-Control") != notKept &&
		edge.Unchanged(w, r, edge.TagOf(body)) {
		return
	}
	sendBody(w, status, edge.Pack(w.Header(), r, smallest, body)[0])
}

// sendBody writes an answer whose headers are set.
func sendBody(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the caller may have gone away
}

// Reference puts the reference of the API into the frame of all pages, and returns the page
// with its headers.
func Reference(content template.HTML) ([]byte, http.Header) {
	page, err := makePage("reference", content)
	if err != nil {
		panic("the reference cannot be shown: " + err.Error())
	}
	h := http.Header{}
	protect(h)
	return page, h
}
