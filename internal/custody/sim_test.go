package custody_test

import (
	"flag"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
)

var (
	seedsFlag = flag.Int("seeds", simSeeds, "number of simulated histories")
	firstFlag = flag.Uint64("first-seed", 0, "the first of them")
)

// TestSimulation lives through 30 days of many worlds. A failure names the seed; running
// it alone with -args -first-seed=N -seeds=1 shows it again.
func TestSimulation(t *testing.T) {
	t.Parallel()
	var next atomic.Uint64
	var group sync.WaitGroup
	var lock sync.Mutex
	codes := map[string]int{}
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for n := next.Add(1) - 1; n < uint64(*seedsFlag) && !t.Failed(); n = next.Add(1) - 1 {
				w := newWorld(*firstFlag + n)
				err := w.run()
				if err != nil {
					t.Error(err)
				}
				lock.Lock()
				for code, count := range w.truth.codes {
					codes[code] += count
				}
				lock.Unlock()
			}
		})
	}
	group.Wait()
	if *seedsFlag >= 100 && !t.Failed() {
		reached(t, codes)
	}
}

// reached checks that the worlds are not too quiet: everything that can happen did.
func reached(t *testing.T, codes map[string]int) {
	t.Helper()
	for _, c := range custody.Codes() {
		group, _, _ := strings.Cut(c.Code, ".")
		switch {
		case c.Code == "agent.added":
			// The changes of a version follow; the simulation has none.
			return
		case c.Code == "file.catalog_etag_reused" || c.Code == "file.date_reused":
			// They come from changes as well.
		case c.Code == "move.undone" || c.Code == "file.undone":
			// Decisions are taken back in decision_test.go.
		case c.Code == "revocation.lifted":
			// Nobody lifts any there; see TestRelease.
		case c.Code == "file.overflow" || group == "clock" || group == "state" || group == "history" || group == "property":
		case codes[c.Code] == 0:
			t.Errorf("%s never happened", c.Code)
		}
	}
}

// TestSimulationNotices breaks the machine on purpose: an invariant that never fails is
// worth nothing.
func TestSimulationNotices(t *testing.T) {
	t.Parallel()
	tests := []struct {
		invariant string
		tamper    func(w *world, was, next *custody.File)
		move      func(w *world, was, next *custody.Publisher)
	}{
		{"revocation kept", func(_ *world, _, next *custody.File) {
			next.Revocations = nil
		}, nil},
		{"revocation kept", func(w *world, _, next *custody.File) {
			for _, domain := range next.Held(w.moment()) {
				next.Revocations = without(next.Revocations, domain)
			}
		}, nil},
		{"revocation kept", func(_ *world, was, next *custody.File) {
			// As if what comes too late were lost.
			if next.TriedAt.Equal(was.TriedAt) {
				next.Revocations = was.Revocations
			}
		}, nil},
		{"revocation scoped", func(_ *world, _, next *custody.File) {
			next.Revocations = append(next.Revocations[:len(next.Revocations):len(next.Revocations)], custody.Revocation{Domain: "z.example"})
		}, nil},
		{"revocation ends", func(w *world, was, next *custody.File) {
			// As if the week began when the entry disappeared.
			for i := range next.Revocations {
				if r := &next.Revocations[i]; next.Hash != was.Hash && !r.Delisted.IsZero() {
					r.First = w.moment().Late
				}
			}
		}, nil},
		{"high water rises", func(_ *world, _, next *custody.File) {
			next.HighWater = next.LastUpdated.Add(-time.Hour)
		}, nil},
		{"high water not ahead", func(_ *world, _, next *custody.File) {
			if next.Refused != nil && next.Refused.LastUpdated.After(next.HighWater) {
				next.HighWater = next.Refused.LastUpdated
			}
		}, nil},
		{"refusal changes nothing", func(w *world, _, next *custody.File) {
			if !next.FailingSince.IsZero() {
				next.ConfirmedAt = w.moment().Early
			}
		}, nil},
		{"closed at once", func(_ *world, _, next *custody.File) {
			next.Closed = custody.Failed
		}, nil},
		{"one day of failure", func(_ *world, _, next *custody.File) {
			next.FailingSince = time.Time{}
		}, nil},
		{"rollback refused", func(_ *world, _, next *custody.File) {
			if next.Refused != nil {
				next.Hash, next.Refused = next.Refused.Hash, nil
			}
		}, nil},
		{"move held", nil, func(_ *world, _, next *custody.Publisher) {
			if next.Move != nil {
				next.Location, next.Move = next.Move.To, nil
			}
		}},
		{"move held", nil, func(_ *world, was, next *custody.Publisher) {
			// As if it were learned only from a new place what its file says.
			if next.Location == was.Location {
				next.HighWater = was.HighWater
			}
		}},
		{"move held", nil, func(_ *world, was, next *custody.Publisher) {
			if next.Location == was.Location {
				next.SpokeAt = was.SpokeAt
			}
		}},
		{"move adopted", nil, func(w *world, _, next *custody.Publisher) {
			if next.Move != nil {
				next.Move.Since = w.moment().Late
			}
		}},
		{"forged version ends", func(_ *world, _, next *custody.File) {
			if next.Refused != nil {
				next.Refused.Looks = 0
			}
		}, nil},
		{"forged version ends", func(_ *world, _, next *custody.File) {
			next.Probation = time.Time{}
		}, nil},
		{"forged version ends", func(_ *world, _, next *custody.File) {
			next.FreshUntil = next.ConfirmedAt.Add(24 * time.Hour)
		}, nil},
		{"absent at once", nil, func(_ *world, _, next *custody.Publisher) {
			next.Absent = false
		}},
	}
	for i, tc := range tests {
		var found error
		for seed := uint64(0); seed < 100 && found == nil; seed++ {
			w := newWorld(seed)
			w.tamper, w.move = tc.tamper, tc.move
			err := w.run()
			if err != nil && strings.Contains(err.Error(), "): "+tc.invariant+": ") {
				found = err
			}
		}
		if found == nil {
			t.Errorf("%d: breaking %q was not noticed", i, tc.invariant)
		}
	}
}

func without(list []custody.Revocation, domain string) []custody.Revocation {
	var out []custody.Revocation
	for _, r := range list {
		if r.Domain != domain {
			out = append(out, r)
		}
	}
	return out
}
