package notary_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/avow-project/avow/internal/service/notary"
)

// TestWoken: what is committed comes into the log when it is woken, and a second later when it is not.
func TestWoken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := newRegistry(t, newKeys(t, "a.example/log"))
		n := notary.New(notary.Config{Store: a.store.Log(), Keys: a.keys, Now: func() time.Time { return noon }, Log: slog.New(slog.DiscardHandler)})
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { n.Run(ctx) })
		const step = 50 * time.Millisecond
		for publisher, woken := range []bool{true, false} {
			time.Sleep(time.Second + step) // after a look
			synctest.Wait()
			before := a.size(t)
			a.add(t, publisher)
			begun := time.Now()
			if woken {
				n.Wake()
			}
			for a.size(t) == before {
				time.Sleep(step)
				synctest.Wait()
			}
			took := time.Since(begun)
			if woken && took > 4*step || !woken && (took < 10*step || took > time.Second+step) {
				t.Errorf("woken %t: it took %s", woken, took)
			}
		}
		cancel()
		running.Wait()
	})
}

// size is how many leaves the log has.
func (r *registryLog) size(t *testing.T) int64 {
	t.Helper()
	s, err := r.store.Log().State(t.Context())
	ok(t, err)
	return s.Size
}
