package diff

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
)

const (
	// mostPlaces and mostVersions limit how far back the versions of a publisher are
	// looked for.
	mostPlaces   = 1_000
	mostVersions = 1_000
	// shortestHash is the least number of digits that name a version.
	shortestHash = 4
)

// An effectiveVersion is a version that was in effect for a publisher.
type effectiveVersion struct {
	custody.Version
	place custody.Place
	// from is when it came into effect: when it was adopted, or when its location was.
	from time.Time
}

// effectiveVersions returns the versions that were in effect for a publisher until a time, the
// latest first. A version is in effect from the later of its own adoption and that of its
// location, until the next version or the next location.
func effectiveVersions(ctx context.Context, st custodian.History, domain hostname.Domain, before time.Time,
	limit int) ([]effectiveVersion, error) {
	places, err := st.Places(ctx, domain, before, mostPlaces)
	if err != nil {
		return nil, err
	}
	var list []effectiveVersion
	until := before
	for i := range places {
		p := &places[i]
		if p.Absent {
			until = p.AdoptedAt
			continue
		}
		versions, err := st.Versions(ctx, p.Location.URL, until, mostVersions)
		if err != nil {
			return nil, err
		}
		for _, v := range versions {
			t := effectiveVersion{Version: v, place: *p, from: v.AdoptedAt}
			if !v.AdoptedAt.After(p.AdoptedAt) {
				t.from = p.AdoptedAt
			}
			list = append(list, t)
			if len(list) == limit {
				return list, nil
			}
			if !v.AdoptedAt.After(p.AdoptedAt) {
				break
			}
		}
		until = p.AdoptedAt
	}
	return list, nil
}

// findVersion returns the version that is named by the beginning of its hash or by a time.
func findVersion(ctx context.Context, st custodian.History, domain hostname.Domain,
	what string) (*effectiveVersion, error) {
	at, err := console.ParseInstant(what)
	hint := "avow history " + string(domain) + " lists the versions"
	if err == nil {
		list, err := effectiveVersions(ctx, st, domain, at, 1)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, console.Failure(hint, "no version was kept of the file of %s at %s", domain, what)
		}
		return &list[0], nil
	}
	prefix := strings.ToLower(what)
	if len(prefix) < shortestHash || strings.Trim(prefix, "0123456789abcdef") != "" {
		return nil, console.UsageError("write the first digits of the SHA-256, 4 at least, or a time as 2026-01-02T00:00:00Z",
			"%q names no version", what)
	}
	list, err := effectiveVersions(ctx, st, domain, time.Time{}, mostVersions)
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(list, func(t effectiveVersion) bool { return !strings.HasPrefix(t.Hash, prefix) })
	switch {
	case len(found) == 0:
		return nil, console.Failure(hint, "no version of the file of %s has a SHA-256 that begins with %s", domain, prefix)
	case slices.ContainsFunc(found, func(t effectiveVersion) bool { return t.Hash != found[0].Hash }):
		return nil, console.UsageError("write more digits",
			"several versions of the file of %s have a SHA-256 that begins with %s", domain, prefix)
	}
	return &found[0], nil
}

// keptSide reads a version that was kept.
func keptSide(ctx context.Context, a *console.App, f *sources.StoreFlags, written, what string) (*Side, error) {
	domain, err := sources.ParseName(written)
	if err != nil {
		return nil, err
	}
	var s *Side
	err = sources.WithHistory(ctx, a, f, func(ctx context.Context, st custodian.History) error {
		t, err := findVersion(ctx, st, domain, what)
		if err != nil {
			return err
		}
		s, err = sideOf(ctx, st, domain, t)
		return err
	})
	return s, err
}

// compareLast compares the last two versions of a publisher.
func compareLast(ctx context.Context, a *console.App, f *diffFlags, written string) (*Comparison, error) {
	name, what, _ := strings.Cut(written, "@")
	domain, err := sources.ParseName(name)
	if err != nil {
		return nil, err
	}
	if what != "" {
		return nil, console.UsageError("name the other version as well", "%s is one version; two are compared",
			redact.URL(written))
	}
	var c *Comparison
	err = sources.WithHistory(ctx, a, f.state, func(ctx context.Context, st custodian.History) error {
		list, err := effectiveVersions(ctx, st, domain, time.Time{}, 2)
		switch {
		case err != nil:
			return err
		case len(list) == 0:
			return NeverKept(domain)
		case len(list) == 1:
			return console.Failure("", "only one version was kept of the file of %s, since %s", domain, wire.Time(list[0].from))
		}
		old, err := sideOf(ctx, st, domain, &list[1])
		if err != nil {
			return err
		}
		next, err := sideOf(ctx, st, domain, &list[0])
		if err != nil {
			return err
		}
		c = Compare(old, next)
		return nil
	})
	return c, err
}

// NeverKept is the error of a publisher that nothing is known about.
func NeverKept(domain hostname.Domain) error {
	return console.Failure("avow crawl "+string(domain)+" fetches and keeps it",
		"no version of the file of %s is kept", domain)
}

// sideOf reads the bytes of a version.
func sideOf(ctx context.Context, st custodian.History, domain hostname.Domain, t *effectiveVersion) (*Side, error) {
	src, err := st.Document(ctx, t.Hash)
	if errors.Is(err, custodian.ErrNotFound) {
		return nil, console.Failure("avow state check looks at the whole store",
			"the bytes of the version %s of %s are missing", t.Hash, domain)
	}
	if err != nil {
		return nil, err
	}
	const digits = 12
	s, err := NewSide(string(domain)+"@"+t.Hash[:min(digits, len(t.Hash))], string(domain), src)
	if err != nil {
		return nil, err
	}
	s.domain, s.url, s.adopted = string(domain), t.URL, wire.Time(t.from)
	return s, nil
}
