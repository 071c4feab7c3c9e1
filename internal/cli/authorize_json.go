package cli

import (
	"time"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/resolve"
)

// answerDocument is the JSON output of the authorize command. Its members are a contract
// like those of jsonResult.
type answerDocument struct {
	Verdict   string `json:"verdict"`
	Publisher string `json:"publisher"`
	Agent     string `json:"agent"`
	At        string `json:"at"`
	jsonAsked
	Reasons    []jsonReason      `json:"reasons"`
	Grants     []jsonGrant       `json:"grants"`
	Needs      []string          `json:"needs"`
	Placements map[string]string `json:"placement_verdicts,omitzero"`
	// Exclusive are other agents that the file calls exclusive.
	Exclusive []string       `json:"exclusive_elsewhere"`
	Changes   []string       `json:"changes"`
	Evidence  []jsonEvidence `json:"evidence"`
	Skipped   []jsonSkipped  `json:"skipped"`
	// Custody is absent unless files are kept over time.
	Custody *jsonStanding `json:"custody,omitempty"`
	// Operator is absent unless --brand asks for it.
	Operator *jsonOperator `json:"operator,omitempty"`
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

type jsonReason struct {
	Code    string `json:"code"`
	URL     string `json:"url,omitempty"`
	Pointer string `json:"pointer"`
	Message string `json:"message"`
}

// jsonGrant is an entry that covers what was asked. Placements, collections and countries
// are null when the entry is not narrowed by them, pinned_keys when none are pinned.
type jsonGrant struct {
	Entry             string        `json:"entry"`
	URL               string        `json:"url"`
	AuthorizationType string        `json:"authorization_type"`
	DelegationType    string        `json:"delegation_type"`
	AuthorizedFor     string        `json:"authorized_for"`
	Exclusive         bool          `json:"exclusive"`
	Properties        []jsonCovered `json:"properties"`
	Signals           []string      `json:"signals"`
	Placements        *[]string     `json:"placements"`
	Collections       *[]string     `json:"collections"`
	Countries         *[]string     `json:"countries"`
	From              *string       `json:"from"`
	Until             *string       `json:"until"`
	PinnedKeys        *[]string     `json:"pinned_keys"`
	Needs             []string      `json:"needs"`
}

// jsonCovered is a property that an entry covers.
type jsonCovered struct {
	PublisherDomain string `json:"publisher_domain"`
	PropertyID      string `json:"property_id"`
	PropertyType    string `json:"property_type"`
	Name            string `json:"name"`
	Path            string `json:"path"`
	URL             string `json:"url"`
	Pointer         string `json:"pointer"`
	Confirmed       bool   `json:"confirmed"`
}

type jsonEvidence struct {
	Publisher string `json:"publisher"`
	Role      string `json:"role"`
	State     string `json:"state"`
	Method    string `json:"method"`
	URL       string `json:"url"`
	SHA256    string `json:"sha256"`
	FetchedAt string `json:"fetched_at"`
}

func answerDocumentOf(q resolve.Question, answer *resolve.Answer) answerDocument {
	doc := answerDocument{
		Verdict: answer.Verdict.String(), Publisher: q.Publisher, Agent: redact.URL(q.Agent), At: timeForJSON(q.At),
		jsonAsked: askedForJSON(&q), Reasons: reasonsForJSON(answer.Reasons), Grants: []jsonGrant{}, Needs: notNil(answer.Needs),
		Exclusive: []string{}, Changes: []string{}, Evidence: evidenceForJSON(answer.Evidence),
		Skipped: skippedForJSON(answer.Skipped),
	}
	for i := range answer.Grants {
		doc.Grants = append(doc.Grants, grantForJSON(&answer.Grants[i]))
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

func reasonsForJSON(list []resolve.Reason) []jsonReason {
	docs := make([]jsonReason, 0, len(list))
	for _, r := range list {
		docs = append(docs, jsonReason{r.Code, redact.URL(r.URL), r.Pointer, redact.Credentials(r.Message)})
	}
	return docs
}

func grantForJSON(g *resolve.Grant) jsonGrant {
	doc := jsonGrant{
		Entry: g.Entry, URL: redact.URL(g.URL), AuthorizationType: g.AuthorizationType, DelegationType: g.DelegationType,
		AuthorizedFor: redact.Credentials(g.AuthorizedFor), Exclusive: g.Exclusive, Properties: []jsonCovered{}, Signals: notNil(g.Signals),
		Placements: narrowed(g.Placements), Countries: narrowed(g.Countries), From: instantForJSON(g.From), Until: instantForJSON(g.Until),
		Needs: notNil(g.Needs),
	}
	for i := range g.Properties {
		doc.Properties = append(doc.Properties, coveredForJSON(&g.Properties[i]))
	}
	if g.Collections != nil {
		list := make([]string, 0, len(g.Collections))
		for _, c := range g.Collections {
			list = append(list, c.PublisherDomain+"/"+c.ID)
		}
		doc.Collections = &list
	}
	if g.Pinned {
		list := notNil(g.PinnedKeys)
		doc.PinnedKeys = &list
	}
	return doc
}

func coveredForJSON(c *resolve.Covered) jsonCovered {
	doc := jsonCovered{
		PublisherDomain: c.PublisherDomain, PropertyID: c.PropertyID, Path: string(c.Path),
		URL: redact.URL(c.URL), Pointer: c.Pointer, Confirmed: c.Confirmed,
	}
	if c.Property != nil {
		doc.PropertyType, doc.Name = c.Property.Type, c.Property.Name
	}
	return doc
}

func evidenceForJSON(list []resolve.Evidence) []jsonEvidence {
	docs := make([]jsonEvidence, 0, len(list))
	for i := range list {
		e := &list[i]
		doc := jsonEvidence{Publisher: e.Publisher, Role: e.Role, State: e.State.String(), Method: e.Method, URL: redact.URL(e.URL), SHA256: e.SHA256}
		if !e.FetchedAt.IsZero() {
			doc.FetchedAt = timeForJSON(e.FetchedAt)
		}
		docs = append(docs, doc)
	}
	return docs
}

// notNil makes sure that an empty list is [] in JSON.
func notNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// narrowed tells a list that narrows from none.
func narrowed(list []string) *[]string {
	if list == nil {
		return nil
	}
	return &list
}

func instantForJSON(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := timeForJSON(t)
	return &text
}
