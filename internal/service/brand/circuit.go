package brand

import (
	"sync"
	"time"
)

const (
	// tolerated is the number of calls in a row that may fail before the provider is
	// left alone for a while.
	tolerated = 5
	// firstRest is how long it is left alone then; the time doubles with every call
	// that fails afterwards, up to longestRest.
	firstRest   = 30 * time.Second
	longestRest = 10 * time.Minute
)

// A circuit keeps a service from asking a provider that is down or has had enough. The
// zero value is closed: calls go through.
type circuit struct {
	mu       sync.Mutex
	failures int
	rest     time.Duration
	until    time.Time
}

// wait returns how long the provider is left alone from now on. When the time is over,
// one call may try, and the others wait for what becomes of it.
func (c *circuit) wait(now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(0, c.until.Sub(now))
}

// enter is wait for a call that is about to be made.
func (c *circuit) enter(now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	rest := c.until.Sub(now)
	if rest > 0 {
		return rest
	}
	if c.failures >= tolerated {
		c.until = now.Add(callTimeout)
	}
	return 0
}

// succeed notes that the provider answered.
func (c *circuit) succeed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures, c.rest, c.until = 0, 0, time.Time{}
}

// fail notes that the provider did not, or asked to be left alone for some time.
func (c *circuit) fail(now time.Time, asked time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures++
	var rest time.Duration
	if c.failures >= tolerated {
		c.rest = min(max(firstRest, 2*c.rest), longestRest)
		rest = c.rest
	}
	rest = max(rest, min(asked, longestRest))
	if rest > 0 {
		c.until = now.Add(rest)
	}
}

// release notes that a call ended without telling anything about the provider.
func (c *circuit) release(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failures >= tolerated {
		c.until = now
	}
}
