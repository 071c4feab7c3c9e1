package custodian

import (
	"context"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
)

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
	for _, name := range w.k.doubts.names() {
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
func (w *watcher) named(ctx context.Context, domain hostname.Domain, p *custody.Publisher, at custody.Moment) (*Task, error) {
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
