package web

import (
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/std/hostname"
)

// mostSuggested is how many suggestions of each kind there are.
const mostSuggested = 4

// A suggestion is a page that a text in the box may mean.
type suggestion struct {
	// Kind is publisher, agent or rule. Text is what is found; Note says more.
	Kind string `json:"kind"`
	Text string `json:"text"`
	Note string `json:"note,omitempty"`
	Href string `json:"href"`
}

// suggest answers with pages for the beginning of a name: publishers by their first letters, and agents and
// rules by any part. It makes no requests. While the directory cannot be read, rules are all there is.
func (p *Pages) suggest(w http.ResponseWriter, r *http.Request) {
	text := strings.ToLower(strings.TrimSpace(r.URL.Query().Get("q")))
	list := []suggestion{}
	if len(text) >= shortestFind && len(text) <= longestFind {
		v, err := p.reader.View(r.Context())
		if err == nil {
			list = append(list, suggestedNames(v, text)...)
		}
		list = append(list, suggestedRules(text)...)
	}
	body, err := json.Marshal(list)
	if err != nil {
		p.failed(w, r, err, domainForm{})
		return
	}
	w.Header().Set("X-Robots-Tag", "noindex")
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "private, max-age=60")
	sendPacked(w, r, http.StatusOK, body)
}

func suggestedNames(v *ops.View, text string) []suggestion {
	var list []suggestion
	for _, domain := range v.Beginning(beginningOf(text), mostSuggested) {
		shown := showDomain(domain)
		list = append(list, suggestion{"publisher", shown.First, shown.Second, checkURL(domain, false, false)})
	}
	agents, _ := v.Agents(text, mostSuggested)
	for _, a := range agents {
		list = append(list, suggestion{"agent", shortened(a.URL, longestText), "", agentURL(a.URL)})
	}
	if v.Err() != nil {
		return nil
	}
	return list
}

// beginningOf is a text as names of publishers are kept.
func beginningOf(text string) string {
	name, _, err := hostname.Canonical(strings.TrimSuffix(text, "."))
	if err != nil {
		return text
	}
	return name
}

func suggestedRules(text string) []suggestion {
	var list []suggestion
	for _, rule := range catalogue.All() {
		if len(list) == mostSuggested {
			break
		}
		if strings.Contains(rule.Code, text) {
			list = append(list, suggestion{"rule", rule.Code, capital(rule.Title), ruleURL(rule.Code)})
		}
	}
	return list
}
