package main

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"time"
)

// shortest is how long one timed sample lasts at least. Work that is quicker is
// repeated within the sample, because a clock reading and a scheduler tick are
// noise of several microseconds.
const shortest = 5 * time.Millisecond

// compare times base, work and base again, runs times, and returns the median
// time of each and the median of work over the mean of the two beside it. A
// machine whose speed drifts from second to second spoils two medians taken over
// the same half minute; it hardly spoils the ratio of neighbours.
func compare(runs int, base, work func()) comparison {
	base()
	work()
	calls := 1 + int(shortest/max(sample(1, base), time.Microsecond))
	var bases, works []time.Duration
	var ratios []float64
	for range runs {
		before, middle, after := sample(calls, base), sample(calls, work), sample(calls, base)
		bases, works = append(bases, (before+after)/2), append(works, middle)
		ratios = append(ratios, 2*float64(middle)/float64(before+after))
	}
	return comparison{
		base: median(bases), work: median(works), ratio: median(ratios),
		quickest: float64(slices.Min(works)) / float64(slices.Min(bases)),
	}
}

// comparison is what compare found.
type comparison struct {
	base, work time.Duration
	ratio      float64
	// quickest is the ratio of the quickest run of each, see timing.
	quickest float64
}

// timing is what short work on one CPU takes. It always does the same, so whatever a
// sample takes longer than another was taken by something else: another program, the
// neighbour on the same core, or the system. The quickest of many short samples is
// therefore what the work itself costs, and the median next to it says how much of the
// machine there was to be had.
type timing struct{ quickest, median time.Duration }

// stint is work that does something so many times.
type stint struct {
	times int
	work  func()
}

// timed times each of several in turn, twice, in so many rounds: all of them meet the
// quiet moments of the machine. Of the two, the first has to fetch what the others have
// pushed out of the cache.
func timed(rounds int, stints []stint) []timing {
	all := make([][]time.Duration, len(stints))
	onOneCPU(func() {
		runtime.GC()
		for range rounds {
			for i, s := range stints {
				for range 2 {
					start := time.Now()
					s.work()
					all[i] = append(all[i], time.Since(start)/time.Duration(s.times))
				}
			}
		}
	})
	var out []timing
	for _, samples := range all {
		out = append(out, timing{slices.Min(samples), median(samples)})
	}
	return out
}

// withoutCollector runs work with the garbage collector off, except where work
// calls it. How often it starts by itself depends on what else is alive, so the
// same work pays for one cycle more or less from one size to the next. That
// memory grows linearly too is a test of package bench.
func withoutCollector(work func()) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	work()
}

// sample times some calls and returns the time of one. It collects the garbage of
// earlier work first, so that no sample pays for another's.
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
func median[T cmp.Ordered](values []T) T {
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
