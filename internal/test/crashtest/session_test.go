package crashtest

import (
	"context"
	"fmt"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A session is a keeper at work on a store.
type session struct {
	store  *store.Store
	keeper *custodian.Keeper
	web    web
}

// open opens a store and keeps it.
func open(ctx context.Context, url string, w web, behind time.Duration) (*session, error) {
	s, err := store.Open(ctx, url)
	if err != nil {
		return nil, err
	}
	return keep(s, w, behind)
}

// keep makes a keeper for a store, with a clock that is behind.
func keep(s *store.Store, w web, behind time.Duration) (*session, error) {
	session := &session{store: s, web: w}
	var err error
	session.keeper, err = custodian.New(custodian.Config{
		Store: s.Custody(), Finder: asking{session}, Now: func() time.Time { return time.Now().Add(-behind) },
	})
	return session, err
}

// asking is the internet of a session at its present step.
type asking struct{ *session }

// Domain asks for a publisher.
func (a asking) Domain(ctx context.Context, domain string, o discover.Options) (*discover.Discovery, error) {
	return a.web.finder().Domain(ctx, domain, o)
}

// Location asks for a place.
func (a asking) Location(ctx context.Context, domain string, at discover.Place, o discover.Options) (*discover.Discovery, error) {
	return a.web.finder().Location(ctx, domain, at, o)
}

// ingest takes one step. What it returns is committed.
func (s *session) ingest(ctx context.Context, step int) (*ack, error) {
	s.web.step = step
	d, err := s.web.look(ctx)
	if err != nil {
		return nil, err
	}
	err = s.keeper.Prepare(ctx, d).Keep(ctx)
	if err != nil {
		return nil, fmt.Errorf("step %d: %w", step, err)
	}
	return s.observe(ctx)
}

// shut says how the keeper answers after an ingest has failed.
func (s *session) shut(ctx context.Context) *failure {
	f := &failure{During: "ingest"}
	err := s.keeper.Ready(ctx)
	if err != nil {
		f.Ready = err.Error()
	}
	state, err := s.keeper.State(ctx, hostname.Domain(s.web.publisher()))
	if err != nil {
		f.Served = err.Error()
		return f
	}
	f.Served = state.Served.String()
	if state.File == nil {
		return f
	}
	// The state has the record without all that it revokes.
	file, err := s.store.Custody().File(ctx, state.File.URL)
	f.Revokes = err == nil && file.Revokes(hostname.Domain(s.web.revokes(s.web.version())), state.At)
	return f
}
