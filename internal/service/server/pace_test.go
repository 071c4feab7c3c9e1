package server

import "testing"

func TestPercentFor(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		live uint64
		want int
	}{
		{0, mostPercent}, {1_000_000, mostPercent}, {11_500_000, 300}, {23_000_000, 100},
		{36_000_000, leastPercent}, {heapFloor - 1, leastPercent}, {heapFloor, leastPercent}, {1 << 40, leastPercent},
	} {
		have := percentFor(tc.live)
		if have != tc.want {
			t.Errorf("for %d bytes the pace is %d, want %d", tc.live, have, tc.want)
		}
	}
	if liveBytes() == heapFloor {
		t.Error("this version of Go does not tell what is in use")
	}
}
