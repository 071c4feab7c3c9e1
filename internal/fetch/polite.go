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
// often exchanges with a site begin. Those who wait are served in their order.
type polite struct {
	limits *limits

	mu    sync.Mutex
	hosts map[string]*place
	sites map[string]*place
	// addrs have seats when they are limited.
	addrs map[netip.Addr]*place
	// idle are sites with nobody inside or waiting, the one idle longest first.
	// They are kept until their allowance is full again.
	idle *list.List
}

// A place is a host, a site or an address.
type place struct {
	name  string
	seats *semaphore.Weighted
	// starts is nil for anything but a site.
	starts *rate.Limiter
	// users are inside or waiting.
	users int
	// since is when it became idle, and waiting its entry in the list.
	since   time.Time
	waiting *list.Element
}

func newPolite(l *limits) *polite {
	return &polite{limits: l, hosts: map[string]*place{}, sites: map[string]*place{}, addrs: map[netip.Addr]*place{}, idle: list.New()}
}

// enter waits for a turn with a host. The returned function ends it.
func (p *polite) enter(ctx context.Context, host string) (func(), error) {
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

// sitAt takes a seat at an address. The returned function gives it back.
func (p *polite) sitAt(ctx context.Context, addr netip.Addr) (func(), error) {
	p.mu.Lock()
	at := p.addrs[addr]
	if at == nil {
		at = &place{seats: semaphore.NewWeighted(int64(p.limits.perAddress))}
		p.addrs[addr] = at
	}
	at.users++
	p.mu.Unlock()
	leave := func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		at.users--
		if at.users == 0 {
			delete(p.addrs, addr)
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
	s := p.sites[site]
	if s == nil {
		s = &place{
			name: site, seats: semaphore.NewWeighted(int64(p.limits.perSite)),
			starts: rate.NewLimiter(rate.Every(p.limits.interval), p.limits.burst),
		}
		p.sites[site] = s
	}
	if s.waiting != nil {
		p.idle.Remove(s.waiting)
		s.waiting = nil
	}
	h.users++
	s.users++
	return h, s
}

// leave counts one user less.
func (p *polite) leave(h, s *place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h.users--
	if h.users == 0 {
		delete(p.hosts, h.name)
	}
	s.users--
	if s.users == 0 {
		s.since = time.Now()
		s.waiting = p.idle.PushBack(s)
	}
}

// forget drops the sites that have been idle long enough to have their full
// allowance again: a new entry is just like the old one.
func (p *polite) forget(now time.Time) {
	full := time.Duration(p.limits.burst) * p.limits.interval
	for e := p.idle.Front(); e != nil; e = p.idle.Front() {
		s := e.Value.(*place)
		if p.idle.Len() <= maxIdle && now.Sub(s.since) < full {
			return
		}
		p.idle.Remove(e)
		delete(p.sites, s.name)
	}
}
