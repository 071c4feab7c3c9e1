package fetch

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/std/clock"
)

// A Getter makes requests. Get never returns nil, and is safe for concurrent use; what it returns
// is not changed afterwards. *Client is one.
type Getter interface {
	Get(ctx context.Context, r Request) *Result
}

// Get makes a request and returns what became of it. The Result is never nil, and
// has the evidence of every exchange whatever the outcome. Callers that ask for
// the same at the same time share one Result, unless the request has a body to
// post.
func (c *Client) Get(ctx context.Context, r Request) *Result {
	r = r.withDefaults()
	t, err := parseTarget(r.URL)
	if err != nil {
		return c.refuse(&r, err)
	}
	if ctx.Err() != nil {
		return gaveUp(ctx, &r, t)
	}
	g, p := &waiter{caller: ctx, large: r.Large}, &waiters{}
	p.join(g)
	if r.Post != nil {
		defer p.leave(g)
		return c.run(ctx, r, t, p)
	}
	result, err := c.share(ctx, r.question(t), g, p, func(ctx context.Context) (*Result, error) {
		return c.run(ctx, r, t, p), nil
	})
	switch {
	case result != nil:
		return result
	case ctx.Err() == nil:
		panic(err) // which is what the request did
	}
	return gaveUp(ctx, &r, t)
}

// waitersKey is the key of the waiters in the context of a request.
type waitersKey struct{}

// share returns the result of work, which runs once for all callers with the same question.
// It is nil for a caller who gives up before, unless that is the last one, who has the
// evidence of what was done so far.
func (c *Client) share(ctx context.Context, q question, g *waiter, own *waiters,
	work func(context.Context) (*Result, error)) (*Result, error) {
	call, err := c.sharing.Join(context.WithValue(ctx, waitersKey{}, own), q, work)
	if err != nil {
		return nil, err
	}
	p := call.Context().Value(waitersKey{}).(*waiters)
	if p != own {
		p.join(g)
	}
	defer p.leave(g)
	return call.Wait(ctx)
}

// withDefaults returns the request with its zero values replaced. Posts follow no
// redirects: what is posted is meant for the one who was named.
func (r Request) withDefaults() Request {
	if r.MaxBytes <= 0 {
		r.MaxBytes = MaxWellKnown
	}
	if len(r.MediaTypes) == 0 {
		r.MediaTypes = []string{jsonType}
	}
	if r.Post != nil {
		r.Redirects = None
	}
	withoutBadConditions(&r)
	return r
}

// refuse is the result for a URL that is not requested.
func (c *Client) refuse(r *Request, err error) *Result {
	outcome := BadURL
	var refused *netguard.Refusal
	if errors.As(err, &refused) {
		outcome = GuardedAddress
	}
	e := Exchange{
		URL: displayURL(r.URL), Method: r.method(), Attempt: 1, At: time.Now(),
		Outcome: outcome, Detail: err.Error(),
	}
	c.observe(&e)
	return resultOf(e)
}

// gaveUp is the result for a caller who did not wait for a shared answer, or gave up
// before asking. No exchange was made for it, so none is observed.
func gaveUp(ctx context.Context, r *Request, t *target) *Result {
	f := ended(ctx)
	return resultOf(Exchange{
		URL: t.String(), Method: r.method(), Attempt: 1, At: time.Now(), Outcome: f.outcome, Detail: f.Error(),
	})
}

func resultOf(e Exchange) *Result {
	return &Result{Outcome: e.Outcome, URL: e.URL, Exchanges: []Exchange{e}}
}

// run makes the exchanges of a request until one is not a redirect to follow.
func (c *Client) run(ctx context.Context, want Request, t *target, p *waiters) *Result {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &run{client: c, want: want, chain: newChain(want.Redirects, t.host), waiters: p, pauses: c.pauses()}
	r.repeats = r.allowed() - 1
	r.budget = clock.Start(c.limits.budget, func() { cancel(errBudget) })
	defer r.budget.Stop()
	for {
		last := r.attempts(ctx, t)
		if last.Outcome != Redirected {
			// Results are kept, and one that were a part of the run would keep all of it.
			return &Result{Outcome: last.Outcome, URL: last.URL, Body: last.body, Exchanges: r.exchanges}
		}
		t = last.next
	}
}

