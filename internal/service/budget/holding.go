package budget

import (
	"context"
	"sync"
	"time"
)

// A Holding is what a request uses until its answer is written.
type Holding struct {
	client string
	// work is where memory for the request's own work comes from, of which it has own already, such
	// as for its body; nil means that it is not counted.
	work *Budget
	own  int64

	// whole is the request that this is a part of, nil for one that is whole, and all has the shares of
	// the request with all its parts: they are not in each other's way.
	whole *Holding
	all   *held

	mu     sync.Mutex
	ended  bool
	shares []*Share
	// needs are what the request works with and the units for it, total their sum, and reserved
	// what it has of them.
	needs           map[any]int64
	total, reserved int64
	// short is set when it needs more than it could have at once.
	short bool
	// shared is how much of the answer is counted elsewhere, and light is set by Lighten.
	shared int64
	light  bool
}

// held counts how often shares are held.
type held struct {
	mu sync.Mutex
	by map[*Share]int
}

func (a *held) add(s *Share, n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.by == nil {
		a.by = map[*Share]int{}
	}
	a.by[s] += n
	if a.by[s] == 0 {
		delete(a.by, s)
	}
}

// sum is how much they are together.
func (a *held) sum() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := int64(0)
	for s := range a.by {
		n += s.size()
	}
	return n
}

type holdingKey struct{}

// With returns a context whose shares are held until its Holding ends. Nothing is reserved for
// the work.
func With(ctx context.Context, client string) (context.Context, *Holding) {
	return hold(ctx, nil, client)
}

// Part returns a context for one of many parts of a request's work, such as a line of a batch. What the part
// holds is let go when its Holding ends; otherwise a request about many files would hold all of them.
func Part(ctx context.Context) (context.Context, *Holding) {
	inner, h := hold(ctx, nil, ClientOf(ctx))
	h.whole = holdingOf(ctx)
	if h.whole != nil {
		h.all = h.whole.all
	}
	return inner, h
}

func hold(ctx context.Context, work *Budget, client string) (context.Context, *Holding) {
	h := &holdingContext{ctx, Holding{client: client, work: work, all: new(held)}}
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

// holdingOf returns the Holding of a context; nil when it belongs to no request.
func holdingOf(ctx context.Context) *Holding {
	h, _ := ctx.Value(holdingKey{}).(*Holding)
	return h
}

// Work calls f for a request of a client that has own units of the budget already, with a context
// that can Need more. Work that turns out to need more than it could have at once begins again when
// there is as much as it needs: f ends what it has begun and reports false, and lets go of
// everything. It waits for as long as its patience lasts in all, and not at all while it has own
// units; the error is ErrFull. Without patience it is not begun again.
func (b *Budget) Work(ctx context.Context, client string, own int64, patience time.Duration,
	f func(context.Context, *Holding) bool) error {
	left := patience
	for n := int64(0); ; {
		inner, h := hold(ctx, b, client)
		h.own, h.reserved = own, n
		done := func() bool {
			defer h.End()
			return f(inner, h)
		}()
		more := min(h.total, b.size-own)
		switch {
		case done:
			return nil
		case left <= 0 || more <= n:
			return ErrFull
		}
		began := time.Now()
		waiting, cancel := context.WithTimeout(ctx, left)
		ready := b.await(waiting, client, own, more)
		cancel()
		if !ready {
			return ErrFull
		}
		left -= time.Since(began)
		n = more
	}
}

// await waits for units, unless some are held already, and reports whether there are.
func (b *Budget) await(ctx context.Context, client string, own, n int64) bool {
	if own > 0 {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.used+n <= b.size && b.try(b.client(client), n, own)
	}
	return b.Acquire(ctx, client, n) == nil
}

// Need reserves n units for what a request does with something, in all: asking again for the same
// costs nothing. It does not wait. The error is ErrFull when there are not as many; the request
// then has to end, and Short reports it. A request that has to end, or is over, gets no more.
func Need(ctx context.Context, what any, n int64) error {
	h := holdingOf(ctx)
	if h == nil || h.work == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		return ErrFull
	}
	if h.needs == nil {
		h.needs = map[any]int64{}
	}
	more := max(n-h.needs[what], 0)
	h.total += more
	h.needs[what] += more
	if h.short { // also for what it has asked for before, and did not get
		return ErrFull
	}
	return h.reach(h.total)
}

