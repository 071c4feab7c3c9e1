package custodian

import (
	"time"

	"golang.org/x/sys/unix"
)

// booted is the difference between the clock that goes on while the machine sleeps and
// package time's, which does not, at the start.
var booted = bootTime()

// elapsed returns the time since t, sleep included. t has to be from this process.
func elapsed(t time.Time) time.Duration {
	awake := time.Since(t)
	now := bootTime()
	if booted == 0 || now == 0 {
		return awake
	}
	return max(awake, now-booted-t.Sub(began))
}

// began is when booted was taken.
var began = time.Now()

// bootTime reads the clock; zero when that is not possible.
func bootTime() time.Duration {
	var ts unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts)
	if err != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}
