package ops

import (
	"context"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/wire"
)

// describeAgentRoute is that of what an agent says about itself.
func (o *Set) describeAgentOperation() Operation {
	return Define(Operation{
		HTTP: "GET /api/public/discover-agent", Name: "discover_agent", Tag: "tools", Class: edge.Validate,
		Statuses: []int{http.StatusBadGateway, http.StatusGatewayTimeout}, Example: "url=https://agent.example/mcp",
		Summary: "Ask an agent what it can do",
		Description: "Asks the agent for its A2A card and, over MCP, for its tools. What it says is its own word: whether " +
			"a publisher lets it sell anything is another question. " +
			"The answer is 504 when the URL does not answer, and 502 when the server there is not an agent.",
	}, o.describeAgent)
}

type describeAgentInput struct {
	URL string `query:"url" required:"true" missing:"URL is required" maxLength:"2048" doc:"The URL of the agent."`
}

type describeAgentReply struct {
	Name         string      `json:"name" doc:"What it calls itself, or else its host."`
	Description  string      `json:"description,omitempty"`
	Protocols    []string    `json:"protocols" doc:"mcp and a2a, as far as it speaks them."`
	Type         string      `json:"type" enum:"sales,creative,signals,unknown" doc:"By the names of its tools."`
	ToolsCount   int         `json:"tools_count" doc:"How many are listed here, 100 at most."`
	Tools        []agentTool `json:"tools" doc:"The first 100."`
	Stats        agentStats  `json:"stats"`
	RequiresAuth bool        `json:"requires_auth" doc:"It asks for credentials before it says anything."`
}

type agentTool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty" doc:"Its beginning."`
}

type agentStats struct {
	PublisherCount int `json:"publisher_count" doc:"How many publishers have an entry for it, as far as is known here."`
}

// describeAgent answers GET /api/public/discover-agent.
func (o *Set) describeAgent(ctx context.Context, in *describeAgentInput) (*describeAgentReply, error) {
	d, publishers, err := o.service.DescribeAgent(ctx, strings.TrimSpace(in.URL))
	if err != nil {
		return nil, err
	}
	reply := &describeAgentReply{
		Name: beginning(d.Name, 200), Description: beginning(d.Description, 1000), Protocols: []string{},
		Type:       typeByTools(d.Tools),
		ToolsCount: len(d.Tools), Tools: []agentTool{}, Stats: agentStats{publishers},
		RequiresAuth: d.Reach == discover.AgentNeedsCredentials,
	}
	if reply.Name == "" {
		reply.Name = feed.AgentName(d.URL)
	}
	spoken := func(r discover.Reply) bool { return r == discover.Spoken || r == discover.Challenged }
	if spoken(d.MCP) {
		reply.Protocols = append(reply.Protocols, "mcp")
	}
	if spoken(d.Card) {
		reply.Protocols = append(reply.Protocols, "a2a")
	}
	for _, tool := range d.Tools {
		reply.Tools = append(reply.Tools, agentTool{beginning(tool.Name, 100), beginning(tool.Description, 300)})
	}
	return reply, nil
}

// beginning returns the first characters of a text from outside.
func beginning(text string, characters int) string {
	n := 0
	for i := range text {
		if n == characters {
			return text[:i]
		}
		n++
	}
	return text
}

// typeByTools guesses what an agent is for, as other registries do.
func typeByTools(tools []discover.AgentTool) string {
	for _, kind := range []struct {
		name  string
		words []string
	}{
		{feed.Sales, []string{"get_product", "media_buy", "create_media"}},
		{"signals", []string{"signal", "audience"}},
		{"creative", []string{"creative", "format", "preview"}},
	} {
		for _, tool := range tools {
			for _, word := range kind.words {
				if strings.Contains(strings.ToLower(tool.Name), word) {
					return kind.name
				}
			}
		}
	}
	return "unknown"
}

type operatedInput struct {
	Domain string `query:"domain" required:"true" missing:"domain query parameter is required" maxLength:"2048" doc:"Whose agents are asked for."`
}

type operatedReply struct {
	Gap    `json:"-"`
	Domain string          `json:"domain"`
	Member jsontext.Value  `json:"member" doc:"Always null. This registry has no members."`
	Agents []operatedAgent `json:"agents" doc:"The first 100, by URL."`
}

type operatedAgent struct {
	URL            string                  `json:"url"`
	Name           string                  `json:"name" doc:"Its host."`
	Type           string                  `json:"type" doc:"sales: publishers let it sell their inventory."`
	PublisherCount int                     `json:"publisher_count" doc:"How many publishers have an entry for it."`
	SeenAt         *wire.PublisherStanding `json:"seen_at,omitzero" doc:"The first publisher with an entry for it, and how that stands."`
	AuthorizedBy   []operatedGrant         `json:"authorized_by" doc:"The first publishers that let it sell something at present; 400 of all agents."`
}

type operatedGrant struct {
	PublisherDomain string        `json:"publisher_domain"`
	Source          string        `json:"source" doc:"adagents_json."`
	Standing        wire.Standing `json:"standing"`
}

// mostOperated is how many agents of an operator are listed, and mostOperatedFor how many
// publishers of all of them: clients read 256 KiB.
const (
	mostOperated    = 100
	mostOperatedFor = 400
)

// operator answers GET /api/registry/operator.
func (o *Set) operator(ctx context.Context, in *operatedInput) (*operatedReply, error) {
	domain, err := directoryDomain(in.Domain)
	if err != nil {
		return nil, err
	}
	v, err := o.service.Directory(ctx)
	if err != nil {
		return nil, err
	}
	reply := &operatedReply{Gap: gapOf(v), Domain: string(domain), Member: jsontext.Value("null"),
		Agents: []operatedAgent{}}
	operates := func(url string) bool {
		host := feed.AgentName(url)
		return host == string(domain) || strings.HasSuffix(host, "."+string(domain))
	}
	rows := mostOperatedFor
	for after := ""; len(reply.Agents) < mostOperated; {
		list, next := v.Agents(string(domain), after, mostOperated-len(reply.Agents))
		for _, one := range list {
			if !operates(one.URL) {
				continue
			}
			reply.Agents = append(reply.Agents, operatedAgentOf(v, one, rows))
			rows -= len(reply.Agents[len(reply.Agents)-1].AuthorizedBy)
		}
		if next == "" {
			break
		}
		after = next
	}
	return reply, nil
}

func operatedAgentOf(v *directory.View, one directory.Agent, limit int) operatedAgent {
	out := operatedAgent{URL: redact.URL(one.URL), Name: feed.AgentName(one.URL), Type: feed.Sales,
		PublisherCount: one.Publishers, SeenAt: seenAt(v, one.URL), AuthorizedBy: []operatedGrant{}}
	rows, _ := v.Rows(directory.RowQuery{Agent: one.URL, Limit: limit, Authorized: true})
	for i := range rows {
		out.AuthorizedBy = append(out.AuthorizedBy,
			operatedGrant{string(rows[i].Domain), fromFile, standingOf(&rows[i].Standing)})
	}
	return out
}
