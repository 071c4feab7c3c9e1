package server

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
)

// server is a service that runs.
type server struct {
	config  Config
	now     func() time.Time
	proxies proxies
	limits  *limiter
	// web has the slots of requests that may wait for others, own those of the rest, and
	// memory the bytes of what is large.
	web, own, memory *gate
	origin           *http.CrossOriginProtection
	health           health
	draining         atomic.Bool
	// active is the number of requests under way.
	active atomic.Int64
	// warned is set once the operator was told about a proxy that is not trusted.
	warned atomic.Bool
}

func newServer(c Config) (*server, error) {
	c.withDefaults()
	s := &server{
		config: c, now: c.Now, proxies: c.TrustedProxies, limits: newLimiter(rememberedClients),
		web:    newGate("web", c.MaxRequests, c.MaxConns),
		own:    newGate("own", c.MaxRequests, c.MaxConns),
		memory: &gate{"memory", c.Memory},
		origin: http.NewCrossOriginProtection(),
	}
	if c.BaseURL != "" {
		base, err := url.Parse(c.BaseURL)
		if err != nil {
			return nil, errors.New("the base URL cannot be read")
		}
		err = s.origin.AddTrustedOrigin(base.Scheme + "://" + base.Host)
		if err != nil {
			return nil, errors.New("the base URL has no origin")
		}
	}
	c.Metrics.watchGates(s.web, s.own, s.memory)
	return s, nil
}

// ServeHTTP takes a request in, has it answered, and puts it on record.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.active.Add(1)
	defer s.active.Add(-1)
	peer := peerOf(r)
	x := &exchange{
		ResponseWriter: w, server: s, request: r, began: time.Now(), id: requestID(r, s.proxies.trusts(peer)),
		client: nameOf(s.proxies.clientOf(r, peer)), secure: s.proxies.secure(r, peer), route: s.config.Route(r),
	}
	s.noteProxy(r, x)
	ctx := registry.WithCall(r.Context(), registry.Call{RequestID: x.id, Client: x.client, Secure: x.secure})
	defer s.record(ctx, x, r)
	defer func() {
		p := recover()
		if p != nil {
			s.recovered(ctx, x, p)
		}
	}()
	protect(x)
	if s.draining.Load() || len(r.TransferEncoding) > 0 {
		// Package http does not tell whether a body in chunks had a Content-Length besides.
		// Such a request may be meant to be misread by a proxy on the way, and must be the
		// last one of its connection.
		x.Header().Set("Connection", "close")
	}
	s.serve(ctx, x, r)
}

// noteProxy tells the operator, once, about a proxy that was not named: behind it all
// clients look like one.
func (s *server) noteProxy(r *http.Request, x *exchange) {
	if r.Header.Get("X-Forwarded-For") == "" || s.warned.Load() {
		return
	}
	peer := peerOf(r)
	near := peer.IsLoopback() || peer.IsPrivate()
	if near && !s.proxies.trusts(peer) && s.warned.CompareAndSwap(false, true) {
		s.config.Log.WarnContext(r.Context(),
			"X-Forwarded-For is ignored, because its sender is not one of the trusted proxies", "client", x.client)
	}
}

// serve answers the request, or refuses it at the first check it fails. Cheap checks
// come first. The handler gets it with the context of the request.
func (s *server) serve(ctx context.Context, x *exchange, r *http.Request) {
	if s.healthCheck(ctx, x, r) {
		return
	}
	if isPreflight(r) {
		s.preflight(x, r)
		return
	}
	share(x, r)
	if !x.route.Open && s.origin.Check(r) != nil {
		s.refuse(x, edge.CrossOrigin)
		return
	}
	refused := s.bodyTooLarge(x, r)
	if refused == nil {
		refused = s.identify(ctx, x, r)
	}
	if refused == nil {
		refused = s.charge(x)
	}
	if refused != nil {
		if !s.mayShowKnown(x, refused) {
			s.refuse(x, refused)
			return
		}
		x.instead, r.Body = refused, http.NoBody
	}
	s.admit(ctx, x, r)
}

// bodyTooLarge refuses what announces to be too large, and limits how much is read from
// others.
func (s *server) bodyTooLarge(x *exchange, r *http.Request) *registry.Error {
	most := max(x.route.MaxBody, smallBody)
	if r.ContentLength > most {
		x.Header().Set("Connection", "close")
		return edge.BodyTooLarge
	}
	if r.Body != nil && r.Body != http.NoBody {
		// The handler's own limit is the same or lower and has the better words; one
		// byte more lets it notice.
		r.Body = http.MaxBytesReader(x.ResponseWriter, r.Body, most+1)
	}
	return nil
}

// ignoredKey is the header that tells a client that its key is not known here and was not needed.
const ignoredKey = "X-Key-Ignored"

// identify finds out whose request it is. Where no key is needed, one that is not known is ignored:
// clients of other registries send theirs with every request. The store is not asked about each of
// them. Where a key is needed, a client that tries many is stopped before they are looked up,
// unless the secret is a key: others may share the address.
func (s *server) identify(ctx context.Context, x *exchange, r *http.Request) *registry.Error {
	scheme, secret, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") || s.config.Authenticate == nil {
		return nil
	}
	secret = strings.TrimSpace(secret)
	if !x.route.NeedsKey {
		x.key = s.knownKey(ctx, secret)
		if x.key == nil {
			x.Header().Set(ignoredKey, "the key is not known here, and this route needs none")
		}
		return nil
	}
	guesses, rate := registry.BlocksOf(x.client), s.config.Rates[edge.Denied]
	a := s.limits.take(edge.Denied, guesses, rate, s.now(), 0)
	if !a.ok {
		x.key = s.knownKey(ctx, secret)
		if x.key == nil {
			return edge.OverRate(edge.Denied, a.retry)
		}
		return nil
	}
	key, err := s.config.Authenticate(ctx, secret)
	if err != nil {
		// A failed lookup of keys does not count as a guess.
		var refused *registry.Error
		if errors.As(err, &refused) && refused.Kind == registry.Unauthorized {
			s.limits.take(edge.Denied, guesses, rate, s.now(), 1)
		}
		return nil
	}
	x.key = key
	return nil
}

