package check

import (
	"context"
	"sync"
)

// largeAtOnce is the number of targets with large documents that are kept at the
// same time, under way or waiting to be shown.
const largeAtOnce = 2

// A largeLimit limits the large documents in memory. Results are shown in order, so the
// target that comes next is always let in: the others wait for it.
type largeLimit struct {
	mu    sync.Mutex
	freed *sync.Cond
	// next is the number of the target that is shown next.
	next int
	// inside are the numbers of the targets that hold a large document.
	inside map[int]bool
}

func newLargeLimit() *largeLimit {
	r := &largeLimit{inside: map[int]bool{}}
	r.freed = sync.NewCond(&r.mu)
	return r
}

// enter waits until target i may keep a large document.
func (r *largeLimit) enter(ctx context.Context, i int) error {
	stop := context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.freed.Broadcast()
	})
	defer stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.inside) >= largeAtOnce && i != r.next && ctx.Err() == nil {
		r.freed.Wait()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.inside[i] = true
	return nil
}

// shown tells that target i and all before it were shown and let go.
func (r *largeLimit) shown(i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next = i + 1
	delete(r.inside, i)
	r.freed.Broadcast()
}
