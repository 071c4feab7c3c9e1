package custody

import (
	"time"

	"github.com/avow-project/avow/internal/std/hostname"
)

// A Version is a version of the file at a URL that was adopted.
type Version struct {
	URL, Hash   string
	AdoptedAt   time.Time
	LastUpdated time.Time
	CatalogETag string
	Bytes       int64
}

// A Place is where a publisher's authority came from, from a time on. With Absent there
// was none.
type Place struct {
	Domain    hostname.Domain
	Location  Location
	Absent    bool
	AdoptedAt time.Time
	// Pointer is the hash of the pointer that led there, if any.
	Pointer string
}

// A NumberedEvent has the number that it got in the store. Numbers grow; there may be gaps.
type NumberedEvent struct {
	ID int64
	Event
}

// An Entry is something in the history of a publisher: one of its members is not nil.
type Entry struct {
	At      time.Time
	Place   *Place
	Version *Version
	Event   *NumberedEvent
}

// A Hold is something that waits for a decision, or was decided a moment ago: a Publisher with a
// Move or a Decision, or a File with a Refusal.
type Hold struct {
	Publisher *Publisher
	File      *File
}

// Decision returns what a moderator decided last about it; nil for nothing.
func (h *Hold) Decision() *Decision {
	switch {
	case h.Publisher != nil:
		return h.Publisher.Decided
	case h.File != nil && h.File.Refused != nil:
		return h.File.Refused.Decided
	}
	return nil
}
