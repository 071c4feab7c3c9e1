package wire

import (
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/resolve"
)

// Reason says why a verdict is what it is.
type Reason struct {
	Code    string `json:"code"`
	URL     string `json:"url,omitempty"`
	Pointer string `json:"pointer"`
	Message string `json:"message"`
}

// Grant is an entry that covers what was asked. Placements, collections and countries
// are null when the entry is not narrowed by them, pinned_keys when none are pinned.
type Grant struct {
	Entry             string    `json:"entry"`
	URL               string    `json:"url"`
	AuthorizationType string    `json:"authorization_type"`
	DelegationType    string    `json:"delegation_type"`
	AuthorizedFor     string    `json:"authorized_for"`
	Exclusive         bool      `json:"exclusive"`
	Properties        []Covered `json:"properties"`
	Signals           []string  `json:"signals"`
	Placements        *[]string `json:"placements"`
	Collections       *[]string `json:"collections"`
	Countries         *[]string `json:"countries"`
	From              *string   `json:"from"`
	Until             *string   `json:"until"`
	PinnedKeys        *[]string `json:"pinned_keys"`
	Needs             []string  `json:"needs"`
}

// Covered is a property that an entry covers.
type Covered struct {
	PublisherDomain string `json:"publisher_domain"`
	PropertyID      string `json:"property_id"`
	PropertyType    string `json:"property_type"`
	Name            string `json:"name"`
	Path            string `json:"path"`
	URL             string `json:"url"`
	Pointer         string `json:"pointer"`
	Confirmed       bool   `json:"confirmed"`
}

// Evidence is a document that an answer rests on.
type Evidence struct {
	Publisher string `json:"publisher"`
	Role      string `json:"role"`
	State     string `json:"state"`
	Method    string `json:"method"`
	URL       string `json:"url"`
	SHA256    string `json:"sha256"`
	FetchedAt string `json:"fetched_at"`
}

// ReasonsOf returns reasons in JSON.
func ReasonsOf(list []resolve.Reason) []Reason {
	docs := make([]Reason, 0, len(list))
	for _, r := range list {
		docs = append(docs, Reason{r.Code, redact.URL(r.URL), r.Pointer, redact.Credentials(r.Message)})
	}
	return docs
}

// GrantOf returns a grant in JSON.
func GrantOf(g *resolve.Grant) Grant {
	doc := Grant{
		Entry: g.Entry, URL: redact.URL(g.URL), AuthorizationType: string(g.AuthorizationType), DelegationType: g.DelegationType,
		AuthorizedFor: redact.Credentials(g.AuthorizedFor), Exclusive: g.Exclusive, Properties: []Covered{}, Signals: NotNil(g.Signals),
		Placements: narrowed(g.Placements), Countries: narrowed(g.Countries), From: OptionalTime(g.From), Until: OptionalTime(g.Until),
		Needs: NotNil(g.Needs),
	}
	for i := range g.Properties {
		doc.Properties = append(doc.Properties, coveredOf(&g.Properties[i]))
	}
	if g.Collections != nil {
		list := make([]string, 0, len(g.Collections))
		for _, c := range g.Collections {
			list = append(list, c.PublisherDomain+"/"+c.ID)
		}
		doc.Collections = &list
	}
	if g.Pinned {
		list := NotNil(g.PinnedKeys)
		doc.PinnedKeys = &list
	}
	return doc
}

func coveredOf(c *resolve.Covered) Covered {
	doc := Covered{
		PublisherDomain: c.PublisherDomain, PropertyID: c.PropertyID, Path: string(c.Path),
		URL: redact.URL(c.URL), Pointer: c.Pointer, Confirmed: c.Confirmed,
	}
	if c.Property != nil {
		doc.PropertyType, doc.Name = c.Property.Type, c.Property.Name
	}
	return doc
}

// EvidenceOf returns evidence in JSON.
func EvidenceOf(list []resolve.Evidence) []Evidence {
	docs := make([]Evidence, 0, len(list))
	for i := range list {
		e := &list[i]
		doc := Evidence{Publisher: e.Publisher, Role: e.Role, State: e.State.String(), Method: e.Method, URL: redact.URL(e.URL), SHA256: e.SHA256}
		if !e.FetchedAt.IsZero() {
			doc.FetchedAt = Time(e.FetchedAt)
		}
		docs = append(docs, doc)
	}
	return docs
}

// narrowed tells a list that narrows from none.
func narrowed(list []string) *[]string {
	if list == nil {
		return nil
	}
	return &list
}

// SkippedEntry is an entry of a file that was left out.
type SkippedEntry struct {
	Publisher string `json:"publisher" doc:"Whose file it is."`
	URL       string `json:"url" doc:"Where the file is."`
	Pointer   string `json:"pointer" doc:"The JSON Pointer of the entry."`
	Code      string `json:"code" doc:"The rule that it breaks."`
	Reason    string `json:"reason" doc:"What is wrong with it, for people."`
}

// SkippedOf returns the entries that were left out in JSON.
func SkippedOf(list []resolve.Skipped) []SkippedEntry {
	docs := []SkippedEntry{}
	for i := range list {
		for _, s := range list[i].Entries {
			docs = append(docs, SkippedEntry{list[i].Publisher, redact.URL(list[i].URL), s.Pointer, s.Code, redact.Credentials(s.Reason)})
		}
	}
	return docs
}
