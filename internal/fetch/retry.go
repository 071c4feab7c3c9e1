package fetch

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/avow-project/avow/internal/std/clock"
)

// maxRetryAfter bounds what a Retry-After can mean. It only has to be more than
// any budget; what is longer comes to the same.
const maxRetryAfter = 365 * 24 * time.Hour

// parseRetryAfter reads a Retry-After header, a number of seconds or a date. What
// is neither, or lies in the past, is zero.
func parseRetryAfter(value string, now time.Time) time.Duration {
	if value == "" {
		return 0
	}
	if strings.Trim(value, "0123456789") == "" {
		return seconds(value)
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}

// seconds reads a number of any length.
func seconds(digits string) time.Duration {
	total := time.Duration(0)
	for _, digit := range digits {
		total = 10*total + time.Duration(digit-'0')*time.Second
		if total > maxRetryAfter {
			return maxRetryAfter
		}
	}
	return total
}

// repeatable reports whether the same request may well succeed a little later.
// 408 and 425 are the statuses of their class that say so themselves.
func repeatable(e *Exchange) bool {
	return e.Outcome.Transient() || e.Status == http.StatusRequestTimeout || e.Status == http.StatusTooEarly
}

// attempts makes a request, and makes it again while it fails for a passing
// reason. It returns the last attempt that says something about the server: a
// repetition whose turn never came does not.
func (r *run) attempts(ctx context.Context, t *target) *attempt {
	var last *attempt
	for number := 1; ; number++ {
		a := r.try(ctx, t, number)
		if last != nil && a.Outcome == NoTurn {
			return last
		}
		r.add(a)
		if !a.begun || !repeatable(&a.Exchange) || !r.pause(ctx, a.RetryAfter) {
			return a
		}
		last = a
	}
}

// pause waits before a repetition, and takes it from the allowance. It reports
// whether there may be one.
func (r *run) pause(ctx context.Context, atLeast time.Duration) bool {
	if r.repeats <= 0 {
		return false
	}
	r.repeats--
	ctx, cancel := r.bound(ctx)
	defer cancel()
	return clock.Pause(ctx, max(r.pauses.NextBackOff(), atLeast))
}

// allowed is the number of attempts.
func (r *run) allowed() int {
	if r.want.Once || r.want.Post != nil {
		return 1
	}
	return r.client.limits.attempts
}

// pauses grow exponentially and are spread at random, so that clients that failed
// together do not come back together.
func (c *Client) pauses() *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.MaxInterval = c.limits.firstPause, c.limits.maxPause
	b.Multiplier = 2
	b.Reset()
	return b
}
