package budget

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestNoRequestWaitsForItself: what a request holds is in its own way neither in the total nor in its
// client's share. A batch about two large documents gets both.
func TestNoRequestWaitsForItself(t *testing.T) {
	t.Parallel()
	documents := New(100, 25, 5)
	ctx, h := With(t.Context(), "a")
	for range 2 {
		s, err := documents.TakeFor(ctx, 80)
		must(t, err)
		if !Hold(ctx, s) {
			t.Fatal("it is refused for what it holds itself")
		}
		s.Leave("a")
	}
	state(t, documents, 160, 0, 1)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	other, done := With(gone, "a")
	_, err := documents.TakeFor(other, 80)
	if err == nil {
		t.Error("another request gets what is not there")
	}
	done.End()
	h.End()
	state(t, documents, 0, 0, 0)
}

// TestWork: work that needs more than there is lets go of everything, waits and begins again; one
// that is alone gets whatever it needs, and no more is kept than the answer takes.
func TestWork(t *testing.T) {
	t.Parallel()
	b := New(100, 25, 5)
	must(t, b.Acquire(t.Context(), "b", 60))
	calls, done := 0, make(chan error, 1)
	go func() {
		done <- b.Work(t.Context(), "a", 0, time.Hour, func(ctx context.Context, h *Holding) bool {
			calls++
			if Need(ctx, "one", 30) != nil || Need(ctx, "two", 60) != nil {
				return false
			}
			must(t, Need(ctx, "one", 30)) // it has that
			must(t, Need(ctx, "three", 1_000_000))
			state(t, b, 100, 0, 1)
			if Spare(ctx, 1) {
				t.Error("there is more than everything")
			}
			must(t, h.Answer(50))
			state(t, b, 50, 0, 1)
			return true
		})
	}()
	for b.Waiting() == 0 {
		select {
		case err := <-done:
			t.Fatalf("it does not wait: %v", err)
		default:
		}
	}
	state(t, b, 60, 1, 2)
	b.Release("b", 60)
	must(t, <-done)
	if calls != 2 {
		t.Errorf("%d calls", calls)
	}
	state(t, b, 0, 0, 0)
}

// TestWorkIsRefused: work that would have to wait while it has something, or has no patience, is not
// begun again; what is shared takes nothing.
func TestWorkIsRefused(t *testing.T) {
	t.Parallel()
	b := New(100, 100, 5)
	must(t, b.Acquire(t.Context(), "b", 60))
	must(t, b.Acquire(t.Context(), "a", 10)) // its body
	for _, tc := range []struct {
		own      int64
		patience time.Duration
	}{{10, time.Hour}, {0, 0}} {
		calls := 0
		err := b.Work(t.Context(), "a", tc.own, tc.patience, func(ctx context.Context, h *Holding) bool {
			calls++
			return Use(ctx, "document", 50) == nil && !h.Short()
		})
		if !errors.Is(err, ErrFull) || calls != 1 {
			t.Errorf("%v after %d calls", err, calls)
		}
	}
	must(t, b.Work(t.Context(), "a", 10, 0, func(ctx context.Context, h *Holding) bool {
		Lighten(ctx)
		Shared(ctx, 1000)
		return Use(ctx, "document", 50) == nil && h.Answer(1005) == nil
	}))
	state(t, b, 70, 0, 2)
}

// TestNeedStaysRefused: what a request did not get it does not get by asking again, such as for the other
// of two parts that work with the same, and a request that is over gets nothing.
func TestNeedStaysRefused(t *testing.T) {
	t.Parallel()
	b := New(100, 100, 5)
	must(t, b.Acquire(t.Context(), "b", 60))
	var over context.Context
	err := b.Work(t.Context(), "a", 0, 0, func(ctx context.Context, h *Holding) bool {
		over = ctx
		for range 2 {
			err := Need(ctx, "one", 50)
			if !errors.Is(err, ErrFull) {
				t.Errorf("it goes on without what it needs: %v", err)
			}
		}
		b.Release("b", 60)
		err := Need(ctx, "two", 10)
		if !errors.Is(err, ErrFull) || h.total != 60 {
			t.Errorf("it goes on: %v; it is known to need %d", err, h.total)
		}
		return false
	})
	if !errors.Is(err, ErrFull) {
		t.Error(err)
	}
	err = Need(over, "three", 1)
	if !errors.Is(err, ErrFull) {
		t.Errorf("a request that is over gets more: %v", err)
	}
	state(t, b, 0, 0, 0)
}

// TestPatienceIsForWaiting: how long a request has worked does not count against how long it may wait.
func TestPatienceIsForWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := New(100, 100, 5)
		must(t, b.Acquire(t.Context(), "b", 60))
		go func() {
			time.Sleep(11 * time.Second)
			b.Release("b", 60)
		}()
		calls := 0
		must(t, b.Work(t.Context(), "a", 0, 3*time.Second, func(ctx context.Context, _ *Holding) bool {
			calls++
			time.Sleep(10 * time.Second)
			return Need(ctx, "document", 50) == nil
		}))
		if calls != 2 {
			t.Errorf("%d calls", calls)
		}
		state(t, b, 0, 0, 0)
	})
}

// TestRefusedClientsAreForgotten: a client that is refused for want of memory leaves nothing behind.
func TestRefusedClientsAreForgotten(t *testing.T) {
	t.Parallel()
	b := New(100, 100, 5)
	must(t, b.Acquire(t.Context(), "b", 90))
	err := b.Work(t.Context(), "a", 0, 0, func(ctx context.Context, _ *Holding) bool { return Need(ctx, "document", 50) == nil })
	if !errors.Is(err, ErrFull) {
		t.Errorf("got %v", err)
	}
	state(t, b, 90, 0, 1)
}

// TestPartsAreNotInEachOthersWay: parts of one request together may hold what the request may, and what the request
// itself holds is in the way of none of them.
func TestPartsAreNotInEachOthersWay(t *testing.T) {
	t.Parallel()
	documents := New(100, 25, 5)
	ctx, h := With(t.Context(), "a")
	var parts []*Holding
	for _, ctx := range []func() (context.Context, *Holding){
		func() (context.Context, *Holding) { return ctx, nil },
		func() (context.Context, *Holding) { return Part(ctx) },
		func() (context.Context, *Holding) { return Part(ctx) },
	} {
		inner, part := ctx()
		s, err := documents.TakeFor(inner, 20)
		must(t, err)
		if !Hold(inner, s) {
			t.Fatal("it is refused for what the request holds itself")
		}
		s.Leave("a")
		if part != nil {
			parts = append(parts, part)
		}
	}
	state(t, documents, 60, 0, 1)
	for _, p := range parts {
		p.End()
	}
	state(t, documents, 20, 0, 1)
	h.End()
	state(t, documents, 0, 0, 0)
}
