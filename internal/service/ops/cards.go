package ops

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/wire"
)

// card is what is known about an agent.
type card struct {
	AgentURL       string    `json:"agent_url" doc:"The agent, in canonical form where it has one."`
	Valid          bool      `json:"valid" doc:"It answers as an agent does, or asks for credentials."`
	Errors         []string  `json:"errors" doc:"Why it is not valid."`
	StatusCode     int       `json:"status_code,omitzero" doc:"HTTP status of the answer that decided; absent when none came."`
	ResponseTimeMS int64     `json:"response_time_ms,omitzero" doc:"How long it took; for valid agents."`
	CardData       *cardData `json:"card_data,omitzero" doc:"What the agent says about itself; for valid agents."`
	CardEndpoint   string    `json:"card_endpoint,omitempty" doc:"The URL that answered."`
	OAuthRequired  bool      `json:"oauth_required,omitzero" doc:"It asks for credentials."`
	wire.Reach
}

type cardData struct {
	Name         string `json:"name,omitempty" doc:"What the agent calls itself."`
	Protocol     string `json:"protocol" doc:"a2a or mcp."`
	RequiresAuth bool   `json:"requires_auth,omitzero" doc:"It asks for credentials."`
}

func cardsOf(list []discover.AgentCheck) []card {
	cards := make([]card, 0, len(list))
	for i := range list {
		cards = append(cards, cardOf(&list[i]))
	}
	return cards
}

func cardOf(check *discover.AgentCheck) card {
	c := check.Public()
	doc := card{AgentURL: redact.URL(c.URL), Errors: []string{}, Reach: wire.API.Reach(&c, nil)}
	doc.Valid = c.Reach == discover.AgentReachable || c.Reach == discover.AgentNeedsCredentials
	if !doc.Valid {
		doc.Errors = append(doc.Errors, doc.Message.Value)
		return doc
	}
	doc.OAuthRequired = c.Reach == discover.AgentNeedsCredentials
	doc.ResponseTimeMS = max(c.Took.Milliseconds(), 1)
	doc.CardData = &cardData{Name: c.Name, Protocol: protocolOf(&c), RequiresAuth: doc.OAuthRequired}
	answer := decidingAnswer(check)
	if answer != nil {
		doc.StatusCode, doc.CardEndpoint = answer.Status, redact.URL(answer.URL)
	}
	return doc
}

// protocolOf is the protocol that the agent answered by.
func protocolOf(c *discover.AgentCheck) string {
	if c.Card == discover.Spoken || c.MCP != discover.Spoken && c.Card == discover.Challenged {
		return "a2a"
	}
	return "mcp"
}

// decidingAnswer returns the answer that made the agent count: its card, where there is
// one, and else the last one that came; nil when none did.
func decidingAnswer(c *discover.AgentCheck) *fetch.Exchange {
	var last *fetch.Exchange
	for i := range c.Exchanges {
		x := &c.Exchanges[i]
		if x.Status == 0 {
			continue
		}
		last = x
		if c.Card == discover.Spoken && x.Status == http.StatusOK {
			return x
		}
	}
	return last
}

type cardsInput struct {
	Body cardsBody `body:""`
}

type cardsBody struct {
	AgentURLs []string `json:"agent_urls" required:"true" missing:"agent_urls array is required" doc:"One to ten URLs of agents."`
}

// cardsReply is the envelope of POST /api/adagents/validate-cards.
type cardsReply struct {
	Success   bool      `json:"success" doc:"True."`
	Data      cardsData `json:"data"`
	Timestamp string    `json:"timestamp" format:"date-time" doc:"When the answer was given."`
}

type cardsData struct {
	AgentCards []card `json:"agent_cards" doc:"One for each agent, in the order of the request."`
}

const (
	// mostAgents and longestAgent limit one request for cards.
	mostAgents   = 10
	longestAgent = 2048
)

// check refuses lists that are too long, and URLs that cannot be any.
func (b *cardsBody) check() error {
	const field = "agent_urls"
	switch {
	case len(b.AgentURLs) == 0:
		return fieldError(field, "request.missing", "agent_urls array is required", "list one to ten URLs")
	case len(b.AgentURLs) > mostAgents:
		return fieldError(field, "request.value", "agent_urls may list 10 agents at most", "ask in several calls")
	}
	bad := func(s string) bool { return strings.TrimSpace(s) == "" || utf8.RuneCountInString(s) > longestAgent }
	if slices.ContainsFunc(b.AgentURLs, bad) {
		return fieldError(field, "request.value", "agent_urls has an entry that is empty or longer than 2048 characters", "")
	}
	return nil
}

// validateCards answers POST /api/adagents/validate-cards.
func (o *Set) validateCards(ctx context.Context, in *cardsInput) (*cardsReply, error) {
	err := in.Body.check()
	if err != nil {
		return nil, err
	}
	checks, err := o.service.CheckAgents(ctx, in.Body.AgentURLs)
	if err != nil {
		return nil, err
	}
	return &cardsReply{Success: true, Data: cardsData{cardsOf(checks)}, Timestamp: wire.API.Time(o.now())}, nil
}
