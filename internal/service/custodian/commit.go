package custodian

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/clock"
	"github.com/avow-project/avow/internal/std/hostname"
)

// maxTries is how often a change is made anew because another process was faster.
const maxTries = 40

// apply lets custody decide about a reading and commits the result. With absent there were
// no records a moment ago. What came back from the web is not lost because the caller has
// gone.
func (k *Keeper) apply(ctx context.Context, r *reading, absent bool) error {
	t := task{names: []string{string(r.domain)}, weighs: weighty(r.outcome), asker: askerOf(ctx)}
	t.make = func(ctx context.Context) (*draft, error) {
		fresh := absent
		absent = false // another process may have made them if this does not fit
		return k.draft(ctx, r, t.asker, fresh)
	}
	t.key = string(r.domain) + " " + r.outcome.String() + " " + r.leadHash
	for _, g := range r.glimpses() {
		t.about(g)
	}
	return k.retry(context.WithoutCancel(ctx), t)
}

// applyFile is apply for what is known about a file alone.
func (k *Keeper) applyFile(ctx context.Context, domain hostname.Domain, g *glimpse) error {
	t := task{asker: askerOf(ctx), make: func(ctx context.Context) (*draft, error) {
		d, err := k.newDraft(ctx, domain)
		if err != nil {
			return nil, err
		}
		err = d.takeFile(ctx, g)
		return d, err
	}}
	t.about(g)
	return k.retry(context.WithoutCancel(ctx), t)
}

// A task makes the draft of a change, as often as needed.
type task struct {
	make func(context.Context) (*draft, error)
	// names are those of the records that it is about, and size the bytes it has to keep.
	names []string
	size  int64
	// asker says for whom it is done.
	asker Asker
	// key is the same for tasks that do the same; empty when that is not known.
	key string
	// weighs: as long as the records cannot be read it must be taken for one that matters.
	weighs bool
}

// about adds a file to what the task is about.
func (t *task) about(g *glimpse) {
	t.names = append(t.names, g.url)
	t.key += " " + g.url + " " + g.observation.Outcome.String() + " " + g.observation.Hash
	t.size += int64(len(g.body))
	t.weighs = t.weighs || weighty(g.observation.Outcome)
}

// weighty reports whether what was seen may take something away.
func weighty(o custody.Outcome) bool {
	return o == custody.Whole || o == custody.Gone || o == custody.Denied
}

// retry makes a draft and commits it, until no other process was faster. What could not
// be saved of the same records before comes first; while that fails, this is not saved
// either.
func (k *Keeper) retry(ctx context.Context, t task) error {
	err := k.settle(ctx, k.doubts.of(t.names...))
	if err != nil {
		return k.remember(ctx, t, err)
	}
	err = k.insist(ctx, func(ctx context.Context) error { return k.once(ctx, t, true) })
	if errors.Is(err, errFaster) && t.weighs {
		k.unsaved(ctx, t, err)
	}
	return err
}

// errFaster is the error of a change that others were faster with again and again.
var errFaster = fmt.Errorf("%w: another process was faster %d times", ErrUnavailable, maxTries)

// insist repeats a change while another process was faster.
func (k *Keeper) insist(ctx context.Context, change func(context.Context) error) error {
	for try := 1; ; try++ {
		err := change(ctx)
		switch {
		case !errors.Is(err, ErrConflict):
			return err
		case try == maxTries:
			return errFaster
		}
		clock.Pause(ctx, time.Duration(1+rand.IntN(4*min(try, 10)))*time.Millisecond)
	}
}

// settle makes changes again that could not be saved, in their order. One that fails
// keeps those after it that share a record; the error is the first. If another goroutine
// is doing so, it waits no longer than for the store.
func (k *Keeper) settle(ctx context.Context, list []*lost) error {
	if len(list) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	select {
	case k.doubts.redo <- struct{}{}:
	case <-ctx.Done():
		return unsettled(ctx.Err())
	}
	defer func() { <-k.doubts.redo }()
	var first error
	var closed []string
	for _, l := range list {
		if !slices.Contains(k.doubts.of(l.names...), l) {
			continue // another process has saved it
		}
		err := first
		if !l.shares(closed) {
			err = k.insist(ctx, func(ctx context.Context) error { return k.once(ctx, l.task, false) })
		}
		if err == nil || errors.Is(err, ErrNotAdmitted) {
			k.doubts.saved(l)
			continue
		}
		k.doubts.failed(l, err, k.now())
		first, closed = cmp.Or(first, err), append(closed, l.names...)
	}
	return first
}

