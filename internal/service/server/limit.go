package server

import (
	"sync"
	"time"
)

// rememberedClients is the number of clients that the limiter remembers. Whoever was
// not seen for longest is forgotten first; a client that is forgotten starts afresh.
const rememberedClients = 100_000

// limiter counts requests of clients by class. Every client has a bucket that fills
// evenly; of a bucket only the time at which it will be full is kept.
type limiter struct {
	max int

	mu     sync.Mutex
	known  map[limitKey]*bucket
	newest bucket // the ring of buckets begins here
}

type limitKey struct {
	class  Class
	client string
}

type bucket struct {
	key        limitKey
	full       time.Time
	prev, next *bucket
}

// allowance is what the limiter says about a request.
type allowance struct {
	ok        bool
	rate      Rate
	remaining int
	// reset is the time until everything is allowed again, retry until one request is.
	reset, retry time.Duration
}

func newLimiter(maxClients int) *limiter {
	l := &limiter{max: maxClients, known: map[limitKey]*bucket{}}
	l.newest.prev, l.newest.next = &l.newest, &l.newest
	return l
}

// take asks for n units of a client's rate; with n 0 it looks whether one is left.
func (l *limiter) take(key limitKey, r Rate, now time.Time, n int) allowance {
	each := r.each()
	if each <= 0 {
		return allowance{ok: true}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.bucket(key)
	if b.full.Before(now) {
		b.full = now
	}
	after := b.full.Add(each * time.Duration(n))
	over := b.full.Add(each*time.Duration(max(n, 1))).Sub(now) - each*time.Duration(r.N)
	if over > 0 {
		return allowance{rate: r, reset: b.full.Sub(now), retry: over}
	}
	b.full = after
	left := each*time.Duration(r.N) - after.Sub(now)
	return allowance{ok: true, rate: r, remaining: int(left / each), reset: after.Sub(now)}
}

// each is the time that one request takes to be made up for; zero when nothing is
// limited.
func (r Rate) each() time.Duration {
	if r.N <= 0 {
		return 0
	}
	return r.Per / time.Duration(r.N)
}

// bucket returns the bucket of a client and makes it the newest.
func (l *limiter) bucket(key limitKey) *bucket {
	b, ok := l.known[key]
	if !ok {
		if len(l.known) >= l.max {
			oldest := l.newest.prev
			oldest.unlink()
			delete(l.known, oldest.key)
		}
		b = &bucket{key: key}
		l.known[key] = b
	} else {
		b.unlink()
	}
	b.prev, b.next = &l.newest, l.newest.next
	b.next.prev, l.newest.next = b, b
	return b
}

func (b *bucket) unlink() {
	b.prev.next, b.next.prev = b.next, b.prev
}
