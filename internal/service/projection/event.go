package projection

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/redact"
)

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

// An Event is one of the change feed as it is kept.
type Event struct {
	// Number and At are given by the store.
	Number int64
	At     time.Time
	Type   string
	// Publisher is empty for events about an agent. Agent is the AgentName of the agent that an
	// event is about, empty for none, and Entity the id of what it is about.
	Publisher, Agent, Entity string
	// Live: it tells what holds at present. Digest is that of what it says.
	Live   bool
	Digest []byte
	// Payload is a JSON object.
	Payload []byte
}

// An AgentKey is what an agent with a canonical URL is found by.
type AgentKey [16]byte

// KeyOf returns the key of an agent.
func KeyOf(url string) AgentKey {
	sum := sha256.Sum256([]byte(url))
	return AgentKey(sum[:16])
}

// AgentName is the key of an agent as text.
func AgentName(url string) string {
	key := KeyOf(url)
	return hex.EncodeToString(key[:])
}

// Kind is the first part of the type: what the event is about.
func (e *Event) Kind() string {
	kind, _, _ := strings.Cut(e.Type, ".")
	return kind
}

// AgentEvent is an event about an agent. How much it may sell is added when the event is read.
func AgentEvent(kind, agent, url, publisher string) *Event {
	shown := redact.URL(url)
	doc := agentPayload{AgentURL: shown}
	if kind == AgentGone {
		doc.From = []string{publisher}
	}
	text, _ := json.Marshal(doc, jsonOptions) // strings can be written
	return &Event{Type: kind, Agent: agent, Entity: shown, Live: kind != AgentGone, Payload: text}
}

type agentPayload struct {
	AgentURL string   `json:"agent_url"`
	From     []string `json:"removed_from_publishers,omitempty"`
}
