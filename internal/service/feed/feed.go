package feed

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A Service knows what is in effect. *registry.Service is one.
type Service interface {
	Directory(ctx context.Context) (*directory.View, error)
	Stored(ctx context.Context, domain hostname.Domain) (*resolve.Document, error)
}

// Config configures a Feed. Service and Store are required.
type Config struct {
	Service Service
	Store   Store
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Patience is how long somebody who reads waits for what is being told; zero means a second.
	Patience time.Duration
	// Log is for the operator; nil means nobody reads it.
	Log *slog.Logger
}

// Times of Run.
const (
	// followEvery is how often the store is asked for what other processes have told.
	followEvery = 500 * time.Millisecond
	// reviewEvery is how often all publishers are compared with what was told.
	reviewEvery = 10 * time.Minute
	// retryAfter is when a publisher is tried again that could not be told about.
	retryAfter = 5 * time.Second
)

// A Feed tells what has changed. It is safe for concurrent use. Run makes it go on.
type Feed struct {
	service Service
	store   Store
	now     func() time.Time
	log     *slog.Logger
	// patience is that of the configuration.
	patience time.Duration

	wake chan struct{}
	// ready is closed when the end of the feed was read once.
	ready chan struct{}

	waiting waiting
	tail    tail
}

// waiting has the publishers about which something may have to be told.
type waiting struct {
	sync.Mutex
	domains map[hostname.Domain]bool
	// busy is set while some of them are told about; idle is closed when there are none.
	busy bool
	idle chan struct{}
}

// settled closes idle when nothing is to be told.
func (w *waiting) settled() {
	if !w.busy && len(w.domains) == 0 {
		select {
		case <-w.idle:
		default:
			close(w.idle)
		}
	}
}

// Settle waits until what this process has committed before is told, but no longer than
// Config.Patience.
func (f *Feed) Settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, f.patience)
	defer cancel()
	_, err := f.service.Directory(ctx)
	if err != nil {
		return
	}
	f.waiting.Lock()
	idle := f.waiting.idle
	f.waiting.Unlock()
	for _, done := range []<-chan struct{}{f.ready, idle} {
		select {
		case <-done:
		case <-ctx.Done():
			return
		}
	}
}

// New returns a Feed.
func New(c Config) *Feed {
	f := &Feed{service: c.Service, store: c.Store, now: c.Now, log: c.Log, patience: c.Patience, wake: make(chan struct{}, 1), ready: make(chan struct{})}
	if f.now == nil {
		f.now = time.Now
	}
	if f.log == nil {
		f.log = slog.New(slog.DiscardHandler)
	}
	if f.patience <= 0 {
		f.patience = time.Second
	}
	f.waiting.domains, f.waiting.idle, f.waiting.busy = map[hostname.Domain]bool{}, make(chan struct{}), true
	f.tail.moved = make(chan struct{})
	f.tail.latest = map[string]Position{}
	return f
}

// Changed notes that something else may hold about a publisher.
func (f *Feed) Changed(domain hostname.Domain) {
	f.waiting.Lock()
	defer f.waiting.Unlock()
	f.waiting.domains[domain] = true
	select {
	case <-f.waiting.idle:
		f.waiting.idle = make(chan struct{})
	default:
	}
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Run tells what changes, and follows what other processes tell, until the context ends. What
// fails is logged and tried again.
func (f *Feed) Run(ctx context.Context) {
	defer f.End()
	telling := make(chan struct{})
	go func() {
		defer close(telling)
		f.keepTelling(ctx)
	}()
	f.keepFollowing(ctx)
	<-telling
}

// keepTelling adds events.
func (f *Feed) keepTelling(ctx context.Context) {
	err := f.review(ctx)
	for err != nil && ctx.Err() == nil {
		f.complain(ctx, err)
		pause(ctx, time.Second)
		err = f.review(ctx)
	}
	review, retry := time.NewTicker(reviewEvery), time.NewTicker(retryAfter)
	defer review.Stop()
	defer retry.Stop()
	for ctx.Err() == nil {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-f.wake:
			f.drain(ctx)
		case <-retry.C:
			f.drain(ctx)
		case <-review.C:
			err = f.review(ctx)
		}
		f.complain(ctx, err)
	}
}

