package clock

import (
	"context"
	"time"
)

// Pause waits. It reports false at once when the pause would not end before the deadline
// of the context does, and as soon as the context ends.
func Pause(ctx context.Context, d time.Duration) bool {
	deadline, ok := ctx.Deadline()
	if ok && time.Until(deadline) <= d {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
