package fetch

import (
	"container/list"
	"context"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"
)

// maxIdle is the number of sites that are remembered after their last exchange.
// Forgetting one early only means that it may be asked a few times more.
const maxIdle = 10_000

// polite limits what one host and one site are asked at the same time, and how
// often exchanges with a site and with an address begin. Those who wait are served in
// their order, each client with one request for a site at a time.
type polite struct {
	limits *limits

	mu    sync.Mutex
	hosts map[string]*place
	// sites are also the blocks of addresses whose starts are limited.
	sites map[string]*place
	// addrs have seats when they are limited, and queues have one for each client and site.
	addrs  map[netip.Addr]*place
	queues map[inQueue]*place
	// idle are sites without requests under way or waiting, the one idle longest first.
	// They are kept until their allowance is full again.
	idle *list.List
}

// inQueue is a client that waits for a site.
type inQueue struct{ site, client string }

// A place is a host, a site, a block of addresses or an address.
type place struct {
	name string
	// seats is nil for a block of addresses.
	seats *semaphore.Weighted
	// starts is nil for anything but a site or a block of addresses.
	starts *rate.Limiter
	// users are inside or waiting.
	users int
	// since is when it became idle, and waiting its entry in the list.
	since   time.Time
	waiting *list.Element
}

func newPolite(l *limits) *polite {
	return &polite{limits: l, hosts: map[string]*place{}, sites: map[string]*place{}, addrs: map[netip.Addr]*place{}, queues: map[inQueue]*place{}, idle: list.New()}
}

// enter waits for a turn with a host. The returned function ends it.
func (p *polite) enter(ctx context.Context, host string) (func(), error) {
	if client, _ := ctx.Value(clientKey{}).(string); client != "" {
		site, _ := siteOf(host)
		leave, err := hold(ctx, p, p.queues, inQueue{site, client}, 1)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	return p.sit(ctx, host, (*place).enter)
}

// comeBack is enter for an exchange that has begun and gave its seats away for a
// while: how often exchanges begin is not its concern.
func (p *polite) comeBack(ctx context.Context, host string) (func(), error) {
	return p.sit(ctx, host, (*place).sit)
}

// sit takes a seat at a host, and one at its site in the way that is asked for.
// The seat at the host is taken first: those who wait for a slow host then do not
// fill the seats of its site.
func (p *polite) sit(ctx context.Context, host string, atSite func(*place, context.Context) error) (func(), error) {
	site, _ := siteOf(host)
	h, s := p.join(host, site)
	leave := func() { p.leave(h, s) }
	err := h.sit(ctx)
	if err != nil {
		leave()
		return nil, errNoTurn
	}
	err = atSite(s, ctx)
	if err != nil {
		h.seats.Release(1)
		leave()
		return nil, errNoTurn
	}
	return func() {
		s.seats.Release(1)
		h.seats.Release(1)
		leave()
	}, nil
}

// enterAt takes a seat at an address, and waits until another exchange with it may begin. The returned
// function gives the seat back.
func (p *polite) enterAt(ctx context.Context, addr netip.Addr) (func(), error) {
	leave, err := p.sitAt(ctx, addr)
	if err != nil || p.limits.addressInterval <= 0 {
		return leave, err
	}
	bits := min(addr.BitLen(), 64) // who has an address of IPv6 has a network of them
	block := netip.PrefixFrom(addr, bits).Masked().String()
	p.mu.Lock()
	at := p.visit(block, func() *place {
		return &place{starts: rate.NewLimiter(rate.Every(p.limits.addressInterval), p.limits.addressBurst)}
	})
	p.mu.Unlock()
	err = at.starts.Wait(ctx)
	p.mu.Lock()
	p.depart(at)
	p.mu.Unlock()
	if err != nil {
		leave()
		return nil, errNoTurn
	}
	return leave, nil
}

// sitAt takes a seat at an address. The returned function gives it back.
func (p *polite) sitAt(ctx context.Context, addr netip.Addr) (func(), error) {
	if p.limits.perAddress <= 0 {
		return func() {}, nil
	}
	return hold(ctx, p, p.addrs, addr, p.limits.perAddress)
}

// hold takes one of some seats. The returned function gives it back.
func hold[K comparable](ctx context.Context, p *polite, places map[K]*place, key K, seats int) (func(), error) {
	p.mu.Lock()
	at := places[key]
	if at == nil {
		at = &place{seats: semaphore.NewWeighted(int64(seats))}
		places[key] = at
	}
	at.users++
	p.mu.Unlock()
	leave := func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		at.users--
		if at.users == 0 {
			delete(places, key)
		}
	}
	err := at.sit(ctx)
	if err != nil {
		leave()
		return nil, errNoTurn
	}
	return func() {
		at.seats.Release(1)
		leave()
	}, nil
}

// sit takes a seat.
func (s *place) sit(ctx context.Context) error { return s.seats.Acquire(ctx, 1) }

// enter takes a seat at a site and waits until another exchange may begin.
func (s *place) enter(ctx context.Context) error {
	err := s.sit(ctx)
	if err != nil {
		return err
	}
	err = s.starts.Wait(ctx)
	if err != nil {
		s.seats.Release(1)
	}
	return err
}

// join counts one more user of a host and its site.
func (p *polite) join(host, site string) (*place, *place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forget(time.Now())
	h := p.hosts[host]
	if h == nil {
		h = &place{name: host, seats: semaphore.NewWeighted(int64(p.limits.perHost))}
		p.hosts[host] = h
	}
	h.users++
	return h, p.visit(site, func() *place {
		return &place{
			seats:  semaphore.NewWeighted(int64(p.limits.perSite)),
			starts: rate.NewLimiter(rate.Every(p.limits.interval), p.limits.burst),
		}
	})
}

// visit counts one more user of a site or a block of addresses. The lock is held.
func (p *polite) visit(name string, makeNew func() *place) *place {
	s := p.sites[name]
	if s == nil {
		s = makeNew()
		s.name = name
		p.sites[name] = s
	}
	if s.waiting != nil {
		p.idle.Remove(s.waiting)
		s.waiting = nil
	}
	s.users++
	return s
}

// leave counts one user less.
func (p *polite) leave(h, s *place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h.users--
	if h.users == 0 {
		delete(p.hosts, h.name)
	}
	p.depart(s)
}

// depart counts one user of a site or a block of addresses less. The lock is held.
func (p *polite) depart(s *place) {
	s.users--
	if s.users == 0 {
		s.since = time.Now()
		s.waiting = p.idle.PushBack(s)
	}
}

// forget drops the sites that have been idle long enough to have their full
// allowance again: a new entry is just like the old one.
func (p *polite) forget(now time.Time) {
	full := max(time.Duration(p.limits.burst)*p.limits.interval, time.Duration(p.limits.addressBurst)*p.limits.addressInterval)
	for e := p.idle.Front(); e != nil; e = p.idle.Front() {
		s := e.Value.(*place)
		if p.idle.Len() <= maxIdle && now.Sub(s.since) < full {
			return
		}
		p.idle.Remove(e)
		delete(p.sites, s.name)
	}
}
