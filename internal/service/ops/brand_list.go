package ops

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

func (o *Set) brandListOperations() []Operation {
	return []Operation{
		Define(Operation{
			HTTP: "GET /api/brands/registry", Name: "brands", Tag: "brands", Class: edge.Read, Example: "limit=2",
			Summary: "All brands that are stored",
			Description: "Lists up to 10,000 brands in the order of their domains: those read from a brand.json, saved here " +
				"or returned by a provider. A brand that no client has asked about is missing.",
		}, o.brands),
		Define(Operation{
			HTTP: "GET /api/brands/find", Name: "find_brands", Tag: "brands", Class: edge.Read, Example: "q=brand",
			Summary: "Find brands by name",
			Description: "Searches the brands of GET /api/brands/registry by name and domain. Exact matches come first, then " +
				"matches at the beginning.",
		}, o.findBrands),
		Define(Operation{
			HTTP: "GET /api/brands/history", Name: "brand_history", Tag: "brands", Class: edge.Read,
			Example:  "domain=brand.example",
			Statuses: []int{http.StatusForbidden, http.StatusNotFound}, Summary: "Where a brand's data is from",
			Description: "Lists the stored versions of a brand's data, the latest first. Of each source the present version " +
				"alone is kept.",
		}, o.brandHistory),
	}
}

type brandsInput struct {
	Search string `query:"search" maxLength:"253" doc:"Only brands whose name or domain contains this text."`
	Source string `query:"source" maxLength:"64" doc:"brand_json, community or enriched; or hosted and stub, of which there are none."`
	Limit  int    `query:"limit" minimum:"1" maximum:"5000" default:"100" doc:"How many to list."`
	Offset int    `query:"offset" minimum:"0" maximum:"45000" default:"0" doc:"How many to leave out."`
}

type brandsReply struct {
	Brands []listedBrand `json:"brands"`
	Stats  brandStats    `json:"stats" doc:"Counts of the first 10,000 brands; search, source, limit and offset do not change them."`
}

type listedBrand struct {
	Domain      string `json:"domain"`
	BrandName   string `json:"brand_name"`
	Source      string `json:"source" enum:"brand_json,community,enriched" doc:"The most trusted source that has something."`
	HasManifest bool   `json:"has_manifest" doc:"True."`
	Verified    bool   `json:"verified" doc:"The domain says it itself, in its brand.json."`
	UpdatedAt   string `json:"updated_at" format:"date-time" doc:"When it was saved or last confirmed."`
}

type brandStats struct {
	Total        int `json:"total"`
	Hosted       int `json:"hosted" doc:"Always 0."`
	BrandJSON    int `json:"brand_json"`
	Community    int `json:"community"`
	Enriched     int `json:"enriched"`
	Stub         int `json:"stub" doc:"Always 0."`
	Houses       int `json:"houses" doc:"Always 0: how a brand and its house stand to each other is not looked into."`
	SubBrands    int `json:"sub_brands" doc:"Always 0."`
	WithManifest int `json:"with_manifest" doc:"The same as total."`
}

// brandSources are those that clients may name.
var brandSources = []string{"hosted", string(registry.FromBrandJSON), string(registry.FromProvider),
	string(registry.FromCommunity), "stub"}

// brands answers GET /api/brands/registry.
func (o *Set) brands(ctx context.Context, in *brandsInput) (*brandsReply, error) {
	if in.Source != "" && !slices.Contains(brandSources, in.Source) {
		return nil, fieldError("source", "request.value",
			"Invalid source filter. Valid values: "+strings.Join(brandSources, ", "), "")
	}
	list, err := o.service.Brands(ctx)
	if err != nil {
		return nil, err
	}
	reply, skip := &brandsReply{Brands: []listedBrand{}}, in.Offset
	text := strings.ToLower(strings.TrimSpace(in.Search))
	for i := range list {
		b := &list[i]
		reply.Stats.count(b.Source)
		switch {
		case in.Source != "" && in.Source != string(b.Source), !b.Contains(text), len(reply.Brands) == in.Limit:
		case skip > 0:
			skip--
		default:
			reply.Brands = append(reply.Brands,
				listedBrand{string(b.Domain), b.Name, string(b.Source), true, b.Source == registry.FromBrandJSON,
					wire.API.Time(b.UpdatedAt)})
		}
	}
	return reply, nil
}

