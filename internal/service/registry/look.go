package registry

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/patience"
	"github.com/avow-project/avow/internal/std/hostname"
)

// maxFindings limits the findings of one rule in an answer. More than a hundred of a
// kind do not help, and an answer has to stay smaller than the file.
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

// look finds out which file speaks for a domain, or uses what is known a moment ago.
// Calls about one domain at the same time wait for the same answer, whose requests are
// those of the call that came first. It goes on as long as a caller waits. What that call alone had too little
// of, such as time, requests or memory, the others try with their own. The error is
// an *Error, a *discover.InputError, or the context's.
func (s *Service) look(ctx context.Context, domain hostname.Domain, l looking) (*checked, bool, error) {
	for {
		c, known, err := s.lookOnce(ctx, domain, l)
		switch {
		case !errors.Is(err, errLeader):
			return c, known, err
		case ctx.Err() != nil:
			return nil, false, ctx.Err()
		}
	}
}

// errLeader is for a call that waited for another one, which had too little of its own.
var errLeader = errors.New("the call that came first had too little time, requests or memory")

// lookOnce is look, with errLeader where others try again.
func (s *Service) lookOnce(ctx context.Context, domain hostname.Domain, l looking) (*checked, bool, error) {
	known := s.checks.last(domain, l.reuse)
	if known != nil {
		return known, true, holdFor(ctx, known)
	}
	left, limited := fetch.BudgetLeft(ctx)
	if limited && left == 0 && s.checks.calls.Waiting(domain) == 0 {
		return s.unasked(domain), false, nil
	}
	mine := false
	call, err := s.checks.calls.Join(ctx, domain, func(ctx context.Context) (*checked, error) {
		mine = true
		known := s.checks.last(domain, l.reuse) // another call may have it by now
		if known != nil {
			return known, nil
		}
		return s.begin(ctx, domain, l)
	})
	if err != nil {
		return nil, false, err
	}
	select {
	case <-call.Done():
		c, err := call.Result()
		switch {
		case !mine && (err != nil && flight.Own(err) || err == nil && c.spent && (!limited || left > 0)):
			return nil, false, errLeader
		case err != nil:
			return nil, false, err
		}
		return c, false, holdFor(ctx, c)
	case <-ctx.Done():
		if !l.stay || !errors.Is(ctx.Err(), context.DeadlineExceeded) || !s.stay(call.Done()) {
			call.Leave(ctx)
		}
		return nil, false, ctx.Err()
	}
}

// holdFor has a request hold what it is given until it is answered, and reserves memory for an
// answer about it.
func holdFor(ctx context.Context, c *checked) error {
	if c.size() <= weighedFrom {
		return nil
	}
	if !budget.Hold(ctx, c.share) {
		return errNoMemory
	}
	return use(ctx, c, c.size())
}

// use reserves memory for an answer that is made of a document.
func use(ctx context.Context, document any, size int) error {
	err := budget.Use(ctx, document, size)
	if err != nil {
		return errNoMemory
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

// errUnfinished is for those who wait for a look that a fault in the program ended.
var errUnfinished = errors.New("the look at the domain ended without an answer")

// begin looks at a domain in a task of the service, and returns the answer. The task may
// have something left to do then.
func (s *Service) begin(ctx context.Context, domain hostname.Domain, l looking) (*checked, error) {
	p := s.following.begin(domain)
	defer s.following.end(domain, p)
	var c *checked
	err := errUnfinished
	answered := make(chan struct{})
	answer := sync.OnceFunc(func() { close(answered) })
	started := s.start(func() {
		defer answer()
		limited, cancel := context.WithTimeout(ctx, s.limits.call)
		defer cancel()
		stop := context.AfterFunc(s.ctx, cancel)
		defer stop()
		r := s.newReservation(limited)
		defer r.leave()
		found, problem := s.explore(context.WithValue(limited, lookKey, r), domain, l, r, p.note)
		if problem != nil {
			err = problem
			return
		}
		s.conclude(ctx, found, func() {
			c, err = found, nil
			answer()
		})
	})
	if !started {
		return nil, errClosed
	}
	<-answered
	return c, err
}

// conclude keeps what a look has found, and answers those who wait. Custody is given it
// before: after a check has shown that a publisher was revoked, no lookup may say the
// opposite. The first observation of a publisher and its file need not be waited for, unless
// many are not stored yet: a lookup that comes before it is kept finds the same, and no
// publisher is revoked. The context ends when no caller waits any more: then the answer is
// that it was given up.
func (s *Service) conclude(ctx context.Context, c *checked, answer func()) {
	lasting := reserved(context.WithoutCancel(ctx))
	keeping := s.prepare(lasting, c)
	after := keeping != nil && keeping.First() && s.keepLater()
	switch {
	case after:
		defer func() { <-s.unsaved }()
	case keeping != nil:
		s.ingest(lasting, c, keeping)
	}
	given := ctx.Err() != nil
	if !given && c.worthKeeping() {
		c.at = s.checks.now()
		s.checks.keep(c)
	}
	answer()
	if after && !given && s.ctx.Err() == nil {
		s.ingest(patience.With(lasting), c, keeping)
	}
}

// keepLater takes one of the slots of those that are stored after their answer, if there is
// one.
func (s *Service) keepLater() bool {
	select {
	case s.unsaved <- struct{}{}:
		return true
	default:
		return false
	}
}

// admit waits for one of the slots for looks. There are more of them than the service
// is ever asked for at once, except in an attack.
func (s *Service) admit(ctx context.Context) (func(), error) {
	select {
	case s.slots <- struct{}{}:
		return func() { <-s.slots }, nil
	case <-ctx.Done():
		return nil, Soon(codeBusy, "Too many domains are being looked at")
	}
}

// explore has the keeper ask the web. A fault in the program that one document brings to
// light must not end the service.
func (s *Service) explore(ctx context.Context, domain hostname.Domain, l looking, r *reservation,
	seen func(discover.Hop)) (*checked, error) {
	if s.keeper == nil {
		return nil, errNoCustody
	}
	var c *checked
	err := withoutPanic(string(domain), func() error {
		d, err := s.keeper.Check(ctx, domain, l.fresh, seen)
		if err != nil {
			return err
		}
		c = s.checkedOf(d, complete(ctx, d))
		return r.settle(c)
	})
	return c, err
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
func (s *Service) unasked(domain hostname.Domain) *checked {
	name := string(domain)
	d := &discover.Discovery{
		Domain: name, At: s.moment(), URL: discover.WellKnownURL(name),
		Findings: []discover.Finding{{
			Code: "fetch.no_turn", Severity: adagents.Error, URL: discover.WellKnownURL(name),
			Message: name + " was not asked: this call has used up its number of requests",
			Hint:    "ask about fewer publishers at once",
		}},
	}
	c := s.checkedOf(d, false)
	c.spent = true
	return c
}
