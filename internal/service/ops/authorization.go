package ops

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

func (o *Set) authorizationOperations() []Operation {
	const selectors = `{"agent_url": "https://agent.example/mcp", "publisher_properties": [{"publisher_domain": "publisher.example", "selection_type": "all"}]}`
	return []Operation{
		Define(Operation{
			HTTP: "GET /api/authorize", Name: "authorize", Tag: "authorization", Class: edge.Read, Closed: true, Again: true,
			Command: "avow authorize", Package: "authorize",
			Example: "publisher=publisher.example&agent=https://agent.example/mcp&property=site&country=DE",
			Summary: "Whether an agent may sell something of a publisher",
			Description: "Answers the question of avow authorize: a property, an identifier, placements, collections or a " +
				"signal, in a country and at a time. What is not asked about is left open. " +
				"Every verdict is an answer with the status 200. Parameters that are not known are refused, since leaving one " +
				"out would widen the question.",
		}, o.authorize),
		Define(Operation{
			HTTP: "GET /api/registry/publisher/authorization", Name: "publisher_authorization", Tag: "authorization",
			Class:   edge.Lookup,
			Example: "domain=publisher.example&agent=https://agent.example/mcp", Statuses: []int{http.StatusNotFound},
			Summary: "What one agent may sell of one publisher",
			Description: "Counts the publisher's own properties that the agent may sell. When the file has no entry of the " +
				"agent the answer is 404.",
		}, o.authorization),
		Define(Operation{
			HTTP: "GET /api/registry/validate/property-authorization", Name: "property_authorization", Tag: "authorization",
			Class:   edge.Lookup,
			Example: "agent_url=https://agent.example/mcp&identifier_type=domain&identifier_value=publisher.example",
			Summary: "Whether an agent may sell a property",
			Description: "The property is named as the market does. authorized is true for the verdict authorized alone; " +
				"verdict and reasons say what else there is, and that no file is not a no.",
		}, o.propertyAuthorization),
		Define(Operation{
			HTTP: "POST /api/registry/validate/product-authorization", Name: "product_authorization", Tag: "authorization",
			Class:   edge.Lookup,
			Example: selectors, Summary: "Whether an agent may sell what a product selects",
			Description: "Each publisher of each selector is looked at on its own, a hundred at most. authorized is true when " +
				"something is selected and the agent may sell all of it.",
		}, o.productAuthorization),
		Define(Operation{
			HTTP: "POST /api/registry/expand/product-identifiers", Name: "expand_product", Tag: "authorization",
			Class:   edge.Lookup,
			Example: selectors, Summary: "The properties that a product's selectors come to",
			Description: "Lists the selected properties that the agent may sell without condition, with all their identifiers.",
		}, o.expand),
	}
}

type authorizationInput struct {
	Domain string `query:"domain" required:"true" missing:"Missing required query params: domain, agent" maxLength:"2048" doc:"The publisher, as people write it."`
	Agent  string `query:"agent,agent_url" required:"true" missing:"Missing required query params: domain, agent" maxLength:"2048" doc:"The URL of the agent. Also accepted as agent_url."`
	Narrowing
}

// authorizationReply is the answer of GET /api/registry/publisher/authorization.
type authorizationReply struct {
	PublisherDomain string            `json:"publisher_domain" doc:"The publisher in canonical form."`
	AgentURL        string            `json:"agent_url" doc:"The agent in canonical form."`
	URL             string            `json:"url" doc:"The same."`
	Authorized      int               `json:"authorized" doc:"How many of the publisher's own properties the agent may sell now."`
	Conditional     int               `json:"conditional" doc:"How many it may sell under a condition; see grants."`
	Total           int               `json:"total" doc:"How many there are."`
	PublisherWide   bool              `json:"publisher_wide" doc:"An entry is for whatever properties the publisher has."`
	Source          string            `json:"source" doc:"adagents_json."`
	AuthorizedFor   string            `json:"authorized_for,omitempty" doc:"What the agent may sell, in the publisher's words."`
	Unauthorized    []propertyMention `json:"unauthorized_properties" doc:"The properties that it may not sell without condition."`
	Verdict         string            `json:"verdict" enum:"authorized,conditional,not_authorized,none_asserted,unverified,unusable" doc:"Only not_authorized is a no."`
	Reasons         []answer.Reason   `json:"reasons" doc:"The steps that led to the verdict."`
	Grants          []answer.Grant    `json:"grants" doc:"The entries that cover something."`
	Changes         []string          `json:"changes" doc:"What would change the verdict, for people."`
	Evidence        []answer.Evidence `json:"evidence" doc:"The documents it rests on."`
	Freshness
}

