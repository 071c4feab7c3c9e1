package custodian

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/std/freshness"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A Finder finds files. *discover.Finder is one.
type Finder interface {
	Domain(ctx context.Context, domain string, o discover.Options) (*discover.Discovery, error)
	Location(ctx context.Context, domain string, at discover.Place, o discover.Options) (*discover.Discovery, error)
}

// Config configures a Keeper. Store and Finder are required.
type Config struct {
	Store  Store
	Finder Finder
	// Now is the clock; nil means one that does not jump while the process runs.
	Now func() time.Time
	// Log is for the operator; nil for none.
	Log *slog.Logger
	// Notify is called with the events of a change after it was committed, in their order
	// for one record; nil for none. Their ID is zero: a reader that must not miss any reads
	// them from the store. It must be safe for concurrent use.
	Notify func([]custody.NumberedEvent)
	// Changed is told of every change after it was committed; nil for none. It must be
	// safe for concurrent use, and must not keep the change.
	Changed func(*Change)
	// OptedOut reports whether the owner of a domain wants nothing to do with the service: nothing
	// is told about it. Nil means that none does.
	OptedOut func(hostname.Domain) bool
	// Brand returns the agents that the publisher's brand.json names, and when that was
	// last changed; false when nothing is known. Nil means that nothing is known.
	Brand func(ctx context.Context, domain hostname.Domain) ([]string, time.Time, bool)
	// Reserve waits until there is memory to read a document of that many bytes, and returns
	// what gives it back, unless the call has it; see WithMemory. Nil means there always is.
	Reserve func(ctx context.Context, bytes int64) (func(), error)
	// Use reserves memory for an answer that is made of a document of that many bytes, and does not
	// wait; also unless the call has it. Nil means that none is needed.
	Use func(ctx context.Context, hash string, bytes int) error
	// Look is called when a publisher is going to be looked at, for a context with which the
	// Finder and Reserve are called. What it returns is called when what was found is kept, and
	// its memory not needed any more. Nil if it is not counted.
	Look func(ctx context.Context) (context.Context, func())
	// Seen is told what looks at publishers found, but for those of Check. Nil for none.
	Seen func(ctx context.Context, d *discover.Discovery)
	// IgnoreSuperseded answers from the file that a publisher's own way ends at, also when
	// that names another in its place. What is kept is the same.
	IgnoreSuperseded bool
	// Admit reports whether there is room for what is to be added to guests. It is asked before anything is
	// stored of a publisher that is not known, and takes nothing. With take it takes the room for a change,
	// and returns what is to be called when the change is made or has failed. Nil means that there always is
	// room.
	Admit func(ctx context.Context, charges []retain.Charge, take bool) (func(), bool)
	// Lead is how long before its end an entry of a file is told about; zero means the usual time.
	Lead time.Duration
	// Timeout limits one question to the web. Zero means 45 seconds.
	Timeout time.Duration
	// Memory is for files that were parsed, estimated in bytes, and AskedMemory for those of them
	// that questions are asked about. Zero means 96 MB each.
	Memory, AskedMemory int
	// Remember is how long questions are answered from a record that was read. What this Keeper
	// writes is noticed at once, and what others write to a Shared store, too: it is asked for
	// revisions then. Zero means that every question reads.
	Remember time.Duration
}

// ErrUnavailable is the error of questions that cannot be answered because the store
// fails.
var ErrUnavailable = errors.New("the store is not available")

// Limits of a Keeper.
const (
	defaultTimeout = 45 * time.Second
	// storeTimeout limits one use of the store.
	storeTimeout = 15 * time.Second
	// clockEvery is how often the store is asked for the latest time.
	clockEvery = 30 * time.Second
	// maxBack is how far the clock may be behind the latest time before that is alarming.
	maxBack = 5 * time.Minute
)

// maxTries is how often a change is made anew because another process was faster.
const maxTries = 40

