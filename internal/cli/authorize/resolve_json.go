package authorize

import (
	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// listingDocument is the JSON output of the resolve command. Its members are a contract
// like those of resultDocument.
type listingDocument struct {
	Verdict     string                `json:"verdict"`
	Publisher   string                `json:"publisher"`
	Agent       string                `json:"agent"`
	At          string                `json:"at"`
	Country     string                `json:"country,omitempty"`
	Reasons     []answer.Reason       `json:"reasons"`
	Authorized  int                   `json:"properties_authorized"`
	Conditional int                   `json:"properties_conditional"`
	Limited     []string              `json:"limited"`
	Grants      []answer.Grant        `json:"grants"`
	Publishers  []jsonPublisher       `json:"publishers"`
	Divergences []jsonDivergence      `json:"divergences"`
	Changes     []string              `json:"changes"`
	Evidence    []answer.Evidence     `json:"evidence"`
	Skipped     []answer.SkippedEntry `json:"skipped"`
	// Custody is absent unless files are kept over time.
	Custody *sources.JSONStanding `json:"custody,omitempty"`
}

// jsonPublisher is another publisher that entries name.
type jsonPublisher struct {
	Publisher string `json:"publisher"`
	Asked     bool   `json:"asked"`
	// State is null for a publisher that was not asked.
	State      *string `json:"state"`
	Confirmed  bool    `json:"confirmed"`
	Properties int     `json:"properties"`
	Code       string  `json:"code,omitempty"`
	Detail     string  `json:"detail,omitempty"`
}

// jsonDivergence is a property that two files describe differently.
type jsonDivergence struct {
	PublisherDomain string   `json:"publisher_domain"`
	PropertyID      string   `json:"property_id"`
	Missing         bool     `json:"missing"`
	Fields          []string `json:"fields"`
	ParentURL       string   `json:"parent_url"`
	ParentPointer   string   `json:"parent_pointer"`
	OwnURL          string   `json:"own_url"`
	OwnPointer      string   `json:"own_pointer"`
}

func listingDocumentOf(q resolve.Question, list *resolve.Listing) listingDocument {
	doc := listingDocument{
		Verdict: list.Verdict.String(), Publisher: list.Publisher, Agent: redact.URL(list.Agent), At: wire.Time(q.At),
		Country: q.Country, Reasons: answer.ReasonsOf(list.Reasons), Grants: answer.GrantsOf(list.Grants, 0),
		Publishers:  []jsonPublisher{},
		Divergences: []jsonDivergence{}, Changes: wire.Texts(list.Changes), Evidence: answer.EvidenceOf(list.Evidence),
		Skipped: answer.SkippedOf(list.Skipped), Authorized: list.Authorized, Conditional: list.Conditional,
		Limited: wire.NotNil(list.Limited.Strings()),
	}
	for i := range list.Publishers {
		doc.Publishers = append(doc.Publishers, publisherForJSON(&list.Publishers[i]))
	}
	for i := range list.Divergences {
		d := &list.Divergences[i]
		doc.Divergences = append(doc.Divergences, jsonDivergence{
			PublisherDomain: d.PublisherDomain, PropertyID: d.PropertyID, Missing: d.Missing, Fields: wire.NotNil(d.Fields),
			ParentURL: redact.URL(d.ParentURL), ParentPointer: d.ParentPointer,
			OwnURL: redact.URL(d.OwnURL), OwnPointer: d.OwnPointer,
		})
	}
	return doc
}

func publisherForJSON(p *resolve.PublisherState) jsonPublisher {
	doc := jsonPublisher{
		Publisher: p.Publisher, Asked: p.Asked, Confirmed: p.Confirmed, Properties: p.Properties,
		Code: p.Code, Detail: redact.Credentials(p.Detail),
	}
	if p.Asked {
		state := p.State.String()
		doc.State = &state
	}
	return doc
}
