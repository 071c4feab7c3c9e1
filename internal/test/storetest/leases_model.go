package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/service/custodian"
)

// A modelWorker takes leases by a clock of its own.
type modelWorker struct {
	skew time.Duration
	held []custodian.Lease
}

// leasesModel has workers with clocks that differ take leases, die, come back late, and repeat
// what was committed and not acknowledged, in an order that a seed decides. Under each fence
// there is one commit at most, only under the latest, and every publisher is looked at in the
// end. Each step is one transaction of the store, so an order of steps is all there is to
// vary.
func leasesModel(t *testing.T, open keeping) {
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
	for range steps {
		now = now.Add(time.Duration(random.IntN(30)) * time.Second)
		w := workers[random.IntN(len(workers))]
		switch random.IntN(8) {
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