// A Keeper keeps files in custody. What it knows is in its store: two of them with the
// same store give the same answers. It is safe for concurrent use.
type Keeper struct {
	config         Config
	start          time.Time
	looks          flight.Group[string, struct{}]
	asks           flight.Group[string, struct{}]
	parsed         *parsedFiles
	held           *heldLists
	recent         *recent // nil unless records are remembered
	newLocations   newLocations
	unsavedChanges *unsavedChanges
	turned         chan struct{} // there may be turns

	clock sync.Mutex
	noted time.Time // the latest time in the store, as far as known
	asked time.Time // when that was asked for
	// asking is closed when the process that asks for it has the answer; nil while none does.
	asking chan struct{}
	// ahead is how far that was before the clock: the late reading goes on from there.
	ahead      time.Duration
	clockAsked bool // the store was asked for it
	// lead is how far the dates of answers were ahead of the clock at most, once heard.
	lead   time.Duration
	heard  bool
	proven bool   // something vouches for the clock
	wrong  string // the code of what was last told to be wrong with the clock
}

// New returns a Keeper.
func New(c Config) (*Keeper, error) {
	if c.Store == nil || c.Finder == nil {
		return nil, errors.New("a keeper needs a store and a finder")
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Memory <= 0 {
		c.Memory = defaultMemory
	}
	if c.AskedMemory <= 0 {
		c.AskedMemory = defaultMemory
	}
	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}
	if c.OptedOut == nil {
		c.OptedOut = func(hostname.Domain) bool { return false }
	}
	return &Keeper{config: c, start: time.Now(), parsed: newParsedFiles(c.Memory, c.AskedMemory), held: newHeldLists(),
		recent:         newRecent(c.Remember, recentTime, c.Store.Shared()),
		unsavedChanges: newUnsavedChanges(), turned: make(chan struct{}, 1)}, nil
}

// ParseDomain returns the domain of a publisher as people write it, or a
// *discover.InputError.
func ParseDomain(input string) (hostname.Domain, error) {
	name, err := discover.CanonicalDomain(input)
	return hostname.Domain(name), err
}

// unavailable is the error for a store that fails. That the caller gave up is not the
// store's fault.
func unavailable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

func (k *Keeper) notify(events []custody.Event) {
	if k.config.Notify == nil || len(events) == 0 {
		return
	}
	list := make([]custody.NumberedEvent, len(events))
	for i := range events {
		list[i].Event = events[i]
	}
	k.config.Notify(list)
}

// A contextKey names something that a context has.
type contextKey uint8

const (
	askerKey contextKey = iota
	memoryKey
	// Under tenureKey is the lease of a task, and under savedKey where it notes what it has saved.
	tenureKey
	savedKey
	// everybodyKey is set while everybody is asked anyway.
	everybodyKey
)

// AskedBy returns a context that knows who asks. Without it the asker is Known.
func AskedBy(ctx context.Context, a Asker) context.Context {
	return context.WithValue(ctx, askerKey, a)
}

// askerOf returns who asks.
func askerOf(ctx context.Context) Asker {
	a, _ := ctx.Value(askerKey).(Asker)
	return a
}

// WithMemory returns a context for a call that has its memory already, and must not wait for others who may be
// waiting for Reserve.
func WithMemory(ctx context.Context) context.Context { return context.WithValue(ctx, memoryKey, true) }

func hasMemory(ctx context.Context) bool { return ctx.Value(memoryKey) != nil }

// publisher returns the record of a domain, a new one when there is none.
func (k *Keeper) publisher(ctx context.Context, domain hostname.Domain) (*custody.Publisher, error) {
	p, err := k.config.Store.Publisher(ctx, domain)
	switch {
	case errors.Is(err, ErrNotFound):
		return &custody.Publisher{Domain: domain}, nil
	case err != nil:
		return nil, unavailable(ctx, err)
	}
	return p, nil
}

// file returns the record of a URL, a new one when there is none.
func (k *Keeper) file(ctx context.Context, url string) (*custody.File, error) {
	f, err := k.config.Store.File(ctx, url)
	switch {
	case errors.Is(err, ErrNotFound):
		return &custody.File{URL: url}, nil
	case err != nil:
		return nil, unavailable(ctx, err)
	}
	return f, nil
}

// brief returns the record of a URL without its revocations, a new one when there is none,
// and its revision.
func (k *Keeper) brief(ctx context.Context, url string) (*custody.File, int64, error) {
	f, revision, err := k.config.Store.Brief(ctx, url)
	switch {
	case errors.Is(err, ErrNotFound):
		return &custody.File{URL: url}, 0, nil
	case err != nil:
		return nil, 0, unavailable(ctx, err)
	}
	return f, revision, nil
}

// now returns the time by the clock that does not jump.
func (k *Keeper) now() time.Time {
	if k.config.Now != nil {
		return k.config.Now().UTC()
	}
	return k.start.Add(elapsed(k.start)).Round(0).UTC()
}

