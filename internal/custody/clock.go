package custody

import (
	"time"
)

// A Moment is read in two ways. What must not be used for too long begins at the early
// reading and is measured with the late one; what must be held on to begins at the late
// reading and is measured with the early one. A clock that is wrong for a while can then
// end a use too early and a hold too late, never the other way round.

// seen returns when something was seen by the early reading. A date after the present is
// none: its writer has another clock.
func seen(t time.Time, at Moment) time.Time {
	if t.IsZero() || t.After(at.Early) {
		return at.Early
	}
	return t
}

// lateOf returns the late reading of the moment when something was seen.
func lateOf(t time.Time, at Moment) time.Time { return later(t, at.Late.Add(t.Sub(at.Early))) }

// overtaken reports whether something was seen before what is known already. When the
// clock itself lies before that, it went back, and the order says nothing.
func overtaken(t, known time.Time, at Moment) bool {
	return t.Before(known) && !at.Early.Before(known)
}

// reached reports whether a time has come. The moment itself belongs to what follows.
func reached(now, t time.Time) bool { return !now.Before(t) }

// Certain returns the reading that ends holds: the early one, unless nothing vouches for
// it.
func (m Moment) Certain() time.Time {
	if m.Sure.IsZero() {
		return m.Early
	}
	return earlier(m.Sure, m.Early)
}

// over reports whether a hold that lasts until a time has ended.
func (m Moment) over(t time.Time) bool { return reached(m.Certain(), t) }

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// A span is the part of a record that decides how long it may be used.
type span struct{ confirmed, fresh, failing time.Time }

// standing applies the times of the rules.
func (s span) standing(at Moment) Standing {
	switch {
	case s.confirmed.After(at.Early.Add(Skew)):
		// Confirmed by a clock that was ahead: how old it is cannot be told.
		return Expired
	case reached(at.Late, s.confirmed.Add(MaxAge)):
		return Expired
	case !s.failing.IsZero() && reached(at.Late, s.failing.Add(MaxStale)):
		return Expired
	case reached(at.Late, s.fresh):
		return Stale
	}
	return Fresh
}

// steady returns between which times standing is what it is at a moment, if both readings of the
// present are there; zero for no end.
func (s span) steady(at Moment) (time.Time, time.Time) {
	var from, until time.Time
	times := []time.Time{s.confirmed.Add(-Skew), s.fresh, s.confirmed.Add(MaxAge)}
	if !s.failing.IsZero() {
		times = append(times, s.failing.Add(MaxStale))
	}
	for _, t := range times {
		if !t.After(at.Late) && t.After(from) {
			from = t
		}
		if t.After(at.Early) && (until.IsZero() || t.Before(until)) {
			until = t
		}
	}
	return from, until
}

// failingSince returns when requests began to fail, given that one failed at t. A date
// after that is of a clock that was ahead.
func failingSince(known, t time.Time) time.Time {
	if known.IsZero() {
		return t
	}
	return earlier(known, t)
}

// denied returns since when an origin refuses to answer, given that it did at t, and whether
// that has gone on for DenialGrace.
func denied(known, t time.Time, at Moment) (time.Time, bool) {
	since := failingSince(known, t)
	return since, reached(lateOf(t, at), since.Add(DenialGrace))
}

// retryAt returns when to ask again while requests fail: the time waited doubles, because
// it is as long as they have failed.
func retryAt(tried, failing time.Time) time.Time {
	return tried.Add(min(max(tried.Sub(failing), RetryFirst), RetryMost))
}
