package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
)

// names are those of tasks, in alphabetical order.
func names(tasks []custodian.Task) []string {
	var all []string
	for i := range tasks {
		all = append(all, tasks[i].Lease.Name)
	}
	slices.Sort(all)
	return all
}

var leaseTests = map[string]func(*testing.T, keeping){
	"hold whatever the order": LeasesModel,
	"are given out once": func(t *testing.T, open keeping) {
		s := open(t)
		want(t, plan(t, s, custodian.Wanted, "b.example", "a.example", "b.example"), 2)
		want(t, plan(t, s, custodian.Wanted, "a.example"), 0)
		want(t, len(take(t, s, day0.Add(-time.Microsecond), 9)), 0)
		tasks := take(t, s, day0, 9)
		want(t, names(tasks), []string{"a.example", "b.example"})
		want(t, tasks[0].Lease.Fence, int64(1))
		want(t, tasks[0].Class, custodian.Wanted)
		want(t, len(take(t, s, day0.Add(59*time.Second), 9)), 0)
	},
	"of those who died are given out again, for longer each time": func(t *testing.T, open keeping) {
		s := open(t)
		plan(t, s, custodian.Wanted, "a.example")
		at := day0
		for i, minutes := range []int{1, 2, 4, 8, 16, 32, 64, 64, 64} {
			tasks := take(t, s, at, 9)
			want(t, len(tasks), 1)
			want(t, tasks[0].Lease.Fence, int64(i+1))
			at = at.Add(time.Duration(minutes) * time.Minute)
			want(t, len(take(t, s, at.Add(-time.Microsecond), 9)), 0)
		}
		l := take(t, s, at, 9)[0].Lease
		commit(t, s, looked(at, &l))
		at = at.Add(101 * time.Hour)
		want(t, len(take(t, s, at, 9)), 1)
		want(t, len(take(t, s, at.Add(time.Minute), 9)), 1)
	},
	"end with the change": func(t *testing.T, open keeping) {
		s := open(t)
		plan(t, s, custodian.Wanted, "a.example")
		l := take(t, s, day0, 9)[0].Lease
		commit(t, s, looked(day0, &l))
		want(t, len(take(t, s, day0.Add(time.Hour), 9)), 0)
		again := looked(day0, &l)
		again.Publisher.Revision = 1
		want(t, errors.Is(s.Commit(t.Context(), again), custodian.ErrFenced), true)
		want(t, len(got[[]custodian.Lease](t)(s.Extend(t.Context(), []custodian.Lease{l}, day0.Add(time.Hour)))), 0)
		ok(t, s.Release(t.Context(), []custodian.Lease{l}, day0))
		want(t, len(take(t, s, day0.Add(time.Hour), 9)), 0)
	},
	"that are over keep a late change out, of any record": func(t *testing.T, open keeping) {
		s := open(t)
		plan(t, s, custodian.Wanted, "a.example")
		zombie := take(t, s, day0, 9)[0].Lease
		heir := take(t, s, day0.Add(2*time.Minute), 9)[0].Lease
		late := looked(day0, &zombie)
		late.Events = []custody.Event{event("late", custody.Alert, "a.example", "")}
		want(t, errors.Is(s.Commit(t.Context(), late), custodian.ErrFenced), true)
		fileOnly := &custodian.Change{Files: []*custody.File{file(fileURL)}, Lease: &zombie}
		want(t, errors.Is(s.Commit(t.Context(), fileOnly), custodian.ErrFenced), true)
		want(t, len(got[[]custody.NumberedEvent](t)(s.Events(t.Context(), custodian.EventFilter{}, 0, 9))), 0)
		_, err := s.Publisher(t.Context(), "a.example")
		want(t, errors.Is(err, custodian.ErrNotFound), true)
		commit(t, s, &custodian.Change{Files: []*custody.File{file(fileURL)}, Lease: &heir})
		commit(t, s, looked(day0, &heir))
	},
	"of files end with the file": func(t *testing.T, open keeping) {
		s := open(t)
		f := file(fileURL)
		commit(t, s, &custodian.Change{Files: []*custody.File{f}})
		l := take(t, s, day0.AddDate(1, 0, 0), 9)[0].Lease
		want(t, l.Name, custodian.FileKey(fileURL))
		commit(t, s, &custodian.Change{Files: []*custody.File{revisedFile(f, 1)}, Lease: &l})
		err := s.Commit(t.Context(), &custodian.Change{Files: []*custody.File{revisedFile(f, 2)}, Lease: &l})
		want(t, errors.Is(err, custodian.ErrFenced), true)
	},
	"are not ended by others": func(t *testing.T, open keeping) {
		s := open(t)
		plan(t, s, custodian.Wanted, "a.example")
		l := take(t, s, day0, 9)[0].Lease
		commit(t, s, looked(day0, nil))
		c := looked(day0, &l)
		c.Publisher.Revision = 1
		commit(t, s, c)
	},
	"last longer when they are extended": func(t *testing.T, open keeping) {
		s := open(t)
		plan(t, s, custodian.Wanted, "a.example", "b.example")
		tasks := take(t, s, day0, 9)
		lost := tasks[1].Lease
		lost.Fence--
		good := got[[]custodian.Lease](t)(s.Extend(t.Context(), []custodian.Lease{tasks[0].Lease, lost}, day0.Add(time.Hour)))
		want(t, good, []custodian.Lease{tasks[0].Lease})
		want(t, names(take(t, s, day0.Add(30*time.Minute), 9)), []string{tasks[1].Lease.Name})
	},
	"are given back": func(t *testing.T, open keeping) {
		s := open(t)
		plan(t, s, custodian.Wanted, "a.example")
		l := take(t, s, day0, 9)[0].Lease
		ok(t, s.Release(t.Context(), []custodian.Lease{l}, day0.Add(time.Second)))
		want(t, errors.Is(s.Commit(t.Context(), looked(day0, &l)), custodian.ErrFenced), true)
		want(t, len(take(t, s, day0, 9)), 0)
		want(t, len(take(t, s, day0.Add(time.Second), 9)), 1)
		want(t, len(take(t, s, day0.Add(time.Minute), 9)), 0)
	},
	"leave a share to names, and no more": func(t *testing.T, open keeping) {
		s := open(t)
		for i := range 400 {
			plan(t, s, custodian.Named, custody.Domain(fmt.Sprintf("n%d.example", i)))
			plan(t, s, custodian.Wanted, custody.Domain(fmt.Sprintf("w%d.example", i)))
		}
		count := map[custodian.Class]int{}
		for range 4 {
			for _, task := range take(t, s, day0, 64) {
				count[task.Class]++
			}
		}
		if n := count[custodian.Named]; n < 4 || n > 128 || n+count[custodian.Wanted] != 256 {
			t.Errorf("%d names, %d others", n, count[custodian.Wanted])
		}
		// Somebody known names one of them.
		want(t, plan(t, s, custodian.Wanted, "n399.example"), 1)
	},
	"of names are for those of whom nothing is known": func(t *testing.T, open keeping) {
		s := open(t)
		planNamed := func(url string, most int, domains ...custody.Domain) int {
			t.Helper()
			return got[int](t)(s.PlanNamed(t.Context(), url, domains, day0, most))
		}
		want(t, planNamed(fileURL, 9, "a.example"), 0) // nobody has asked about the file
		commit(t, s, &custodian.Change{Files: []*custody.File{file(fileURL)}})
		commit(t, s, looked(day0, nil))
		plan(t, s, custodian.Wanted, "b.example")
		want(t, planNamed(fileURL, 9, "c.example", "b.example", "a.example", "c.example", "d.example"), 2)
		want(t, planNamed(fileURL, 9, "c.example", "d.example"), 0)
		var many []custody.Domain
		for i := range 2000 {
			many = append(many, custody.Domain(fmt.Sprintf("n%d.example", i)))
		}
		want(t, planNamed(fileURL, 700, many...), 700)
		want(t, planNamed(fileURL, 700, many...), 700) // others
		want(t, got[int](t)(s.NamedWaiting(t.Context(), 9999)), 1402)
		want(t, got[int](t)(s.NamedWaiting(t.Context(), 100)), 100)
		guest := "https://guest.example/.well-known/adagents.json"
		commit(t, s, &custodian.Change{Files: []*custody.File{file(guest)}, Asker: custodian.Stranger})
		want(t, planNamed(guest, 9, "x.example"), 0)
	},
	"of names stay with guests that have a file": func(t *testing.T, open keeping) {
		s := open(t)
		commit(t, s, &custodian.Change{Files: []*custody.File{file(fileURL)}})
		named := func() *custodian.Lease {
			t.Helper()
			want(t, got[int](t)(s.PlanNamed(t.Context(), fileURL, []custody.Domain{"a.example"}, day0, 9)), 1)
			for _, task := range take(t, s, day0, 9) {
				if task.Lease.Name == "a.example" {
					return &task.Lease
				}
			}
			t.Fatal("it is not due")
			return nil
		}
		with := looked(day0, named())
		with.Asker = custodian.Stranger
		commit(t, s, with)
		want(t, got[int](t)(s.NamedWaiting(t.Context(), 9)), 1)
		again := looked(day0, nil) // an anonymous caller asks
		again.Asker, again.Publisher.Revision = custodian.Stranger, 1
		commit(t, s, again)
		want(t, got[int](t)(s.NamedWaiting(t.Context(), 9)), 1)
		var l *custodian.Lease
		for _, task := range take(t, s, day0.Add(101*time.Hour), 9) {
			if task.Lease.Name == "a.example" {
				l = &task.Lease
			}
		}
		without := looked(day0.Add(101*time.Hour), l)
		without.Asker, without.Publisher.Revision, without.Publisher.Location = custodian.Stranger, 2, custody.Location{}
		commit(t, s, without)
		want(t, got[int](t)(s.NamedWaiting(t.Context(), 9)), 0)
	},
	"of sites are given to one": func(t *testing.T, open keeping) {
		s := open(t)
		hold := func(holder string, at time.Time, sites ...string) map[string]time.Time {
			t.Helper()
			return got[map[string]time.Time](t)(s.HoldSites(t.Context(), holder, sites, at, at.Add(time.Minute)))
		}
		none := time.UnixMicro(0).UTC()
		want(t, hold("one", day0, "a.example", "b.example"), map[string]time.Time{"a.example": none, "b.example": none})
		want(t, hold("two", day0.Add(time.Second), "b.example", "c.example"), map[string]time.Time{"c.example": none})
		want(t, len(hold("one", day0.Add(time.Second), "a.example")), 1)
		rested := day0.Add(9 * time.Second)
		ok(t, s.FreeSites(t.Context(), "two", map[string]time.Time{"b.example": rested}, day0))
		want(t, len(hold("two", day0.Add(time.Second), "b.example")), 0)
		ok(t, s.FreeSites(t.Context(), "one", map[string]time.Time{"b.example": rested}, day0))
		want(t, hold("two", day0.Add(time.Second), "b.example"), map[string]time.Time{"b.example": rested})
		want(t, len(hold("two", day0.Add(time.Hour), "a.example")), 1)
		many := []string{"b.example"}
		for i := range 350 { // with the one above, 256+64+16+8+4+2+1: statements of all sizes
			many = append(many, fmt.Sprintf("s%d.example", i))
		}
		held := hold("three", day0.Add(time.Second), many...)
		want(t, len(held), 350)
		want(t, held["s349.example"], none)
	},
	"are given to one of many": func(t *testing.T, open keeping) {
		s := open(t)
		var all []custody.Domain
		for i := range 300 {
			all = append(all, custody.Domain(fmt.Sprintf("p%d.example", i)))
		}
		want(t, plan(t, s, custodian.Wanted, all...), 300)
		var mu sync.Mutex
		taken := map[string]int{}
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for range 100 {
					tasks, err := s.Take(t.Context(), day0, time.Minute, 10)
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					for i := range tasks {
						taken[tasks[i].Lease.Name]++
					}
					mu.Unlock()
				}
			})
		}
		group.Wait()
		want(t, len(taken), 300)
		for name, n := range taken {
			if n != 1 {
				t.Errorf("%s was given out %d times", name, n)
			}
		}
	},
}
