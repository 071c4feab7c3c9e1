//go:build !linux

package custodian

import "time"

// elapsed returns the time since t.
func elapsed(t time.Time) time.Duration { return time.Since(t) }
