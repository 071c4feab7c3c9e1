package cli

import (
	"context"
	"sync"
	"time"
)

// A clock ends a context after some time in which it was not paused.
type clock struct {
	cancel context.CancelCauseFunc

	mu    sync.Mutex
	timer *time.Timer
	begun time.Time
	left  time.Duration
	// holds is the number of pauses that have not ended.
	holds int
}

func startClock(ctx context.Context, limit time.Duration) (context.Context, *clock) {
	ctx, cancel := context.WithCancelCause(ctx)
	c := &clock{cancel: cancel, left: limit, begun: time.Now()}
	c.timer = time.AfterFunc(limit, func() { cancel(context.DeadlineExceeded) })
	return ctx, c
}

// pause lets the time stand still until the returned function is called.
func (c *clock) pause() func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holds++
	if c.holds == 1 {
		c.timer.Stop()
		c.left -= time.Since(c.begun)
	}
	return c.resume
}

func (c *clock) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holds--
	if c.holds == 0 {
		c.begun = time.Now()
		c.timer.Reset(max(c.left, 0))
	}
}

// stop ends the context.
func (c *clock) stop() {
	c.timer.Stop()
	c.cancel(nil)
}
