package wire

import (
	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
)

// CustodyChange is a difference between two versions, without secrets.
type CustodyChange struct {
	Code     string `json:"code"`
	Severity string `json:"severity" enum:"info,warning,alert"`
	Subject  string `json:"subject,omitempty" doc:"What changed: the URL of an agent, the id of a property, a domain."`
	Before   string `json:"before,omitempty"`
	After    string `json:"after,omitempty"`
	Pointer  string `json:"pointer,omitempty" doc:"JSON Pointer in the new version or, for what is gone, in the old one."`
	Message  string `json:"message"`
}

// ChangesOf returns changes in JSON.
func ChangesOf(list []custody.Change) []CustodyChange {
	docs := make([]CustodyChange, 0, len(list))
	for i := range list {
		c := &list[i]
		docs = append(docs, CustodyChange{
			Code: c.Code, Severity: c.Severity.String(), Subject: redact.Credentials(c.Subject), Before: redact.Credentials(c.Before),
			After: redact.Credentials(c.After), Pointer: c.Pointer, Message: redact.Credentials(c.Message),
		})
	}
	return docs
}

// Event is an event in JSON.
type Event struct {
	ID        int64           `json:"id,omitzero"`
	Code      string          `json:"code,omitempty"`
	Severity  string          `json:"severity,omitempty"`
	Publisher string          `json:"publisher,omitempty"`
	URL       string          `json:"url,omitempty"`
	Domain    string          `json:"domain,omitempty"`
	Before    string          `json:"before,omitempty"`
	After     string          `json:"after,omitempty"`
	Changes   []CustodyChange `json:"changes,omitempty"`
	More      int             `json:"more,omitzero"`
	Message   string          `json:"message,omitempty"`
}

// EventOf returns an event in JSON.
func EventOf(e *custodian.Event) Event {
	return Event{
		ID: e.ID, Code: e.Code, Severity: e.Severity.String(), Publisher: e.Publisher, URL: redact.Credentials(e.URL), Domain: e.Domain,
		Before: redact.Credentials(e.Before), After: redact.Credentials(e.After), Changes: ChangesOf(e.Changes), More: e.More, Message: redact.Credentials(e.Message),
	}
}

// Version is a version that was adopted.
type Version struct {
	URL         string  `json:"url"`
	SHA256      string  `json:"sha256"`
	AdoptedAt   string  `json:"adopted_at"`
	ConfirmedAt *string `json:"confirmed_at,omitempty"`
	LastUpdated *string `json:"last_updated"`
	CatalogETag string  `json:"catalog_etag,omitempty"`
	Bytes       int64   `json:"bytes"`
}

// VersionOf returns a version in JSON.
func VersionOf(v *custodian.Version) *Version {
	return &Version{
		URL: redact.URL(v.URL), SHA256: v.Hash, AdoptedAt: Time(v.AdoptedAt), LastUpdated: OptionalTime(v.LastUpdated),
		CatalogETag: v.CatalogETag, Bytes: v.Bytes,
	}
}

// Location is where authority comes from.
type Location struct {
	Method  string `json:"method"`
	URL     string `json:"url"`
	Manager string `json:"manager,omitempty"`
}

// LocationOf returns a location in JSON; nil when there is none.
func LocationOf(l custody.Location) *Location {
	if l.URL == "" {
		return nil
	}
	return &Location{Method: string(l.Method), URL: redact.URL(l.URL), Manager: l.Manager}
}

// Move is a change of place that waits.
type Move struct {
	To    *Location `json:"to"`
	Since string    `json:"since"`
	// Until is when it is adopted if nothing speaks against it; null if something does.
	Until    *string  `json:"until"`
	LastSeen string   `json:"last_seen"`
	Signs    []string `json:"signs"`
	Rejected bool     `json:"rejected"`
}

// MoveOf returns the pending move of a publisher in JSON; nil when there is none.
func MoveOf(p *custody.Publisher) *Move {
	m := p.Move
	if m == nil {
		return nil
	}
	doc := &Move{To: LocationOf(m.To), Since: Time(m.Since), LastSeen: Time(m.LastSeen), Signs: signsOf(m), Rejected: m.Rejected}
	if byItself(m) {
		doc.Until = OptionalTime(m.Until())
	}
	return doc
}

// byItself reports whether a move is adopted when it has stayed the same for long enough.
func byItself(m *custody.Move) bool { return !m.Rejected && len(m.Signs) == 0 }

func signsOf(m *custody.Move) []string {
	list := make([]string, len(m.Signs))
	for i, s := range m.Signs {
		list[i] = string(s)
	}
	return list
}

// Refusal is a version that was refused.
type Refusal struct {
	SHA256      string  `json:"sha256"`
	Code        string  `json:"code"`
	Since       string  `json:"since"`
	LastUpdated *string `json:"last_updated"`
	Confirmed   bool    `json:"confirmed"`
}

// RefusalOf returns the refused version of a file in JSON; nil when there is none.
func RefusalOf(f *custody.File) *Refusal {
	r := f.Refused
	if r == nil {
		return nil
	}
	return &Refusal{SHA256: r.Hash, Code: r.Code, Since: Time(r.Since), LastUpdated: OptionalTime(r.LastUpdated), Confirmed: r.Confirmed}
}
