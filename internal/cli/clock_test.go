package cli

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, c := startClock(t.Context(), 10*time.Second)
		defer c.stop()
		time.Sleep(6 * time.Second)
		first, second := c.pause(), c.pause()
		time.Sleep(time.Hour)
		first()
		time.Sleep(time.Hour)
		second()
		time.Sleep(3 * time.Second)
		if ctx.Err() != nil {
			t.Error("the pause counted")
		}
		time.Sleep(2 * time.Second)
		if !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
			t.Errorf("after the time: %v", context.Cause(ctx))
		}
	})
}

func TestClockStopped(t *testing.T) {
	t.Parallel()
	ctx, c := startClock(t.Context(), time.Hour)
	c.stop()
	if !errors.Is(ctx.Err(), context.Canceled) {
		t.Errorf("%v", ctx.Err())
	}
}
