package ops

import (
	"github.com/avow-project/avow/internal/custody"
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
		Domain: string(p.Domain), Served: s.Served.String(), Detail: s.Detail,
		PublisherStanding: s.PublisherStanding.String(), FileStanding: s.FileStanding.String(),
		FailingSince: wireTimeOrNone(p.FailingSince), Held: listed(s.Held), Unsaved: s.Unsaved,
	}
	out.Place, out.Move = wire.API.Location(p.Location), wire.API.Move(p)
	if f == nil {
		return out
	}
	out.ConfirmedAt, out.FreshUntil = wireTimeOrNone(f.ConfirmedAt), wireTimeOrNone(s.FreshUntil())
	if !f.FailingSince.IsZero() {
		out.FailingSince = wire.API.Time(f.FailingSince)
	}
	out.Refused, out.Version = wire.API.Refusal(f), wire.API.CurrentVersion(f)
	return out
}

func historyEntry(e *custody.Entry) HistoryEntry {
	out := HistoryEntry{CustodyEntry: wire.API.Entry(e)}
	if e.Event != nil {
		out.Event = wire.API.Event(e.Event)
	}
	return out
}
