package registry

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/patience"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/websource"
	"github.com/avow-project/avow/resolve"
)

// A Space is a store that knows its size and what may be removed from it.
type Space interface {
	// Usage returns how large the store is.
	Usage(ctx context.Context) (retain.Usage, error)
	// GuestsOf returns what there is of guests of a site.
	GuestsOf(ctx context.Context, site string) (retain.Share, error)
	// Prune removes what may go. A result beside an error has all that was removed.
	Prune(ctx context.Context, o retain.Options) (*retain.Pruned, error)
	// InPlace returns an error when the store was taken away while it is in use.
	InPlace() error
}

// Times of WatchSpace.
const (
	// spaceEvery is how often the size is looked at. Whatever strangers bring in between has
	// to fit into what is left free.
	spaceEvery = time.Minute
	// pruneEvery is how often what is old is removed, and sweepEvery how often all documents
	// are looked at for those that nothing refers to. When the store is full, both are done
	// sooner.
	pruneEvery = time.Hour
	sweepEvery = 24 * time.Hour
)

// maxBringers is how many clients are remembered that brought something today.
const maxBringers = 100_000

// space is what is known of the size of the store.
type space struct {
	// deciding lets one charge be decided at a time: the store is asked meanwhile.
	deciding sync.Mutex

	mu    sync.Mutex
	known bool
	usage retain.Usage
	// day is the one that brought is about: what each client has brought.
	day     time.Time
	brought map[string]retain.Share
	// coming is what is being stored for each site.
	coming map[string]retain.Share
	// trouble is why the size could not be looked at or pruned, when that was tried last.
	trouble       error
	pruned, swept time.Time
}

// WatchSpace looks after the size of the store until the service is closed.
func (s *Service) WatchSpace() {
	if s.config.Space == nil {
		return
	}
	s.repeat(spaceEvery, s.KeepSpace, func(err error) {
		s.config.Log.Error("cannot look after the size of the store", "error", err)
	})
}

// KeepSpace looks at the size of the store, and removes what may go when that is due.
func (s *Service) KeepSpace(ctx context.Context) error {
	ctx = patience.With(ctx)
	usage, err := s.config.Space.Usage(ctx)
	if err != nil {
		s.space.note(nil, err)
		return err
	}
	s.space.note(&usage, nil)
	now := s.config.Now()
	full := s.config.Limits.Plan(usage, now).Evict > 0
	due, sweep := s.space.due(now, full)
	if !due {
		s.observe(usage, nil)
		return nil
	}
	pruned, err := s.config.Space.Prune(ctx, retain.Options{Limits: s.config.Limits, Now: now, Sweep: sweep})
	if err != nil {
		s.space.note(nil, err)
	}
	if pruned == nil {
		return err
	}
	if pruned.After != nil {
		usage = *pruned.After
	}
	s.space.done(now, sweep, usage)
	s.observe(usage, pruned)
	if total := pruned.Total(); total.Rows > 0 {
		removed := []any{"rows", total.Rows, "bytes", total.Bytes, "guests", pruned.Guests.Rows,
			"versions", pruned.Versions.Rows, "events", pruned.Events.Rows}
		if pruned.After != nil {
			removed = append(removed, "size", usage.Bytes)
		}
		s.config.Log.InfoContext(ctx, "removed from the store what is not kept any longer", removed...)
	}
	return err
}

func (s *Service) observe(u retain.Usage, p *retain.Pruned) {
	if s.config.ObserveSpace != nil {
		s.config.ObserveSpace(u, p)
	}
}

// note keeps what was found.
func (p *space) note(u *retain.Usage, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trouble = err
	if u != nil {
		p.usage, p.known = *u, true
	}
}

// due says whether to prune, and whether to look at all documents.
func (p *space) due(now time.Time, full bool) (bool, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	often := sweepEvery
	if full {
		often = pruneEvery
	}
	return full || now.Sub(p.pruned).Abs() >= pruneEvery, now.Sub(p.swept).Abs() >= often
}

