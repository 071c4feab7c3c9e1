package custodian

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/std/clock"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A tenure is a lease during a task.
type tenure struct {
	Lease
	// done: a change has ended the lease. lost: another process has it. refused: there was
	// no room for what was found.
	done, lost, refused atomic.Bool
}

// under returns a context whose changes are made under a lease.
func under(ctx context.Context, t *tenure) context.Context {
	return context.WithValue(ctx, tenureKey, t)
}

// tenureOf returns the lease that changes are made under; nil for none.
func tenureOf(ctx context.Context) *tenure {
	t, _ := ctx.Value(tenureKey).(*tenure)
	return t
}

// hasRecord reports whether the draft has the record that a lease is for.
func (d *draft) hasRecord(name string) bool {
	if d.change.Publisher != nil && string(d.change.Publisher.Domain) == name {
		return true
	}
	for _, f := range d.change.Files {
		if FileKey(f.URL) == name {
			return true
		}
	}
	return false
}

// apply lets custody decide about an observation and commits the result. With absent there were
// no records a moment ago. What came back from the web is not lost because the caller has
// gone.
func (k *Keeper) apply(ctx context.Context, r *publisherObservation, absent bool) error {
	t := task{names: []string{string(r.domain)}, weighs: weighty(r.outcome), asker: askerOf(ctx)}
	t.make = func(ctx context.Context) (*draft, error) {
		fresh := absent
		absent = false // another process may have made them if this does not fit
		return k.draft(ctx, r, t.asker, fresh)
	}
	t.key = string(r.domain) + " " + r.outcome.String() + " " + r.leadHash
	for _, g := range r.files() {
		t.addFile(g)
	}
	return k.retry(context.WithoutCancel(ctx), t)
}

// applyFile is apply for what is known about a file alone.
func (k *Keeper) applyFile(ctx context.Context, domain hostname.Domain, g *fileObservation) error {
	t := task{asker: askerOf(ctx), make: func(ctx context.Context) (*draft, error) {
		d, err := k.newDraft(ctx, domain)
		if err != nil {
			return nil, err
		}
		err = d.takeFile(ctx, g)
		return d, err
	}}
	t.addFile(g)
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

// addFile adds a file to what the task is about.
func (t *task) addFile(g *fileObservation) {
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
	err := k.settle(ctx, k.unsavedChanges.of(t.names...))
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
	case k.unsavedChanges.redo <- struct{}{}:
	case <-ctx.Done():
		return unsettled(ctx.Err())
	}
	defer func() { <-k.unsavedChanges.redo }()
	var first error
	var closed []string
	for _, l := range list {
		if !slices.Contains(k.unsavedChanges.of(l.names...), l) {
			continue // another process has saved it
		}
		err := first
		if !l.shares(closed) {
			err = k.insist(ctx, func(ctx context.Context) error { return k.once(ctx, l.task, false) })
		}
		if err == nil || errors.Is(err, ErrNotAdmitted) {
			k.unsavedChanges.saved(l)
			continue
		}
		k.unsavedChanges.failed(l, err, k.now())
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
		k.rememberLoss(ctx, t, d, err)
		return unsettled(err)
	case err != nil:
		return unsettled(err)
	}
	if held != nil && first && d.hasRecord(held.Name) {
		held.done.Store(true)
	}
	k.unsavedChanges.tookOne()
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
	if admit := d.k.config.Admit; admit != nil {
		d.change.Charge = func(ctx context.Context, charges []retain.Charge) (func(), bool) {
			return admit(ctx, charges, true)
		}
	}
}

// saved says that a change was saved.
func (k *Keeper) saved(d *draft) {
	k.wake(&d.change)
	if k.config.Changed != nil {
		k.config.Changed(&d.change)
	}
	k.notify(d.change.Events)
}

// withSaved returns a context, and where the last record of a publisher is noted that was saved
// with it.
func withSaved(ctx context.Context) (context.Context, *atomic.Pointer[custody.Publisher]) {
	saved := new(atomic.Pointer[custody.Publisher])
	return context.WithValue(ctx, savedKey, saved), saved
}

