package ops

import (
	"context"
	"net/http"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
)

func (o *Set) propertyOperations() []Operation {
	return []Operation{
		Define(Operation{
			HTTP: "GET /api/properties/validate", Name: "validate_property", Tag: "publishers", Class: edge.Validate,
			Shared: true, Output: reflect.TypeFor[*validation](), Example: "domain=publisher.example",
			Summary: "Check the file of a domain",
			Description: "The same check as POST /api/adagents/validate, without the envelope. Text that is not a domain name " +
				"is refused here.",
		}, o.validateProperty),
		Define(Operation{
			HTTP: "GET /api/public/validate-publisher", Name: "validate_publisher", Tag: "publishers", Class: edge.Validate,
			Example: "domain=publisher.example", Summary: "Count what the file of a domain declares",
			Description: "The same check in short. What buyers can use is counted, also of a file with errors; of a file that " +
				"must not be used that is nothing.",
		}, o.validatePublisher),
		Define(Operation{
			HTTP: "GET /api/properties/resolve", Name: "resolve_property", Tag: "publishers", Class: edge.Validate,
			Shared: true, Output: reflect.TypeFor[*resolvedProperty](), Example: "domain=publisher.example",
			Statuses: []int{http.StatusNotFound}, Summary: "Agents and properties of a domain",
			Description: "What the file of a domain declares, as it is written there, but without private keys and the like. " +
				"Without a usable file the answer is 404.",
		}, o.resolveProperty),
	}
}

type domainInput struct {
	Domain string `query:"domain" required:"true" missing:"domain parameter required" maxLength:"2048" doc:"The publisher, as people write it."`
}

// validateProperty answers GET /api/properties/validate.
func (o *Set) validateProperty(ctx context.Context, in *domainInput) (*preparedReply, error) {
	v, err := o.checkDomain(ctx, in.Domain)
	if err != nil {
		return nil, err
	}
	return prepareBare(ctx, v)
}

// checkDomain checks the file of a domain, and refuses what is not a domain.
func (o *Set) checkDomain(ctx context.Context, domain string) (*registry.Validation, error) {
	v, err := o.service.Validate(ctx, registry.ValidateRequest{Domain: domain, Caller: registry.CallerOf(ctx)})
	if err != nil {
		return nil, err
	}
	if v.Input != nil {
		return nil, fieldError("domain", "input.domain", "Invalid domain: "+v.Input.Message, v.Input.Hint)
	}
	return v, nil
}

type publisherCheckInput struct {
	Domain string `query:"domain" required:"true" missing:"Domain is required" maxLength:"2048" doc:"The publisher, as people write it."`
}

// publisherCheck is the answer of GET /api/public/validate-publisher.
type publisherCheck struct {
	Valid              bool           `json:"valid" doc:"A file was found, and neither it nor the way to it has an error."`
	Found              bool           `json:"found" doc:"The well-known URL answers 200, or the file of a manager is in effect for the publisher."`
	Domain             string         `json:"domain" doc:"The publisher in canonical form."`
	URL                string         `json:"url" doc:"Its well-known URL."`
	DiscoveryMethod    string         `json:"discovery_method" doc:"direct, authoritative_location or ads_txt_managerdomain."`
	ManagerDomain      string         `json:"manager_domain,omitempty" doc:"The manager whose file is in effect."`
	AgentCount         int            `json:"agent_count" doc:"Agent entries that authorize something."`
	PropertyCount      int            `json:"property_count" doc:"Properties that can be used."`
	PropertyTypeCounts map[string]int `json:"property_type_counts" doc:"The same by type."`
	TagCount           int            `json:"tag_count" doc:"Different tags on them."`
	Errors             []finding      `json:"errors" doc:"What makes it not valid."`
	Warnings           []finding      `json:"warnings" doc:"What should be looked at."`
	CheckedAt          string         `json:"checked_at" format:"date-time" doc:"When the question was asked."`
}

// validatePublisher answers GET /api/public/validate-publisher.
func (o *Set) validatePublisher(ctx context.Context, in *publisherCheckInput) (*publisherCheck, error) {
	v, err := o.checkDomain(ctx, in.Domain)
	if err != nil {
		return nil, err
	}
	shown := validationOf(v)
	doc := &publisherCheck{
		Valid: shown.Valid, Found: v.Found(), Domain: shown.Domain, URL: shown.URL, DiscoveryMethod: shown.DiscoveryMethod,
		ManagerDomain: shown.ManagerDomain, Errors: shown.Errors, Warnings: shown.Warnings, CheckedAt: shown.CheckedAt,
		PropertyTypeCounts: map[string]int{},
	}
	if v.Discovery.Answer == discover.Usable && v.Report != nil && v.Report.File != nil {
		doc.count(v.Report.File)
	}
	return doc, nil
}

func (doc *publisherCheck) count(f *adagents.File) {
	u := wire.UsableOf(f)
	doc.AgentCount, doc.PropertyCount = u.Agents, u.Properties
	tags := map[string]bool{}
	for i := range f.Properties {
		doc.PropertyTypeCounts[f.Properties[i].Type]++
		for _, tag := range f.Properties[i].Tags {
			tags[tag] = true
		}
	}
	doc.TagCount = len(tags)
}

