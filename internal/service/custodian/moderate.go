package custodian

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
)

// maxHolds is how many holds are listed.
const maxHolds = 10_000

// errReject is the answer to an operator who rejects a version.
var errReject = errors.New("a version that was refused is ignored, so there is nothing to reject")

// Holds returns what waits for a decision: publishers with a move, and files with a
// version that was refused.
func (k *Keeper) Holds(ctx context.Context) ([]custody.Hold, error) {
	holds, err := k.config.Store.Holds(ctx, maxHolds)
	if err != nil {
		return nil, unavailable(ctx, err)
	}
	return slices.DeleteFunc(holds, func(h custody.Hold) bool {
		return h.Publisher != nil && h.Publisher.Move == nil
	}), nil
}

// Decided returns what moderators have decided and can still take back.
func (k *Keeper) Decided(ctx context.Context) ([]custody.Hold, error) {
	at, err := k.moment(ctx)
	if err != nil {
		return nil, err
	}
	holds, err := k.config.Store.Holds(ctx, maxHolds)
	if err != nil {
		return nil, unavailable(ctx, err)
	}
	return slices.DeleteFunc(holds, func(h custody.Hold) bool { return !h.Decision().Open(at) }), nil
}

// Confirm lets in what waits. The name is a publisher's domain and what the URL that it
// moves to, or the name is the URL of a file and what the hash of a version: an operator
// decides about what was read, and not about what may have come since. It is
// custody.ErrNotWaiting when that does not wait.
func (k *Keeper) Confirm(ctx context.Context, name, what string) error {
	return k.decide(ctx, name, what, (*custody.Publisher).Confirm, (*custody.File).Confirm)
}

// Reject keeps a publisher from moving to a URL by itself.
func (k *Keeper) Reject(ctx context.Context, name, what string) error {
	return k.decide(ctx, name, what, (*custody.Publisher).Reject, rejectFile)
}

// Decide is Confirm or Reject by a moderator, who may take it back with Undo.
func (k *Keeper) Decide(ctx context.Context, name, what string, confirm bool, r custody.Ruling) error {
	file := rejectFile
	if confirm {
		file = func(f *custody.File, hash string, at custody.Moment) (*custody.File, []custody.Event, error) {
			return f.Decide(hash, r, at)
		}
	}
	return k.decide(ctx, name, what,
		func(p *custody.Publisher, to string, at custody.Moment) (*custody.Publisher, []custody.Event, error) {
			return p.Decide(to, confirm, r, at)
		}, file)
}

// Undo takes back the decision that a moderator made at a time. It is custody.ErrNotWaiting when that cannot be done
// any more, or there is a later decision.
func (k *Keeper) Undo(ctx context.Context, name, what string, decided time.Time) error {
	return k.decide(ctx, name, what,
		func(p *custody.Publisher, to string, at custody.Moment) (*custody.Publisher, []custody.Event, error) {
			if !(&custody.Hold{Publisher: p}).Decision().MadeAt(decided) {
				return nil, nil, custody.ErrNotWaiting
			}
			return p.Undo(to, at)
		},
		func(f *custody.File, hash string, at custody.Moment) (*custody.File, []custody.Event, error) {
			if !(&custody.Hold{File: f}).Decision().MadeAt(decided) {
				return nil, nil, custody.ErrNotWaiting
			}
			return f.Undo(hash, at)
		})
}

func rejectFile(*custody.File, string, custody.Moment) (*custody.File, []custody.Event, error) {
	return nil, nil, errReject
}

type (
	decision     func(p *custody.Publisher, to string, at custody.Moment) (*custody.Publisher, []custody.Event, error)
	fileDecision func(f *custody.File, hash string, at custody.Moment) (*custody.File, []custody.Event, error)
)

// decide makes a decision about a publisher or, if the name is a URL, a file.
func (k *Keeper) decide(ctx context.Context, name, what string, publisher decision, file fileDecision) error {
	if !strings.Contains(name, "://") {
		return k.decideMove(ctx, name, what, publisher)
	}
	url, _, err := hostname.CanonicalURL(name)
	if err != nil {
		return err
	}
	return k.retry(ctx, task{make: func(ctx context.Context) (*draft, error) {
		return k.decideFile(ctx, url, what, file)
	}})
}

// decideMove makes a decision about the move of a publisher.
func (k *Keeper) decideMove(ctx context.Context, name, to string, make decision) error {
	domain, err := ParseDomain(name)
	if err != nil {
		return err
	}
	return k.retry(ctx, task{make: func(ctx context.Context) (*draft, error) {
		d, err := k.newDraft(ctx, domain)
		if err != nil {
			return nil, err
		}
		p, err := k.publisher(ctx, domain)
		if err != nil {
			return nil, err
		}
		next, events, err := make(p, to, d.at)
		if err != nil {
			return nil, err
		}
		d.change, d.was = Change{Publisher: next, Events: events}, p
		d.names = []string{string(domain)}
		if next.Location != p.Location || next.Absent != p.Absent {
			place := custody.Place{Domain: domain, Location: next.Location, Absent: next.Absent, AdoptedAt: d.at.Early,
				Pointer: pointerOf(next)}
			if next.Move != nil && place.Pointer != "" {
				// The record is about the pointer to the new place.
				place.Pointer, err = k.pointer(ctx, domain, next.Location)
			}
			d.change.Places = []custody.Place{place}
		}
		if err != nil {
			return nil, err
		}
		err = d.index(ctx, next)
		return d, err
	}})
}

// decideFile makes a decision about a refused version. The bytes of one that is let in are asked for
// again: the version that counts is one that its origin has.
func (k *Keeper) decideFile(ctx context.Context, url, hash string, make fileDecision) (*draft, error) {
	d, err := k.newDraft(ctx, "")
	if err != nil {
		return nil, err
	}
	f, err := k.file(ctx, url)
	if err != nil {
		return nil, err
	}
	next, events, err := make(f, hash, d.at)
	if err != nil {
		return nil, err
	}
	d.change, d.names = Change{Files: []*custody.File{next}, Events: events}, []string{url}
	d.touch(f, next)
	return d, nil
}

// Held returns the domains that the file at a URL does not list any more and that stay
// revoked.
func (k *Keeper) Held(ctx context.Context, url string) ([]string, error) {
	at, err := k.moment(ctx)
	if err != nil {
		return nil, err
	}
	f, err := k.file(ctx, url)
	if err != nil {
		return nil, err
	}
	return f.Held(at), nil
}

// Release ends the holds of revocations that the file at a URL does not list any more, all
// of them or none. The error is custody.ErrNotWaiting or custody.ErrListed when one of the
// domains is not held.
func (k *Keeper) Release(ctx context.Context, url string, domains []string, reason string) error {
	return k.retry(ctx, task{make: func(ctx context.Context) (*draft, error) {
		d, err := k.newDraft(ctx, "")
		if err != nil {
			return nil, err
		}
		f, err := k.file(ctx, url)
		if err != nil {
			return nil, err
		}
		for _, domain := range domains {
			next, events, err := f.Release(domain, reason, d.at)
			if err != nil {
				return nil, err
			}
			f = next
			d.change.Events = append(d.change.Events, events...)
		}
		d.change.Files, d.names = []*custody.File{f}, []string{url}
		return d, nil
	}})
}
