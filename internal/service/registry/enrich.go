package registry

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/std/hostname"
)

const (
	// ownFresh is how long a brand.json is used without asking again, and ownAbsent how
	// long one that is not there is not looked for. The format recommends both.
	ownFresh  = 24 * time.Hour
	ownAbsent = time.Hour
	// ownFailed is how long a domain that did not answer is not asked again.
	ownFailed = time.Minute
	// providerFresh is how long data of the provider is used without asking again.
	providerFresh = 30 * 24 * time.Hour
)

// An EnrichRequest asks for the brand data of a domain.
type EnrichRequest struct {
	Domain string
	Caller Caller
}

// A Provenance says where brand data comes from.
type Provenance struct {
	// Source is brand_json, community or the name of the provider.
	Source string
	// URL is where the data stands; empty when it stands nowhere in public.
	URL string
	// UpdatedAt is when it was saved or last confirmed.
	UpdatedAt time.Time
}

// An Enrichment is the brand data of a domain.
type Enrichment struct {
	Domain hostname.Domain
	// Manifest is a JSON object.
	Manifest []byte
	// Source is where the manifest comes from; empty when only context was found.
	Source BrandSource
	// Cached data was stored before this call. Stale data is older than it should be,
	// and used because its source does not answer.
	Cached, Stale bool
	Provenance    Provenance
	// Context is what the provider says about identity, positioning and voice, as a
	// JSON object, and ContextSource its name. It is for this answer alone and must not
	// be stored. ContextError says why there is none.
	Context       []byte
	ContextSource string
	ContextError  string
}

// Enrich returns the brand data of a domain: what the domain publishes itself, else what
// a keyholder saved, else what a provider knows. Callers with a key also get the
// provider's context.
func (s *Service) Enrich(ctx context.Context, r EnrichRequest) (*Enrichment, error) {
	domain, err := brandDomain(r.Domain)
	if err == nil {
		err = s.refuseOptedOut(domain)
	}
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.limits.enrich)
	defer cancel()
	await := s.startContext(ctx, domain, r.Caller)
	e, err := s.brandData(ctx, domain, r.Caller)
	if await == nil {
		return e, err
	}
	raw, problem := await()
	return s.withContext(domain, e, err, raw, problem)
}

// brandData goes through the sources of brand data in the order of their weight.
func (s *Service) brandData(ctx context.Context, domain hostname.Domain, caller Caller) (*Enrichment, error) {
	own := s.ownBrand(ctx, domain)
	if own != nil {
		return own, nil
	}
	// A store that fails has nothing here: what else there is can still be served.
	community, _ := s.storedBrand(ctx, domain, FromCommunity)
	enriched, _ := s.storedBrand(ctx, domain, FromProvider)
	for _, b := range []*Brand{community, enriched} {
		if b != nil && (b.By != "" || s.age(b) < providerFresh) {
			return s.enrichment(b, true), nil
		}
	}
	live, err := s.providerBrand(ctx, domain, caller)
	if err == nil {
		return live, nil
	}
	old := enriched
	if old == nil {
		old = community
	}
	if old != nil && outage(err) {
		e := s.enrichment(old, true)
		e.Stale = true
		return e, nil
	}
	return nil, err
}

// outage reports whether an error says nothing about the thing that was asked for.
func outage(err error) bool {
	var known *Error
	return !errors.As(err, &known) || known.Kind != NotFound && known.Kind != Invalid
}

// ownBrand returns what a domain publishes about itself, nil for nothing.
func (s *Service) ownBrand(ctx context.Context, domain hostname.Domain) *Enrichment {
	stored, _ := s.anyBrand(ctx, domain, FromBrandJSON)
	switch {
	case stored != nil && len(stored.Manifest) > 0 && s.age(stored) < ownFresh:
		return s.enrichment(stored, true)
	case s.config.Brands == nil, stored != nil && len(stored.Manifest) == 0 && s.age(stored) < ownAbsent:
		return nil
	}
	absentUntil, _ := s.enriching.absent.Get(domain)
	if !s.config.Now().Before(absentUntil) {
		b, err := share(ctx, s, "own "+string(domain), s.limits.own, func(ctx context.Context) (*Brand, error) {
			return s.askDomain(ctx, domain, stored)
		})
		if err == nil {
			return s.enrichment(b, false)
		}
		if !outage(err) {
			return nil
		}
	}
	if stored != nil && len(stored.Manifest) > 0 && s.age(stored) < providerFresh {
		e := s.enrichment(stored, true)
		e.Stale = true
		return e
	}
	return nil
}

// askDomain reads the brand.json of a domain and stores what came of it. That there is
// none is stored only in place of an older one: otherwise anybody could fill the store
// by asking for names.
func (s *Service) askDomain(ctx context.Context, domain hostname.Domain, stored *Brand) (*Brand, error) {
	manifest, err := s.config.Brands.Manifest(ctx, domain)
	b := &Brand{Domain: domain, Source: FromBrandJSON, Manifest: manifest, UpdatedAt: s.moment()}
	switch {
	case err == nil:
		s.saveBrand(ctx, b)
		return b, nil
	case outage(err):
		s.enriching.absent.Put(domain, s.config.Now().Add(ownFailed), 1)
	default:
		s.enriching.absent.Put(domain, s.config.Now().Add(ownAbsent), 1)
		if stored != nil && len(stored.Manifest) > 0 {
			b.Manifest = nil
			s.saveBrand(ctx, b)
		}
	}
	return nil, err
}

