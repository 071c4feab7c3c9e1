package fetch

import (
	"sync"
	"time"
)

// pace watches over the speed of a body.
type pace struct {
	attempt *attempt
	wire    *wire
	timer   *time.Timer

	mu    sync.Mutex
	start time.Time
	// held means that we do not read at the moment, so that the server is not to
	// blame.
	held bool
}

// watchPace ends the exchange when the body arrives too slowly, until the returned
// function is called.
func (a *attempt) watchPace(w *wire) func() bool {
	p := &pace{attempt: a, wire: w, start: time.Now()}
	a.pace = p
	p.timer = time.AfterFunc(time.Hour, p.check)
	p.timer.Reset(a.client.limits.paceAfter)
	return p.timer.Stop
}

// check looks at the average so far, and comes back when it could have become too
// low.
func (p *pace) check() {
	p.mu.Lock()
	defer p.mu.Unlock()
	limits := &p.attempt.client.limits
	if p.held {
		p.timer.Reset(limits.paceAfter)
		return
	}
	elapsed := time.Since(p.start)
	enoughUntil := time.Duration(p.wire.got.Load()) * time.Second / time.Duration(limits.rate)
	if enoughUntil <= elapsed {
		p.attempt.cancel(errPace)
		return
	}
	p.timer.Reset(enoughUntil - elapsed)
}

// hold stops the clock of the body, and release lets it go on as if no time had
// passed.
func (p *pace) hold() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = true
}

func (p *pace) release(after time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held, p.start = false, p.start.Add(after)
}
