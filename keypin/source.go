package keypin

import (
	"context"
	"sync"
	"time"

	"github.com/avow-project/avow/adagents"
)

// A State says what is known of a publisher's file.
type State uint8

// The states. Only a Usable file has pins; the others differ in what can be done.
const (
	// Unreachable: it is not known whether there is a file.
	Unreachable State = iota
	// Absent: the publisher has no file.
	Absent
	// Unusable: there is a file, and it must not be used.
	Unusable
	// Expired: the file that is known was confirmed too long ago.
	Expired
	// RolledBack: the publisher serves an older file than it did, which is not adopted.
	RolledBack
	// PointerChanged: the publisher points to another file than it did, which is not
	// adopted yet.
	PointerChanged
	// Usable: the file is the one that speaks for the publisher.
	Usable
)

var stateNames = [...]string{"unreachable", "absent", "unusable", "expired", "rolled_back", "pointer_changed", "usable"}

// String returns the stable name.
func (s State) String() string {
	if int(s) >= len(stateNames) {
		return "unknown"
	}
	return stateNames[s]
}

// A Document is the file that a verifier takes the pins of a publisher from. It is not
// changed once it is handed over, and must not be copied.
type Document struct {
	// Publisher is the domain that the file speaks for, in canonical form.
	Publisher string
	State     State
	// File is nil unless State is Usable. It must come from a check without
	// adagents.Options.Now.
	File *adagents.File
	// URL, SHA256 and FetchedAt are where the file came from, the checksum of its bytes
	// in hexadecimal, and when it was obtained or confirmed.
	URL, SHA256 string
	FetchedAt   time.Time
	// KeysUntil is when the pins must not be used any more without asking the publisher
	// again. A document that was obtained for the question at hand answers it in any case.
	KeysUntil time.Time
	// KnownSince is when the file, or this pin of it, was first seen; zero when that is
	// not known. The first time, the connection is all that vouches for it.
	KnownSince time.Time
	// KeySince returns the same for one key, given the canonical URL of its agent and its
	// thumbprint; nil when it is not known more exactly than KnownSince.
	KeySince func(agent, thumbprint string) time.Time
	// Revoked tells that a network's file revokes the publisher. A revocation in File
	// itself counts without it.
	Revoked bool
	// Detail says why there is no usable file, in words.
	Detail string

	once  sync.Once
	index *pinIndex
}

// A Source supplies the files of publishers. It is asked for canonical domains, may be
// asked by several at once, and returns a document in every case; an error means that the
// question must be given up, as when the context ends.
type Source interface {
	// Pins returns what is known of a publisher, from a cache as long as it may be used.
	Pins(ctx context.Context, publisher string) (*Document, error)
	// Refresh asks the publisher itself, past every cache on the way. A file that it
	// then refuses to adopt is a document in the state that says why. What it adopts is
	// what Pins returns from then on. The context has the values of the first caller who
	// wants it, and ends after two minutes: that callers give up does not end it.
	Refresh(ctx context.Context, publisher string) (*Document, error)
}
