package api

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

type authorizationsInput struct {
	AgentURL string `query:"agent_url,agent" required:"true" missing:"agent_url query parameter is required" maxLength:"2048" doc:"The URL of the agent."`
	Include  string `query:"include" enum:"effective,raw" doc:"effective, which is all that there is here."`
	Evidence string `query:"evidence" maxLength:"200" doc:"Where rows come from, with commas; all of them come from files here, which is adagents_json."`
	Cursor   string `query:"cursor" maxLength:"512" doc:"next_cursor of the page before."`
	Limit    int    `query:"limit" minimum:"1" maximum:"1000" default:"500" doc:"Of how many publishers to list rows."`
}

type authorizationsReply struct {
	Gap        `json:"-"`
	AgentURL   string          `json:"agent_url" doc:"The agent in canonical form."`
	Evidence   []string        `json:"evidence"`
	Include    string          `json:"include"`
	Rows       []authorization `json:"rows"`
	Count      int             `json:"count" doc:"How many rows this page has."`
	NextCursor *string         `json:"next_cursor" doc:"Where the next page begins; null after the last."`
}

// authorization is what the entries of one type let an agent sell of a publisher. The members
// that are always null are of registries that know more than files.
type authorization struct {
	ID                string  `json:"id" format:"uuid" doc:"The same for the same agent, publisher and type at any time."`
	AgentURL          string  `json:"agent_url" doc:"The agent as the publisher wrote it."`
	AgentURLCanonical string  `json:"agent_url_canonical"`
	PropertyRID       *string `json:"property_rid" doc:"Always null: a row is about a publisher."`
	PropertyIDSlug    *string `json:"property_id_slug" doc:"Always null."`
	PublisherDomain   string  `json:"publisher_domain"`
	AuthorizationScope
	AuthorizedFor   *string        `json:"authorized_for" doc:"In the publisher's words."`
	Evidence        string         `json:"evidence" doc:"adagents_json."`
	Disputed        bool           `json:"disputed" doc:"A publisher of another site lists an identifier of this one, too."`
	CreatedBy       *string        `json:"created_by" doc:"system."`
	ExpiresAt       *string        `json:"expires_at" doc:"Always null."`
	CreatedAt       string         `json:"created_at" format:"date-time" doc:"When the version of the file was adopted."`
	UpdatedAt       string         `json:"updated_at" format:"date-time" doc:"The same."`
	SigningKeys     jsontext.Value `json:"signing_keys" doc:"The keys that the publisher lists for the agent, as an array of public JSON Web Keys; null for none."`
	OverrideApplied bool           `json:"override_applied" doc:"Always false."`
	OverrideReason  *string        `json:"override_reason" doc:"Always null."`
	DiscoveryMethod string         `json:"discovery_method" enum:"direct,authoritative_location,ads_txt_managerdomain"`
	ManagerDomain   *string        `json:"manager_domain"`
	Standing        wire.Standing  `json:"standing"`
}

// AuthorizationScope is what a row is limited to. What is left out is not limited.
type AuthorizationScope struct {
	AuthorizationType   string              `json:"authorization_type" enum:"property_ids,property_tags,inline_properties,publisher_properties"`
	PropertyIDs         []string            `json:"property_ids,omitempty"`
	PropertyTags        []string            `json:"property_tags,omitempty"`
	PublisherProperties []publisherSelector `json:"publisher_properties,omitempty" doc:"The selectors, as far as they are about this publisher."`
	PlacementIDs        []string            `json:"placement_ids,omitempty"`
	PlacementTags       []string            `json:"placement_tags,omitempty"`
	Collections         []collectionIDs     `json:"collections,omitempty"`
	Countries           []string            `json:"countries,omitempty"`
	DelegationType      string              `json:"delegation_type,omitempty"`
	Exclusive           bool                `json:"exclusive"`
	EffectiveFrom       string              `json:"effective_from,omitempty" format:"date-time"`
	EffectiveUntil      string              `json:"effective_until,omitempty" format:"date-time"`
}

type publisherSelector struct {
	PublisherDomain string   `json:"publisher_domain"`
	SelectionType   string   `json:"selection_type"`
	PropertyIDs     []string `json:"property_ids,omitempty"`
	PropertyTags    []string `json:"property_tags,omitempty"`
}

type collectionIDs struct {
	PublisherDomain string   `json:"publisher_domain"`
	CollectionIDs   []string `json:"collection_ids"`
}

// publicKey is a key that a publisher lists, without anything that is not public.
type publicKey struct {
	Kid       string `json:"kid"`
	Kty       string `json:"kty"`
	Crv       string `json:"crv,omitempty"`
	Alg       string `json:"alg,omitempty"`
	Use       string `json:"use,omitempty"`
	X         string `json:"x,omitempty"`
	Y         string `json:"y,omitempty"`
	AdcpUse   string `json:"adcp_use,omitempty"`
	RevokedAt string `json:"revoked_at,omitempty"`
}

