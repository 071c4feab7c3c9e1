package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// agentResult is an agent of a file: whether it can be reached and, if that was asked, what
// its operator says.
type agentResult struct {
	discover.AgentCheck
	operator *operator.Comparison
}

// addAgents fills in what was found out about the agents; nil when nobody asked.
func (r *result) addAgents(checks []discover.AgentCheck) {
	if checks == nil {
		return
	}
	r.agents = make([]agentResult, len(checks))
	for i := range checks {
		r.agents[i].AgentCheck = checks[i]
	}
}

// jsonAgent is what was found out about an agent's endpoint.
type jsonAgent struct {
	URL string `json:"url"`
	// Reach says whether it could be reached, Card and MCP what became of the
	// two ways to ask it.
	Reach   string         `json:"reach"`
	Card    string         `json:"card"`
	MCP     string         `json:"mcp"`
	Name    string         `json:"name,omitempty"`
	Message string         `json:"message"`
	Hint    string         `json:"hint,omitempty"`
	Took    float64        `json:"ms"`
	Asked   []jsonExchange `json:"exchanges"`
	// Operator is there when the agent's operator was asked too.
	Operator *jsonOperator `json:"operator,omitempty"`
}

func agentsForJSON(list []agentResult) []jsonAgent {
	docs := make([]jsonAgent, 0, len(list))
	for i := range list {
		docs = append(docs, agentForJSON(&list[i].AgentCheck, list[i].operator))
	}
	return docs
}

func agentForJSON(c *discover.AgentCheck, both *operator.Comparison) jsonAgent {
	doc := jsonAgent{
		URL: redact.URL(c.URL), Reach: c.Reach.String(), Card: c.Card.String(), MCP: c.MCP.String(), Name: c.Name,
		Message: redact.Credentials(c.Message), Hint: redact.Credentials(c.Hint), Took: inMilliseconds(c.Took), Asked: []jsonExchange{},
		Operator: operatorForJSON(both),
	}
	for i := range c.Exchanges {
		doc.Asked = append(doc.Asked, exchangeForJSON(&c.Exchanges[i]))
	}
	return doc
}

// agents writes what was found out about the endpoints of a file.
func (h *textHandler) agents(r *result) error {
	if h.quiet {
		return nil
	}
	return writeAgents(h.w, h.paint, r.agents)
}

// writeAgents writes a line per endpoint, with advice for those that do not
// answer.
func writeAgents(w io.Writer, paint style, list []agentResult) error {
	if len(list) == 0 {
		return nil
	}
	var width, reach int
	for i := range list {
		width = max(width, textsafe.Width(shownURL(list[i].URL)))
		reach = max(reach, len(reachWords(list[i].Reach)))
	}
	_, err := fmt.Fprintf(w, "\n%s\n", paint.bold("agents"))
	for i := range list {
		c := &list[i]
		words := padded(reachWords(c.Reach), reach)
		switch c.Reach {
		case discover.AgentReachable, discover.AgentNeedsCredentials:
			words = paint.green(words)
		case discover.AgentUnchecked:
			words = paint.dim(words)
		default:
			words = paint.red(words)
		}
		fmt.Fprintf(w, "  %s  %s  %s\n", padded(shownURL(c.URL), width), words, milliseconds(c.Took))
		if c.Message != "" {
			fmt.Fprintf(w, "    %s\n", safe(redact.Credentials(c.Message)))
		}
		if c.Hint != "" {
			fmt.Fprintf(w, "    %s %s\n", paint.dim("hint:"), safe(redact.Credentials(c.Hint)))
		}
		if c.operator != nil {
			fmt.Fprintf(w, "    %s\n", strings.Join(operatorLines(paint, c.operator), "\n    "))
		}
	}
	return err
}

// reachWords is the name of a reach for people.
func reachWords(r discover.Reach) string { return strings.ReplaceAll(r.String(), "_", " ") }
