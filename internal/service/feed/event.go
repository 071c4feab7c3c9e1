package feed

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
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

// A Position is a place in the feed: after the event with a number. At is the time of the
// event, or when the position was given to a client.
type Position struct {
	Number int64
	At     time.Time
}

// Start is the position before everything. It is also the cursor of a registry that has no
// events at all.
const Start = "00000000-0000-7000-8000-000000000000"

// ErrExpired is the error of a position after which something may be missing, or that another
// store has given out: its holder must start over.
var ErrExpired = errors.New("the cursor is not known here, or too old")

// ErrCursor is the error of a text that is not a cursor.
var ErrCursor = errors.New("a cursor is a UUID")

// A Tag tells the positions of one store from those of others.
type Tag uint32

const (
	tagBits  = 30
	lowBits  = 32
	highBits = 12
)

// TagOf makes the tag of the store with an identity.
func TagOf(identity string) Tag {
	sum := sha256.Sum256([]byte("feed " + identity))
	return Tag(binary.BigEndian.Uint32(sum[:4]) >> (32 - tagBits))
}

// ID writes a position as a UUID of version 7: the time, the number, and the tag. The times of
// events do not decrease, so their order is that of their ids.
func (t Tag) ID(p Position) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], uint64(p.At.UnixMilli())<<16|uint64(p.Number)>>lowBits&(1<<highBits-1))
	binary.BigEndian.PutUint64(b[8:], uint64(p.Number)&(1<<lowBits-1)<<tagBits|uint64(t))
	return projection.UUID(b[:], 7)
}

// Parse reads what ID has written; Start is the zero Position. The error is ErrCursor or
// ErrExpired.
func (t Tag) Parse(text string) (Position, error) {
	text = strings.ToLower(text)
	if !isUUID(text) {
		return Position{}, ErrCursor
	}
	if text == Start {
		return Position{}, nil
	}
	b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	if err != nil {
		return Position{}, ErrCursor
	}
	high, low := binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])
	if high>>12&15 != 7 || low>>62 != 2 || Tag(low&(1<<tagBits-1)) != t {
		return Position{}, ErrExpired
	}
	return Position{
		Number: int64(high&(1<<highBits-1)<<lowBits | low>>tagBits&(1<<lowBits-1)),
		At:     time.UnixMilli(int64(high >> 16)).UTC(),
	}, nil
}

// isUUID reports whether a text has the form of a UUID, of whatever version.
func isUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i, r := range []byte(text) {
		hyphen := i == 8 || i == 13 || i == 18 || i == 23
		if hyphen != (r == '-') || !hyphen && (r < '0' || r > '9') && (r < 'a' || r > 'f') {
			return false
		}
	}
	return true
}