// reach has so much reserved, or says that there is too little. Who has everything has enough. The
// lock of the Holding is held.
func (h *Holding) reach(n int64) error {
	n = min(n, h.work.size-h.own)
	if n > h.reserved {
		if !h.grow(n - h.reserved) {
			h.short = true
			return ErrFull
		}
		h.reserved = n
	}
	return nil
}

func (h *Holding) grow(n int64) bool {
	b := h.work
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used+n <= b.size && b.try(b.client(h.client), n, h.reserved+h.own)
}

// Spare takes n units for something that the request can do without, and reports whether there
// were as many.
func Spare(ctx context.Context, n int64) bool {
	h := holdingOf(ctx)
	if h == nil || h.work == nil {
		return true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended || !h.grow(n) {
		return false
	}
	h.reserved += n
	h.total += n
	return true
}

// Short reports whether the request needs more than it could have.
func (h *Holding) Short() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.short
}

// Lighten says that the work of a request takes next to nothing, because its result is shared:
// Use then reserves nothing.
func Lighten(ctx context.Context) {
	h := holdingOf(ctx)
	if h != nil {
		h.light = true
	}
}

// useFactor is how many times the size of a document it takes to make an answer about it.
const useFactor = 2

// Use is Need for a document of a size that an answer is made of.
func Use(ctx context.Context, what any, size int) error {
	h := holdingOf(ctx)
	if h == nil || h.light {
		return nil
	}
	return Need(ctx, what, useFactor*int64(size))
}

// Shared says that n bytes of the answer are shared with others, and counted where they are kept.
func Shared(ctx context.Context, n int) {
	h := holdingOf(ctx)
	if h != nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.shared += int64(n)
	}
}

// Unshared says that the answer is the request's alone after all.
func Unshared(ctx context.Context) {
	h := holdingOf(ctx)
	if h != nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.shared = 0
	}
}

// Answer says that the work is done, and that it led to an answer of n bytes: what was reserved is
// given back but for the part of the answer that is the request's alone. What it has for its body
// counts, since that is no longer needed.
func (h *Holding) Answer(n int64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.short {
		return ErrFull
	}
	left := max(n-h.shared-h.own, 0)
	if left < h.reserved {
		h.work.Release(h.client, h.reserved-left)
		h.reserved = left
	}
	h.total = max(h.total, left)
	return h.reach(left)
}

// Hold has the request of a context hold a share. It reports false when its client may not
// have so much, for what its other requests hold. What belongs to no request, or to one that
// is over, holds nothing.
func Hold(ctx context.Context, s *Share) bool {
	h := holdingOf(ctx)
	if h == nil || s == nil {
		return true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		return true
	}
	if !s.join(h.client, h.all.sum()) {
		return false
	}
	h.shares = append(h.shares, s)
	h.all.add(s, 1)
	return true
}

// holds reports whether there are shares.
func (h *Holding) holds() bool {
	if h == nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.shares) > 0
}

// TakeFor returns a share for the request of a context. One that holds nothing of the budget waits
// for it; one that holds something does not, or it could wait for itself, and what it holds is not
// in its way. A part waits for other parts of the same request.
func (b *Budget) TakeFor(ctx context.Context, n int64) (*Share, error) {
	h := holdingOf(ctx)
	name := ClientOf(ctx)
	if h == nil {
		return b.Take(ctx, name, n)
	}
	if !h.holds() && !h.whole.holds() {
		return b.Take(ctx, name, n)
	}
	own := h.all.sum()
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.try(b.client(name), n, own) {
		return nil, ErrFull
	}
	return &Share{budget: b, n: n, by: map[string]int{name: 1}}, nil
}

// ClientOf returns the client of the request that a context belongs to; empty for none.
func ClientOf(ctx context.Context) string {
	h := holdingOf(ctx)
	if h == nil {
		return ""
	}
	return h.client
}

// End lets go of everything.
func (h *Holding) End() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	for _, s := range h.shares {
		s.Leave(h.client)
		h.all.add(s, -1)
	}
	h.shares = nil
	if h.reserved > 0 {
		h.work.Release(h.client, h.reserved)
		h.reserved = 0
	}
}
