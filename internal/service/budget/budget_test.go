package budget

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// state fails unless so much is used, and so many wait and are known.
func state(t *testing.T, b *Budget, used int64, waiting, clients int) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used != used || b.waiting != waiting || len(b.clients) != clients {
		t.Errorf("%d used, %d waiting, %d clients; want %d, %d, %d", b.used, b.waiting, len(b.clients), used, waiting, clients)
	}
}

// queue starts somebody who waits, and returns what tells of the end.
func queue(t *testing.T, b *Budget, name string, n int64) <-chan error {
	t.Helper()
	before := b.Waiting()
	done := make(chan error, 1)
	go func() { done <- b.Acquire(t.Context(), name, n) }()
	for b.Waiting() == before {
		select {
		case err := <-done:
			t.Fatalf("%s does not wait: %v", name, err)
		default:
		}
	}
	return done
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestBudget(t *testing.T) {
	t.Parallel()
	b := New(10, 6, 2)
	must(t, b.Acquire(t.Context(), "a", 4))
	// A client has its share, and its own requests wait for it alone.
	own := queue(t, b, "a", 3)
	must(t, b.Acquire(t.Context(), "b", 6))
	state(t, b, 10, 1, 2)
	large := queue(t, b, "c", 8)
	err := b.Acquire(t.Context(), "d", 1)
	if !errors.Is(err, ErrFull) {
		t.Errorf("a queue that is full: %v", err)
	}
	// What is free now would do for nobody but a, who was first.
	b.Release("b", 6)
	state(t, b, 4, 2, 2)
	b.Release("a", 4)
	must(t, <-own)
	state(t, b, 3, 1, 2)
	b.Release("a", 3)
	must(t, <-large)
	b.Release("c", 8)
	state(t, b, 0, 0, 0)
}

// TestTurns: clients take turns, however much one of them asks for.
func TestTurns(t *testing.T) {
	t.Parallel()
	b := New(1, 1, 100)
	must(t, b.Acquire(t.Context(), "a", 1))
	var many []<-chan error
	for range 20 {
		many = append(many, queue(t, b, "a", 1))
	}
	one := queue(t, b, "b", 1)
	b.Release("a", 1)
	must(t, <-many[0])
	b.Release("a", 1)
	must(t, <-one)
	b.Release("b", 1)
	for _, done := range many[1:] {
		must(t, <-done)
		b.Release("a", 1)
	}
	state(t, b, 0, 0, 0)
}

// TestGivingUp: who goes away is not in the way of others, and leaves nothing behind.
func TestGivingUp(t *testing.T) {
	t.Parallel()
	b := New(10, 10, 5)
	must(t, b.Acquire(t.Context(), "a", 6))
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() { gone <- b.Acquire(ctx, "b", 8) }()
	for b.Waiting() == 0 {
		runtime.Gosched()
	}
	small := queue(t, b, "c", 2)
	cancel()
	err := <-gone
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	must(t, <-small)
	b.Release("c", 2)
	b.Release("a", 6)
	state(t, b, 0, 0, 0)
	if b.Try("a", 11) || !b.Try("a", 10) || b.Try("b", 1) {
		t.Error("Try takes what is not there, or does not take what is")
	}
	b.Release("a", 10)
	must(t, b.Acquire(t.Context(), "a", 1000)) // nobody needs more than there is
	b.Release("a", 1000)
	state(t, b, 0, 0, 0)
}

// TestTryBesideOthers: who waits for its own share is in nobody's way; one that waits for room
// is not overtaken.
func TestTryBesideOthers(t *testing.T) {
	t.Parallel()
	b := New(10, 4, 5)
	must(t, b.Acquire(t.Context(), "a", 4))
	own := queue(t, b, "a", 4)
	if !b.Try("b", 1) {
		t.Error("b does not get what is free, because a waits for a")
	}
	large := queue(t, b, "c", 8)
	if b.Try("b", 1) || b.Try("d", 1) {
		t.Error("one that waits for room is overtaken")
	}
	b.Release("b", 1)
	b.Release("a", 4)
	must(t, <-own)
	b.Release("a", 4)
	must(t, <-large)
	b.Release("c", 8)
	state(t, b, 0, 0, 0)
}

// TestShare: a thousand requests for one document count it once.
func TestShare(t *testing.T) {
	t.Parallel()
	b := New(100, 50, 0)
	s, err := b.Take(t.Context(), "", 20)
	must(t, err)
	s.Resize(40)
	var holdings []*Holding
	for i := range 1000 {
		ctx, h := With(t.Context(), fmt.Sprint("client ", i%7))
		if !Hold(ctx, s) || ClientOf(ctx) == "" {
			t.Fatal("it cannot be held")
		}
		holdings = append(holdings, h)
	}
	state(t, b, 40, 0, 8)
	other := b.TryTake("", 40)
	ctx, h := With(t.Context(), "client 3")
	if Hold(ctx, other) {
		t.Error("a client holds more than its share")
	}
	s.Leave("")
	other.Leave("")
	state(t, b, 40, 0, 7)
	for _, h := range append(holdings, h) {
		h.End()
	}
	state(t, b, 0, 0, 0)
	if !Hold(ctx, nil) || !Hold(t.Context(), s) || !Hold(ctx, s) || b.Used() != 0 {
		t.Error("what is over holds something")
	}
}

// TestNeverOver: whatever happens at the same time, there is never more in use.
func TestNeverOver(t *testing.T) {
	t.Parallel()
	b := New(20, 8, 1000)
	var used, most atomic.Int64
	var group sync.WaitGroup
	for i := range 100 {
		group.Go(func() {
			name, n := fmt.Sprint(i%9), int64(i%11+1)
			for range 20 {
				if b.Acquire(t.Context(), name, n) != nil {
					t.Error("no room")
					return
				}
				now := used.Add(n)
				if now > most.Load() {
					most.Store(now)
				}
				used.Add(-n)
				b.Release(name, n)
			}
		})
	}
	group.Wait()
	if most.Load() > 20 {
		t.Errorf("%d in use", most.Load())
	}
	state(t, b, 0, 0, 0)
}
