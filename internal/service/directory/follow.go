package directory

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/custody"
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
	// saveEvery is how often the outline is noted.
	saveEvery = 9 * time.Minute
	// followPage is how many events are read at a time.
	followPage = 1000
)

// Run reads everything from the store and follows changes until the context ends. What fails
// is logged and tried again. When it could begin with an outline, everything is read while it
// follows already. It notes outlines from time to time, and when it ends.
func (d *Directory) Run(ctx context.Context) {
	var aside sync.WaitGroup
	last, ok := d.begin(ctx)
	if ok {
		aside.Go(func() { d.load(ctx) })
	} else {
		last = d.lastEvent(ctx)
		d.load(ctx)
	}
	follow, review, sweep, save := time.NewTicker(followEvery), time.NewTicker(reviewEvery), time.NewTicker(sweepEvery), time.NewTicker(saveEvery)
	defer follow.Stop()
	defer review.Stop()
	defer sweep.Stop()
	defer save.Stop()
	note := func(last int64) { aside.Go(func() { d.save(ctx, last) }) }
	loaded := d.loaded
	for ctx.Err() == nil {
		var err error
		select {
		case <-ctx.Done():
		case <-d.queue.wake:
			err = d.drain(ctx)
		case <-follow.C:
			last, err = d.follow(ctx, last)
		case <-review.C:
			err = d.review(ctx)
		case <-sweep.C:
			if d.isLoaded() {
				err = d.sweep(ctx)
			}
		case <-loaded:
			loaded = nil
			note(last)
		case <-save.C:
			note(last)
		}
		if err != nil && ctx.Err() == nil {
			d.config.Log.WarnContext(ctx, "cannot follow the changes of the store", "error", err)
		}
	}
	aside.Wait()
	d.save(context.WithoutCancel(ctx), last)
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// lastEvent returns the number of the last event.
func (d *Directory) lastEvent(ctx context.Context) int64 {
	for {
		last, err := d.config.Store.LastEvent(ctx)
		if err == nil || ctx.Err() != nil {
			return last
		}
		d.cannotRead(ctx, err)
	}
}

// load reads everything.
func (d *Directory) load(ctx context.Context) {
	for err := d.sweep(ctx); err != nil; err = d.sweep(ctx) {
		if ctx.Err() != nil {
			return
		}
		d.cannotRead(ctx, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.loaded)
	for _, name := range d.hints {
		d.settleName(name)
	}
	d.hints = nil
}

// cannotRead says that the store does not answer, and waits a little.
func (d *Directory) cannotRead(ctx context.Context, err error) {
	d.config.Log.WarnContext(ctx, "cannot read the directory from the store", "error", err)
	wait(ctx, followEvery)
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
	err := d.readers(ctx, unlessPut, func(read func(hostname.Domain)) error {
		return d.config.Store.Revisions(ctx, func(domain hostname.Domain, revision int64) error {
			delete(gone, domain)
			if !d.has(domain, revision) {
				read(domain)
			}
			return ctx.Err()
		})
	})
	if err != nil {
		return err
	}
	_ = d.readers(ctx, unlessPut, func(read func(hostname.Domain)) error {
		for domain := range gone {
			read(domain)
		}
		return nil
	})
	return ctx.Err()
}

// readers reads the publishers that find finds, several at a time while it goes on.
func (d *Directory) readers(ctx context.Context, w who, find func(read func(hostname.Domain)) error) error {
	var all sync.WaitGroup
	found := make(chan []hostname.Domain)
	for range max(2, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for some := range found {
				d.readSome(ctx, some, w)
			}
		})
	}
	var some []hostname.Domain
	pass := func() {
		if len(some) > 0 {
			found <- some
			some = nil
		}
	}
	err := find(func(domain hostname.Domain) {
		some = append(some, domain)
		if len(some) == readTogether {
			pass()
		}
	})
	pass()
	close(found)
	all.Wait()
	return err
}

// has reports whether a revision of a publisher's record is in the directory.
func (d *Directory) has(domain hostname.Domain, revision int64) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	known := d.publishers[domain]
	return known != nil && known.record != nil && known.record.Revision == revision
}

// A who says which of some publishers are put into the directory when they were read.
type who uint8

const (
	// everybody is for whoever follows changes: what was put there meanwhile may be older.
	everybody who = iota
	// unlessPut leaves out those that somebody else has put there meanwhile: that may be newer,
	// and when it is not, it is read again.
	unlessPut
)

// readSome reads publishers together. Callers look at the context.
func (d *Directory) readSome(ctx context.Context, domains []hostname.Domain, w who) {
	before := make(map[hostname.Domain]*Publisher, len(domains))
	d.mu.RLock()
	for _, domain := range domains {
		before[domain] = d.publishers[domain]
	}
	d.mu.RUnlock()
	d.config.Keeper.Snapshots(ctx, domains, func(domain hostname.Domain, s *custodian.Snapshot, err error) {
		_ = d.take(ctx, domain, s, err, func(now *Publisher) bool { return w == everybody || now == before[domain] })
	})
}

// follow reads what events after one are about, and returns the last.
func (d *Directory) follow(ctx context.Context, after int64) (int64, error) {
	last, err := d.events(ctx, after, func(*custody.NumberedEvent) error { return nil })
	if err == nil {
		err = d.drain(ctx) // also what was put back
	}
	if err != nil {
		return after, err // not all of it was read: no outline may say that it was
	}
	return last, nil
}

// events notes what events after one are about, and returns the last.
func (d *Directory) events(ctx context.Context, after int64, look func(*custody.NumberedEvent) error) (int64, error) {
	last, err := d.config.Store.LastEvent(ctx)
	for err == nil && after < last {
		var list []custody.NumberedEvent
		list, err = d.config.Store.Events(ctx, custodian.EventFilter{}, after, followPage)
		if err == nil && len(list) == 0 {
			return last, nil
		}
		for i := range list {
			d.queue.add(hostname.Domain(list[i].Publisher), list[i].URL)
			after, err = list[i].ID, cmp.Or(err, look(&list[i]))
		}
	}
	return after, err
}

// review has publishers read again whose standing or whose entries have changed by themselves.
func (d *Directory) review(ctx context.Context) error {
	at, err := d.config.Keeper.Moment(ctx)
	if err != nil {
		return err
	}
	d.mu.RLock()
	for domain, p := range d.publishers {
		if p.over(at) {
			d.queue.add(domain, "")
		}
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
		for url := range urls {
			users, err := d.usersNow(ctx, url)
			if err != nil {
				d.queue.putBack(domains, urls)
				return err
			}
			for _, domain := range users {
				domains[domain] = true
			}
		}
		err := d.readThese(ctx, domains)
		if err != nil {
			return err
		}
		d.queue.done(upTo)
	}
}

// readThese reads publishers: many at a time, if there are many.
func (d *Directory) readThese(ctx context.Context, domains map[hostname.Domain]bool) error {
	if len(domains) < readTogether {
		for domain := range domains {
			err := d.read(ctx, domain)
			if err != nil {
				return err
			}
		}
		return nil
	}
	_ = d.readers(ctx, everybody, func(read func(hostname.Domain)) error {
		for domain := range domains {
			read(domain)
		}
		return nil
	})
	return ctx.Err()
}
