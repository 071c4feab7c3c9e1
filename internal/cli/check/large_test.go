package check

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

func TestRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newLargeLimit()
		var in []int
		enter := func(i int) {
			if r.enter(t.Context(), i) == nil {
				in = append(in, i)
			}
		}
		for i := range largeAtOnce {
			enter(i + 1)
		}
		last := largeAtOnce + 1
		go enter(last)
		synctest.Wait()
		if len(in) != largeAtOnce {
			t.Fatalf("%v are inside, want the first %d", in, largeAtOnce)
		}
		enter(0) // must not wait for those that wait for it
		r.shown(0)
		synctest.Wait()
		if len(in) != largeAtOnce+1 {
			t.Fatalf("%v have been inside; %d must wait for one of the others", in, last)
		}
		r.shown(1)
		synctest.Wait()
		if in[len(in)-1] != last {
			t.Errorf("%v have been inside, want %d last", in, last)
		}
	})
}

func TestRoomGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newLargeLimit()
		for i := range largeAtOnce {
			_ = r.enter(t.Context(), i+1)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var err error
		go func() { err = r.enter(ctx, 9) }()
		synctest.Wait()
		cancel()
		synctest.Wait()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want that of the context", err)
		}
	})
}
