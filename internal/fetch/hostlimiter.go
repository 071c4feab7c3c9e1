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

// A hostLimiter limits what one host and one site are asked at the same time, and how
// often exchanges with a site and with an address begin. Those who wait are served in
// their order, each client with one request for a site at a time.
type hostLimiter struct {
	limits *limits

	mu    sync.Mutex
	hosts map[string]*quota
	// sites are also the blocks of addresses whose starts are limited.
	sites map[string]*quota
	// addrs have slots when they are limited, and queues have one for each client and site.
	addrs  map[netip.Addr]*quota
	queues map[inQueue]*quota
	// idle are sites without requests under way or waiting, the one idle longest first.
	// They are kept until their allowance is full again.
	idle *list.List
}

// inQueue is a client that waits for a site.
type inQueue struct{ site, client string }

// A quota is what limits a host, a site, a block of addresses or an address.
type quota struct {
	name string
	// slots is nil for a block of addresses.
	slots *semaphore.Weighted
	// starts is nil for anything but a site or a block of addresses.
	starts *rate.Limiter
	// users are inside or waiting.
	users int
	// since is when it became idle, and waiting its entry in the list.
	since   time.Time
	waiting *list.Element
}

func newHostLimiter(l *limits) *hostLimiter {
	return &hostLimiter{limits: l, hosts: map[string]*quota{}, sites: map[string]*quota{}, addrs: map[netip.Addr]*quota{},
		queues: map[inQueue]*quota{}, idle: list.New()}
}

// enter waits for a turn with a host. The returned function ends it.
func (p *hostLimiter) enter(ctx context.Context, host string) (func(), error) {
	if client, _ := ctx.Value(clientKey{}).(string); client != "" {
		site, _ := siteOf(host)
		leave, err := hold(ctx, p, p.queues, inQueue{site, client}, 1)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	return p.acquire(ctx, host, (*quota).enter)
}

// reacquire is enter for an exchange that has begun and gave its slots away for a
// while: how often exchanges begin is not its concern.
func (p *hostLimiter) reacquire(ctx context.Context, host string) (func(), error) {
	return p.acquire(ctx, host, (*quota).acquire)
}

// acquire takes a slot at a host, and one at its site in the way that is asked for.
// The slot at the host is taken first: those who wait for a slow host then do not
// fill the slots of its site.
func (p *hostLimiter) acquire(ctx context.Context, host string,
	atSite func(*quota, context.Context) error) (func(), error) {
	site, _ := siteOf(host)
	h, s := p.join(host, site)
	leave := func() { p.leave(h, s) }
	err := h.acquire(ctx)
	if err != nil {
		leave()
		return nil, errNoTurn
	}
	err = atSite(s, ctx)
	if err != nil {
		h.slots.Release(1)
		leave()
		return nil, errNoTurn
	}
	return func() {
		s.slots.Release(1)
		h.slots.Release(1)
		leave()
	}, nil
}

// enterAt takes a slot at an address, and waits until another exchange with it may begin. The returned
// function gives the slot back.
func (p *hostLimiter) enterAt(ctx context.Context, addr netip.Addr) (func(), error) {
	leave, err := p.acquireAt(ctx, addr)
	if err != nil || p.limits.addressInterval <= 0 {
		return leave, err
	}
	bits := min(addr.BitLen(), 64) // who has an address of IPv6 has a network of them
	block := netip.PrefixFrom(addr, bits).Masked().String()
	p.mu.Lock()
	at := p.visit(block, func() *quota {
		return &quota{starts: rate.NewLimiter(rate.Every(p.limits.addressInterval), p.limits.addressBurst)}
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

// acquireAt takes a slot at an address. The returned function gives it back.
func (p *hostLimiter) acquireAt(ctx context.Context, addr netip.Addr) (func(), error) {
	if p.limits.perAddress <= 0 {
		return func() {}, nil
	}
	return hold(ctx, p, p.addrs, addr, p.limits.perAddress)
}

// hold takes one of some slots. The returned function gives it back.
func hold[K comparable](ctx context.Context, p *hostLimiter, quotas map[K]*quota, key K, slots int) (func(), error) {
	p.mu.Lock()
	at := quotas[key]
	if at == nil {
		at = &quota{slots: semaphore.NewWeighted(int64(slots))}
		quotas[key] = at
	}
	at.users++
	p.mu.Unlock()
	leave := func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		at.users--
		if at.users == 0 {
			delete(quotas, key)
		}
	}
	err := at.acquire(ctx)
	if err != nil {
		leave()
		return nil, errNoTurn
	}
	return func() {
		at.slots.Release(1)
		leave()
	}, nil
}

// acquire takes a slot.
func (s *quota) acquire(ctx context.Context) error { return s.slots.Acquire(ctx, 1) }

// enter takes a slot at a site and waits until another exchange may begin.
func (s *quota) enter(ctx context.Context) error {
	err := s.acquire(ctx)
	if err != nil {
		return err
	}
	err = s.starts.Wait(ctx)
	if err != nil {
		s.slots.Release(1)
	}
	return err
}

// join counts one more user of a host and its site.
func (p *hostLimiter) join(host, site string) (*quota, *quota) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forget(time.Now())
	h := p.hosts[host]
	if h == nil {
		h = &quota{name: host, slots: semaphore.NewWeighted(int64(p.limits.perHost))}
		p.hosts[host] = h
	}
	h.users++
	return h, p.visit(site, func() *quota {
		return &quota{
			slots:  semaphore.NewWeighted(int64(p.limits.perSite)),
			starts: rate.NewLimiter(rate.Every(p.limits.interval), p.limits.burst),
		}
	})
}

// visit counts one more user of a site or a block of addresses. The lock is held.
func (p *hostLimiter) visit(name string, makeNew func() *quota) *quota {
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
func (p *hostLimiter) leave(h, s *quota) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h.users--
	if h.users == 0 {
		delete(p.hosts, h.name)
	}
	p.depart(s)
}

// depart counts one user of a site or a block of addresses less. The lock is held.
func (p *hostLimiter) depart(s *quota) {
	s.users--
	if s.users == 0 {
		s.since = time.Now()
		s.waiting = p.idle.PushBack(s)
	}
}

// forget drops the sites that have been idle long enough to have their full
// allowance again: a new entry is just like the old one.
func (p *hostLimiter) forget(now time.Time) {
	full := max(time.Duration(p.limits.burst)*p.limits.interval,
		time.Duration(p.limits.addressBurst)*p.limits.addressInterval)
	for e := p.idle.Front(); e != nil; e = p.idle.Front() {
		s := e.Value.(*quota)
		if p.idle.Len() <= maxIdle && now.Sub(s.since) < full {
			return
		}
		p.idle.Remove(e)
		delete(p.sites, s.name)
	}
}
