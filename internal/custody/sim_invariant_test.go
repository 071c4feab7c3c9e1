package custody_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
)

// An invariant holds after every step of every world. docs/custody.md lists them in the
// same order.
type invariant struct {
	name  string
	holds func(*world) error
}

var invariants = []invariant{
	{"revocation kept", revocationKept},
	{"revocation scoped", revocationScoped},
	{"revocation ends", revocationEnds},
	{"rollback refused", rollbackRefused},
	{"high water rises", highWaterRises},
	{"high water not ahead", highWaterNotAhead},
	{"refusal changes nothing", refusalChangesNothing},
	{"good version adopted", goodVersionAdopted},
	{"adopted was served", adoptedWasServed},
	{"seven days at most", sevenDaysAtMost},
	{"one day of failure", oneDayOfFailure},
	{"whole every week", wholeEveryWeek},
	{"closed at once", closedAtOnce},
	{"move held", moveHeld},
	{"move adopted", moveAdopted},
	{"rejected stays out", rejectedStaysOut},
	{"absent at once", absentAtOnce},
	{"place confirmed", placeConfirmed},
	{"asked in time", askedInTime},
	{"record is all", recordIsAll},
	{"events known", eventsKnown},
	{"forged version ends", forgedVersionEnds},
}

// check returns the first invariant that does not hold.
func (w *world) check() error {
	for _, i := range invariants {
		err := i.holds(w)
		if err != nil {
			return fmt.Errorf("%s: %w", i.name, err)
		}
	}
	return nil
}

// revocationKept: an observed revocation is never forgotten while it is listed or inside
// its seven days.
func revocationKept(w *world) error {
	at := w.moment()
	for _, url := range w.urls {
		t := w.truth.files[url]
		for domain, first := range t.first {
			if (t.listed[domain] || at.Early.Sub(first) < 7*day) && !w.files[url].Revokes(hostname.Domain(domain), at) {
				return fmt.Errorf("%s forgot %s, first seen %v", url, domain, first)
			}
		}
	}
	return nil
}

// revocationScoped: a file revokes nobody that it never listed itself.
func revocationScoped(w *world) error {
	for _, url := range w.urls {
		for _, r := range w.files[url].Revocations {
			if w.truth.files[url].first[r.Domain].IsZero() {
				return fmt.Errorf("%s revokes %s, which it never listed", url, r.Domain)
			}
		}
	}
	return nil
}

// revocationEnds: a domain that is not listed any more is free after its seven days.
func revocationEnds(w *world) error {
	at := w.moment()
	for _, url := range w.urls {
		t := w.truth.files[url]
		for domain, first := range t.first {
			over := !t.listed[domain] && at.Early.Sub(first) >= 7*day
			if over && (w.files[url].Revokes(hostname.Domain(domain), at) || slices.Contains(w.files[url].Held(at), domain)) {
				return fmt.Errorf("%s keeps %s revoked", url, domain)
			}
		}
	}
	return nil
}

// rollbackRefused: no version is adopted that is older than the latest by more than a
// minute, undated after a dated one, or from the future, unless an operator let it in.
func rollbackRefused(w *world) error {
	for _, s := range w.truth.fileSteps {
		if s.objection && !s.allowed && s.next.Hash == s.seen.Hash {
			return fmt.Errorf("adopted %s of %v", s.seen.Hash, s.seen.Facts.LastUpdated)
		}
	}
	return nil
}

// highWaterRises: the latest date never goes back.
func highWaterRises(w *world) error {
	for _, s := range w.truth.fileSteps {
		if s.next.HighWater.Before(s.was.HighWater) || s.next.HighWater.Before(s.before.high) {
			return fmt.Errorf("%s fell from %v to %v", s.next.URL, s.was.HighWater, s.next.HighWater)
		}
	}
	for _, s := range w.truth.waySteps {
		if s.next.HighWater.Before(s.was.HighWater) {
			return fmt.Errorf("the publisher's fell from %v to %v", s.was.HighWater, s.next.HighWater)
		}
	}
	return nil
}

// highWaterNotAhead: no date more than a minute after the present becomes the latest.
func highWaterNotAhead(w *world) error {
	for _, s := range w.truth.fileSteps {
		if s.next.HighWater != s.was.HighWater && s.next.HighWater.Sub(s.at.Early) > time.Minute {
			return fmt.Errorf("%s is at %v", s.next.URL, s.next.HighWater)
		}
	}
	for _, s := range w.truth.waySteps {
		if s.next.HighWater != s.was.HighWater && s.next.HighWater.Sub(s.at.Early) > time.Minute {
			return fmt.Errorf("the publisher's is at %v", s.next.HighWater)
		}
	}
	return nil
}

