package custodian

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/patience"
	"github.com/avow-project/avow/internal/std/clock"
	"github.com/avow-project/avow/internal/std/hostname"
)

// WatchOptions say whom to watch.
type WatchOptions struct {
	// Publishers are domains; none means all that are known.
	Publishers []hostname.Domain
	// Once asks those who are due, and then returns.
	Once bool
	// Force begins with asking everybody, due or not, for everything as a whole and past all
	// caches, as after an old copy of the store was put back.
	Force bool
	// Parallel is how many are asked at the same time. Zero means 8.
	Parallel int
	// Lease is how long a task taken from the store is reserved for this watcher, unless it
	// is done or renewed. Zero means a minute.
	Lease time.Duration
	// Done is called at the end of a task, with whether nothing could be fetched; nil if
	// not counted.
	Done func(failed bool)
}

// Limits of Watch.
const (
	defaultParallel = 8
	defaultLease    = time.Minute
	// watchBatch is how many tasks are taken from the store at once, and watchMost is how
	// many may wait. What is due beyond that is taken up when some are done. Those of the store are
	// taken as there are workers for them: the lease of one that waits would keep others from it.
	// Only where nothing could be begun of what was taken, twice as many are taken the next time.
	watchBatch, watchMost = 256, 50_000
	// mostVain is how many times in a row it is filled up although nothing can be begun, before
	// what has ended is looked after.
	mostVain = 8
	// manyTasks is the number of tasks under way from which on what they find is saved together.
	manyTasks = 16
	// siteMost is how many tasks of one site may wait here; others are put off.
	siteMost = 16
	// watchIdle is the longest pause before the records of those who are watched by name are
	// read again, and takeIdle that before the store is asked for what is due.
	watchIdle, takeIdle = 15 * time.Second, 2 * time.Second
	// watchRetry and watchRetryMost bound the pause after the store has failed.
	watchRetry, watchRetryMost = time.Second, time.Minute
	// taskPause is how long a task is left alone after it was done: whatever comes of it,
	// it does not come again at once.
	taskPause = time.Minute
	// namedPause is the same for one that only a file has named, and refusedPause when there
	// was no room for it.
	namedPause, refusedPause = time.Hour, 24 * time.Hour
	// taskRequests is more than a task can send: requests are counted with it.
	taskRequests = 1 << 20
)

// Watch asks for what is due, again and again until the context ends, and then returns
// nil. A store that fails is tried again after a while. With Once it returns its error,
// and so it does while Force is not done.
func (k *Keeper) Watch(ctx context.Context, o WatchOptions) error {
	if len(o.Publishers) == 0 {
		ctx = AskedBy(ctx, Scheduled)
	}
	if o.Parallel <= 0 {
		o.Parallel = defaultParallel
	}
	if o.Lease <= 0 {
		o.Lease = defaultLease
	}
	w := &watcher{k: k, o: o, name: rand.Text(), sites: make(map[string]bool), done: make(map[string]time.Time),
		schedule: newSchedule(), held: make(map[string]*tenure), ended: make(chan ending, o.Parallel)}
	if o.Force {
		err := w.everybody(ctx)
		if err != nil {
			return err
		}
	}
	if o.Once {
		return w.work(ctx)
	}
	for ctx.Err() == nil {
		err := w.work(ctx)
		if ctx.Err() == nil {
			k.config.Log.ErrorContext(ctx, "cannot watch publishers", "error", err)
			clock.Pause(ctx, w.pause)
			w.pause = min(2*w.pause, watchRetryMost)
		}
	}
	return nil
}

// A watcher is a Watch under way.
type watcher struct {
	k *Keeper
	o WatchOptions
	// name identifies this watcher among those that share the store, and sites are the ones
	// reserved for it at present.
	name  string
	sites map[string]bool

	// done has when a task was done last.
	done     map[string]time.Time
	schedule *schedule
	// running is how many tasks are under way, and ended tells how they end.
	running int
	ended   chan ending
	// before is set while everybody is asked for what was obtained before that time.
	before time.Time
	// held are the leases of tasks that wait or are under way, and extended is when they were
	// last made longer.
	held     map[string]*tenure
	extended time.Time
	// load is when the store is asked again, and more is set when it had more than was
	// asked for.
	load time.Time
	more bool
	// taken is how many tasks were taken up, and vain how many times in a row nothing could be begun of what was taken.
	taken, vain int
	// later is when what was put off has been due for a while.
	later time.Time
	// pause is how long nothing is done when the store fails next.
	pause time.Duration
}

