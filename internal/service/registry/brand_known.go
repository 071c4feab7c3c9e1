package registry

import (
	"context"

	"github.com/avow-project/avow/internal/std/hostname"
)

// ResolveBrand returns the brand data of a domain without asking a provider: what the domain
// publishes itself, else what was stored before.
func (s *Service) ResolveBrand(ctx context.Context, written string) (*Enrichment, error) {
	domain, err := brandDomain(written)
	if err == nil {
		err = s.refuseOptedOut(domain)
	}
	if err != nil {
		return nil, err
	}
	own := s.ownBrand(ctx, domain)
	if own != nil {
		return own, nil
	}
	return s.knownBrand(ctx, domain)
}

// KnownBrand is ResolveBrand from what was stored alone.
func (s *Service) KnownBrand(ctx context.Context, written string) (*Enrichment, error) {
	domain, err := brandDomain(written)
	if err == nil {
		err = s.refuseOptedOut(domain)
	}
	if err != nil {
		return nil, err
	}
	own, err := s.storedBrand(ctx, domain, FromBrandJSON)
	if err != nil {
		return nil, err
	}
	if own != nil {
		e := s.enrichment(own, true)
		e.Stale = s.age(own) >= ownFresh
		return e, nil
	}
	return s.knownBrand(ctx, domain)
}

func (s *Service) knownBrand(ctx context.Context, domain hostname.Domain) (*Enrichment, error) {
	for _, source := range []BrandSource{FromCommunity, FromProvider} {
		b, err := s.storedBrand(ctx, domain, source)
		if err != nil {
			return nil, err
		}
		if b != nil {
			return s.enrichment(b, true), nil
		}
	}
	return nil, errBrandUnknown
}

// errBrandUnknown is the error about a domain without brand data.
var errBrandUnknown = &Error{Kind: NotFound, Code: "brand.unknown", Message: "Brand not found",
	Hint: "the domain has no brand.json, and no data was saved for it"}

// errNoBrands is the error of a service without a reader of brand.json.
var errNoBrands = &Error{Kind: NotConfigured, Code: "brand_json", Message: "This service does not read brand.json"}

// BrandDocument returns the brand.json of a domain as it is, and where it was found.
func (s *Service) BrandDocument(ctx context.Context, written string) (hostname.Domain, []byte, string, error) {
	domain, err := brandDomain(written)
	if err == nil {
		err = s.refuseOptedOut(domain)
	}
	if err == nil && s.config.Brands == nil {
		err = errNoBrands
	}
	if err != nil {
		return domain, nil, "", err
	}
	ctx, cancel := context.WithTimeout(ctx, s.limits.enrich)
	defer cancel()
	body, url, err := s.config.Brands.Document(ctx, domain)
	return domain, body, url, err
}
