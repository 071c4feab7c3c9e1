package clock_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/avow-project/avow/internal/std/clock"
)

func TestPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			limit, pause, takes time.Duration
			want                bool
		}{
			{time.Hour, time.Minute, time.Minute, true},
			{time.Minute, time.Minute, 0, false}, // no time would be left afterwards
			{time.Second, time.Minute, 0, false},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), c.limit)
			begun := time.Now()
			if got := clock.Pause(ctx, c.pause); got != c.want || time.Since(begun) != c.takes {
				t.Errorf("%+v: %v after %s", c, got, time.Since(begun))
			}
			cancel()
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		begun := time.Now()
		if clock.Pause(ctx, time.Hour) || time.Since(begun) != time.Second {
			t.Errorf("given up after %s", time.Since(begun))
		}
	})
}
