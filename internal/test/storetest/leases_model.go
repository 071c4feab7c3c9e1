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

// A leasesModel knows what a store must say about leases.
type leasesModel struct {
	t                           *testing.T
	s                           custodian.Store
	now                         time.Time
	newest, committed, revision map[string]int64
}

// look commits a look under a lease, which works once, and only under the latest.
func (m *leasesModel) look(l custodian.Lease) {
	c := looked(m.now, &l)
	c.Publisher.Domain, c.Publisher.Revision = custody.Domain(l.Name), m.revision[l.Name]
	c.Publisher.FreshUntil = m.now // due again soon
	err := m.s.Commit(m.t.Context(), c)
	good := l.Fence == m.newest[l.Name] && m.committed[l.Name] < l.Fence
	switch {
	case err == nil && !good:
		m.t.Fatalf("%s was committed under fence %d; the latest is %d, and %d was used", l.Name, l.Fence, m.newest[l.Name],
			m.committed[l.Name])
	case err == nil:
		m.committed[l.Name] = l.Fence
		m.revision[l.Name]++
	case good || !errors.Is(err, custodian.ErrFenced):
		m.t.Fatalf("%s under fence %d: %v", l.Name, l.Fence, err)
	}
}

// leased says until when publishers are leased.
func (m *leasesModel) leased() map[string]time.Time {
	until := map[string]time.Time{}
	for _, task := range got[[]custodian.Task](m.t)(m.s.Due(m.t.Context(), day0.AddDate(9, 0, 0), 99)) {
		if name := string(task.Publisher); m.newest[name] > m.committed[name] {
			until[name] = task.Due
		}
	}
	return until
}

// redo commits a look without a lease, which changes no lease.
func (m *leasesModel) redo(domain custody.Domain) {
	before := m.leased()
	c := looked(m.now, nil)
	c.Publisher.Domain, c.Publisher.Revision, c.Publisher.FreshUntil = domain, m.revision[string(domain)], m.now
	commit(m.t, m.s, c)
	m.revision[string(domain)]++
	want(m.t, m.leased(), before)
}

// take takes leases by the clock of a worker.
func (m *leasesModel) take(skew time.Duration, limit int) []custodian.Lease {
	var leases []custodian.Lease
	for _, task := range take(m.t, m.s, m.now.Add(skew), limit) {
		if task.Lease.Fence <= m.newest[task.Lease.Name] {
			m.t.Fatalf("%s has fence %d after %d", task.Lease.Name, task.Lease.Fence, m.newest[task.Lease.Name])
		}
		m.newest[task.Lease.Name] = task.Lease.Fence
		leases = append(leases, task.Lease)
	}
	return leases
}

// LeasesModel has workers with clocks that differ take leases, die, come back late, and repeat
// what was committed and not acknowledged, in an order that a seed decides. Under each fence
// there is one commit at most, only under the latest, and every publisher is looked at in the
// end. A change that takes something away and was not acknowledged is made again without a
// lease: that neither ends a lease nor changes its length. Each step is one transaction of the
// store, so an order of steps is all there is to vary.
func LeasesModel(t *testing.T, open func(t *testing.T) custodian.Store) {
	m := &leasesModel{t: t, s: open(t), now: day0, newest: map[string]int64{}, committed: map[string]int64{},
		revision: map[string]int64{}}
	random := rand.New(rand.NewPCG(1, 2))
	const publishers, steps = 6, 400
	var domains []custody.Domain
	for i := range publishers {
		domains = append(domains, custody.Domain(fmt.Sprintf("p%d.example", i)))
	}
	plan(t, m.s, custodian.Wanted, domains...)
	workers := []*modelWorker{{}, {skew: 40 * time.Second}, {skew: -3 * time.Minute}, {skew: 10 * time.Minute}}
	for range steps {
		m.now = m.now.Add(time.Duration(random.IntN(30)) * time.Second)
		w := workers[random.IntN(len(workers))]
		switch random.IntN(9) {
		case 0, 1, 2:
			w.held = append(w.held, m.take(w.skew, 1+random.IntN(3))...)
		case 3:
			w.held = nil // it dies
		case 4:
			w.held = got[[]custodian.Lease](t)(m.s.Extend(t.Context(), w.held, m.now.Add(w.skew+time.Minute)))
		case 5:
			m.redo(domains[random.IntN(publishers)])
		default:
			if len(w.held) == 0 {
				continue
			}
			// A lease is not forgotten after its commit: the answer may be lost, or the worker
			// may have slept since it began.
			m.look(w.held[random.IntN(len(w.held))])
		}
	}
	// One that does what it should ends what the others have left.
	for range 3 {
		m.now = m.now.Add(3 * time.Hour)
		for _, lease := range m.take(0, 99) {
			m.look(lease)
		}
	}
	for _, domain := range domains {
		if m.committed[string(domain)] != m.newest[string(domain)] {
			t.Errorf("%s was last looked at under fence %d of %d", domain, m.committed[string(domain)], m.newest[string(domain)])
		}
	}
}

// take takes what is due at a time, by the names.
func take(t *testing.T, s custodian.Store, at time.Time, limit int) []custodian.Task {
	t.Helper()
	return got[[]custodian.Task](t)(s.Take(t.Context(), at, time.Minute, limit))
}

// plan adds publishers that are due at day0.
func plan(t *testing.T, s custodian.Store, class custodian.Class, domains ...custody.Domain) int {
	t.Helper()
	return got[int](t)(s.Plan(t.Context(), domains, class, day0))
}

// looked is the change that a look at a.example makes, under a lease.
func looked(at time.Time, l *custodian.Lease) *custodian.Change {
	return &custodian.Change{Publisher: &custody.Publisher{
		Domain: "a.example", TriedAt: at, ConfirmedAt: at, FreshUntil: at.Add(100 * time.Hour),
		Location: custody.Location{Method: custody.AuthoritativeLocation, URL: fileURL},
	}, Lease: l}
}
