package history

import (
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/wire"
)

// jsonSnapshot is what was in effect at a time, in JSON.
type jsonSnapshot struct {
	Publisher string             `json:"publisher"`
	At        string             `json:"at"`
	State     string             `json:"state"`
	Place     *wire.CustodyPlace `json:"place"`
	PlaceFrom *string            `json:"place_adopted_at"`
	// Version is null when there was none.
	Version *wire.CustodyVersion `json:"version"`
	// Held are the domains that stayed revoked although the version did not list them.
	Held   []string `json:"revocations_held"`
	Detail string   `json:"detail,omitempty"`
}

func (m *snapshot) document() *jsonSnapshot {
	doc := &jsonSnapshot{
		Publisher: string(m.domain), At: wire.Time(m.at), State: m.doc.State.String(),
		PlaceFrom: wire.OptionalTime(m.place.AdoptedAt),
		Version:   wire.CLI.Version(m.version), Held: wire.NotNil(m.doc.Revoked), Detail: redact.Credentials(m.doc.Detail),
	}
	if !m.place.Absent {
		doc.Place = wire.CLI.Location(m.place.Location)
	}
	return doc
}

// jsonEntry is an entry of a history in JSON: a place, a version or an event.
type jsonEntry struct {
	At   string `json:"at"` // of either
	Kind string `json:"kind"`
	wire.CustodyEntry
	*wire.CustodyEvent
}

func entryForJSON(e *custody.Entry) *jsonEntry {
	doc := &jsonEntry{Kind: "event", CustodyEntry: wire.CLI.Entry(e)}
	doc.At = doc.CustodyEntry.At
	switch {
	case e.Place != nil:
		doc.Kind = "place"
	case e.Version != nil:
		doc.Kind = "version"
	default:
		doc.CustodyEvent = wire.CLI.Event(e.Event)
	}
	return doc
}
