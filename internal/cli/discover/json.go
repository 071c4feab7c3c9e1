package discover

import (
	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/wire"
)

// discoverDocument is the JSON output of the discover command: the answer and
// all the evidence for it. Its members are a contract like those of resultDocument.
type discoverDocument struct {
	Target string             `json:"target"`
	Error  *console.JSONError `json:"error,omitzero"`
	Domain string             `json:"domain"`
	// Summary is the answer as a sentence.
	Summary string `json:"summary"`
	Found   bool   `json:"found"`
	Valid   bool   `json:"valid"`
	wire.Discovery
	Kind     *string        `json:"kind"`
	Counts   *report.Counts `json:"counts,omitzero"`
	Usable   *wire.Usable   `json:"usable"`
	Findings []wayDocument  `json:"findings"`
	Agents   *[]wire.Agent  `json:"agents,omitzero"`
}

// wayDocument is a finding about the way.
type wayDocument struct {
	Step string `json:"step"`
	URL  string `json:"url"` // also when it is empty
	wire.Finding
	Detail string `json:"detail,omitempty"`
}

func discoverDocumentOf(r *check.Result) discoverDocument {
	d := r.Found
	doc := discoverDocument{
		Target: r.Target.Name, Domain: d.Domain, Summary: report.AnswerSentence(d), Found: d.Found, Valid: d.Valid(),
		Discovery: *wire.DiscoveryOf(d, r.At), Findings: []wayDocument{},
	}
	for i := range d.Trail {
		doc.Hops[i].AdsTxt = wire.AdsTxtOf(&d.Trail[i])
		doc.Hops[i].Exchanges = []wire.Exchange{}
		if d.Trail[i].Result == nil {
			continue
		}
		for j := range d.Trail[i].Result.Exchanges {
			doc.Hops[i].Exchanges = append(doc.Hops[i].Exchanges, wire.ExchangeOf(&d.Trail[i].Result.Exchanges[j]))
		}
	}
	doc.describe(r)
	for i := range d.Findings {
		f := &d.Findings[i]
		doc.Findings = append(doc.Findings, wayDocument{f.Step.String(), redact.URL(f.URL), wire.CLI.DiscoveryFinding(f),
			redact.Credentials(f.Detail)})
	}
	if r.Agents != nil {
		list := report.AgentsOf(r.Agents)
		doc.Agents = &list
	}
	return doc
}

// describe fills in what is known about the file.
func (doc *discoverDocument) describe(r *check.Result) {
	if r.Report == nil {
		return
	}
	kind := r.Report.Kind.String()
	if kind != "" {
		doc.Kind = &kind
	}
	doc.Counts = &report.Counts{
		Error: r.Report.Count(adagents.Error), Warning: r.Report.Count(adagents.Warning), Info: r.Report.Count(adagents.Info),
	}
	if !report.Unusable(r) {
		doc.Usable = report.UsableOf(r.Report)
	}
}
