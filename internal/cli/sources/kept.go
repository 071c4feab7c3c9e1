package sources

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/brand"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/keypin"
	"github.com/avow-project/avow/resolve"
)

// withoutState is the hint of commands that can do without a store. They never do so by
// themselves: an answer that nothing was compared for is another one.
const withoutState = "--store names another, and --no-state answers from the web alone"

// Kept answers from what is kept over time.
type Kept struct {
	store  *store.Store
	keeper *custodian.Keeper
	// asOf is the time whose answers are replayed; zero for the present.
	asOf time.Time
	// refresh: every publisher is asked once, whatever is kept of it.
	refresh bool

	mu    sync.Mutex
	asked map[string]bool
}

// OpenKept opens the store of a command that asks about publishers.
func OpenKept(ctx context.Context, a *console.App, f *Flags) (*Kept, error) {
	asOf, err := f.Check()
	if err != nil {
		return nil, err
	}
	if asOf.After(a.Env.Now()) {
		return nil, console.UsageError("leave --as-of out to ask about the present",
			"--as-of %s: the time has not come yet", f.AsOf)
	}
	f.State.existing = !asOf.IsZero()
	st, err := OpenStore(ctx, a, f.State, withoutState)
	if err != nil {
		return nil, err
	}
	request.NoteProxies(a)
	keeper, err := NewKeeper(a, st, f.Web, KeeperOptions{})
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return &Kept{store: st, keeper: keeper, asOf: asOf, refresh: f.Web.Refresh, asked: map[string]bool{}}, nil
}

// Close closes the store.
func (s *Kept) Close() error { return s.store.Close() }

// KeeperOptions are for those who stay: who hears of events and of failures, and how much
// memory there is for files that were parsed; zero means as much as answers need.
type KeeperOptions struct {
	Notify func([]custody.NumberedEvent)
	Log    *slog.Logger
	Memory int
	// Lead is how long before its end an entry of a file is told about; zero means the usual time.
	Lead time.Duration
}

// NewKeeper keeps files in a store.
func NewKeeper(a *console.App, st *store.Store, w *request.Flags, o KeeperOptions) (*custodian.Keeper, error) {
	client, err := request.NewClient(a, w)
	if err != nil {
		return nil, err
	}
	return custodian.New(custodian.Config{
		Store: st.Custody(), Finder: discover.New(discover.Config{Client: client, Now: a.Env.Now}), Now: a.Clock,
		Notify: o.Notify, Log: o.Log, Timeout: w.Timeout,
		Brand: brand.NewReader(client).SalesAgents, IgnoreSuperseded: w.NoFollow, Memory: o.Memory, Lead: o.Lead,
	})
}

// Document returns the document of a publisher.
func (s *Kept) Document(ctx context.Context, publisher string) (*resolve.Document, error) {
	if !s.asOf.IsZero() {
		return s.replayed(ctx, publisher)
	}
	domain, bad := custodian.ParseDomain(publisher)
	if bad == nil && s.refresh && s.first(publisher) {
		_, err := s.keeper.Refresh(ctx, domain, custodian.RefreshOptions{Force: true})
		if err != nil {
			return nil, StoreError(err)
		}
	}
	doc, err := s.keeper.Document(ctx, publisher)
	return doc, StoreError(err)
}

// first reports whether a publisher was not asked in this run yet.
func (s *Kept) first(publisher string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.asked[publisher]
	s.asked[publisher] = true
	return !known
}

// replayed returns the document of a time that is past.
func (s *Kept) replayed(ctx context.Context, publisher string) (*resolve.Document, error) {
	domain, bad := custodian.ParseDomain(publisher)
	if bad != nil {
		return &resolve.Document{Publisher: publisher, State: resolve.Absent, FetchedAt: s.asOf, Detail: bad.Error()}, nil //nolint:nilerr // a name that is no domain has no file
	}
	doc, _, err := s.keeper.DocumentAt(ctx, domain, s.asOf)
	switch {
	case errors.Is(err, custodian.ErrNotFound):
		return &resolve.Document{
			Publisher: publisher, State: resolve.Unreachable, FetchedAt: s.asOf,
			Detail: "nothing was known about " + publisher + " at " + wire.Time(s.asOf), Advice: pastAdvice(publisher),
		}, nil
	case err == nil && doc.State != resolve.Usable && doc.Advice == "":
		past := *doc
		past.Advice = pastAdvice(publisher)
		return &past, nil
	}
	return doc, StoreError(err)
}

// pastAdvice says what to do about an answer of a time that is past, which no later
// question changes.
func pastAdvice(publisher string) string {
	return "name another time, or leave --as-of out to ask about the present; avow history " + publisher +
		" shows when what was known"
}

// StoreError gives the error of a store its hint.
func StoreError(err error) error {
	if errors.Is(err, custodian.ErrUnavailable) {
		return console.Failure("avow state check looks at the whole store", "%v", err)
	}
	return err
}

// Pins returns the pinned keys of what is kept.
func (s *Kept) Pins() keypin.Source { return keptPins{s} }

// keptPins takes pins from what is kept over time.
type keptPins struct{ kept *Kept }

// Pins returns the file in effect.
func (s keptPins) Pins(ctx context.Context, publisher string) (*keypin.Document, error) {
	if s.kept.refresh && s.kept.first(publisher) {
		return s.Refresh(ctx, publisher)
	}
	doc, err := s.kept.keeper.Pins(ctx, publisher)
	return doc, StoreError(err)
}

// Refresh asks the publisher once more.
func (s keptPins) Refresh(ctx context.Context, publisher string) (*keypin.Document, error) {
	doc, err := s.kept.keeper.KeySource().Refresh(ctx, publisher)
	return doc, StoreError(err)
}
