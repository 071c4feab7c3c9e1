package fetch

import (
	"context"
	"time"
)

// A clock ends something when its time is over, like a timer, but can be stopped
// for a while. It is used by one goroutine.
type clock struct {
	timer *time.Timer
	until time.Time
}

func startClock(d time.Duration, end func()) *clock {
	return &clock{timer: time.AfterFunc(d, end), until: time.Now().Add(d)}
}

// stop stops the clock, for good unless resume is called.
func (c *clock) stop() { c.timer.Stop() }

// resume lets the clock go on as if the time since stop had not passed.
func (c *clock) resume(after time.Duration) {
	c.until = c.until.Add(after)
	c.timer.Reset(time.Until(c.until))
}

// bound returns a context with the end of the clock as its deadline, for what
// looks ahead and does not begin what cannot be done in time. The clock must not
// be stopped meanwhile.
func (c *clock) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithDeadlineCause(ctx, c.until, errBudget)
}
