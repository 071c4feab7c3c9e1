package custodian_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/bench"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
)

// benchKeeper is a keeper on a store in a file, with a clock of its own.
func benchKeeper(b *testing.B, w *web, now *atomic.Int64) *custodian.Keeper {
	b.Helper()
	s, err := store.Open(b.Context(), "sqlite:"+filepath.Join(b.TempDir(), "store.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	clock := func() time.Time { return begin.Add(time.Duration(now.Load())) }
	k, err := custodian.New(custodian.Config{Store: s.Custody(), Finder: discover.New(discover.Config{Client: w, Now: clock}), Now: clock})
	if err != nil {
		b.Fatal(err)
	}
	return k
}

// BenchmarkAdoption takes in one new version of a network's file of 3 MB after the other:
// reading, comparing with the version before, and the durable commit.
func BenchmarkAdoption(b *testing.B) {
	w := &web{pages: map[string]page{pub: pointer(network)}}
	var now atomic.Int64
	k := benchKeeper(b, w, &now)
	body := string(bench.Network3MB())
	if !strings.HasPrefix(body, "{") {
		b.Fatal("not a file")
	}
	b.SetBytes(int64(len(body)))
	n := 0
	take := func() {
		b.StopTimer()
		n++
		w.set(network, tagged(fmt.Sprintf(`{"x_count": %d,%s`, n, body[1:])))
		b.StartTimer()
		s, err := k.Refresh(b.Context(), "pub.example", custodian.RefreshOptions{Force: true})
		if err != nil || s.FileStanding != custody.Fresh || s.File.AdoptedAt != s.File.ConfirmedAt {
			b.Fatalf("%+v, %v", s, err)
		}
		now.Add(int64(time.Hour))
	}
	take()
	for b.Loop() {
		take()
	}
}

// BenchmarkUnchanged asks publishers whose files have not changed, by their tags.
func BenchmarkUnchanged(b *testing.B) {
	const publishers = 10_000
	w := &web{pages: map[string]page{}}
	var now atomic.Int64
	k := benchKeeper(b, w, &now)
	name := func(i int) string { return fmt.Sprintf("p%d.example", i) }
	for i := range publishers {
		w.set("https://"+name(i)+"/.well-known/adagents.json", tagged(fileFor(name(i), "v1", 0)))
	}
	watch := func() {
		now.Add(int64(day) + int64(time.Minute))
		err := k.Watch(b.Context(), custodian.WatchOptions{Once: true, Parallel: 16})
		if err != nil {
			b.Fatal(err)
		}
	}
	o := custodian.WatchOptions{Once: true, Parallel: 16}
	for i := range publishers {
		o.Publishers = append(o.Publishers, hostname.Domain(name(i)))
	}
	err := k.Watch(b.Context(), o)
	if err != nil {
		b.Fatal(err)
	}
	before := w.requests("")
	rounds := 0
	for b.Loop() {
		if rounds == 5 {
			break // a whole fetch is due after a week
		}
		rounds++
		watch()
	}
	if got := w.requests("") - before; got != rounds*publishers {
		b.Errorf("%d requests in %d rounds", got, rounds)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(rounds*publishers), "µs/publisher")
}