// An ending is the end of a task, with the number of requests that it took.
type ending struct {
	task     Task
	requests int
	failed   bool // with Done alone
	err      error
}

// everybody asks all publishers. A file that several share is asked for once.
func (w *watcher) everybody(ctx context.Context) error {
	at, err := w.k.moment(ctx)
	if err != nil {
		return err
	}
	w.before = at.Early
	defer func() { w.before = time.Time{} }()
	now := time.Now()
	add := func(p *custody.Publisher) error {
		w.schedule.add(Task{Publisher: p.Domain, Due: p.Due()}, p.Location != (custody.Location{}), now)
		return ctx.Err()
	}
	if len(w.o.Publishers) == 0 {
		err = w.k.config.Store.Publishers(ctx, "", add)
		if err != nil {
			return unavailable(ctx, err)
		}
	}
	for _, domain := range w.o.Publishers {
		p, err := w.k.publisher(ctx, domain)
		if err != nil {
			return err
		}
		_ = add(p) // the context ends what follows
	}
	ctx, cancel := context.WithCancel(context.WithValue(ctx, everybodyKey, true))
	defer w.stop(cancel)
	for !w.schedule.empty() {
		w.begin(ctx)
		err := w.wait(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// stop gives up the tasks that are under way.
func (w *watcher) stop(cancel context.CancelFunc) {
	cancel()
	for w.running > 0 {
		_ = w.end(<-w.ended)
	}
	w.giveUp()
}

// work does what is due, until the store fails or the context ends. With Once it ends when
// nothing is left.
func (w *watcher) work(ctx context.Context) error {
	w.pause = max(w.pause, watchRetry)
	ctx, cancel := context.WithCancel(ctx)
	defer w.stop(cancel)
	for {
		err := w.fillUp(ctx)
		if err != nil {
			return err
		}
		if w.o.Once && w.schedule.empty() && !time.Now().Before(w.later) {
			return nil
		}
		err = w.wait(ctx)
		if err != nil {
			return err
		}
	}
}

// fillUp takes up what is due and begins it, until all workers have something to do or nothing
// more is found.
func (w *watcher) fillUp(ctx context.Context) error {
	for {
		before := w.taken
		err := w.fill(ctx)
		if err != nil {
			return err
		}
		w.begin(ctx)
		if w.taken == before || w.vain > mostVain || len(w.o.Publishers) > 0 {
			return nil
		}
	}
}

// free is how many workers have nothing to do.
func (w *watcher) free() int { return w.o.Parallel - w.running - w.schedule.ready.Len() }

// fill takes up what is due: now and then, when nothing is left, and while there is more
// and some workers have nothing to do.
func (w *watcher) fill(ctx context.Context) error {
	now := time.Now()
	w.schedule.settle(now)
	switch {
	case w.o.Once && w.schedule.empty():
	case !w.o.Once && !now.Before(w.load):
	case w.more && w.free() > w.o.Parallel/8 && len(w.schedule.known) < watchMost:
	default:
		return nil
	}
	if w.free() <= 0 && len(w.o.Publishers) == 0 {
		w.load, w.more = now.Add(w.idle()), true
		return nil
	}
	w.freeSites(ctx, false)
	w.schedule.forget(now)
	tasks, err := w.due(ctx)
	if err != nil {
		return err
	}
	w.load = now.Add(w.idle())
	w.taken += len(tasks)
	w.vain++
	var put []Lease
	free, err := w.holdSites(ctx, tasks, now)
	if err != nil {
		return err
	}
	for _, t := range tasks {
		if t.Lease.Name != "" && !free[t.site()] {
			put = append(put, t.Lease)
			continue
		}
		filed := t.filed || t.Lease.Name != "" && t.Class <= Wanted
		if !w.add(t, filed, now) {
			put = append(put, t.Lease)
		}
	}
	w.putOff(ctx, put)
	if w.schedule.ready.Len() > 0 || len(tasks) == 0 {
		w.vain = 0
	}
	if len(tasks) == 0 {
		w.pause = watchRetry
	}
	return nil
}

// begin begins as many tasks as there are workers.
func (w *watcher) begin(ctx context.Context) {
	for w.running < w.o.Parallel {
		t, ok := w.schedule.next(time.Now())
		if !ok {
			return
		}
		w.running++
		ctx := ctx
		if w.running >= manyTasks {
			ctx = patience.With(ctx) // no caller waits for one of many
		}
		held := w.held[t.name()]
		go func() {
			counted, saved := withSaved(under(fetch.WithBudget(ctx, taskRequests), held))
			before, _ := fetch.BudgetLeft(counted)
			var err error
			if held == nil || !held.lost.Load() {
				w.announce(ctx, held)
				err = w.do(counted, t)
				if held != nil {
					held.lost.CompareAndSwap(false, errors.Is(err, ErrFenced))
					held.refused.Store(errors.Is(err, ErrNotAdmitted))
				}
				err = w.mind(ctx, t, err)
			}
			after, _ := fetch.BudgetLeft(counted)
			failed := w.o.Done != nil && (err != nil || w.failing(ctx, t, saved.Load()))
			w.ended <- ending{task: t, requests: before - after, failed: failed, err: err}
		}()
	}
}

// end takes note of the end of a task. Only the store and the context can fail.
func (w *watcher) end(e ending) error {
	w.running--
	w.schedule.done(e.task, e.requests, time.Now())
	if !w.finish(e.task, e.err != nil) {
		w.done[e.task.name()] = w.k.now()
	}
	if w.o.Done != nil {
		w.o.Done(e.failed)
	}
	if e.err == nil {
		w.pause = watchRetry
	}
	return e.err
}

// failing reports whether what a task is about cannot be fetched, by its record. That is the
// one that the task has saved, if there is one.
func (w *watcher) failing(ctx context.Context, t Task, saved *custody.Publisher) bool {
	if t.URL != "" {
		f, _, err := w.k.brief(ctx, t.URL)
		return err != nil || !f.FailingSince.IsZero()
	}
	if saved != nil && saved.Domain == t.Publisher {
		return !saved.FailingSince.IsZero()
	}
	p, err := w.k.recentPublisher(ctx, t.Publisher, nil)
	return err != nil || !p.FailingSince.IsZero()
}

// wait waits until there may be something to do.
func (w *watcher) wait(ctx context.Context) error {
	w.extend(ctx)
	until := time.Now().Add(w.idle())
	if !w.o.Once && !w.load.IsZero() && w.load.Before(until) {
		until = w.load
	}
	at, ok := w.schedule.wake()
	if ok && w.running < w.o.Parallel && at.Before(until) {
		until = at
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case e := <-w.ended:
		return w.end(e)
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// mind returns the error of a task if it ends the watch, and logs it otherwise.
func (w *watcher) mind(ctx context.Context, t Task, err error) error {
	switch {
	case err == nil || errors.Is(err, ErrUnavailable) || ctx.Err() != nil:
		return err
	case errors.Is(err, ErrFenced):
		w.k.config.Log.DebugContext(ctx, "another process has already fetched it", "publisher", t.Publisher, "url", t.URL)
		return nil
	case errors.Is(err, ErrNotAdmitted):
		w.k.config.Log.DebugContext(ctx, "there is no room for a publisher that a file names", "publisher", t.Publisher)
		return nil
	}
	w.k.config.Log.WarnContext(ctx, "cannot ask what is due", "publisher", t.Publisher, "url", t.URL, "error", err)
	return nil
}

// do does a task, unless it was done meanwhile: the tasks of a publisher and of its own
// file are one.
func (w *watcher) do(ctx context.Context, t Task) error {
	if t.Class == Named {
		// The author of a file is a stranger to the publishers it names.
		ctx = AskedBy(ctx, Stranger)
	}
	switch {
	case !w.before.IsZero():
		p, err := w.k.publisher(ctx, t.Publisher)
		if err != nil {
			return err
		}
		return w.k.lookBefore(ctx, p, w.before)
	case t.Publisher == "":
		return w.k.askURL(ctx, t.URL)
	case t.URL == "" && !t.Lease.RequestedAt.IsZero():
		return w.k.look(ctx, t.Publisher, always)
	case !t.unknown.IsZero() && w.k.now().Sub(t.unknown).Abs() < taskPause:
		return w.k.look(ctx, t.Publisher, newcomer)
	case t.URL == "":
		return w.k.look(ctx, t.Publisher, ifDue)
	}
	p, err := w.k.publisher(ctx, t.Publisher)
	if err != nil {
		return err
	}
	return w.k.askFile(ctx, t.Publisher, p.Location, time.Time{})
}

// doubted returns the task to ask again about a record of which something could not be saved.
func (w *watcher) doubted(ctx context.Context, name string) (Task, error) {
	if strings.Contains(name, "://") {
		f, _, err := w.k.brief(ctx, name)
		return Task{URL: name, filed: err == nil && f.Hash != ""}, err
	}
	p, err := w.k.publisher(ctx, hostname.Domain(name))
	return Task{Publisher: hostname.Domain(name), filed: err == nil && p.Location != (custody.Location{})}, err
}

// due returns the tasks to do now that are not known yet.
func (w *watcher) due(ctx context.Context) ([]Task, error) {
	at, err := w.k.moment(ctx)
	if err != nil {
		return nil, err
	}
	var doubted []Task
	for _, name := range w.k.unsavedChanges.names() {
		t, err := w.doubted(ctx, name)
		if err != nil {
			return nil, err
		}
		doubted = append(doubted, t)
	}
	now := w.k.now()
	for name, t := range w.done {
		if now.Sub(t).Abs() >= taskPause {
			delete(w.done, name)
		}
	}
	tasks, err := w.tasks(ctx, at) // last: what it takes is leased
	if err != nil {
		return nil, err
	}
	tasks = append(tasks, doubted...)
	return slices.DeleteFunc(tasks, func(t Task) bool {
		if t.Lease.Name != "" {
			return false
		}
		_, done := w.done[t.name()]
		return done || w.schedule.known[t.name()]
	}), nil
}

// tasks returns what is due by the records.
func (w *watcher) tasks(ctx context.Context, at custody.Moment) ([]Task, error) {
	if len(w.o.Publishers) == 0 {
		tasks, err := w.k.config.Store.Take(ctx, at.Late, w.o.Lease, min(max(1, w.free())<<min(w.vain, 8), watchBatch))
		if err != nil {
			return nil, unavailable(ctx, err)
		}
		w.more = len(tasks) > 0
		return tasks, nil
	}
	var tasks []Task
	left := slices.DeleteFunc(slices.Clone(w.o.Publishers), func(domain hostname.Domain) bool {
		_, done := w.done[(&Task{Publisher: domain}).name()]
		return done
	})
	for some := range slices.Chunk(left, watchBatch) {
		known, err := w.k.config.Store.Some(ctx, some)
		if err != nil {
			return nil, unavailable(ctx, err)
		}
		for _, domain := range some {
			t, err := w.named(ctx, domain, known[domain], at)
			if err != nil {
				return nil, err
			}
			if t != nil {
				tasks = append(tasks, *t)
			}
		}
	}
	return tasks, nil
}

// named returns what is to do about a publisher with a record, which may be nil; nil for nothing.
func (w *watcher) named(ctx context.Context, domain hostname.Domain, p *custody.Publisher,
	at custody.Moment) (*Task, error) {
	switch {
	case p == nil:
		return &Task{Publisher: domain, unknown: w.k.now()}, nil
	case !p.Due().After(at.Late):
		return &Task{Publisher: domain, Due: p.Due(), filed: p.Location != (custody.Location{})}, nil
	case p.Location.URL == "" || ownPlace(p):
		return nil, nil
	}
	f, _, err := w.k.brief(ctx, p.Location.URL)
	if err != nil || f.Due().After(at.Late) {
		return nil, err
	}
	return &Task{Publisher: domain, URL: f.URL, Due: f.Due(), filed: f.Hash != ""}, nil
}

// announce tells those who wait that an attempt begins.
func (w *watcher) announce(ctx context.Context, held *tenure) {
	if held == nil || held.RequestedAt.IsZero() {
		return
	}
	err := w.k.config.Store.BeginRequests(ctx, held.Lease, w.k.now())
	if err != nil {
		w.k.config.Log.WarnContext(ctx, "cannot note that a request is under way", "publisher", held.Name, "error", err)
	}
}

// attempted tells the store what came of a look that was requested. When that fails, it is
// looked at once more.
func (w *watcher) attempted(ctx context.Context, t Task) {
	if t.URL != "" {
		return
	}
	s, err := w.k.State(ctx, t.Publisher)
	if err == nil {
		a := Attempt{Lease: t.Lease, At: w.k.now(), State: s.Served, Class: ClassOf(s.Publisher)}
		a.Due = w.next(ctx, t)
		err = w.k.config.Store.EndRequests(ctx, &a)
	}
	if err != nil {
		w.k.config.Log.WarnContext(ctx, "cannot note what came of a request", "publisher", t.Publisher, "error", err)
	}
}

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
	failed, requested := failed || held.lost.Load(), !held.RequestedAt.IsZero()
	switch {
	case held.refused.Load():
		w.release(ctx, []Lease{held.Lease}, w.k.now().Add(refusedPause))
		return true
	case !held.done.Load() && (failed || !requested):
		w.release(ctx, []Lease{held.Lease}, w.next(ctx, t))
		return true
	case !held.done.Load():
		w.release(ctx, []Lease{held.Lease}, w.k.now().Add(taskPause))
	}
	if requested && !failed {
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

// holdSites reserves the sites of tasks that were taken from the store, and returns those that
// this watcher may ask. What others have sent to a site counts here as well.
func (w *watcher) holdSites(ctx context.Context, tasks []Task, now time.Time) (map[string]bool, error) {
	var wanted []string
	for i := range tasks {
		if tasks[i].Lease.Name != "" {
			wanted = append(wanted, tasks[i].site())
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	at, err := w.k.moment(ctx)
	if err != nil {
		return nil, err
	}
	held, err := w.k.config.Store.HoldSites(ctx, w.name, wanted, at.Late, at.Late.Add(2*w.o.Lease))
	if err != nil {
		return nil, unavailable(ctx, err)
	}
	free := make(map[string]bool, len(held))
	for name, rested := range held {
		free[name] = true
		if w.sites[name] {
			continue
		}
		w.sites[name] = true
		w.schedule.rest(name, now.Add(rested.Sub(at.Late)), now)
	}
	return free, nil
}

// freeSites lets others ask the sites that nothing is left to do at. With all, those as well
// whose tasks are given up.
func (w *watcher) freeSites(ctx context.Context, all bool) {
	now, by := time.Now(), w.k.now()
	rested := make(map[string]time.Time)
	for name := range w.sites {
		at := w.schedule.sites[name]
		switch {
		case at == nil:
			rested[name] = by
		case all || at.idle() && !at.busy:
			rested[name] = by.Add(at.full.Sub(now))
		}
	}
	if len(rested) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	err := w.k.config.Store.FreeSites(ctx, w.name, rested, by)
	if err != nil {
		w.k.config.Log.WarnContext(ctx, "cannot let others ask sites", "sites", len(rested), "error", err)
		return
	}
	for name := range rested {
		delete(w.sites, name)
	}
}

// keepSites goes on with the sites that something is left to do at.
func (w *watcher) keepSites(ctx context.Context, now, until time.Time) error {
	if len(w.sites) == 0 {
		return nil
	}
	_, err := w.k.config.Store.HoldSites(ctx, w.name, slices.Collect(maps.Keys(w.sites)), now, until)
	return err
}