// add puts an exchange that has ended on record. One that was not made is not observed.
func (r *run) add(a *attempt) {
	r.exchanges = append(r.exchanges, a.Exchange)
	if a.begun {
		r.client.observe(&a.Exchange)
	}
}

// repeatable reports whether the same request may well succeed a little later.
// 408 and 425 are the statuses of their class that say so themselves.
func repeatable(e *Exchange) bool {
	return e.Outcome.Transient() || e.Status == http.StatusRequestTimeout || e.Status == http.StatusTooEarly
}

// attempts makes a request, and makes it again while it fails for a passing
// reason. It returns the last attempt that says something about the server: a
// repetition whose turn never came does not.
func (r *run) attempts(ctx context.Context, t *target) *attempt {
	var last *attempt
	for number := 1; ; number++ {
		a := r.try(ctx, t, number)
		if last != nil && a.Outcome == NoTurn {
			return last
		}
		r.add(a)
		if !a.begun || !repeatable(&a.Exchange) || !r.pause(ctx, a.RetryAfter) {
			return a
		}
		last = a
	}
}

// pause waits before a repetition, and takes it from the allowance. It reports
// whether there may be one.
func (r *run) pause(ctx context.Context, atLeast time.Duration) bool {
	if r.repeats <= 0 {
		return false
	}
	r.repeats--
	ctx, cancel := r.bound(ctx)
	defer cancel()
	return clock.Pause(ctx, max(r.pauses.NextBackOff(), atLeast))
}

// allowed is the number of attempts.
func (r *run) allowed() int {
	if r.want.Once || r.want.Post != nil {
		return 1
	}
	return r.client.limits.attempts
}

// pauses grow exponentially and are spread at random, so that clients that failed
// together do not come back together.
func (c *Client) pauses() *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.MaxInterval = c.limits.firstPause, c.limits.maxPause
	b.Multiplier = 2
	b.Reset()
	return b
}

// try makes one exchange: it waits for its turn, asks, and judges the answer.
func (r *run) try(ctx context.Context, t *target, number int) *attempt {
	a := &attempt{run: r, client: r.client, want: &r.want, target: t, chain: r.chain, release: func() {}}
	a.URL, a.Method, a.Attempt, a.At = t.String(), r.want.method(), number, time.Now()
	if !a.enter(ctx) {
		return a
	}
	defer func() {
		a.release()
		a.leave()
	}()
	ctx, a.cancel = context.WithCancelCause(ctx)
	defer a.cancel(nil)
	a.ctx, a.hop = ctx, clock.Start(a.client.limits.hop, func() { a.cancel(errHop) })
	defer a.hop.Stop()
	err := a.perform(ctx)
	a.conclude(ctx, err)
	a.Timings.Total = time.Since(a.At) - a.held
	a.Timings.Wait += a.held
	return a
}

// perform connects, sends the request and reads the answer. The connection serves
// this one exchange.
func (a *attempt) perform(ctx context.Context) error {
	conn, err := a.connect(ctx)
	if err != nil {
		return err
	}
	// The socket is closed first and without a farewell: closing a body reads on to
	// its end, and closing TLS writes, for as long as the server likes.
	socket := conn.NetConn()
	closeSocket := func() { _ = socket.Close() }
	// Not every read looks at the context, but all of them end with the socket.
	stop := context.AfterFunc(ctx, closeSocket)
	defer stop()
	resp, end, err := a.send(ctx, conn)
	defer end()
	defer closeSocket()
	if err != nil {
		return err
	}
	err = a.judge(resp)
	closeSocket()
	_ = resp.Body.Close()
	return err
}

// conclude records how the exchange ended. An error after the context ended is
// its consequence.
func (a *attempt) conclude(ctx context.Context, err error) {
	if err == nil || a.withdrawn {
		return
	}
	f := ended(ctx)
	if f == nil && !errors.As(err, &f) {
		f = guardFailure(err)
	}
	a.Outcome, a.Detail, a.body = f.outcome, f.Error(), nil
}