// publicKeysOf shows keys; null for none.
func publicKeysOf(list []adagents.SigningKey) (jsontext.Value, error) {
	if len(list) == 0 {
		return jsontext.Value("null"), nil
	}
	docs := make([]publicKey, 0, len(list))
	for i := range list {
		k := &list[i]
		docs = append(docs, publicKey{k.Kid, k.Kty, k.Crv, k.Alg, k.Use, k.X, k.Y, k.AdcpUse, string(k.RevokedAt)})
	}
	return json.Marshal(docs, encodeOptions)
}

// evidences are the sources that clients may name.
var evidences = []string{fromFile, "agent_claim", "community", "override", "adagents_authoritative"}

// authorizations answers GET /api/registry/authorizations.
func (a *API) authorizations(ctx context.Context, in *authorizationsInput) (*authorizationsReply, error) {
	asked, err := evidenceOf(in.Evidence)
	if err != nil {
		return nil, err
	}
	if in.Include == "raw" {
		return nil, &registry.Error{Kind: registry.Forbidden, Code: "include_raw", Message: "include=raw requires admin access", Hint: "there is nothing raw here; leave it out"}
	}
	q := directory.RowQuery{Limit: in.Limit, Authorized: true}
	q.Agent, err = registry.AgentURL(in.AgentURL)
	if err != nil {
		return nil, err
	}
	q.After, err = cursorOf(in.Cursor)
	if err != nil {
		return nil, err
	}
	v, err := a.service.Directory(ctx)
	if err != nil {
		return nil, err
	}
	reply := &authorizationsReply{Gap: Gap{v.Missing}, AgentURL: redact.URL(q.Agent), Evidence: asked, Include: "effective", Rows: []authorization{}}
	if !strings.Contains(strings.Join(asked, ","), fromFile) {
		return reply, nil
	}
	list, next := v.Rows(q)
	rows, err := a.service.AuthorizationRows(ctx, v, q.Agent, list)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		row, err := authorizationDocOf(&rows[i])
		if err != nil {
			return nil, err
		}
		reply.Rows = append(reply.Rows, row)
	}
	reply.Count, reply.NextCursor = len(reply.Rows), cursorAfter(next)
	return reply, nil
}

func evidenceOf(text string) ([]string, error) {
	if text == "" {
		return []string{fromFile}, nil
	}
	var out []string
	for one := range strings.SplitSeq(text, ",") {
		one = strings.TrimSpace(one)
		if !strings.Contains(","+strings.Join(evidences, ",")+",", ","+one+",") {
			return nil, fieldError("evidence", "request.value", "Invalid evidence value "+quoted(one)+", expected: "+strings.Join(evidences, ", "), "")
		}
		out = append(out, one)
	}
	return out, nil
}

// authorizationDocOf shows a row.
func authorizationDocOf(r *registry.AuthorizationRow) (authorization, error) {
	system, adopted := "system", wire.API.Time(r.Adopted())
	out := authorization{
		ID: r.ID, AgentURL: redact.URL(r.AgentURL), AgentURLCanonical: redact.URL(r.Grant.Agent), PublisherDomain: string(r.Domain), AuthorizationScope: scopeOf(r),
		Evidence: fromFile, Disputed: r.Disputed, CreatedBy: &system, CreatedAt: adopted, UpdatedAt: adopted,
		Standing: standingOf(&r.Standing),
	}
	out.DiscoveryMethod, out.ManagerDomain = methodOf(r.Standing.Location)
	if r.AuthorizedFor != "" {
		text := redact.Credentials(r.AuthorizedFor)
		out.AuthorizedFor = &text
	}
	var err error
	out.SigningKeys, err = publicKeysOf(r.Keys)
	return out, err
}

func scopeOf(r *registry.AuthorizationRow) AuthorizationScope {
	s := AuthorizationScope{
		AuthorizationType: string(r.Type), PropertyIDs: r.PropertyIDs, PropertyTags: r.PropertyTags, PlacementIDs: r.PlacementIDs, PlacementTags: r.PlacementTags,
		Countries: r.Countries, DelegationType: r.DelegationType, Exclusive: r.Exclusive,
		EffectiveFrom: wireTimeOrNone(r.EffectiveFrom), EffectiveUntil: wireTimeOrNone(r.EffectiveUntil),
	}
	for _, one := range r.Selectors {
		s.PublisherProperties = append(s.PublisherProperties, publisherSelector{string(r.Domain), one.Type, one.IDs, one.Tags})
	}
	for _, c := range r.Collections {
		n := len(s.Collections)
		if n == 0 || s.Collections[n-1].PublisherDomain != c.PublisherDomain {
			s.Collections = append(s.Collections, collectionIDs{PublisherDomain: c.PublisherDomain})
			n++
		}
		s.Collections[n-1].CollectionIDs = append(s.Collections[n-1].CollectionIDs, c.ID)
	}
	return s
}

