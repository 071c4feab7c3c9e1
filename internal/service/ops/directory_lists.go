package ops

import (
	"context"
	"net/http"
	"strings"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

type authorizationsInput struct {
	AgentURL string `query:"agent_url,agent" required:"true" missing:"agent_url query parameter is required" maxLength:"2048" doc:"The URL of the agent. Also accepted as agent."`
	Include  string `query:"include" enum:"effective,raw" doc:"effective, which is all that there is here."`
	Evidence string `query:"evidence" maxLength:"200" doc:"Where rows come from, with commas; all of them come from files here, which is adagents_json."`
	Cursor   string `query:"cursor" maxLength:"512" doc:"next_cursor of the page before."`
	Limit    int    `query:"limit" minimum:"1" maximum:"1000" default:"500" doc:"Of how many publishers to list rows."`
}

type authorizationsReply struct {
	Gap        `json:"-"`
	AgentURL   string                     `json:"agent_url" doc:"The agent in canonical form."`
	Evidence   []string                   `json:"evidence"`
	Include    string                     `json:"include"`
	Rows       []projection.Authorization `json:"rows"`
	Count      int                        `json:"count" doc:"How many rows this page has."`
	NextCursor *string                    `json:"next_cursor" doc:"Where the next page begins; null after the last."`
	sync       string
}

// HTTPHeader tells with which cursor the feed goes on from here.
func (r *authorizationsReply) HTTPHeader(h http.Header) {
	if r.sync != "" {
		h.Set("X-Sync-Cursor", r.sync)
	}
}

// errRaw is for those who ask for more than what is in effect.
var errRaw = &registry.Error{Kind: registry.Forbidden, Code: "include_raw",
	Message: "include=raw requires admin access", Hint: "there is nothing raw here; leave it out"}

// evidences are the sources that clients may name.
var evidences = []string{fromFile, "agent_claim", "community", "override", "adagents_authoritative"}

// authorizations answers GET /api/registry/authorizations.
func (o *Set) authorizations(ctx context.Context, in *authorizationsInput) (*authorizationsReply, error) {
	asked, err := evidenceOf(in.Evidence)
	if err != nil {
		return nil, err
	}
	if in.Include == "raw" {
		return nil, errRaw
	}
	q := directory.RowQuery{Limit: in.Limit, Authorized: true}
	q.Agent, err = registry.AgentURL(in.AgentURL)
	if err != nil {
		return nil, err
	}
	sync := ""
	if o.feed != nil {
		sync, err = o.syncCursor(ctx) // before the rows
		if err != nil {
			return nil, err
		}
	}
	var v *directory.View
	v, q.After, err = o.directoryPage(ctx, in.Cursor)
	if err != nil {
		return nil, err
	}
	reply := &authorizationsReply{Gap: gapOf(v), AgentURL: redact.URL(q.Agent), Evidence: asked, Include: "effective",
		sync: sync, Rows: []projection.Authorization{}}
	if !strings.Contains(strings.Join(asked, ","), fromFile) {
		return reply, nil
	}
	list, next := v.Rows(q)
	rows, standings, err := o.service.AuthorizationRows(ctx, v, list)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		row, err := projection.AuthorizationOf(&rows[i], standingOf(&standings[i]))
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
			return nil, fieldError("evidence", "request.value", "Invalid evidence value "+quoted(one)+", expected: "+
				strings.Join(evidences, ", "), "")
		}
		out = append(out, one)
	}
	return out, nil
}

type publishersInput struct {
	State  string `query:"state" enum:"fresh,stale,held,unusable,failing,gone,absent,never,opted_out" doc:"Those in this state alone."`
	Search string `query:"search" maxLength:"253" doc:"Those whose domain contains this."`
	Cursor string `query:"cursor" maxLength:"512" doc:"next_cursor of the page before."`
	Limit  int    `query:"limit" minimum:"1" maximum:"3000" default:"2000" toolMaximum:"100" toolDefault:"20" doc:"How many to list."`
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
	PropertyCount    int           `json:"property_count" doc:"How many properties of its own are in its file, if that is in effect."`
	LastValidated    *string       `json:"last_validated,omitempty" format:"date-time" doc:"When it was last looked at."`
	HasValidAdagents bool          `json:"has_valid_adagents" doc:"A file of it is in effect."`
	Standing         wire.Standing `json:"standing"`
}

