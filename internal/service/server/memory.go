package server

import (
	"context"
	"runtime"
	"runtime/debug"
	"time"
)

const (
	// returnEvery is how often ReturnMemory looks, and returnFrom the growth, in bytes, from
	// which it does something.
	returnEvery = 30 * time.Second
	returnFrom  = 32_000_000
)

// ReturnMemory gives memory back to the system whenever idle says that nothing large is
// left, until the context ends. The runtime would find garbage within two minutes of rest,
// and keep most of what it has freed.
func ReturnMemory(ctx context.Context, idle func() bool) {
	ticker := time.NewTicker(returnEvery)
	defer ticker.Stop()
	var last uint64
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

// giveBack gives memory back if the process has more than it was left with the last time,
// and returns what it is left with.
func giveBack(last uint64) uint64 {
	if taken() < last+returnFrom {
		return last
	}
	debug.FreeOSMemory()
	return taken()
}

// taken is the memory that the runtime has from the system. Package runtime/metrics could say it
// without a pause, but describes all that it knows whenever the program starts.
func taken() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys - m.HeapReleased
}
