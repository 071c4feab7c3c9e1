package ops

import (
	"context"
	"errors"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/formats"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/std/jsontree"
)

func (o *Set) formatsOperations() []Operation {
	return []Operation{
		Define(Operation{
			HTTP: "GET /api/formats", Name: "formats", Tag: "formats", Class: edge.Read, Command: "avow formats",
			Example: "domain=publisher.example&placement_id=homepage_top", Statuses: []int{http.StatusNotFound},
			Summary: "The formats of a publisher's placements",
			Description: "Lists the formats of one placement, or of all, with the references that buyers use. A placement " +
				"without format_options has the formats that the file declares for its properties. conflict is true when the " +
				"file has no such placement. Where the publisher has no file, or one without formats, those of its community " +
				"mirror here are listed, and mirror names it.",
		}, o.formats),
		Define(Operation{
			HTTP: "POST /api/formats/intersect", Name: "formats_intersect", Tag: "formats", Class: edge.Read,
			Limit:    formats.MaxProductBytes + SmallBody,
			Example:  `{"publisher_domain": "publisher.example", "placement_id": "homepage_top", "product": {"format_options": [{"format_kind": "image", "params": {"width": 300, "height": 250}}]}}`,
			Statuses: []int{http.StatusNotFound},
			Summary:  "What a product and a publisher's catalog both accept",
			Description: "Compares the formats of a product with those of the catalog, parameter by parameter. accepted is " +
				"what can be bought; refused names the parameter that leaves nothing, with both values; findings tell where the " +
				"product redefines a placement. " +
				"Formats of the catalog alone are not accepted. Without placement_id all placements are looked at that the " +
				"product runs on at the publisher.",
		}, o.intersect),
	}
}

type formatsInput struct {
	Domain    string `query:"domain" required:"true" maxLength:"2048" doc:"The publisher, as people write it."`
	Placement string `query:"placement_id" maxLength:"2048" doc:"One placement; all when it is not given."`
}

type intersectInput struct {
	Body intersectBody `body:""`
}

// intersectBody is a product and what is asked about it.
type intersectBody struct {
	Domain    string         `json:"publisher_domain" also:"domain" required:"true" maxLength:"2048" doc:"The publisher whose catalog is compared."`
	Placement string         `json:"placement_id" maxLength:"2048" doc:"One placement; all that the product runs on when it is not given."`
	Product   jsontext.Value `json:"product" required:"true" doc:"The product: format_options or the older format_ids, and perhaps channels, placements and publisher_properties."`
	Strict    bool           `json:"strict" doc:"Leave out formats of which neither side lies within the other."`
	Refs      []refBody      `json:"format_option_refs" maxItems:"100" doc:"Formats that a buyer names."`
	Kind      string         `json:"format_kind" maxLength:"64" doc:"The kind of creative that a buyer has; with params."`
	Params    jsontext.Value `json:"params" doc:"What is certain about that creative."`
}

// refBody is a reference as a buyer writes it.
type refBody struct {
	Scope           string `json:"scope" enum:"publisher,product" required:"true" doc:"Where the id is looked up."`
	PublisherDomain string `json:"publisher_domain" maxLength:"2048" doc:"With the scope publisher."`
	FormatOptionID  string `json:"format_option_id" required:"true" maxLength:"2048" doc:"The id of the format."`
}

// formatsReply is the answer of both routes.
type formatsReply struct {
	formats.Report
	Freshness
}

func (o *Set) formats(ctx context.Context, in *formatsInput) (*formatsReply, error) {
	return o.askFormats(ctx, in.Domain, formats.Question{Placement: in.Placement})
}

func (o *Set) intersect(ctx context.Context, in *intersectInput) (*formatsReply, error) {
	b := &in.Body
	q := formats.Question{Placement: b.Placement, Strict: b.Strict, Selection: formats.Selection{Kind: b.Kind}}
	for _, r := range b.Refs {
		ref, err := formats.NewRef(r.Scope, r.PublisherDomain, r.FormatOptionID)
		if err != nil {
			return nil, fieldError("format_option_refs", "request.value", "format_option_refs: "+err.Error(), "")
		}
		q.Selection.Refs = append(q.Selection.Refs, ref)
	}
	if b.Kind != "" && len(b.Params) > 0 {
		tree, err := jsontree.Parse(b.Params, jsontree.Options{MaxBytes: len(b.Params)})
		if err != nil || !tree.Root().Is(jsontree.Object) {
			return nil, fieldError("params", "request.type", "params must be an object", "")
		}
		q.Selection.Params = formats.ReadParams(tree.Root())
	}
	var err error
	q.Product, err = formats.ReadProduct(b.Product)
	var fault *formats.ProductError
	if errors.As(err, &fault) {
		return nil, fieldError("product", "request.value", "The product cannot be read: "+fault.Problem, fault.Hint)
	}
	if err != nil {
		return nil, err
	}
	return o.askFormats(ctx, b.Domain, q)
}

func (o *Set) askFormats(ctx context.Context, domain string, q formats.Question) (*formatsReply, error) {
	v, err := o.service.Formats(ctx, domain, q)
	if err != nil {
		return nil, about(err, domain, "")
	}
	return &formatsReply{Report: *v.Report, Freshness: freshnessOf(v.CheckedAt, v.FreshUntil)}, nil
}
