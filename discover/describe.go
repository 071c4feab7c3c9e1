package discover

import (
	"context"

	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// What is asked of an agent after initialize; the first of them within a session alone.
const (
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	listTools   = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
)

// maxTools is the number of tools in a description.
const maxTools = 100

// An AgentTool is something that an agent can do. Its texts are outside text.
type AgentTool struct{ Name, Description string }

// An AgentDescription is what an agent says about itself.
type AgentDescription struct {
	AgentCheck
	// Description is that of its A2A card. It is outside text.
	Description string
	// Tools are the first of those that it lists over MCP, 100 at most.
	Tools []AgentTool
}

// Describe asks an agent like Agents, and then for its tools, if it speaks MCP. It makes five
// requests at most.
func (f *Finder) Describe(ctx context.Context, agent string) *AgentDescription {
	d := &AgentDescription{AgentCheck: newCheck(agent)}
	if d.Reach == AgentRefused {
		return d
	}
	p := &probing{f: f, cards: make(map[string]func() *fetch.Result)}
	p.ask(ctx, &d.AgentCheck)
	if d.Card == Spoken {
		r, _ := p.card(ctx, originOf(d.URL))
		card, _ := readObject(r.Body)
		d.Description = card.Get("description").Str()
	}
	if d.MCP == Spoken {
		d.Tools = p.tools(ctx, d.URL, d.Exchanges[len(d.Exchanges)-1].Session)
	}
	return d
}

// tools asks an endpoint for its tools. A server that has opened a session is told first that
// the client is ready; without one it remembers nothing.
func (p *probing) tools(ctx context.Context, url, session string) []AgentTool {
	post := func(message string) *fetch.Result {
		return p.f.getter.Get(ctx, fetch.Request{
			URL: url, MaxBytes: maxCard, Once: true, Post: []byte(message), Session: session,
			MediaTypes: []string{"application/json", eventStream},
		})
	}
	if session != "" {
		post(initialized)
	}
	var list []AgentTool
	for answer := range messages(post(listTools)) {
		for _, tool := range answer.Get("result").Get("tools").Elems() {
			name := tool.Get("name").Str()
			if name != "" && len(list) < maxTools {
				list = append(list, AgentTool{name, tool.Get("description").Str()})
			}
		}
	}
	return list
}

// messages goes through the objects of JSON-RPC in an answer, which comes as JSON or as a
// stream of events.
func messages(r *fetch.Result) func(yield func(jsontree.Value) bool) {
	return func(yield func(jsontree.Value) bool) {
		list := [][]byte{r.Body}
		if r.Last().MediaType == eventStream {
			list = events(r.Body)
		}
		for _, m := range list {
			answer, ok := readObject(m)
			if ok && answer.Get("jsonrpc").Str() == "2.0" && !yield(answer) {
				return
			}
		}
	}
}
