package custodian

import (
	"context"
	"errors"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/keypin"
	"github.com/avow-project/avow/resolve"
)

// Pins returns the file that the pinned keys of a publisher are taken from. Its keys may
// be used for a shorter time than the rest, which KeysUntil says: a verifier then asks for
// a Refresh. See KeySource.
func (k *Keeper) Pins(ctx context.Context, publisher string) (*keypin.Document, error) {
	domain, err := ParseDomain(publisher)
	var input *discover.InputError
	if errors.As(err, &input) {
		return &keypin.Document{Publisher: publisher, State: keypin.Absent, FetchedAt: k.now(), Detail: input.Message}, nil
	}
	_, err = k.current(ctx, domain)
	if err != nil {
		return nil, err
	}
	s, err := k.State(ctx, domain)
	if err != nil {
		return nil, err
	}
	return k.pinsOf(ctx, s)
}

// freshPins asks a publisher past all caches. What it serves and is not adopted is a
// state of its own; what could not be obtained is not used, and neither is what was known
// before.
func (k *Keeper) freshPins(ctx context.Context, domain hostname.Domain) (*keypin.Document, error) {
	began := k.now()
	err := k.look(ctx, domain, forced)
	if err != nil {
		return nil, err
	}
	s, err := k.State(ctx, domain)
	if err != nil {
		return nil, err
	}
	doc, err := k.pinsOf(ctx, s)
	if err != nil || doc.State != keypin.Usable {
		return doc, err
	}
	p, f := s.Publisher, s.File
	state := keypin.Usable
	switch {
	case f.Refused != nil:
		state = keypin.RolledBack
	case p.Move != nil:
		state = keypin.PointerChanged
	case !f.FailingSince.IsZero() || !p.FailingSince.IsZero() || f.ConfirmedAt.Add(custody.Skew).Before(began):
		state = keypin.Unreachable
	}
	if state == keypin.Usable {
		return doc, nil
	}
	return &keypin.Document{
		Publisher: string(domain), State: state, URL: doc.URL, SHA256: doc.SHA256, FetchedAt: doc.FetchedAt, KnownSince: doc.KnownSince, Detail: s.Detail,
	}, nil
}

// pinsOf makes the document of pins that a state leads to.
func (k *Keeper) pinsOf(ctx context.Context, s *State) (*keypin.Document, error) {
	doc, err := k.document(ctx, s)
	if err != nil {
		return nil, err
	}
	out := &keypin.Document{
		Publisher: doc.Publisher, State: pinStates[doc.State], File: doc.File, URL: doc.URL, SHA256: doc.SHA256,
		FetchedAt: doc.FetchedAt, Detail: doc.Detail,
	}
	switch {
	case doc.Replaced:
		out.State, out.File, out.Detail = keypin.Unreachable, nil, "the file was replaced by another one, which could not be had"
	case s.PublisherStanding == custody.Expired || s.FileStanding == custody.Expired:
		out.State = keypin.Expired
	case doc.State == resolve.Usable:
		out.KeysUntil, out.KnownSince, out.KeySince = s.File.KeysUntil, s.File.AdoptedAt, s.File.KnownSince
		out.Revoked, err = k.revokes(ctx, s.File, s.Publisher.Domain, s.At)
	}
	return out, err
}

var pinStates = map[resolve.State]keypin.State{
	resolve.Unreachable: keypin.Unreachable, resolve.Absent: keypin.Absent, resolve.Unusable: keypin.Unusable, resolve.Usable: keypin.Usable,
	resolve.Withheld: keypin.Unreachable,
}

// KeySource returns the keeper as the source of a keypin.Verifier.
func (k *Keeper) KeySource() keypin.Source { return keySource{k} }

type keySource struct{ *Keeper }

// Refresh implements keypin.Source.
func (s keySource) Refresh(ctx context.Context, publisher string) (*keypin.Document, error) {
	return s.freshPins(ctx, hostname.Domain(publisher))
}