func (s *brandStats) count(source registry.BrandSource) {
	s.Total++
	s.WithManifest++
	switch source {
	case registry.FromBrandJSON:
		s.BrandJSON++
	case registry.FromCommunity:
		s.Community++
	case registry.FromProvider:
		s.Enriched++
	}
}

type findBrandsInput struct {
	Q     string `query:"q" maxLength:"253" doc:"Two characters at least."`
	Limit int    `query:"limit" minimum:"1" maximum:"50" default:"10" doc:"How many to list."`
}

type findBrandsReply struct {
	Results []foundBrand `json:"results"`
}

type foundBrand struct {
	Domain          string `json:"domain"`
	CanonicalDomain string `json:"canonical_domain" doc:"The same."`
	BrandName       string `json:"brand_name"`
	Source          string `json:"source" enum:"brand_json,community,enriched"`
}

// findBrands answers GET /api/brands/find.
func (o *Set) findBrands(ctx context.Context, in *findBrandsInput) (*findBrandsReply, error) {
	text, err := searchText(in.Q)
	if err != nil {
		return nil, err
	}
	list, err := o.service.FindBrands(ctx, text, in.Limit)
	if err != nil {
		return nil, err
	}
	reply := &findBrandsReply{Results: []foundBrand{}}
	for i := range list {
		reply.Results = append(reply.Results,
			foundBrand{string(list[i].Domain), string(list[i].Domain), list[i].Name, string(list[i].Source)})
	}
	return reply, nil
}

type brandHistoryInput struct {
	Domain string `query:"domain" required:"true" missing:"domain parameter required" maxLength:"300" doc:"The domain of the brand."`
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"How many to list."`
	Offset int    `query:"offset" minimum:"0" maximum:"1000" default:"0" doc:"How many to leave out."`
}

type brandHistoryReply struct {
	Domain    string          `json:"domain"`
	Total     int             `json:"total" doc:"How many are stored."`
	Revisions []brandRevision `json:"revisions"`
}

type brandRevision struct {
	Number      int    `json:"revision_number" doc:"Counts from 1 with the oldest that is stored."`
	EditorName  string `json:"editor_name" doc:"system, or key holder."`
	EditSummary string `json:"edit_summary"`
	Source      string `json:"source" enum:"brand_json,community,enriched"`
	IsRollback  bool   `json:"is_rollback" doc:"Always false."`
	CreatedAt   string `json:"created_at" format:"date-time" doc:"When it was saved or last confirmed."`
}

// brandSummaries say how data of a source came here.
var brandSummaries = map[registry.BrandSource]string{
	registry.FromBrandJSON: "Read from the brand.json of the domain", registry.FromCommunity: "Saved by a key holder",
	registry.FromProvider: "Found by a provider",
}

// brandHistory answers GET /api/brands/history.
func (o *Set) brandHistory(ctx context.Context, in *brandHistoryInput) (*brandHistoryReply, error) {
	domain, list, err := o.service.BrandVersions(ctx, in.Domain)
	if err != nil {
		return nil, WithExtras(err, ErrorExtras{Domain: in.Domain})
	}
	reply := &brandHistoryReply{Domain: string(domain), Total: len(list), Revisions: []brandRevision{}}
	for i := min(in.Offset, len(list)); i < min(in.Offset+in.Limit, len(list)); i++ {
		b := &list[i]
		one := brandRevision{Number: len(list) - i, EditorName: "key holder", EditSummary: brandSummaries[b.Source],
			Source: string(b.Source), CreatedAt: wire.API.Time(b.UpdatedAt)}
		if b.By == "" {
			one.EditorName = "system"
			if b.Source == registry.FromCommunity {
				one.EditSummary = brandSummaries[registry.FromProvider] // data of low quality
			}
		}
		reply.Revisions = append(reply.Revisions, one)
	}
	return reply, nil
}
