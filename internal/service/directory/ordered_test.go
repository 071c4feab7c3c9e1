package directory

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestOrdered compares the set with a plain one.
func TestOrdered(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test
	var o ordered
	plain := map[string]bool{}
	for step := range 20_000 {
		name := fmt.Sprintf("n%04d", random.IntN(3000))
		if random.IntN(5) < 2+step/12_000 {
			o.remove(name)
			delete(plain, name)
		} else {
			o.add(name)
			plain[name] = true
		}
	}
	want := slices.Sorted(maps.Keys(plain))
	if got := slices.Collect(o.after("")); !slices.Equal(got, want) || o.len() != len(want) {
		t.Fatalf("%d names, %d counted, want %d", len(got), o.len(), len(want))
	}
	for _, from := range []string{"a", "n0000", "n1499", "n14995", "n2999", "z", want[len(want)/2]} {
		i, found := slices.BinarySearch(want, from)
		if found {
			i++
		}
		if got := slices.Collect(o.after(from)); !slices.Equal(got, want[i:]) {
			t.Errorf("after %s: %d names, want %d", from, len(got), len(want[i:]))
		}
	}
	var none *ordered
	if len(slices.Collect(none.after(""))) != 0 || none.len() != 0 {
		t.Error("nothing has names")
	}
}

// TestFollowsOften: what another process has committed is read within two seconds.
func TestFollowsOften(t *testing.T) {
	t.Parallel()
	if followEvery >= 2*time.Second {
		t.Errorf("the store is asked every %s", followEvery)
	}
}
