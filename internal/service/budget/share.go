package budget

import (
	"context"
	"sync"
)

// A Share is a part of a budget that several clients hold. It is counted once for the
// budget, and once for each client.
type Share struct {
	budget *Budget
	// n and by belong to the lock of the budget; by has how often a client holds it.
	n  int64
	by map[string]int
}

// Take waits for a share of n units, which the client holds once.
func (b *Budget) Take(ctx context.Context, name string, n int64) (*Share, error) {
	err := b.Acquire(ctx, name, n)
	if err != nil {
		return nil, err
	}
	return &Share{budget: b, n: min(n, b.size), by: map[string]int{name: 1}}, nil
}

// TryTake returns a share of n units, or nil when there are not as many.
func (b *Budget) TryTake(name string, n int64) *Share {
	if !b.Try(name, n) {
		return nil
	}
	return &Share{budget: b, n: n, by: map[string]int{name: 1}}
}

// Join lets one more hold the share, and reports false when that is more than the client
// may have. A share that everybody has left counts again.
func (s *Share) Join(name string) bool {
	b := s.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if s.by[name] == 0 {
		c := b.client(name)
		if !b.permits(c, s.n) {
			return false
		}
		c.used += s.n
	}
	if len(s.by) == 0 {
		b.used += s.n
	}
	s.by[name]++
	return true
}

// Leave is the end of a Join, or of the hold that came with Take. The last one gives the
// units back.
func (s *Share) Leave(name string) {
	b := s.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	s.by[name]--
	if s.by[name] > 0 {
		return
	}
	delete(s.by, name)
	c := b.client(name)
	c.used -= s.n
	b.forget(c)
	if len(s.by) == 0 {
		b.used -= s.n
	}
	b.dispatch()
}

// Resize changes the number of units, without waiting: it is for what has turned out to be
// larger or smaller than it seemed.
func (s *Share) Resize(n int64) {
	s.budget.mu.Lock()
	defer s.budget.mu.Unlock()
	s.grow(n - s.n)
}

// Grow adds units in the same way.
func (s *Share) Grow(n int64) {
	s.budget.mu.Lock()
	defer s.budget.mu.Unlock()
	s.grow(n)
}

// grow adds units. The lock is held.
func (s *Share) grow(n int64) {
	for name := range s.by {
		s.budget.client(name).used += n
	}
	if len(s.by) > 0 {
		s.budget.used += n
	}
	s.n += n
	s.budget.dispatch()
}

// A Holding are the shares that a request holds until its answer is written.
type Holding struct {
	client string

	mu     sync.Mutex
	ended  bool
	shares []*Share
}

type holdingKey struct{}

// With returns a context whose shares are held until its Holding ends.
func With(ctx context.Context, client string) (context.Context, *Holding) {
	h := &holdingContext{ctx, Holding{client: client}}
	return h, &h.holding
}

// A holdingContext is a context with its Holding.
type holdingContext struct {
	context.Context
	holding Holding
}

// Value implements context.Context.
func (c *holdingContext) Value(key any) any {
	if key == (holdingKey{}) {
		return &c.holding
	}
	return c.Context.Value(key)
}

// Hold has the request of a context hold a share. It reports false when its client may not
// have so much. What belongs to no request, or to one that is over, holds nothing.
func Hold(ctx context.Context, s *Share) bool {
	h, ok := ctx.Value(holdingKey{}).(*Holding)
	if !ok || s == nil {
		return true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		return true
	}
	if !s.Join(h.client) {
		return false
	}
	h.shares = append(h.shares, s)
	return true
}

// ClientOf returns the client of the request that a context belongs to; empty for none.
func ClientOf(ctx context.Context) string {
	h, ok := ctx.Value(holdingKey{}).(*Holding)
	if !ok {
		return ""
	}
	return h.client
}

// Empty reports whether nothing is held.
func (h *Holding) Empty() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.shares) == 0
}

// End lets go of everything.
func (h *Holding) End() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	for _, s := range h.shares {
		s.Leave(h.client)
	}
	h.shares = nil
}
