package fetch

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/std/clock"
)

// A Getter makes requests. Get never returns nil, and is safe for concurrent use; what it returns
// is not changed afterwards. *Client is one.
type Getter interface {
	Get(ctx context.Context, r Request) *Result
}

// A Client makes guarded requests. It is safe for concurrent use, and one is
// enough for a process: politeness and sharing work within one Client. It needs no
// closing, as nothing goes on between calls.
type Client struct {
	limits  limits
	guard   *netguard.Guard
	tls     handshakes
	http2   *http.Transport
	hosts   *hostLimiter
	sharing flight.Group[question, *Result]
	agent   string
	observe func(*Exchange)
}

// New returns a Client.
func New(config Config) *Client { return newClient(&config, defaultLimits(&config)) }

// newClient is New with limits of the caller's choice.
func newClient(config *Config, l limits) *Client {
	guard := netguard.New(config.Network, config.Deny, config.OptOut...)
	c := &Client{
		limits: l, guard: guard, tls: newHandshakes(guard.Roots()), http2: newHTTP2(),
		agent: userAgent(config.Contact), observe: config.Observe,
	}
	c.hosts = newHostLimiter(&c.limits)
	if c.observe == nil {
		c.observe = func(*Exchange) {}
	}
	return c
}

// UserAgent returns the User-Agent that is sent with every request.
func (c *Client) UserAgent() string { return c.agent }

// userAgent names the program and whom to ask about it: the home of the project, unless
// the operator set a contact that fits into the header.
func userAgent(contact string) string {
	odd := func(r rune) bool { return r <= ' ' || r > '~' || r == '(' || r == ')' || r == '\\' }
	if contact == "" || strings.ContainsFunc(contact, odd) {
		contact = buildinfo.Home()
	}
	return "avow/" + buildinfo.Get().Version + " (+" + contact + ")"
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

// A question is what makes two requests the same.
type question struct {
	url                          string
	redirects                    Redirects
	maxBytes                     int64
	accept                       string
	ifNoneMatch, ifModifiedSince string
	noCache, once                bool
}

// question returns what the request shares with others.
func (r *Request) question(t *target) question {
	return question{
		url: t.String(), redirects: r.Redirects, maxBytes: r.MaxBytes, accept: strings.Join(r.MediaTypes, ", "),
		ifNoneMatch: r.IfNoneMatch, ifModifiedSince: r.IfModifiedSince, noCache: r.NoCache, once: r.Once,
	}
}

// method returns the method of the request.
func (r *Request) method() string {
	if r.Post != nil {
		return http.MethodPost
	}
	return http.MethodGet
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

// bound returns a context with the end of the budget as its deadline, for what looks
// ahead and does not begin what cannot be done in time.
func (r *run) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithDeadlineCause(ctx, r.budget.Until(), errBudget)
}

// add puts an exchange that has ended on record. One that was not made is not observed.
func (r *run) add(a *attempt) {
	r.exchanges = append(r.exchanges, a.Exchange)
	if a.begun {
		r.client.observe(&a.Exchange)
	}
}
