package server

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

const (
	// heapFloor is the size of the heap, in bytes, below which garbage is not collected.
	// What the service keeps is small next to what requests leave behind: at the usual
	// pace, which is twice of what is kept, it would collect far more often.
	heapFloor = 46_000_000
	// leastPercent is the pace for a large heap, in percent of what is kept.
	leastPercent = 50
	// mostPercent is the pace for a tiny one.
	mostPercent = 1000
)

var pacing sync.Once

// PaceCollector has the garbage collector of this process run when the heap is larger
// than a fixed size and than half as much again as what is in use, instead of twice of
// that: many short requests cost less, and many kept answers take less memory. What
// starting has left behind is given back first. It is for a program that only serves,
// and for an operator who did not set GOGC.
func PaceCollector() {
	pacing.Do(func() {
		debug.FreeOSMemory()
		keepPace(100)
	})
}

// keepPace adjusts the pace after each collection: the object it leaves behind is found
// to be garbage by the next one. Changing the pace stops the program for a moment, so it
// is not done for little.
func keepPace(percent int) {
	next := percentFor(liveBytes())
	if next < percent*9/10 || next > percent*11/10 {
		debug.SetGCPercent(next)
		percent = next
	}
	runtime.SetFinalizer(&sentinel{percent: percent}, func(s *sentinel) { keepPace(s.percent) })
}

// A sentinel is garbage from the start, and carries the pace that is set.
type sentinel struct {
	percent int
	_       *int // with a pointer it is not put into one block with others, which may stay
}

// percentFor is the pace at which the heap grows up to its floor, or by the least.
func percentFor(live uint64) int {
	if live >= heapFloor {
		return leastPercent
	}
	return int(min(max((heapFloor-live)*100/max(live, 1), leastPercent), mostPercent))
}

// liveBytes is what the last collection found in use.
func liveBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return heapFloor
	}
	return sample[0].Value.Uint64()
}
