package custody_test

import (
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
)

// TestSteady: nothing changes by itself in the interval that Steady returns, whichever reading of
// the present is ahead, and it is as long as that allows.
func TestSteady(t *testing.T) {
	t.Parallel()
	var times []time.Time
	for _, d := range []time.Duration{-2 * custody.Skew, -custody.Skew, 0, time.Hour, custody.MaxStale, custody.MaxAge, custody.MaxAge + time.Hour} {
		times = append(times, start.Add(d-1), start.Add(d), start.Add(d+1))
	}
	var moments []custody.Moment
	for _, early := range times {
		for _, ahead := range []time.Duration{0, 1, 2 * time.Hour} {
			moments = append(moments, custody.Moment{Early: early, Late: early.Add(ahead)})
		}
	}
	ends := 0
	for _, failing := range []time.Time{{}, start.Add(time.Hour)} {
		f := &custody.File{Hash: "h", ConfirmedAt: start, FreshUntil: start.Add(time.Hour), FailingSince: failing}
		p := &custody.Publisher{Location: custody.Location{URL: "https://a.example"}, ConfirmedAt: start, FreshUntil: start.Add(time.Hour), FailingSince: failing}
		for _, now := range moments {
			from, until := f.Steady(now)
			since, end := p.Steady(now)
			if !since.Equal(from) || !end.Equal(until) {
				t.Fatal("that of a publisher is another one")
			}
			for _, at := range moments {
				same := f.Standing(at) == f.Standing(now) && p.Standing(at) == p.Standing(now)
				if !same && !at.Early.Before(from) && (until.IsZero() || at.Late.Before(until)) {
					t.Errorf("%v at %v and %v at %v, from %v until %v", f.Standing(now), now, f.Standing(at), at, from, until)
				}
				if !same && at.Early.Equal(until) && at.Late.Equal(until) {
					ends++
				}
			}
		}
	}
	if ends == 0 {
		t.Error("nothing changes when an interval ends")
	}
}
