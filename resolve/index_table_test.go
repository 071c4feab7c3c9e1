package resolve

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestOverlap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfN(rapid.Uint32Range(0, 60), 0, 20)
		a, b := compact(numbers.Draw(t, "a")), compact(numbers.Draw(t, "b"))
		want := slices.ContainsFunc(a, func(x uint32) bool { return slices.Contains(b, x) })
		if overlap(listOf(a), listOf(b)) != want {
			t.Fatalf("overlap of %v and %v is %v", a, b, !want)
		}
	})
}

func TestCompact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfN(rapid.Uint32Range(0, 12), 0, 12).Draw(t, "numbers")
		want := slices.Compact(slices.Sorted(slices.Values(numbers)))
		if got := compact(slices.Clone(numbers)); !slices.Equal(got, want) {
			t.Fatalf("%v becomes %v, want %v", numbers, got, want)
		}
	})
}

// TestTable looks up every key of tables of many sizes, in which one key is there
// many times.
func TestTable(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 2, 4, 5, 9, 100, 5000} {
		var rows []row
		for i := range n {
			rows = append(rows, row{hashOf(fmt.Sprint("key", i)), [5]uint32{uint32(i), 7}}, row{hashOf("often"), [5]uint32{uint32(i), 8}})
		}
		words, table := addTable(make([]uint32, 3), rows, 2)
		words = extend(words, 1)
		words[0] = uint32(len(words))
		b := blockAt(&words[0])
		bucket := func(key string) []uint32 { return cellsOf(b.rows(table.bucket(hashOf(key))), hashOf(key)) }
		for i := range n {
			if got := bucket(fmt.Sprint("key", i)); !slices.Equal(got, []uint32{uint32(i), 7}) {
				t.Fatalf("n=%d: key %d has the cells %v", n, i, got)
			}
		}
		often := bucket("often")
		for i := range n {
			if often[2*i] != uint32(i) {
				t.Fatalf("n=%d: rows of one key are not in order: %v", n, often)
			}
		}
		if len(often) != 2*n || int(b.all(table).n) != 3*len(rows) || len(bucket("never")) != 0 {
			t.Errorf("n=%d: rows are missing, or there are too many", n)
		}
	}
}

// cellsOf joins the cells of the rows with a hash.
func cellsOf(rows list, hash uint64) []uint32 {
	var out []uint32
	for ; rows.n >= 3; rows = rows.from(3) {
		if tag := uint32(hash); rows.at(0) == tag {
			out = append(out, rows.at(1), rows.at(2))
		}
	}
	return out
}

func TestInterner(t *testing.T) {
	t.Parallel()
	var names interner
	for _, n := range []int{0, 3, 2000, 10, 300} {
		names.reset()
		if n == 300 {
			names.expect(n)
		}
		for range 2 {
			for i := range n {
				s := fmt.Sprint(i)
				if got := names.add(s, hashOf(s)); got != uint32(i) {
					t.Fatalf("n=%d: %q has the number %d", n, s, got)
				}
			}
		}
		if got := names.find("ghost", hashOf("ghost")); got != none {
			t.Errorf("n=%d: a string that was not added has the number %d", n, got)
		}
	}
}

// TestHash makes sure that every octet counts, whatever the length.
func TestHash(t *testing.T) {
	t.Parallel()
	seen := map[uint64]string{}
	for length := range 70 {
		base := strings.Repeat("a", length)
		list := []string{base}
		for i := range length {
			list = append(list, base[:i]+"b"+base[i+1:])
		}
		for _, s := range list {
			if other, ok := seen[hashOf(s)]; ok {
				t.Errorf("%q and %q have the same hash", s, other)
			}
			seen[hashOf(s)] = s
		}
	}
}

func TestQuery(t *testing.T) {
	t.Parallel()
	at := time.Unix(1700000000, 0)
	for _, test := range []struct {
		q    Question
		want Query
		ok   bool
	}{
		{Question{Publisher: "a.example", At: at}, Query{Publisher: "a.example", At: 1700000000}, true},
		{Question{At: at, Placements: []string{"p"}, Collections: []CollectionRef{{"b.example", "c"}}}, Query{At: 1700000000, Placement: "p", CollectionDomain: "b.example", Collection: "c"}, true},
		{Question{At: at, Identifier: Identifier{"domain", "a.example"}}, Query{At: 1700000000, IdentifierType: "domain", IdentifierValue: "a.example"}, true},
		{Question{At: at, Signal: "s"}, Query{}, false},
		{Question{At: at, Placements: []string{"p", "q"}}, Query{}, false},
		{Question{At: at, Collections: make([]CollectionRef, 2)}, Query{}, false},
		{Question{At: at.Add(1)}, Query{}, false},
	} {
		got, ok := test.q.Query()
		if got != test.want || ok != test.ok {
			t.Errorf("%+v: %+v %v", test.q, got, ok)
		}
	}
}

func TestStepCodes(t *testing.T) {
	t.Parallel()
	for s := stepUnknown; s <= stepCovers; s++ {
		if !slices.ContainsFunc(Codes(), func(c CodeInfo) bool { return c.Code == s.Code() }) {
			t.Errorf("step %d has the code %q, which is not listed", s, s.Code())
		}
	}
}
