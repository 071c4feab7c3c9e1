package web

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
)

const (
	// shortestFind and longestFind are the lengths of texts that are searched for.
	shortestFind, longestFind = 2, 200
	// mostFound is the number of results of each kind.
	mostFound = 50
)

// findPage is what a text was found in.
type findPage struct {
	Text, Error string
	Publishers  []foundPublisher
	Agents      []foundAgent
	Identifiers []foundIdentifier
	// More is set when there may be more of a kind than are shown.
	More bool
}

type foundPublisher struct {
	standingView
	Properties int
}

type foundAgent struct {
	URL, Href  string
	Publishers int
}

// A foundIdentifier is one with the publishers that list it.
type foundIdentifier struct {
	Type, Value string
	By          []claimant
}

// A standingView is a publisher with what is known about it.
type standingView struct {
	Domain, URL, State, Class string
	Since, Checked            time.Time
	Way, Location             string
}

func viewOf(k *ops.KnownPublisher) standingView {
	v := standingView{Domain: k.Domain, URL: tabURL(k.Domain, sellTab), State: k.State, Class: stateClasses[k.State],
		Since: k.Since, Checked: k.Looked}
	v.Way = wayWords[k.Location.Method]
	if k.Location.Method != custody.Direct {
		v.Location = shortened(redact.URL(k.Location.URL), longestItem)
	}
	return v
}

// view returns the directory. When it returns nil, the request is answered.
func (p *Pages) view(w http.ResponseWriter, r *http.Request) *ops.View {
	w.Header().Set("X-Robots-Tag", "noindex")
	v, err := p.reader.View(r.Context())
	if err != nil {
		p.failed(w, r, err, domainForm{})
		return nil
	}
	return v
}

// find answers with publishers, agents and identifiers that have a text in them.
func (p *Pages) find(w http.ResponseWriter, r *http.Request) {
	page := &findPage{Text: strings.TrimSpace(r.URL.Query().Get("q"))}
	switch {
	case page.Text == "":
	case len(page.Text) < shortestFind || len(page.Text) > longestFind:
		page.Error = "the text must have 2 to 200 characters"
	}
	if page.Text == "" || page.Error != "" {
		w.Header().Set("X-Robots-Tag", "noindex")
		status := http.StatusOK
		if page.Error != "" {
			status = http.StatusBadRequest
		}
		page.Text = shortened(page.Text, longestFind)
		p.render(w, r, status, "find", page)
		return
	}
	v := p.view(w, r)
	if v == nil {
		return
	}
	page.search(v)
	if v.Err() != nil {
		p.failed(w, r, v.Err(), domainForm{})
		return
	}
	page.Text = shortened(page.Text, longestFind)
	p.render(w, r, http.StatusOK, "find", page)
}

// search looks a text up.
func (g *findPage) search(v *ops.View) {
	text := strings.ToLower(g.Text)
	ink := &pen{findingsBytes}
	found := v.Search(text, mostFound)
	seen := map[[2]string]int{}
	for i := range found {
		e := &found[i]
		if strings.Contains(e.Domain, text) {
			g.Publishers = append(g.Publishers, foundPublisher{viewOf(e), e.Properties})
		}
		if e.InEffect {
			g.identifiers(e, text, seen, ink)
		}
	}
	agents, more := v.Agents(text, mostFound)
	for _, a := range agents {
		g.Agents = append(g.Agents, foundAgentOf(&a))
	}
	g.More = more || len(found) == mostFound
}

func foundAgentOf(a *ops.KnownAgent) foundAgent {
	return foundAgent{shortened(a.URL, longestText), agentURL(a.URL), a.Publishers}
}

// identifiers adds those of a publisher that have the text in them.
func (g *findPage) identifiers(e *ops.KnownPublisher, text string, seen map[[2]string]int, ink *pen) {
	for _, id := range e.Identifiers {
		if !strings.Contains(strings.ToLower(id.Value), text) || ink.dry() {
			continue
		}
		key := [2]string{id.Type, id.Value}
		at, ok := seen[key]
		if !ok {
			if len(g.Identifiers) == mostFound {
				g.More = true
				continue
			}
			at = len(g.Identifiers)
			seen[key] = at
			g.Identifiers = append(g.Identifiers,
				foundIdentifier{Type: ink.line(id.Type, longestItem), Value: ink.line(id.Value, longestText)})
		}
		if len(g.Identifiers[at].By) < mostClaimants {
			g.Identifiers[at].By = append(g.Identifiers[at].By, claimant{e.Domain, tabURL(e.Domain, sellTab)})
		}
	}
}

// elsewhere returns the page that a text in the box belongs to, when the directory knows better
// than its form tells: the page of an agent that files name, or the search results for other text.
// It is empty otherwise.
func (p *Pages) elsewhere(r *http.Request, text, agent, domain string) string {
	if len(text) < shortestFind || len(text) > longestFind {
		return ""
	}
	v, err := p.reader.View(r.Context())
	if err != nil {
		return ""
	}
	if agent != "" {
		canonical, err := registry.AgentURL(agent)
		if err == nil && v.HasAgent(canonical) {
			return agentURL(canonical)
		}
		return ""
	}
	if v.HasPublisher(domain) {
		return ""
	}
	page := findPage{Text: text}
	page.search(v)
	for _, id := range page.Identifiers {
		// The identifier of an app may look like a domain; a site that a file lists is one.
		isSite := id.Type == "domain" || id.Type == "subdomain"
		if strings.EqualFold(id.Value, text) && (domain == "" || !isSite) {
			return findURL(text)
		}
	}
	if domain == "" && len(page.Publishers)+len(page.Agents)+len(page.Identifiers) > 0 {
		return findURL(text)
	}
	return ""
}

func findURL(text string) string { return "/find?" + url.Values{"q": {text}}.Encode() }
