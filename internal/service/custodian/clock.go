package custodian

import (
	"context"
	"fmt"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/freshness"
)

// The codes of a clock that is not to be trusted.
const (
	codeBack  = "clock.back"
	codeAhead = "clock.ahead"
)

// A ClockError says what is wrong with the clock, and what to do about it.
type ClockError struct {
	Code string
	text string
}

// Error says it.
func (e *ClockError) Error() string { return e.text }

// built is when the code of this program was made; zero when that is not known. No honest
// clock shows an earlier time.
var built = func() time.Time {
	t, err := time.Parse(time.RFC3339, buildinfo.Get().Date)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}()

// witness compares the clock with the dates of the answers from the web. The one that is
// furthest ahead counts: a stranger who sends an old date must not make a clock that is
// right look wrong, and one that sends a late date vouches at most for what the clock of
// this machine shows anyway.
func (k *Keeper) witness(d *discover.Discovery) {
	if d == nil {
		return
	}
	for i := range d.Trail {
		r := d.Trail[i].Result
		if r == nil {
			continue
		}
		for j := range r.Exchanges {
			x := &r.Exchanges[j]
			at := k.since(x.At)
			sent, ok := freshness.Sent(x.Caching(), at)
			if ok {
				k.dated(sent.Sub(at))
			}
		}
	}
}

// dated takes note of how far an answer's date was ahead of the clock, which is negative
// when the clock was ahead.
func (k *Keeper) dated(lead time.Duration) {
	k.clock.Lock()
	defer k.clock.Unlock()
	if k.heard && lead <= k.lead {
		return
	}
	k.heard, k.lead = true, lead
	if !k.proven && lead >= -maxBack {
		k.proven, k.asked = true, time.Time{} // the time is noted with the next question
	}
}

// vouched returns the latest time that something else than the clock of this machine
// stands for: the time in the store, the dates of answers, the age of this program. The
// lock is held.
func (k *Keeper) vouched(now time.Time) time.Time {
	latest := k.noted
	if built.After(latest) {
		latest = built
	}
	if sent := now.Add(k.lead); k.heard && sent.After(latest) {
		latest = sent
	}
	return latest
}

// prove decides whether the clock may be relied upon. Once it may, it may for as long as
// the process runs, because its clock does not jump. The lock is held.
func (k *Keeper) prove(now time.Time) bool {
	k.proven = k.proven || !now.After(k.vouched(now).Add(maxBack))
	return k.proven
}

// present returns the present. What the clock of the machine says makes it later, never
// earlier. A clock that answers contradict is ahead: what they say is the early reading.
// One that nothing vouches for ends no hold by itself. The lock is held.
func (k *Keeper) present(now time.Time, set time.Duration) custody.Moment {
	m := custody.Moment{Early: now, Late: now.Add(k.ahead)}
	if wall := now.Add(set); wall.After(m.Late) {
		m.Late = wall
	}
	switch {
	case k.prove(now):
	case k.heard:
		m.Early = k.vouched(now)
	default:
		m.Sure = k.vouched(now)
		if m.Sure.IsZero() {
			m.Sure = time.Unix(0, 0).UTC() // nothing at all
		}
	}
	return m
}

// latest asks the store for the latest time. The present is noted if something vouches
// for it.
func (k *Keeper) latest(ctx context.Context, now time.Time, set time.Duration) (time.Time, error) {
	noted, err := k.config.Store.Clock(ctx, time.Time{})
	if err != nil {
		return time.Time{}, err
	}
	k.clock.Lock()
	k.recall(noted, now)
	proven := k.prove(now)
	k.clock.Unlock()
	if !proven {
		return noted, nil
	}
	noted, err = k.config.Store.Clock(ctx, now.Add(min(set, 0)))
	if err != nil {
		return time.Time{}, err
	}
	k.clock.Lock()
	defer k.clock.Unlock()
	k.recall(noted, now)
	return noted, nil
}

// recall takes over the latest time in the store. The late reading goes on from there. One
// that went back was set by an operator, and is followed. The lock is held.
func (k *Keeper) recall(noted, now time.Time) {
	if noted.Before(k.noted) {
		k.ahead = 0
	}
	k.noted, k.told = noted, true
	k.ahead = max(k.ahead, noted.Sub(now), 0)
}

// fault says what is wrong with the clock; nil when nothing is. The lock is held.
func (k *Keeper) fault(now time.Time, set time.Duration) *ClockError {
	back := k.noted.Sub(now)
	switch {
	case back > maxBack:
		return &ClockError{codeBack, fmt.Sprintf("the clock is %s behind the latest time in the store: set it; if it is right, avow state set-clock repairs the store", back.Round(time.Second))}
	case set.Abs() > maxBack:
		return &ClockError{codeBack, fmt.Sprintf("the clock of the machine was set by %s since this process began, which does not follow it: start it again", set.Round(time.Second))}
	case k.heard && !k.prove(now):
		return &ClockError{codeAhead, fmt.Sprintf("the clock is %s ahead of the dates that web servers send: set it; if it is right, say so with avow state set-clock", now.Sub(k.vouched(now)).Round(time.Second))}
	}
	return nil
}

// doubtful returns what is wrong with the clock; nil when nothing is.
func (k *Keeper) doubtful() *ClockError {
	now, set := k.clocks()
	k.clock.Lock()
	defer k.clock.Unlock()
	return k.fault(now, set)
}
