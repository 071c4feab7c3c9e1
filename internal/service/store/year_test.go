package store

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/retain"
)

var (
	yearPublishers = flag.Int("year-publishers", 2, "how many publishers change every hour in TestYear")
	yearDays       = flag.Int("year-days", 24, "how many days TestYear takes")
	yearHistory    = flag.Int("year-history", 2, "how many days of history TestYear keeps")
)

// TestYear lets publishers change every hour for a long time by a simulated clock. Once the
// history is as long as it may be, the store does not grow any more.
func TestYear(t *testing.T) {
	t.Parallel()
	s := sqliteStore(t)
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	limits := retain.Limits{History: time.Duration(*yearHistory) * 24 * time.Hour}
	var sizes []int64
	var versions int64
	for day := range *yearDays {
		var all sync.WaitGroup
		for i := range *yearPublishers {
			all.Go(func() {
				for hour := range 24 {
					n := day*24 + hour
					ok(t, changeHourly(t.Context(), s, i, int64(n), began.Add(time.Duration(n)*time.Hour)))
				}
			})
		}
		all.Wait()
		pruned, err := s.Prune(t.Context(), retain.Options{Limits: limits, Now: began.Add(time.Duration(day+1) * 24 * time.Hour), Sweep: day%7 == 0})
		ok(t, err)
		versions += pruned.Versions.Rows
		sizes = append(sizes, pruned.After.Bytes)
	}
	// From when on nothing is kept for longer, events included.
	steady := *yearHistory + 9
	if len(sizes) <= 2*steady {
		t.Fatalf("%d days are too few for a history of %d", len(sizes), *yearHistory)
	}
	first, last := sizes[steady], sizes[len(sizes)-1]
	t.Logf("%d publishers, %d changes, history of %d days: %d bytes after %d days, %d after %d; %d versions removed; %.0f bytes for a publisher and day of history",
		*yearPublishers, *yearPublishers**yearDays*24, *yearHistory, first, steady, last, len(sizes), versions, float64(last)/float64(*yearPublishers)/float64(*yearHistory))
	if last > first*11/10 {
		t.Errorf("the store grows: %v", sizes)
	}
	sound(t, s)
	for i := range *yearPublishers {
		f, err := s.Custody().File(t.Context(), yearURL(i))
		ok(t, err)
		_, err = s.Document(t.Context(), registry.Hash(f.Hash))
		ok(t, err)
		if want := began.Add(time.Duration(*yearDays*24-1) * time.Hour); !f.HighWater.Equal(want) {
			t.Errorf("the latest date is %s, want %s", f.HighWater, want)
		}
	}
}

// yearURL is where the file of a publisher is.
func yearURL(i int) string { return fmt.Sprintf("https://p%d.example/.well-known/adagents.json", i) }

// changeHourly commits the next version of a publisher's file, of some kilobytes.
func changeHourly(ctx context.Context, s *Store, i int, n int64, at time.Time) error {
	r := rand.New(rand.NewPCG(uint64(i), uint64(n)))
	var b strings.Builder
	for range 120 {
		fmt.Fprintf(&b, `{"property_id": "site%d", "name": "Site %d", "token": "%016x"},`, r.IntN(1000), r.IntN(1000), r.Uint64())
	}
	body := b.String()
	hash := string(registry.HashOf([]byte(body)))
	domain := fmt.Sprintf("p%d.example", i)
	f := &custody.File{URL: yearURL(i), Hash: hash, Bytes: int64(len(body)), AdoptedAt: at, ConfirmedAt: at, WholeAt: at, TriedAt: at, HighWater: at, Revision: n}
	p := &custody.Publisher{
		Domain: custody.Domain(domain), Location: custody.Location{Method: custody.Direct, URL: f.URL}, ConfirmedAt: at, WholeAt: at, TriedAt: at, HighWater: at, Hash: hash, Revision: n,
	}
	return s.Custody().Commit(ctx, &custodian.Change{
		Publisher: p, Files: []*custody.File{f}, Documents: [][]byte{[]byte(body)},
		Versions: []custody.Version{{URL: f.URL, Hash: hash, AdoptedAt: at, LastUpdated: at, Bytes: f.Bytes}},
		Events: []custody.Event{{
			Code: "file.changed", At: at, URL: f.URL, Before: hash, After: hash, Message: "another version of the file is in effect from now on",
			Changes: []custody.Change{{Code: "property.changed", Subject: domain, Message: "a property is described differently"}},
		}},
	})
}
