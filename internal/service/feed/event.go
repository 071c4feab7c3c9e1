package feed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/wire"
)

// Retention is how long an event is kept that does not hold any more, and a position valid.
const Retention = 90 * 24 * time.Hour

// The types of events.
const (
	Granted    = "authorization.granted"
	Revoked    = "authorization.revoked"
	Modified   = "authorization.modified"
	Created    = "property.created"
	Updated    = "property.updated"
	Stale      = "property.stale"
	Discovered = "publisher.adagents_discovered"
	Changed    = "publisher.adagents_changed"
	AgentSeen  = "agent.discovered"
	AgentMoved = "agent.profile_updated"
	AgentGone  = "agent.removed"
)

// Types are all types of events that this feed has.
var Types = []string{Granted, Revoked, Modified, Created, Updated, Stale, Discovered, Changed, AgentSeen, AgentMoved, AgentGone}

// An Event is one as it is kept.
type Event struct {
	// Number and At are given by the store.
	Number int64
	At     time.Time
	Type   string
	// Publisher is empty for events about an agent. Agent is the AgentKey of the agent that an
	// event is about, empty for none, and Entity the id of what it is about.
	Publisher, Agent, Entity string
	// Live: it tells what holds at present. Digest is that of what it says.
	Live   bool
	Digest []byte
	// Payload is a JSON object.
	Payload []byte
}

// AgentKey is what the events about an agent with a canonical URL are found by.
func AgentKey(url string) string {
	sum := sha256.Sum256([]byte(url))
	return hex.EncodeToString(sum[:16])
}

// kind is the first part of the type: what the event is about.
func (e *Event) kind() string {
	kind, _, _ := strings.Cut(e.Type, ".")
	return kind
}

// actor is who has noticed what events tell: a label, and nobody's name.
const actor = "pipeline:crawler"

// eventDoc is an event as clients read it.
type eventDoc struct {
	EventID    string         `json:"event_id"`
	EventType  string         `json:"event_type"`
	EntityType string         `json:"entity_type"`
	EntityID   string         `json:"entity_id"`
	Payload    jsontext.Value `json:"payload"`
	Actor      string         `json:"actor"`
	CreatedAt  string         `json:"created_at"`
}

// encode writes an event as clients read it.
func (e *Event) encode(tag Tag) ([]byte, error) {
	return json.Marshal(eventDoc{
		tag.ID(Position{e.Number, e.At}), e.Type, e.kind(), e.Entity, jsontext.Value(e.Payload), actor, wire.API.Time(e.At),
	}, jsontext.AllowInvalidUTF8(true))
}

// ErrConflict is the error of a store when others have told the events of a publisher meanwhile.
var ErrConflict = errors.New("the events of the publisher have changed")

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
	// Told returns what the events of a publisher were made of, nil when there are none, and
	// those that are live.
	Told(ctx context.Context, publisher string) ([]byte, []Event, error)
	// Inputs returns publishers after one in alphabetical order with what their events were made
	// of.
	Inputs(ctx context.Context, after string, limit int) ([]Input, error)
	// Add adds events of a publisher, all or none. It is ErrConflict when what its events were
	// made of is not a.Base.
	Add(ctx context.Context, a *Addition) error
}

// An Input is what the events of a publisher were made of.
type Input struct {
	Publisher string
	Input     []byte
}

// An Addition is what is new about a publisher.
type Addition struct {
	Publisher string
	// Base is what its events were made of before, and Input what they are made of now; nil for
	// nothing.
	Base, Input []byte
	At          time.Time
	// Drop are the numbers of live events that are superseded by new ones, and Retire of those
	// that do not hold any more and are kept for a while.
	Drop, Retire []int64
	Events       []Event
	// Agents are those whose authorizations change. The first authorization of an agent comes
	// after an event about the agent, and the end of the last one before one.
	Agents []AgentChange
}

// An AgentChange has the events about an agent, which are added as they are needed: Seen with
// its first authorization, Gone after the last, and Moved when the one before is older than a day
// and tells something else.
type AgentChange struct {
	Key               string
	Seen, Moved, Gone Event
}

// A Filter selects events; the zero Filter selects all.
type Filter struct {
	// Types are types, or beginnings of types with a star after them.
	Types []string
	// Publishers and Agents, as AgentKey writes them, select events about one of them.
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
	about := len(f.Publishers)+len(f.Agents) == 0 || slices.Contains(f.Publishers, e.Publisher) || e.Agent != "" && slices.Contains(f.Agents, e.Agent)
	return about && f.matchesType(e.Type)
}
