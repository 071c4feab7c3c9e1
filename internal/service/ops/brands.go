package ops

import (
	"context"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

type brandInput struct {
	Domain string `query:"domain" required:"true" missing:"domain parameter required" maxLength:"300" doc:"The domain of the brand."`
	Fresh  string `query:"fresh" maxLength:"16" doc:"Has no effect: a brand.json is read again after a day."`
}

// resolvedBrand is who a brand is.
type resolvedBrand struct {
	CanonicalID     string         `json:"canonical_id" doc:"The domain that the brand is known by."`
	CanonicalDomain string         `json:"canonical_domain" doc:"The same."`
	BrandName       string         `json:"brand_name"`
	Source          string         `json:"source" enum:"brand_json,community,enriched" doc:"Source of the data: the domain itself, a key holder, or a provider."`
	BrandManifest   jsontext.Value `json:"brand_manifest" doc:"The object of GET /api/brands/enrich."`
	UpdatedAt       string         `json:"updated_at" format:"date-time" doc:"When it was saved or last confirmed."`
	Stale           bool           `json:"stale" doc:"It is older than it should be, because its source does not answer."`
}

func resolvedBrandOf(e *registry.Enrichment) *resolvedBrand {
	return &resolvedBrand{string(e.Domain), string(e.Domain), registry.BrandName(e.Domain, e.Manifest), string(e.Source),
		e.Manifest, wire.API.Time(e.Provenance.UpdatedAt), e.Stale}
}

// resolveBrand answers GET /api/brands/resolve.
func (o *Set) resolveBrand(ctx context.Context, in *brandInput) (*resolvedBrand, error) {
	e, err := o.service.ResolveBrand(ctx, in.Domain)
	if err != nil {
		return nil, WithExtras(err, ErrorExtras{Domain: in.Domain})
	}
	return resolvedBrandOf(e), nil
}

type resolveBrandsInput struct {
	Body resolveBrandsBody `body:""`
}

type resolveBrandsBody struct {
	Domains []string `json:"domains" required:"true" missing:"domains array required" minItems:"1" maxItems:"100" doc:"The domains, 100 at most."`
}

type resolveBrandsReply struct {
	Results map[string]jsontext.Value `json:"results" doc:"By domain as it was given, in lower case: what GET /api/brands/resolve says, or null."`
}

// resolveBrands answers POST /api/brands/resolve/bulk.
func (o *Set) resolveBrands(ctx context.Context, in *resolveBrandsInput) (*resolveBrandsReply, error) {
	reply := &resolveBrandsReply{Results: map[string]jsontext.Value{}}
	for _, domain := range in.Body.Domains {
		name := strings.ToLower(strings.TrimSpace(domain))
		reply.Results[name] = jsontext.Value("null")
		e, err := o.service.KnownBrand(ctx, name)
		if err != nil {
			continue // nothing is known about it, or it is not a domain
		}
		text, err := json.Marshal(resolvedBrandOf(e), EncodeOptions)
		if err != nil {
			return nil, err
		}
		reply.Results[name] = text
	}
	return reply, nil
}

type brandJSONReply struct {
	Domain  string         `json:"domain"`
	URL     string         `json:"url" doc:"Where the document was found."`
	Variant string         `json:"variant,omitempty" enum:"house_portfolio,brand_canonical" doc:"What kind of document it is: with the brands of a house, or of one brand."`
	Data    jsontext.Value `json:"data" doc:"The document, a JSON object."`
}

// brandJSON answers GET /api/brands/brand-json.
func (o *Set) brandJSON(ctx context.Context, in *brandInput) (*brandJSONReply, error) {
	domain, body, url, err := o.service.BrandDocument(ctx, in.Domain)
	if err != nil {
		return nil, WithExtras(err, ErrorExtras{Domain: in.Domain})
	}
	data, _ := redact.JSON(body)
	var kind struct {
		Brands jsontext.Value `json:"brands"`
		House  jsontext.Value `json:"house"`
		Name   jsontext.Value `json:"name"`
	}
	_ = json.Unmarshal(data, &kind, jsontext.AllowDuplicateNames(true)) // it was read before
	reply := &brandJSONReply{Domain: string(domain), URL: redact.URL(url), Data: data}
	switch {
	case kind.Brands.Kind() == '[':
		reply.Variant = "house_portfolio"
	case len(kind.Name) > 0:
		reply.Variant = "brand_canonical"
	}
	return reply, nil
}
