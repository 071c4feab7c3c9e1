package api

import (
	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/wire"
)

// maxListed is how many held revocations an answer lists.
const maxListed = 1000

func listed(domains []string) []string {
	if len(domains) == 0 {
		return []string{}
	}
	return domains[:min(len(domains), maxListed)]
}

func custodyState(s *custodian.State) *CustodyState {
	p, f := s.Publisher, s.File
	out := &CustodyState{
		Domain: p.Domain, Served: s.Served.String(), Detail: s.Detail,
		PublisherStanding: s.PublisherStanding.String(), FileStanding: s.FileStanding.String(),
		FailingSince: wireTimeOrNone(p.FailingSince), Held: listed(s.Held), Unsaved: s.Unsaved,
	}
	if p.Location.URL != "" {
		place := custodyPlace(p.Location)
		out.Place = &place
	}
	if p.Move != nil {
		out.Move = custodyMove(p.Move)
	}
	if f == nil {
		return out
	}
	out.ConfirmedAt, out.FreshUntil = wireTimeOrNone(f.ConfirmedAt), wireTimeOrNone(s.FreshUntil())
	if !f.FailingSince.IsZero() {
		out.FailingSince = wireTime(f.FailingSince)
	}
	if f.Refused != nil {
		out.Refused = custodyRefusal(f.Refused)
	}
	if f.Hash != "" {
		out.Version = custodyVersion(&custodian.Version{
			URL: f.URL, Hash: f.Hash, AdoptedAt: f.AdoptedAt, LastUpdated: f.LastUpdated, CatalogETag: f.CatalogETag, Bytes: f.Bytes,
		})
	}
	return out
}

func custodyPlace(l custody.Location) CustodyPlace {
	return CustodyPlace{Method: string(l.Method), URL: l.URL, ManagerDomain: l.Manager}
}

func custodyVersion(v *custodian.Version) *CustodyVersion {
	if v == nil {
		return nil
	}
	return &CustodyVersion{
		URL: v.URL, SHA256: v.Hash, Bytes: v.Bytes, AdoptedAt: wireTime(v.AdoptedAt),
		LastUpdated: wireTimeOrNone(v.LastUpdated), CatalogETag: v.CatalogETag,
	}
}

func custodyMove(m *custody.Move) *CustodyMove {
	out := &CustodyMove{
		To: custodyPlace(m.To), Since: wireTime(m.Since), Until: wireTime(m.Until()), Signs: []string{}, Rejected: m.Rejected,
	}
	for _, s := range m.Signs {
		out.Signs = append(out.Signs, string(s))
	}
	return out
}

func custodyRefusal(r *custody.Refusal) *CustodyRefusal {
	return &CustodyRefusal{
		SHA256: r.Hash, LastUpdated: wireTimeOrNone(r.LastUpdated), Code: r.Code, Since: wireTime(r.Since), Confirmed: r.Confirmed,
	}
}

func custodyEvent(e *custodian.Event) CustodyEvent {
	return CustodyEvent{
		ID: e.ID, Code: e.Code, Severity: e.Severity.String(), At: wireTime(e.At), Publisher: e.Publisher, URL: e.URL, Domain: e.Domain,
		Before: e.Before, After: e.After, Message: e.Message, Changes: wire.ChangesOf(e.Changes), More: e.More,
	}
}

func historyEntry(e *custodian.Entry) HistoryEntry {
	out := HistoryEntry{At: wireTime(e.At), Version: custodyVersion(e.Version)}
	if e.Place != nil {
		out.Absent = e.Place.Absent
		if e.Place.Location.URL != "" {
			place := custodyPlace(e.Place.Location)
			out.Place = &place
		}
	}
	if e.Event != nil {
		event := custodyEvent(e.Event)
		out.Event = &event
	}
	return out
}
