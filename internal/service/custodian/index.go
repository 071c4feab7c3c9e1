package custodian

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// Limits of the identifiers that a publisher is found by.
const (
	maxIdentifiers    = 10_000
	longestIdentifier = 512
)

// ClaimGrace is how long a publisher may not list an identifier without losing the time
// since when it does.
const ClaimGrace = 30 * 24 * time.Hour

// An Identifier names a property as the market does.
type Identifier = resolve.Identifier

// An Index has the identifiers that a publisher is found by from a time on: those of its
// own properties in the file that speaks for it.
type Index struct {
	At          time.Time
	Identifiers []resolve.Identifier
}

// A Listing is a publisher that lists an identifier as its own.
type Listing struct {
	Publisher hostname.Domain
	// Since is when that was first seen.
	Since time.Time
	// Gone: the file that speaks for it has no such identifier any more, perhaps because
	// there is none.
	Gone bool
}

// Claims returns the publishers that list an identifier as their own, or did so within
// ClaimGrace before a time, the first to list it first.
func (k *Keeper) Claims(ctx context.Context, id resolve.Identifier, now time.Time, limit int) ([]Listing, error) {
	if !indexable(id) {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return k.config.Store.Claims(ctx, id, now.Add(-ClaimGrace), limit)
}

// index has the publisher found by what the file lists that speaks for it after the draft,
// if it is not already. Nothing that could be lost with it matters.
func (d *draft) index(ctx context.Context, p *custody.Publisher) error {
	s := &State{Publisher: p, At: d.at, PublisherStanding: p.Standing(d.at)}
	if p.Location.URL != "" {
		f, err := d.record(ctx, p.Location.URL)
		if err != nil {
			return err
		}
		s.File, s.FileStanding = f, f.Standing(d.at)
	}
	s.judge()
	listed := ""
	if s.Served == resolve.Usable && !s.File.Revokes(p.Domain, d.at) {
		listed = s.File.Hash
	}
	moved := d.was != nil && methodOf(d.was.Location) != methodOf(p.Location) // what names nobody may be its own now
	if listed == p.Listed && (listed == "" || !moved) {
		return nil
	}
	next := &Index{At: d.at.Early}
	if listed != "" {
		file, err := d.read(ctx, version{listed, s.File.URL, p.Domain, roleOf(p.Location)})
		switch {
		case errors.Is(err, ErrNotFound):
			return nil // it was removed, and comes back before it speaks again
		case err != nil:
			return err
		case p.Location.Method == custody.ManagerDomain && !discover.SpeaksFor(file.report, string(p.Domain)):
		default:
			next.Identifiers = IdentifiersOf(resolve.Owned(file.toIndex(p)))
		}
	}
	p.Listed, d.change.Index = listed, next
	return nil
}

// indexLate is for a publisher whose file has changed since the publisher was looked at,
// as one that many share does. That it fails does not spoil an answer.
func (k *Keeper) indexLate(ctx context.Context, domain hostname.Domain) {
	t := task{names: []string{string(domain)}, asker: Nobody, make: func(ctx context.Context) (*draft, error) {
		d, err := k.newDraft(ctx, domain)
		if err != nil {
			return nil, err
		}
		p, err := k.publisher(ctx, domain)
		if err != nil || p.Revision == 0 {
			return d, err
		}
		next := *p
		err = d.index(ctx, &next)
		if d.change.Index != nil {
			d.change.Publisher, d.names = &next, []string{string(domain)}
		}
		return d, err
	}}
	err := k.retry(context.WithoutCancel(ctx), t)
	if err != nil {
		k.config.Log.WarnContext(ctx, "cannot index the identifiers of a publisher", "domain", domain, "error", err)
	}
}

// IdentifiersOf returns the identifiers of a publisher's own properties, each once, in
// the form in which they are looked up.
func IdentifiersOf(owned []*adagents.Property) []resolve.Identifier {
	var out []resolve.Identifier
	seen := map[resolve.Identifier]bool{}
	for _, p := range owned {
		for i := range p.Identifiers {
			id := CanonicalIdentifier(resolve.Identifier{Type: p.Identifiers[i].Type, Value: p.Identifiers[i].Value})
			if !indexable(id) || seen[id] {
				continue
			}
			seen[id] = true
			out = append(out, id)
			if len(out) == maxIdentifiers {
				return out
			}
		}
	}
	return out
}

// CanonicalIdentifier returns an identifier in the form in which it is compared; one that
// has none is as it was.
func CanonicalIdentifier(id resolve.Identifier) resolve.Identifier {
	switch id.Type {
	case "domain", "subdomain":
		rest, wild := strings.CutPrefix(id.Value, "*.")
		name, _, err := hostname.Canonical(rest)
		switch {
		case err != nil:
		case wild:
			id.Value = "*." + name
		default:
			id.Value = name
		}
	case "rss_url":
		url, _, err := hostname.CanonicalURL(id.Value)
		if err == nil {
			id.Value = url
		}
	}
	return id
}

// indexable reports whether every store can keep an identifier.
func indexable(id resolve.Identifier) bool {
	fine := func(s string) bool {
		return s != "" && len(s) <= longestIdentifier && utf8.ValidString(s) && !strings.Contains(s, "\x00")
	}
	return fine(id.Type) && fine(id.Value)
}
