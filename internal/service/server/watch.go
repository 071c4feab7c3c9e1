package server

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

// storeTime is how long a call of the store may take before the caller is better off
// with an error.
const storeTime = 2 * time.Second

// A store that hangs is left alone: after slowCalls in a row that took too long, calls
// fail at once for storeRest. Other errors are ignored, since they cost no time and a
// caller might be able to cause them.
const (
	slowCalls = 3
	storeRest = 2 * time.Second
)

var errStoreHangs = errors.New("the store does not answer; it is asked again in a moment")

// WatchStore returns what a store tells of its calls: it counts what becomes of them, gives each of them two seconds
// at most, and spares callers the wait for a store that hangs.
func (m *Metrics) WatchStore() func(ctx context.Context, operation string) (context.Context, func(error) error) {
	w := &storeWatch{metrics: m}
	return w.begin
}

type storeWatch struct {
	metrics *Metrics

	mu    sync.Mutex
	slow  int
	until time.Time // no calls before
}

// begin begins a call. That something is not there, or has changed, is an answer and no
// failure, and neither is a caller who has gone away.
func (w *storeWatch) begin(caller context.Context, operation string) (context.Context, func(error) error) {
	began := time.Now()
	ctx, cancel := context.WithTimeout(caller, storeTime)
	if w.resting(began) {
		cancel()
		return ctx, func(error) error {
			w.metrics.storeBad.Add(1, operation)
			return storeTrouble(errStoreHangs)
		}
	}
	return ctx, func(err error) error {
		defer cancel()
		w.metrics.store.Observe(time.Since(began), operation)
		answer := err == nil || errors.Is(err, registry.ErrNotFound) || errors.Is(err, registry.ErrConflict) ||
			errors.Is(err, registry.ErrTooMany)
		if operation == "brand" && (err == nil || errors.Is(err, registry.ErrNotFound)) {
			w.metrics.ObserveCache(operation, err == nil)
		}
		if caller.Err() != nil {
			return err
		}
		w.judge(!answer && ctx.Err() != nil, time.Now())
		if answer {
			return err
		}
		w.metrics.storeBad.Add(1, operation)
		return storeTrouble(err)
	}
}

// resting reports whether the store is left alone.
func (w *storeWatch) resting(now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return now.Before(w.until)
}

// judge notes how a call ended.
func (w *storeWatch) judge(tooSlow bool, now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !tooSlow {
		w.slow = 0
		return
	}
	w.slow++
	if w.slow >= slowCalls {
		w.until = now.Add(storeRest)
	}
}

// storeTrouble is the error of a store that does not do its work. What is wrong with it
// is for the operator: wrapped, so that the log has it.
func storeTrouble(err error) error {
	if errors.Is(err, registry.ErrReadOnly) {
		return fmt.Errorf("%w: %w", registry.ReadOnly, err)
	}
	return fmt.Errorf("%w: %w",
		registry.Soon("store_unavailable", "The service cannot reach its store at the moment"), err)
}
