package fetch

import (
	"context"
	"sync"
)

// A question is what makes two requests the same.
type question struct {
	url                          string
	redirects                    Redirects
	maxBytes                     int64
	accept                       string
	ifNoneMatch, ifModifiedSince string
	noCache, once                bool
}

// sharing lets callers that ask the same at the same time wait for one answer.
type sharing struct {
	mu      sync.Mutex
	flights map[question]*flight
}

// A flight is a request on its way, with those who wait for it.
type flight struct {
	waiting int
	cancel  context.CancelCauseFunc
	done    chan struct{}
	result  *Result
	// party are those who wait, as far as they are asked for room.
	party *party
}

func newSharing() *sharing { return &sharing{flights: map[question]*flight{}} }

// do returns the result of work, which runs once for all callers with the same
// question. It goes on as long as one of them waits. A caller whose context ends
// before gets nil; but the last one to leave stays until work has noticed, which
// is at once, and takes its result: so the evidence is not lost, and nothing goes
// on behind the caller's back.
func (s *sharing) do(ctx context.Context, q question, g *guest, work func(context.Context, *party) *Result) *Result {
	f := s.join(ctx, q, g, work)
	defer f.party.leave(g)
	select {
	case <-f.done:
		return f.result
	case <-ctx.Done():
	}
	if !s.leave(ctx, q, f) {
		return nil
	}
	<-f.done
	return f.result
}

// join finds the flight for a question, or starts it.
func (s *sharing) join(ctx context.Context, q question, g *guest, work func(context.Context, *party) *Result) *flight {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.flights[q]
	if f != nil {
		f.waiting++
		f.party.join(g)
		return f
	}
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	f = &flight{waiting: 1, cancel: cancel, done: make(chan struct{}), party: &party{}}
	f.party.join(g)
	s.flights[q] = f
	go func() {
		defer cancel(nil)
		f.result = work(ctx, f.party)
		s.forget(q, f)
		close(f.done)
	}()
	return f
}

// leave counts one caller less. The last one ends the flight and is told so. That
// nobody can join any more is settled in the same step: a caller who came in
// between would get a result that was given up.
func (s *sharing) leave(ctx context.Context, q question, f *flight) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.waiting--
	if f.waiting > 0 {
		return false
	}
	s.drop(q, f)
	f.cancel(context.Cause(ctx))
	return true
}

// forget takes a flight that has ended off the list.
func (s *sharing) forget(q question, f *flight) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(q, f)
}

// drop takes a flight off the list, unless another has its place already.
func (s *sharing) drop(q question, f *flight) {
	if s.flights[q] == f {
		delete(s.flights, q)
	}
}
