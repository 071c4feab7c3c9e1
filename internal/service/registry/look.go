package registry

import (
	"context"
	"errors"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/fetch"
	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/patience"
)

// maxFindings limits the findings of one rule in an answer. What comes after a hundred
// of a kind helps nobody, and an answer has to stay smaller than the file.
const maxFindings = 100

// A looking says how a domain is looked at.
type looking struct {
	// reuse is how old an answer may be that is used again.
	reuse time.Duration
	// fresh asks caches on the way for fresh answers.
	fresh bool
	// stay lets the look go on for a while when the time of the caller is over.
	stay bool
}

// errClosed is the error of a call to a service that has ended.
var errClosed = errors.New("the service is closed")

// look finds out which file speaks for a domain, or uses what is known a moment
// ago. Calls about one domain at the same time wait for the same answer, whose
// requests are those of the call that came first. It goes on as long as somebody
// waits. The error is an *Error, a *discover.InputError, or that of the context.
func (s *Service) look(ctx context.Context, domain string, l looking) (*checked, bool, error) {
	s.checks.mu.Lock()
	known := s.checks.recent(domain, l.reuse)
	if known != nil {
		s.checks.mu.Unlock()
		return known, true, holdFor(ctx, known)
	}
	f := s.checks.flights[domain]
	if f == nil {
		left, limited := fetch.BudgetLeft(ctx)
		if limited && left == 0 {
			s.checks.mu.Unlock()
			return s.unasked(domain), false, nil
		}
		if s.checks.closed {
			s.checks.mu.Unlock()
			return nil, false, errClosed
		}
		f = s.depart(ctx, domain, l)
	}
	f.waiting++
	s.checks.mu.Unlock()
	select {
	case <-f.done:
		if f.err == nil {
			return f.result, false, holdFor(ctx, f.result)
		}
		return nil, false, f.err
	case <-ctx.Done():
		if !l.stay || !errors.Is(ctx.Err(), context.DeadlineExceeded) || !s.stay(f.done) {
			s.checks.leave(domain, f)
		}
		return nil, false, ctx.Err()
	}
}

// holdFor has a request hold what it is given until it is answered.
func holdFor(ctx context.Context, c *checked) error {
	if !budget.Hold(ctx, c.share) {
		return errNoRoom
	}
	return nil
}

// stay keeps waiting for a look in the place of a caller whose time is over, so that
// the answer is there when it asks again. It returns false when that is done for too
// many already.
func (s *Service) stay(done <-chan struct{}) bool {
	select {
	case s.behind <- struct{}{}:
	default:
		return false
	}
	started := s.start(func() {
		<-done
		<-s.behind
	})
	if !started {
		<-s.behind
	}
	return started
}

// depart starts a look at a domain. The caller holds the lock of checks.
func (s *Service) depart(ctx context.Context, domain string, l looking) *flight {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits.call)
	f := &flight{done: make(chan struct{}), cancel: cancel}
	s.checks.flights[domain] = f
	s.task(func() {
		defer cancel()
		stop := context.AfterFunc(s.ctx, cancel)
		defer stop()
		s.fly(ctx, domain, f, l)
	})
	return f
}

// fly looks at a domain, and hands the answer to custody and to those who wait.
func (s *Service) fly(ctx context.Context, domain string, f *flight, l looking) {
	r := s.newRoom(ctx)
	defer r.leave()
	f.err = s.explore(context.WithValue(ctx, lookKey, r), domain, l, r, f)
	s.conclude(roomy(context.WithoutCancel(ctx)), domain, f)
}

// conclude keeps what a flight has found out, and hands it to those who wait. Custody is
// given it before: whoever has seen in a check that somebody was revoked must not be told
// otherwise by a lookup. The first sight of a publisher and its file need not be waited
// for: a lookup that comes before it is kept finds out the same, and nobody is revoked.
func (s *Service) conclude(ctx context.Context, domain string, f *flight) {
	var keeping *custodian.Keeping
	if f.err == nil {
		keeping = s.prepare(ctx, f.result)
	}
	first := keeping != nil && keeping.First()
	if keeping != nil && !first {
		s.ingest(ctx, f.result, keeping)
	}
	given := s.checks.land(domain, f)
	if first && !given && s.ctx.Err() == nil {
		s.ingest(patience.With(ctx), f.result, keeping)
	}
}

// admit waits for one of the places of those who look. There are more of them than
// the service is ever asked for at once, unless somebody means harm.
func (s *Service) admit(ctx context.Context) (func(), error) {
	select {
	case s.places <- struct{}{}:
		return func() { <-s.places }, nil
	case <-ctx.Done():
		return nil, Soon("busy", "Too many domains are being looked at")
	}
}

// explore has the keeper ask the web, and sets the result of a flight. A fault in the
// program that one document brings to light must not end the service.
func (s *Service) explore(ctx context.Context, domain string, l looking, r *room, f *flight) error {
	if s.keeper == nil {
		return errNoCustody
	}
	return withoutPanic(domain, func() error {
		d, err := s.keeper.Check(ctx, domain, l.fresh)
		if err != nil {
			return err
		}
		f.result = s.checkedOf(d, complete(ctx, d))
		return r.settle(f.result)
	})
}

// complete reports whether nothing on the way was left out for want of time or of
// requests.
func complete(ctx context.Context, d *discover.Discovery) bool {
	for i := range d.Trail {
		r := d.Trail[i].Result
		if r == nil {
			continue
		}
		switch r.Outcome {
		case fetch.NoTurn, fetch.Cancelled:
			return false
		case fetch.Timeout:
			if ctx.Err() != nil {
				return false
			}
		}
	}
	return true
}

// spent reports whether a way ended because the call had no requests left. That says
// nothing about the domain to others.
func spent(d *discover.Discovery) bool {
	for i := range d.Trail {
		r := d.Trail[i].Result
		if r != nil && r.Last().Reason == fetch.BudgetSpent {
			return true
		}
	}
	return false
}

// unasked is the answer for a domain that a call had no requests left for.
func (s *Service) unasked(domain string) *checked {
	d := &discover.Discovery{
		Domain: domain, At: s.moment(), URL: "https://" + domain + "/.well-known/adagents.json",
		Findings: []discover.Finding{{
			Code: "fetch.no_turn", Severity: adagents.Error, URL: "https://" + domain + "/.well-known/adagents.json",
			Message: domain + " was not asked: this call has used up its number of requests",
			Hint:    "ask about fewer publishers at once",
		}},
	}
	c := s.checkedOf(d, false)
	c.spent = true
	return c
}