func (f *Feed) complain(ctx context.Context, err error) {
	var soon *registry.Error
	if err == nil || ctx.Err() != nil || errors.As(err, &soon) && soon.Code == "directory_loading" {
		return
	}
	f.log.WarnContext(ctx, "cannot go on with the change feed", "error", err)
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// drain tells about the publishers that wait. Those that cannot be told about wait again.
func (f *Feed) drain(ctx context.Context) {
	f.waiting.Lock()
	domains := f.waiting.domains
	f.waiting.domains, f.waiting.busy = map[hostname.Domain]bool{}, true
	f.waiting.Unlock()
	defer func() {
		f.waiting.Lock()
		defer f.waiting.Unlock()
		f.waiting.busy = false
		f.waiting.settled()
	}()
	var failed error // the first; a store that is down fails for all of them
	for domain := range domains {
		err := f.tell(ctx, domain)
		if err == nil {
			continue
		}
		failed = cmp.Or(failed, err)
		f.waiting.Lock()
		f.waiting.domains[domain] = true
		f.waiting.Unlock()
		if ctx.Err() != nil {
			return
		}
	}
	f.complain(ctx, failed)
	if len(domains) > 0 {
		f.complain(ctx, f.follow(ctx))
	}
}

// reviewPage is how many publishers are compared at a time.
const reviewPage = 1000

// review compares everything that is known with what was told: what was missed while nobody
// ran, or while the store could not be written, is told now.
func (f *Feed) review(ctx context.Context) error {
	v, err := f.service.Directory(ctx)
	if err != nil {
		return err
	}
	told, known := inputs{store: f.store}, publishers{view: v}
	a, err := told.next(ctx)
	if err != nil {
		return err
	}
	b := known.next()
	for (a != nil || b != nil) && ctx.Err() == nil {
		switch {
		case b == nil || a != nil && a.Publisher < string(b.Domain):
			f.Changed(hostname.Domain(a.Publisher))
			a, err = told.next(ctx)
		case a == nil || string(b.Domain) < a.Publisher:
			if b.Fingerprint() != nil {
				f.Changed(b.Domain)
			}
			b = known.next()
		default:
			if !bytes.Equal(a.Input, b.Fingerprint()) {
				f.Changed(b.Domain)
			}
			b = known.next()
			a, err = told.next(ctx)
		}
		if err != nil {
			return err
		}
	}
	f.drain(ctx)
	return ctx.Err()
}

// inputs are those of the store, one after the other.
type inputs struct {
	store Store
	page  []Input
	after string
	ended bool
}

func (i *inputs) next(ctx context.Context) (*Input, error) {
	if len(i.page) == 0 && !i.ended {
		var err error
		i.page, err = i.store.Inputs(ctx, i.after, reviewPage)
		if err != nil {
			return nil, err
		}
		i.ended = len(i.page) < reviewPage
	}
	if len(i.page) == 0 {
		return nil, nil
	}
	one := i.page[0]
	i.page, i.after = i.page[1:], one.Publisher
	return &one, nil
}

// publishers are those of the directory, one after the other.
type publishers struct {
	view  *directory.View
	page  []directory.Entry
	after string
	ended bool
}

func (p *publishers) next() *directory.Entry {
	for len(p.page) == 0 && !p.ended {
		p.page, p.after = p.view.Publishers(p.after, reviewPage, func(e *directory.Entry) bool { return e.Publisher != nil })
		p.ended = p.after == ""
	}
	if len(p.page) == 0 {
		return nil
	}
	one := p.page[0]
	p.page = p.page[1:]
	return &one
}
