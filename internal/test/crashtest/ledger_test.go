package crashtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
)

// An ack is what a process says after a step was committed: what nobody may lose from
// then on.
type ack struct {
	Step int
	// Publisher, its Revision and where it is about to move to, if anywhere.
	Publisher         string
	PublisherRevision int64
	Move              string
	// URL, Revision, Hash and HighWater are those of the network's file.
	URL       string
	Revision  int64
	Hash      string
	HighWater time.Time
	// Revoked is the domain that the present version was the first to list, First when
	// that was seen, and Revocations how many there are.
	Revoked     string
	First       time.Time
	Revocations int
}

// observe reads what was committed.
func (s *session) observe(ctx context.Context) (*ack, error) {
	c := s.store.Custody()
	f, err := c.File(ctx, s.web.url())
	if err != nil {
		return nil, err
	}
	p, err := c.Publisher(ctx, hostname.Domain(s.web.publisher()))
	if err != nil {
		return nil, err
	}
	a := &ack{
		Step: s.web.step, Publisher: string(p.Domain), PublisherRevision: p.Revision, URL: f.URL, Revision: f.Revision, Hash: f.Hash,
		HighWater: f.HighWater, Revoked: s.web.revokes(s.web.version()), Revocations: len(f.Revocations),
	}
	if p.Move != nil {
		a.Move = p.Move.To.URL
	}
	i := slices.IndexFunc(f.Revocations, func(r custody.Revocation) bool { return r.Domain == a.Revoked })
	if i < 0 {
		return nil, fmt.Errorf("step %d: the ingest has returned, and %s is not revoked", a.Step, a.Revoked)
	}
	a.First = f.Revocations[i].First
	return a, nil
}

// A ledger has everything that was acknowledged about one network.
type ledger struct {
	web  web
	acks []ack
}

// next is the step to go on with. The one before it may have been committed without
// anybody having heard of it; then it is repeated.
func (l *ledger) next() int {
	if len(l.acks) == 0 {
		return 0
	}
	return l.acks[len(l.acks)-1].Step + 1
}

// audit opens the store in a file and looks for everything.
func (l *ledger) audit(t *testing.T, path string) {
	t.Helper()
	auditAt(t, "sqlite:"+path, l)
}

// auditAt opens a store and looks for everything in some ledgers.
func auditAt(t *testing.T, url string, ledgers ...*ledger) {
	t.Helper()
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatalf("the store cannot be opened: %v", err)
	}
	err = damage(t.Context(), s)
	for _, l := range ledgers {
		err = errors.Join(err, l.check(t.Context(), s))
	}
	err = errors.Join(err, s.Close())
	if err != nil {
		t.Fatal(err)
	}
}

// check looks for everything in the store.
func (l *ledger) check(ctx context.Context, s *store.Store) error {
	f, err := s.Custody().File(ctx, l.web.url())
	if errors.Is(err, custodian.ErrNotFound) && len(l.acks) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	problems := []error{whole(ctx, s, f)}
	now := custody.At(time.Now())
	for i := range l.acks {
		problems = append(problems, l.acks[i].kept(ctx, s, f, now))
	}
	err = errors.Join(problems...)
	if err != nil {
		return fmt.Errorf("after %d acknowledged ingests: %w", len(l.acks), err)
	}
	return nil
}

// kept looks for what one acknowledgement promised.
func (a *ack) kept(ctx context.Context, s *store.Store, f *custody.File, now custody.Moment) error {
	var problems []error
	bad := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("step %d: "+format, append([]any{a.Step}, args...)...))
	}
	if f.Revision < a.Revision {
		bad("revision %d of the file is back at %d", a.Revision, f.Revision)
	}
	if f.HighWater.Before(a.HighWater) {
		bad("high water %v of the file is back at %v", a.HighWater, f.HighWater)
	}
	if len(f.Revocations) < a.Revocations {
		bad("of %d revocations %d are left", a.Revocations, len(f.Revocations))
	}
	i, ok := slices.BinarySearchFunc(f.Revocations, a.Revoked, func(r custody.Revocation, domain string) int {
		return strings.Compare(r.Domain, domain)
	})
	if !ok || !f.Revocations[i].First.Equal(a.First) || !f.Revokes(hostname.Domain(a.Revoked), now) {
		bad("the revocation of %s is lost or another", a.Revoked)
	}
	p, err := s.Custody().Publisher(ctx, hostname.Domain(a.Publisher))
	switch {
	case err != nil:
		bad("%w", err)
	case p.Revision < a.PublisherRevision:
		bad("revision %d of %s is back at %d", a.PublisherRevision, a.Publisher, p.Revision)
	case p.Revision == a.PublisherRevision && (a.Move != "") != (p.Move != nil):
		bad("%s moves to %q no more, or again", a.Publisher, a.Move)
	}
	body, err := s.Custody().Document(ctx, a.Hash)
	if err != nil || string(registry.HashOf(body)) != a.Hash {
		bad("the bytes of version %s: %w", a.Hash, err)
	}
	return errors.Join(problems...)
}

// damage is what is wrong with the store as such.
func damage(ctx context.Context, s *store.Store) error {
	problems, err := store.Check(ctx, s)
	for _, p := range problems {
		err = errors.Join(err, errors.New(p.String()))
	}
	return err
}

// whole looks for something that was done by halves: the record of the file, its history
// and the events about it say the same.
func whole(ctx context.Context, s *store.Store, f *custody.File) error {
	versions, err := s.Custody().Versions(ctx, f.URL, time.Time{}, 100_000)
	if err != nil {
		return err
	}
	if len(versions) == 0 || versions[0].Hash != f.Hash {
		return fmt.Errorf("the latest of %d versions is not the one in effect", len(versions))
	}
	events, err := s.Custody().Events(ctx, custodian.EventFilter{URL: f.URL}, 0, 1_000_000)
	if err != nil {
		return err
	}
	adopted, observed := 0, 0
	for i := range events {
		switch events[i].Code {
		case "file.adopted", "file.changed":
			adopted++
		case "revocation.observed":
			observed++
		}
	}
	if adopted != len(versions) || observed != len(f.Revocations) {
		return fmt.Errorf("%d versions and %d revocations, but events about %d and %d", len(versions), len(f.Revocations), adopted, observed)
	}
	return nil
}
