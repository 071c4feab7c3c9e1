package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
)

// A modelWorker takes leases by a clock of its own.
type modelWorker struct {
	skew time.Duration
	held []custodian.Lease
}

// LeasesModel has workers with clocks that differ take leases, die, come back late, and repeat
// what was committed and not acknowledged, in an order that a seed decides. Under each fence
// there is one commit at most, only under the latest, and every publisher is looked at in the
// end. A change that takes something away and was not acknowledged is made again without a
// lease: that ends nobody's lease, and neither makes it longer nor shorter. Each step is one
// transaction of the store, so an order of steps is all there is to vary.
func LeasesModel(t *testing.T, open func(t *testing.T) custodian.Store) {
	s := open(t)
	random := rand.New(rand.NewPCG(1, 2))
	const publishers, steps = 6, 400
	var domains []custody.Domain
	for i := range publishers {
		domains = append(domains, custody.Domain(fmt.Sprintf("p%d.example", i)))
	}
	plan(t, s, custodian.Wanted, domains...)
	workers := []*modelWorker{{}, {skew: 40 * time.Second}, {skew: -3 * time.Minute}, {skew: 10 * time.Minute}}
	now := day0
	newest, committed, revision := map[string]int64{}, map[string]int64{}, map[string]int64{}
	look := func(l custodian.Lease) {
		c := looked(now, &l)
		c.Publisher.Domain, c.Publisher.Revision = custody.Domain(l.Name), revision[l.Name]
		c.Publisher.FreshUntil = now // due again soon
		err := s.Commit(t.Context(), c)
		good := l.Fence == newest[l.Name] && committed[l.Name] < l.Fence
		switch {
		case err == nil && !good:
			t.Fatalf("%s was committed under fence %d; the latest is %d, and %d was used", l.Name, l.Fence, newest[l.Name], committed[l.Name])
		case err == nil:
			committed[l.Name] = l.Fence
			revision[l.Name]++
		case good || !errors.Is(err, custodian.ErrFenced):
			t.Fatalf("%s under fence %d: %v", l.Name, l.Fence, err)
		}
	}
	leased := func() map[string]time.Time {
		until := map[string]time.Time{}
		for _, task := range got[[]custodian.Task](t)(s.Due(t.Context(), day0.AddDate(9, 0, 0), publishers)) {
			if name := string(task.Publisher); newest[name] > committed[name] {
				until[name] = task.Due
			}
		}
		return until
	}
	redo := func(domain custody.Domain) {
		before := leased()
		c := looked(now, nil)
		c.Publisher.Domain, c.Publisher.Revision, c.Publisher.FreshUntil = domain, revision[string(domain)], now
		commit(t, s, c)
		revision[string(domain)]++
		want(t, leased(), before)
	}
	for range steps {
		now = now.Add(time.Duration(random.IntN(30)) * time.Second)
		w := workers[random.IntN(len(workers))]
		switch random.IntN(9) {
		case 0, 1, 2:
			for _, task := range take(t, s, now.Add(w.skew), 1+random.IntN(3)) {
				if task.Lease.Fence <= newest[task.Lease.Name] {
					t.Fatalf("%s has fence %d after %d", task.Lease.Name, task.Lease.Fence, newest[task.Lease.Name])
				}
				newest[task.Lease.Name] = task.Lease.Fence
				w.held = append(w.held, task.Lease)
			}
		case 3:
			w.held = nil // it dies
		case 4:
			good := got[[]custodian.Lease](t)(s.Extend(t.Context(), w.held, now.Add(w.skew+time.Minute)))
			w.held = good
		case 5:
			redo(domains[random.IntN(publishers)])
		default:
			if len(w.held) == 0 {
				continue
			}
			// A lease is not forgotten after its commit: the answer may be lost, or the worker
			// may have slept since it began.
			look(w.held[random.IntN(len(w.held))])
		}
	}
	// One that does what it should ends what the others have left.
	for range 3 {
		now = now.Add(3 * time.Hour)
		for _, task := range take(t, s, now, 99) {
			newest[task.Lease.Name] = task.Lease.Fence
			look(task.Lease)
		}
	}
	for _, domain := range domains {
		if committed[string(domain)] != newest[string(domain)] {
			t.Errorf("%s was last looked at under fence %d of %d", domain, committed[string(domain)], newest[string(domain)])
		}
	}
}