// resolvedProperty is the answer of GET /api/properties/resolve.
type resolvedProperty struct {
	PublisherDomain  string           `json:"publisher_domain" doc:"The publisher in canonical form."`
	Source           string           `json:"source" doc:"adagents_json: the file that speaks for the publisher."`
	AuthorizedAgents []jsontext.Value `json:"authorized_agents" doc:"The agent entries that can be used, as they are written."`
	Properties       []ResolvedEntry  `json:"properties" doc:"The publisher's own properties that can be used."`
	Contact          jsontext.Value   `json:"contact,omitzero" doc:"Who manages the file, as it is written."`
	Redacted         bool             `json:"redacted,omitzero" doc:"True when authorized_agents or contact are not what is published: values that are secret, or look so, are replaced by the string [hidden]."`
	Verified         bool             `json:"verified" doc:"True: it comes from the publisher's own file, or from the one it points to."`
	DiscoveryMethod  string           `json:"discovery_method" doc:"direct, authoritative_location or ads_txt_managerdomain."`
	ResolvedURL      string           `json:"resolved_url,omitempty" doc:"Where the file came from in the end."`
	CheckedAt        string           `json:"checked_at" format:"date-time" doc:"When the question was asked."`
}

// ResolvedEntry is a property under the names that clients look for.
type ResolvedEntry struct {
	ID          string               `json:"property_id,omitempty" doc:"Its id in the file."`
	Type        string               `json:"property_type" doc:"website, mobile_app and others."`
	TypeToo     string               `json:"type" doc:"The same."`
	Name        string               `json:"name" doc:"Its name."`
	Identifiers []propertyIdentifier `json:"identifiers" doc:"How the market names it."`
	Tags        []string             `json:"tags" doc:"Its tags."`
	Publisher   string               `json:"publisher_domain,omitempty" doc:"The publisher it belongs to, when the file says so."`
}

// propertyIdentifier is a name of a property.
type propertyIdentifier struct {
	Type  string `json:"type" from:"id" doc:"domain, ios_bundle and others."`
	Value string `json:"value" from:"id"`
}

// resolveProperty answers GET /api/properties/resolve.
func (o *Set) resolveProperty(ctx context.Context, in *domainInput) (*preparedReply, error) {
	v, err := o.checkDomain(ctx, in.Domain)
	if err != nil {
		return nil, err
	}
	if !v.Found() || v.Report == nil || v.Report.File == nil {
		return nil, WithExtras(&registry.Error{
			Kind: registry.NotFound, Code: "property.none", Message: "Property not found",
			Hint: "the domain has no file that can be used; POST /api/adagents/validate says why",
		}, ErrorExtras{Domain: v.Domain})
	}
	return encodeOnce(ctx, v, "resolved", func() ([]byte, error) {
		leave, err := o.service.Encoding(ctx, v)
		if err != nil {
			return nil, err
		}
		defer leave()
		return json.Marshal(resolvedOf(v), EncodeOptions)
	})
}

// resolvedOf shows what a file declares.
func resolvedOf(v *registry.Validation) *resolvedProperty {
	f := v.Report.File
	doc := &resolvedProperty{
		PublisherDomain: v.Domain, Source: "adagents_json", Verified: true, AuthorizedAgents: []jsontext.Value{},
		Properties:      []ResolvedEntry{},
		DiscoveryMethod: v.Discovery.Method.String(), ResolvedURL: redact.URL(v.Discovery.ResolvedURL),
		CheckedAt: wire.API.Time(v.CheckedAt),
	}
	source := redact.Of(f.Raw.Tree().Source(), v.Report)
	for i := range f.Agents {
		doc.AuthorizedAgents = append(doc.AuthorizedAgents, doc.written(source, f.Agents[i].Raw))
	}
	for i := range f.Properties {
		if ownedBy(&f.Properties[i], v.Domain) {
			doc.Properties = append(doc.Properties, entryOf(&f.Properties[i]))
		}
	}
	if f.Contact != nil {
		doc.Contact = doc.written(source, f.Contact.Raw)
	}
	return doc
}

// written returns a value as it is written, but for secrets.
func (doc *resolvedProperty) written(source *redact.Source, v adagents.Value) jsontext.Value {
	safe, hidden := source.Value(v.Offset())
	if !hidden {
		return adagents.FormatValue(v)
	}
	doc.Redacted = true
	return safe
}

// ownedBy reports whether a property of the file that speaks for a publisher is the
// publisher's own. A network's file has those of many.
func ownedBy(p *adagents.Property, domain string) bool {
	if p.PublisherDomain == "" || p.PublisherDomain == domain {
		return true
	}
	owner, _, err := hostname.Canonical(p.PublisherDomain)
	return err == nil && owner == domain
}

func entryOf(p *adagents.Property) ResolvedEntry {
	return ResolvedEntry{
		ID: p.ID, Type: p.Type, TypeToo: p.Type, Name: p.Name, Identifiers: identifiersOf(p), Tags: p.Tags,
		Publisher: p.PublisherDomain,
	}
}

func identifiersOf(p *adagents.Property) []propertyIdentifier {
	list := make([]propertyIdentifier, 0, len(p.Identifiers))
	for i := range p.Identifiers {
		list = append(list, propertyIdentifier{p.Identifiers[i].Type, p.Identifiers[i].Value})
	}
	return list
}