// unsettled makes an error one of the store: the caller has not given up.
func unsettled(err error) error {
	if err == nil || errors.Is(err, ErrUnavailable) || errors.Is(err, ErrConflict) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

// once makes a draft and commits it. A change that is made for the first time, and that
// the store does not take, is remembered.
func (k *Keeper) once(ctx context.Context, t task, first bool) error {
	limited, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	d, err := t.make(limited)
	switch {
	case err != nil && t.weighs:
		err = unsettled(err)
		if first {
			k.unsaved(ctx, t, err)
		}
		return err
	case err == nil && d.empty() && d.turnedAway:
		return ErrNotAdmitted
	case err != nil || d.empty():
		return err
	}
	d.prepare(t.asker)
	held := tenureOf(ctx)
	if held != nil && first {
		d.change.Lease = &held.Lease
	}
	err = k.config.Store.Commit(limited, &d.change)
	k.recent.forget(&d.change)
	switch {
	case errors.Is(err, ErrConflict) || errors.Is(err, ErrFenced) || errors.Is(err, ErrNotAdmitted):
		return err
	case err != nil && first:
		k.doubt(ctx, t, d, err)
		return unsettled(err)
	case err != nil:
		return unsettled(err)
	}
	if held != nil && first && d.about(held.Name) {
		held.done.Store(true)
	}
	k.doubts.tookOne()
	noteSaved(ctx, d.change.Publisher)
	k.saved(d)
	k.fanOut(limited, d)
	k.tellSkipped(ctx, d)
	if d.turnedAway {
		return ErrNotAdmitted
	}
	return nil
}

// prepare completes the change for the store.
func (d *draft) prepare(asker Asker) {
	d.change.clean()
	d.change.Leaves = sync.OnceValue(d.leaves)
	d.change.Asker = asker
	d.change.Charge = d.k.config.Charge
}

// saved says that a change was saved.
func (k *Keeper) saved(d *draft) {
	k.wake(&d.change)
	if k.config.Changed != nil {
		k.config.Changed(&d.change)
	}
	k.notify(d.change.Events)
}

type savedKey struct{}

// withSaved returns a context, and where the last record of a publisher is noted that was saved
// with it.
func withSaved(ctx context.Context) (context.Context, *atomic.Pointer[custody.Publisher]) {
	saved := new(atomic.Pointer[custody.Publisher])
	return context.WithValue(ctx, savedKey{}, saved), saved
}

// noteSaved notes the record of a publisher, nil for none.
func noteSaved(ctx context.Context, p *custody.Publisher) {
	saved, ok := ctx.Value(savedKey{}).(*atomic.Pointer[custody.Publisher])
	if ok && p != nil {
		saved.Store(p)
	}
}

// fanOutMost is how many publishers are looked at because their manager's file has changed.
// The others are due at their own times.
const fanOutMost = 1000

// fanOutApart is how long a version has been in effect when the next one has publishers looked
// at: a file that changes all the time does not have its publishers asked all the time.
const fanOutApart = time.Hour

// everybodyKey is that of a context in which everybody is asked anyway.
type everybodyKey struct{}

// fanOut has publishers looked at that lead to a file of which there is another version: what
// it says about them may rest on what they say. Should that fail, or the version
// before be a recent one, they are due at their own times.
func (k *Keeper) fanOut(ctx context.Context, d *draft) {
	var urls []string
	for _, v := range d.change.Versions {
		if before := d.known[v.URL]; before != nil && before.Hash != "" && k.now().Sub(before.AdoptedAt).Abs() >= fanOutApart {
			urls = append(urls, v.URL)
		}
	}
	if len(urls) == 0 || ctx.Value(everybodyKey{}) != nil {
		return
	}
	_, err := k.config.Store.Hasten(ctx, urls, k.now(), fanOutMost)
	if err != nil {
		k.config.Log.WarnContext(ctx, "cannot have publishers looked at whose manager has another file", "files", urls, "error", err)
	}
}

// remember keeps a change that comes while another one cannot be saved.
func (k *Keeper) remember(ctx context.Context, t task, why error) error {
	limited, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	d, err := t.make(limited)
	switch {
	case err != nil && t.weighs:
		k.unsaved(ctx, t, why)
	case err == nil && !d.empty():
		k.doubt(ctx, t, d, why)
	}
	return unsettled(why)
}

// doubt remembers a change that the store did not take, if it takes something away.
func (k *Keeper) doubt(ctx context.Context, t task, d *draft, err error) {
	if !d.matters {
		k.config.Log.WarnContext(ctx, "cannot save a change of custody, which does not matter", "about", d.names, "error", err)
		return
	}
	t.names = d.names
	k.unsaved(ctx, t, err)
}

// unsaved remembers a change that the store did not take. The records it is about are
// closed until it is taken.
func (k *Keeper) unsaved(ctx context.Context, t task, err error) {
	k.config.Log.ErrorContext(ctx, "cannot save a change of custody", "about", t.names, "error", err)
	now := k.now()
	k.doubts.add(&lost{task: t, err: err, at: now})
	e := custody.Event{
		Code: "state.unsaved", Severity: custody.Alert, At: now,
		Message: "a change could not be saved, so nothing is answered from the records until it can",
	}
	for _, name := range t.names {
		if strings.Contains(name, "://") {
			e.URL = name
		} else {
			e.Publisher = name
		}
	}
	k.notify([]custody.Event{e})
}