// enrichment returns stored or new brand data as an answer.
func (s *Service) enrichment(b *Brand, cached bool) *Enrichment {
	e := &Enrichment{
		Domain: b.Domain, Manifest: b.Manifest, Source: b.Source, Cached: cached,
		Provenance: Provenance{Source: string(b.Source), UpdatedAt: b.UpdatedAt},
	}
	switch {
	case b.Source == FromBrandJSON:
		e.Provenance.URL = "https://" + string(b.Domain) + "/.well-known/brand.json"
	case b.By == "" && s.config.Provider != nil:
		e.Provenance.Source = s.config.Provider.Name()
	case b.By == "":
		e.Provenance.Source = "provider"
	}
	return e
}

// storedBrand is anyBrand for a source that has something.
func (s *Service) storedBrand(ctx context.Context, domain hostname.Domain, source BrandSource) (*Brand, error) {
	b, err := s.anyBrand(ctx, domain, source)
	if b == nil || len(b.Manifest) == 0 {
		return nil, err
	}
	return b, nil
}

// anyBrand returns what is stored, nil for nothing.
func (s *Service) anyBrand(ctx context.Context, domain hostname.Domain, source BrandSource) (*Brand, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limits.store)
	defer cancel()
	b, err := s.config.Store.Brand(ctx, domain, source)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, nil
	case err != nil:
		s.config.Log.ErrorContext(ctx, "cannot read brand data", "error", err)
		return nil, err
	}
	return b, nil
}

// saveBrand stores brand data. A failure costs a later call, not this one.
func (s *Service) saveBrand(ctx context.Context, b *Brand) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits.store)
	defer cancel()
	err := s.config.Store.PutBrand(ctx, b)
	if err != nil {
		s.config.Log.ErrorContext(ctx, "cannot store brand data", "error", err)
	}
}

func (s *Service) age(b *Brand) time.Duration { return s.config.Now().Sub(b.UpdatedAt) }

// moment is now as a store keeps it.
func (s *Service) moment() time.Time { return s.config.Now().UTC().Truncate(time.Microsecond) }

// withContext adds context to an answer. Context alone is an answer, too, when no source
// has anything else.
func (s *Service) withContext(domain hostname.Domain, e *Enrichment, err error, raw []byte,
	problem error) (*Enrichment, error) {
	if err != nil {
		if problem != nil || outage(err) {
			return nil, err
		}
		manifest, fault := (&Manifest{Name: contextName(raw, domain), URL: "https://" + string(domain)}).JSON()
		if fault != nil {
			return nil, fault
		}
		e = &Enrichment{Domain: domain, Manifest: manifest,
			Provenance: Provenance{Source: s.config.Provider.Name(), UpdatedAt: s.moment()}}
	}
	if problem != nil {
		e.ContextError = "Brand context is not available"
		var known *Error
		if errors.As(problem, &known) {
			e.ContextError = known.Message
		}
		return e, nil
	}
	e.Context, e.ContextSource = raw, s.config.Provider.Name()
	return e, nil
}

// contextName returns the name that context gives a brand.
func contextName(raw []byte, domain hostname.Domain) string {
	var context struct {
		Meta struct {
			Name jsontext.Value `json:"canonical_name"`
		} `json:"meta"`
	}
	var name string
	if json.Unmarshal(raw, &context) != nil || json.Unmarshal(context.Meta.Name, &name) != nil {
		return string(domain)
	}
	name = PlainText(name, longestName)
	if name == "" {
		return string(domain)
	}
	return name
}

// enriching is what enrichment remembers while the process runs.
type enriching struct {
	flights flight.Group[string, any]
	// absent has until when domains are not asked for a brand.json, as there was none.
	absent *flight.Cache[hostname.Domain, time.Time]
	shares shares
}

// maxAbsent bounds the domains that are remembered to have no brand.json. Beyond it
// the oldest goes.
const maxAbsent = 50_000

func newEnriching(now func() time.Time) enriching {
	return enriching{absent: flight.NewCache(flight.Limits[hostname.Domain, time.Time]{Name: "no-brand", Count: maxAbsent,
		Life: ownAbsent, Now: now})}
}

// maxShares bounds the callers that are told apart in a day. Those beyond it have the
// quota of the day alone to keep to.
const maxShares = 100_000

// shares counts what each caller took on one day. The zero value is ready.
type shares struct {
	mu    sync.Mutex
	day   string
	taken map[string]int
}

// A callerShare is what a caller, or a network that callers are counted in, may take.
type callerShare struct {
	name string
	most int
}

// take takes one unit of all shares, or of none, and reports false when one of them is
// spent.
func (s *shares) take(day string, all []callerShare) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.day != day {
		s.day, s.taken = day, map[string]int{}
	}
	for _, c := range all {
		if s.taken[c.name] >= c.most {
			return false
		}
	}
	for _, c := range all {
		_, known := s.taken[c.name]
		if known || len(s.taken) < maxShares {
			s.taken[c.name]++
		}
	}
	return true
}