// propertyMention names a property.
type propertyMention struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
	Type string `json:"type,omitempty"`
}

// authorization answers GET /api/registry/publisher/authorization.
func (o *Set) authorization(ctx context.Context, in *authorizationInput) (*authorizationReply, error) {
	n, err := in.narrowing()
	if err != nil {
		return nil, err
	}
	v, err := o.service.Authorization(ctx, in.Domain, in.Agent, n)
	if err != nil {
		return nil, about(err, in.Domain, in.Agent)
	}
	doc := &authorizationReply{
		PublisherDomain: v.Domain, AgentURL: redact.URL(v.URL), URL: redact.URL(v.URL), Authorized: v.Authorized,
		Conditional: v.Conditional, Total: v.Total,
		PublisherWide: v.PublisherWide, Source: fromFile, AuthorizedFor: redact.Credentials(v.AuthorizedFor),
		Unauthorized: []propertyMention{},
		Verdict:      v.Verdict.String(), Reasons: answer.ReasonsOf(v.Reasons), Grants: answer.GrantsOf(v.Grants, mostShown),
		Changes:  wire.Texts(v.Changes),
		Evidence: answer.EvidenceOf(v.Evidence), Freshness: freshnessOf(v.CheckedAt, v.FreshUntil),
	}
	for _, p := range v.Unauthorized {
		doc.Unauthorized = append(doc.Unauthorized, propertyMention{p.ID, p.Name, p.Type})
	}
	return doc, nil
}

// about adds to the error that something is not there what was asked about.
func about(err error, domain, agent string) error {
	var shown *registry.Error
	if errors.As(err, &shown) && shown.Kind == registry.NotFound {
		return WithExtras(err, ErrorExtras{Domain: domain, AgentURL: redact.URL(agent)})
	}
	return err
}

type propertyInput struct {
	Agent     string `query:"agent_url,agent" required:"true" missing:"Missing required query params: agent_url, identifier_type, identifier_value" maxLength:"2048" doc:"The URL of the agent. Also accepted as agent."`
	Type      string `query:"identifier_type" required:"true" missing:"Missing required query params: agent_url, identifier_type, identifier_value" maxLength:"64" doc:"domain, subdomain, ios_bundle and others."`
	Value     string `query:"identifier_value" required:"true" missing:"Missing required query params: agent_url, identifier_type, identifier_value" maxLength:"2048" doc:"The identifier itself."`
	Publisher string `query:"publisher_domain" maxLength:"2048" doc:"Ask the file of this publisher only."`
	Narrowing
}

