package cli

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/brand"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/resolve"
)

// withoutState is the hint of commands that can do without a store. They never do so by
// themselves: an answer that nothing was compared for is another one.
const withoutState = "--store names another, and --no-state answers from the web alone"

// keptSource answers from what is kept over time.
type keptSource struct {
	store  *store.Store
	keeper *custodian.Keeper
	// asOf is the time whose answers are replayed; zero for the present.
	asOf time.Time
	// refresh: every publisher is asked once, whatever is kept of it.
	refresh bool

	mu    sync.Mutex
	asked map[string]bool
}

// keptSource opens the store of a command that asks about publishers.
func (a *app) keptSource(ctx context.Context, f *sourceFlags) (*keptSource, error) {
	asOf, err := f.checkSource()
	if err != nil {
		return nil, err
	}
	if asOf.After(a.env.Now()) {
		return nil, usageError("leave --as-of out to ask about the present", "--as-of %s: the time has not come yet", f.asOf)
	}
	f.state.existing = !asOf.IsZero()
	st, err := a.openState(ctx, f.state, withoutState)
	if err != nil {
		return nil, err
	}
	a.noteProxies()
	keeper, err := a.newKeeper(st, f.web, keeperOptions{})
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return &keptSource{store: st, keeper: keeper, asOf: asOf, refresh: f.web.refresh, asked: map[string]bool{}}, nil
}

// keeperOptions are for those who stay: who hears of events, and of failures.
type keeperOptions struct {
	notify func([]custodian.Event)
	log    *slog.Logger
}

// newKeeper keeps files in a store.
func (a *app) newKeeper(st *store.Store, w *webFlags, o keeperOptions) (*custodian.Keeper, error) {
	client, err := a.webClient(w)
	if err != nil {
		return nil, err
	}
	return custodian.New(custodian.Config{
		Store: st.Custody(), Finder: discover.New(client, a.env.Now), Now: a.clock, Notify: o.notify, Log: o.log, Timeout: w.timeout,
		Brand: brand.NewReader(client).SalesAgents, IgnoreSuperseded: w.noFollow,
	})
}

// Document returns the document of a publisher.
func (s *keptSource) Document(ctx context.Context, publisher string) (*resolve.Document, error) {
	if !s.asOf.IsZero() {
		return s.replayed(ctx, publisher)
	}
	if s.refresh && s.first(publisher) {
		_, err := s.keeper.Refresh(ctx, publisher, custodian.RefreshOptions{Force: true})
		var input *discover.InputError
		if err != nil && !errors.As(err, &input) {
			return nil, stateFault(err)
		}
	}
	doc, err := s.keeper.Document(ctx, publisher)
	return doc, stateFault(err)
}

// first reports whether a publisher was not asked in this run yet.
func (s *keptSource) first(publisher string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.asked[publisher]
	s.asked[publisher] = true
	return !known
}

// replayed returns the document of a time that is past.
func (s *keptSource) replayed(ctx context.Context, publisher string) (*resolve.Document, error) {
	doc, _, err := s.keeper.DocumentAt(ctx, publisher, s.asOf)
	var input *discover.InputError
	switch {
	case errors.As(err, &input):
		return &resolve.Document{Publisher: publisher, State: resolve.Absent, FetchedAt: s.asOf, Detail: input.Message}, nil
	case errors.Is(err, custodian.ErrNotFound):
		return &resolve.Document{
			Publisher: publisher, State: resolve.Unreachable, FetchedAt: s.asOf,
			Detail: "nothing was known about " + publisher + " at " + timeForJSON(s.asOf), Advice: pastAdvice(publisher),
		}, nil
	case err == nil && doc.State != resolve.Usable && doc.Advice == "":
		past := *doc
		past.Advice = pastAdvice(publisher)
		return &past, nil
	}
	return doc, stateFault(err)
}

// pastAdvice says what to do about an answer of a time that is past, which no later
// question changes.
func pastAdvice(publisher string) string {
	return "name another time, or leave --as-of out to ask about the present; avow history " + publisher + " shows when what was known"
}

// stateFault gives the error of a store its hint.
func stateFault(err error) error {
	if errors.Is(err, custodian.ErrUnavailable) {
		return failure("avow state check looks at the whole store", "%v", err)
	}
	return err
}

