package directory

import (
	"context"
	"maps"
	"sync"

	"github.com/avow-project/avow/internal/std/hostname"
)

// A queue has the publishers and files that have changed and were not read since.
type queue struct {
	wake chan struct{}

	mu      sync.Mutex
	domains map[hostname.Domain]bool
	urls    map[string]bool
	failed  map[hostname.Domain]bool
	// noted counts what was added, and read how much of that was read; moved is closed when
	// that grows.
	noted, read uint64
	moved       chan struct{}
}

func (q *queue) init() {
	q.wake, q.moved = make(chan struct{}, 1), make(chan struct{})
	q.domains, q.urls, q.failed = map[hostname.Domain]bool{}, map[string]bool{}, map[hostname.Domain]bool{}
}

// add adds a publisher and a file; either may be empty.
func (q *queue) add(domain hostname.Domain, url string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if domain != "" {
		q.domains[domain] = true
	}
	if url != "" {
		q.urls[url] = true
	}
	q.noted++
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// later keeps a publisher that could not be read until again.
func (q *queue) later(domain hostname.Domain) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.failed[domain] = true
}

// again adds those that could not be read.
func (q *queue) again() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for domain := range q.failed {
		q.domains[domain] = true
	}
	clear(q.failed)
}

// putBack has what was taken wait again.
func (q *queue) putBack(domains map[hostname.Domain]bool, urls map[string]bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	maps.Copy(q.domains, domains)
	maps.Copy(q.urls, urls)
}

// take returns what waits, and how much that is of what was ever added.
func (q *queue) take() (map[hostname.Domain]bool, map[string]bool, uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	domains, urls := q.domains, q.urls
	q.domains, q.urls = map[hostname.Domain]bool{}, map[string]bool{}
	if len(domains)+len(urls) == 0 {
		q.advance(q.noted)
	}
	return domains, urls, q.noted
}

// done notes that what was taken is read.
func (q *queue) done(upTo uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.advance(upTo)
}

func (q *queue) advance(upTo uint64) {
	if upTo <= q.read {
		return
	}
	q.read = upTo
	close(q.moved)
	q.moved = make(chan struct{})
}

// settle waits until all that was added before has been read, or the context ends.
func (q *queue) settle(ctx context.Context) {
	q.mu.Lock()
	want := q.noted
	q.mu.Unlock()
	for {
		q.mu.Lock()
		read, moved := q.read, q.moved
		q.mu.Unlock()
		if read >= want {
			return
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return
		}
	}
}
