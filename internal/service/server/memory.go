package server

import (
	"context"
	"runtime"
	"runtime/debug"
	"time"
)

const (
	// returnEvery is how often ReturnMemory looks. It does something when the process has grown by
	// returnFrom bytes, or when returnAfter connections or requests have ended.
	returnEvery = 30 * time.Second
	returnFrom  = 32_000_000
	returnAfter = 1000
)

// ReturnMemory gives memory back to the system whenever idle says that nothing large is
// left, until the context ends. The runtime would find garbage within two minutes of rest,
// and keep most of what it has freed.
func ReturnMemory(ctx context.Context, idle func() bool) {
	ticker := time.NewTicker(returnEvery)
	defer ticker.Stop()
	var last extent
	for {
		if idle() {
			last = giveBack(last)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// An extent is how large a process is: its memory, and its goroutines, of which each connection has one.
type extent struct {
	memory     uint64
	goroutines int
}

// giveBack gives memory back if the process has more than it was left with the last time, or
// if what it had then has ended since, and returns what it is left with.
func giveBack(last extent) extent {
	goroutines := runtime.NumGoroutine()
	if taken() < last.memory+returnFrom && goroutines > last.goroutines-returnAfter {
		last.goroutines = max(last.goroutines, goroutines)
		return last
	}
	runtime.GC() // what pools keep, such as buffers of connections, is free after the second one
	debug.FreeOSMemory()
	return extent{taken(), goroutines}
}

// taken is the memory that the runtime has from the system. Package runtime/metrics could say it
// without a pause, but describes all that it knows whenever the program starts.
func taken() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys - m.HeapReleased
}
