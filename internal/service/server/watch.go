package server

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
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

// WatchStore returns a store that counts what becomes of its calls, gives each of them
// two seconds at most, and spares callers the wait for a store that hangs.
func (m *Metrics) WatchStore(s registry.Store) registry.Store {
	return &watchedStore{store: s, metrics: m}
}

type watchedStore struct {
	store   registry.Store
	metrics *Metrics

	mu    sync.Mutex
	slow  int
	until time.Time // no calls before
}

// resting reports whether the store is left alone.
func (w *watchedStore) resting(now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return now.Before(w.until)
}

// judge notes how a call ended.
func (w *watchedStore) judge(tooSlow bool, now time.Time) {
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

// watch makes a call. That something is not there, or has changed, is an answer and no
// failure, and neither is a caller who has gone away.
func (w *watchedStore) watch(ctx context.Context, operation string, call func(context.Context) error) error {
	began := time.Now()
	if w.resting(began) {
		w.metrics.storeBad.Add(1, operation)
		return storeTrouble(errStoreHangs)
	}
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	err := call(ctx)
	w.metrics.store.Observe(time.Since(began), operation)
	answer := err == nil || errors.Is(err, registry.ErrNotFound) || errors.Is(err, registry.ErrConflict) || errors.Is(err, registry.ErrTooMany)
	if caller.Err() == nil {
		w.judge(!answer && ctx.Err() != nil, time.Now())
	}
	if !answer && caller.Err() == nil {
		w.metrics.storeBad.Add(1, operation)
		return storeTrouble(err)
	}
	return err
}

// storeTrouble is the error of a store that does not do its work. What is wrong with it
// is for the operator: wrapped, so that the log has it.
func storeTrouble(err error) error {
	if errors.Is(err, registry.ErrReadOnly) {
		return fmt.Errorf("%w: %w", registry.ReadOnly, err)
	}
	return fmt.Errorf("%w: %w", registry.Soon("store_unavailable", "The service cannot reach its store at the moment"), err)
}

// ask is watch for calls with a result.
func ask[T any](ctx context.Context, w *watchedStore, operation string, call func(context.Context) (T, error)) (T, error) {
	var result T
	err := w.watch(ctx, operation, func(ctx context.Context) error {
		var err error
		result, err = call(ctx)
		return err
	})
	return result, err
}

// known counts whether the store knew what it was asked for.
func (w *watchedStore) known(what string, err error) {
	if err == nil || errors.Is(err, registry.ErrNotFound) {
		w.metrics.ObserveCache(what, err == nil)
	}
}

// page is a part of a list, and how long that is.
type page[T any] struct {
	list []T
	all  int
}

// PutDocument calls the wrapped store.
func (w *watchedStore) PutDocument(ctx context.Context, body []byte) (registry.Hash, error) {
	return ask(ctx, w, "put_document", func(ctx context.Context) (registry.Hash, error) { return w.store.PutDocument(ctx, body) })
}

// Document calls the wrapped store.
func (w *watchedStore) Document(ctx context.Context, h registry.Hash) ([]byte, error) {
	return ask(ctx, w, "document", func(ctx context.Context) ([]byte, error) { return w.store.Document(ctx, h) })
}

// PutBrand calls the wrapped store.
func (w *watchedStore) PutBrand(ctx context.Context, b *registry.Brand) error {
	return w.watch(ctx, "put_brand", func(ctx context.Context) error { return w.store.PutBrand(ctx, b) })
}

// Brand calls the wrapped store.
func (w *watchedStore) Brand(ctx context.Context, domain hostname.Domain, source registry.BrandSource) (*registry.Brand, error) {
	b, err := ask(ctx, w, "brand", func(ctx context.Context) (*registry.Brand, error) { return w.store.Brand(ctx, domain, source) })
	w.known("brand", err)
	return b, err
}

// Brands calls the wrapped store.
func (w *watchedStore) Brands(ctx context.Context, after hostname.Domain, limit int) ([]registry.Brand, error) {
	return ask(ctx, w, "brands", func(ctx context.Context) ([]registry.Brand, error) { return w.store.Brands(ctx, after, limit) })
}

// PutMirror calls the wrapped store.
func (w *watchedStore) PutMirror(ctx context.Context, m *registry.Mirror, base registry.Hash) error {
	return w.watch(ctx, "put_mirror", func(ctx context.Context) error { return w.store.PutMirror(ctx, m, base) })
}

// Mirror calls the wrapped store.
func (w *watchedStore) Mirror(ctx context.Context, platform string) (*registry.Mirror, error) {
	return ask(ctx, w, "mirror", func(ctx context.Context) (*registry.Mirror, error) { return w.store.Mirror(ctx, platform) })
}

// Mirrors calls the wrapped store.
func (w *watchedStore) Mirrors(ctx context.Context, limit, offset int) ([]registry.Mirror, int, error) {
	p, err := ask(ctx, w, "mirrors", func(ctx context.Context) (page[registry.Mirror], error) {
		list, all, err := w.store.Mirrors(ctx, limit, offset)
		return page[registry.Mirror]{list, all}, err
	})
	return p.list, p.all, err
}

// DeleteMirror calls the wrapped store.
func (w *watchedStore) DeleteMirror(ctx context.Context, platform string, base registry.Hash) error {
	return w.watch(ctx, "delete_mirror", func(ctx context.Context) error { return w.store.DeleteMirror(ctx, platform, base) })
}

// PendingBy calls the wrapped store.
func (w *watchedStore) PendingBy(ctx context.Context, key string) (int, error) {
	return ask(ctx, w, "pending_by", func(ctx context.Context) (int, error) { return w.store.PendingBy(ctx, key) })
}

// PutProposal calls the wrapped store.
func (w *watchedStore) PutProposal(ctx context.Context, p *registry.Proposal) error {
	return w.watch(ctx, "put_proposal", func(ctx context.Context) error { return w.store.PutProposal(ctx, p) })
}

// Proposal calls the wrapped store.
func (w *watchedStore) Proposal(ctx context.Context, id string) (*registry.Proposal, error) {
	return ask(ctx, w, "proposal", func(ctx context.Context) (*registry.Proposal, error) { return w.store.Proposal(ctx, id) })
}

// Proposals calls the wrapped store.
func (w *watchedStore) Proposals(ctx context.Context, state registry.ProposalState, limit, offset int) ([]registry.Proposal, int, error) {
	p, err := ask(ctx, w, "proposals", func(ctx context.Context) (page[registry.Proposal], error) {
		list, all, err := w.store.Proposals(ctx, state, limit, offset)
		return page[registry.Proposal]{list, all}, err
	})
	return p.list, p.all, err
}

// DecideProposal calls the wrapped store.
func (w *watchedStore) DecideProposal(ctx context.Context, p *registry.Proposal, m *registry.Mirror) error {
	return w.watch(ctx, "decide_proposal", func(ctx context.Context) error { return w.store.DecideProposal(ctx, p, m) })
}

// PutKey calls the wrapped store.
func (w *watchedStore) PutKey(ctx context.Context, k *registry.Key) error {
	return w.watch(ctx, "put_key", func(ctx context.Context) error { return w.store.PutKey(ctx, k) })
}

// KeyByHash calls the wrapped store.
func (w *watchedStore) KeyByHash(ctx context.Context, h registry.Hash) (*registry.Key, error) {
	return ask(ctx, w, "key_by_hash", func(ctx context.Context) (*registry.Key, error) { return w.store.KeyByHash(ctx, h) })
}

// Keys calls the wrapped store.
func (w *watchedStore) Keys(ctx context.Context) ([]registry.Key, error) {
	return ask(ctx, w, "keys", w.store.Keys)
}

// RevokeKey calls the wrapped store.
func (w *watchedStore) RevokeKey(ctx context.Context, id string, at time.Time) error {
	return w.watch(ctx, "revoke_key", func(ctx context.Context) error { return w.store.RevokeKey(ctx, id, at) })
}

// Spend calls the wrapped store.
func (w *watchedStore) Spend(ctx context.Context, budget, period string, limit int) (bool, error) {
	return ask(ctx, w, "spend", func(ctx context.Context) (bool, error) { return w.store.Spend(ctx, budget, period, limit) })
}

// Ping calls the wrapped store.
func (w *watchedStore) Ping(ctx context.Context) error { return w.watch(ctx, "ping", w.store.Ping) }

// Close calls the wrapped store.
func (w *watchedStore) Close() error { return w.store.Close() }
