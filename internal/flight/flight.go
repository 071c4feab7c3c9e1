// Package flight has what callers share: calls that are under way, and answers that are
// kept for a while.
package flight

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// A Group lets those who want the same at the same time share one call. The zero value is
// ready for use.
type Group[K comparable, V any] struct {
	mu    sync.Mutex
	calls map[K]*Call[V]
}

// A Call is under way until Done is closed. It goes on for as long as any caller waits for
// it: if the first one gives up, the others are not affected, and the work does not start
// over.
type Call[V any] struct {
	mu      *sync.Mutex // of the group
	ctx     context.Context
	cancel  context.CancelCauseFunc
	done    chan struct{}
	value   V
	err     error
	waiting int // no caller joins once it is zero
}

// errEnded is for work that ends its goroutine.
var errEnded = errors.New("the call ended without a result")

// farewell is how long the last one who gives up waits for the work to end. Work that heeds
// its context needs no time for that; work that does not must not hold up the caller.
const farewell = time.Second

// Do returns the result of work, which one does for all. A caller whose context ends has the
// error of its context. When that was the last one, the work is canceled, and the caller sees
// it end, unless that takes long, and has its value beside the error. An error that is the own one of
// the caller who did the work is not passed on to others: one of them does it again.
func (g *Group[K, V]) Do(ctx context.Context, key K, work func(context.Context) (V, error)) (V, error) {
	for {
		mine := false
		c, err := g.Join(ctx, key, func(ctx context.Context) (V, error) {
			mine = true
			return work(ctx)
		})
		if err != nil {
			var none V
			return none, err
		}
		value, err := c.Wait(ctx)
		if err == nil || ctx.Err() != nil || mine || !Own(err) {
			return value, err
		}
	}
}

// Own reports whether an error concerns only the caller who did the work: the end of its time, or
// what says so itself with a method Own, such as that its client has used up its memory.
func Own(err error) bool {
	var says interface{ Own() bool }
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.As(err, &says) &&
		says.Own()
}

// Join returns the call that is under way, or begins one: with the values of the context, and
// without its end. Who joins has to Wait, or to Leave; a call that a caller never leaves is
// not canceled. One that was given up is not joined, but waited for. The error is the
// context's.
func (g *Group[K, V]) Join(ctx context.Context, key K, work func(context.Context) (V, error)) (*Call[V], error) {
	for ctx.Err() == nil {
		c, joined := g.join(ctx, key, work)
		if joined {
			return c, nil
		}
		select {
		case <-c.done:
		case <-ctx.Done():
		}
	}
	return nil, ctx.Err()
}

// Waiting returns how many have joined the call that is under way. It is zero when there is
// none that can be joined.
func (g *Group[K, V]) Waiting(key K) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := g.calls[key]
	if c == nil {
		return 0
	}
	return c.waiting
}

func (g *Group[K, V]) join(ctx context.Context, key K, work func(context.Context) (V, error)) (*Call[V], bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := g.calls[key]
	if c != nil && c.waiting == 0 {
		return c, false
	}
	if c == nil {
		c = &Call[V]{mu: &g.mu, done: make(chan struct{})}
		c.ctx, c.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
		if g.calls == nil {
			g.calls = make(map[K]*Call[V])
		}
		g.calls[key] = c
		go g.run(key, c, work)
	}
	c.waiting++
	return c, true
}

// run does the work. A panic becomes an error for all who wait: nothing else would catch it.
func (g *Group[K, V]) run(key K, c *Call[V], work func(context.Context) (V, error)) {
	c.err = errEnded
	defer func() {
		fault := recover()
		if fault != nil {
			c.err = fmt.Errorf("%v: panic: %v", key, fault)
		}
		g.mu.Lock()
		delete(g.calls, key)
		g.mu.Unlock()
		c.cancel(nil)
		close(c.done)
	}()
	c.value, c.err = work(c.ctx)
}

// Context is the work's context. It has the values of the first caller's context.
func (c *Call[V]) Context() context.Context { return c.ctx }

// Done is closed when there is a result.
func (c *Call[V]) Done() <-chan struct{} { return c.done }

// Result returns the result of a call that is done.
func (c *Call[V]) Result() (V, error) { return c.value, c.err }

// Wait waits for the result, as Do does.
func (c *Call[V]) Wait(ctx context.Context) (V, error) {
	select {
	case <-c.done:
		return c.value, c.err
	case <-ctx.Done():
	}
	var none V
	if !c.Leave(ctx) {
		return none, ctx.Err()
	}
	late := time.NewTimer(farewell)
	defer late.Stop()
	select {
	case <-c.done:
		return c.value, ctx.Err()
	case <-late.C:
		return none, ctx.Err()
	}
}

// Leave ends one caller's wait; its context says why. When that was the last one, the call is
// canceled for the same reason, and Leave reports true.
func (c *Call[V]) Leave(ctx context.Context) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting--
	if c.waiting > 0 {
		return false
	}
	c.cancel(context.Cause(ctx))
	return true
}