// knownKey returns the key of a secret from a client that has presented too many.
func (s *server) knownKey(ctx context.Context, secret string) *registry.Key {
	if s.config.KnownKey == nil {
		return nil
	}
	return s.config.KnownKey(ctx, secret)
}

// charge counts the request and refuses it beyond the rate of its class.
func (s *server) charge(x *exchange) *registry.Error {
	a, refused := s.take(x, x.route.Class)
	showAllowance(x.Header(), &a)
	return refused
}

// take counts work of a class for a request's client.
func (s *server) take(x *exchange, c *edge.Class) (allowance, *registry.Error) {
	rate := s.config.Rates[c]
	if x.key != nil && !c.Fixed {
		rate = rate.Times(s.config.KeyFactor)
	}
	a := s.limits.take(c, x.payers(), rate, s.now(), 1)
	if !a.ok {
		return a, edge.OverRate(c, a.retry)
	}
	return a, nil
}

// admit reads the body, waits for its turn and lets the handler answer. The slot is free again
// when the answer is made, and memory when it is written. A request that needs more memory than it
// could have at once begins again, without anything, when there is as much as it needs.
func (s *server) admit(ctx context.Context, x *exchange, r *http.Request) {
	defer func() {
		if x.weight > 0 {
			s.memory.Release(x.payer(), x.weight)
		}
	}()
	if !s.takeBody(ctx, x, r) {
		return
	}
	if x.key != nil {
		ctx = s.config.WithCaller(ctx, registry.Caller{Key: x.key, Client: x.client})
	}
	header, patience := x.Header().Clone(), s.config.lab.patience
	if x.route.Class == edge.Write {
		patience = 0 // it may have changed something
	}
	paid := 0 // by what was begun before
	err := s.memory.Work(ctx, x.payer(), x.weight, patience, func(ctx context.Context, h *budget.Holding) bool {
		x.begin(header, h)
		asked := 0
		ctx = edge.WithCharge(ctx, func(c *edge.Class) *registry.Error {
			asked++
			if asked <= paid {
				return nil // it was charged for before
			}
			_, refused := s.take(x, c)
			return refused
		})
		done := s.handle(ctx, x, r)
		paid = max(paid, asked)
		return done
	})
	if err != nil {
		x.begin(header, nil)
		if x.instead != nil {
			s.refuse(x, x.instead)
			return
		}
		s.busy(s.memory, x)
	}
}

// handle has the handler answer, and reports false if it needs more memory than it could have.
func (s *server) handle(ctx context.Context, x *exchange, r *http.Request) bool {
	g := s.own
	if x.route.Class.Web && x.instead == nil {
		g = s.web
	}
	if x.instead != nil {
		if !g.Try(x.payer(), 1) {
			s.refuse(x, x.instead) // which has the real time to wait
			return true
		}
	} else if !s.enter(ctx, g, x, 1) {
		if g != s.web || !s.mayShowKnown(x, edge.Busy) || !s.own.Try(x.payer(), 1) {
			s.busy(g, x)
			return true
		}
		s.countBusy(g, x)
		x.instead, g = edge.Busy, s.own
	}
	x.gate = g
	defer x.leaveGate()
	if body, ok := r.Body.(*wholeBody); ok {
		defer body.rewind()
	}
	if x.instead != nil {
		s.page(x, r.WithContext(ctx), x.instead, true)
	} else {
		s.config.Handler.ServeHTTP(x, r.WithContext(ctx))
	}
	return x.status != 0 || !x.holding.Short()
}

// recovered turns a panic of a handler into an answer and a line in the log.
func (s *server) recovered(ctx context.Context, x *exchange, p any) {
	err, ok := p.(error)
	if ok && errors.Is(err, http.ErrAbortHandler) {
		x.refused = "aborted"
		panic(p)
	}
	s.config.Metrics.panics.Add(1)
	s.config.Log.ErrorContext(ctx, "panic", "problem", p, "route", x.route.Pattern)
	for _, line := range stackLines(debug.Stack()) {
		s.config.Log.ErrorContext(ctx, "panic stack", "at", line)
	}
	if x.status != 0 {
		// Part of an answer is out; the client must see that it is not whole.
		x.refused = "aborted"
		panic(http.ErrAbortHandler)
	}
	x.holding, x.dropped = nil, false // the answer needs no more than there is
	s.refuse(x, edge.Internal)
}

// stackLines returns the lines of a stack that name places in the code.
func stackLines(stack []byte) []string {
	const most = 30
	var lines []string
	for line := range strings.Lines(string(stack)) {
		if strings.HasPrefix(line, "\t") && len(lines) < most {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// record writes a request into the log and the metrics.
func (s *server) record(ctx context.Context, x *exchange, r *http.Request) {
	took := time.Since(x.began)
	if x.status == 0 {
		x.status = http.StatusOK
	}
	s.config.Metrics.request(x, r.Method, took)
	level := levelOf(x)
	if !s.config.Log.Enabled(ctx, level) {
		return
	}
	key := ""
	if x.key != nil {
		key = x.key.ID
	}
	s.config.Log.LogAttrs(context.WithoutCancel(ctx), level, "request", lineOf(x, r, key, took)...)
}

// isHealth reports whether a path is one of the health checks.
func isHealth(path string) bool { return slices.Contains([]string{"/healthz", "/readyz"}, path) }
