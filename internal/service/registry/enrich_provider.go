package registry

import (
	"context"
	"errors"
	"time"

	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/std/hostname"
)

const (
	// defaultQuota is the number of calls of the provider in a day.
	defaultQuota = 1000
	// leastShare is what one caller may take of the quota in any case.
	leastShare = 20
)

// A Sparing provider can tell beforehand that it would not ask anybody, so that nothing
// is taken from the quota.
type Sparing interface {
	// BrandRefusal and ContextRefusal return the error that Brand and Context would
	// give without asking, nil when they would ask.
	BrandRefusal(domain hostname.Domain) error
	ContextRefusal(domain hostname.Domain) error
}

// providerBrand asks the provider about a domain and stores what it says.
func (s *Service) providerBrand(ctx context.Context, domain hostname.Domain, caller Caller) (*Enrichment, error) {
	if s.config.Provider == nil {
		return nil, notConfigured()
	}
	return share(ctx, s, "provider "+string(domain), s.limits.enrich, func(ctx context.Context) (*Enrichment, error) {
		return s.askProvider(ctx, domain, caller)
	})
}

// notConfigured is the error of a service that has no provider.
func notConfigured() error {
	return &Error{
		Kind: NotConfigured, Code: "provider_not_configured", Message: "Brandfetch not configured",
		Hint: "the domain has no brand.json and no data was saved for it; the operator of this service can configure a " +
			"provider",
	}
}

func (s *Service) askProvider(ctx context.Context, domain hostname.Domain, caller Caller) (*Enrichment, error) {
	sparing, ok := s.config.Provider.(Sparing)
	if ok {
		err := sparing.BrandRefusal(domain)
		if err != nil {
			return nil, err
		}
	}
	err := s.spend(ctx, caller)
	if err != nil {
		return nil, err
	}
	answer, err := s.config.Provider.Brand(ctx, domain)
	if err != nil {
		return nil, err
	}
	b := &Brand{Domain: domain, Source: FromProvider, Manifest: answer.Manifest, UpdatedAt: s.moment()}
	if !answer.Good {
		b.Source = FromCommunity
	}
	s.saveProviderBrand(ctx, b)
	return s.enrichment(b, false), nil
}

// saveProviderBrand stores data of the provider, but not over what a keyholder saved
// meanwhile.
func (s *Service) saveProviderBrand(ctx context.Context, b *Brand) {
	if b.Source == FromCommunity {
		stored, err := s.storedBrand(ctx, b.Domain, FromCommunity)
		if err != nil || stored != nil && stored.By != "" {
			return
		}
	}
	s.saveBrand(ctx, b)
}

// startContext begins to ask for context, if the caller may have it, and returns a
// function that waits for it; nil when nothing is asked.
func (s *Service) startContext(ctx context.Context, domain hostname.Domain, caller Caller) func() ([]byte, error) {
	if caller.Key == nil || s.config.Provider == nil {
		return nil
	}
	var raw []byte
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		raw, err = share(ctx, s, "context "+string(domain), s.limits.enrich, func(ctx context.Context) ([]byte, error) {
			return s.askContext(ctx, domain, caller)
		})
	}()
	return func() ([]byte, error) {
		<-done
		return raw, err
	}
}

func (s *Service) askContext(ctx context.Context, domain hostname.Domain, caller Caller) ([]byte, error) {
	sparing, ok := s.config.Provider.(Sparing)
	if ok {
		err := sparing.ContextRefusal(domain)
		if err != nil {
			return nil, err
		}
	}
	err := s.spend(ctx, caller)
	if err != nil {
		return nil, err
	}
	return s.config.Provider.Context(ctx, domain)
}

// spend takes one call of the provider from the caller's share and from the quota of the
// day. Without a store that counts, nothing is spent.
func (s *Service) spend(ctx context.Context, caller Caller) error {
	now := s.config.Now().UTC()
	day := now.Format(time.DateOnly)
	tomorrow := now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
	quota := s.quota()
	if !s.enriching.shares.take(day, callerShares(caller, quota)) {
		return &Error{
			Kind: Limited, Code: codeShareSpent, Message: "Too many requests", RetryAfter: tomorrow,
			Hint: "this caller has had its share of the provider for today; data that is stored is still served",
		}
	}
	ctx, cancel := context.WithTimeout(ctx, s.limits.store)
	defer cancel()
	ok, err := s.config.Store.Spend(ctx, "enrich", day, quota)
	switch {
	case err != nil:
		s.config.Log.ErrorContext(ctx, "cannot count calls of the brand data provider", "error", err)
		return &Error{Kind: Unavailable, Code: "store_unavailable", Message: "The service cannot do this at present",
			RetryAfter: 5 * time.Second}
	case !ok:
		return &Error{
			Kind: Unavailable, Code: "enrich_quota_spent", Message: "The daily quota of the brand data provider is spent",
			RetryAfter: tomorrow,
			Hint:       "data that is stored is still served",
		}
	}
	return nil
}

func (s *Service) quota() int {
	if s.config.Quota > 0 {
		return s.config.Quota
	}
	return defaultQuota
}

// callerShares are how much of a quota a caller may take: no caller all of it, and callers
// with a key more than strangers. The networks around a stranger have more, and not all of
// it.
func callerShares(c Caller, quota int) []callerShare {
	if c.Key != nil {
		return []callerShare{{"key " + c.Key.ID, max(leastShare, quota/2)}}
	}
	own := max(leastShare, quota/10)
	var all []callerShare
	for _, b := range BlocksOf(c.Client) {
		all = append(all, callerShare{"client " + b.Name, max(own, min(own*b.Factor, quota/2))})
	}
	return all
}

// errGaveUp is the error of a caller that did not wait for a shared answer.
var errGaveUp = &Error{
	Kind: Unavailable, Code: "enrich_timeout", Message: "The brand data did not arrive in time",
	RetryAfter: 5 * time.Second,
	Hint:       "ask again; what arrives meanwhile is stored",
}

// share does some work once for all who ask for it at the same time. The work goes on
// when the one who asked first gives up, within its limit, and ends with the service. An
// error that only the first one has is not passed on: another one does the work.
func share[T any](ctx context.Context, s *Service, key string, limit time.Duration,
	work func(context.Context) (T, error)) (T, error) {
	var none T
	for {
		mine := false
		call, err := s.enriching.flights.Join(ctx, key, func(ctx context.Context) (any, error) {
			mine = true
			ctx, cancel := context.WithTimeout(ctx, limit)
			defer cancel()
			defer context.AfterFunc(s.ctx, cancel)()
			return tracked(ctx, s, work)
		})
		if err != nil {
			return none, errGaveUp
		}
		select {
		case <-call.Done():
			got, err := call.Result()
			value, ok := got.(T)
			switch {
			case err != nil && !mine && flight.Own(err):
				continue
			case err != nil || !ok:
				return none, err
			}
			return value, nil
		case <-ctx.Done():
			return none, errGaveUp // without leaving: what arrives is stored
		}
	}
}

// tracked does some work that Close waits for. A panic becomes an error: shared work has
// no caller that would catch it.
func tracked[T any](ctx context.Context, s *Service, work func(context.Context) (T, error)) (T, error) {
	var value T
	err := errors.New("the work ended early")
	done := make(chan struct{})
	ok := s.start(func() {
		defer close(done)
		defer func() {
			p := recover()
			if p != nil {
				s.config.Log.ErrorContext(ctx, "panic while getting brand data", "panic", p)
			}
		}()
		value, err = work(ctx)
	})
	if !ok {
		return value, errGaveUp
	}
	<-done
	return value, err
}
