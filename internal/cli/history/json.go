package history

import (
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/wire"
)

// jsonSnapshot is what was in effect at a time, in JSON.
type jsonSnapshot struct {
	Publisher string         `json:"publisher"`
	At        string         `json:"at"`
	State     string         `json:"state"`
	Place     *wire.Location `json:"place"`
	PlaceFrom *string        `json:"place_adopted_at"`
	// Version is null when there was none.
	Version *wire.Version `json:"version"`
	// Held are the domains that stayed revoked although the version did not list them.
	Held   []string `json:"revocations_held"`
	Detail string   `json:"detail,omitempty"`
}

func (m *snapshot) document() *jsonSnapshot {
	doc := &jsonSnapshot{
		Publisher: m.domain, At: wire.Time(m.at), State: m.doc.State.String(), PlaceFrom: wire.OptionalTime(m.place.AdoptedAt),
		Held: wire.NotNil(m.doc.Revoked), Detail: redact.Credentials(m.doc.Detail),
	}
	if !m.place.Absent {
		doc.Place = wire.LocationOf(m.place.Location)
	}
	if m.version != nil {
		doc.Version = wire.VersionOf(m.version)
	}
	return doc
}

// jsonEntry is an entry of a history in JSON: a place, a version or an event.
type jsonEntry struct {
	At   string `json:"at"`
	Kind string `json:"kind"`
	// Place is null for a place event when the publisher had no file from then on.
	Place   *wire.Location `json:"place,omitempty"`
	Absent  bool           `json:"absent,omitzero"`
	Version *wire.Version  `json:"version,omitempty"`
	wire.Event
}

func entryForJSON(e *custodian.Entry) *jsonEntry {
	doc := &jsonEntry{At: wire.Time(e.At)}
	switch {
	case e.Place != nil:
		doc.Kind, doc.Absent = "place", e.Place.Absent
		if !e.Place.Absent {
			doc.Place = wire.LocationOf(e.Place.Location)
		}
	case e.Version != nil:
		doc.Kind, doc.Version = "version", wire.VersionOf(e.Version)
	default:
		doc.Kind, doc.Event = "event", wire.EventOf(e.Event)
	}
	return doc
}
