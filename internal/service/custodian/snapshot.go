package custodian

import (
	"context"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A Snapshot is what is known about a publisher, with the document that answers rest on.
type Snapshot struct {
	*State
	Document *resolve.Document
	// AbsentSince is when the publisher was first seen without a file; zero when it has one,
	// or when that is not known.
	AbsentSince time.Time
}

// Snapshot returns what is known about a publisher, from the store and not from memory: a
// caller that was told of a change must see it. Nothing is asked. The error is the context's,
// or an ErrUnavailable.
func (k *Keeper) Snapshot(ctx context.Context, domain hostname.Domain) (*Snapshot, error) {
	s, err := k.stateBy(ctx, domain, k.publisher, k.brief)
	if err != nil {
		return nil, err
	}
	out := &Snapshot{State: s}
	if s.Publisher.Absent {
		places, err := k.config.Store.Places(ctx, domain, time.Time{}, 1)
		if err != nil {
			return nil, unavailable(ctx, err)
		}
		if len(places) > 0 && places[0].Absent {
			out.AbsentSince = places[0].AdoptedAt
		}
	}
	return out, k.finish(ctx, out)
}

// finish adds the document to a snapshot.
func (k *Keeper) finish(ctx context.Context, s *Snapshot) error {
	var err error
	s.Document, err = k.document(ctx, s.State)
	return err
}

// Moment returns the present, as far as it is known.
func (k *Keeper) Moment(ctx context.Context) (custody.Moment, error) { return k.moment(ctx) }

// Judge returns what records say at a moment. The file is nil while no place was adopted. What
// is wrong with the clock is not looked up, since that takes longer than all the rest; the moment
// tells it, and the texts do not.
func (k *Keeper) Judge(p *custody.Publisher, f *custody.File, at custody.Moment) *State {
	s := &State{Publisher: p, File: f, At: at, PublisherStanding: p.Standing(at), Unsaved: k.doubts.about(string(p.Domain))}
	if f != nil {
		s.FileStanding, s.Unsaved = f.Standing(at), s.Unsaved || k.doubts.about(f.URL)
	}
	s.judge()
	return s
}

// NextLook returns when Watch looks at a publisher or its file next. since is when it was
// first seen without a file; zero when that is not known.
func NextLook(p *custody.Publisher, f *custody.File, since time.Time) time.Time {
	if since.IsZero() {
		since = p.TriedAt
	}
	next := PublisherDue(p, since)
	if f != nil && f.Hash != "" {
		if due := FileDue(f); due.Before(next) {
			return due
		}
	}
	return next
}
