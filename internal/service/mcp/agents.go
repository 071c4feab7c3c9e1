package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/registry"
)

// typeSales is the type of all agents that files name.
const typeSales = "sales"

type agentsInput struct {
	Type   string `json:"type,omitempty" jsonschema:"sales, creative, signals or buying; the files of publishers name agents that sell, so of the others there are none here"`
	Search string `json:"search,omitempty" jsonschema:"part of a URL"`
	Paging
}

type agentsOutput struct {
	Agents []knownAgent `json:"agents" jsonschema:"the agents, in alphabetical order"`
	Count  int          `json:"count" jsonschema:"how many this answer has"`
	Next   string       `json:"next_cursor,omitempty" jsonschema:"give this as cursor for those that follow"`
	Coverage
}

type knownAgent struct {
	AgentName
	Type       string `json:"type" jsonschema:"always sales"`
	Protocol   string `json:"protocol" jsonschema:"always mcp; nobody has asked the agent"`
	Publishers int    `json:"publisher_count" jsonschema:"how many publishers have an entry for it"`
}

func knownAgentOf(a directory.Agent) knownAgent {
	return knownAgent{AgentName: nameOf(a.URL), Type: typeSales, Protocol: "mcp", Publishers: a.Publishers}
}

func (s *Server) listAgents(ctx context.Context, in *agentsInput) (*agentsOutput, error) {
	after, limit, err := in.read()
	if err != nil {
		return nil, err
	}
	if in.Type != "" && !slices.Contains([]string{typeSales, "creative", "signals", "buying"}, in.Type) {
		return nil, invalid("type is sales, creative, signals or buying")
	}
	v, coverage, err := s.view(ctx)
	if err != nil {
		return nil, err
	}
	out := &agentsOutput{Agents: []knownAgent{}, Coverage: coverage}
	if in.Type != "" && in.Type != typeSales {
		return out, nil
	}
	text := strings.ToLower(strings.TrimSpace(in.Search))
	list, next := v.Agents(after, limit, func(url string) bool { return strings.Contains(strings.ToLower(url), text) })
	for _, a := range list {
		out.Agents = append(out.Agents, knownAgentOf(a))
	}
	out.Count, out.Next = len(out.Agents), directory.Cursor(next)
	return out, nil
}

type getAgentInput struct {
	URL string `json:"url" jsonschema:"the URL of the agent"`
}

type getAgentOutput struct {
	knownAgent
	Domains    []string     `json:"publisher_domains" jsonschema:"the first twenty of them; get_agent_domains lists all"`
	Properties propertiesOf `json:"property_summary" jsonschema:"what its first two hundred publishers have"`
	Unsettled  int          `json:"unsettled_publishers" jsonschema:"how many publishers had it in their file, and have nothing in effect at present"`
	Coverage
}

type propertiesOf struct {
	Total int            `json:"total_count" jsonschema:"how many properties it may sell"`
	Types map[string]int `json:"count_by_type" jsonschema:"properties of those publishers by type"`
}

func (s *Server) getAgent(ctx context.Context, in *getAgentInput) (*getAgentOutput, error) {
	agent, err := registry.AgentURL(in.URL)
	if err != nil {
		return nil, err
	}
	v, coverage, err := s.view(ctx)
	if err != nil {
		return nil, err
	}
	if !v.HasAgent(agent) {
		hint := "no file that is known here names it, which is not a no; ask validate_agent about one publisher"
		return nil, &registry.Error{Kind: registry.NotFound, Code: "agent.unknown", Message: "Agent not found", Hint: hint}
	}
	sum := v.Inventory(agent)
	one := v.Agent(agent)
	_, unsettled := v.Unsettled(agent, 1)
	out := &getAgentOutput{
		knownAgent: knownAgentOf(one), Domains: []string{}, Unsettled: unsettled, Coverage: coverage,
		Properties: propertiesOf{Total: sum.Properties, Types: map[string]int{}},
	}
	out.Domains = append(out.Domains, sum.Domains[:min(len(sum.Domains), mostIDs)]...)
	for kind, n := range sum.Types {
		out.Properties.Types[identifier(kind, mostID)] += n
	}
	return out, nil
}

type propertiesInput struct {
	Source string `json:"source,omitempty" jsonschema:"adagents_json, hosted, community, discovered or enriched; all here are adagents_json"`
	Search string `json:"search,omitempty" jsonschema:"part of a domain"`
	Paging
}

type propertiesOutput struct {
	Properties []publisherProperties `json:"properties" jsonschema:"the publishers, in alphabetical order"`
	Count      int                   `json:"count" jsonschema:"how many this answer has"`
	Next       string                `json:"next_cursor,omitempty" jsonschema:"give this as cursor for those that follow"`
	Coverage
}

type publisherProperties struct {
	Domain     string `json:"domain" jsonschema:"the publisher in canonical form"`
	Source     string `json:"source" jsonschema:"always adagents_json"`
	Properties int    `json:"property_count" jsonschema:"how many properties of its own its file has"`
	Agents     int    `json:"agent_count" jsonschema:"how many agents it lets sell something now"`
	Verified   bool   `json:"verified" jsonschema:"always true: it is from the publisher's own file, or the one it points to"`
}

// sourceFile is the only source of properties.
const sourceFile = "adagents_json"

func (s *Server) listProperties(ctx context.Context, in *propertiesInput) (*propertiesOutput, error) {
	after, limit, err := in.read()
	if err != nil {
		return nil, err
	}
	if in.Source != "" && !slices.Contains([]string{sourceFile, "hosted", "community", "discovered", "enriched"}, in.Source) {
		return nil, invalid("source is adagents_json, hosted, community, discovered or enriched")
	}
	v, coverage, err := s.view(ctx)
	if err != nil {
		return nil, err
	}
	out := &propertiesOutput{Properties: []publisherProperties{}, Coverage: coverage}
	if in.Source != "" && in.Source != sourceFile {
		return out, nil
	}
	text := strings.ToLower(strings.TrimSpace(in.Search))
	list, next := v.Publishers(after, limit, func(e *directory.Entry) bool {
		return e.Standing.InEffect && strings.Contains(string(e.Domain), text)
	})
	for i := range list {
		e := &list[i]
		out.Properties = append(out.Properties, publisherProperties{string(e.Domain), sourceFile, e.Properties, len(e.LiveAgents()), true})
	}
	out.Count, out.Next = len(list), directory.Cursor(next)
	return out, nil
}