// noteSaved notes the record of a publisher, nil for none.
func noteSaved(ctx context.Context, p *custody.Publisher) {
	saved, ok := ctx.Value(savedKey).(*atomic.Pointer[custody.Publisher])
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

// fanOut has publishers looked at that lead to a file of which there is another version: what
// it says about them may rest on what they say. Should that fail, or the version
// before be a recent one, they are due at their own times.
func (k *Keeper) fanOut(ctx context.Context, d *draft) {
	var urls []string
	for _, v := range d.change.Versions {
		if before := d.known[v.URL]; before != nil && before.Hash != "" &&
			k.now().Sub(before.AdoptedAt).Abs() >= fanOutApart {
			urls = append(urls, v.URL)
		}
	}
	if len(urls) == 0 || ctx.Value(everybodyKey) != nil {
		return
	}
	_, err := k.config.Store.Hasten(ctx, urls, k.now(), fanOutMost)
	if err != nil {
		k.config.Log.WarnContext(ctx, "cannot have publishers looked at whose manager has another file", "files", urls,
			"error", err)
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
		k.rememberLoss(ctx, t, d, why)
	}
	return unsettled(why)
}

// rememberLoss remembers a change that the store did not take, if it takes something away.
func (k *Keeper) rememberLoss(ctx context.Context, t task, d *draft, err error) {
	if !d.matters {
		k.config.Log.WarnContext(ctx, "cannot save a change of custody, which does not matter", "about", d.names,
			"error", err)
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
	k.unsavedChanges.add(&lost{task: t, err: err, at: now})
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

// wake has KeepTurns look for turns.
func (k *Keeper) wake(c *Change) {
	if len(c.Touched) == 0 && (c.Index == nil || len(c.Index.Others) == 0) {
		return
	}
	select {
	case k.turned <- struct{}{}:
	default:
	}
}

// mostLogged is how many entries of one version are logged one by one. A file may have
// hundreds of thousands, and readers of the log need the first.
const mostLogged = 20

// tellSkipped logs the entries that are left out of the versions that a draft has adopted:
// once for each version, however often it is used.
func (k *Keeper) tellSkipped(ctx context.Context, d *draft) {
	for i := range d.change.Versions {
		v := &d.change.Versions[i]
		at := slices.IndexFunc(d.given, func(g given) bool { return g.hash == v.Hash && g.url == v.URL })
		if at < 0 {
			continue
		}
		list := d.given[at].skipped
		log := k.config.Log.With("domain", d.domain, "url", v.URL, "sha256", v.Hash)
		for _, s := range list[:min(len(list), mostLogged)] {
			log.WarnContext(ctx, "an entry of a file is left out", "pointer", s.Pointer, "index", lastIndex(s.Pointer), "code",
				s.Code, "reason", s.Reason)
		}
		if more := len(list) - mostLogged; more > 0 {
			log.WarnContext(ctx, "more entries of a file are left out; avow validate lists them", "more", more)
		}
	}
}

// lastIndex returns the place in its list of what a JSON Pointer leads to; -1 for none.
func lastIndex(pointer string) int {
	for _, part := range slices.Backward(strings.Split(pointer, "/")) {
		n, err := strconv.Atoi(part)
		if err == nil {
			return n
		}
	}
	return -1
}

// unsavedChanges are what the store did not take although it takes something away: a revocation,
// a file that is gone. Nothing is answered from the records concerned until it has taken
// it. The change is made again from what was seen, before anything else that is seen
// later of the same records: a publisher that is silent by then, or has put the list
// back, must not make it forgotten. Other records are not concerned.
type unsavedChanges struct {
	mu   sync.Mutex
	lost []*lost // in the order in which they were seen
	size int64
	// stuck are the records of which not even that is known any more. They stay closed
	// until the process ends.
	stuck map[string]error
	// taken counts the changes that the store took.
	taken int
	// changes counts how often other records were concerned than before.
	changes atomic.Uint64
	// redo has an element while changes are being made again.
	redo chan struct{}
}

// A lost is a change that could not be saved, and why and when that was tried last.
type lost struct {
	task
	err   error
	at    time.Time
	tries int
	// taken is how many changes the store had taken then. One that it does not take while
	// it takes others is not the store's fault.
	taken  int
	poison bool
}

const (
	// savePause is the time between two attempts to save something by asking again.
	savePause = time.Minute
	// maxLost and maxLostBytes bound what is remembered for a store that is back later.
	maxLost, maxLostBytes = 1_000, 64_000_000
	// maxSaveTries is how often a change is tried, while the store takes others, before
	// it is taken for one that no store takes.
	maxSaveTries = 3
)

func newUnsavedChanges() *unsavedChanges { return &unsavedChanges{redo: make(chan struct{}, 1)} }

// add takes note of a change that could not be saved. The same one is noted once.
func (d *unsavedChanges) add(l *lost) {
	d.mu.Lock()
	defer d.mu.Unlock()
	l.taken = d.taken
	for _, known := range d.lost {
		if known.key != "" && known.key == l.key {
			known.err, known.at = l.err, l.at
			return
		}
	}
	defer d.changes.Add(1)
	if len(d.lost) < maxLost && d.size+l.size <= maxLostBytes {
		d.lost = append(d.lost, l)
		d.size += l.size
		return
	}
	if d.stuck == nil {
		d.stuck = make(map[string]error)
	}
	for _, name := range l.names {
		d.stuck[name] = l.err
	}
}

// of returns the changes about any of some records, the oldest first; all without
// names.
func (d *unsavedChanges) of(names ...string) []*lost {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []*lost
	for _, l := range d.lost {
		if len(names) == 0 || l.shares(names) {
			out = append(out, l)
		}
	}
	return out
}

func (l *lost) shares(names []string) bool {
	return slices.ContainsFunc(l.names, func(n string) bool { return slices.Contains(names, n) })
}

// saved forgets a change that the store took after all, and tookOne counts one that it
// took at once.
func (d *unsavedChanges) saved(l *lost) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.Index(d.lost, l)
	if i >= 0 {
		d.size -= l.size
		d.lost = slices.Delete(d.lost, i, i+1)
		d.changes.Add(1)
	}
}

func (d *unsavedChanges) tookOne() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.taken++
}

// failed notes that a change could not be saved once more.
func (d *unsavedChanges) failed(l *lost, err error, at time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.taken > l.taken {
		l.tries++
	}
	l.err, l.at, l.taken = err, at, d.taken
	l.poison = l.tries >= maxSaveTries
}

// due reports whether to try again.
func (d *unsavedChanges) due(name string, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.lost, func(l *lost) bool { return slices.Contains(l.names, name) })
	return i >= 0 && now.Sub(d.lost[i].at).Abs() >= savePause
}

