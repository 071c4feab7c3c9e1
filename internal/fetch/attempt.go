package fetch

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/std/clock"
)

// An attempt is an exchange in the making.
type attempt struct {
	Exchange
	run    *run
	client *Client
	want   *Request
	target *target
	chain  *chain
	// ctx is the context of the exchange and cancel ends it, as hop does in time.
	ctx    context.Context
	cancel context.CancelCauseFunc
	hop    *clock.Clock
	// leave gives its slot at the host away; it may be called more than once.
	leave func()
	// pace watches over the body that is being read.
	pace *pace
	// address is the one whose slot it has, if addresses have slots, and release
	// gives it away.
	address netip.Addr
	release func()
	// held is how long the exchange was held up after it began: for want of a slot
	// at the address, or of memory and then of a slot.
	held time.Duration
	// begun is set when its turn came, and withdrawn when it did not after all.
	begun, withdrawn bool
	// body is set for Found, next for Redirected.
	body []byte
	next *target
}

// try makes one exchange: it waits for its turn, asks, and judges the answer.
func (r *run) try(ctx context.Context, t *target, number int) *attempt {
	a := &attempt{run: r, client: r.client, want: &r.want, target: t, chain: r.chain, release: func() {}}
	a.URL, a.Method, a.Attempt, a.At = t.String(), r.want.method(), number, time.Now()
	if !a.enter(ctx) {
		return a
	}
	defer func() {
		a.release()
		a.leave()
	}()
	ctx, a.cancel = context.WithCancelCause(ctx)
	defer a.cancel(nil)
	a.ctx, a.hop = ctx, clock.Start(a.client.limits.hop, func() { a.cancel(errHop) })
	defer a.hop.Stop()
	err := a.perform(ctx)
	a.conclude(ctx, err)
	a.Timings.Total = time.Since(a.At) - a.held
	a.Timings.Wait += a.held
	return a
}

// enter waits for the turn of the exchange. When the time is too short for that,
// nothing was sent, and the server is not to blame.
func (a *attempt) enter(ctx context.Context) bool {
	if !budgetOf(ctx).take() {
		a.Outcome, a.Reason, a.Detail = NoTurn, BudgetSpent, errSpent.Error()
		return false
	}
	bounded, cancel := a.run.bound(ctx)
	defer cancel()
	leave, err := a.client.hosts.enter(bounded, a.target.host)
	a.Timings.Wait = time.Since(a.At)
	if err == nil {
		a.begun, a.At, a.leave = true, time.Now(), sync.OnceFunc(leave)
		return true
	}
	a.withdraw(bounded, err)
	return false
}

// withdraw records that the turn of the exchange did not come. Nothing was sent, so
// that it is ignored.
func (a *attempt) withdraw(ctx context.Context, err error) {
	budgetOf(ctx).giveBack()
	f := ended(ctx)
	if f == nil || f.outcome != Cancelled {
		f = fail(NoTurn, err)
	}
	a.begun, a.withdrawn, a.Outcome, a.Detail = false, true, f.outcome, f.Error()
}

// slot waits for a turn with the address that is about to be connected to. The time
// that takes is not the server's.
func (a *attempt) slot(ctx context.Context, addr netip.Addr) error {
	begun := time.Now()
	goOn := a.hop.Hold()
	bounded, cancel := a.run.bound(ctx)
	defer cancel()
	leave, err := a.client.hosts.enterAt(bounded, addr)
	a.held += time.Since(begun)
	goOn()
	if err != nil {
		a.withdraw(bounded, err)
		return err
	}
	a.address, a.release = addr, sync.OnceFunc(leave)
	return nil
}

// within ends the exchange unless the returned function is called in time.
func (a *attempt) within(d time.Duration, cause timeError) func() bool {
	return time.AfterFunc(d, func() { a.cancel(cause) }).Stop
}

// perform connects, sends the request and reads the answer. The connection serves
// this one exchange.
func (a *attempt) perform(ctx context.Context) error {
	conn, err := a.connect(ctx)
	if err != nil {
		return err
	}
	// The socket is closed first and without a farewell: closing a body reads on to
	// its end, and closing TLS writes, for as long as the server likes.
	socket := conn.NetConn()
	closeSocket := func() { _ = socket.Close() }
	// Not every read looks at the context, but all of them end with the socket.
	stop := context.AfterFunc(ctx, closeSocket)
	defer stop()
	resp, end, err := a.send(ctx, conn)
	defer end()
	defer closeSocket()
	if err != nil {
		return err
	}
	err = a.judge(resp)
	closeSocket()
	_ = resp.Body.Close()
	return err
}

// conclude records how the exchange ended. An error after the context ended is
// its consequence.
func (a *attempt) conclude(ctx context.Context, err error) {
	if err == nil || a.withdrawn {
		return
	}
	f := ended(ctx)
	if f == nil && !errors.As(err, &f) {
		f = guardFailure(err)
	}
	a.Outcome, a.Detail, a.body = f.outcome, f.Error(), nil
}
