package ops

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/formats"
	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

func (o *Set) lookupOperations() []Operation {
	return []Operation{
		Define(Operation{
			HTTP: "GET /api/registry/publisher", Name: "publisher", Tag: "publishers", Class: edge.Lookup,
			Example: "domain=publisher.example", Summary: "What is known about a publisher",
			Description: "How the publisher's file is served, its properties, the agents it authorizes with how much each of " +
				"them may sell, its formats and, on request, its placements. " +
				"A publisher that was never looked at is looked at now; one whose last check is out of date is answered from " +
				"that and checked again in the background.",
		}, o.publisher),
	}
}

type publisherInput struct {
	Domain  string `query:"domain" required:"true" missing:"Missing required query param: domain" maxLength:"2048" doc:"The publisher, as people write it."`
	Include string `query:"include" doc:"placements adds the placements to the answer, with their formats."`
}

// publisherReply is the answer of GET /api/registry/publisher. Member and brand are of
// registries that have members; here they are always null.
type publisherReply struct {
	Domain             string            `json:"domain" doc:"The publisher in canonical form."`
	Member             jsontext.Value    `json:"member" doc:"Always null: this service has no members."`
	Headline           headline.Headline `json:"headline" doc:"The first thing to say about the publisher; the pages and avow validate say the same."`
	AdagentsValid      *bool             `json:"adagents_valid" doc:"Whether its file is valid; null when there is none or it could not be reached."`
	DiscoveryMethod    string            `json:"discovery_method,omitempty" doc:"direct, authoritative_location or ads_txt_managerdomain."`
	ManagerDomain      string            `json:"manager_domain,omitempty" doc:"The manager whose file is in effect."`
	Hosting            hosting           `json:"hosting"`
	Files              publisherFiles    `json:"files"`
	Properties         []publisherEntry  `json:"properties" doc:"The publisher's own properties that can be used."`
	Formats            []publisherFormat `json:"formats" doc:"The formats of the file."`
	Placements         *[]placement      `json:"placements,omitzero" doc:"The placements of the file; with include=placements."`
	AuthorizedAgents   []publisherAgent  `json:"authorized_agents" doc:"The agents of the file, each once."`
	RollupTruncated    *rollup           `json:"rollup_truncated,omitzero" doc:"There are more agents than are counted."`
	AutoCrawlTriggered bool              `json:"auto_crawl_triggered,omitzero" doc:"A new check is under way; ask again in a few seconds."`
	Evidence           []answer.Evidence `json:"evidence" doc:"The document all this rests on."`
	FreshUntil         string            `json:"fresh_until,omitempty" format:"date-time" doc:"How long it is fresh."`
}

// hosting is how the file is served.
type hosting struct {
	Mode                string  `json:"mode" doc:"self, self_invalid, self_redirected or none."`
	ExpectedURL         string  `json:"expected_url" doc:"The publisher's well-known URL."`
	ResolvedURL         *string `json:"resolved_url" doc:"Where the file came from in the end."`
	LastValidated       *string `json:"last_validated" format:"date-time" doc:"When it was checked."`
	LastHTTPStatus      *int    `json:"last_http_status" doc:"HTTP status at the well-known URL."`
	LastBytes           *int64  `json:"last_bytes" doc:"Size of the answer there."`
	OriginVerifiedAt    *string `json:"origin_verified_at" doc:"Always null: this service hosts no files of publishers."`
	OriginLastCheckedAt *string `json:"origin_last_checked_at" doc:"Always null."`
}

type publisherFiles struct {
	AdagentsJSON fileState      `json:"adagents_json"`
	BrandJSON    brandFileState `json:"brand_json"`
}

type fileState struct {
	Status      string `json:"status" doc:"valid, invalid, checking or unknown."`
	ExpectedURL string `json:"expected_url"`
}

type brandFileState struct {
	Status string `json:"status" doc:"Always unknown here; GET /api/brands/enrich knows."`
}

// publisherEntry is a property in this answer.
type publisherEntry struct {
	ID             string               `json:"id,omitempty" doc:"Its id in the file."`
	Type           string               `json:"type" doc:"website, mobile_app and others."`
	Name           string               `json:"name"`
	Identifiers    []propertyIdentifier `json:"identifiers" doc:"How the market names it."`
	Tags           []string             `json:"tags"`
	Source         string               `json:"source" doc:"adagents_json."`
	DelegationType string               `json:"delegation_type,omitempty" doc:"Delegation type of the first entry that covers it."`
}