// names returns those that are to be tried again.
func (d *unsavedChanges) names() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []string
	for _, l := range d.lost {
		out = append(out, l.names...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// behind reports whether a record is known to be behind.
func (d *unsavedChanges) behind(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, stuck := d.stuck[name]
	return stuck || slices.ContainsFunc(d.lost, func(l *lost) bool { return slices.Contains(l.names, name) })
}

// An UnsavedError says that changes which must not be lost are not saved.
type UnsavedError struct {
	text string
	err  error
}

// Error says which.
func (e *UnsavedError) Error() string { return e.text }

// Unwrap returns what the store said.
func (e *UnsavedError) Unwrap() error { return e.err }

// err returns why answers cannot be relied upon; nil when they can. A change that no
// store would take closes its own records and says nothing about the store.
func (d *unsavedChanges) err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var first *lost
	number := 0
	for _, l := range d.lost {
		if !l.poison {
			number++
		}
		if first == nil && !l.poison {
			first = l
		}
	}
	switch {
	case first != nil:
		return &UnsavedError{fmt.Sprintf("%d changes could not be saved, the first of them that of %s: %v", number,
			strings.Join(first.names, " and "), first.err), first.err}
	case len(d.stuck) > 0:
		return &UnsavedError{fmt.Sprintf("changes of %d records were lost; they stay closed until a new start", len(d.stuck)),
			nil}
	}
	return nil
}

// Ready returns why answers cannot be relied upon at present; nil when they can.
func (k *Keeper) Ready(ctx context.Context) error {
	err := k.askTime(ctx, k.now())
	if err != nil {
		return err
	}
	fault := k.doubtful()
	if fault != nil {
		return fault
	}
	_ = k.settle(ctx, k.unsavedChanges.of()) // what cannot be settled is told
	return k.unsavedChanges.err()
}

// clean makes the texts in a change such that every store can keep them. They come from
// strangers, and one who puts a NUL into the name of a property must not keep the rest
// from being saved.
func (c *Change) clean() {
	if c.Publisher != nil {
		cleanTexts(&c.Publisher.Trouble, &c.Publisher.Reply.Place.URL, &c.Publisher.Reply.Place.Manager)
		header(&c.Publisher.Headers)
	}
	for _, f := range c.Files {
		cleanTexts(&f.Trouble)
		header(&f.Headers)
	}
	for i := range c.Events {
		e := &c.Events[i]
		cleanTexts(&e.Publisher, &e.URL, &e.Domain, &e.Before, &e.After, &e.Message)
		changes := make([]custody.Change, len(e.Changes))
		for k, d := range e.Changes {
			cleanTexts(&d.Subject, &d.Before, &d.After, &d.Pointer, &d.Message)
			changes[k] = d
		}
		e.Changes = changes
	}
}

// cleanTexts removes from texts what must not be kept.
func cleanTexts(list ...*string) {
	for _, s := range list {
		*s = custody.Clean(*s)
	}
}

// header leaves out what cannot be kept: a validator that was changed would be another.
func header(h *custody.Headers) {
	for _, s := range []*string{&h.Age, &h.Date, &h.Expires, &h.ETag, &h.LastModified} {
		if custody.Clean(*s) != *s {
			*s = ""
		}
	}
	var list []string
	for _, s := range h.CacheControl {
		list = append(list, strings.ToValidUTF8(s, ""))
	}
	h.CacheControl = list
}
