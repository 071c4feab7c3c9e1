package sqlite

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/service/patience"
	"github.com/avow-project/avow/internal/service/store/records"
)

// errClosed is the error of a change to a store that was closed.
var errClosed = errors.New("the store is closed")

// A group makes changes of several callers in one transaction. To reach the disk takes
// far longer than to write, and it is done once for all that are waiting; each of them
// goes on when it is done. A change that fails is taken back alone. Changes without a
// waiting caller let others join them.
type group struct {
	db    *pool
	file  openedFile
	ready chan struct{} // has an element when a change may be waiting
	ended chan struct{}
	// rest is called when nothing was changed for the time of idle.
	rest func()
	idle time.Duration

	mu      sync.Mutex
	closed  bool
	waiting []*change
	// gather is how long changes that are in no hurry wait for others, and gathering is
	// set while they do.
	gather    time.Duration
	gathering bool
}

// A change is what one caller wants to write. It may run more than once, but not when it is
// alone.
type change struct {
	run  func(*transaction) error
	done chan struct{}
	err  error
}

const (
	// mostAtOnce limits the changes of one transaction, so that none waits long for others.
	mostAtOnce = 64
	// gatherTime is long enough for others to come when there are many, and too short to
	// notice.
	gatherTime = 50 * time.Millisecond
	// idleTime is how long nothing is changed before there is time to tidy up.
	idleTime = 2 * time.Second
)

func newGroup(db *pool, at openedFile, idle time.Duration, rest func()) *group {
	g := &group{db: db, file: at, gather: gatherTime, ready: make(chan struct{}, 1), ended: make(chan struct{}),
		idle: idle, rest: rest}
	go g.work()
	return g
}

// do makes a change and returns when it has reached the disk. A caller whose context ends
// takes its change back if it has not begun; otherwise it waits, because the transaction
// is not its own.
func (g *group) do(ctx context.Context, run func(*transaction) error) error {
	err := ctx.Err()
	if err != nil {
		return err
	}
	c := &change{run: run, done: make(chan struct{})}
	err = g.queue(c, patience.Of(ctx))
	if err != nil {
		return err
	}
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
	}
	if g.takeBack(c) {
		return ctx.Err()
	}
	<-c.done
	return c.err
}

func (g *group) queue(c *change, patient bool) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return errClosed
	}
	g.waiting = append(g.waiting, c)
	switch {
	case !patient || len(g.waiting) >= mostAtOnce:
		g.wake()
	case !g.gathering:
		g.gathering = true
		time.AfterFunc(g.gather, g.gathered)
	}
	return nil
}

// gathered has those made that were in no hurry.
func (g *group) gathered() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gathering = false
	g.wake()
}

// wake has the worker look, which a closed group does anyway. The caller holds mu.
func (g *group) wake() {
	if g.closed {
		return
	}
	select {
	case g.ready <- struct{}{}:
	default:
	}
}

// takeBack removes a change that has not begun.
func (g *group) takeBack(c *change) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, w := range g.waiting {
		if w == c {
			g.waiting = append(g.waiting[:i], g.waiting[i+1:]...)
			return true
		}
	}
	return false
}

// next returns the changes to make now.
func (g *group) next() []*change {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := min(len(g.waiting), mostAtOnce)
	batch := g.waiting[:n:n]
	g.waiting = g.waiting[n:]
	if len(g.waiting) == 0 {
		g.waiting = nil // what was done is not held any longer
		return batch
	}
	g.wake()
	return batch
}

// close ends the work after what is waiting was done.
func (g *group) close() {
	g.mu.Lock()
	if !g.closed {
		g.closed = true
		close(g.ready)
	}
	g.mu.Unlock()
	<-g.ended
}

func (g *group) work() {
	defer close(g.ended)
	idle := time.NewTimer(g.idle)
	for {
		select {
		case _, open := <-g.ready:
			if !open {
				g.finish()
				return
			}
			g.transact()
			idle.Reset(g.idle)
		case <-idle.C:
			g.rest()
		}
	}
}

// finish makes what is still waiting.
func (g *group) finish() {
	for g.anybody() {
		g.transact()
	}
}

func (g *group) anybody() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.waiting) > 0
}

// transact makes the changes that are waiting. Nothing is taken from the queue before
// the transaction has the lock: until then, callers can give up.
func (g *group) transact() {
	if !g.anybody() {
		return
	}
	ctx := context.Background()
	tx, err := g.begin(ctx)
	batch := g.next()
	if err == nil {
		err = g.runAll(ctx, tx, batch)
	}
	for _, c := range batch {
		if c.err == nil {
			c.err = err
		}
		c.err = readable(c.err)
		close(c.done)
	}
	g.db.prepareWanted(ctx)
}

func (g *group) begin(ctx context.Context) (*transaction, error) {
	err := g.file.check()
	if err != nil {
		return nil, err
	}
	tx, err := g.db.BeginTx(ctx, nil)
	return &transaction{tx: tx, pool: g.db}, err
}

// runAll makes changes and commits them. The error is about all of them. To be able to take
// one back alone costs a copy of every page that it changes, and hardly ever is one taken
// back: only when that happens, and there are others, are they all made once more in this
// way.
func (g *group) runAll(ctx context.Context, tx *transaction, batch []*change) error {
	err := attemptAll(tx, batch)
	if err == nil {
		return tx.tx.Commit()
	}
	_ = tx.tx.Rollback() // the database may have ended it
	if len(batch) == 1 {
		return err
	}
	tx, err = g.begin(ctx)
	if err != nil {
		return err
	}
	err = runEach(ctx, tx, batch)
	if err != nil {
		return err
	}
	return tx.tx.Commit()
}

// attemptAll makes changes until one fails.
func attemptAll(tx *transaction, batch []*change) error {
	for _, c := range batch {
		err := c.attempt(tx)
		if err != nil {
			return err
		}
	}
	return nil
}

// runEach makes changes one by one. After an error the transaction is over.
func runEach(ctx context.Context, tx *transaction, batch []*change) error {
	for _, c := range batch {
		err := runOne(ctx, tx, c)
		if err != nil {
			// The database has ended the transaction, or cannot go on with it.
			_ = tx.tx.Rollback()
			return err
		}
	}
	return nil
}

// attempt runs a change. It may run for another caller, so a fault in the program is an
// error here.
func (c *change) attempt(tx *transaction) (err error) {
	defer func() {
		fault := recover()
		if fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	return c.run(tx)
}

// runOne makes one change. One that fails leaves nothing behind and has its own error;
// the error returned is about the transaction.
func runOne(ctx context.Context, tx *transaction, c *change) error {
	_, err := tx.Exec(ctx, "SAVEPOINT one")
	if err != nil {
		return err
	}
	c.err = c.attempt(tx)
	if c.err != nil {
		_, err = tx.Exec(ctx, "ROLLBACK TO one")
		if err != nil {
			return errors.Join(c.err, err)
		}
	}
	_, err = tx.Exec(ctx, "RELEASE one")
	return err
}

// undisturbed is a transaction whose statements do not end with the context of a caller:
// SQLite would take back what others have written in it.
type undisturbed struct{ *transaction }

// Exec runs a statement in the transaction.
func (u undisturbed) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	return u.transaction.Exec(context.WithoutCancel(ctx), statement, args...)
}

// Query runs a statement in the transaction.
func (u undisturbed) Query(ctx context.Context, statement string, args ...any) (records.Rows, error) {
	return u.transaction.Query(context.WithoutCancel(ctx), statement, args...)
}
