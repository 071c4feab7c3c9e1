package custodian

import (
	"context"
	"sync"
)

// flights lets those who want the same thing at the same time wait for one of them.
type flights[T any] struct {
	mu  sync.Mutex
	all map[string]*flight[T]
}

// A flight is under way until done is closed. given is set when whoever made it gave up,
// which says nothing to the others.
type flight[T any] struct {
	done   chan struct{}
	result T
	err    error
	given  bool
}

func newFlights[T any]() *flights[T] { return &flights[T]{all: make(map[string]*flight[T])} }

// do returns the result of work, made by this caller or by one who came before. When that
// one gives up, the next one begins anew.
func (s *flights[T]) do(ctx context.Context, key string, work func(context.Context) (T, error)) (T, error) {
	for {
		s.mu.Lock()
		other := s.all[key]
		if other == nil {
			own := &flight[T]{done: make(chan struct{}), given: true}
			s.all[key] = own
			s.mu.Unlock()
			return s.fly(ctx, key, own, work)
		}
		s.mu.Unlock()
		select {
		case <-other.done:
			if !other.given {
				return other.result, other.err
			}
		case <-ctx.Done():
			var none T
			return none, ctx.Err()
		}
	}
}

func (s *flights[T]) fly(ctx context.Context, key string, own *flight[T], work func(context.Context) (T, error)) (T, error) {
	defer func() {
		s.mu.Lock()
		delete(s.all, key)
		s.mu.Unlock()
		close(own.done)
	}()
	own.result, own.err = work(ctx)
	own.given = ctx.Err() != nil
	return own.result, own.err
}
