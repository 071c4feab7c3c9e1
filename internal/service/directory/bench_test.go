package directory_test

import (
	"context"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/sqlitetest"
)

// The figures in docs/scale.md are those of more publishers than these:
//
//	go test ./internal/service/directory -run '^$' -bench . -benchtime 1x -args -publishers=100000
var publishers = flag.Int("publishers", 2_000, "how many publishers the store of a benchmark has")

// benchKeeper returns a store with publishers, half of whom have a file that lets agentA sell
// something, and its keeper.
func benchKeeper(b *testing.B) (custodian.Store, *custodian.Keeper) {
	b.Helper()
	s, err := store.Open(b.Context(), "sqlite:"+sqlitetest.Path(b))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	w := &web{pages: map[string]string{}}
	now := func() time.Time { return noon }
	k, err := custodian.New(custodian.Config{Store: s.Custody(), Finder: discover.New(w, now), Now: now})
	if err != nil {
		b.Fatal(err)
	}
	for i := range *publishers {
		domain := fmt.Sprintf("www.p%07d.example", i)
		if i%2 == 0 {
			w.set(wellKnown(domain), own(domain, agentA))
		}
		_, err := k.Refresh(b.Context(), hostname.Domain(domain), custodian.RefreshOptions{Force: true})
		if err != nil {
			b.Fatal(err)
		}
	}
	return s.Custody(), k
}

// BenchmarkLoad measures how long a directory takes from its start until it answers.
func BenchmarkLoad(b *testing.B) {
	records, _ := benchKeeper(b)
	for b.Loop() {
		b.StopTimer()
		k, err := custodian.New(custodian.Config{Store: records, Finder: discover.New(&web{}, func() time.Time { return noon }), Now: func() time.Time { return noon }})
		if err != nil {
			b.Fatal(err)
		}
		d := directory.New(directory.Config{Keeper: k, Store: records, Memory: 8 << 30, Patience: time.Hour})
		ctx, cancel := context.WithCancel(b.Context())
		done := make(chan struct{})
		b.StartTimer()
		go func() { defer close(done); d.Run(ctx) }()
		v, err := d.View(ctx)
		b.StopTimer()
		if err != nil || v.Looked() != *publishers {
			b.Fatal(err, v.Looked())
		}
		cancel()
		<-done
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(*publishers), "µs/publisher")
}
