package custody

import (
	"errors"
	"slices"
	"time"
)

// The times of a version that adds something.
const (
	// Probation is how long a version that adds an agent, a key or revocations, lets an
	// agent sell more, or names a successor is asked for every ProbationRecheck.
	Probation        = 48 * time.Hour
	ProbationRecheck = time.Hour
	// LookApart is the least time between two looks that both count against a version, and
	// MaxLooks how many of them end it.
	LookApart = 10 * time.Minute
	MaxLooks  = 3
)

// adding are the changes that put a version on probation.
var adding = []string{
	"agent.added", "agent.entry_added", "agent.entry_effective",
	"agent.scope_changed", "agent.scope_widened", "agent.countries_widened", "agent.window_widened", "agent.limits_widened",
	"signing_key.added", "signing_key.replaced", "signing_key.restored", "signing_key.repurposed", "encryption_key.changed",
	"revocation.added", "file.superseded",
}

// addingEvents are the events that do.
var addingEvents = []string{"revocation.observed", "revocation.relisted"}

// probate puts a version on probation that adds something to the one before it, or may, if that
// is not kept. An attacker between an origin and its readers for an hour would add just that.
func (t *fileTake) probate() {
	n := t.next
	n.Probation = time.Time{}
	changes := slices.ContainsFunc(t.seen.Changes, func(c Change) bool { return slices.Contains(adding, c.Code) })
	events := slices.ContainsFunc(t.events, func(e Event) bool { return slices.Contains(addingEvents, e.Code) })
	if t.was.Hash != "" && (changes || events || t.seen.Incomparable) {
		n.Probation = t.seen.At.Add(Probation)
	}
	t.recheck()
}

// recheck has a version on probation asked for again soon.
func (t *fileTake) recheck() {
	n, at := t.next, t.seen.At
	if !at.Before(n.Probation) {
		return
	}
	n.FreshUntil, n.KeysUntil = earlier(n.FreshUntil, at.Add(ProbationRecheck)), earlier(n.KeysUntil, at.Add(ProbationRecheck))
}

// contradict notes another look at a version that was refused, and says so when the adopted
// one is no longer in effect because of it.
func (t *fileTake) contradict() {
	r, at := t.next.Refused, t.seen.At
	if r.Looks > 0 && at.Sub(r.LastLook).Abs() < LookApart {
		return
	}
	r.Looks, r.LastLook = min(r.Looks+1, MaxLooks), at
	if t.next.Disowned() && !t.was.Disowned() {
		e := t.say("file.contradicted", "a version that was seen for a short time only is not the one that its origin has, and is no longer in effect")
		e.Before, e.After = t.next.Hash, r.Hash
	}
}

// Disowned reports whether the adopted version has lost its standing: it added something,
// was confirmed for less than MaxAge, and its origin has the same older version at every
// look since. That does not put the older one in effect either.
func (f *File) Disowned() bool {
	r := f.Refused
	return r != nil && r.Looks >= MaxLooks && r.Code != "file.future" &&
		!f.Probation.IsZero() && f.ConfirmedAt.Before(f.AdoptedAt.Add(MaxAge))
}

// ErrListed is the error of a release while the file itself still revokes.
var ErrListed = errors.New("the file lists it, so there is no hold to be released")

// Release ends the hold of a revocation that the file does not list any more, by the word
// of an operator who gives a reason. It is ErrNotWaiting when nothing of that name is held.
func (f *File) Release(domain, reason string, at Moment) (*File, []Event, error) {
	i, ok := slices.BinarySearchFunc(f.Revocations, domain, byDomain)
	switch {
	case !ok || !f.Revocations[i].counts(at):
		return nil, nil, ErrNotWaiting
	case f.Revocations[i].Delisted.IsZero():
		return nil, nil, ErrListed
	}
	t := &fileTake{was: f, next: f.clone(), at: at}
	t.keep(func(r *Revocation) bool { return r.Domain != domain })
	t.say("revocation.lifted", withDetail("an operator has ended the hold of "+quote(domain)+", first listed at "+stamp(f.Revocations[i].First), reason)).Domain = domain
	return t.next, t.events, nil
}