// clocks returns the same, and how far the clock of the machine was set since the start: that
// is not followed, because holds would end early or files seem to be from the future.
func (k *Keeper) clocks() (time.Time, time.Duration) {
	now := k.now()
	if k.config.Now != nil {
		return now, 0
	}
	return now, time.Now().Round(0).Sub(now)
}

// since converts the time of an exchange to the keeper's clock, by its age.
func (k *Keeper) since(t time.Time) time.Time {
	return k.now().Add(-max(0, time.Since(t)))
}

// Moment returns the present, as far as it is known.
func (k *Keeper) Moment(ctx context.Context) (custody.Moment, error) { return k.moment(ctx) }

// moment returns the present, as far as it is known.
func (k *Keeper) moment(ctx context.Context) (custody.Moment, error) {
	at, _, err := k.momentAndFault(ctx)
	return at, err
}

// clockTimeout is how long the store may take to tell the time.
const clockTimeout = 5 * time.Second

// momentAndFault returns the present with what is wrong with the clock. The store is asked for
// the latest time when that is due. One does it for all; the others wait only as long as
// nothing is known. The clocks are read once: that takes longer than all the rest.
func (k *Keeper) momentAndFault(ctx context.Context) (custody.Moment, *ClockError, error) {
	for asked := false; ; {
		k.clock.Lock()
		now, set := k.clocks()
		since := now.Sub(k.asked)
		due := !k.clockAsked || since >= clockEvery || since < 0
		if asked || !due || k.asking != nil && k.clockAsked {
			at, fault := k.present(now, set), k.fault(now, set)
			k.clock.Unlock()
			return at, fault, nil
		}
		other := k.asking
		if other == nil {
			asked = true
			k.asking = make(chan struct{})
			k.clock.Unlock()
			err := k.askTime(ctx, now)
			k.clock.Lock()
			close(k.asking)
			k.asking = nil
			k.clock.Unlock()
			if err != nil {
				return custody.Moment{}, nil, err
			}
			continue
		}
		k.clock.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return custody.Moment{}, nil, ctx.Err()
		}
	}
}

// askTime asks the store for the latest time, and says when the clock is not to be
// trusted. Of the two readings of the clock the earlier one is noted.
func (k *Keeper) askTime(ctx context.Context, now time.Time) error {
	limited, cancel := context.WithTimeout(ctx, clockTimeout)
	defer cancel()
	_, set := k.clocks()
	latest, err := k.latest(limited, now, set)
	if err != nil {
		return unavailable(ctx, err)
	}
	k.clock.Lock()
	k.asked = now
	fault, code := k.fault(now, set), ""
	if fault != nil {
		code = fault.Code
	}
	changed := code != "" && code != k.wrong
	k.wrong = code
	k.clock.Unlock()
	if !changed {
		return nil
	}
	k.config.Log.ErrorContext(ctx, "the clock is not to be trusted", "now", now, "latest", latest, "set", set,
		"error", fault)
	e := custody.Event{Code: code, Severity: custody.Alert, At: now, Message: fault.Error()}
	err = k.config.Store.Commit(limited, &Change{Events: []custody.Event{e}})
	if err != nil {
		return unavailable(ctx, err)
	}
	k.notify([]custody.Event{e})
	return nil
}

// The codes of a clock that is not to be trusted.
const (
	codeBack  = "clock.back"
	codeAhead = "clock.ahead"
)

// A ClockError says what is wrong with the clock, and what to do about it.
type ClockError struct {
	Code string
	text string
}

// Error says it.
func (e *ClockError) Error() string { return e.text }

// built is when the code of this program was made; zero when that is not known. No honest
// clock shows an earlier time.
var built = func() time.Time {
	t, err := time.Parse(time.RFC3339, buildinfo.Get().Date)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}()

// witness compares the clock with the dates of the answers from the web. The one that is
// furthest ahead counts: a stranger who sends an old date must not make a clock that is
// right look wrong, and one that sends a late date vouches at most for what the clock of
// this machine shows anyway.
func (k *Keeper) witness(d *discover.Discovery) {
	if d == nil {
		return
	}
	for i := range d.Trail {
		r := d.Trail[i].Result
		if r == nil {
			continue
		}
		for j := range r.Exchanges {
			x := &r.Exchanges[j]
			at := k.since(x.At)
			sent, ok := freshness.Sent(x.Caching(), at)
			if ok {
				k.dated(sent.Sub(at))
			}
		}
	}
}

