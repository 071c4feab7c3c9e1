package ops

import (
	"context"
	"net/http"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// mostLooked is of how many publishers a property lookup reads the file.
const mostLooked = 100

func (o *Set) directoryLookups(read func(path, id, query, summary, description string) Operation) []Operation {
	bulk := Operation{
		HTTP: "POST /api/properties/resolve/bulk", Name: "resolve_properties", Tag: "directory", Class: edge.Read,
		Example: `{"domains": ["publisher.example", "nobody.example"]}`, Summary: "Agents and properties of several domains",
		Description: "What GET /api/properties/resolve says, for up to 100 domains, from what is known. A domain without a " +
			"file in effect is null, and standings says why.",
	}
	refs := read("/api/manifest-refs/lookup", "manifest_ref", "domain=publisher.example&type=adagents.json",
		"Where the file of a domain is",
		"Names the place that speaks for a publisher. References to a brand.json are not known here.")
	domains := read("/api/registry/lookup/agent/{agent_url}/domains", "agent_domains", "",
		"The domains of an agent's publishers",
		"The publishers of GET /v1/agents/{agent_url}/publishers, as names alone. An agent that no file names has none.")
	domains.Tool = Tool{
		"get_agent_domains", "All publishers of one agent, names only",
		"Lists the domains of the publishers whose file lets an agent sell something now, and nothing else about them: for " +
			"long lists and comparisons. Use get_agent_publishers for how much it may sell of each.",
	}
	properties := read("/api/properties/registry", "properties", "limit=2", "All publishers with properties",
		"Lists publishers with a file in effect, with how many properties and agents they have.")
	properties.Tool = Tool{"list_properties", "All publishers, with the size of their inventory",
		"Lists the publishers with a file in effect, with how many properties and agents each has. Use list_publishers for " +
			"the URLs of the agents. It does not list single properties: use resolve_property for the types of one publisher, " +
			"and find_agents_for_property for one property."}
	return []Operation{
		Define(read("/api/registry/lookup/domain/{domain}", "lookup_domain", "", "The agents of a publisher",
			"Lists the agents that the file in effect lets sell something, with how the publisher stands."), o.lookupDomain),
		Define(read("/api/registry/lookup/property", "lookup_property", "type=domain&value=publisher.example",
			"Who lists a property, and who may sell it",
			"Finds the publishers that list an identifier as their own, and the agents that may sell the property. Where "+
				"publishers of several sites do, it is contested."), o.lookupIdentifier),
		Define(domains, o.agentDomains),
		Define(read("/api/registry/operator", "operator", "domain=agent.example", "The agents of an operator",
			"Lists the agents on a domain and below it that a current file allows to sell something, with the publishers. "+
				"Only the agents' URLs link them to the domain."), o.operator),
		Define(bulk, o.resolveBulk),
		Define(properties, o.properties),
		Define(read("/api/search", "search", "q=publisher", "Search everything",
			"Finds publishers whose name begins with a text or has it in it, publishers that list an identifier which is the "+
				"text, and agents whose URL contains it. Of many publishers only the first 50,000 are searched for names that "+
				"have the text in the middle."), o.search),
		Define(refs, o.manifestRef),
	}
}

type lookupDomainInput struct {
	Domain string `path:"domain" doc:"The publisher."`
}

type lookupDomainReply struct {
	Domain              string        `json:"domain" doc:"As asked."`
	AuthorizedAgents    []domainAgent `json:"authorized_agents"`
	SalesAgentsClaiming []domainAgent `json:"sales_agents_claiming" doc:"Always empty: what agents say about themselves is not kept."`
	Standing            wire.Standing `json:"standing"`
	successor           string
}

type domainAgent struct {
	URL           string `json:"url"`
	AuthorizedFor string `json:"authorized_for,omitempty" doc:"In the publisher's words."`
	wire.Sold
}

// HTTPHeader names the route that replaces this one.
func (r *lookupDomainReply) HTTPHeader(h http.Header) {
	h.Set("Deprecation", "true")
	h.Set("Link", `</api/registry/publisher?domain=`+r.successor+`>; rel="successor-version"`)
}

// lookupDomain answers GET /api/registry/lookup/domain/{domain}.
func (o *Set) lookupDomain(ctx context.Context, in *lookupDomainInput) (*lookupDomainReply, error) {
	e, _, err := o.directoryEntry(ctx, in.Domain)
	if err != nil {
		return nil, err
	}
	domain := e.Domain
	reply := &lookupDomainReply{Domain: in.Domain, AuthorizedAgents: []domainAgent{}, SalesAgentsClaiming: []domainAgent{},
		Standing: standingOf(&e.Standing), successor: string(domain)}
	if !e.Standing.InEffect {
		return reply, nil
	}
	doc, err := o.service.Stored(ctx, domain)
	if err != nil || doc.State != resolve.Usable {
		return reply, err
	}
	words, subject := wordsOf(doc), resolve.NewSubject(doc)
	rows := subject.Rows(string(domain), o.now())
	for i := range rows {
		agent := rows[i].Agent
		reply.AuthorizedAgents = append(reply.AuthorizedAgents,
			domainAgent{redact.URL(agent), redact.Credentials(words[agent]), wire.SoldOf(&rows[i])})
	}
	return reply, nil
}

// wordsOf returns what a file says in words that agents may sell.
func wordsOf(doc *resolve.Document) map[string]string {
	out := map[string]string{}
	if doc.State != resolve.Usable {
		return out
	}
	var hosts hostname.Memo
	for i := range doc.File.Agents {
		agent := &doc.File.Agents[i]
		url, _, err := hosts.CanonicalURL(agent.URL)
		if err == nil && out[url] == "" && !agent.Inert() {
			out[url] = agent.AuthorizedFor
		}
	}
	return out
}

// directoryDomain reads the domain of a publisher.
func directoryDomain(text string) (hostname.Domain, error) {
	domain, err := custodian.ParseDomain(text)
	if err != nil {
		return "", fieldError("domain", "input.domain", "Invalid domain", "write it like example.com")
	}
	return domain, nil
}

// directoryEntry returns what the directory has about a publisher, and whether it knows it.
func (o *Set) directoryEntry(ctx context.Context, written string) (directory.Entry, bool, error) {
	domain, err := directoryDomain(written)
	if err != nil {
		return directory.Entry{}, false, err
	}
	v, err := o.service.Directory(ctx)
	if err != nil {
		return directory.Entry{}, false, err
	}
	e, known := v.Publisher(domain)
	return e, known, nil
}

type lookupIdentifierInput struct {
	Type  string `query:"type" tool:"property_type" required:"true" missing:"Missing required query params: type and value" maxLength:"64" doc:"The type of the identifier, such as domain or ios_bundle."`
	Value string `query:"value" tool:"property_value" required:"true" missing:"Missing required query params: type and value" maxLength:"2048" doc:"Its value."`
}

type lookupIdentifierReply struct {
	Gap        `json:"-"`
	Type       string                   `json:"type" doc:"As asked."`
	Value      string                   `json:"value" doc:"As asked."`
	Agents     []identifierAgent        `json:"agents" doc:"A pair of an agent and a publisher each, by publisher and agent."`
	Count      int                      `json:"count" doc:"How many pairs there are."`
	Publishers []wire.PublisherStanding `json:"publishers" doc:"Who lists it as its own, whether or not an agent may sell it."`
	Contested  bool                     `json:"contested" doc:"Publishers of several sites list it as their own."`
}

type identifierAgent struct {
	AgentURL        string             `json:"agent_url"`
	PublisherDomain string             `json:"publisher_domain"`
	Property        identifierProperty `json:"property"`
	Limited         []string           `json:"limited" doc:"What a question must name for a yes: country, placement, collection; empty for nothing."`
	Standing        wire.Standing      `json:"standing" doc:"How the publisher stands."`
}

type identifierProperty struct {
	AgentURL        string               `json:"agent_url"`
	PublisherDomain string               `json:"publisher_domain"`
	ID              string               `json:"id,omitempty" doc:"Its id in the file."`
	PropertyID      string               `json:"property_id,omitempty" doc:"The same."`
	PropertyType    string               `json:"property_type"`
	Name            string               `json:"name"`
	Identifiers     []propertyIdentifier `json:"identifiers"`
	Tags            []string             `json:"tags"`
}

// lookupIdentifier answers GET /api/registry/lookup/property.
func (o *Set) lookupIdentifier(ctx context.Context, in *lookupIdentifierInput) (*lookupIdentifierReply, error) {
	v, err := o.service.Directory(ctx)
	if err != nil {
		return nil, err
	}
	list, err := o.service.PropertiesOf(ctx, v, registry.Identifier{Type: in.Type, Value: in.Value}, mostLooked)
	if err != nil {
		return nil, err
	}
	reply := &lookupIdentifierReply{Gap: gapOf(v), Type: in.Type, Value: in.Value, Agents: []identifierAgent{},
		Publishers: []wire.PublisherStanding{}}
	sites := map[string]bool{}
	for i := range list {
		one := &list[i]
		sites[directory.Site(one.Domain)] = true
		reply.Publishers = append(reply.Publishers, publisherStanding(&one.Entry))
		for _, seller := range one.Agents {
			url := redact.URL(seller.Agent)
			reply.Agents = append(reply.Agents,
				identifierAgent{url, string(one.Domain), identifierPropertyOf(one.Property, url, string(one.Domain)),
					wire.NotNil(seller.Limited.Strings()), standingOf(&one.Standing)})
		}
	}
	reply.Count, reply.Contested = len(reply.Agents), len(sites) > 1
	return reply, nil
}

func identifierPropertyOf(p *adagents.Property, agent, publisher string) identifierProperty {
	return identifierProperty{agent, publisher, p.ID, p.ID, p.Type, p.Name, identifiersOf(p), wire.NotNil(p.Tags)}
}

type agentDomainsInput struct {
	AgentURL string `path:"agent_url" doc:"The URL of the agent, percent-encoded as a whole."`
	Cursor   string `query:"cursor" maxLength:"512" doc:"next_cursor of the page before."`
	Include  string `query:"include" enum:"standing" doc:"standing adds how each publisher stands; a page has 500 domains then."`
	Limit    int    `query:"limit" minimum:"1" maximum:"5000" toolDefault:"20" toolMaximum:"100" doc:"How many to list; as many as a page may have unless given."`
}

type agentDomainsReply struct {
	Gap        `json:"-"`
	AgentURL   string   `json:"agent_url" doc:"The agent in canonical form."`
	Domains    []string `json:"domains"`
	Count      int      `json:"count" doc:"How many this page has."`
	NextCursor *string  `json:"next_cursor" doc:"Where the next page begins, after 5000 domains; null after the last."`
	// Publishers is apart from Domains: clients read the names alone.
	Publishers []wire.PublisherStanding `json:"publishers,omitempty" doc:"The same with how they stand; with include=standing."`
}

// agentDomains answers GET /api/registry/lookup/agent/{agent_url}/domains.
func (o *Set) agentDomains(ctx context.Context, in *agentDomainsInput) (*agentDomainsReply, error) {
	agent, err := registry.AgentURL(in.AgentURL)
	if err != nil {
		return nil, err
	}
	v, after, err := o.directoryPage(ctx, in.Cursor)
	if err != nil {
		return nil, err
	}
	return in.list(v, agent, after), nil
}

// list lists the publishers of an agent after one.
func (in *agentDomainsInput) list(v *directory.View, agent, after string) *agentDomainsReply {
	limit := 5000
	if in.Include != "" {
		limit = 500
	}
	if in.Limit > 0 {
		limit = min(limit, in.Limit)
	}
	rows, next := v.Rows(directory.RowQuery{Agent: agent, After: after, Limit: limit, Authorized: true})
	reply := &agentDomainsReply{Gap: gapOf(v), AgentURL: redact.URL(agent), Domains: make([]string, 0, len(rows)),
		Count: len(rows), NextCursor: cursorAfter(next)}
	for i := range rows {
		reply.Domains = append(reply.Domains, string(rows[i].Domain))
		if in.Include != "" {
			reply.Publishers = append(reply.Publishers, publisherStanding(&rows[i].Entry))
		}
	}
	return reply
}

type searchInput struct {
	Q string `query:"q" maxLength:"253" doc:"Two characters at least."`
}

type searchReply struct {
	Gap        `json:"-"`
	Brands     []registryProperty `json:"brands" doc:"Always empty."`
	Publishers []foundPublisher   `json:"publishers" doc:"Five at most."`
	Properties []registryProperty `json:"properties" doc:"Those of them with a file in effect."`
	Agents     []listedAgent      `json:"agents" doc:"Five at most."`
}

type foundPublisher struct {
	Domain   string        `json:"domain"`
	Member   foundMember   `json:"member"`
	Standing wire.Standing `json:"standing"`
}

type foundMember struct {
	DisplayName string `json:"display_name" doc:"The domain again. This registry has no registrations."`
}

const mostFound = 5

// search answers GET /api/search.
func (o *Set) search(ctx context.Context, in *searchInput) (*searchReply, error) {
	text, err := searchText(in.Q)
	if err != nil {
		return nil, err
	}
	v, err := o.service.Directory(ctx)
	if err != nil {
		return nil, err
	}
	reply := &searchReply{Gap: gapOf(v), Brands: []registryProperty{}, Publishers: []foundPublisher{},
		Properties: []registryProperty{}, Agents: []listedAgent{}}
	found := v.Search(text, mostFound)
	for i := range found {
		e := &found[i]
		reply.Publishers = append(reply.Publishers,
			foundPublisher{string(e.Domain), foundMember{string(e.Domain)}, standingOf(&e.Standing)})
		if e.Standing.InEffect {
			reply.Properties = append(reply.Properties, registryPropertyOf(e, false))
		}
	}
	agents, _ := v.Agents(text, "", mostFound)
	for _, one := range agents {
		reply.Agents = append(reply.Agents, listedAgentOf(v, one))
	}
	return reply, nil
}

// searchText is a text to search for, in lower case.
func searchText(written string) (string, error) {
	text := strings.ToLower(strings.TrimSpace(written))
	if len([]rune(text)) < 2 {
		return "", fieldError("q", "request.value", "Query must be at least 2 characters", "")
	}
	return text, nil
}

type manifestRefInput struct {
	Domain string `query:"domain" required:"true" missing:"domain parameter required" maxLength:"2048" doc:"The publisher, as people write it."`
	Type   string `query:"type" maxLength:"64" default:"brand.json" doc:"adagents.json; of others nothing is known."`
}

type manifestRefReply struct {
	Success   bool               `json:"success" doc:"Whether one is found."`
	Found     bool               `json:"found" doc:"The same."`
	Reference *manifestReference `json:"reference,omitzero"`
	Standing  *wire.Standing     `json:"standing,omitzero" doc:"How the publisher stands, for adagents.json."`
}

type manifestReference struct {
	ReferenceType      string  `json:"reference_type" doc:"url."`
	ManifestURL        *string `json:"manifest_url" doc:"Where the file is."`
	AgentURL           *string `json:"agent_url" doc:"Always null."`
	AgentID            *string `json:"agent_id" doc:"Always null."`
	VerificationStatus string  `json:"verification_status" enum:"pending,valid,invalid,unreachable"`
}

// manifestRef answers GET /api/manifest-refs/lookup.
func (o *Set) manifestRef(ctx context.Context, in *manifestRefInput) (*manifestRefReply, error) {
	e, _, err := o.directoryEntry(ctx, in.Domain)
	if err != nil {
		return nil, err
	}
	if in.Type != "adagents.json" {
		return &manifestRefReply{}, nil
	}
	standing := standingOf(&e.Standing)
	reply := &manifestRefReply{Standing: &standing}
	if e.Standing.Location.URL == "" || e.Standing.State == wire.Gone {
		return reply, nil
	}
	url := redact.URL(e.Standing.Location.URL)
	reply.Success, reply.Found = true, true
	reply.Reference = &manifestReference{ReferenceType: "url", ManifestURL: &url,
		VerificationStatus: verification(&e.Standing)}
	return reply, nil
}

// verification is the state in the words of a reference.
func verification(s *custodian.Standing) string {
	switch {
	case s.InEffect:
		return "valid"
	case s.State == wire.Unusable:
		return "invalid"
	case s.State == wire.Failing:
		return "unreachable"
	}
	return "pending"
}
