package server

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// A gate bounds the number of requests under way. A few may wait for a short time;
// whoever finds the queue full is turned away at once, since an answer that comes too
// late is work for nobody.
type gate struct {
	name  string
	slots chan struct{}
	// queue is the number of those who may wait, and patience for how long.
	queue    int64
	patience time.Duration
	// share is what one client may hold at the same time; zero means everything.
	share   int
	waiting atomic.Int64

	mu   sync.Mutex
	held map[string]int
}

func newGate(name string, slots, share int, patience time.Duration) *gate {
	return &gate{
		name: name, slots: make(chan struct{}, slots), queue: int64(slots), patience: patience,
		share: share, held: map[string]int{},
	}
}

// enter waits for a slot, and returns false when there is none for this client. Whoever
// entered must leave.
func (g *gate) enter(ctx context.Context, client string) bool {
	if !g.hold(client) {
		return false
	}
	ok := g.wait(ctx)
	if !ok {
		g.release(client)
	}
	return ok
}

func (g *gate) wait(ctx context.Context) bool {
	select {
	case g.slots <- struct{}{}:
		return true
	default:
	}
	defer g.waiting.Add(-1)
	if g.waiting.Add(1) > g.queue {
		return false
	}
	timer := time.NewTimer(g.patience)
	defer timer.Stop()
	select {
	case g.slots <- struct{}{}:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// leave gives the slot back.
func (g *gate) leave(client string) {
	<-g.slots
	g.release(client)
}

// hold counts what a client holds or waits for.
func (g *gate) hold(client string) bool {
	if g.share <= 0 {
		return true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held[client] >= g.share {
		return false
	}
	g.held[client]++
	return true
}

func (g *gate) release(client string) {
	if g.share <= 0 {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held[client]--
	if g.held[client] <= 0 {
		delete(g.held, client)
	}
}

// inUse is the number of slots taken.
func (g *gate) inUse() int { return len(g.slots) }
