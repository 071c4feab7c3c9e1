package wire

import (
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
)

// CustodyChange is a difference between two versions, without secrets.
type CustodyChange struct {
	Code     string `json:"code"`
	Severity string `json:"severity" enum:"info,warning,alert"`
	Subject  string `json:"subject,omitempty" from:"publisher" doc:"What changed: the URL of an agent, the id of a property, a domain."`
	Before   string `json:"before,omitempty" from:"publisher"`
	After    string `json:"after,omitempty" from:"publisher"`
	Pointer  string `json:"pointer,omitempty" from:"publisher" doc:"JSON Pointer in the new version or, for what is gone, in the old one."`
	Message  string `json:"message" from:"publisher"`
}

// ChangesOf returns changes in JSON.
func ChangesOf(list []custody.Change) []CustodyChange {
	docs := make([]CustodyChange, 0, len(list))
	for i := range list {
		c := &list[i]
		docs = append(docs, CustodyChange{
			Code: c.Code, Severity: c.Severity.String(), Subject: redact.Credentials(c.Subject),
			Before: redact.Credentials(c.Before),
			After:  redact.Credentials(c.After), Pointer: c.Pointer, Message: redact.Credentials(c.Message),
		})
	}
	return docs
}

// CustodyEvent is something that happened to a record.
type CustodyEvent struct {
	At        string          `json:"at" format:"date-time"`
	ID        int64           `json:"id,omitzero" required:"true" doc:"Grows; there may be gaps."`
	Code      string          `json:"code"`
	Severity  string          `json:"severity" enum:"info,warning,alert"`
	Publisher string          `json:"publisher,omitempty"`
	URL       string          `json:"url,omitempty" doc:"The file."`
	Domain    string          `json:"domain,omitempty" doc:"The revoked publisher, for events about revocations."`
	Before    string          `json:"before,omitempty" doc:"A version or a location."`
	After     string          `json:"after,omitempty" doc:"A version or a location."`
	Changes   []CustodyChange `json:"changes,omitempty"`
	More      int             `json:"more,omitzero" doc:"How many changes, or publishers, are left out."`
	Message   string          `json:"message"`
}

// Event returns an event in JSON.
func (f *Form) Event(e *custody.NumberedEvent) *CustodyEvent {
	return &CustodyEvent{
		At: f.Time(e.At), ID: e.ID, Code: e.Code, Severity: e.Severity.String(), Publisher: e.Publisher,
		URL: redact.Credentials(e.URL), Domain: e.Domain,
		Before: redact.Credentials(e.Before), After: redact.Credentials(e.After), Changes: ChangesOf(e.Changes), More: e.More,
		Message: redact.Credentials(e.Message),
	}
}

// CustodyVersion is a version of a file that was adopted.
type CustodyVersion struct {
	URL         string       `json:"url"`
	SHA256      string       `json:"sha256"`
	AdoptedAt   string       `json:"adopted_at" format:"date-time"`
	ConfirmedAt *string      `json:"confirmed_at,omitempty" format:"date-time" doc:"When it was last obtained or confirmed, for the version in effect."`
	LastUpdated Opt[*string] `json:"last_updated,omitzero" format:"date-time" doc:"As the file says."`
	CatalogETag string       `json:"catalog_etag,omitempty"`
	Bytes       int64        `json:"bytes"`
}

// Version returns a version in JSON; nil when there is none.
func (f *Form) Version(v *custody.Version) *CustodyVersion {
	if v == nil {
		return nil
	}
	return &CustodyVersion{
		URL: redact.URL(v.URL), SHA256: v.Hash, AdoptedAt: f.Time(v.AdoptedAt),
		LastUpdated: optional(f, f.OptionalTime(v.LastUpdated)),
		CatalogETag: v.CatalogETag, Bytes: v.Bytes,
	}
}

// CurrentVersion returns the version in effect of a file in JSON; nil when there is none.
func (f *Form) CurrentVersion(file *custody.File) *CustodyVersion {
	if file.Hash == "" {
		return nil
	}
	doc := f.Version(&custody.Version{
		URL: file.URL, Hash: file.Hash, AdoptedAt: file.AdoptedAt, LastUpdated: file.LastUpdated,
		CatalogETag: file.CatalogETag, Bytes: file.Bytes,
	})
	doc.ConfirmedAt = f.OptionalTime(file.ConfirmedAt)
	return doc
}

