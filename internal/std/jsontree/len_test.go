package jsontree

import (
	"strings"
	"testing"
	"time"
)

// TestLenDoesNotCount asks for the length of a list with more elements than its node can
// count. That must cost about as much as for a shorter one: rules ask for each element.
func TestLenDoesNotCount(t *testing.T) {
	t.Parallel()
	cost := func(n int) time.Duration {
		tree, err := Parse([]byte("["+strings.Repeat("1,", n-1)+"[1]]"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		best := time.Hour
		for range 5 {
			begun := time.Now()
			for range 300 {
				if got := tree.Root().Len(); got != n {
					t.Fatalf("%d elements, want %d", got, n)
				}
			}
			best = min(best, time.Since(begun))
		}
		return best
	}
	short, long := cost(manyChildren-1), cost(manyChildren+1)
	if long > 1000*short {
		t.Errorf("the length of a long list takes %d times as long as that of a short one", long/short)
	}
}
