package textedit

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestSides(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		old, next string
		want      []Row
	}{
		{"", "", []Row{}},
		{"a b c", "a b c", []Row{{1, 1, true}, {2, 2, true}, {3, 3, true}}},
		{"a b c", "a x c", []Row{{1, 1, true}, {2, 2, false}, {3, 3, true}}},
		{"a d", "a b c d", []Row{{1, 1, true}, {0, 2, false}, {0, 3, false}, {2, 4, true}}},
		{"a b c d", "c d a", []Row{{1, 0, false}, {2, 0, false}, {3, 1, true}, {4, 2, true}, {0, 3, false}}},
		{"p a x b q", "p b y a q", []Row{{1, 1, true}, {2, 0, false}, {3, 0, false}, {4, 2, true}, {0, 3, false}, {0, 4, false}, {5, 5, true}}},
	} {
		got := Sides(strings.Fields(x.old), strings.Fields(x.next))
		if !slices.Equal(got, x.want) {
			t.Errorf("%q and %q: %v, want %v", x.old, x.next, got, x.want)
		}
	}
}

// TestSidesAreWhole: every line of both texts is in one row, in its order, and beside the same line if
// it is said to be.
func TestSidesAreWhole(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	random := func() []string {
		list := make([]string, r.IntN(30))
		for i := range list {
			list[i] = string(rune('a' + r.IntN(4)))
		}
		return list
	}
	long := slices.Repeat([]string{"x", "y", "z"}, 700)
	for i := range 2000 {
		old, next := random(), random()
		if i == 0 {
			old, next = append([]string{"first"}, long...), append(slices.Clone(long), "last")
		}
		var before, after []string
		for _, row := range Sides(old, next) {
			if row.Old > 0 {
				before = append(before, old[row.Old-1])
			}
			if row.New > 0 {
				after = append(after, next[row.New-1])
			}
			if row.Same && old[row.Old-1] != next[row.New-1] {
				t.Fatalf("%v and %v: row %v", old, next, row)
			}
		}
		if !slices.Equal(before, old) || !slices.Equal(after, next) {
			t.Fatalf("%v and %v became %v and %v", old, next, before, after)
		}
	}
}
