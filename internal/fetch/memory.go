package fetch

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// awaitMemory asks the callers for memory before a large body is kept. The time that
// takes is not the server's, and others may be served meanwhile: one of those who
// wait for a turn may hold the memory that is waited for here. Afterwards it takes
// its slot again, or a host would serve more exchanges than it has slots.
func (a *attempt) awaitMemory() error {
	if a.run.waiters.hasMemory() {
		return nil
	}
	a.release()
	a.leave()
	begun := time.Now()
	goOnHop, goOn := a.hop.Hold(), a.run.budget.Hold()
	a.pace.hold()
	err := a.run.waiters.awaitMemory(a.ctx)
	if err == nil {
		err = a.reacquire()
	}
	held := time.Since(begun)
	a.held += held
	a.pace.release(held)
	goOn()
	goOnHop()
	if err != nil {
		return fail(Timeout, err)
	}
	return nil
}

// reacquire takes the slot at the host again, and then the one at the address, in the
// order in which they were taken first.
func (a *attempt) reacquire() error {
	leave, err := a.client.hosts.reacquire(a.ctx, a.target.host)
	if err != nil {
		return err
	}
	a.leave = sync.OnceFunc(leave)
	if !a.address.IsValid() {
		return nil
	}
	leave, err = a.client.hosts.acquireAt(a.ctx, a.address)
	if err == nil {
		a.release = sync.OnceFunc(leave)
	}
	return err
}

// A waiter is a caller who waits for a request, with its Large.
type waiter struct {
	caller context.Context
	large  func(context.Context) error
	// granted is set once large found memory.
	granted atomic.Bool
	// mu keeps large from being called twice at the same time, and asking counts
	// its calls.
	mu     sync.Mutex
	asking sync.WaitGroup
}

// hasMemory reports whether the waiter need not be asked.
func (g *waiter) hasMemory() bool { return g.large == nil || g.granted.Load() }

// ask asks for memory until the context ends or the caller gives up, once however
// often the request is repeated.
func (g *waiter) ask(ctx context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.hasMemory() {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(g.caller, cancel)
	defer stop()
	err := g.large(ctx)
	g.granted.Store(err == nil)
	return err
}

// The waiters are the callers who wait for the same request. All of them are asked
// for memory: if only one were, it might wait for what another holds, who waits
// for the request.
type waiters struct {
	mu  sync.Mutex
	all []*waiter
	// search is set while they are asked.
	search *search
}

// A search looks for memory once. It belongs to the lock of the waiters.
type search struct {
	ctx context.Context
	// pending waiters have not answered, and err is the error of one who did.
	pending int
	err     error
	// verdict gets nil when one has memory, and an error when no one else is waiting.
	verdict chan error
}

// decide ends the search, unless that has happened already.
func (r *search) decide(err error) {
	select {
	case r.verdict <- err:
	default:
	}
}

// join adds a waiter, who is asked at once if the others are being asked.
func (p *waiters) join(g *waiter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, g)
	if p.search != nil {
		p.ask(p.search, g)
	}
}

// leave removes a waiter, who is not asked any more. It waits for the end of what
// was asked, which is near: the waiter's context or the search has ended. Memory must
// not be taken in the name of someone who is gone and will never give it back.
func (p *waiters) leave(g *waiter) {
	p.mu.Lock()
	p.all = slices.DeleteFunc(p.all, func(other *waiter) bool { return other == g })
	p.mu.Unlock()
	g.asking.Wait()
}

// hasMemory reports whether one of the waiters has memory without being asked.
func (p *waiters) hasMemory() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.all, (*waiter).hasMemory)
}

// awaitMemory asks all waiters at once, and those who join meanwhile, until one has
// memory. When all have left, the context ends.
func (p *waiters) awaitMemory(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &search{ctx: ctx, verdict: make(chan error, 1)}
	p.begin(r)
	defer p.end()
	select {
	case err := <-r.verdict:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *waiters) begin(r *search) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.search = r
	for _, g := range p.all {
		p.ask(r, g)
	}
}

func (p *waiters) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.search = nil
}

// ask asks one waiter. The lock is held.
func (p *waiters) ask(r *search, g *waiter) {
	if g.caller.Err() != nil {
		return
	}
	if g.hasMemory() {
		r.decide(nil)
		return
	}
	r.pending++
	g.asking.Go(func() { p.answer(r, g, g.ask(r.ctx)) })
}

// answer takes the answer of a waiter. One whose caller gives up says nothing about the
// others. One who has no memory although its context goes on breaks the rules, and the
// request fails if no one else waits.
func (p *waiters) answer(r *search, g *waiter, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.pending--
	switch {
	case g.caller.Err() != nil:
	case err == nil:
		r.decide(nil)
	default:
		r.err = err
	}
	if r.pending == 0 && r.err != nil {
		r.decide(r.err)
	}
}
