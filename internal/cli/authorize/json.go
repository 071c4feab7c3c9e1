package authorize

import (
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// answerDocument is the JSON output of the authorize command. Its members are a contract
// like those of resultDocument.
type answerDocument struct {
	Verdict   string `json:"verdict"`
	Publisher string `json:"publisher"`
	Agent     string `json:"agent"`
	At        string `json:"at"`
	jsonAsked
	Reasons    []wire.Reason     `json:"reasons"`
	Grants     []wire.Grant      `json:"grants"`
	Needs      []string          `json:"needs"`
	Placements map[string]string `json:"placement_verdicts,omitzero"`
	// Exclusive are other agents that the file calls exclusive.
	Exclusive []string            `json:"exclusive_elsewhere"`
	Changes   []string            `json:"changes"`
	Evidence  []wire.Evidence     `json:"evidence"`
	Skipped   []wire.SkippedEntry `json:"skipped"`
	// Custody is absent unless files are kept over time.
	Custody *sources.JSONStanding `json:"custody,omitempty"`
	// Operator is absent unless --brand asks for it.
	Operator *wire.OperatorReply `json:"operator,omitempty"`
}

// jsonAsked are the parts of a question that may be left out.
type jsonAsked struct {
	Property     string   `json:"property,omitempty"`
	Identifier   string   `json:"identifier,omitempty"`
	PropertyType string   `json:"property_type,omitempty"`
	Placements   []string `json:"placements,omitempty"`
	Collections  []string `json:"collections,omitempty"`
	Signal       string   `json:"signal,omitempty"`
	Country      string   `json:"country,omitempty"`
}

func answerDocumentOf(q resolve.Question, answer *resolve.Answer) answerDocument {
	doc := answerDocument{
		Verdict: answer.Verdict.String(), Publisher: q.Publisher, Agent: redact.URL(q.Agent), At: wire.Time(q.At),
		jsonAsked: askedForJSON(&q), Reasons: wire.ReasonsOf(answer.Reasons), Grants: []wire.Grant{}, Needs: wire.NotNil(answer.Needs),
		Exclusive: []string{}, Changes: []string{}, Evidence: wire.EvidenceOf(answer.Evidence),
		Skipped: wire.SkippedOf(answer.Skipped),
	}
	for i := range answer.Grants {
		doc.Grants = append(doc.Grants, wire.GrantOf(&answer.Grants[i]))
	}
	for _, url := range answer.Exclusive {
		doc.Exclusive = append(doc.Exclusive, redact.URL(url))
	}
	for _, text := range answer.Changes {
		doc.Changes = append(doc.Changes, redact.Credentials(text))
	}
	if len(answer.Placements) > 0 {
		doc.Placements = map[string]string{}
	}
	for id, v := range answer.Placements {
		doc.Placements[id] = v.String()
	}
	return doc
}

func askedForJSON(q *resolve.Question) jsonAsked {
	asked := jsonAsked{
		Property: q.Property, PropertyType: q.PropertyType, Placements: q.Placements, Signal: q.Signal, Country: q.Country,
	}
	if q.Identifier != (resolve.Identifier{}) {
		asked.Identifier = q.Identifier.Type + "=" + q.Identifier.Value
	}
	for _, c := range q.Collections {
		asked.Collections = append(asked.Collections, c.PublisherDomain+"/"+c.ID)
	}
	return asked
}
