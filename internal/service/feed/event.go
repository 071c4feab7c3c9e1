package feed

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/wire"
)

// Retention is how long an event is kept that does not hold any more, and a position valid.
const Retention = 90 * 24 * time.Hour

// Types are all types of events that this feed has.
var Types = []string{
	projection.Granted, projection.Revoked, projection.Modified, projection.Created, projection.Updated, projection.Stale,
	projection.Discovered, projection.Changed,
	projection.AgentSeen, projection.AgentMoved, projection.AgentGone,
}

// An Event is one as it is kept.
type Event = projection.Event

// actor is who has noticed what events tell: a label, not a person's name.
const actor = "pipeline:crawler"

// encode writes an event as clients read it. The payload is JSON as it was written here.
func encode(e *Event, tag Tag) []byte {
	out := make([]byte, 0, len(e.Payload)+len(e.Entity)+320)
	for _, m := range [...]struct{ name, text string }{
		{`{"event_id":`, tag.ID(Position{e.Number, e.At})}, {`,"event_type":`, e.Type}, {`,"entity_type":`, e.Kind()},
		{`,"entity_id":`, e.Entity},
	} {
		out, _ = jsontext.AppendQuote(append(out, m.name...), m.text) // what is not UTF-8 is replaced
	}
	out = append(append(out, `,"payload":`...), e.Payload...)
	return append(out, `,"actor":"`+actor+`","created_at":"`+wire.API.Time(e.At)+`"}`...)
}

// A Store keeps the events. It is safe for concurrent use, also by several processes.
type Store interface {
	// Identity is what tells the store from others.
	Identity(ctx context.Context) (string, error)
	// LastChange returns the number and time of the last event of a type, or of all for an empty
	// type; zero when there is none.
	LastChange(ctx context.Context, kind string) (Position, error)
	// Changes returns events after a number in their order. Those that do not hold any more
	// and are from before a time are left out.
	Changes(ctx context.Context, after int64, since time.Time, limit int) ([]Event, error)
	// Agents returns agents that events are about, by their names there; one that no file names any more is
	// missing.
	Agents(ctx context.Context, names []string) (map[string]directory.Agent, error)
}

// A Filter selects events; the zero Filter selects all.
type Filter struct {
	// Types are types, or beginnings of types with a star after them.
	Types []string
	// Publishers and Agents, as projection.AgentName writes them, select events about one of them.
	Publishers, Agents []string
}

// ParseTypes reads a list of types with commas. The text of the error is the type that is
// wrong.
func ParseTypes(list string) ([]string, error) {
	var out []string
	for one := range strings.SplitSeq(list, ",") {
		one = strings.TrimSpace(one)
		if one == "" {
			continue
		}
		if !wellFormedType(strings.TrimSuffix(one, "*")) {
			return nil, errors.New(one)
		}
		out = append(out, one)
	}
	return out, nil
}

func wellFormedType(text string) bool {
	for i, r := range []byte(text) {
		letter := r >= 'a' && r <= 'z'
		if !letter && (i == 0 || (r < '0' || r > '9') && r != '_' && r != '.') {
			return false
		}
	}
	return text != ""
}

// matchesType reports whether events of a type are selected.
func (f *Filter) matchesType(kind string) bool {
	if len(f.Types) == 0 {
		return true
	}
	return slices.ContainsFunc(f.Types, func(one string) bool {
		begin, open := strings.CutSuffix(one, "*")
		return kind == one || open && strings.HasPrefix(kind, begin)
	})
}

// Matches reports whether an event is selected.
func (f *Filter) Matches(e *Event) bool {
	about := len(f.Publishers)+len(f.Agents) == 0 || slices.Contains(f.Publishers, e.Publisher) || e.Agent != "" &&
		slices.Contains(f.Agents, e.Agent)
	return about && f.matchesType(e.Type)
}
