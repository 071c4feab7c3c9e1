package ops

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
)

type agentsInput struct {
	Type       string `query:"type" maxLength:"64" doc:"Those of this type alone; all that publishers let sell something are sales."`
	Properties bool   `query:"properties" doc:"Add publishers and properties of each agent."`
	Search     string `query:"search" maxLength:"253" doc:"Those whose URL contains this."`
	Source     string `query:"source" tool:"-" maxLength:"64" doc:"Not supported; a call with it is refused."`
	Cursor     string `query:"cursor" maxLength:"4096" doc:"next_cursor of the page before."`
	Limit      int    `query:"limit" minimum:"1" maximum:"2000" default:"1000" toolMaximum:"100" toolDefault:"20" doc:"How many to list."`
}

type agentsReply struct {
	Gap        `json:"-"`
	Agents     []listedAgent `json:"agents"`
	Count      int           `json:"count" doc:"How many this page has."`
	NextCursor *string       `json:"next_cursor" doc:"Where the next page begins; null after the last."`
}

type listedAgent struct {
	Name             string                  `json:"name" doc:"Its host."`
	URL              string                  `json:"url" doc:"In canonical form."`
	AgentURL         string                  `json:"agent_url" doc:"The same."`
	Type             string                  `json:"type" doc:"sales: publishers let it sell their inventory."`
	Protocol         string                  `json:"protocol" doc:"Always mcp. The agent itself is not contacted."`
	Description      string                  `json:"description" doc:"Always empty."`
	MCPEndpoint      string                  `json:"mcp_endpoint" doc:"The URL again."`
	Contact          agentContact            `json:"contact"`
	PublisherCount   int                     `json:"publisher_count" doc:"How many publishers have an entry for it."`
	SeenAt           *wire.PublisherStanding `json:"seen_at,omitzero" doc:"The first publisher with an entry for it, and how that stands."`
	PublisherDomains []string                `json:"publisher_domains,omitempty" doc:"The first 50 publishers; with properties=true."`
	PropertySummary  *propertySummary        `json:"property_summary,omitzero" doc:"What those have; with properties=true."`
}

type agentContact struct {
	Name    string `json:"name" doc:"Always empty, like the others."`
	Email   string `json:"email"`
	Website string `json:"website"`
}

type propertySummary struct {
	TotalCount     int            `json:"total_count" doc:"Properties that it may sell, of all publishers."`
	CountByType    map[string]int `json:"count_by_type" doc:"Properties of those 50 publishers by type."`
	Tags           []string       `json:"tags" doc:"Always empty."`
	PublisherCount int            `json:"publisher_count"`
}

// agents answers GET /api/registry/agents.
func (o *Set) agents(ctx context.Context, in *agentsInput) (*agentsReply, error) {
	if in.Source != "" {
		return nil, fieldError("source", "request.value",
			"source query parameter is no longer supported (registry surface is registered-only)", "leave it out")
	}
	v, after, err := o.directoryPage(ctx, in.Cursor)
	if err != nil {
		return nil, err
	}
	return in.list(v, after), nil
}

// list lists agents after one.
func (in *agentsInput) list(v *directory.View, after string) *agentsReply {
	reply := &agentsReply{Gap: gapOf(v), Agents: []listedAgent{}}
	if in.Type != "" && in.Type != feed.Sales {
		return reply
	}
	text := strings.ToLower(strings.TrimSpace(in.Search))
	list, next := v.Agents(text, after, in.Limit)
	for _, one := range list {
		doc := listedAgentOf(v, one)
		if in.Properties {
			doc.addInventory(v, one)
		}
		reply.Agents = append(reply.Agents, doc)
	}
	reply.Count, reply.NextCursor = len(reply.Agents), cursorAfter(next)
	return reply
}

// addInventory adds what publishers let an agent sell.
func (doc *listedAgent) addInventory(v *directory.View, agent directory.Agent) {
	sum := v.Inventory(agent)
	doc.PublisherDomains = sum.Domains
	doc.PropertySummary = &propertySummary{sum.Properties, sum.Types, []string{}, len(sum.Domains)}
}

// listedAgentOf shows an agent.
func listedAgentOf(v *directory.View, one directory.Agent) listedAgent {
	url := redact.URL(one.URL)
	return listedAgent{Name: feed.AgentName(one.URL), URL: url, AgentURL: url, Type: feed.Sales, Protocol: "mcp",
		MCPEndpoint: url, PublisherCount: one.Publishers, SeenAt: seenAt(v, one.URL)}
}