// refusalChangesNothing: an observation that is not good changes neither the version nor the
// latest date nor who is revoked, and prolongs nothing.
func refusalChangesNothing(w *world) error {
	for _, s := range w.truth.fileSteps {
		a, b := s.was, s.next
		same := a.Hash == b.Hash && a.HighWater.Equal(b.HighWater) && a.ConfirmedAt.Equal(b.ConfirmedAt) &&
			a.FreshUntil.Equal(b.FreshUntil) && a.KeysUntil.Equal(b.KeysUntil) && a.WholeAt.Equal(b.WholeAt) && slices.EqualFunc(a.Revocations, b.Revocations, sameRevocation)
		if !s.good && !same {
			return fmt.Errorf("%v of %s changed the record", s.seen.Outcome, s.next.URL)
		}
	}
	return nil
}

func sameRevocation(a, b custody.Revocation) bool {
	return a.Domain == b.Domain && a.First.Equal(b.First) && a.Stated.Equal(b.Stated) && a.Delisted.Equal(b.Delisted)
}

// goodVersionAdopted: a version that nothing speaks against counts as soon as it is seen.
func goodVersionAdopted(w *world) error {
	for _, s := range w.truth.fileSteps {
		if s.good && s.seen.Outcome == custody.Whole && (s.next.Hash != s.seen.Hash || !s.next.ConfirmedAt.Equal(s.at.Early)) {
			return fmt.Errorf("%s was not adopted", s.seen.Hash)
		}
		if s.good && !s.next.Standing(s.at).Usable() && s.at.Early.Equal(s.at.Late) {
			return fmt.Errorf("%s is %v right after a good observation", s.next.URL, s.next.Standing(s.at))
		}
	}
	return nil
}

// adoptedWasServed: what is in effect is a version that the origin served as a whole.
func adoptedWasServed(w *world) error {
	for _, url := range w.urls {
		f, t := w.files[url], w.truth.files[url]
		if f.Hash == "" && t.adopted == nil {
			continue
		}
		if t.adopted == nil || f.Hash != t.adopted.hash || !f.LastUpdated.Equal(t.served[f.Hash].facts.LastUpdated) {
			return fmt.Errorf("%s has %s", url, f.Hash)
		}
	}
	return nil
}

// sevenDaysAtMost: nothing is used seven days after it was last confirmed.
func sevenDaysAtMost(w *world) error {
	at := w.moment()
	for _, url := range w.urls {
		if w.files[url].Standing(at).Usable() && at.Late.Sub(w.truth.files[url].good) >= 7*day {
			return fmt.Errorf("%s is used since %v", url, w.truth.files[url].good)
		}
	}
	if w.publisher.Standing(at).Usable() && at.Late.Sub(w.publisher.ConfirmedAt) >= 7*day {
		return errors.New("the place is used")
	}
	return nil
}

// oneDayOfFailure: nothing is used a day after requests began to fail.
func oneDayOfFailure(w *world) error {
	at := w.moment()
	for _, url := range w.urls {
		since := w.truth.files[url].failing
		if !since.IsZero() && at.Late.Sub(since) >= day && w.files[url].Standing(at).Usable() {
			return fmt.Errorf("%s is used, failing since %v", url, since)
		}
	}
	since := w.truth.failing
	if !since.IsZero() && at.Late.Sub(since) >= day && w.publisher.Standing(at).Usable() {
		return fmt.Errorf("the place is used, failing since %v", since)
	}
	return nil
}

// wholeEveryWeek: "not modified" confirms nothing a week after the last whole answer.
func wholeEveryWeek(w *world) error {
	for _, s := range w.truth.fileSteps {
		confirmed := !s.next.ConfirmedAt.Equal(s.was.ConfirmedAt) // it may have been just before
		if s.seen.Outcome == custody.NotModified && confirmed && s.at.Late.Sub(s.before.bytes) >= 7*day {
			return fmt.Errorf("%s was confirmed, had as a whole %v", s.next.URL, s.before.bytes)
		}
	}
	for _, s := range w.truth.waySteps {
		if s.route.Outcome == custody.NotModified && !s.next.ConfirmedAt.Equal(s.was.ConfirmedAt) && s.at.Late.Sub(s.was.WholeAt) >= 7*day {
			return errors.New("the place was confirmed")
		}
	}
	return nil
}