// done notes that the store was pruned.
func (p *space) done(now time.Time, swept bool, u retain.Usage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pruned, p.usage, p.known = now, u, true
	if swept {
		p.swept = now
	}
}

// take decides about charges and, with keep, counts them as brought by the caller. What is being
// stored counts beside what the store has, so that many at a time do not get more than their share.
func (s *Service) take(ctx context.Context, charges []retain.Charge, keep bool) (func(), bool) {
	nothing := func() {}
	if s.config.Space == nil {
		return nothing, true
	}
	client := BlocksOf(ClientOf(ctx))
	demand := &retain.Demand{Charges: charges, Sites: map[string]retain.Share{}}
	s.space.deciding.Lock()
	defer s.space.deciding.Unlock()
	for _, c := range charges {
		site, err := s.guestsOf(ctx, c.Site)
		if err != nil {
			return nothing, true // the store says it itself
		}
		demand.Sites[c.Site] = site
	}
	s.space.mu.Lock()
	defer s.space.mu.Unlock()
	for site := range demand.Sites {
		demand.Sites[site] = demand.Sites[site].Add(s.space.coming[site])
	}
	today := s.config.Now().Truncate(24 * time.Hour)
	if !s.space.day.Equal(today) || len(s.space.brought) >= maxBringers {
		s.space.day, s.space.brought = today, map[string]retain.Share{}
	}
	demand.Client, demand.All = s.space.broughtBy(client), s.space.usage.Guests
	verdict := s.config.Limits.Admit(demand)
	if verdict != retain.Admitted {
		if s.config.ObserveRefusal != nil {
			s.config.ObserveRefusal(verdict)
		}
		return nothing, false
	}
	if !keep {
		return nothing, true
	}
	own := retain.Total(charges)
	for _, b := range client {
		s.space.brought[b.Name] = s.space.brought[b.Name].Add(own)
	}
	s.space.usage.Guests = s.space.usage.Guests.Add(own)
	s.space.come(charges)
	return func() { s.space.came(charges) }, true
}

// guestsOf returns what there is of the guests of a site.
func (s *Service) guestsOf(ctx context.Context, site string) (retain.Share, error) {
	limited, cancel := context.WithTimeout(ctx, s.limits.store)
	defer cancel()
	return s.config.Space.GuestsOf(limited, site)
}

// come notes what is being stored. The lock is held.
func (p *space) come(charges []retain.Charge) {
	if p.coming == nil {
		p.coming = map[string]retain.Share{}
	}
	for _, c := range charges {
		p.coming[c.Site] = p.coming[c.Site].Add(c.Share)
	}
}

// came notes that it is stored, or is not going to be.
func (p *space) came(charges []retain.Charge) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range charges {
		left := p.coming[c.Site].Add(retain.Share{Names: -c.Names, Bytes: -c.Bytes})
		if left == (retain.Share{}) {
			delete(p.coming, c.Site)
			continue
		}
		p.coming[c.Site] = left
	}
}

// broughtBy returns what a client has brought today, or its part of what the networks around
// it have, whichever is more. The lock is held.
func (p *space) broughtBy(client []Block) retain.Share {
	var most retain.Share
	for _, b := range client {
		all, factor := p.brought[b.Name], int64(b.Factor)
		most.Names, most.Bytes = max(most.Names, all.Names/factor), max(most.Bytes, all.Bytes/factor)
	}
	return most
}

// storageLimited is for a stranger's call that could only be answered by keeping more.
var storageLimited = &Error{
	Kind: Limited, Code: "storage_limited", RetryAfter: time.Hour,
	Message: "There is no room for another publisher of this site or of this client",
	Hint:    "ask with a key: what callers with a key name is kept",
}

