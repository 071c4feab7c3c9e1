package registry

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/std/hostname"
)

// crawlLimits are those of requests for looks.
var crawlLimits = custodian.RequestLimits{Domain: 5 * time.Minute, Caller: 30, Open: 10_000}

// managerMost is how many publishers are looked at for one request about their manager. The
// others are due at their own times, or first after the next request.
const managerMost = 10_000

// RequestCrawl has a publisher looked at soon. The answer is not waited for; Crawl tells it.
func (s *Service) RequestCrawl(ctx context.Context, c Caller, domain string) (*custodian.Request, error) {
	name, err := s.crawlable(c, domain)
	if err != nil {
		return nil, err
	}
	q := &custodian.Request{ID: NewUUID(), Domain: name, Caller: c.Key.ID, Status: custodian.RequestQueued,
		RequestedAt: s.moment()}
	return q, s.request(ctx, q)
}

// RequestManager has publishers looked at soon that lead to the file of a manager, managerMost
// at most, and returns the manager and how many they are.
func (s *Service) RequestManager(ctx context.Context, c Caller, manager string) (hostname.Domain, int, error) {
	name, err := s.crawlable(c, manager)
	if err != nil {
		return "", 0, err
	}
	q := s.doneAtOnce(c, "manager:"+name)
	err = s.request(ctx, q)
	if err != nil {
		return "", 0, err
	}
	state, err := s.keeper.State(ctx, name)
	if err != nil {
		return "", 0, custodyError(err)
	}
	urls := []string{discover.WellKnownURL(string(name))}
	if at := state.Publisher.Location.URL; at != "" && at != urls[0] {
		urls = append(urls, at)
	}
	n, err := s.config.Custody.Hasten(ctx, urls, q.RequestedAt, managerMost)
	for i := 0; i < len(urls) && err == nil; i++ {
		err = s.config.Custody.HastenFile(ctx, urls[i], q.RequestedAt)
	}
	if err != nil {
		return "", 0, StoreTrouble(errors.Join(custodian.ErrUnavailable, err))
	}
	return name, n, nil
}

// RequestBrand has the brand.json of a domain read again, and returns when that is done or was tried.
func (s *Service) RequestBrand(ctx context.Context, c Caller, domain string) (hostname.Domain, error) {
	err := c.Require(ScopeWrite)
	if err != nil {
		return "", err
	}
	name, err := brandDomain(domain)
	if err == nil {
		err = s.refuseOptedOut(name)
	}
	switch {
	case err != nil:
		return "", err
	case s.keeper == nil:
		return "", errNoCustody
	case s.config.Brands == nil:
		return "", errNoBrands
	}
	err = s.request(ctx, s.doneAtOnce(c, name))
	if err != nil {
		return "", err
	}
	_, err = share(ctx, s, "own "+string(name), s.limits.own, func(ctx context.Context) (*Brand, error) {
		stored, err := s.anyBrand(ctx, name, FromBrandJSON)
		if err != nil {
			return nil, err
		}
		return s.askDomain(ctx, name, stored)
	})
	s.config.Log.InfoContext(ctx, "a brand.json was read again", "domain", name, "error", err)
	return name, nil
}

// doneAtOnce is a request that only counts: what it asks for needs no turn.
func (s *Service) doneAtOnce(c Caller, name hostname.Domain) *custodian.Request {
	now := s.moment()
	return &custodian.Request{ID: NewUUID(), Domain: name, Caller: c.Key.ID, Status: custodian.RequestCompleted,
		RequestedAt: now, CompletedAt: now}
}

// Revalidate looks at a publisher past all caches, and returns what its file is worth when
// that is stored. With force it does not count as a request for a look.
func (s *Service) Revalidate(ctx context.Context, c Caller, domain string, force bool) (*Validation, error) {
	err := c.Require(ScopeModerate)
	if err != nil {
		return nil, err
	}
	name, err := s.custodyOf(domain)
	if err == nil {
		err = s.refuseOptedOut(name)
	}
	if err == nil && !force {
		err = s.request(ctx, s.doneAtOnce(c, name))
	}
	if err != nil {
		return nil, err
	}
	_, err = s.Custody(ctx, domain, true)
	var v *Validation
	if err == nil {
		v, err = s.Validate(ctx, ValidateRequest{Domain: string(name), Caller: c}) // by what was seen just now, as a rule
	}
	var known *Error
	if errors.As(err, &known) && known.Kind == Unavailable {
		return nil, Soon("publisher_crawl_busy", "Publisher crawl is temporarily busy")
	}
	return v, err
}

// crawlable returns the domain that a caller may have looked at.
func (s *Service) crawlable(c Caller, domain string) (hostname.Domain, error) {
	err := c.Require(ScopeWrite)
	if err != nil {
		return "", err
	}
	name, err := s.custodyOf(domain)
	if err != nil {
		return "", err
	}
	if s.hasOptedOut(name) {
		return "", optedOut(name)
	}
	return name, nil
}

// request stores a request.
func (s *Service) request(ctx context.Context, q *custodian.Request) error {
	ctx, cancel := context.WithTimeout(ctx, s.limits.store)
	defer cancel()
	err := s.config.Custody.Request(ctx, q, crawlLimits)
	var limit *custodian.RequestLimitError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &limit):
		s.config.Log.WarnContext(ctx, "cannot store a request for a look", "domain", q.Domain, "error", err)
		return &Error{Kind: Unavailable, Code: "crawl_queue_unavailable", Message: "The request could not be stored",
			RetryAfter: 5 * time.Second}
	case limit.Limit == "domain":
		return &Error{Kind: Limited, Code: "crawl_domain_limited", Message: "Rate limit exceeded for this domain",
			RetryAfter: limit.Wait}
	case limit.Limit == "caller":
		return &Error{Kind: Limited, Code: "crawl_hourly_limited", Message: "Hourly crawl request limit exceeded",
			RetryAfter: limit.Wait}
	}
	return &Error{Kind: Unavailable, Code: "crawl_queue_at_capacity", Message: "Too many requests wait already",
		RetryAfter: limit.Wait}
}

// Crawl returns what became of a request of the caller.
func (s *Service) Crawl(ctx context.Context, c Caller, id string) (*custodian.Request, error) {
	err := c.Require(ScopeWrite)
	if err != nil {
		return nil, err
	}
	if s.keeper == nil {
		return nil, errNoCustody
	}
	if !isUUID(id) {
		return nil, &Error{Kind: Invalid, Code: "invalid_crawl_request", Message: "Invalid crawl request ID",
			Hint: "it is in the answer to POST /api/registry/crawl-request"}
	}
	ctx, cancel := context.WithTimeout(ctx, s.limits.store)
	defer cancel()
	q, err := s.config.Custody.RequestByID(ctx, id)
	switch {
	case errors.Is(err, custodian.ErrNotFound) || err == nil && q.Caller != c.Key.ID:
		return nil, &Error{Kind: NotFound, Code: "crawl_request_not_found", Message: "Crawl request not found",
			Hint: "requests are kept for 30 days, and told to the key that made them"}
	case err != nil:
		return nil, &Error{Kind: Unavailable, Code: "crawl_status_unavailable", Message: "The request cannot be read",
			RetryAfter: 5 * time.Second}
	}
	return q, nil
}

// NewUUID returns a random UUID.
func NewUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it does not fail
	return projection.UUID(b[:], 4)
}

// isUUID reports whether a text has the form of a UUID of any version.
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		dash := i == 8 || i == 13 || i == 18 || i == 23
		hex := '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
		if dash != (c == '-') || !dash && !hex {
			return false
		}
	}
	return true
}
