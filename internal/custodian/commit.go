package custodian

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/clock"
)

// maxTries is how often a change is made anew because somebody else was faster.
const maxTries = 40

// apply lets custody decide about a reading and commits the result. What came back from
// the web is not lost because the caller has gone.
func (k *Keeper) apply(ctx context.Context, r *reading) error {
	t := task{make: func(ctx context.Context) (*draft, error) { return k.draft(ctx, r) }, names: []string{r.domain}, weighs: weighty(r.outcome)}
	for _, g := range []*glimpse{r.file, r.manager} {
		if g != nil {
			t.about(g)
		}
	}
	return k.retry(context.WithoutCancel(ctx), t)
}

// applyFile is apply for what was found out about a file alone.
func (k *Keeper) applyFile(ctx context.Context, domain string, g *glimpse) error {
	t := task{make: func(ctx context.Context) (*draft, error) {
		d, err := k.newDraft(ctx, domain)
		if err != nil {
			return nil, err
		}
		return d, d.takeFile(ctx, g)
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
	// weighs: as long as the records cannot be read it must be taken for one that matters.
	weighs bool
}

// about adds a file to what the task is about.
func (t *task) about(g *glimpse) {
	t.names = append(t.names, g.url)
	t.size += int64(len(g.body))
	t.weighs = t.weighs || weighty(g.sight.Outcome)
}

// weighty reports whether what was seen may take something away.
func weighty(o custody.Outcome) bool {
	return o == custody.Whole || o == custody.Gone || o == custody.Denied
}

// retry makes a draft and commits it, until nobody was faster. What could not be saved
// before comes first; while that fails, nothing else is saved either.
func (k *Keeper) retry(ctx context.Context, t task) error {
	err := k.settle(ctx)
	if err != nil {
		return k.remember(ctx, t, err)
	}
	return k.insist(ctx, func(ctx context.Context) error { return k.once(ctx, t, true) })
}

// insist repeats a change while somebody else was faster.
func (k *Keeper) insist(ctx context.Context, change func(context.Context) error) error {
	for try := 1; ; try++ {
		err := change(ctx)
		switch {
		case !errors.Is(err, ErrConflict):
			return err
		case try == maxTries:
			return fmt.Errorf("%w: somebody else was faster %d times: %w", ErrUnavailable, try, err)
		}
		clock.Pause(ctx, time.Duration(1+rand.IntN(4*min(try, 10)))*time.Millisecond)
	}
}

// settle makes the changes again that could not be saved, in their order.
func (k *Keeper) settle(ctx context.Context) error {
	if _, ok := k.doubts.first(); !ok {
		return nil
	}
	k.doubts.redo.Lock()
	defer k.doubts.redo.Unlock()
	for {
		l, ok := k.doubts.first()
		if !ok {
			return nil
		}
		err := k.insist(ctx, func(ctx context.Context) error { return k.once(ctx, l.task, false) })
		if err != nil {
			return err
		}
		k.doubts.saved()
	}
}

// once makes a draft and commits it. A change that is made for the first time, and that
// the store does not take, is remembered.
func (k *Keeper) once(ctx context.Context, t task, first bool) error {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	d, err := t.make(ctx)
	switch {
	case err != nil && first && errors.Is(err, ErrUnavailable) && t.weighs:
		k.unsaved(ctx, t, err)
		return err
	case err != nil || d.empty():
		return err
	}
	d.change.clean()
	err = k.config.Store.Commit(ctx, &d.change)
	switch {
	case errors.Is(err, ErrConflict):
		return err
	case err != nil && first:
		k.doubt(ctx, t, d, err)
		return unavailable(ctx, err)
	case err != nil:
		return unavailable(ctx, err)
	}
	k.notify(d.change.Events)
	return nil
}

// remember keeps a change that comes while another one cannot be saved.
func (k *Keeper) remember(ctx context.Context, t task, why error) error {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	d, err := t.make(ctx)
	switch {
	case err != nil && t.weighs:
		k.unsaved(ctx, t, why)
	case err == nil && !d.empty():
		k.doubt(ctx, t, d, why)
	}
	return unavailable(ctx, why)
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
	k.doubts.add(lost{task: t, err: err, at: now})
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
