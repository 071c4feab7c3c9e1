package registry

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/std/hostname"
)

const (
	// MostBrands is how many brands are listed and searched.
	MostBrands = 10_000
	// brandsTogether is of how many domains the data is read at a time.
	brandsTogether = 200
)

// A ListedBrand is a brand in a list, by the most trusted source that has something.
type ListedBrand struct {
	Domain    hostname.Domain
	Name      string
	Source    BrandSource
	UpdatedAt time.Time
}

// Brands returns the brands that are stored, by their domain: the first 10,000.
func (s *Service) Brands(ctx context.Context) ([]ListedBrand, error) {
	var out []ListedBrand
	var after hostname.Domain
	for len(out) < MostBrands {
		some, err := s.config.Store.Brands(ctx, after, brandsTogether)
		if err != nil || len(some) == 0 {
			return out, StoreTrouble(err)
		}
		for i := range some {
			b := &some[i]
			first := i == 0 || some[i-1].Domain != b.Domain
			if first && !s.hasOptedOut(b.Domain) {
				out = append(out, ListedBrand{b.Domain, BrandName(b.Domain, b.Manifest), b.Source, b.UpdatedAt})
			}
		}
		after = some[len(some)-1].Domain
	}
	return out[:MostBrands], nil
}

// FindBrands returns brands whose name or domain contains a text in lower case: those that are it come
// first, and those that begin with it after them.
func (s *Service) FindBrands(ctx context.Context, text string, limit int) ([]ListedBrand, error) {
	list, err := s.Brands(ctx)
	rank := func(b *ListedBrand) int {
		name, domain := strings.ToLower(b.Name), string(b.Domain)
		switch {
		case name == text || domain == text:
			return 0
		case strings.HasPrefix(name, text) || strings.HasPrefix(domain, text):
			return 1
		}
		return 2
	}
	list = slices.DeleteFunc(list, func(b ListedBrand) bool { return !b.Contains(text) })
	slices.SortStableFunc(list, func(a, b ListedBrand) int { return cmp.Compare(rank(&a), rank(&b)) })
	return list[:min(limit, len(list))], err
}

// Contains reports whether the name or the domain contains a text in lower case.
func (b *ListedBrand) Contains(text string) bool {
	return strings.Contains(strings.ToLower(b.Name), text) || strings.Contains(string(b.Domain), text)
}

// BrandVersions returns what is stored about a brand, the latest first: the present data of each
// source.
func (s *Service) BrandVersions(ctx context.Context, written string) (hostname.Domain, []Brand, error) {
	domain, err := brandDomain(written)
	if err == nil {
		err = s.refuseOptedOut(domain)
	}
	var out []Brand
	for _, source := range []BrandSource{FromBrandJSON, FromCommunity, FromProvider} {
		var b *Brand
		if err == nil {
			b, err = s.storedBrand(ctx, domain, source)
		}
		if b != nil {
			out = append(out, *b)
		}
	}
	if err == nil && len(out) == 0 {
		err = errBrandUnknown
	}
	slices.SortStableFunc(out, func(a, b Brand) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	return domain, out, err
}

// BrandName returns the name in brand data, or else the domain.
func BrandName(domain hostname.Domain, manifest []byte) string {
	var m struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(manifest, &m) // one without a name is known by its domain
	return cmp.Or(m.Name, string(domain))
}