// closedAtOnce: a file that its origin took away, or has refused for an hour, is ignored
// until it is back.
func closedAtOnce(w *world) error {
	at := w.moment()
	for _, url := range w.urls {
		if w.truth.files[url].closed && w.files[url].Standing(at).Usable() {
			return fmt.Errorf("%s is used", url)
		}
	}
	return nil
}

// moveHeld: another place counts only when it is the first, has been named for a day
// without a break and without anything against it, or an operator confirmed it.
func moveHeld(w *world) error {
	for _, s := range w.truth.waySteps {
		if s.next.Location != s.was.Location && !s.ripe && !s.first {
			return fmt.Errorf("moved from %s to %s", s.was.Location.URL, s.next.Location.URL)
		}
	}
	if w.publisher.Location != w.truth.place {
		return fmt.Errorf("the place is %s and not %s", w.publisher.Location.URL, w.truth.place.URL)
	}
	return nil
}

// moveAdopted: a place that has been named for a day, with nothing against it, counts.
func moveAdopted(w *world) error {
	for _, s := range w.truth.waySteps {
		if s.ripe && s.next.Location != s.route.To {
			return fmt.Errorf("%s still waits", s.route.To.URL)
		}
	}
	return nil
}

// rejectedStaysOut: a place that an operator rejected does not take effect by itself.
func rejectedStaysOut(w *world) error {
	for _, s := range w.truth.waySteps {
		if s.next.Location != s.was.Location && w.truth.rejected[s.next.Location.URL] && s.was.Location.URL != "" {
			return fmt.Errorf("moved to %s", s.next.Location.URL)
		}
	}
	return nil
}

// absentAtOnce: a publisher that was last seen without a file, or refuses to answer, has
// no authority.
func absentAtOnce(w *world) error {
	if (w.truth.absent || w.truth.denied) && w.publisher.Standing(w.moment()).Usable() {
		return fmt.Errorf("the place is %v", w.publisher.Standing(w.moment()))
	}
	return nil
}

// placeConfirmed: only an observation of the adopted place confirms it. While a move waits, the
// time of the old place runs out.
func placeConfirmed(w *world) error {
	for _, s := range w.truth.waySteps {
		if !s.next.ConfirmedAt.Equal(s.was.ConfirmedAt) && s.route.Outcome != custody.NotModified && s.route.To != s.next.Location {
			return fmt.Errorf("an observation of %s confirmed %s", s.route.To.URL, s.next.Location.URL)
		}
	}
	return nil
}

// askedInTime: a file is asked for within a day of the last time, a publisher within a
// week, and neither without a pause.
func askedInTime(w *world) error {
	for _, s := range w.truth.fileSteps {
		if wait := s.next.Due().Sub(s.next.TriedAt); wait > day || wait < time.Minute {
			return fmt.Errorf("%s is due after %v", s.next.URL, wait)
		}
	}
	for _, s := range w.truth.waySteps {
		if wait := s.next.Due().Sub(s.next.TriedAt); wait > 7*day || wait < time.Minute {
			return fmt.Errorf("the publisher is due after %v", wait)
		}
	}
	return nil
}

// recordIsAll: a record that was stored and read again is the same.
func recordIsAll(w *world) error {
	if w.rng.IntN(150) != 0 {
		return nil
	}
	for _, s := range w.truth.fileSteps {
		if diff := cmp.Diff(s.next, rereadFile(s.next)); diff != "" {
			return errors.New(diff)
		}
	}
	again := reread(w.publisher)
	again.Revision = w.publisher.Revision
	if diff := cmp.Diff(w.publisher, again); diff != "" {
		return errors.New(diff)
	}
	return nil
}

var codeNames = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, c := range custody.Codes() {
		out[c.Code] = true
	}
	return out
})

// eventsKnown: whatever happens has a code that can be explained, and a version that
// takes effect or ceases to is never without an event.
func eventsKnown(w *world) error {
	for _, s := range w.truth.fileSteps {
		err := wellFormed(s.events, s.next.Hash != s.was.Hash)
		if err != nil {
			return err
		}
	}
	for _, s := range w.truth.waySteps {
		err := wellFormed(s.events, s.next.Location != s.was.Location || s.next.Absent != s.was.Absent)
		if err != nil {
			return err
		}
	}
	return nil
}

func wellFormed(events []custody.Event, wanted bool) error {
	if wanted && len(events) == 0 {
		return errors.New("a change without an event")
	}
	for i := range events {
		e := &events[i]
		if !codeNames()[e.Code] || e.Message == "" || e.At.IsZero() || e.URL == "" && e.Publisher == "" {
			return fmt.Errorf("event %+v", *e)
		}
	}
	return nil
}
