package custodian

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
)

// mostPlaces is how many of a publisher's latest locations are searched for revocations.
const mostPlaces = 20

// Revoked returns which of some domains the file of a publisher revokes, or has revoked during the
// last week, whatever the file says now and wherever it was then. It makes no request. The error is
// the context's, or an ErrUnavailable.
func (k *Keeper) Revoked(ctx context.Context, publisher string, of ...string) ([]string, error) {
	domain := hostname.Domain(publisher)
	at, err := k.moment(ctx)
	if err != nil {
		return nil, err
	}
	p, err := k.publisher(ctx, domain)
	if err != nil {
		return nil, err
	}
	past, err := k.pastURLs(ctx, domain, at)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, d := range of {
		revoked := false
		if p.Location.URL != "" {
			f, _, err := k.brief(ctx, p.Location.URL)
			if err == nil {
				revoked, err = k.revokes(ctx, f, hostname.Domain(d), at)
			}
			if err != nil {
				return nil, err
			}
		}
		for i := 0; i < len(past) && !revoked; i++ {
			revoked, err = k.heldOf(ctx, past[i], hostname.Domain(d), at)
			if err != nil {
				return nil, err
			}
		}
		if revoked && !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out, nil
}

// pastURLs returns where the file of a publisher was during the last week.
func (k *Keeper) pastURLs(ctx context.Context, domain hostname.Domain, at custody.Moment) ([]string, error) {
	places, err := k.config.Store.Places(ctx, domain, time.Time{}, mostPlaces)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, unavailable(ctx, err)
	}
	var urls []string
	for i := range places {
		if i > 0 && !places[i-1].AdoptedAt.Add(custody.RevocationHold).After(at.Certain()) {
			break // it was left before that
		}
		if url := places[i].Location.URL; url != "" && !slices.Contains(urls, url) {
			urls = append(urls, url)
		}
	}
	return urls, nil
}

// heldOf reports whether the file at a URL was first seen to revoke a domain during the last week.
func (k *Keeper) heldOf(ctx context.Context, url string, domain hostname.Domain, at custody.Moment) (bool, error) {
	list, err := k.config.Store.Revocations(ctx, url, domain)
	if err != nil {
		return false, unavailable(ctx, err)
	}
	return slices.ContainsFunc(list, func(r custody.Revocation) bool {
		return r.First.Add(custody.RevocationHold).After(at.Certain())
	}), nil
}
