package custodian

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/patience"
	"github.com/avow-project/avow/internal/std/hostname"
)

const (
	// turnEvery is how often turns are looked for that another process has noted, or time has.
	turnEvery = time.Second
	// turnsAtOnce is how many are taken and told about in a transaction, in which others have to wait for a
	// moment; turnsTogether is how many are made side by side, and turnLease for how long they are taken.
	turnsAtOnce   = 100
	turnsTogether = 8
	turnLease     = time.Minute
)

// KeepTurns tells about publishers whose turn it is, until the context ends. What fails is logged
// and tried again.
func (k *Keeper) KeepTurns(ctx context.Context) {
	tick := time.NewTicker(turnEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		n, err := k.Turns(ctx)
		if err != nil && ctx.Err() == nil {
			k.config.Log.WarnContext(ctx, "cannot bring the directory up to date", "error", err)
		}
		if n == turnsAtOnce && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-k.turned:
		}
	}
}

// AllTurns tells about all publishers whose turn it is.
func (k *Keeper) AllTurns(ctx context.Context) error {
	for {
		n, err := k.Turns(ctx)
		if err != nil || n == 0 {
			return err
		}
	}
}

// Turns tells about some of the publishers whose turn it is, and returns how many these were.
func (k *Keeper) Turns(ctx context.Context) (int, error) {
	at, err := k.moment(ctx)
	if err != nil {
		return 0, err
	}
	list, err := k.config.Store.TakeTurns(ctx, at.Early, at.Early.Add(turnLease), turnsAtOnce)
	if err != nil {
		return 0, unavailable(ctx, err)
	}
	if len(list) == 0 {
		return 0, nil
	}
	err = k.tell(ctx, at, list)
	if err == nil || len(list) == 1 {
		return len(list), err
	}
	// One of them may keep the others from being told about: each by itself.
	var failed error
	for i := range list {
		failed = errors.Join(failed, k.insist(ctx, func(ctx context.Context) error { return k.tell(ctx, at, list[i:i+1]) }))
	}
	return len(list), failed
}

// tell tells about publishers whose turn it is, in one transaction. What could not be saved of the same
// records before comes first.
func (k *Keeper) tell(ctx context.Context, at custody.Moment, list []Turn) error {
	ctx, cancel := context.WithTimeout(patience.With(ctx), storeTimeout)
	defer cancel()
	var domains []hostname.Domain
	var names []string
	for _, t := range list {
		domains, names = append(domains, t.Domain), append(names, string(t.Domain))
	}
	err := k.settle(ctx, k.unsavedChanges.of(names...))
	if err != nil {
		return err
	}
	known, err := k.config.Store.Some(ctx, domains)
	if err != nil {
		return unavailable(ctx, err)
	}
	live, err := k.config.Store.Reported(ctx, domains)
	if err != nil {
		return unavailable(ctx, err)
	}
	files := &turnFiles{k: k, files: map[string]*custody.File{}}
	reported, drafts := make([]TurnResult, len(list)), make([]*draft, len(list))
	var g errgroup.Group
	g.SetLimit(turnsTogether)
	for i, t := range list {
		reported[i].Turn = t
		p := known[t.Domain]
		if p == nil {
			continue
		}
		drafts[i] = &draft{k: k, domain: t.Domain, at: at, known: map[string]*custody.File{},
			observations: map[string]*custody.Observation{}, live: live[t.Domain]}
		g.Go(func() error { return drafts[i].tell(ctx, p, files, &reported[i]) })
	}
	err = g.Wait()
	if err != nil {
		return err
	}
	err = k.config.Store.Tell(ctx, reported)
	for i := range reported {
		if reported[i].Change == nil {
			continue
		}
		k.recent.forget(reported[i].Change)
		if err == nil {
			k.saved(drafts[i])
		}
	}
	if err != nil {
		return unavailable(ctx, err)
	}
	return nil
}

// tell finds out what a publisher has to be told about.
func (d *draft) tell(ctx context.Context, p *custody.Publisher, files *turnFiles, out *TurnResult) error {
	var err error
	if url := p.Location.URL; url != "" {
		d.known[url], err = files.get(ctx, url)
		if err != nil {
			return err
		}
	}
	fresh := *p
	err = d.project(ctx, &fresh, true)
	out.Next, d.change.Turn = d.change.Turn, time.Time{}
	if i := d.change.Index; i != nil && (!i.Directory.Empty() || !i.Directory.Next.IsZero() ||
		fresh.Reported != p.Reported || fresh.Listed != p.Listed) {
		d.change.Publisher, d.names = &fresh, []string{string(p.Domain)}
		d.prepare(Scheduled)
		out.Change = &d.change
	}
	return err
}

// turnFiles has the files of publishers whose turn it is, so that one that many lead to is read
// once.
type turnFiles struct {
	k     *Keeper
	mu    sync.Mutex
	files map[string]*custody.File
}

func (t *turnFiles) get(ctx context.Context, url string) (*custody.File, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.files[url]
	if f != nil {
		return f, nil
	}
	f, err := t.k.file(ctx, url)
	if err == nil {
		t.files[url] = f
	}
	return f, err
}