// seenAt returns the first publisher with an entry for an agent; nil for none.
func seenAt(v *directory.View, agent string) *wire.PublisherStanding {
	e, ok := v.First(agent)
	if !ok {
		return nil
	}
	first := publisherStanding(&e)
	return &first
}

type agentsSearchInput struct {
	Channels      string `query:"channels" maxLength:"4096" doc:"Comma-separated. Files do not declare this, so any value matches nothing. The same goes for the following parameters except property_types."`
	PropertyTypes string `query:"property_types" maxLength:"4096" doc:"Types of properties, with commas: those that have one of them."`
	Markets       string `query:"markets" maxLength:"4096"`
	Categories    string `query:"categories" maxLength:"4096"`
	Tags          string `query:"tags" maxLength:"4096"`
	DeliveryTypes string `query:"delivery_types" maxLength:"4096"`
	FormatKinds   string `query:"format_kinds" maxLength:"4096"`
	HasTMP        string `query:"has_tmp" maxLength:"16" doc:"true matches nothing."`
	MinProperties int    `query:"min_properties" minimum:"0" maximum:"1000000" doc:"Those with so many properties at least."`
	Cursor        string `query:"cursor" maxLength:"4096" doc:"cursor of the page before."`
	Limit         int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"How many to list."`
}

type agentsSearchReply struct {
	Gap     `json:"-"`
	Results []agentProfile `json:"results"`
	Cursor  *string        `json:"cursor" doc:"Where the next page begins, when has_more."`
	HasMore bool           `json:"has_more"`
}

// agentProfile is an agent with how well it fits.
type agentProfile struct {
	feed.Agent
	RelevanceScore float64                 `json:"relevance_score" doc:"Grows with the number of properties."`
	MatchedFilters []string                `json:"matched_filters"`
	UpdatedAt      string                  `json:"updated_at" format:"date-time" doc:"When a file with it was last confirmed."`
	Match          match                   `json:"match" doc:"The same score and filters again."`
	SeenAt         *wire.PublisherStanding `json:"seen_at,omitzero" doc:"The first publisher with an entry for it, and how that stands."`
}

type match struct {
	Score          float64  `json:"score"`
	MatchedFilters []string `json:"matched_filters"`
}

// agentsSearch answers GET /api/registry/agents/search.
func (o *Set) agentsSearch(ctx context.Context, in *agentsSearchInput) (*agentsSearchReply, error) {
	v, after, err := o.directoryPage(ctx, in.Cursor)
	if err != nil {
		return nil, err
	}
	return in.list(v, after), nil
}

// list lists agents after one.
func (in *agentsSearchInput) list(v *directory.View, after string) *agentsSearchReply {
	reply := &agentsSearchReply{Gap: gapOf(v), Results: []agentProfile{}}
	if in.Channels+in.Markets+in.Categories+in.Tags+in.DeliveryTypes+in.FormatKinds != "" || in.HasTMP == "true" {
		return reply
	}
	list, next := v.Agents("", after, in.Limit)
	for _, one := range list {
		doc, ok := in.profile(v, one)
		if ok {
			reply.Results = append(reply.Results, doc)
		}
	}
	reply.Cursor, reply.HasMore = cursorAfter(next), next != ""
	return reply
}

// profile describes an agent, if it is one of those asked for.
func (in *agentsSearchInput) profile(v *directory.View, one directory.Agent) (agentProfile, bool) {
	sum, filters := v.Inventory(one), []string{}
	if in.PropertyTypes != "" {
		filters = append(filters, "property_types")
		wanted := strings.Split(in.PropertyTypes, ",")
		if !slices.ContainsFunc(wanted, func(t string) bool { return sum.Types[t] > 0 }) {
			return agentProfile{}, false
		}
	}
	if sum.Properties < in.MinProperties || len(sum.Domains) == 0 {
		return agentProfile{}, false
	}
	score := math.Round(100*(float64(len(filters))+0.1*math.Log(float64(sum.Properties+1)))) / 100
	e, _ := v.Publisher(hostname.Domain(sum.Domains[0]))
	return agentProfile{feed.AgentOf(one, &sum), score, filters, wire.API.Time(e.Standing.ConfirmedAt),
		match{score, filters}, seenAt(v, one.URL)}, true
}
