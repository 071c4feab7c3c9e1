package registry

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	avow "github.com/avow-project/avow"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/std/freshness"
	"github.com/avow-project/avow/internal/std/hostname"
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
	d, _ := freshness.Lifetime(x.Caching(), x.At, p)
	if h.Shared {
		d -= sharedAge
	}
	return d
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

// save stores what was found out. That it cannot be stored does not spoil the answer.
func (s *Service) save(ctx context.Context, c *checked) {
	ctx, cancel := context.WithTimeout(ctx, 2*storeTimeout)
	defer cancel()
	err := s.store(ctx, c.sighting)
	if err != nil {
		s.config.Log.ErrorContext(ctx, "cannot store a sighting", "domain", c.sighting.Domain, "error", err)
		s.indexed.add(c.sighting.Domain, "")
		return
	}
	s.indexed.add(c.sighting.Domain, string(c.sighting.Body))
}

func (s *Service) store(ctx context.Context, g *Sighting) error {
	if g.Answer == discover.Unreachable.String() {
		old, err := s.config.Store.Sighting(ctx, g.Domain)
		switch {
		case err == nil && s.stillFresh(old):
			return nil // what was found when the publisher answered still counts
		case err != nil && !errors.Is(err, ErrNotFound):
			return err
		}
	}
	return s.config.Store.PutSighting(ctx, g)
}

// stillFresh reports whether a stored sighting of a file still counts.
func (s *Service) stillFresh(g *Sighting) bool {
	return g.Answer != discover.Unreachable.String() && s.config.Now().Before(g.FreshUntil)
}

// storedSighting returns what the store has about a domain, however old; nil for
// nothing.
func (s *Service) storedSighting(ctx context.Context, domain string) *Sighting {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	g, err := s.config.Store.Sighting(ctx, domain)
	if err == nil {
		return g
	}
	if !errors.Is(err, ErrNotFound) {
		s.config.Log.ErrorContext(ctx, "cannot read a sighting", "domain", domain, "error", err)
	}
	return nil
}

// maxIndexed is the number of publishers that are known to be indexed.
const maxIndexed = 100_000

// indexed are the publishers whose identifiers are stored, with the version they are of.
type indexed struct {
	mu   sync.Mutex
	hash map[string]string
}

func (x *indexed) has(domain, hash string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.hash[domain] == hash
}

func (x *indexed) add(domain, hash string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.hash == nil || len(x.hash) >= maxIndexed {
		x.hash = make(map[string]string)
	}
	x.hash[domain] = hash
}

// index stores the identifiers of a file that custody has adopted, so that its publisher
// is found by them. Mostly that was done before.
func (s *Service) index(ctx context.Context, doc *resolve.Document) {
	if doc.State != resolve.Usable || s.indexed.has(doc.Publisher, doc.SHA256) {
		return
	}
	ctx = context.WithoutCancel(ctx)
	old := s.storedSighting(ctx, doc.Publisher)
	if old != nil && string(old.Body) == doc.SHA256 {
		s.indexed.add(doc.Publisher, doc.SHA256)
		return
	}
	s.save(ctx, &checked{sighting: s.sightingFrom(ctx, doc)})
}

// sightingFrom is the sighting of a document that custody has adopted.
func (s *Service) sightingFrom(ctx context.Context, doc *resolve.Document) *Sighting {
	at := micro(doc.FetchedAt)
	g := &Sighting{
		Domain: doc.Publisher, CheckedAt: at, FreshUntil: at.Add(reuseTime), Answer: stateAnswers[doc.State], Method: methods[doc.Method].String(),
		Found: doc.State == resolve.Usable, URL: "https://" + doc.Publisher + "/.well-known/adagents.json", ResolvedURL: doc.URL,
		Body: Hash(doc.SHA256), Identifiers: identifiersOf(doc),
	}
	if doc.State != resolve.Usable {
		g.Body, g.Identifiers = "", nil
		return g
	}
	state, err := s.keeper.State(ctx, doc.Publisher)
	if err == nil && state.File != nil && state.File.Hash == doc.SHA256 {
		g.FreshUntil, g.ManagerDomain, g.Bytes = micro(state.FreshUntil()), state.Publisher.Location.Manager, state.File.Bytes
		report, err := s.keeper.Report(ctx, state)
		g.Valid = err == nil && report.Valid()
	}
	for _, e := range doc.Way {
		g.Way = append(g.Way, Seen{Role: e.Role, URL: e.URL, Hash: Hash(e.SHA256), At: micro(e.FetchedAt)})
		if e.Role == "pointer" {
			g.Pointer = Hash(e.SHA256)
		}
	}
	return g
}

// methods are those of package discover by their stable names. A name that is not known
// stands for the zero value.
var methods = byName(discover.Direct, discover.AuthoritativeLocation, discover.ManagerDomain)

func byName[T interface{ String() string }](all ...T) map[string]T {
	out := make(map[string]T, len(all))
	for _, v := range all {
		out[v.String()] = v
	}
	return out
}