// A keptStanding says how an answer stands that rests on what is kept.
type keptStanding struct {
	*custodian.State
	asOf time.Time
	// version is that in force at asOf; nil for none.
	version *custodian.Version
	// revoked: the publisher is revoked although the file does not say so any more.
	revoked bool
}

// standing returns how the answer about a publisher stands; nil when nothing is kept.
func (s *source) standing(ctx context.Context, publisher string) (*keptStanding, error) {
	if s.kept == nil {
		return nil, nil
	}
	k := &keptStanding{asOf: s.kept.asOf}
	var err error
	if k.asOf.IsZero() {
		k.State, err = s.kept.keeper.State(ctx, publisher)
		k.revoked = err == nil && slices.Contains(k.Held, publisher)
	} else {
		var doc *resolve.Document
		doc, k.version, err = s.kept.keeper.DocumentAt(ctx, publisher, k.asOf)
		k.revoked = err == nil && slices.Contains(doc.Revoked, publisher)
	}
	var input *discover.InputError
	if errors.As(err, &input) || errors.Is(err, custodian.ErrNotFound) {
		return k, nil
	}
	return k, stateFault(err)
}

// jsonStanding is how an answer stands, in JSON.
type jsonStanding struct {
	// AsOf is the time whose answer is replayed; null for the present.
	AsOf    *string      `json:"as_of"`
	Version *jsonVersion `json:"version"`
	// PlaceStanding and FileStanding are absent in a replay.
	PlaceStanding string `json:"place_standing,omitempty"`
	FileStanding  string `json:"file_standing,omitempty"`
	// Detail says why the answer is none, or rests on something that is not confirmed.
	Detail  string       `json:"detail,omitempty"`
	Move    *jsonMove    `json:"move,omitempty"`
	Refused *jsonRefusal `json:"refused,omitempty"`
	// Revoked: the publisher is revoked by a revocation that the file does not list any
	// more.
	Revoked bool `json:"revocation_held"`
}

// document returns the standing in JSON; nil when nothing is kept.
func (k *keptStanding) document() *jsonStanding {
	if k == nil {
		return nil
	}
	doc := &jsonStanding{AsOf: instantForJSON(k.asOf), Revoked: k.revoked}
	if k.version != nil {
		doc.Version = versionForJSON(k.version)
	}
	if k.State == nil {
		return doc
	}
	doc.PlaceStanding, doc.FileStanding, doc.Detail = k.PublisherStanding.String(), k.FileStanding.String(), redact.Credentials(k.Detail)
	doc.Move = moveForJSON(k.Publisher)
	if f := k.File; f != nil {
		doc.Refused = refusalForJSON(f)
		if f.Hash != "" {
			doc.Version = versionForJSON(&custodian.Version{
				URL: f.URL, Hash: f.Hash, AdoptedAt: f.AdoptedAt, LastUpdated: f.LastUpdated, CatalogETag: f.CatalogETag, Bytes: f.Bytes,
			})
			doc.Version.ConfirmedAt = instantForJSON(f.ConfirmedAt)
		}
	}
	return doc
}

// standing writes what a reader has to know about an answer that rests on what is kept.
// An answer from a fresh file needs no word.
func (t *answerText) standing(k *keptStanding) {
	if k == nil {
		return
	}
	if !k.asOf.IsZero() {
		t.line("as of:", asOfWords(k))
	}
	if k.revoked {
		t.line("held:", "the revocation is not in the file any more, and holds for "+holdWords(custody.RevocationHold)+" after it was first seen")
	}
	if k.State == nil {
		return
	}
	if k.Served == resolve.Usable && k.Detail != "" {
		t.line("stale:", safe(redact.Credentials(k.Detail)))
	}
	if k.Publisher.Move != nil {
		t.line("held:", safe(moveWords(k.Publisher))+"; see avow hold list")
	}
	if k.File != nil && k.File.Refused != nil {
		t.line("refused:", safe(refusalWords(k.File))+"; see avow hold list")
	}
}

// asOfWords say which version a replay rests on.
func asOfWords(k *keptStanding) string {
	text := timeForJSON(k.asOf)
	if k.version == nil {
		return text + ", when no version was in force"
	}
	return text + ", when the version of " + timeForJSON(k.version.AdoptedAt) + " was in force, SHA-256 " + shortHash(k.version.Hash)
}
