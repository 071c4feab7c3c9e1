package custodian

import (
	"context"
	"time"

	"github.com/avow-project/avow/internal/std/hostname"
)

// idle is how long the store is not asked when nothing is due.
func (w *watcher) idle() time.Duration {
	if len(w.o.Publishers) == 0 {
		return takeIdle
	}
	return watchIdle
}

// add takes up a task. It returns false for one that was taken from the store and is not
// taken up, because many of its site wait or it is known: its lease is good for nothing.
func (w *watcher) add(t Task, filed bool, now time.Time) bool {
	if t.Lease.Name == "" {
		w.schedule.add(t, filed, now)
		return true
	}
	if w.schedule.known[t.name()] || !w.o.Once && w.schedule.waiting(t.site()) >= siteMost {
		return false
	}
	w.held[t.name()] = &tenure{Lease: t.Lease}
	w.schedule.add(t, filed, now)
	return true
}

// putOff gives tasks back that there is no place for, until those before them are done or
// their site is free.
func (w *watcher) putOff(ctx context.Context, leases []Lease) {
	if len(leases) > 0 {
		w.release(ctx, leases, w.k.now().Add(siteMost*siteEvery))
		w.later = time.Now().Add(siteMost*siteEvery + 2*takeIdle)
	}
}

// release gives leases back. One that cannot be given back ends by itself.
func (w *watcher) release(ctx context.Context, leases []Lease, at time.Time) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	err := w.k.config.Store.Release(ctx, leases, at)
	if err != nil {
		w.k.config.Log.WarnContext(ctx, "cannot give back what was due", "tasks", len(leases), "error", err)
	}
}

// finish ends the lease of a task, if it has one. What was not committed is due again by its
// records, and not at once.
func (w *watcher) finish(t Task, failed bool) bool {
	held := w.held[t.name()]
	if held == nil {
		return false
	}
	delete(w.held, t.name())
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	failed, wished := failed || held.lost.Load(), !held.Wish.IsZero()
	switch {
	case held.refused.Load():
		w.release(ctx, []Lease{held.Lease}, w.k.now().Add(refusedPause))
		return true
	case !held.done.Load() && (failed || !wished):
		w.release(ctx, []Lease{held.Lease}, w.next(ctx, t))
		return true
	case !held.done.Load():
		w.release(ctx, []Lease{held.Lease}, w.k.now().Add(taskPause))
	}
	if wished && !failed {
		w.attempted(ctx, t)
	}
	return true
}

// next returns when a task is due again that nothing came of.
func (w *watcher) next(ctx context.Context, t Task) time.Time {
	soon := w.k.now().Add(taskPause)
	if t.Class == Named {
		soon = w.k.now().Add(namedPause)
	}
	due, err := w.byRecords(ctx, t)
	if err != nil || due.Before(soon) {
		return soon
	}
	return due
}

// byRecords returns when a task is due by its records.
func (w *watcher) byRecords(ctx context.Context, t Task) (time.Time, error) {
	if t.URL != "" {
		f, _, err := w.k.brief(ctx, t.URL)
		if err != nil {
			return time.Time{}, err
		}
		return FileDue(f), nil
	}
	p, err := w.k.publisher(ctx, t.Publisher)
	switch {
	case err != nil:
		return time.Time{}, err
	case !ownPlace(p):
		return PublisherDue(p, p.TriedAt), nil
	}
	f, _, err := w.k.brief(ctx, p.Location.URL)
	if err != nil {
		return time.Time{}, err
	}
	return Due(p, f, p.TriedAt), nil
}

// giveUp gives back the leases of what was not begun, so that another process goes on with it.
func (w *watcher) giveUp() {
	var all []Lease
	for _, held := range w.held {
		if !held.done.Load() {
			all = append(all, held.Lease)
		}
	}
	if len(all) > 0 {
		w.release(context.Background(), all, w.k.now())
	}
	w.freeSites(context.Background(), true)
	clear(w.held)
	w.schedule = newSchedule()
}

// extend makes leases longer in good time. What others have by now is not begun.
func (w *watcher) extend(ctx context.Context) {
	now := w.k.now() // the clock of leases, which may be set back
	if w.extended.IsZero() || len(w.held) == 0 {
		w.extended = now
	}
	if now.Sub(w.extended).Abs() < w.o.Lease/3 {
		return
	}
	w.extended = now
	at, err := w.k.moment(ctx)
	if err != nil {
		return
	}
	var all []Lease
	for _, held := range w.held {
		all = append(all, held.Lease)
	}
	err = w.keepSites(ctx, at.Late, at.Late.Add(2*w.o.Lease))
	if err != nil {
		w.k.config.Log.WarnContext(ctx, "cannot keep others from asking sites", "error", err)
	}
	good, err := w.k.config.Store.Extend(ctx, all, at.Late.Add(w.o.Lease))
	if err != nil {
		w.k.config.Log.WarnContext(ctx, "cannot go on with what was due", "error", err)
		return
	}
	still := make(map[string]bool, len(good))
	for _, l := range good {
		still[l.Name] = true
	}
	for _, held := range w.held {
		if !still[held.Name] {
			held.lost.Store(true)
		}
	}
}

// A Naming is a file that names publishers.
type Naming struct {
	URL     string
	Domains []hostname.Domain
}

// PlanNamed has publishers looked at that files name and of whom nothing is known: perFile of
// each at most, and no more than keep total waiting. It returns how many that are.
func (k *Keeper) PlanNamed(ctx context.Context, files []Naming, perFile, total int) (int, error) {
	if len(files) == 0 {
		return 0, nil
	}
	waiting, err := k.config.Store.NamedWaiting(ctx, total)
	if err != nil {
		return 0, unavailable(ctx, err)
	}
	added := 0
	for _, f := range files {
		room := min(perFile, total-waiting-added)
		if room <= 0 {
			break
		}
		n, err := k.config.Store.PlanNamed(ctx, f.URL, f.Domains, k.now(), room)
		added += n
		if err != nil {
			return added, unavailable(ctx, err)
		}
	}
	return added, nil
}

// Plan has publishers looked at that are not known, and returns how many that are.
func (k *Keeper) Plan(ctx context.Context, domains []hostname.Domain) (int, error) {
	n, err := k.config.Store.Plan(ctx, domains, Wanted, k.now())
	if err != nil {
		return n, unavailable(ctx, err)
	}
	return n, nil
}

// untakenFor is how long something may be due before it is reported as unattended.
const untakenFor = 5 * time.Minute

// Unattended reports whether no process fetches publishers: something has been due for a
// while, and no lease is held.
func (k *Keeper) Unattended(ctx context.Context) (bool, error) {
	now := k.now()
	alone, err := k.config.Store.Untaken(ctx, now.Add(-untakenFor), now, 2*defaultLease)
	if err != nil {
		return false, unavailable(ctx, err)
	}
	return alone, nil
}

// Overdue returns how much is due, of publishers or of everything.
func (k *Keeper) Overdue(ctx context.Context, publishers ...hostname.Domain) (int, error) {
	at, err := k.moment(ctx)
	if err != nil {
		return 0, err
	}
	if len(publishers) > 0 {
		w := &watcher{k: k, o: WatchOptions{Publishers: publishers}}
		tasks, err := w.tasks(ctx, at)
		return len(tasks), err
	}
	n, err := k.config.Store.Waiting(ctx, at.Late)
	if err != nil {
		return 0, unavailable(ctx, err)
	}
	return n, nil
}
