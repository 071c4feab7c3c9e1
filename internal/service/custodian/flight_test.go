package custodian

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// TestFirstHangsUp: that the first of several gives up does not begin the work anew.
func TestFirstHangsUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, gate, begun := newFlights[int](), make(chan struct{}), 0
		work := func(ctx context.Context) (int, error) {
			begun++
			select {
			case <-gate:
				return 7, nil
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		}
		var group sync.WaitGroup
		first, hangUp := context.WithCancel(t.Context())
		for i := range 10 {
			ctx := first
			if i > 0 {
				ctx = t.Context()
			}
			group.Go(func() {
				got, err := s.do(ctx, "a", work)
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
		close(gate)
		group.Wait()
		if begun != 1 || len(s.all) != 0 {
			t.Errorf("begun %d times, %d under way", begun, len(s.all))
		}
	})
}

// TestAllHangUp: when nobody waits any more the work ends before the last one has gone, and
// who comes meanwhile begins anew.
func TestAllHangUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, slow, begun, ended := newFlights[int](), make(chan struct{}), 0, 0
		work := func(ctx context.Context) (int, error) {
			begun++
			if begun > 1 {
				return begun, nil
			}
			<-ctx.Done()
			<-slow
			ended++
			return 0, ctx.Err()
		}
		var group sync.WaitGroup
		both, hangUp := context.WithCancel(t.Context())
		seen := make(chan int, 2)
		for range 2 {
			group.Go(func() {
				_, err := s.do(both, "a", work)
				if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				seen <- 1
			})
		}
		synctest.Wait()
		hangUp()
		synctest.Wait()
		if len(seen) != 1 {
			t.Errorf("%d have gone, want all but the last", len(seen))
		}
		group.Go(func() {
			got, err := s.do(t.Context(), "a", work)
			if got != 2 || err != nil || ended != 1 {
				t.Errorf("%d, %v, %d ended", got, err, ended)
			}
		})
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := s.do(gone, "a", work)
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		synctest.Wait()
		close(slow)
		group.Wait()
	})
}

// TestFlightFault: a fault in the program is an error for all who wait.
func TestFlightFault(t *testing.T) {
	t.Parallel()
	_, err := newFlights[int]().do(t.Context(), "a", func(context.Context) (int, error) { panic("no such page") })
	if err == nil || !strings.Contains(err.Error(), "no such page") {
		t.Error(err)
	}
}
