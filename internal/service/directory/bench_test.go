//go:build unix

package directory_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/service/store/pack"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/sqlitetest"
)

// The figures in docs/scale.md are those of more publishers than these:
//
//	go test ./internal/service/directory -run '^$' -bench . -benchtime 1x -args -publishers=100000
var (
	publishers = flag.Int("publishers", 2_000, "how many publishers the store of a benchmark has")
	together   = flag.Int("together", 0, "how many of them share a file; zero for a file of each")
)

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
	k, err := custodian.New(custodian.Config{Store: s.Custody(), Finder: discover.New(discover.Config{Client: w, Now: now}), Now: now})
	if err != nil {
		b.Fatal(err)
	}
	var domains []hostname.Domain
	for i := range *publishers {
		domain := fmt.Sprintf("www.p%07d.example", i)
		domains = append(domains, hostname.Domain(domain))
		switch {
		case i%2 == 1:
		case *together == 0:
			w.set(wellKnown(domain), own(domain, agentA))
		default:
			at := fmt.Sprintf("https://network%d.example/adagents.json", i/2 / *together)
			w.set(wellKnown(domain), fmt.Sprintf(`{"authoritative_location": %q}`, at))
		}
	}
	for i := 0; *together > 0 && i < *publishers; i += 2 * *together {
		w.set(fmt.Sprintf("https://network%d.example/adagents.json", i/2 / *together), sharedFile(i, *together))
	}
	var taken atomic.Int64
	var all sync.WaitGroup
	for range 16 { // commits that come together take less
		all.Go(func() {
			for i := taken.Add(1); int(i) <= len(domains); i = taken.Add(1) {
				_, err := k.Refresh(b.Context(), domains[i-1], custodian.RefreshOptions{})
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	all.Wait()
	return s.Custody(), k
}

// BenchmarkLoad measures how long a directory takes from its start until it answers, the
// processor time of that, and its memory; and the same until it lists publishers, when it begins
// with an outline.
func BenchmarkLoad(b *testing.B) {
	records, _ := benchKeeper(b)
	var busy, listing, listed time.Duration
	for b.Loop() {
		b.StopTimer()
		k, err := custodian.New(custodian.Config{Store: records, Finder: discover.New(discover.Config{Client: &web{}, Now: func() time.Time { return noon }}), Now: func() time.Time { return noon }, Memory: 1_000_000})
		if err != nil {
			b.Fatal(err)
		}
		used := inUse()
		d := directory.New(directory.Config{Keeper: k, Store: records, Memory: 8 << 30, Patience: time.Hour})
		ctx, cancel := context.WithCancel(b.Context())
		done := make(chan struct{})
		begun := processorTime(b)
		b.StartTimer()
		go func() { defer close(done); d.Run(ctx) }()
		v, err := d.View(ctx)
		b.StopTimer()
		busy += processorTime(b) - begun
		if err != nil || v.Looked() != *publishers {
			b.Fatal(err, v.Looked())
		}
		b.ReportMetric(float64(inUse()-used)/float64(*publishers), "bytes/publisher")
		b.ReportMetric(float64(d.Counted())/float64(*publishers), "counted/publisher")
		cancel()
		<-done // the outline is noted
		d = directory.New(directory.Config{Keeper: k, Store: records, Memory: 8 << 30})
		runtime.GC()
		before, began := processorTime(b), time.Now()
		_, ok := d.Begin(b.Context())
		listed, listing = listed+time.Since(began), listing+processorTime(b)-before
		if !ok || d.Unread() != *publishers {
			b.Fatal(ok, d.Unread())
		}
		b.ReportMetric(float64(outlineBytes(b, records))/float64(*publishers), "outline-bytes/publisher")
		b.StartTimer()
	}
	each := float64(b.N) * float64(*publishers)
	b.ReportMetric(float64(b.Elapsed().Microseconds())/each, "µs/publisher")
	b.ReportMetric(float64(busy.Microseconds())/each, "cpu-µs/publisher")
	b.ReportMetric(float64(listed.Microseconds())/each, "listed-µs/publisher")
	b.ReportMetric(float64(listing.Microseconds())/each, "listed-cpu-µs/publisher")
}

// outlineBytes is how long the outline in a store is.
func outlineBytes(b *testing.B, records custodian.Store) int {
	b.Helper()
	o, err := records.Outline(b.Context())
	n := 0
	for _, part := range o.Parts {
		packed, packing := pack.Sized(part)
		n, err = n+len(packed), errors.Join(err, packing)
	}
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// inUse is the memory that is in use, in bytes.
func inUse() uint64 {
	runtime.GC()
	runtime.GC() // what the first has put aside goes
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// processorTime is what this process has used so far.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	if err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
