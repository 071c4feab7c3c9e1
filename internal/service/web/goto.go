package web

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/avow-project/avow/discover"
)

// emptyBox are the pages of the home page's buttons when nothing is in its box.
var emptyBox = map[string]string{"ask": "/ask", "network": "/network"}

// goTo answers the box of every page: it leads to the report about a domain, to the questions
// about an agent, to the form for a network's file, or shows the report about a document.
func (p *Pages) goTo(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, largestBody)
	err := r.ParseForm()
	text := strings.TrimSpace(r.Form.Get("q"))
	form := domainForm{Agents: r.Form.Get("agents") != ""}
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		p.render(w, r, http.StatusRequestEntityTooLarge, "paste", &pastePage{Paste: tooLarge, report: new(report)})
	case text == "":
		http.Redirect(w, r, cmp.Or(emptyBox[r.Form.Get("do")], "/"), http.StatusSeeOther)
	case looksLikeDocument(text) && len(text) > largestPaste:
		p.render(w, r, http.StatusRequestEntityTooLarge, "paste", &pastePage{Paste: tooLarge, report: new(report)})
	case looksLikeDocument(text):
		p.checkDocument(w, r, []byte(strings.ReplaceAll(text, "\r\n", "\n")), pasteForm{}, nil)
	default:
		form.Domain = text
		p.goToName(w, r, form)
	}
}

// goToName answers the box when a domain or a URL is in it.
func (p *Pages) goToName(w http.ResponseWriter, r *http.Request, form domainForm) {
	text, do := form.Domain, r.Form.Get("do")
	name := whatIsMeant(text)
	to := ""
	switch {
	case name.file != "" || do == "network" && name.host != "":
		to = "/network?" + url.Values{"network": {cmp.Or(name.file, text)}}.Encode()
	case do != "ask":
		to = p.elsewhere(r, text, name.agent, boxDomain(text, name.host))
	}
	if to == "" && name.agent != "" {
		to = "/ask?" + url.Values{"agent": {name.agent}}.Encode()
	}
	if to == "" {
		form.Domain = cmp.Or(name.host, text)
		domain, ok := p.canonical(w, r, form)
		switch {
		case !ok:
			return // it was said why
		case do == "who":
			to = tabURL(domain, sellTab)
		case do == "ask":
			to = "/ask?" + url.Values{"publisher": {domain}}.Encode()
		default:
			to = checkURL(domain, form.Agents, false)
		}
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// boxDomain returns the domain in the box; empty when there is none.
func boxDomain(text, host string) string {
	domain, err := discover.CanonicalDomain(cmp.Or(host, text))
	if err != nil {
		return ""
	}
	return domain
}

// looksLikeDocument tells a pasted file from a name: no domain and no URL has a brace, a
// bracket or a quotation mark at its beginning, or several lines.
func looksLikeDocument(text string) bool {
	return strings.ContainsAny(text[:1], `{["`) || strings.HasPrefix(text, "\ufeff") || strings.Contains(text, "\n") ||
		strings.Contains(text, `":`)
}

// Parts of paths and hosts that belong to agents.
var (
	agentPaths = []string{"mcp", "a2a", "sse", "adcp", "agent", "agents", "agent-card.json"}
	agentHosts = []string{"agent", "agents", "mcp", "a2a", "sales-agent"}
)

// A boxName is what a name in the box stands for: the URL of an agent, or that of a file that many publishers may
// share, or the host in the URL of a publisher. It is empty when the text has to be taken for a domain as it is, or
// for a mistake.
type boxName struct{ agent, file, host string }

// whatIsMeant tells what a text in the box names. The file at the well-known path is found by its domain.
func whatIsMeant(text string) boxName {
	given := text
	if !strings.Contains(text, "://") {
		given = "https://" + text
	}
	u, err := url.Parse(given)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.Hostname() == "" ||
		len(text) > longestDomain || strings.ContainsAny(text, " \t") {
		return boxName{}
	}
	first, rest, _ := strings.Cut(strings.ToLower(u.Hostname()), ".")
	segments := strings.Split(strings.ToLower(u.Path), "/")
	isAgent := slices.ContainsFunc(segments, func(s string) bool { return slices.Contains(agentPaths, s) })
	switch {
	case isAgent, given == text && slices.Contains(agentHosts, first) && strings.Contains(rest, "."):
		return boxName{agent: given}
	case path.Ext(u.Path) == ".json" && u.Path != "/.well-known/adagents.json":
		return boxName{file: given}
	case u.Port() != "":
		return boxName{}
	}
	return boxName{host: u.Hostname()}
}
