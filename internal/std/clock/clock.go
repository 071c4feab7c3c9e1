// Package clock limits the time something takes, without the time in which it is
// held up by others.
package clock

import (
	"sync"
	"time"
)

// A Clock ends something when its time is over, like a timer, but stands still while
// it is held. It is safe for concurrent use.
type Clock struct {
	timer *time.Timer

	mu    sync.Mutex
	until time.Time
	// holds is the number of holds that have not ended, and held when the first of
	// them began.
	holds   int
	held    time.Time
	stopped bool
}

// Start returns a Clock that calls end, on a goroutine of its own, when d is over. It
// has to be stopped. end may be called once more after a hold that begins when the
// time is just over, and should not mind.
func Start(d time.Duration, end func()) *Clock {
	return &Clock{timer: time.AfterFunc(d, end), until: time.Now().Add(d)}
}

// Stop stops the clock for good.
func (c *Clock) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	c.timer.Stop()
}

// Hold lets the time stand still until the returned function is called, which is to be
// called once. Holds may overlap.
func (c *Clock) Hold() func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holds++
	if c.holds == 1 {
		c.held = time.Now()
		c.timer.Stop()
	}
	return c.release
}

func (c *Clock) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holds--
	if c.holds > 0 {
		return
	}
	c.until = c.until.Add(time.Since(c.held))
	if !c.stopped {
		c.timer.Reset(max(0, time.Until(c.until)))
	}
}

// Until returns when the time is over, unless the clock is held from now on. It is for
// those who look ahead and do not begin what cannot be done in time.
func (c *Clock) Until() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.until
}
