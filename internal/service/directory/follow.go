package directory

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// Times of Run.
const (
	// followEvery is how often the store is asked for what others have changed.
	followEvery = time.Second
	// reviewEvery is how often publishers are looked through for what has ended or begun
	// without anybody having changed anything, and those read again that could not be read.
	reviewEvery = 30 * time.Second
	// sweepEvery is how often everything is compared with the store.
	sweepEvery = 10 * time.Minute
	// followPage is how many events are read at a time.
	followPage = 1000
)

// Run reads everything from the store and follows changes until the context ends. What fails
// is logged and tried again.
func (d *Directory) Run(ctx context.Context) {
	last := int64(-1)
	for last < 0 && ctx.Err() == nil {
		at, err := d.load(ctx)
		if err == nil {
			last = at
			break
		}
		d.config.Log.WarnContext(ctx, "cannot read the directory from the store", "error", err)
		wait(ctx, followEvery)
	}
	follow, review, sweep := time.NewTicker(followEvery), time.NewTicker(reviewEvery), time.NewTicker(sweepEvery)
	defer follow.Stop()
	defer review.Stop()
	defer sweep.Stop()
	for ctx.Err() == nil {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-d.queue.wake:
			err = d.drain(ctx)
		case <-follow.C:
			last, err = d.follow(ctx, last)
		case <-review.C:
			err = d.review(ctx)
		case <-sweep.C:
			err = d.sweep(ctx)
		}
		if err != nil && ctx.Err() == nil {
			d.config.Log.WarnContext(ctx, "cannot follow the changes of the store", "error", err)
		}
	}
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// load reads everything, and returns the number of the last event before that.
func (d *Directory) load(ctx context.Context) (int64, error) {
	last, err := d.config.Store.LastEvent(ctx)
	if err != nil {
		return 0, err
	}
	err = d.sweep(ctx)
	if err != nil {
		return 0, err
	}
	close(d.loaded)
	return last, nil
}

// readTogether is how many publishers are read from the store at a time.
const readTogether = 256

// sweep reads publishers that are not as they are in the store, several at a time while the
// rest is looked through, and forgets those that are not there any more.
func (d *Directory) sweep(ctx context.Context) error {
	d.mu.RLock()
	gone := make(map[hostname.Domain]bool, len(d.publishers))
	for domain := range d.publishers {
		gone[domain] = true
	}
	d.mu.RUnlock()
	var all sync.WaitGroup
	changed := make(chan []hostname.Domain)
	for range max(2, runtime.GOMAXPROCS(0)) {
		all.Go(func() { d.readAll(ctx, changed) })
	}
	var some []hostname.Domain
	pass := func() {
		if len(some) > 0 {
			changed <- some
			some = nil
		}
	}
	err := d.config.Store.Revisions(ctx, func(domain hostname.Domain, revision int64) error {
		delete(gone, domain)
		if d.has(domain, revision) {
			return nil
		}
		some = append(some, domain)
		if len(some) == readTogether {
			pass()
		}
		return ctx.Err()
	})
	pass()
	close(changed)
	all.Wait()
	if err != nil {
		return err
	}
	for domain := range gone {
		err := d.read(ctx, domain)
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// has reports whether a revision of a publisher's record is in the directory.
func (d *Directory) has(domain hostname.Domain, revision int64) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	known := d.publishers[domain]
	return known != nil && known.record != nil && known.record.Revision == revision
}

// readAll reads publishers as they come, until there are no more.
func (d *Directory) readAll(ctx context.Context, changed <-chan []hostname.Domain) {
	for some := range changed {
		d.config.Keeper.Snapshots(ctx, some, func(domain hostname.Domain, s *custodian.Snapshot, err error) {
			_ = d.take(ctx, domain, s, err) // sweep returns the error of the context
		})
	}
}

// follow reads what events after one are about, and returns the last.
func (d *Directory) follow(ctx context.Context, after int64) (int64, error) {
	last, err := d.config.Store.LastEvent(ctx)
	if err != nil || last <= after {
		return after, err
	}
	for after < last {
		list, err := d.config.Store.Events(ctx, custodian.EventFilter{}, after, followPage)
		if err != nil {
			return after, err
		}
		if len(list) == 0 {
			return last, nil
		}
		for i := range list {
			d.queue.add(hostname.Domain(list[i].Publisher), list[i].URL)
			after = list[i].ID
		}
	}
	return after, d.drain(ctx)
}

// review has publishers read again whose standing or whose entries have changed by themselves.
func (d *Directory) review(ctx context.Context) error {
	at, err := d.config.Keeper.Moment(ctx)
	if err != nil {
		return err
	}
	d.mu.RLock()
	for domain, p := range d.publishers {
		if p.record == nil {
			continue
		}
		served := d.config.Keeper.Judge(p.record, p.file, at).Served == resolve.Usable
		if served != p.served || !p.next.IsZero() && at.Early.After(p.next) {
			d.queue.add(domain, "")
		}
	}
	d.mu.RUnlock()
	d.queue.again()
	return d.drain(ctx)
}

// Changed notes a change that was committed.
func (d *Directory) Changed(c *custodian.Change) {
	if c.Publisher != nil {
		d.queue.add(c.Publisher.Domain, "")
	}
	for _, f := range c.Files {
		d.queue.add("", f.URL)
	}
}

// drain reads the publishers that wait.
func (d *Directory) drain(ctx context.Context) error {
	for {
		domains, urls, upTo := d.queue.take()
		if len(domains)+len(urls) == 0 {
			return nil
		}
		d.mu.RLock()
		for url := range urls {
			for domain := range d.usersOf(url) {
				domains[domain] = true
			}
		}
		d.mu.RUnlock()
		for domain := range domains {
			err := d.read(ctx, domain)
			if err != nil {
				return err
			}
		}
		d.queue.done(upTo)
	}
}
