package fetch

import (
	"context"
	"net/netip"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/avow-project/avow/internal/std/clock"
)

// A run is one request with its redirects and repetitions.
type run struct {
	client    *Client
	want      Request
	chain     *chain
	exchanges []Exchange
	// waiters are the callers who wait for it.
	waiters *waiters
	// budget is its time in all.
	budget *clock.Clock
	// repeats is the number of repetitions that are left, and pauses the time
	// between them. Redirects do not renew either.
	repeats int
	pauses  *backoff.ExponentialBackOff
}

// bound returns a context with the end of the budget as its deadline, for what looks
// ahead and does not begin what cannot be done in time.
func (r *run) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithDeadlineCause(ctx, r.budget.Until(), errBudget)
}

// An attempt is an exchange in the making.
type attempt struct {
	Exchange
	run    *run
	client *Client
	want   *Request
	target *target
	chain  *chain
	// ctx is the context of the exchange and cancel ends it, as hop does in time.
	ctx    context.Context
	cancel context.CancelCauseFunc
	hop    *clock.Clock
	// leave gives its slot at the host away; it may be called more than once.
	leave func()
	// pace watches over the body that is being read.
	pace *pace
	// address is the one whose slot it has, if addresses have slots, and release
	// gives it away.
	address netip.Addr
	release func()
	// held is how long the exchange was held up after it began: for want of a slot
	// at the address, or of memory and then of a slot.
	held time.Duration
	// begun is set when its turn came, and withdrawn when it did not after all.
	begun, withdrawn bool
	// body is set for Found, next for Redirected.
	body []byte
	next *target
}

// enter waits for the turn of the exchange. When the time is too short for that,
// nothing was sent, and the server is not to blame.
func (a *attempt) enter(ctx context.Context) bool {
	if !budgetOf(ctx).take() {
		a.Outcome, a.Reason, a.Detail = NoTurn, BudgetSpent, errSpent.Error()
		return false
	}
	bounded, cancel := a.run.bound(ctx)
	defer cancel()
	leave, err := a.client.hosts.enter(bounded, a.target.host)
	a.Timings.Wait = time.Since(a.At)
	if err == nil {
		a.begun, a.At, a.leave = true, time.Now(), sync.OnceFunc(leave)
		return true
	}
	a.withdraw(bounded, err)
	return false
}

// withdraw records that the turn of the exchange did not come. Nothing was sent, so
// that it is ignored.
func (a *attempt) withdraw(ctx context.Context, err error) {
	budgetOf(ctx).giveBack()
	f := ended(ctx)
	if f == nil || f.outcome != Cancelled {
		f = fail(NoTurn, err)
	}
	a.begun, a.withdrawn, a.Outcome, a.Detail = false, true, f.outcome, f.Error()
}

// slot waits for a turn with the address that is about to be connected to. The time
// that takes is not the server's.
func (a *attempt) slot(ctx context.Context, addr netip.Addr) error {
	begun := time.Now()
	goOn := a.hop.Hold()
	bounded, cancel := a.run.bound(ctx)
	defer cancel()
	leave, err := a.client.hosts.enterAt(bounded, addr)
	a.held += time.Since(begun)
	goOn()
	if err != nil {
		a.withdraw(bounded, err)
		return err
	}
	a.address, a.release = addr, sync.OnceFunc(leave)
	return nil
}

// within ends the exchange unless the returned function is called in time.
func (a *attempt) within(d time.Duration, cause timeError) func() bool {
	return time.AfterFunc(d, func() { a.cancel(cause) }).Stop
}

// pace watches over the speed of a body.
type pace struct {
	attempt *attempt
	wire    *wire
	timer   *time.Timer

	mu    sync.Mutex
	start time.Time
	// held means that we do not read at the moment, so that the server is not to
	// blame.
	held bool
}

// watchPace ends the exchange when the body arrives too slowly, until the returned
// function is called.
func (a *attempt) watchPace(w *wire) func() bool {
	p := &pace{attempt: a, wire: w, start: time.Now()}
	a.pace = p
	p.timer = time.AfterFunc(time.Hour, p.check)
	p.timer.Reset(a.client.limits.paceAfter)
	return p.timer.Stop
}

// check looks at the average so far, and comes back when it could have become too
// low.
func (p *pace) check() {
	p.mu.Lock()
	defer p.mu.Unlock()
	limits := &p.attempt.client.limits
	if p.held {
		p.timer.Reset(limits.paceAfter)
		return
	}
	elapsed := time.Since(p.start)
	enoughUntil := time.Duration(p.wire.got.Load()) * time.Second / time.Duration(limits.rate)
	if enoughUntil <= elapsed {
		p.attempt.cancel(errPace)
		return
	}
	p.timer.Reset(enoughUntil - elapsed)
}

// hold stops the clock of the body, and release lets it go on as if no time had
// passed.
func (p *pace) hold() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = true
}

func (p *pace) release(after time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held, p.start = false, p.start.Add(after)
}