// publishers answers GET /api/registry/publishers.
func (o *Set) publishers(ctx context.Context, in *publishersInput) (*publishersReply, error) {
	v, after, err := o.directoryPage(ctx, in.Cursor)
	if err != nil {
		return nil, err
	}
	return in.list(v, after), nil
}

// list lists publishers after one.
func (in *publishersInput) list(v *directory.View, after string) *publishersReply {
	text := strings.ToLower(strings.TrimSpace(in.Search))
	fits := func(e *directory.Entry) bool { return in.State == "" || string(e.Standing.State) == in.State }
	list, next := v.All(after, in.Limit, fits)
	if text != "" {
		list, next = v.Containing(text, after, in.Limit, fits)
	}
	reply := &publishersReply{Gap: gapOf(v), Publishers: make([]knownPublisher, 0, len(list)), Count: len(list),
		NextCursor: cursorAfter(next)}
	for i := range list {
		e := &list[i]
		shown := e.Shown()
		one := knownPublisher{
			Domain: string(e.Domain), AgentCount: shown.Agents, PropertyCount: shown.Properties,
			LastValidated: wire.API.OptionalTime(e.Standing.LastLook), HasValidAdagents: e.Standing.InEffect,
			Standing: standingOf(&e.Standing),
		}
		reply.Publishers = append(reply.Publishers, one)
	}
	return reply
}

type statsInput struct{}

// StatsReply counts everything that is known.
type StatsReply struct {
	RegisteredAgents       int            `json:"registered_agents" doc:"Always 0. This registry has no registrations."`
	RegisteredPublishers   int            `json:"registered_publishers" doc:"Always 0."`
	DiscoveredAgents       int            `json:"discovered_agents" doc:"Agents that a file in effect lets sell something now."`
	DiscoveredPublishers   int            `json:"discovered_publishers" doc:"Publishers with a file in effect."`
	DiscoveredProperties   int            `json:"discovered_properties" doc:"Their own properties."`
	Authorizations         int            `json:"authorizations" doc:"Pairs of an agent and a publisher."`
	AuthorizationsBySource map[string]int `json:"authorizations_by_source" doc:"All of them are from files."`
	PropertiesByType       map[string]int `json:"properties_by_type"`
	KnownPublishers        int            `json:"known_publishers" doc:"All publishers that are known, whatever their state."`
	PublishersByState      map[string]int `json:"publishers_by_state" doc:"How publishers stood when they were last looked at; every state is there."`
	LooksByAge             []LookAge      `json:"looks_by_age" doc:"How long ago publishers were last looked at, in whole hours."`
	Unattended             bool           `json:"unattended" doc:"True if no worker is crawling, so the records get old. Reported only by processes that are not workers."`
	Missing                int            `json:"missing" doc:"Always 0: no publisher is left out."`
}

// LookAge is how many publishers were last looked at how long ago.
type LookAge struct {
	UnderHours int `json:"under_hours" doc:"Less than so many hours ago, and not in the class before; 0 for all that are older."`
	Publishers int `json:"publishers"`
}

// stats answers GET /api/registry/stats.
func (o *Set) stats(ctx context.Context, _ *statsInput) (*StatsReply, error) {
	v, err := o.service.Directory(ctx)
	if err != nil {
		return nil, err
	}
	return statsOf(v, o.service.Unattended()), nil
}

func statsOf(v *directory.View, unattended bool) *StatsReply {
	s := v.Stats()
	reply := &StatsReply{
		DiscoveredAgents: s.Agents, DiscoveredPublishers: s.InEffect, DiscoveredProperties: s.Properties,
		Authorizations:         s.Authorizations,
		AuthorizationsBySource: map[string]int{fromFile: s.Authorizations, "agent_claim": 0}, PropertiesByType: s.Types,
		PublishersByState: map[string]int{}, Unattended: unattended,
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
		reply.LooksByAge = append(reply.LooksByAge, LookAge{hours, n})
	}
	return reply
}
