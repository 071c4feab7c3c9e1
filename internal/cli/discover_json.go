package cli

import (
	"github.com/avow-project/avow/adagents"

	"github.com/avow-project/avow/internal/redact"
)

// discoverDocument is the JSON output of the discover command: the answer and
// all the evidence for it. Its members are a contract like those of jsonResult.
type discoverDocument struct {
	Target string     `json:"target"`
	Error  *jsonError `json:"error,omitzero"`
	Domain string     `json:"domain"`
	// Summary is the answer as a sentence.
	Summary string `json:"summary"`
	Found   bool   `json:"found"`
	Valid   bool   `json:"valid"`
	jsonDiscovery
	Kind     *string       `json:"kind"`
	Counts   *jsonCounts   `json:"counts,omitzero"`
	Usable   *jsonUsable   `json:"usable"`
	Findings []wayDocument `json:"findings"`
	Agents   *[]jsonAgent  `json:"agents,omitzero"`
}

// wayDocument is a finding about the way.
type wayDocument struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Step     string `json:"step"`
	URL      string `json:"url"`
	Line     int    `json:"line,omitzero"`
	Message  string `json:"message"`
	Hint     string `json:"hint"`
	Detail   string `json:"detail,omitempty"`
	Spec     string `json:"spec"`
}

func discoverDocumentOf(r *result) discoverDocument {
	d := r.found
	doc := discoverDocument{
		Target: r.target.name, Domain: d.Domain, Summary: answerSentence(d), Found: d.Found, Valid: d.Valid(),
		jsonDiscovery: *discoveryForJSON(d, r.at), Findings: []wayDocument{},
	}
	for i := range d.Trail {
		doc.Hops[i].AdsTxt = adsTxtForJSON(&d.Trail[i])
		doc.Hops[i].Exchanges = []jsonExchange{}
		if d.Trail[i].Result == nil {
			continue
		}
		for j := range d.Trail[i].Result.Exchanges {
			doc.Hops[i].Exchanges = append(doc.Hops[i].Exchanges, exchangeForJSON(&d.Trail[i].Result.Exchanges[j]))
		}
	}
	doc.describe(r)
	for i := range d.Findings {
		f := &d.Findings[i]
		doc.Findings = append(doc.Findings, wayDocument{
			Code: f.Code, Severity: f.Severity.String(), Step: f.Step.String(), URL: redact.URL(f.URL), Line: f.Line,
			Message: redact.Credentials(f.Message), Hint: redact.Credentials(f.Hint), Detail: redact.Credentials(f.Detail), Spec: f.Spec,
		})
	}
	if r.agents != nil {
		list := agentsForJSON(r.agents)
		doc.Agents = &list
	}
	return doc
}

// describe fills in what is known about the file.
func (doc *discoverDocument) describe(r *result) {
	if r.report == nil {
		return
	}
	kind := r.report.Kind.String()
	if kind != "" {
		doc.Kind = &kind
	}
	doc.Counts = &jsonCounts{
		Error: r.report.Count(adagents.Error), Warning: r.report.Count(adagents.Warning), Info: r.report.Count(adagents.Info),
	}
	if !r.unusable() {
		doc.Usable = usableForJSON(r.report)
	}
}
