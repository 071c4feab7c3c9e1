package custody

import (
	"time"
)

// NotAfter returns the record as it may be kept by a clock that shows a time, and whether
// that is another one: the record has dates after it, of a clock that was ahead. What was
// confirmed by that clock is not in effect until it is seen again. A move that began then
// begins now, and the latest date of a file is no later than the present: neither makes a
// hold shorter than it should have been.
func (p *Publisher) NotAfter(now time.Time) (*Publisher, bool) {
	r := rewind{now: now}
	next := p.clone()
	r.end(&next.ConfirmedAt, &next.WholeAt)
	if next.ConfirmedAt.IsZero() {
		next.FreshUntil = time.Time{}
	}
	r.cut(&next.FirstSeen, &next.AdoptedAt, &next.FailingSince, &next.DeniedSince, &next.SpokeAt, &next.HighWater)
	r.due(&next.TriedAt)
	if next.Move != nil {
		r.cut(&next.Move.Since, &next.Move.LastSeen)
	}
	if next.Decided != nil && r.ahead(&next.Decided.At) {
		next.Decided = nil
	}
	return next, r.changed
}

// NotAfter is the same for a file. Revocations are not changed: those that were first seen
// by the clock that was ahead are held for longer, and an operator may release them.
func (f *File) NotAfter(now time.Time) (*File, bool) {
	r := rewind{now: now}
	next := f.clone()
	r.end(&next.ConfirmedAt, &next.WholeAt)
	if next.ConfirmedAt.IsZero() {
		next.FreshUntil, next.KeysUntil = time.Time{}, time.Time{}
	}
	r.cut(&next.FirstSeen, &next.AdoptedAt, &next.FailingSince, &next.DeniedSince, &next.HighWater, &next.OverflowAt)
	if next.Probation.After(now.Add(Probation)) {
		next.Probation = now.Add(Probation)
	}
	r.due(&next.TriedAt)
	if next.Refused != nil {
		r.cut(&next.Refused.Since, &next.Refused.LastLook)
		if next.Refused.Decided != nil && r.ahead(&next.Refused.Decided.At) {
			next.Refused.Confirmed, next.Refused.Decided = false, nil
		}
	}
	next.Keys = nil
	for _, k := range f.Keys {
		r.cut(&k.Since)
		next.Keys = append(next.Keys, k)
	}
	return next, r.changed
}

// A rewind finds dates after a time.
type rewind struct {
	now     time.Time
	changed bool
}

func (r *rewind) ahead(t *time.Time) bool {
	found := t.After(r.now.Add(Skew))
	r.changed = r.changed || found
	return found
}

// cut makes dates after the time that time.
func (r *rewind) cut(dates ...*time.Time) {
	for _, t := range dates {
		if r.ahead(t) {
			*t = r.now
		}
	}
}

// due makes the date of a request after the time one that allows the next request at once.
func (r *rewind) due(t *time.Time) {
	if r.ahead(t) {
		*t = r.now.Add(-RetryMost)
	}
}

// end takes dates after the time away, all of them if there is one.
func (r *rewind) end(dates ...*time.Time) {
	found := false
	for _, t := range dates {
		found = r.ahead(t) || found
	}
	for _, t := range dates {
		if found {
			*t = time.Time{}
		}
	}
}

// Unconfirmed returns the record of a store that was put back from an old copy: what it
// says was true once, and may have changed since. The place is not used until the publisher
// is seen to name it again, by a whole answer. A move does not wait any longer: it may have
// been taken back or rejected since, and begins anew with its next observation.
func (p *Publisher) Unconfirmed() *Publisher {
	next := p.clone()
	next.ConfirmedAt, next.WholeAt, next.FreshUntil = time.Time{}, time.Time{}, time.Time{}
	next.Move, next.Decided = nil, nil
	return next
}

// Unconfirmed is the same for a file: its version is not used until it is obtained again.
// Whom it revokes and the latest date stay. A version that an operator let in may have been
// adopted, and replaced, since; the operator is asked again.
func (f *File) Unconfirmed() *File {
	next := f.clone()
	next.ConfirmedAt, next.WholeAt = time.Time{}, time.Time{}
	next.FreshUntil, next.KeysUntil = time.Time{}, time.Time{}
	if next.Refused != nil {
		next.Refused.Confirmed, next.Refused.Decided = false, nil
	}
	return next
}
