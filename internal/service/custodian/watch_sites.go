package custodian

import (
	"context"
	"maps"
	"slices"
	"time"
)

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
