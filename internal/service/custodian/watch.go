package custodian

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/std/clock"
)

// WatchOptions say whom to watch.
type WatchOptions struct {
	// Publishers are domains; none means all that are known.
	Publishers []string
	// Once asks those who are due, and then returns.
	Once bool
	// Force begins with asking everybody, due or not, for everything as a whole and past all
	// caches, as after an old copy of the store was put back.
	Force bool
	// Parallel is how many are asked at the same time. Zero means 8.
	Parallel int
}

// Limits of Watch.
const (
	defaultParallel = 8
	// watchBatch is how many tasks are taken from the store at once.
	watchBatch = 256
	// watchIdle is the longest pause before the store is asked again.
	watchIdle = 15 * time.Second
	// watchRetry and watchRetryMost bound the pause after the store has failed.
	watchRetry, watchRetryMost = time.Second, time.Minute
	// taskPause is how long a task is left alone after it was done: whatever comes of it,
	// it does not come again at once.
	taskPause = time.Minute
)

// Watch asks for what is due, again and again until the context ends, and then returns
// nil. A store that fails is tried again after a while. With Once it returns its error,
// and so it does while Force is not done.
func (k *Keeper) Watch(ctx context.Context, o WatchOptions) error {
	if len(o.Publishers) == 0 {
		ctx = AskedBy(ctx, Nobody)
	}
	w := &watcher{k: k, o: o, done: make(map[string]time.Time)}
	if w.o.Parallel <= 0 {
		w.o.Parallel = defaultParallel
	}
	for _, name := range o.Publishers {
		domain, err := discover.CanonicalDomain(name)
		if err != nil {
			return err
		}
		w.domains = append(w.domains, domain)
	}
	if o.Force {
		err := w.everybody(ctx)
		if err != nil {
			return err
		}
	}
	if o.Once {
		return w.drain(ctx)
	}
	pause := watchRetry
	for ctx.Err() == nil {
		err := w.drain(ctx)
		wait := watchIdle
		if err != nil && ctx.Err() == nil {
			k.config.Log.ErrorContext(ctx, "cannot watch publishers", "error", err)
			wait, pause = pause, min(2*pause, watchRetryMost)
		} else {
			pause = watchRetry
		}
		clock.Pause(ctx, wait)
	}
	return nil
}

// A watcher is a Watch under way.
type watcher struct {
	k       *Keeper
	o       WatchOptions
	domains []string

	mu sync.Mutex
	// done has when a task was done last.
	done map[string]time.Time
}

// everybody asks all publishers. A file that several share is asked for once.
func (w *watcher) everybody(ctx context.Context) error {
	at, err := w.k.moment(ctx)
	if err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(w.o.Parallel)
	ask := func(p *custody.Publisher) error {
		g.Go(func() error {
			return w.mind(ctx, Task{Publisher: p.Domain}, w.k.lookBefore(ctx, p, at.Early))
		})
		return ctx.Err()
	}
	if len(w.domains) == 0 {
		err = w.k.config.Store.Publishers(ctx, "", func(p *custody.Publisher) error {
			copied := *p
			return ask(&copied)
		})
		if err != nil {
			err = unavailable(ctx, err)
		}
	}
	for _, domain := range w.domains {
		var p *custody.Publisher
		p, err = w.k.publisher(ctx, domain)
		if err == nil {
			err = ask(p)
		}
		if err != nil {
			break
		}
	}
	// What a request failed with comes first: it ends the context of the others.
	asked := g.Wait()
	if asked != nil {
		return asked
	}
	return err
}

// drain does everything that is due.
func (w *watcher) drain(ctx context.Context) error {
	for {
		tasks, err := w.due(ctx)
		if err != nil || len(tasks) == 0 {
			return err
		}
		err = w.work(ctx, tasks)
		if err != nil {
			return err
		}
	}
}

