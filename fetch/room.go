package fetch

import (
	"context"
	"sync"
	"time"
)

// makeRoom asks the caller for room before a large body is kept. The time that
// takes is not the server's, and others may be served meanwhile: one of those who
// wait for a turn may have the room that is waited for here.
func (a *attempt) makeRoom() error {
	if a.want.Large == nil {
		return nil
	}
	a.leave()
	begun := time.Now()
	left := a.client.limits.hop - begun.Sub(a.At)
	a.hop.Stop()
	a.pace.hold()
	err := a.want.Large(a.ctx)
	a.held = time.Since(begun)
	a.pace.release(a.held)
	a.hop.Reset(left)
	if err != nil {
		return fail(Timeout, err)
	}
	return nil
}

// An errand is the Large of one caller, as long as that caller waits. The request
// may go on for others who share it; it must then not take room in the name of
// someone who is gone and will never give it back.
type errand struct {
	caller context.Context
	large  func(context.Context) error

	mu    sync.Mutex
	asked bool
	over  bool
}

// ask asks for room, once, however often the request is repeated.
func (e *errand) ask(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.asked || e.over {
		return nil
	}
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(e.caller, cancel)
	defer stop()
	err := e.large(waiting)
	e.asked = err == nil
	if ctx.Err() == nil && e.caller.Err() != nil {
		// Only this caller has given up.
		return nil
	}
	return err
}

// end waits for ask, which notices when the caller gives up, and keeps it from
// being called again.
func (e *errand) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over = true
}
