package crashtest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/test/pgtest"
)

const (
	writers = 8
	// patience is how long writers may make no progress before they are taken to hang. It
	// is far longer than the time after which an ingest gives up, for machines that are busy.
	patience = 10 * time.Minute
)

// TestServerOutages stops and starts a PostgreSQL server while keepers ingest, without
// warning and as an operator would. An ingest meanwhile fails, work goes on
// by itself afterwards, and all that was acknowledged is there.
func TestServerOutages(t *testing.T) {
	t.Parallel()
	server, err := pgtest.Start(pgtest.Options{Sync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := server.Close()
		if err != nil {
			t.Error(err)
		}
	})
	url, err := server.NewDatabase(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	outages := 2
	if *all {
		outages = 5
	}
	began := time.Now()
	all := newWriters(t, url)
	var wg sync.WaitGroup
	defer wg.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, w := range all {
		wg.Go(func() { w.work(ctx) })
	}
	for i := range outages {
		awaitAcks(t, all)
		stop := server.Kill
		if i == outages-1 {
			stop = server.Stop
		}
		err := stop()
		if err != nil {
			t.Fatal(err)
		}
		awaitErrors(t, all)
		err = server.Restart()
		if err != nil {
			t.Fatal(err)
		}
	}
	awaitAcks(t, all)
	cancel()
	wg.Wait()
	acks, errs, slowest := 0, int64(0), time.Duration(0)
	ledgers := make([]*ledger, len(all))
	for i, w := range all {
		acks, errs, slowest = acks+len(w.ledger.acks), errs+w.errors.Load(), max(slowest, w.slowest)
		ledgers[i] = &w.ledger
	}
	auditAt(t, url, ledgers...)
	t.Logf("%d outages under %d writers: %d ingests acknowledged, %d failed, the slowest took %v, in %v",
		outages, writers, acks, errs, slowest.Round(time.Millisecond), time.Since(began).Round(time.Second))
}

// A writer ingests the history of a network of its own.
type writer struct {
	session *session
	ledger  ledger
	acks    atomic.Int64
	errors  atomic.Int64
	slowest time.Duration
}

// newWriters makes writers that share two connections to the database, like the requests
// of two processes.
func newWriters(t *testing.T, url string) []*writer {
	t.Helper()
	stores := make([]*store.Store, 2)
	for i := range stores {
		s, err := store.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() }) // the server may be gone already
		stores[i] = s
	}
	all := make([]*writer, writers)
	for i := range all {
		w := web{network: fmt.Sprintf("n%d", i), base: base()}
		s, err := keep(stores[i%len(stores)], w, 0)
		if err != nil {
			t.Fatal(err)
		}
		all[i] = &writer{session: s, ledger: ledger{web: w}}
	}
	return all
}

// work ingests until the context ends. A step that failed is repeated: whether it was
// committed is not known.
func (w *writer) work(ctx context.Context) {
	for ctx.Err() == nil {
		began := time.Now()
		a, err := w.session.ingest(context.WithoutCancel(ctx), w.ledger.next())
		w.slowest = max(w.slowest, time.Since(began))
		if err != nil {
			w.errors.Add(1)
			time.Sleep(time.Millisecond)
			continue
		}
		w.ledger.acks = append(w.ledger.acks, *a)
		w.acks.Add(1)
	}
}

// awaitAcks waits until each writer has got on by some steps.
func awaitAcks(t *testing.T, all []*writer) {
	t.Helper()
	await(t, "no work is done", all, 20, func(w *writer) int64 { return w.acks.Load() })
}

// awaitErrors waits until each writer has heard that something is wrong.
func awaitErrors(t *testing.T, all []*writer) {
	t.Helper()
	await(t, "nobody hears that the server is gone", all, 2, func(w *writer) int64 { return w.errors.Load() })
}

// await waits until a number has grown for each writer.
func await(t *testing.T, trouble string, all []*writer, by int64, number func(*writer) int64) {
	t.Helper()
	deadline := time.Now().Add(patience)
	goals := make([]int64, len(all))
	for i, w := range all {
		goals[i] = number(w) + by
	}
	for i, w := range all {
		for number(w) < goals[i] {
			if time.Now().After(deadline) {
				t.Fatalf("%s by writer %d for %v", trouble, i, patience)
			}
			time.Sleep(time.Millisecond)
		}
	}
}
