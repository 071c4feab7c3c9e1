package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/supply"
	"github.com/avow-project/avow/supplypath"
)

// pathPage is a question about a supply path, perhaps with its answer.
type pathPage struct {
	Fields []*askField
	Answer *pathView
}

// pathView is an answer as the page shows it.
type pathView struct {
	Verdict verdict
	// Word is the state as programs have it, and Open why it may be another one.
	Word, Open string
	Question   string
	Steps      []proofStep
	Picture    picture
	Files      []pathFile
	Link, Body string
	Receipt    receiptView
}

// pathFile is the file of one of the two publishers.
type pathFile struct {
	Whose, Publisher, URL, Words, Href string
}

// pathFields are the fields of the form. Names are those of the flags of the command.
var pathFields = []struct{ name, member, label, example string }{
	{"owner", supply.OwnerMember, "Channel owner’s domain", "owner.example"},
	{"host", supply.HostMember, "Host’s domain", "host.example"},
	{"agent", "agent_url", "Owner’s agent", "https://agent.example/mcp"},
	{"collection", "collection_id", "Channel’s collection_id", "all of them"},
}

// path answers with the form for a question about a supply path, and the answer once there is one.
func (p *Pages) path(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Robots-Tag", "noindex")
	page, q, ready := pathAsked(r.URL.Query())
	if !ready {
		p.render(w, r, http.StatusOK, "path", page)
		return
	}
	a := p.pathAnswered(w, r, page, q)
	if a == nil {
		return
	}
	page.Answer = pathViewOf(a, p.reader.PathReceipt(r.Context(), a))
	p.render(w, r, http.StatusOK, "path", page)
}

// pathReceipt answers with the receipt of an answer as a file, or says why there is none.
func (p *Pages) pathReceipt(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Robots-Tag", "noindex")
	page, q, ready := pathAsked(r.URL.Query())
	if !ready {
		p.render(w, r, http.StatusBadRequest, "path", page)
		return
	}
	a := p.pathAnswered(w, r, page, q)
	if a != nil {
		p.sendReceipt(w, r, "avow-path-"+a.Owner+"-"+a.Host+"-"+string(a.State), p.reader.PathReceipt(r.Context(), a))
	}
}

// pathAsked reads a question, and reports whether it can be answered.
func pathAsked(query url.Values) (*pathPage, supply.Question, bool) {
	page := &pathPage{}
	given := map[string]string{}
	for _, f := range pathFields {
		given[f.name] = strings.TrimSpace(query.Get(f.name))
		page.Fields = append(page.Fields,
			&askField{Name: f.name, ID: "path-" + f.name, Label: f.label,
				Value: shortened(redact.URL(given[f.name]), longestDomain), Example: f.example})
	}
	if len(query) > 0 && given["owner"]+given["host"]+given["agent"] != "" {
		for _, f := range page.Fields[:3] {
			if given[f.Name] == "" {
				f.Next = "This is still needed."
			}
		}
	}
	q := supply.Question{Owner: given["owner"], Host: given["host"], Agent: given["agent"],
		Collection: given["collection"]}
	return page, q, q.Owner != "" && q.Host != "" && q.Agent != ""
}

// pathAnswered returns the answer; nil when it has replied with what is wrong.
func (p *Pages) pathAnswered(w http.ResponseWriter, r *http.Request, page *pathPage, q supply.Question) *supply.Answer {
	a, err := p.service.SupplyPath(r.Context(), q)
	var wrong *supply.Error
	switch {
	case errors.As(err, &wrong):
		for i, f := range pathFields {
			if f.member == wrong.Member {
				page.Fields[i].Error = wrong.Message + "; " + wrong.Hint
			}
		}
		p.render(w, r, http.StatusBadRequest, "path", page)
		return nil
	case err != nil:
		p.failed(w, r, err, domainForm{Domain: safe(q.Host)})
		return nil
	}
	return a
}

// pathStates say what a state is for people.
var pathStates = map[supplypath.State]verdict{
	supplypath.VerifiedOwnerSold: {Class: "good", Mark: "✓", Words: "Verified: the host lets the agent sell it"},
	supplypath.HostDelegated:     {Class: "unknown", Mark: "?", Words: "Not authorized: the host only names the owner"},
	supplypath.OwnerAttested:     {Class: "unknown", Mark: "?", Words: "Not authorized: only the owner says so"},
	supplypath.Unverified:        {Class: "none", Mark: "–", Words: "Not verified"},
}

// stepKinds are what the steps of an answer are called.
var stepKinds = []string{"1. Channel", "2. Carriage", "3. Owner’s agent", "4. Host’s grant", "5. Partner in ads.txt"}

func pathViewOf(a *supply.Answer, receipt *ops.Receipt) *pathView {
	pen := &pen{agentsBytes}
	v := &pathView{Verdict: pathStates[a.State], Word: string(a.State), Open: sentence(safe(a.Open)),
		Question: pen.url(a.Agent)}
	v.Verdict.Detail = sentence(safe(a.Sentence()))
	for i, leg := range a.Steps() {
		s := proofStep{Kind: stepKinds[i], Value: pen.took(string(leg.Failure)), Note: sentence(pen.words(leg.Text)),
			State: stepFails}
		switch {
		case leg.OK:
			s.State, s.Value = stepHolds, "ok"
		case leg.Skipped:
			s.State = stepOpen
		}
		v.Steps = append(v.Steps, s)
	}
	v.Picture = draw(v.Steps)
	for _, f := range []struct {
		whose string
		file  *supply.File
	}{{"Owner", &a.OwnerFile}, {"Host", &a.HostFile}} {
		row := pathFile{Whose: f.whose, Publisher: safe(f.file.Publisher), URL: pen.url(f.file.URL),
			Href: checkURL(f.file.Publisher, false, false)}
		if f.file.Counts {
			row.Words = "used, confirmed " + timeText(f.file.FetchedAt)
		} else {
			row.Words = "not used: " + pen.words(f.file.Why(true))
		}
		v.Files = append(v.Files, row)
	}
	query := "?" + a.Values().Encode()
	v.Link, v.Receipt = "/path"+query, receiptWords("/path/receipt"+query, receipt)
	v.Body = pathCommand(a)
	return v
}

// pathCommand is the question on the command line; empty if it cannot be copied safely.
func pathCommand(a *supply.Answer) string {
	parts := []string{"avow", "supply-path", a.Owner, "--host", a.Host, "--agent", a.Agent}
	if a.Question.Collection != "" {
		parts = append(parts, "--collection", a.Question.Collection)
	}
	for i, part := range parts {
		if safe(part) != part {
			return ""
		}
		parts[i] = shellWord(part)
	}
	return strings.Join(parts, " ")
}
