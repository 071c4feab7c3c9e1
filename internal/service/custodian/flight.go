package custodian

import (
	"context"
	"fmt"
	"sync"
)

// flights lets those who want the same thing at the same time share one answer.
type flights[T any] struct {
	mu  sync.Mutex
	all map[string]*flight[T]
}

// A flight is under way until done is closed. It goes on for as long as somebody waits for
// it: that the first one gives up says nothing to the others, and does not begin it anew.
type flight[T any] struct {
	done   chan struct{}
	cancel context.CancelFunc
	result T
	err    error
	// waiting is how many wait for it. Once it is zero the flight is given up.
	waiting int
}

func newFlights[T any]() *flights[T] { return &flights[T]{all: make(map[string]*flight[T])} }

// do returns the result of work, which one does for all. When nobody waits any more the work
// is given up, and the last one to go sees it end.
func (s *flights[T]) do(ctx context.Context, key string, work func(context.Context) (T, error)) (T, error) {
	for {
		f, waits := s.board(ctx, key, work)
		select {
		case <-f.done:
			if waits {
				return f.result, f.err
			}
		case <-ctx.Done():
			if waits && s.last(f) {
				<-f.done
			}
			var none T
			return none, ctx.Err()
		}
	}
}

// board returns the flight that is under way, or begins one. It reports false for one that
// was given up: whoever comes then waits for its end, and begins anew.
func (s *flights[T]) board(ctx context.Context, key string, work func(context.Context) (T, error)) (*flight[T], bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.all[key]
	if f != nil && f.waiting == 0 {
		return f, false
	}
	if f == nil {
		f = &flight[T]{done: make(chan struct{})}
		ctx, f.cancel = context.WithCancel(context.WithoutCancel(ctx))
		s.all[key] = f
		go s.fly(ctx, key, f, work)
	}
	f.waiting++
	return f, true
}

// last notes that somebody does not wait any more, and gives the flight up when that was the
// last one.
func (s *flights[T]) last(f *flight[T]) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.waiting--
	if f.waiting > 0 {
		return false
	}
	f.cancel()
	return true
}

// fly does the work. A fault in the program becomes an error: nobody else would catch it.
func (s *flights[T]) fly(ctx context.Context, key string, f *flight[T], work func(context.Context) (T, error)) {
	defer func() {
		fault := recover()
		if fault != nil {
			f.err = fmt.Errorf("looking at %s: panic: %v", key, fault)
		}
		s.mu.Lock()
		delete(s.all, key)
		s.mu.Unlock()
		f.cancel()
		close(f.done)
	}()
	f.result, f.err = work(ctx)
}
