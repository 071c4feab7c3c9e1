package custodian

import (
	"context"
	"fmt"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A Snapshot is what is known about a publisher, with the document that answers rest on.
type Snapshot struct {
	*State
	Document *resolve.Document
	// Shared is the same for publishers to whom the same file says the same; empty when no
	// file is in effect.
	Shared string
	// AbsentSince is when the publisher was first seen without a file; zero when it has one,
	// or when that is not known.
	AbsentSince time.Time
}

// Snapshot returns what is known about a publisher, from the store and not from what is
// remembered: whoever was told of a change must see it. Nothing is asked. The error is that of
// the context, or an ErrUnavailable.
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

// Snapshots calls f with the Snapshot of each of some publishers, or with the error of that.
// Most of them are read from the store together.
func (k *Keeper) Snapshots(ctx context.Context, domains []hostname.Domain, f func(hostname.Domain, *Snapshot, error)) {
	// Those that are not there are read one by one, so that an error is about one of them.
	list, _ := k.config.Store.Holdings(ctx, domains)
	held := make(map[hostname.Domain]*Holding, len(list))
	for i := range list {
		held[list[i].Publisher.Domain] = &list[i]
	}
	for _, domain := range domains {
		h := held[domain]
		if h == nil {
			s, err := k.Snapshot(ctx, domain)
			f(domain, s, err)
			continue
		}
		s, err := k.snapshotOf(ctx, h)
		f(domain, s, err)
	}
}

// snapshotOf is Snapshot from what was read already.
func (k *Keeper) snapshotOf(ctx context.Context, h *Holding) (*Snapshot, error) {
	at, doubt, err := k.momentAndDoubt(ctx)
	if err != nil {
		return nil, err
	}
	s, err := k.stateOf(h.Publisher, at, doubt, func(url string) (*custody.File, []string, error) {
		if h.File == nil || h.Revoked || h.File.URL != url {
			return k.fileAndHeld(ctx, k.brief, url, at)
		}
		return h.File, nil, nil
	})
	if err != nil {
		return nil, err
	}
	if s.File != nil && s.File == h.File {
		s.body = h.Body
	}
	out := &Snapshot{State: s, AbsentSince: h.AbsentSince}
	return out, k.finish(ctx, out)
}

// finish adds the document to a snapshot.
func (k *Keeper) finish(ctx context.Context, s *Snapshot) error {
	var err error
	s.Document, err = k.document(ctx, s.State)
	if err != nil {
		return err
	}
	if s.shared != (fileKey{}) {
		s.Shared = s.shared.text()
	}
	return nil
}

// text is the key as a name.
func (f fileKey) text() string { return fmt.Sprint(f.hash, " ", f.role, " ", f.publisher) }

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

// Doubts returns a number that changes when other records cannot be relied upon than before,
// because changes of them could not be saved.
func (k *Keeper) Doubts() uint64 { return k.doubts.changes.Load() }

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
