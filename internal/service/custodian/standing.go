package custodian

import (
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// A Standing is what is known about a publisher at a moment, in a few words.
type Standing struct {
	State wire.PublisherState
	// InEffect: answers rest on a file of the publisher.
	InEffect bool
	// Since is when the state began, as far as that is known. ConfirmedAt is when the file in
	// effect was last confirmed.
	Since, ConfirmedAt, LastLook, NextLook time.Time
	// Location is where its authority comes from; zero for nowhere.
	Location custody.Location
}

// Standing returns how a publisher stands whose document is in a state. absentSince is as in
// Snapshot.
func (s *State) Standing(doc resolve.State, absentSince time.Time) Standing {
	p, f := s.Publisher, s.File
	if p.TriedAt.IsZero() {
		return Standing{State: wire.NeverLooked}
	}
	out := Standing{
		InEffect: s.Served == resolve.Usable && doc == resolve.Usable, Location: p.Location,
		LastLook: p.TriedAt, NextLook: NextLook(p, f, absentSince),
	}
	if f != nil && f.TriedAt.After(out.LastLook) {
		out.LastLook = f.TriedAt
	}
	out.State, out.Since = s.word(doc, absentSince)
	if out.InEffect {
		out.ConfirmedAt = earlier(p.ConfirmedAt, f.ConfirmedAt)
	}
	return out
}

// word returns the state that records come to, and since when.
func (s *State) word(doc resolve.State, absentSince time.Time) (wire.PublisherState, time.Time) {
	served := s.Served
	if served == resolve.Usable && doc != resolve.Usable {
		served = doc // the file is not one that can be used for this publisher
	}
	failing := s.Publisher.FailingSince
	if s.File != nil && (failing.IsZero() || !s.File.FailingSince.IsZero() && s.File.FailingSince.Before(failing)) {
		failing = s.File.FailingSince
	}
	since, pending := s.pending()
	switch {
	case served == resolve.Withheld:
		if !pending {
			since = failing
		}
		return wire.Held, since
	case served == resolve.Absent && s.Publisher.Location == (custody.Location{}):
		return wire.Absent, absentSince
	case served == resolve.Absent || served == resolve.Unusable && s.FileStanding == custody.Ended:
		return wire.Gone, absentSince
	case served == resolve.Unusable:
		return wire.Unusable, failing
	case served != resolve.Usable:
		return wire.Failing, failing
	case pending:
		return wire.Held, since
	case !failing.IsZero():
		return wire.Stale, failing
	case s.PublisherStanding != custody.Fresh || s.FileStanding != custody.Fresh:
		return wire.Stale, s.FreshUntil()
	}
	return wire.Fresh, later(s.Publisher.AdoptedAt, s.File.AdoptedAt)
}

// pending reports whether something is held, and since when.
func (s *State) pending() (time.Time, bool) {
	switch {
	case s.Publisher.Move != nil && !s.Publisher.Move.Rejected:
		return s.Publisher.Move.Since, true
	case s.File != nil && s.File.Refused != nil:
		return s.File.Refused.Since, true
	}
	return time.Time{}, false
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Told reports whether the directory was told of the file that is in effect, for which Served is
// usable: of this version, or that it does not speak for the publisher any more.
func (s *State) Told() bool {
	told := s.Publisher.Told
	return told != "" && told[0] != docNone && (s.Publisher.Listed == s.File.Hash || told[0] == docRevoked)
}

// Document is the state of the document by what was told.
func (s *State) Document() resolve.State { return docOf(s.Publisher.Told) }

// Input is what the directory is made of.
func (s *Snapshot) Input() *projection.Input {
	p := s.Publisher
	in := &projection.Input{Domain: p.Domain, At: s.At.Early, Location: p.Location, Agents: p.Agents}
	if s.Document.State == resolve.Usable {
		in.Document, in.Adopted = s.Document, later(p.AdoptedAt, s.File.AdoptedAt)
		in.Identifiers = IdentifiersOf(resolve.Owned(s.Document))
	}
	return in
}
