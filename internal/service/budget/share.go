package budget

import "context"

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
func (s *Share) Join(name string) bool { return s.join(name, 0) }

// join is Join for a request that holds other shares.
func (s *Share) join(name string, own int64) bool {
	b := s.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if s.by[name] == 0 {
		c := b.client(name)
		if !c.permits(b, s.n, own) {
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

// size is how many units it has.
func (s *Share) size() int64 {
	s.budget.mu.Lock()
	defer s.budget.mu.Unlock()
	return s.n
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