// dated takes note of how far an answer's date was ahead of the clock, which is negative
// when the clock was ahead.
func (k *Keeper) dated(lead time.Duration) {
	k.clock.Lock()
	defer k.clock.Unlock()
	if k.heard && lead <= k.lead {
		return
	}
	k.heard, k.lead = true, lead
	if !k.proven && lead >= -maxBack {
		k.proven, k.asked = true, time.Time{} // the time is noted with the next question
	}
}

// vouched returns the latest time that something else than the clock of this machine
// stands for: the time in the store, the dates of answers, the age of this program. The
// lock is held.
func (k *Keeper) vouched(now time.Time) time.Time {
	latest := k.noted
	if built.After(latest) {
		latest = built
	}
	if sent := now.Add(k.lead); k.heard && sent.After(latest) {
		latest = sent
	}
	return latest
}

// prove decides whether the clock may be relied upon. Once it may, it may for as long as
// the process runs, because its clock does not jump. The lock is held.
func (k *Keeper) prove(now time.Time) bool {
	k.proven = k.proven || !now.After(k.vouched(now).Add(maxBack))
	return k.proven
}

// present returns the present. What the clock of the machine says makes it later, never
// earlier. A clock that answers contradict is ahead: what they say is the early reading.
// One that nothing vouches for ends no hold by itself. The lock is held.
func (k *Keeper) present(now time.Time, set time.Duration) custody.Moment {
	m := custody.Moment{Early: now, Late: now.Add(k.ahead)}
	if wall := now.Add(set); wall.After(m.Late) {
		m.Late = wall
	}
	switch {
	case k.prove(now):
	case k.heard:
		m.Early = k.vouched(now)
	default:
		m.Sure = k.vouched(now)
		if m.Sure.IsZero() {
			m.Sure = time.Unix(0, 0).UTC() // nothing at all
		}
	}
	return m
}

// latest asks the store for the latest time. The present is noted if something vouches
// for it.
func (k *Keeper) latest(ctx context.Context, now time.Time, set time.Duration) (time.Time, error) {
	noted, err := k.config.Store.Clock(ctx, time.Time{})
	if err != nil {
		return time.Time{}, err
	}
	k.clock.Lock()
	k.recall(noted, now)
	proven := k.prove(now)
	k.clock.Unlock()
	if !proven {
		return noted, nil
	}
	noted, err = k.config.Store.Clock(ctx, now.Add(min(set, 0)))
	if err != nil {
		return time.Time{}, err
	}
	k.clock.Lock()
	defer k.clock.Unlock()
	k.recall(noted, now)
	return noted, nil
}

// recall takes over the latest time in the store. The late reading goes on from there. One
// that went back was set by an operator, and is followed. The lock is held.
func (k *Keeper) recall(noted, now time.Time) {
	if noted.Before(k.noted) {
		k.ahead = 0
	}
	k.noted, k.clockAsked = noted, true
	k.ahead = max(k.ahead, noted.Sub(now), 0)
}

// fault says what is wrong with the clock; nil when nothing is. The lock is held.
func (k *Keeper) fault(now time.Time, set time.Duration) *ClockError {
	back := k.noted.Sub(now)
	switch {
	case back > maxBack:
		return &ClockError{codeBack,
			fmt.Sprintf(
				"the clock is %s behind the latest time in the store: set it; if it is right, avow state set-clock repairs the "+
					"store", back.Round(time.Second))}
	case set.Abs() > maxBack:
		return &ClockError{codeBack,
			fmt.Sprintf(
				"the clock of the machine was set by %s since this process began, which does not follow it: start it again",
				set.Round(time.Second))}
	case k.heard && !k.prove(now):
		return &ClockError{codeAhead,
			fmt.Sprintf(
				"the clock is %s ahead of the dates that web servers send: set it; if it is right, say so with avow state set-clock", now.Sub(k.vouched(now)).Round(time.Second))}
	}
	return nil
}

// doubtful returns what is wrong with the clock; nil when nothing is.
func (k *Keeper) doubtful() *ClockError {
	now, set := k.clocks()
	k.clock.Lock()
	defer k.clock.Unlock()
	return k.fault(now, set)
}
