// Package budget bounds what callers use together, counted in slots or in bytes, and
// what one of them uses of it.
//
// Users of a Budget acquire a part of it. There is a queue: callers take turns, however
// many requests each of them has, and who has used up its share waits for itself alone. A
// Share is a part that several hold, such as a document that is sent to many: it is
// counted once, until the last one has let go of it. A Holding has what one request uses
// until its answer is written: its shares, and what it has reserved for its own work.
//
// A request waits for memory only while it holds none. One that turns out to need more than
// it has reserved gets it at once or lets go of everything, and begins again when there is
// as much as it needs; see Work.
package budget

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// ErrFull means that there is neither room nor space in the queue.
var ErrFull = errors.New("there is no room")

// A Budget is a number of units. It is safe for concurrent use.
type Budget struct {
	size, share int64
	queue       int

	mu      sync.Mutex
	used    int64
	waiting int
	clients map[string]*client
	// turns are the clients that wait, in the order of their turns.
	turns []*client
}

// A client has units or waits for some.
type client struct {
	name  string
	used  int64
	queue []*waiter
}

type waiter struct {
	n     int64
	ready chan struct{}
	// given and gone belong to the lock of the budget.
	given, gone bool
}

// New returns a budget of size units, of which one client may have share. So many as queue
// says may wait, three quarters of them of one client.
func New(size, share int64, queue int) *Budget {
	return &Budget{size: size, share: share, queue: queue, clients: map[string]*client{}}
}

// Acquire waits for n units until the context ends. A client that has none may have more
// than its share, and no request needs more than the total. The client without a name is
// the service itself; it has no share.
func (b *Budget) Acquire(ctx context.Context, name string, n int64) error {
	n = min(n, b.size)
	b.mu.Lock()
	c := b.client(name)
	if len(b.turns) == 0 && b.fits(c, n) {
		b.add(c, n)
		b.mu.Unlock()
		return nil
	}
	w := &waiter{n: n, ready: make(chan struct{})}
	b.waiting++
	c.queue = append(c.queue, w)
	if len(c.queue) == 1 {
		b.turns = append(b.turns, c)
	}
	b.dispatch()
	if !w.given && b.overcrowded(c) {
		b.turnAway(c)
		b.mu.Unlock()
		return ErrFull
	}
	b.mu.Unlock()
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
		return b.giveUp(ctx, w)
	}
}

// overcrowded reports whether too many wait, or too many of one client. The lock is held.
func (b *Budget) overcrowded(c *client) bool {
	return b.waiting > b.queue || c.name != "" && len(c.queue) > max(b.queue*3/4, 1)
}

// turnAway takes the last one of a client out of the queue. The lock is held.
func (b *Budget) turnAway(c *client) {
	b.waiting--
	c.queue = c.queue[:len(c.queue)-1]
	if len(c.queue) == 0 {
		b.turns = slices.DeleteFunc(b.turns, func(other *client) bool { return other == c })
		b.forget(c)
	}
}

// giveUp takes a waiter out of the queue, unless it has got what it waited for.
func (b *Budget) giveUp(ctx context.Context, w *waiter) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if w.given {
		return nil
	}
	w.gone = true
	b.waiting--
	b.dispatch() // it may have been in the way of others
	return ctx.Err()
}

// Try takes n units if there are as many. It does not wait, and overtakes only those who wait
// for their own share.
func (b *Budget) Try(name string, n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.try(b.client(name), n, 0)
}

// try is Try for a request that uses some units already: they are not in its way. The lock is held.
func (b *Budget) try(c *client, n, own int64) bool {
	first := slices.ContainsFunc(b.turns, func(other *client) bool { return b.permits(other, other.queue[0].n) })
	if !first && b.used-own+n <= b.size && c.permits(b, n, own) {
		b.add(c, n)
		return true
	}
	b.forget(c)
	return false
}

// Release gives n units back.
func (b *Budget) Release(name string, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.add(b.client(name), -min(n, b.size))
	b.dispatch()
}

// Used returns the number of units in use.
func (b *Budget) Used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// Waiting returns the number of those who wait.
func (b *Budget) Waiting() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.waiting
}

// client returns the record of a client. The lock is held.
func (b *Budget) client(name string) *client {
	c := b.clients[name]
	if c == nil {
		c = &client{name: name}
		b.clients[name] = c
	}
	return c
}

// add counts units and forgets a client without any. The lock is held.
func (b *Budget) add(c *client, n int64) {
	b.used += n
	c.used += n
	b.forget(c)
}

// forget drops the record of a client that has nothing and waits for nothing.
func (b *Budget) forget(c *client) {
	if c.used == 0 && len(c.queue) == 0 {
		delete(b.clients, c.name)
	}
}

// fits reports whether there are n units for a client. The lock is held.
func (b *Budget) fits(c *client, n int64) bool { return b.used+n <= b.size && b.permits(c, n) }

// permits reports whether a client may have n units more.
func (b *Budget) permits(c *client, n int64) bool { return c.permits(b, n, 0) }

// permits is the same for a request of the client that uses some units already.
func (c *client) permits(b *Budget, n, own int64) bool {
	return c.name == "" || c.used == own || c.used-own+n <= b.share
}

// dispatch gives units to those whose turn it is. A request that needs more than is left
// is not overtaken, or many small ones would keep a large one waiting for ever; a client
// that has its share is passed over. The lock is held.
func (b *Budget) dispatch() {
	for i := 0; i < len(b.turns); {
		c := b.turns[i]
		for len(c.queue) > 0 && c.queue[0].gone {
			c.queue = c.queue[1:]
		}
		if len(c.queue) == 0 {
			b.turns = slices.Delete(b.turns, i, i+1)
			b.forget(c)
			continue
		}
		w := c.queue[0]
		if !b.permits(c, w.n) {
			i++
			continue
		}
		if b.used+w.n > b.size {
			return
		}
		b.turns = slices.Delete(b.turns, i, i+1)
		c.queue = c.queue[1:]
		if len(c.queue) > 0 {
			b.turns = append(b.turns, c)
		}
		b.waiting--
		w.given = true
		close(w.ready)
		b.add(c, w.n)
		i = 0
	}
}