// due returns the tasks to do now.
func (w *watcher) due(ctx context.Context) ([]Task, error) {
	at, err := w.k.moment(ctx)
	if err != nil {
		return nil, err
	}
	tasks, err := w.tasks(ctx, at)
	if err != nil {
		return nil, err
	}
	for _, name := range w.k.doubts.names() {
		t := Task{Publisher: name}
		if strings.Contains(name, "://") {
			t = Task{URL: name}
		}
		tasks = append(tasks, t)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for name, t := range w.done {
		if at.Early.Sub(t).Abs() >= taskPause {
			delete(w.done, name)
		}
	}
	var out []Task
	for _, t := range tasks {
		name := t.Publisher + " " + t.URL
		if _, ok := w.done[name]; !ok {
			w.done[name] = at.Early
			out = append(out, t)
		}
	}
	return out, nil
}

// tasks returns what is due by the records.
func (w *watcher) tasks(ctx context.Context, at custody.Moment) ([]Task, error) {
	if len(w.domains) == 0 {
		tasks, err := w.k.config.Store.Due(ctx, at.Late, watchBatch+len(w.done))
		if err != nil {
			return nil, unavailable(ctx, err)
		}
		return tasks, nil
	}
	var tasks []Task
	for _, domain := range w.domains {
		p, err := w.k.publisher(ctx, domain)
		if err != nil {
			return nil, err
		}
		if !p.Due().After(at.Late) {
			tasks = append(tasks, Task{Publisher: domain, Due: p.Due()})
			continue
		}
		if p.Location.URL == "" || ownPlace(p) {
			continue
		}
		f, _, err := w.k.brief(ctx, p.Location.URL)
		if err != nil {
			return nil, err
		}
		if !f.Due().After(at.Late) {
			tasks = append(tasks, Task{Publisher: domain, URL: f.URL, Due: f.Due()})
		}
	}
	return tasks, nil
}

// work does tasks, several at a time. Only the store and the context can fail.
func (w *watcher) work(ctx context.Context, tasks []Task) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(w.o.Parallel)
	for _, t := range tasks {
		g.Go(func() error {
			return w.mind(ctx, t, w.do(ctx, t))
		})
	}
	return g.Wait()
}

// mind returns the error of a task if it ends the watch, and logs it otherwise.
func (w *watcher) mind(ctx context.Context, t Task, err error) error {
	if err == nil || errors.Is(err, ErrUnavailable) || ctx.Err() != nil {
		return err
	}
	w.k.config.Log.WarnContext(ctx, "cannot ask what is due", "publisher", t.Publisher, "url", t.URL, "error", err)
	return nil
}

// do does a task, unless it was done meanwhile: the tasks of a publisher and of its own
// file are one.
func (w *watcher) do(ctx context.Context, t Task) error {
	switch {
	case t.Publisher == "":
		return w.k.askURL(ctx, t.URL)
	case t.URL == "":
		return w.k.look(ctx, t.Publisher, ifDue)
	}
	p, err := w.k.publisher(ctx, t.Publisher)
	if err != nil {
		return err
	}
	return w.k.askFile(ctx, t.Publisher, p.Location, time.Time{})
}

// askURL asks for a file that is due on its own, as one of the publishers that lead there
// would have it. At a well-known path it may be a publisher's own, which is asked for with
// the publisher. A file that nobody leads to any more is let go: whoever can make a pointer
// must not be able to have somebody asked for ever.
func (k *Keeper) askURL(ctx context.Context, url string) error {
	host := hostOf(url)
	if url == wellKnown(host) {
		asked, err := k.askOwn(ctx, host)
		if asked || err != nil {
			return err
		}
	}
	domain, err := k.config.Store.Lead(ctx, url)
	switch {
	case errors.Is(err, ErrNotFound) && k.doubts.about(url):
		return k.askFile(ctx, host, custody.Location{Method: custody.AuthoritativeLocation, URL: url}, time.Time{})
	case errors.Is(err, ErrNotFound):
		err = k.config.Store.LetGo(ctx, url)
		if err == nil {
			return nil
		}
	}
	if err != nil {
		return unavailable(ctx, err)
	}
	p, err := k.publisher(ctx, domain)
	switch {
	case err != nil:
		return err
	case p.Location.URL == url:
		return k.askFile(ctx, domain, p.Location, time.Time{})
	case p.Move != nil && p.Move.To.URL == url:
		return k.askFile(ctx, domain, p.Move.To, time.Time{})
	}
	return nil // it has changed meanwhile
}

// askOwn asks a publisher for its own file, if that is one that counts and is there. If it
// is not, or cannot be had, the file has no time of its own: it comes with the publisher.
func (k *Keeper) askOwn(ctx context.Context, domain string) (bool, error) {
	p, err := k.publisher(ctx, domain)
	if err != nil {
		return false, err
	}
	at, err := k.moment(ctx)
	if err != nil || !k.ownDue(p, at) {
		return false, err
	}
	return true, k.look(ctx, domain, ifDue)
}

// hostOf returns the host of a canonical URL without its port.
func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, ":")
	return host
}
