package main

import (
	"runtime"
	"runtime/metrics"
	"slices"
	"time"
)

// shortest is how long one timed sample lasts at least. Work that is quicker is
// repeated within the sample, because a clock reading and a scheduler tick are
// noise of several microseconds.
const shortest = 5 * time.Millisecond

// medians times several kinds of work in turn, runs times each, and returns the
// median of each. Taking turns matters: a machine that is busy or throttled for a
// second slows all of them alike, so their ratios stay right when the times do
// not.
func medians(runs int, works ...func()) []time.Duration {
	calls := make([]int, len(works))
	for i, work := range works {
		// The first call warms caches and is not counted.
		work()
		calls[i] = 1 + int(shortest/max(sample(1, work), time.Microsecond))
	}
	samples := make([][]time.Duration, len(works))
	for range runs {
		for i, work := range works {
			samples[i] = append(samples[i], sample(calls[i], work))
		}
	}
	result := make([]time.Duration, len(works))
	for i := range works {
		result[i] = median(samples[i])
	}
	return result
}

// sample times some calls and returns the time of one. It collects the garbage
// of earlier work first, so that nobody pays for somebody else's.
func sample(calls int, work func()) time.Duration {
	runtime.GC()
	start := time.Now()
	for range calls {
		work()
	}
	return time.Since(start) / time.Duration(calls)
}

// onOneCPU runs work with a single processor for everything, the garbage
// collector included.
func onOneCPU(work func()) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	work()
}

// median returns the middle value, the upper one of two.
func median(values []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// allocations counts the heap allocations of one call.
func allocations(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

// peakHeap returns by how many bytes the heap grew at most while work ran and
// while its result was still held. It counts objects that are dead but not yet
// swept, because they occupy memory too, and leaves the collector at its default
// setting. Memory that was in use before, such as the input, is not part of it.
//
// The heap is read about every millisecond from another goroutine, and once at
// the end, when everything the result refers to is certain to be alive. A peak
// shorter than a millisecond can slip through, so this is measured several times
// and the highest value taken.
func peakHeap(runs int, work func() any) uint64 {
	highest := uint64(0)
	for range runs {
		runtime.GC()
		before := heapObjects()
		stop, peak := make(chan struct{}), make(chan uint64)
		go watchHeap(stop, peak)
		result := work()
		last := heapObjects()
		close(stop)
		top := max(<-peak, last)
		runtime.KeepAlive(result)
		if top > before {
			highest = max(highest, top-before)
		}
	}
	return highest
}

// watchHeap samples the heap until stop is closed and then sends the highest
// value it saw.
func watchHeap(stop <-chan struct{}, peak chan<- uint64) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	top := uint64(0)
	for {
		select {
		case <-tick.C:
			top = max(top, heapObjects())
		case <-stop:
			peak <- top
			return
		}
	}
}

// heapObjects returns the bytes occupied by objects, without stopping the world.
func heapObjects() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64()
}