// publisherAgent is an agent in this answer.
type publisherAgent struct {
	URL                   string   `json:"url" doc:"The agent in canonical form."`
	AgentURL              string   `json:"agent_url" doc:"The same."`
	AuthorizedFor         string   `json:"authorized_for,omitempty" from:"publisher" doc:"What it may sell, in the publisher's words."`
	Source                string   `json:"source" doc:"adagents_json."`
	PropertiesAuthorized  *int     `json:"properties_authorized,omitzero" doc:"How many of the publisher's own properties it may sell now."`
	PropertiesConditional *int     `json:"properties_conditional,omitzero" doc:"How many more it may sell if a question names what limited lists."`
	PropertiesTotal       *int     `json:"properties_total,omitzero" doc:"How many there are."`
	Limited               []string `json:"limited,omitempty" doc:"What these depend on: country, placement, collection, time."`
	PublisherWide         *bool    `json:"publisher_wide,omitzero" doc:"An entry is for whatever properties the publisher has."`
	Verdict               string   `json:"verdict,omitempty" enum:"authorized,conditional,not_authorized,none_asserted,unverified,unusable" doc:"What the file says about the agent as a whole."`
}

type rollup struct {
	Cap         int `json:"cap" doc:"How many agents are counted."`
	TotalAgents int `json:"total_agents" doc:"How many there are."`
}

// publisherFormat is a format in this answer.
type publisherFormat struct {
	FormatOptionID        string         `json:"format_option_id,omitempty"`
	DisplayName           string         `json:"display_name"`
	FormatKind            string         `json:"format_kind"`
	SampleRenderURL       string         `json:"sample_render_url,omitempty" doc:"Text supplied by the publisher; not verified."`
	Params                jsontext.Value `json:"params,omitzero" doc:"The limits of the format, as they are written."`
	Redacted              bool           `json:"redacted,omitzero" doc:"True when params are not what is published: values that look secret are replaced by the string [hidden]."`
	AppliesToPropertyIDs  []string       `json:"applies_to_property_ids,omitempty"`
	AppliesToPropertyTags []string       `json:"applies_to_property_tags,omitempty"`
	SellerPreference      string         `json:"seller_preference,omitempty"`
	Experimental          bool           `json:"experimental,omitzero"`
}

// placement is a placement in this answer.
type placement struct {
	PlacementID  string   `json:"placement_id"`
	Name         string   `json:"name"`
	Description  string   `json:"description,omitempty"`
	PropertyIDs  []string `json:"property_ids,omitempty"`
	PropertyTags []string `json:"property_tags,omitempty"`
	Collections  []string `json:"collection_ids,omitempty"`
	Tags         []string `json:"tags,omitempty"`
	Channels     []string `json:"channels,omitempty"`
	// FormatOptions is empty both for a placement that takes whatever a product has, and for
	// one of whose formats none can be used.
	FormatOptions []placementFormat      `json:"format_options" doc:"The formats it accepts: those it lists or, when it lists none, those that the file declares for its properties."`
	Limited       bool                   `json:"limited" doc:"The file says which formats the placement accepts: others are not accepted, even when format_options is empty. Otherwise it leaves that to the product."`
	Reasons       []formats.ReasonReport `json:"reasons,omitempty" doc:"Why formats are left out."`
}

// placementFormat is a format of a placement.
type placementFormat struct {
	FormatOptionID string             `json:"format_option_id,omitempty" doc:"Its id in the file."`
	Reference      *formats.RefReport `json:"format_option_ref,omitempty" doc:"How a buyer names the format; absent for one without a name, which is chosen by format_kind and params."`
	FormatKind     string             `json:"format_kind"`
	DisplayName    string             `json:"display_name,omitempty"`
	Params         jsontext.Value     `json:"params" doc:"The limits that a creative must keep to."`
	Redacted       bool               `json:"redacted,omitzero" doc:"True when params are not what is published: values that look secret are replaced by the string [hidden]."`
	Channels       []string           `json:"channels,omitempty"`
	Locales        []string           `json:"locales,omitempty"`
	Pointer        string             `json:"pointer" doc:"The location in the publisher's file."`
}

const (
	fromFile          = "adagents_json"
	includePlacements = "placements"
)

// publisher answers GET /api/registry/publisher.
func (o *Set) publisher(ctx context.Context, in *publisherInput) (*publisherReply, error) {
	if in.Include != "" && in.Include != includePlacements {
		return nil, fieldError("include", "request.value", "Invalid include value; expected placements", "")
	}
	view, err := o.service.Publisher(ctx, in.Domain)
	if err != nil {
		return nil, err
	}
	doc := publisherReplyOf(view)
	if in.Include == includePlacements {
		catalog, err := view.Catalog()
		if err != nil {
			return nil, err
		}
		list := placementsOf(view.Placements, catalog)
		doc.Placements = &list
	}
	return doc, nil
}

