package flight_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/avow-project/avow/internal/flight"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type group = flight.Group[string, int]

type owner struct{}

// TestFirstHangsUp: that the first of several gives up does not begin the work anew.
func TestFirstHangsUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s group
		gate, begun := make(chan struct{}), 0
		work := func(ctx context.Context) (int, error) {
			begun++
			select {
			case <-gate:
				return 7, nil
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		}
		var all sync.WaitGroup
		first, hangUp := context.WithCancel(t.Context())
		for i := range 10 {
			ctx := first
			if i > 0 {
				ctx = t.Context()
			}
			all.Go(func() {
				got, err := s.Do(ctx, "a", work)
				switch {
				case ctx == first && !errors.Is(err, context.Canceled):
					t.Errorf("the one who gave up got %d, %v", got, err)
				case ctx != first && (got != 7 || err != nil):
					t.Errorf("%d, %v", got, err)
				}
			})
			synctest.Wait()
		}
		hangUp()
		synctest.Wait()
		if s.Waiting("a") != 9 || s.Waiting("b") != 0 {
			t.Errorf("%d wait for the call, and %d for another", s.Waiting("a"), s.Waiting("b"))
		}
		close(gate)
		all.Wait()
		if begun != 1 || s.Waiting("a") != 0 {
			t.Errorf("begun %d times, %d wait", begun, s.Waiting("a"))
		}
	})
}

// TestAllHangUp: when nobody waits any more the work ends before the last one has gone, who
// has what came of it, and who comes meanwhile begins anew.
func TestAllHangUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s group
		slow, begun, ended, why := make(chan struct{}), 0, 0, errors.New("the line is dead")
		work := func(ctx context.Context) (int, error) {
			begun++
			if begun > 1 {
				return begun, nil
			}
			<-ctx.Done()
			<-slow
			ended++
			if !errors.Is(context.Cause(ctx), why) {
				t.Errorf("the work does not know why: %v", context.Cause(ctx))
			}
			return 40, ctx.Err()
		}
		var all sync.WaitGroup
		both, hangUp := context.WithCancelCause(t.Context())
		seen := make(chan int, 2)
		for range 2 {
			all.Go(func() {
				got, err := s.Do(both, "a", work)
				if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				seen <- got
			})
		}
		synctest.Wait()
		hangUp(why)
		synctest.Wait()
		if len(seen) != 1 || s.Waiting("a") != 0 {
			t.Errorf("%d have gone, want all but the last; %d wait", len(seen), s.Waiting("a"))
		}
		all.Go(func() {
			got, err := s.Do(t.Context(), "a", work)
			if got != 2 || err != nil || ended != 1 {
				t.Errorf("%d, %v, %d ended", got, err, ended)
			}
		})
		late, hangUpToo := context.WithCancel(t.Context())
		all.Go(func() {
			_, err := s.Do(late, "a", work)
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		synctest.Wait()
		hangUpToo()
		synctest.Wait()
		close(slow)
		all.Wait()
		if a, b := <-seen, <-seen; a+b != 40 {
			t.Errorf("those who gave up have %d and %d; the last one has what came of it", a, b)
		}
	})
}

// TestDeaf: work that does not heed its context holds nobody for long, neither the last one
// who gives up nor those who come later.
func TestDeaf(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s group
		gate := make(chan struct{})
		work := func(context.Context) (int, error) {
			<-gate
			return 7, nil
		}
		for _, want := range []time.Duration{time.Minute + time.Second, time.Minute} {
			begun := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			got, err := s.Do(ctx, "a", work)
			cancel()
			if got != 0 || !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != want {
				t.Errorf("%d, %v after %s, want %s", got, err, time.Since(begun), want)
			}
		}
		close(gate)
		got, err := s.Do(t.Context(), "a", work)
		if got != 7 || err != nil {
			t.Errorf("the next one got %d, %v", got, err)
		}
	})
}

