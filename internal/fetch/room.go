package fetch

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// makeRoom asks the callers for room before a large body is kept. The time that
// takes is not the server's, and others may be served meanwhile: one of those who
// wait for a turn may have the room that is waited for here. Afterwards it takes
// its seat again, or a host would serve more exchanges than it has seats.
func (a *attempt) makeRoom() error {
	if a.run.party.hasRoom() {
		return nil
	}
	a.unseat()
	a.leave()
	begun := time.Now()
	goOnHop, goOn := a.hop.Hold(), a.run.budget.Hold()
	a.pace.hold()
	err := a.run.party.makeRoom(a.ctx)
	if err == nil {
		err = a.comeBack()
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

// comeBack takes the seat at the host again, and then the one at the address, in the
// order in which they were taken first.
func (a *attempt) comeBack() error {
	leave, err := a.client.polite.comeBack(a.ctx, a.target.host)
	if err != nil {
		return err
	}
	a.leave = sync.OnceFunc(leave)
	if !a.address.IsValid() {
		return nil
	}
	leave, err = a.client.polite.sitAt(a.ctx, a.address)
	if err == nil {
		a.unseat = sync.OnceFunc(leave)
	}
	return err
}

// A guest is a caller who waits for a request, with its Large.
type guest struct {
	caller context.Context
	large  func(context.Context) error
	// granted is set once large found room.
	granted atomic.Bool
	// mu keeps large from being called twice at the same time, and asking counts
	// its calls.
	mu     sync.Mutex
	asking sync.WaitGroup
}

// hasRoom reports whether the guest need not be asked.
func (g *guest) hasRoom() bool { return g.large == nil || g.granted.Load() }

// ask asks for room until the context ends or the caller gives up, once however
// often the request is repeated.
func (g *guest) ask(ctx context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.hasRoom() {
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

// A party are the callers who wait for the same request. All of them are asked
// for room: if only one were, it might wait for the room of another, who waits
// for the request.
type party struct {
	mu     sync.Mutex
	guests []*guest
	// round is set while they are asked.
	round *round
}

// A round is one search for room. It belongs to the lock of its party.
type round struct {
	ctx context.Context
	// pending guests have not answered, and err is the error of one who did.
	pending int
	err     error
	// verdict gets nil when one has room, and an error when no one else is waiting.
	verdict chan error
}

// decide ends the round, unless that has happened already.
func (r *round) decide(err error) {
	select {
	case r.verdict <- err:
	default:
	}
}

// join adds a guest, who is asked at once if the others are being asked.
func (p *party) join(g *guest) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.guests = append(p.guests, g)
	if p.round != nil {
		p.ask(p.round, g)
	}
}

// leave removes a guest, who is not asked any more. It waits for the end of what
// was asked, which is near: the guest's context or the round has ended. Room must
// not be taken in the name of someone who is gone and will never give it back.
func (p *party) leave(g *guest) {
	p.mu.Lock()
	p.guests = slices.DeleteFunc(p.guests, func(other *guest) bool { return other == g })
	p.mu.Unlock()
	g.asking.Wait()
}

// hasRoom reports whether one of the guests has room without being asked.
func (p *party) hasRoom() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.guests, (*guest).hasRoom)
}

// makeRoom asks all guests at once, and those who join meanwhile, until one has
// room. When all have left, the context ends.
func (p *party) makeRoom(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &round{ctx: ctx, verdict: make(chan error, 1)}
	p.begin(r)
	defer p.end()
	select {
	case err := <-r.verdict:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *party) begin(r *round) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.round = r
	for _, g := range p.guests {
		p.ask(r, g)
	}
}

func (p *party) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.round = nil
}

// ask asks one guest. The lock is held.
func (p *party) ask(r *round, g *guest) {
	if g.caller.Err() != nil {
		return
	}
	if g.hasRoom() {
		r.decide(nil)
		return
	}
	r.pending++
	g.asking.Go(func() { p.answer(r, g, g.ask(r.ctx)) })
}

// answer takes the answer of a guest. One whose caller gives up says nothing about the
// others. One who has no room although its context goes on breaks the rules, and the
// request fails if no one else waits.
func (p *party) answer(r *round, g *guest, err error) {
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
