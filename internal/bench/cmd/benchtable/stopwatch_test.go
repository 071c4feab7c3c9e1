package main

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/bench"
)

func TestMedian(t *testing.T) {
	t.Parallel()
	tests := []struct {
		values []time.Duration
		want   time.Duration
	}{
		{[]time.Duration{4}, 4},
		{[]time.Duration{9, 1, 5}, 5},
		{[]time.Duration{8, 2, 6, 4}, 6},
	}
	for _, tt := range tests {
		if got := median(tt.values); got != tt.want {
			t.Errorf("median of %v is %v, want %v", tt.values, got, tt.want)
		}
	}
}

// TestPeakHeapAllocs allows for small objects of others that are freed meanwhile.
func TestPeakHeapAllocs(t *testing.T) {
	const size = 32 << 20
	got := peakHeap(1, func() any { return make([]byte, size) })
	if got < size*99/100 || got > size*5/4 {
		t.Errorf("peak is %d bytes for an object of %d", got, size)
	}
}

// TestTimedAllocs lets all samples but one take at least a while. It changes the number
// of CPUs, so it runs alone.
func TestTimedAllocs(t *testing.T) {
	var calls [2]int
	work := func(n int) func() {
		return func() {
			calls[n]++
			if calls[n] != 2 {
				time.Sleep(50 * time.Millisecond)
			}
		}
	}
	got := timed(2, []stint{{1000, work(0)}, {500, work(1)}})
	for n, least := range []time.Duration{50 * time.Microsecond, 100 * time.Microsecond} {
		if calls[n] != 4 || got[n].median < least || got[n].quickest >= got[n].median {
			t.Errorf("%d calls: median %v, quickest %v", calls[n], got[n].median, got[n].quickest)
		}
	}
}

// TestAllocs runs alone for the same reason.
func TestAllocs(t *testing.T) {
	kept := make([]*[64]byte, 1000)
	got := allocations(func() {
		for i := range kept {
			kept[i] = new([64]byte)
		}
	})
	if got < 1000 || got > 1100 {
		t.Errorf("%d allocations counted, want about 1000", got)
	}
}

// TestOneCPUAllocs changes a setting of the whole process, so it runs alone too.
func TestOneCPUAllocs(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	during := 0
	onOneCPU(func() { during = runtime.GOMAXPROCS(0) })
	if during != 1 || runtime.GOMAXPROCS(0) != before {
		t.Errorf("%d CPUs during the work and %d after it, want 1 and %d", during, runtime.GOMAXPROCS(0), before)
	}
}

// TestSizesNameFamilies makes sure that no family is left out by a typing error.
func TestSizesNameFamilies(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, family := range bench.Families() {
		known[family.Name] = true
		if sizes[family.Name] == 0 && family.Name != "deep_nesting.json" {
			t.Errorf("%s is never doubled", family.Name)
		}
	}
	for name := range sizes {
		if !known[name] {
			t.Errorf("%s is not a family", name)
		}
	}
}

func TestCompareTakesTurns(t *testing.T) {
	t.Parallel()
	order := ""
	got := compare(2,
		func() { order += "s"; time.Sleep(shortest) },
		func() { order += "b"; time.Sleep(2 * shortest) })
	// Both warm up, the small one is timed once to choose the number of calls,
	// which is then two or fewer.
	rounds := strings.TrimPrefix(order, "sbs")
	if rounds != "sbssbs" && rounds != "ssbbssssbbss" {
		t.Errorf("order of calls after the warm-up = %q, want small, big, small in turn", rounds)
	}
	if got.base < shortest || got.work < 2*shortest || got.ratio <= 0 {
		t.Errorf("compare = %+v, want at least the time that was slept", got)
	}
}
