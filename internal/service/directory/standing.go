package directory

import (
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// A Standing is what is known about a publisher at a moment.
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

// standing judges a publisher; nil is one that was never looked at.
func (v *View) standing(p *Publisher) Standing {
	switch {
	case p == nil:
		return Standing{State: wire.NeverLooked}
	case p.optedOut:
		return Standing{State: wire.OptedOut}
	case p.record == nil && p.Missing:
		return Standing{State: wire.Failing} // what is known of it cannot be read
	case p.record == nil || p.record.TriedAt.IsZero():
		return Standing{State: wire.NeverLooked}
	}
	v.life.look(p)
	s := v.d.config.Keeper.Judge(p.record, p.file, v.At)
	out := Standing{
		InEffect: s.Served == resolve.Usable && p.state == resolve.Usable, Location: p.record.Location,
		LastLook: p.record.TriedAt, NextLook: custodian.NextLook(p.record, p.file, p.absentSince),
	}
	if p.file != nil && p.file.TriedAt.After(out.LastLook) {
		out.LastLook = p.file.TriedAt
	}
	out.State, out.Since = p.word(s)
	if out.InEffect {
		out.ConfirmedAt = earlier(p.record.ConfirmedAt, p.file.ConfirmedAt)
	}
	return out
}

// word returns the state that records come to, and since when.
func (p *Publisher) word(s *custodian.State) (wire.PublisherState, time.Time) {
	served := s.Served
	if served == resolve.Usable && p.state != resolve.Usable {
		served = p.state // the file is not one that can be used for this publisher
	}
	failing := p.record.FailingSince
	if p.file != nil && (failing.IsZero() || !p.file.FailingSince.IsZero() && p.file.FailingSince.Before(failing)) {
		failing = p.file.FailingSince
	}
	since, pending := p.pending()
	switch {
	case served == resolve.Withheld:
		if !pending {
			since = failing
		}
		return wire.Held, since
	case served == resolve.Absent && p.record.Location == (custody.Location{}):
		return wire.Absent, p.absentSince
	case served == resolve.Absent || served == resolve.Unusable && s.FileStanding == custody.Ended:
		return wire.Gone, p.absentSince
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
	return wire.Fresh, later(p.record.AdoptedAt, p.file.AdoptedAt)
}

// pending reports whether something is held, and since when.
func (p *Publisher) pending() (time.Time, bool) {
	switch {
	case p.record.Move != nil && !p.record.Move.Rejected:
		return p.record.Move.Since, true
	case p.file != nil && p.file.Refused != nil:
		return p.file.Refused.Since, true
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