// propertyReply is the answer of GET /api/registry/validate/property-authorization.
type propertyReply struct {
	AgentURL        string            `json:"agent_url" doc:"The agent in canonical form."`
	URL             string            `json:"url" doc:"The same."`
	IdentifierType  string            `json:"identifier_type"`
	IdentifierValue string            `json:"identifier_value"`
	Authorized      bool              `json:"authorized" doc:"True for the verdict authorized alone."`
	Contested       bool              `json:"contested,omitzero" doc:"Publishers of several sites list it as their own; see contest."`
	Contest         []contestant      `json:"contest,omitempty" doc:"Who lists it as its own, the earliest first. An authorization by one of them is conditional unless it was there first; name the publisher to ask about it alone."`
	PropertyID      string            `json:"property_id,omitempty" doc:"The property, in the file that decided."`
	PublisherDomain string            `json:"publisher_domain,omitempty" doc:"The publisher whose file decided."`
	Verdict         string            `json:"verdict" enum:"authorized,conditional,not_authorized,none_asserted,unverified,unusable" doc:"Only not_authorized is a no."`
	Reasons         []answer.Reason   `json:"reasons" doc:"The steps that led to the verdict."`
	Grants          []answer.Grant    `json:"grants" doc:"The entries that cover it, or would under a condition."`
	Needs           []string          `json:"needs" doc:"What the question lacks when the verdict is conditional."`
	Changes         []string          `json:"changes" doc:"What would change the verdict, for people."`
	Evidence        []answer.Evidence `json:"evidence" doc:"The documents it rests on."`
	Others          []otherPublisher  `json:"others" doc:"Other files that mention the property. They did not decide."`
	Freshness
}

// contestant is one of several publishers that list a property.
type contestant struct {
	PublisherDomain string `json:"publisher_domain"`
	Since           string `json:"since" format:"date-time" doc:"When its file was first seen to list the property."`
	First           bool   `json:"first,omitzero" doc:"It was there first, a day before all others at least, and the identifier does not have the domain of a later one in its name. What it authorizes holds."`
	Verdict         string `json:"verdict" enum:"authorized,conditional,not_authorized,none_asserted,unverified,unusable" doc:"What its file says about the agent."`
}

// otherPublisher is what another file says.
type otherPublisher struct {
	PublisherDomain string `json:"publisher_domain"`
	Verdict         string `json:"verdict" enum:"authorized,conditional,not_authorized,none_asserted,unverified,unusable"`
	Claim           bool   `json:"claim" doc:"The file speaks about another owner's domain."`
}

// propertyAuthorization answers GET /api/registry/validate/property-authorization.
func (o *Set) propertyAuthorization(ctx context.Context, in *propertyInput) (*propertyReply, error) {
	n, err := in.narrowing()
	if err != nil {
		return nil, err
	}
	v, err := o.service.PropertyAuthorization(ctx, in.Agent, registry.Identifier{Type: in.Type, Value: in.Value},
		registry.PropertyOptions{Publisher: in.Publisher, Narrowing: n})
	if err != nil {
		return nil, about(err, in.Publisher, in.Agent)
	}
	doc := &propertyReply{
		AgentURL: redact.URL(v.Agent), URL: redact.URL(v.Agent), IdentifierType: in.Type, IdentifierValue: in.Value,
		Authorized: v.Authorized, Contested: len(v.Contest) > 0,
		PropertyID: v.PropertyID, PublisherDomain: v.Publisher, Verdict: v.Verdict.String(),
		Freshness: freshnessOf(v.CheckedAt, v.FreshUntil),
	}
	if v.Answer != nil {
		doc.Reasons, doc.Grants, doc.Needs = answer.ReasonsOf(v.Answer.Reasons), answer.GrantsOf(v.Answer.Grants, mostShown),
			v.Answer.Needs
		doc.Changes, doc.Evidence = wire.Texts(v.Answer.Changes), answer.EvidenceOf(v.Answer.Evidence)
	}
	for _, c := range v.Contest {
		doc.Contest = append(doc.Contest,
			contestant{string(c.Publisher), wire.API.Time(c.Since), c.First, c.Verdict.String()})
	}
	if v.Answer != nil && v.Verdict != v.Answer.Verdict {
		doc.Needs = append(slices.Clone(doc.Needs), "publisher")
		doc.Changes = append(doc.Changes,
			"several publishers list it; find out whose it is, and ask with publisher_domain about that one alone")
	}
	for _, other := range v.Others {
		doc.Others = append(doc.Others, otherPublisher{string(other.Publisher), other.Answer.Verdict.String(), other.Claim})
	}
	return doc, nil
}