// CustodyPlace is where a publisher's authority comes from.
type CustodyPlace struct {
	Method  string `json:"method" enum:"direct,authoritative_location,ads_txt_managerdomain"`
	URL     string `json:"url" doc:"The URL that the file is asked for at."`
	Manager string `json:"manager,omitempty" doc:"The manager whose file it is."`
	// ManagerDomain is the name of the member for clients of the API.
	ManagerDomain string `json:"manager_domain,omitempty" doc:"The same."`
}

// Location returns a location in JSON; nil when there is none.
func (f *Form) Location(l custody.Location) *CustodyPlace {
	if l.URL == "" {
		return nil
	}
	doc := &CustodyPlace{Method: string(l.Method), URL: redact.URL(l.URL), Manager: l.Manager}
	if f.public {
		doc.ManagerDomain = l.Manager
	}
	return doc
}

// CustodyEntry is one line of a publisher's history.
type CustodyEntry struct {
	At      string          `json:"at" format:"date-time"`
	Version *CustodyVersion `json:"version,omitempty" doc:"A version was adopted."`
	Place   *CustodyPlace   `json:"place,omitempty" doc:"The authority came from here, from then on."`
	Absent  bool            `json:"absent,omitzero" doc:"The publisher had no file, from then on."`
}

// Entry returns a line of a history in JSON, but for what it says about an event.
func (f *Form) Entry(e *custody.Entry) CustodyEntry {
	doc := CustodyEntry{At: f.Time(e.At), Version: f.Version(e.Version)}
	if e.Place != nil {
		doc.Absent = e.Place.Absent
		if !doc.Absent {
			doc.Place = f.Location(e.Place.Location)
		}
	}
	return doc
}

// CustodyMove is a change of location that is pending.
type CustodyMove struct {
	To    *CustodyPlace `json:"to"`
	Since string        `json:"since" format:"date-time"`
	// Until is null for commands if something speaks against the move.
	Until    *string  `json:"until" nullable:"false" format:"date-time" doc:"When it takes effect by itself if nothing speaks against it."`
	LastSeen string   `json:"last_seen" format:"date-time" doc:"When the publisher was last seen to lead there."`
	Signs    []string `json:"signs" doc:"Warning signs; with any of them the move is pending until an operator confirms it."`
	Rejected bool     `json:"rejected" doc:"It never takes effect by itself."`
}

// Move returns the pending move of a publisher in JSON; nil when there is none.
func (f *Form) Move(p *custody.Publisher) *CustodyMove {
	m := p.Move
	if m == nil {
		return nil
	}
	doc := &CustodyMove{To: f.Location(m.To), Since: f.Time(m.Since), LastSeen: f.Time(m.LastSeen),
		Signs: make([]string, len(m.Signs)), Rejected: m.Rejected}
	for i, s := range m.Signs {
		doc.Signs[i] = string(s)
	}
	if f.public || !m.Rejected && len(m.Signs) == 0 {
		doc.Until = f.OptionalTime(m.Until())
	}
	return doc
}

// CustodyRefusal is a version that was seen and not adopted.
type CustodyRefusal struct {
	SHA256      string       `json:"sha256"`
	Code        string       `json:"code" enum:"file.rollback,file.date_missing,file.future" doc:"Why."`
	Since       string       `json:"since" format:"date-time"`
	LastUpdated Opt[*string] `json:"last_updated,omitzero" format:"date-time"`
	Confirmed   bool         `json:"confirmed" doc:"The next visit that finds it adopts it."`
}

// Refusal returns the refused version of a file in JSON; nil when there is none.
func (f *Form) Refusal(file *custody.File) *CustodyRefusal {
	r := file.Refused
	if r == nil {
		return nil
	}
	return &CustodyRefusal{SHA256: r.Hash, Code: r.Code, Since: f.Time(r.Since),
		LastUpdated: optional(f, f.OptionalTime(r.LastUpdated)), Confirmed: r.Confirmed}
}

// Pending is something that is held until an operator decides: a move or a refused version.
type Pending struct {
	Move    *CustodyMove    `json:"move,omitempty"`
	Refused *CustodyRefusal `json:"refused,omitempty"`
	What    string          `json:"what"`
}
