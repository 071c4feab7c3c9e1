package registry

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	avow "github.com/avow-project/avow"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/fetch"
	"github.com/avow-project/avow/internal/freshness"
	"github.com/avow-project/avow/internal/hostname"
	"github.com/avow-project/avow/resolve"
)

// Limits of the identifiers that are stored with a sighting.
const (
	maxIdentifiers    = 10_000
	longestIdentifier = 512
)

// sharedAge is the greatest age of an answer that was obtained for another question.
const sharedAge = time.Minute

// checkedOf sums a discovery up.
func (s *Service) checkedOf(d *discover.Discovery, complete bool) *checked {
	fresh := freshFor(d)
	if !complete {
		fresh = reuseTime
	}
	sighting := &Sighting{
		Domain: d.Domain, CheckedAt: micro(d.At), FreshUntil: micro(d.At.Add(fresh)),
		Answer: d.Answer.String(), Method: d.Method.String(), Found: d.Found, Valid: d.Valid(),
		URL: d.URL, ResolvedURL: d.ResolvedURL, ManagerDomain: d.ManagerDomain,
	}
	if len(d.Trail) > 0 && d.Trail[0].Result != nil {
		first := d.Trail[0].Result.Last()
		sighting.Status, sighting.Bytes = first.Status, first.Bytes
	}
	if d.Answer == discover.Usable {
		sighting.Body = HashOf(d.Body)
		doc := avow.DocumentOf(d.Domain, d)
		sighting.Identifiers = identifiersOf(doc)
		for _, e := range doc.Way {
			sighting.Way = append(sighting.Way, Seen{Role: e.Role, URL: e.URL, Hash: Hash(e.SHA256), At: micro(e.FetchedAt)})
		}
	}
	if sighting.Body != "" && d.Pointer != nil {
		sighting.Pointer = HashOf(d.PointerBody)
	}
	return &checked{discovery: d, sighting: sighting, complete: complete, spent: spent(d), at: s.config.Now()}
}

func micro(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// freshFor returns how long a discovery counts, from when it began. A file is used as
// long as its origin says, within the limits of the policy; what is not there, or
// cannot be used, may be mended any moment.
func freshFor(d *discover.Discovery) time.Duration {
	switch d.Answer {
	case discover.Usable:
	case discover.Absent, discover.Unusable:
		return freshness.DecisionPolicy.Cap
	default:
		return reuseTime
	}
	fresh := freshness.AuthoritativePolicy.Cap
	for i := range d.Trail {
		h := &d.Trail[i]
		switch {
		case h.Report == nil || h.Result == nil:
		case h.Report == d.Report:
			fresh = min(fresh, lifetime(h, freshness.AuthoritativePolicy))
		case h.Report == d.Pointer:
			fresh = min(fresh, lifetime(h, freshness.PointerPolicy))
		}
	}
	return max(fresh, reuseTime)
}

// lifetime returns how long the answer of a hop may be used.
func lifetime(h *discover.Hop, p freshness.Policy) time.Duration {
	x := h.Result.Last()
	d, _ := freshness.Lifetime(headersOf(x), x.At, p)
	if h.Shared {
		d -= sharedAge
	}
	return d
}

func headersOf(x *fetch.Exchange) freshness.Headers {
	return freshness.Headers{
		CacheControl: x.CacheControl, Age: x.Age, Date: x.Date, Expires: x.Expires, ETag: x.ETag, LastModified: x.LastModified,
	}
}

// identifiersOf returns the identifiers of a publisher's own properties, each once, in
// the form in which they are looked up.
func identifiersOf(doc *resolve.Document) []Identifier {
	var out []Identifier
	seen := map[Identifier]bool{}
	for _, p := range resolve.Owned(doc) {
		for i := range p.Identifiers {
			id := canonicalIdentifier(Identifier{p.Identifiers[i].Type, p.Identifiers[i].Value})
			if !storable(id) || seen[id] {
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

// canonicalIdentifier returns an identifier in the form in which it is compared; one
// that has none is as it was.
func canonicalIdentifier(id Identifier) Identifier {
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

// storable reports whether every store can keep an identifier.
func storable(id Identifier) bool {
	fine := func(s string) bool {
		return s != "" && len(s) <= longestIdentifier && utf8.ValidString(s) && !strings.Contains(s, "\x00")
	}
	return fine(id.Type) && fine(id.Value)
}

// save stores what was found out. That it cannot be stored does not spoil the answer;
// but what the store has about the domain is then older than what is known, and is
// not used any more.
func (s *Service) save(ctx context.Context, c *checked) {
	ctx, cancel := context.WithTimeout(ctx, 2*storeTimeout)
	defer cancel()
	err := s.store(ctx, c)
	if err == nil {
		s.unsaved.remove(c.sighting)
		return
	}
	s.unsaved.add(c.sighting)
	s.config.Log.ErrorContext(ctx, "cannot store a sighting", "domain", c.sighting.Domain, "error", err)
}

func (s *Service) store(ctx context.Context, c *checked) error {
	if c.discovery.Answer == discover.Unreachable {
		old, err := s.config.Store.Sighting(ctx, c.sighting.Domain)
		switch {
		case err == nil && s.stillFresh(old):
			return nil // what was found when the publisher answered still counts
		case err != nil && !errors.Is(err, ErrNotFound):
			return err
		}
	}
	for hash, body := range map[Hash][]byte{c.sighting.Body: c.discovery.Body, c.sighting.Pointer: c.discovery.PointerBody} {
		if hash == "" {
			continue
		}
		_, err := s.config.Store.PutDocument(ctx, body)
		if err != nil {
			return err
		}
	}
	return s.config.Store.PutSighting(ctx, c.sighting)
}

// stillFresh reports whether a stored sighting of a file still counts.
func (s *Service) stillFresh(g *Sighting) bool {
	return g.Answer != discover.Unreachable.String() && s.config.Now().Before(g.FreshUntil) && !s.unsaved.overtook(g)
}
