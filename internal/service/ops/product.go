package ops

import (
	"context"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

type productInput struct {
	Body productBody `body:""`
}

// productBody names an agent and what a product selects.
type productBody struct {
	Agent     string         `json:"agent_url" also:"agent" required:"true" missing:"Missing required field: agent_url" maxLength:"2048" doc:"The URL of the agent."`
	Selectors []selectorBody `json:"publisher_properties" required:"true" missing:"Missing required field: publisher_properties (array of selectors)" maxItems:"100" doc:"The selectors of the product."`
}

// selectorBody selects properties of publishers.
type selectorBody struct {
	PublisherDomain  string   `json:"publisher_domain" maxLength:"2048" doc:"One publisher; this or publisher_domains."`
	PublisherDomains []string `json:"publisher_domains" maxItems:"1000" doc:"Several publishers; with the selection types all and by_tag."`
	SelectionType    string   `json:"selection_type" enum:"all,by_id,by_tag" required:"true" doc:"How properties are selected."`
	PropertyIDs      []string `json:"property_ids" maxItems:"10000" doc:"With by_id."`
	PropertyTags     []string `json:"property_tags" maxItems:"1000" doc:"With by_tag."`
}

func (b *productBody) selectors() []adagents.Selector {
	list := make([]adagents.Selector, 0, len(b.Selectors))
	for _, s := range b.Selectors {
		list = append(list, adagents.Selector{
			PublisherDomain: s.PublisherDomain, PublisherDomains: s.PublisherDomains, SelectionType: s.SelectionType,
			PropertyIDs: s.PropertyIDs, PropertyTags: s.PropertyTags,
		})
	}
	return list
}

// productReply is the answer of POST /api/registry/validate/product-authorization.
type productReply struct {
	AgentURL        string          `json:"agent_url" doc:"The agent in canonical form."`
	URL             string          `json:"url" doc:"The same."`
	Authorized      bool            `json:"authorized" doc:"Something is selected, and the agent may sell all of it."`
	Coverage        int             `json:"coverage_percentage" doc:"The share that is covered, in whole per cent, rounded down."`
	TotalRequested  int             `json:"total_requested" doc:"How many properties are selected."`
	TotalAuthorized int             `json:"total_authorized" doc:"How many of them the agent may sell."`
	Scope           string          `json:"validation_scope" doc:"Always publisher_properties_only: placements, collections and formats of the product are not looked at."`
	Selectors       []selectorReply `json:"selectors" doc:"One for each publisher of each selector."`
	Freshness
}

// selectorReply is what a selector comes to at one publisher.
type selectorReply struct {
	PublisherDomain   string            `json:"publisher_domain"`
	SelectionType     string            `json:"selection_type"`
	RequestedCount    int               `json:"requested_count" doc:"How many properties are selected."`
	AuthorizedCount   int               `json:"authorized_count" doc:"How many of them the agent may sell."`
	UnauthorizedItems []string          `json:"unauthorized_items,omitempty" doc:"The ids of the others, also of such as do not exist."`
	Source            string            `json:"source" doc:"adagents_json, or none when there is no file that can be used."`
	Verdict           string            `json:"verdict" enum:"authorized,conditional,not_authorized,none_asserted,unverified,unusable" doc:"authorized when all of it is covered."`
	Reasons           []answer.Reason   `json:"reasons" doc:"The steps that led to the verdict."`
	Evidence          []answer.Evidence `json:"evidence" doc:"The documents it rests on."`
	Problem           string            `json:"problem,omitempty" doc:"Why the selector cannot be answered as it is put."`
}

func selectorReplies(list []registry.SelectorAnswer) []selectorReply {
	docs := make([]selectorReply, 0, len(list))
	for i := range list {
		s := &list[i]
		doc := selectorReply{
			PublisherDomain: string(s.PublisherDomain), SelectionType: s.SelectionType, RequestedCount: s.Requested,
			AuthorizedCount:   s.Covered,
			UnauthorizedItems: s.Unauthorized, Source: "none", Verdict: s.Verdict.String(), Reasons: answer.ReasonsOf(s.Reasons),
			Evidence: answer.EvidenceOf(s.Evidence), Problem: s.Problem,
		}
		for _, e := range doc.Evidence {
			if e.SHA256 != "" {
				doc.Source = fromFile
			}
		}
		docs = append(docs, doc)
	}
	return docs
}

// productAuthorization answers POST /api/registry/validate/product-authorization.
func (o *Set) productAuthorization(ctx context.Context, in *productInput) (*productReply, error) {
	v, err := o.service.ProductAuthorization(ctx, in.Body.Agent, in.Body.selectors())
	if err != nil {
		return nil, err
	}
	return &productReply{
		AgentURL: redact.URL(v.Agent), URL: redact.URL(v.Agent), Authorized: v.Authorized, Coverage: v.Coverage(),
		TotalRequested:  v.Requested,
		TotalAuthorized: v.Covered, Scope: "publisher_properties_only", Selectors: selectorReplies(v.Selectors),
		Freshness: freshnessOf(v.CheckedAt, v.FreshUntil),
	}, nil
}

// expandReply is the answer of POST /api/registry/expand/product-identifiers.
type expandReply struct {
	AgentURL        string               `json:"agent_url" doc:"The agent in canonical form."`
	URL             string               `json:"url" doc:"The same."`
	Properties      []expandedProperty   `json:"properties" doc:"The properties that the agent may sell, each once."`
	Identifiers     []expandedIdentifier `json:"identifiers" doc:"All their identifiers."`
	PropertyCount   int                  `json:"property_count"`
	IdentifierCount int                  `json:"identifier_count"`
	Selectors       []selectorReply      `json:"selectors" doc:"How each selector went."`
	GeneratedAt     string               `json:"generated_at" format:"date-time" doc:"The instant the answer is for."`
	FreshUntil      string               `json:"fresh_until,omitempty" format:"date-time" doc:"How long it may be used."`
}

type expandedProperty struct {
	PublisherDomain string               `json:"publisher_domain"`
	PropertyID      string               `json:"property_id"`
	PropertyName    string               `json:"property_name"`
	PropertyType    string               `json:"property_type"`
	Identifiers     []propertyIdentifier `json:"identifiers"`
	Tags            []string             `json:"tags"`
}

type expandedIdentifier struct {
	Type            string `json:"type"`
	Value           string `json:"value"`
	PropertyID      string `json:"property_id"`
	PublisherDomain string `json:"publisher_domain"`
}

// expand answers POST /api/registry/expand/product-identifiers.
func (o *Set) expand(ctx context.Context, in *productInput) (*expandReply, error) {
	v, err := o.service.Expand(ctx, in.Body.Agent, in.Body.selectors())
	if err != nil {
		return nil, err
	}
	doc := &expandReply{
		AgentURL: redact.URL(v.Agent), URL: redact.URL(v.Agent), Selectors: selectorReplies(v.Selectors),
		PropertyCount: len(v.Properties),
		GeneratedAt:   wire.API.Time(v.GeneratedAt), FreshUntil: wireTimeOrNone(v.FreshUntil),
	}
	for _, x := range v.Properties {
		p := x.Property
		doc.Properties = append(doc.Properties,
			expandedProperty{string(x.PublisherDomain), p.ID, p.Name, p.Type, identifiersOf(p), p.Tags})
		for i := range p.Identifiers {
			doc.Identifiers = append(doc.Identifiers,
				expandedIdentifier{p.Identifiers[i].Type, p.Identifiers[i].Value, p.ID, string(x.PublisherDomain)})
		}
	}
	doc.IdentifierCount = len(doc.Identifiers)
	return doc, nil
}