// ReadOnly is for calls that cannot be answered because the disk of the store is full.
var ReadOnly = &Error{
	Kind: Unavailable, Code: "store_read_only", RetryAfter: time.Minute,
	Message: "The registry cannot save anything at present",
	Hint:    "try again later; questions that need nothing to be saved are answered",
}

// unkept answers about a publisher that there is no room for, from what the web says now, unless
// something is known that speaks against it.
func (s *Service) unkept(ctx context.Context, publisher hostname.Domain) (*resolve.Document, error) {
	c, _, err := s.look(ctx, publisher, looking{reuse: reuseTime})
	if err != nil {
		return nil, busyOr(err)
	}
	doc := websource.DocumentOf(string(publisher), c.discovery)
	if doc.State != resolve.Usable {
		return doc, nil
	}
	against, err := s.keeper.Contradicts(ctx, c.discovery)
	switch {
	case err != nil:
		return nil, StoreTrouble(errors.Join(custodian.ErrUnavailable, err))
	case against:
		return nil, storageLimited
	}
	return doc, nil
}

// A NotReady says why the service cannot do its work. Both texts are safe to show.
type NotReady struct {
	Code, Message string
	Err           error
}

// Error says it, with what is for the log.
func (e *NotReady) Error() string { return e.Message + ": " + e.Err.Error() }

// Unwrap returns what is for the log.
func (e *NotReady) Unwrap() error { return e.Err }

// Ready reports whether the service can do its work: the store can be read and
// written, and has everything it should have. The error is a *NotReady.
func (s *Service) Ready(ctx context.Context) error {
	if s.ctx.Err() != nil {
		return &NotReady{"closed", "the service is ending", errClosed}
	}
	if s.config.Space != nil {
		err := s.config.Space.InPlace()
		if err != nil {
			return &NotReady{"store.swapped",
				"the file of the store was removed or replaced while it is in use; start the service again", err}
		}
	}
	err := s.config.Store.Ping(ctx)
	if err == nil && s.keeper != nil {
		err = s.keeper.Ready(ctx)
	}
	return s.notReady(err)
}

// notReady names what is wrong.
func (s *Service) notReady(err error) error {
	var clock *custodian.ClockError
	var unsaved *custodian.UnsavedError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrReadOnly):
		return &NotReady{"store.read_only",
			"the store cannot be written, most likely because its disk is full: answers come from what is kept, and nothing " +
				"new is", err}
	case errors.As(err, &clock):
		return &NotReady{clock.Code, clock.Error(), err}
	case errors.As(err, &unsaved):
		return &NotReady{"custody.unsaved",
			"a change that must not be lost could not be saved; its publishers are not answered for until it is", err}
	case errors.Is(err, custodian.ErrOlder):
		return &NotReady{"store.restored", "the store is older than what was seen of it before", err}
	case errors.Is(err, custodian.ErrNewer):
		return &NotReady{"store.newer", "a newer release has upgraded the store; run this process with that release", err}
	}
	return &NotReady{"store.unavailable", "the store cannot be read and written", err}
}

// A Warning is something that an operator has to see to before it is too late.
type Warning struct{ Code, Message string }

// Warnings returns what there is to see to.
func (s *Service) Warnings() []Warning {
	s.space.mu.Lock()
	defer s.space.mu.Unlock()
	var all []Warning
	if s.space.known {
		switch state := s.config.Limits.State(s.space.usage); state {
		case retain.DiskLow:
			all = append(all, Warning{string(state),
				"the disk of the store is nearly full: make room, or lower the budget of the store"})
		case retain.OverBudget:
			all = append(all, Warning{string(state),
				"the store is larger than its budget allows: raise the budget, or keep less history"})
		}
	}
	if s.space.trouble != nil {
		all = append(all, Warning{"store.not_pruned", "nothing can be removed from the store at present; the log says why"})
	}
	if s.Unattended() {
		all = append(all, Warning{"workers.none", noWorkers})
	}
	return all
}
