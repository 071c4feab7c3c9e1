package custodian

import (
	"syscall"
	"time"
	"unsafe"
)

// clockBoottime is the clock that goes on while the machine sleeps, unlike the one that
// package time measures with.
const clockBoottime = 7

// booted is the difference between that clock and package time's at the start.
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
	var ts syscall.Timespec
	_, _, fault := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockBoottime, uintptr(unsafe.Pointer(&ts)), 0)
	if fault != 0 {
		return 0
	}
	return time.Duration(ts.Nano())
}
