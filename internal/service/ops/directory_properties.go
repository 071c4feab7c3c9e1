package ops

import (
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

type resolveBulkInput struct {
	Body resolveBulkBody `body:""`
}

type resolveBulkBody struct {
	Domains []string `json:"domains" required:"true" missing:"domains array required" minItems:"1" maxItems:"100" doc:"The domains, 100 at most."`
}

type resolveBulkReply struct {
	Results   map[string]jsontext.Value `json:"results" doc:"By domain in canonical form: an object with publisher_domain, source, authorized_agents, properties, verified and discovery_method; null for one without a file in effect."`
	Standings map[string]wire.Standing  `json:"standings" doc:"How each of the domains stands."`
}

// storedProperty is what is known of a domain.
type storedProperty struct {
	PublisherDomain  string           `json:"publisher_domain"`
	Source           string           `json:"source" doc:"adagents_json."`
	AuthorizedAgents []jsontext.Value `json:"authorized_agents" doc:"The agent entries that can be used, as they are written, but without what looks secret."`
	Properties       []storedEntry    `json:"properties" doc:"The publisher's own properties."`
	Verified         bool             `json:"verified" doc:"True: it comes from the publisher's own file, or from the one it points to."`
	DiscoveryMethod  string           `json:"discovery_method"`
}

type storedEntry struct {
	ID string `json:"id,omitempty"`
	ResolvedEntry
}

// resolveBulk answers POST /api/properties/resolve/bulk.
func (o *Set) resolveBulk(ctx context.Context, in *resolveBulkInput) (*resolveBulkReply, error) {
	v, err := o.service.Directory(ctx)
	if err != nil {
		return nil, err
	}
	reply := &resolveBulkReply{Results: map[string]jsontext.Value{}, Standings: map[string]wire.Standing{}}
	for _, text := range in.Body.Domains {
		if strings.TrimSpace(text) == "" {
			return nil, fieldError("domains", "request.value", "All domains must be non-empty strings", "")
		}
		domain, err := directoryDomain(text)
		if err != nil {
			reply.Results[strings.ToLower(text)] = jsontext.Value("null")
			continue
		}
		e, _ := v.Publisher(domain)
		reply.Standings[string(domain)], reply.Results[string(domain)] = standingOf(&e.Standing), jsontext.Value("null")
		if !e.Standing.InEffect {
			continue
		}
		doc, err := o.service.Stored(ctx, domain)
		if err != nil {
			return nil, err
		}
		if doc.State == resolve.Usable {
			reply.Results[string(domain)], err = json.Marshal(storedPropertyOf(doc), EncodeOptions)
			if err != nil {
				return nil, err
			}
		}
	}
	return reply, nil
}

func storedPropertyOf(doc *resolve.Document) *storedProperty {
	out := &storedProperty{PublisherDomain: doc.Publisher, Source: fromFile, AuthorizedAgents: []jsontext.Value{},
		Properties: []storedEntry{}, Verified: true, DiscoveryMethod: doc.Method}
	for i := range doc.File.Agents {
		safe, _ := redact.JSON(adagents.FormatValue(doc.File.Agents[i].Raw))
		out.AuthorizedAgents = append(out.AuthorizedAgents, safe)
	}
	for _, p := range resolve.Owned(doc) {
		out.Properties = append(out.Properties, storedEntry{p.ID, entryOf(p)})
	}
	return out
}

type propertiesInput struct {
	Search string `query:"search" maxLength:"253" doc:"Those whose domain contains this."`
	Source string `query:"source" maxLength:"64" doc:"adagents_json; or community, enriched, hosted and discovered, of which there are none."`
	Limit  int    `query:"limit" minimum:"1" maximum:"5000" default:"100" toolMaximum:"100" toolDefault:"20" doc:"How many to list."`
	Offset int    `query:"offset" minimum:"0" maximum:"45000" default:"0" doc:"How many to leave out."`
}

type propertiesReply struct {
	Gap        `json:"-"`
	Properties []registryProperty `json:"properties"`
	Count      int                `json:"count" doc:"How many this page has."`
	Stats      propertiesStats    `json:"stats"`
}

type registryProperty struct {
	Domain        string               `json:"domain"`
	PropertyRID   string               `json:"property_rid" format:"uuid" doc:"The same for the same domain at any time."`
	Source        string               `json:"source" doc:"adagents_json."`
	PropertyCount int                  `json:"property_count"`
	AgentCount    int                  `json:"agent_count"`
	Verified      bool                 `json:"verified" doc:"True."`
	Identifiers   []propertyIdentifier `json:"identifiers" doc:"The first 20."`
	Standing      *wire.Standing       `json:"standing,omitzero" doc:"Absent when more than 2000 are asked for."`
}

type propertiesStats struct {
	Total        int `json:"total" doc:"Publishers with a file in effect."`
	Community    int `json:"community" doc:"Always 0."`
	AdagentsJSON int `json:"adagents_json" doc:"The same as total."`
	Hosted       int `json:"hosted" doc:"Always 0."`
}

// mostListed is up to which limit rows say how publishers stand: clients read two megabytes.
const mostListed = 2000

// propertySources are those that clients may name. All properties here are of the first.
var propertySources = []string{fromFile, "community", "enriched", "hosted", "discovered"}

// properties answers GET /api/properties/registry.
func (o *Set) properties(ctx context.Context, in *propertiesInput) (*propertiesReply, error) {
	if in.Source != "" && !slices.Contains(propertySources, in.Source) {
		return nil, fieldError("source", "request.value",
			"Invalid source filter. Valid values: "+strings.Join(propertySources, ", "), "")
	}
	v, err := o.service.Directory(ctx)
	if err != nil {
		return nil, err
	}
	reply := &propertiesReply{Gap: gapOf(v), Properties: []registryProperty{}}
	reply.Stats.Total = v.Stats().InEffect
	reply.Stats.AdagentsJSON = reply.Stats.Total
	if in.Source != "" && in.Source != fromFile {
		return reply, nil
	}
	text := strings.ToLower(strings.TrimSpace(in.Search))
	list := inEffect(v, text, in.Offset+in.Limit)
	for i := min(in.Offset, len(list)); i < len(list); i++ {
		reply.Properties = append(reply.Properties, registryPropertyOf(&list[i], in.Limit > mostListed))
	}
	reply.Count = len(reply.Properties)
	return reply, nil
}

// inEffect returns the first publishers with a file in effect whose domain has a text in it.
func inEffect(v *directory.View, text string, limit int) []directory.Entry {
	var out []directory.Entry
	fits := func(e *directory.Entry) bool { return e.Standing.InEffect }
	for after := ""; len(out) < limit; {
		some, next := v.All(after, limit-len(out), fits)
		if text != "" {
			some, next = v.Containing(text, after, limit-len(out), fits)
		}
		out = append(out, some...)
		if next == "" {
			break
		}
		after = next
	}
	return out
}

func registryPropertyOf(e *directory.Entry, brief bool) registryProperty {
	shown := e.Shown()
	doc := registryProperty{
		Domain: string(e.Domain), PropertyRID: projection.RowID(string(e.Domain)), Source: fromFile, Verified: true,
		AgentCount: shown.Agents, Identifiers: []propertyIdentifier{},
		Standing: standingUnless(brief, e),
	}
	doc.PropertyCount = shown.Properties
	for _, id := range shown.First {
		doc.Identifiers = append(doc.Identifiers, propertyIdentifier{id.Type, id.Value})
	}
	return doc
}
