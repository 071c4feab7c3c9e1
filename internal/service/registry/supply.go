package registry

import (
	"context"

	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/supply"
	"github.com/avow-project/avow/resolve"
)

// SupplyPath answers whether a supply path is backed by the files of owner and host.
func (s *Service) SupplyPath(ctx context.Context, q supply.Question) (*supply.Answer, error) {
	q, err := q.Canonical()
	if err != nil {
		return nil, err
	}
	if s.keeper == nil {
		return nil, errNoCustody
	}
	for _, domain := range []string{q.Owner, q.Host} {
		_, err := publisherName(domain)
		if err != nil {
			return nil, supply.BadDomain(supply.OwnerMember)
		}
	}
	ctx, cancel := context.WithTimeout(budgeted(ctx), s.limits.call)
	defer cancel()
	return supply.Ask(ctx,
		supply.Sources{Files: lookedUp{s}, Revoked: s.revoked, Text: s.adsTxt, Reserve: s.readAgain}, q, s.config.Now)
}

// readAgain waits until there is memory to read files once more.
func (s *Service) readAgain(ctx context.Context, size int) (func(), error) {
	leave, err := s.reserveCheck(ctx, budget.ClientOf(ctx), size)
	if err != nil {
		return nil, errNoMemory
	}
	return leave, nil
}

// lookedUp are the files of publishers as lookups have them.
type lookedUp struct{ service *Service }

// Document implements resolve.Source.
func (l lookedUp) Document(ctx context.Context, publisher string) (*resolve.Document, error) {
	k, err := l.service.known(ctx, hostname.Domain(publisher))
	if err != nil {
		return nil, err
	}
	return k.doc, nil
}

// revoked returns what a publisher has revoked during the last week.
func (s *Service) revoked(ctx context.Context, publisher string, of ...string) ([]string, error) {
	list, err := s.keeper.Revoked(ctx, publisher, of...)
	return list, StoreTrouble(err)
}

// adsTxt reads the ads.txt or app-ads.txt of a host.
func (s *Service) adsTxt(ctx context.Context, host, name string) ([]byte, bool) {
	if s.config.AdsTxt == nil || s.hasOptedOut(hostname.Domain(host)) {
		return nil, false
	}
	leave, err := s.admit(ctx)
	if err != nil {
		return nil, false
	}
	defer leave()
	return s.config.AdsTxt(ctx, host, name)
}
