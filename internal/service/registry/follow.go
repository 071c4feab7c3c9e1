package registry

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/std/hostname"
)

// followWait is how long a client that follows a check waits for it to begin: what asks for it is a request
// of its own.
const followWait = 5 * time.Second

// following has the checks under way, and those that clients wait for to follow them.
type following struct {
	mu sync.Mutex
	of map[hostname.Domain]*progress
}

// A progress is a check as the clients that follow it see it.
type progress struct {
	users int // the check and those who follow it; see following

	mu           sync.Mutex
	began, ended bool
	hops         []discover.Hop
	changed      chan struct{} // closed with the next change
}

// join returns the progress of a domain.
func (f *following) join(domain hostname.Domain) *progress {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.of[domain]
	if p == nil {
		p = &progress{changed: make(chan struct{})}
		if f.of == nil {
			f.of = map[hostname.Domain]*progress{}
		}
		f.of[domain] = p
	}
	p.users++
	return p
}

// leave is the end of what join began. The last one forgets the progress; once it has ended, the next
// check has another.
func (f *following) leave(domain hostname.Domain, p *progress, ended bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p.users--
	if (ended || p.users == 0) && f.of[domain] == p {
		delete(f.of, domain)
	}
}

// begin returns the progress of a check that begins, and end tells those who follow that it is over.
func (f *following) begin(domain hostname.Domain) *progress {
	p := f.join(domain)
	p.change(func() { p.began = true })
	return p
}

// end see begin.
func (f *following) end(domain hostname.Domain, p *progress) {
	p.change(func() { p.ended = true })
	f.leave(domain, p, true)
}

// note adds a request, without the document that came back.
func (p *progress) note(h discover.Hop) {
	if h.Result != nil {
		r := *h.Result
		r.Body, h.Result = nil, &r
	}
	p.change(func() { p.hops = append(p.hops, h) })
}

func (p *progress) change(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	do()
	close(p.changed)
	p.changed = make(chan struct{})
}

// Follow tells of the requests of a check of a domain that is under way, or begins within a few
// seconds: each before it is sent, without a Result, and when it has ended. It makes no request, and
// returns when the check ends.
func (s *Service) Follow(ctx context.Context, domain string, seen func(discover.Hop)) error {
	name, err := publisherName(domain)
	if err == nil {
		err = s.refuseOptedOut(name)
	}
	if err != nil {
		return err
	}
	p := s.following.join(name)
	defer s.following.leave(name, p, false)
	wait := time.NewTimer(followWait)
	defer wait.Stop()
	for told, late := 0, false; ; {
		p.mu.Lock()
		hops, began, ended, changed := slices.Clone(p.hops[told:]), p.began, p.ended, p.changed
		p.mu.Unlock()
		for _, h := range hops {
			seen(h)
		}
		told += len(hops)
		if ended || late && !began {
			return nil
		}
		select {
		case <-changed:
		case <-wait.C:
			late = true
		case <-ctx.Done():
			return ctx.Err()
		case <-s.ctx.Done():
			return errClosed
		}
	}
}