type publishersInput struct {
	State  string `query:"state" enum:"fresh,stale,held,unusable,failing,gone,absent,never,opted_out" doc:"Those in this state alone."`
	Search string `query:"search" maxLength:"253" doc:"Those whose domain contains this."`
	Cursor string `query:"cursor" maxLength:"512" doc:"next_cursor of the page before."`
	Limit  int    `query:"limit" minimum:"1" maximum:"3000" default:"2000" doc:"How many to list."`
}

type publishersReply struct {
	Gap        `json:"-"`
	Publishers []knownPublisher `json:"publishers"`
	Count      int              `json:"count" doc:"How many this page has."`
	NextCursor *string          `json:"next_cursor" doc:"Where the next page begins; null after the last."`
}

type knownPublisher struct {
	Domain           string        `json:"domain"`
	AgentCount       int           `json:"agent_count" doc:"How many agents its file lets sell something now."`
	LastValidated    *string       `json:"last_validated,omitempty" format:"date-time" doc:"When it was last looked at."`
	HasValidAdagents bool          `json:"has_valid_adagents" doc:"A file of it is in effect."`
	Standing         wire.Standing `json:"standing"`
}

// publishers answers GET /api/registry/publishers.
func (a *API) publishers(ctx context.Context, in *publishersInput) (*publishersReply, error) {
	after, err := cursorOf(in.Cursor)
	if err != nil {
		return nil, err
	}
	v, err := a.service.Directory(ctx)
	if err != nil {
		return nil, err
	}
	text := strings.ToLower(strings.TrimSpace(in.Search))
	list, next := v.Publishers(after, in.Limit, func(e *directory.Entry) bool {
		return (in.State == "" || string(e.Standing.State) == in.State) && strings.Contains(string(e.Domain), text)
	})
	reply := &publishersReply{Gap: Gap{v.Missing}, Publishers: make([]knownPublisher, 0, len(list)), Count: len(list), NextCursor: cursorAfter(next)}
	for i := range list {
		e := &list[i]
		reply.Publishers = append(reply.Publishers, knownPublisher{
			string(e.Domain), len(e.LiveAgents()), wire.API.OptionalTime(e.Standing.LastLook), e.Standing.InEffect, standingOf(&e.Standing),
		})
	}
	return reply, nil
}

type statsInput struct{}

type statsReply struct {
	RegisteredAgents       int            `json:"registered_agents" doc:"Always 0: nobody registers here."`
	RegisteredPublishers   int            `json:"registered_publishers" doc:"Always 0."`
	DiscoveredAgents       int            `json:"discovered_agents" doc:"Agents that a file in effect lets sell something now."`
	DiscoveredPublishers   int            `json:"discovered_publishers" doc:"Publishers with a file in effect."`
	DiscoveredProperties   int            `json:"discovered_properties" doc:"Their own properties."`
	Authorizations         int            `json:"authorizations" doc:"Pairs of an agent and a publisher."`
	AuthorizationsBySource map[string]int `json:"authorizations_by_source" doc:"All of them are from files."`
	PropertiesByType       map[string]int `json:"properties_by_type"`
	KnownPublishers        int            `json:"known_publishers" doc:"All publishers that are known, whatever their state."`
	PublishersByState      map[string]int `json:"publishers_by_state" doc:"How publishers stand; every state is there."`
	LooksByAge             []lookAge      `json:"looks_by_age" doc:"How long ago publishers were last looked at."`
	Missing                int            `json:"missing" doc:"Publishers whose file is in effect and not in the directory, for want of memory or of the file: lists lack them, other answers do not."`
}

type lookAge struct {
	UnderHours int `json:"under_hours" doc:"Less than so many hours ago, and not in the class before; 0 for all that are older."`
	Publishers int `json:"publishers"`
}

func (s *statsReply) httpHeader(h http.Header) { Gap{s.Missing}.httpHeader(h) }

// stats answers GET /api/registry/stats.
func (a *API) stats(ctx context.Context, _ *statsInput) (*statsReply, error) {
	v, err := a.service.Directory(ctx)
	if err != nil {
		return nil, err
	}
	s := v.Stats()
	reply := &statsReply{
		DiscoveredAgents: s.Agents, DiscoveredPublishers: s.InEffect, DiscoveredProperties: s.Properties, Authorizations: s.Authorizations,
		AuthorizationsBySource: map[string]int{fromFile: s.Authorizations, "agent_claim": 0}, PropertiesByType: s.Types,
		PublishersByState: map[string]int{}, Missing: s.Missing,
	}
	for _, m := range wire.PublisherStates {
		reply.PublishersByState[string(m.State)] = s.Publishers[m.State]
		reply.KnownPublishers += s.Publishers[m.State]
	}
	for i, n := range s.Looks {
		hours := 0
		if i < len(directory.Ages) {
			hours = int(directory.Ages[i].Hours())
		}
		reply.LooksByAge = append(reply.LooksByAge, lookAge{hours, n})
	}
	return reply, nil
}

// agentName is what an agent is called: its host.
func agentName(agent string) string {
	u, err := url.Parse(agent)
	if err != nil {
		return ""
	}
	return u.Hostname()
}