// TestComingAndGoing has callers join and leave at random. Whoever stays must get the answer.
func TestComingAndGoing(t *testing.T) {
	t.Parallel()
	var s group
	work := func(ctx context.Context) (int, error) {
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(50 * time.Microsecond):
			return 7, nil
		}
	}
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for n := range 2000 {
				ctx, cancel := context.WithCancel(t.Context())
				if i%2 == 0 {
					go cancel()
				}
				got, err := s.Do(ctx, "a", work)
				if ctx.Err() == nil && (got != 7 || err != nil) {
					t.Errorf("caller %d, round %d: stayed and got %d, %v", i, n, got, err)
				}
				cancel()
			}
		})
	}
	all.Wait()
	// A call that everybody has left may still be on its way out, and is waited for.
	got, err := s.Do(t.Context(), "a", work)
	if got != 7 || err != nil {
		t.Errorf("the last one got %d, %v", got, err)
	}
}

// TestNeverLeft: a call that somebody has joined and does not wait for goes on to its end.
func TestNeverLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s group
		gate := make(chan struct{})
		call, err := s.Join(context.WithValue(t.Context(), owner{}, "mine"), "a", func(ctx context.Context) (int, error) {
			<-gate
			return 7, ctx.Err()
		})
		if err != nil {
			t.Fatal(err)
		}
		if call.Context().Value(owner{}) != "mine" {
			t.Error("the values of whoever began it are lost")
		}
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { _, _ = s.Do(ctx, "a", nil) })
		synctest.Wait()
		cancel()
		all.Wait()
		close(gate)
		<-call.Done()
		got, err := call.Result()
		if got != 7 || err != nil {
			t.Errorf("%d, %v", got, err)
		}
	})
}

// TestFault: a fault in the program is an error for all who wait.
func TestFault(t *testing.T) {
	t.Parallel()
	var s group
	_, err := s.Do(t.Context(), "a", func(context.Context) (int, error) { panic("no such page") })
	if err == nil || !strings.Contains(err.Error(), "a: panic: no such page") {
		t.Error(err)
	}
	_, err = s.Do(t.Context(), "a", func(context.Context) (int, error) { runtime.Goexit(); return 0, nil })
	if err == nil {
		t.Error("work that ended its goroutine has a result")
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.Do(gone, "a", func(context.Context) (int, error) { t.Error("begun for nobody"); return 0, nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// own is an error about the one who did the work.
type own struct{}

func (own) Error() string { return "own" }

func (own) Own() bool { return true }

// TestOwnErrorsAreNotShared: who joined the work of a caller whose time was over, or that may have no more of
// something, does it again; other errors are for all.
func TestOwnErrorsAreNotShared(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err   error
		begun int
	}{{context.DeadlineExceeded, 2}, {context.Canceled, 2}, {fmt.Errorf("no room: %w", own{}), 2}, {errors.New("broken"), 1}} {
		synctest.Test(t, func(t *testing.T) {
			var s group
			gate, again, begun := make(chan struct{}), make(chan struct{}), 0
			work := func(context.Context) (int, error) {
				begun++
				if begun == 1 {
					<-gate
					return 0, tt.err
				}
				<-again
				return 7, nil
			}
			var all sync.WaitGroup
			for i := range 4 {
				all.Go(func() {
					got, err := s.Do(t.Context(), "a", work)
					if i == 0 || tt.begun == 1 {
						if !errors.Is(err, tt.err) {
							t.Errorf("caller %d got %d, %v", i, got, err)
						}
					} else if got != 7 || err != nil {
						t.Errorf("caller %d got %d, %v", i, got, err)
					}
				})
				synctest.Wait()
			}
			close(gate)
			synctest.Wait()
			close(again)
			all.Wait()
			if begun != tt.begun {
				t.Errorf("%v: begun %d times", tt.err, begun)
			}
		})
	}
}
