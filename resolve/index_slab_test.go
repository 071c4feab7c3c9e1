package resolve

import (
	"testing"

	"github.com/avow-project/avow/bench/press"
)

// slabbed is a number of publishers whose blocks are in slabs, nearly all of them.
const slabbed = 3000

func pressed(printer press.Press, i int) *Document {
	return &Document{Publisher: press.PublisherName(i), State: Usable, Method: "direct", File: printer.File(i)}
}

// asks checks that every publisher has the agent that is its own, and no other.
func asks(t *testing.T, x *Index, from, to int, want Verdict) {
	t.Helper()
	queries := make([]Query, 0, to-from)
	for i := from; i < to; i++ {
		queries = append(queries, Query{Publisher: press.PublisherName(i), Agent: press.HouseAgent(i)})
	}
	out := make([]Decision, len(queries))
	x.DecideAll(queries, out)
	for i := range queries {
		one := x.Decide(&queries[i])
		queries[i].Agent = press.HouseAgent(from + i + 1)
		other := x.Decide(&queries[i])
		if one.Verdict != want || out[i] != one || other.Verdict == Authorized {
			t.Fatalf("publisher %d: %v and at once %v, want %v; another's agent: %v", from+i, one.Verdict, out[i].Verdict, want, other.Verdict)
		}
	}
}

// TestSlabs replaces the documents of an index bit by bit. What is not in use any more
// must never be more than what is, and an index of before must stay as it was.
func TestSlabs(t *testing.T) {
	t.Parallel()
	printer := press.NewPress()
	told := 0
	b := Builder{Advise: func(memory []byte) { told += len(memory) }}
	for i := range slabbed {
		b.Add(pressed(printer, i))
	}
	first := b.Index()
	lines := first.rented / (slabbed - unslabbed)
	if first.rented != lines*(slabbed-unslabbed) || lines < 5 || first.live != first.rented || told < advised {
		t.Fatalf("%d lines in slabs, %d in use; told of %d octets", first.rented, first.live, told)
	}
	asks(t, first, 0, slabbed, Authorized)
	x, moves := first, 0
	for from := 0; from < slabbed; from += 50 {
		docs := make([]*Document, 50)
		for i := range docs {
			docs[i] = &Document{Publisher: press.PublisherName(from + i), State: Absent}
		}
		before := x.rented
		x = x.With(docs...)
		if x.rented < before {
			moves++
		}
		if x.rented > 2*x.live+spared || x.live > x.rented {
			t.Fatalf("after %d: %d lines in slabs, %d in use", from, x.rented, x.live)
		}
		asks(t, x, from+50, min(from+100, slabbed), Authorized)
		asks(t, x, from, from+50, verdictOf(stepAbsent))
	}
	asks(t, first, 0, slabbed, Authorized)
	if moves == 0 || x.live != 0 || x.Len() != slabbed {
		t.Errorf("moved %d times; %d lines in use, %d publishers", moves, x.live, x.Len())
	}
}

func verdictOf(s Step) Verdict { return (&slot{step: s}).without().Verdict }

// TestSlabsGrow adds publishers to an index with slabs until it has more shards.
func TestSlabsGrow(t *testing.T) {
	t.Parallel()
	printer := press.NewPress()
	x := Build(nil)
	for from := 0; from < slabbed; from += slabbed / 3 {
		b := Builder{from: x}
		for i := from; i < from+slabbed/3; i++ {
			b.Add(pressed(printer, i))
		}
		b.Add(pressed(printer, from+slabbed/3-1)) // the second of two counts
		x = b.Index()
	}
	asks(t, x, 0, slabbed, Authorized)
	count := 3 * (slabbed/3 + 1 - unslabbed)
	lines := x.rented / count
	if x.rented != count*lines || x.live != (count-3)*lines || lines < 5 || x.Len() != slabbed {
		t.Errorf("%d lines in slabs, of %d blocks; %d in use, %d publishers", x.rented, count, x.live, x.Len())
	}
}
