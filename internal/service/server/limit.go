package server

import (
	"sync"
	"time"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
)

// rememberedClients is the number of clients that the limiter remembers. The one not
// seen for longest is forgotten first; a client that is forgotten starts afresh.
const rememberedClients = 100_000

// limiter counts requests of clients by class. Every client, and every network that clients
// are counted in, has a bucket that fills evenly; of a bucket only the time at which it will be full is kept.
type limiter struct {
	max int

	mu     sync.Mutex
	known  map[limitKey]*bucket
	newest bucket // the ring of buckets begins here
}

type limitKey struct {
	class  *edge.Class
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
	rate      edge.Rate
	remaining int
	// reset is the time until everything is allowed again, retry until one request is.
	reset, retry time.Duration
}

func newLimiter(maxClients int) *limiter {
	l := &limiter{max: maxClients, known: map[limitKey]*bucket{}}
	l.newest.prev, l.newest.next = &l.newest, &l.newest
	return l
}

// take asks for n units of the rate of a client and of the networks around it, or of none
// of them; with n 0 it looks whether one is left. The answer comes from the one with the
// least left.
func (l *limiter) take(class *edge.Class, blocks []registry.Block, r edge.Rate, now time.Time, n int) allowance {
	if r.Each() <= 0 {
		return allowance{ok: true}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var tightest allowance
	for i, block := range blocks {
		a := l.bucket(limitKey{class, block.Name}).after(r.Times(block.Factor), now, n)
		if i == 0 || a.tighter(&tightest) {
			tightest = a
		}
	}
	if !tightest.ok {
		return tightest
	}
	for _, block := range blocks {
		b := l.bucket(limitKey{class, block.Name})
		b.full = b.full.Add(r.Times(block.Factor).Each() * time.Duration(n))
	}
	return tightest
}

// after returns what is left when n units are taken, which they are not yet.
func (b *bucket) after(r edge.Rate, now time.Time, n int) allowance {
	if b.full.Before(now) {
		b.full = now
	}
	each := r.Each()
	over := b.full.Add(each*time.Duration(max(n, 1))).Sub(now) - each*time.Duration(r.N)
	if over > 0 {
		return allowance{rate: r, reset: b.full.Sub(now), retry: over}
	}
	after := b.full.Add(each * time.Duration(n))
	left := each*time.Duration(r.N) - after.Sub(now)
	return allowance{ok: true, rate: r, remaining: int(left / each), reset: after.Sub(now)}
}

// tighter reports whether an allowance leaves less than another.
func (a *allowance) tighter(other *allowance) bool {
	if a.ok != other.ok {
		return !a.ok
	}
	return a.remaining < other.remaining || a.retry > other.retry
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