func publisherReplyOf(view *registry.PublisherView) *publisherReply {
	doc := &publisherReply{
		Domain: string(view.Domain), Headline: view.Headline, Properties: []publisherEntry{},
		Formats: formatsOf(view.Formats), AuthorizedAgents: []publisherAgent{},
		AutoCrawlTriggered: view.Checking, Evidence: []answer.Evidence{},
		Hosting: hosting{Mode: string(view.Mode), ExpectedURL: wellKnownOf(string(view.Domain))},
		Files:   publisherFiles{BrandJSON: brandFileState{Status: "unknown"}},
	}
	doc.addCheck(view)
	if d := view.Document; d != nil {
		doc.Evidence = answer.EvidenceOf([]resolve.Evidence{{
			Publisher: d.Publisher, URL: d.URL, SHA256: d.SHA256, Method: d.Method, FetchedAt: d.FetchedAt, State: d.State,
		}})
	}
	for i := range view.Properties {
		doc.Properties = append(doc.Properties, publisherEntryOf(&view.Properties[i]))
	}
	for i := range view.Agents {
		doc.AuthorizedAgents = append(doc.AuthorizedAgents, publisherAgentOf(&view.Agents[i]))
	}
	if len(view.Agents) > registry.MaxRollups {
		doc.RollupTruncated = &rollup{registry.MaxRollups, len(view.Agents)}
	}
	return doc
}

// addCheck shows the check that the view rests on.
func (doc *publisherReply) addCheck(view *registry.PublisherView) {
	c := &view.Check
	doc.Files.AdagentsJSON = fileState{Status: fileStatus(view), ExpectedURL: doc.Hosting.ExpectedURL}
	if view.Mode != registry.NotHosted {
		doc.AdagentsValid, doc.DiscoveryMethod, doc.ManagerDomain = &c.Valid, c.Method, c.ManagerDomain
	}
	if c.ResolvedURL != "" {
		url := redact.URL(c.ResolvedURL)
		doc.Hosting.ResolvedURL = &url
	}
	if c.Status != 0 {
		doc.Hosting.LastHTTPStatus, doc.Hosting.LastBytes = &c.Status, &c.Bytes
	}
	checked := wire.API.Time(c.CheckedAt)
	doc.Hosting.LastValidated = &checked
	doc.FreshUntil = wireTimeOrNone(c.FreshUntil)
}

// fileStatus says in one word what is known about the file.
func fileStatus(view *registry.PublisherView) string {
	switch {
	case view.Mode == registry.NotHosted && view.Checking:
		return "checking"
	case view.Mode == registry.NotHosted:
		return "unknown"
	case view.Check.Valid:
		return "valid"
	}
	return "invalid"
}

func publisherEntryOf(p *registry.PropertyView) publisherEntry {
	return publisherEntry{
		ID: p.Property.ID, Type: p.Property.Type, Name: p.Property.Name, Identifiers: identifiersOf(p.Property),
		Tags:   p.Property.Tags,
		Source: fromFile, DelegationType: p.DelegationType,
	}
}

func publisherAgentOf(v *registry.AgentView) publisherAgent {
	doc := publisherAgent{URL: redact.URL(v.URL), AgentURL: redact.URL(v.URL),
		AuthorizedFor: redact.Credentials(v.AuthorizedFor), Source: fromFile}
	if v.Counted {
		doc.PropertiesAuthorized, doc.PropertiesConditional, doc.PropertiesTotal, doc.PublisherWide = &v.Authorized,
			&v.Conditional, &v.Total, &v.PublisherWide
		doc.Limited = v.Limited.Strings()
		doc.Verdict = v.Verdict.String()
	}
	return doc
}

func formatsOf(list []adagents.FormatDeclaration) []publisherFormat {
	docs := make([]publisherFormat, 0, len(list))
	for i := range list {
		f := &list[i]
		doc := publisherFormat{
			FormatOptionID: f.OptionID, DisplayName: f.DisplayName, FormatKind: f.Kind,
			SampleRenderURL:      redact.URL(f.SampleRenderURL),
			AppliesToPropertyIDs: f.AppliesToPropertyIDs, AppliesToPropertyTags: f.AppliesToPropertyTags,
			SellerPreference: f.SellerPreference, Experimental: f.Experimental,
		}
		if f.Params.Exists() {
			doc.Params, doc.Redacted = redact.JSON(adagents.FormatValue(f.Params))
		}
		docs = append(docs, doc)
	}
	return docs
}

// placementsOf describes placements with their formats, which are in the same order.
func placementsOf(list []adagents.Placement, catalog []formats.PlacementReport) []placement {
	docs := make([]placement, 0, len(list))
	for i := range list {
		p, c := &list[i], &catalog[i]
		doc := placement{
			PlacementID: p.ID, Name: p.Name, Description: p.Description, PropertyIDs: p.PropertyIDs,
			PropertyTags: p.PropertyTags,
			Collections:  p.CollectionIDs, Tags: p.Tags, Channels: p.Channels,
			FormatOptions: make([]placementFormat, 0, len(c.Catalog)), Limited: c.Limited, Reasons: c.Reasons,
		}
		for _, f := range c.Catalog {
			one := placementFormat{
				Reference: f.Reference, FormatKind: f.Kind, DisplayName: f.DisplayName, Params: f.Params, Redacted: f.Redacted,
				Channels: f.Channels, Locales: f.Locales, Pointer: f.Pointer,
			}
			if f.Reference != nil {
				one.FormatOptionID = f.Reference.FormatOptionID
			}
			doc.FormatOptions = append(doc.FormatOptions, one)
		}
		docs = append(docs, doc)
	}
	return docs
}
