package discover

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// cardPath is where an agent's host describes its agent for the A2A protocol.
const cardPath = "/.well-known/agent-card.json"

// initialize opens an MCP session. No session is used afterwards; servers forget
// unused ones.
const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
	`"capabilities":{},"clientInfo":{"name":"avow","version":"1"}}}`

// eventStream is the media type of an answer that comes as a stream of events.
const eventStream = "text/event-stream"

// A probing is one round of questions to agents. The card belongs to the host and
// is asked for once, however many agents the host has.
type probing struct {
	f     *Finder
	mu    sync.Mutex
	cards map[string]func() *fetch.Result // by origin
}

// card returns the result of asking an origin for its card, and whether this call
// made the request.
func (p *probing) card(ctx context.Context, origin string) (*fetch.Result, bool) {
	asked := false
	p.mu.Lock()
	get := p.cards[origin]
	if get == nil {
		get = sync.OnceValue(func() *fetch.Result {
			asked = true
			return p.f.getter.Get(ctx, fetch.Request{URL: origin + cardPath, MaxBytes: maxCard, Once: true})
		})
		p.cards[origin] = get
	}
	p.mu.Unlock()
	r := get()
	return r, asked
}

// ask asks one agent in both ways.
func (p *probing) ask(ctx context.Context, c *AgentCheck) {
	if ctx.Err() != nil {
		c.Message = "not checked: time ran out"
		return
	}
	began := time.Now()
	card, asked := p.card(ctx, originOf(c.URL))
	c.Card = readCard(card, c)
	if asked {
		c.Exchanges = append(c.Exchanges, card.Exchanges...)
	}
	last, hint := card, ""
	if hopeless(card.Outcome) {
		c.MCP = c.Card
	} else {
		mcp := p.f.getter.Get(ctx, fetch.Request{
			URL: c.URL, MaxBytes: maxCard, Once: true, Post: []byte(initialize),
			MediaTypes: []string{"application/json", eventStream},
		})
		c.MCP = readInitialize(mcp, c)
		c.Exchanges = append(c.Exchanges, mcp.Exchanges...)
		last = mcp
		hint = p.endpoints(ctx, c, card)
	}
	c.Took = time.Since(began)
	c.conclude(last)
	if hint != "" {
		c.Hint = hint
	}
}

// usualPath is where most agents answer MCP.
const usualPath = "/mcp"

// endpoints returns a hint with the endpoints of an agent whose URL is only an origin and does not answer
// MCP: its card may name one, and another may be at the usual path.
func (p *probing) endpoints(ctx context.Context, c *AgentCheck, card *fetch.Result) string {
	origin := originOf(c.URL)
	if c.URL != origin+"/" || c.MCP != NotSpoken {
		return ""
	}
	var found []string
	r := p.f.getter.Get(ctx, fetch.Request{
		URL: origin + usualPath, MaxBytes: maxCard, Once: true, Post: []byte(initialize),
		MediaTypes: []string{"application/json", eventStream},
	})
	c.Exchanges = append(c.Exchanges, r.Exchanges...)
	switch readInitialize(r, c) {
	case Spoken, Challenged:
		found = append(found, origin+usualPath)
	}
	if named := namedEndpoint(card, origin); named != "" && named != origin+usualPath {
		found = append(found, named)
	}
	switch len(found) {
	case 0:
		return ""
	case 1:
		return "list " + found[0] + ", where the agent answers: buyers compare the whole URL that they call"
	}
	return "list " + found[0] + " for MCP and " + found[1] +
		" for A2A, one entry each: buyers compare the whole URL that they call"
}

// originOf cuts the path off a canonical URL.
func originOf(url string) string {
	const scheme = "https://"
	rest := strings.TrimPrefix(url, scheme)
	return scheme + rest[:strings.IndexByte(rest, '/')]
}

// hopeless reports whether another request to the same host would end the same
// way.
func hopeless(o fetch.Outcome) bool {
	switch o {
	case fetch.GuardedAddress, fetch.BadURL, fetch.NameNotFound, fetch.TLSFailure, fetch.Cancelled:
		return true
	}
	return false
}

// replyOf says what an answer other than 200 means.
func replyOf(r *fetch.Result) Reply {
	switch r.Outcome {
	case fetch.GuardedAddress, fetch.BadURL:
		return Refused
	case fetch.NoTurn:
		return NotAsked
	case fetch.Forbidden:
		if r.Last().Challenge != "" {
			return Challenged
		}
	case fetch.RateLimited, fetch.ServerError, fetch.Timeout, fetch.Unreachable, fetch.NameNotFound,
		fetch.TLSFailure, fetch.Incomplete, fetch.BadMessage, fetch.Cancelled:
		return NoReply
	}
	return NotSpoken
}

// conclude sums both replies up. last is the result that says best why the agent
// was not reached.
func (c *AgentCheck) conclude(last *fetch.Result) {
	has := func(r Reply) bool { return c.Card == r || c.MCP == r }
	switch {
	case has(Spoken):
		c.Reach = AgentReachable
		c.Message = "answers " + map[bool]string{true: "MCP", false: "with an A2A card"}[c.MCP == Spoken]
		if c.Card == c.MCP {
			c.Message = "answers MCP and has an A2A card"
		}
	case has(Challenged):
		c.Reach, c.Message = AgentNeedsCredentials, "answers and asks for credentials"
	case has(NotAsked):
		c.Message = "not checked: time ran out before all requests to its site were made"
		if last.Last().Reason == fetch.BudgetSpent {
			c.Message = "not checked: the number of requests for one question is used up"
		}
	case has(NotSpoken):
		c.Reach = AgentUnreachable
		c.Message = "the host answers, but neither with an A2A card nor to an MCP initialize"
		c.Hint = "check the path of the URL, and that the server lets programs in"
	case has(Refused):
		c.Reach, c.Message = AgentRefused,
			"the host does not lead to the public internet, or the port is not one of web servers"
		c.Hint = "serve the agent from a public host name over https"
	default:
		h := &Hop{Step: Authoritative, URL: c.URL, Result: last}
		why := explain(h).within(h)
		c.Reach, c.Message, c.Hint = AgentUnreachable, why.message, codes()[why.code].Hint
	}
}

// readObject reads the JSON object that an agent answers with.
func readObject(body []byte) (jsontree.Value, bool) {
	tree, err := jsontree.Parse(body, jsontree.Options{MaxBytes: maxCard})
	if err != nil {
		return jsontree.Value{}, false
	}
	return tree.Root(), tree.Root().Is(jsontree.Object)
}

// readCard looks for an A2A card: an object that gives the agent a name or a URL.
func readCard(r *fetch.Result, c *AgentCheck) Reply {
	if r.Outcome != fetch.Found {
		return replyOf(r)
	}
	card, ok := readObject(r.Body)
	if !ok {
		return NotSpoken
	}
	name, url := card.Get("name").Str(), card.Get("url").Str()
	if name == "" && url == "" {
		return NotSpoken
	}
	c.Name = name
	return Spoken
}

// namedEndpoint returns the URL in the card of an origin, if it is a path there.
func namedEndpoint(r *fetch.Result, origin string) string {
	card, ok := readObject(r.Body)
	if r.Outcome != fetch.Found || !ok {
		return ""
	}
	url, info, err := hostname.CanonicalURL(card.Get("url").Str())
	if err != nil || info.HasUserinfo || info.HasFragment || !strings.HasPrefix(url, origin+"/") || url == origin+"/" {
		return ""
	}
	return url
}

// readInitialize looks for the answer to an MCP initialize, which comes as JSON or
// as an event of a stream. A stream that the server keeps open never ends in time;
// that it has begun is answer enough.
func readInitialize(r *fetch.Result, c *AgentCheck) Reply {
	x := r.Last()
	if r.Outcome != fetch.Found {
		open := r.Outcome == fetch.Timeout || r.Outcome == fetch.Incomplete
		if open && x.Status == http.StatusOK && x.MediaType == eventStream {
			return Spoken
		}
		return replyOf(r)
	}
	for answer := range messages(r) {
		if !answer.Get("result").Get("protocolVersion").Is(jsontree.String) {
			continue
		}
		if c.Name == "" {
			c.Name = answer.Get("result").Get("serverInfo").Get("name").Str()
		}
		return Spoken
	}
	return NotSpoken
}

// events returns the data of each event of a stream.
func events(stream []byte) [][]byte {
	stream = bytes.ReplaceAll(stream, []byte("\r\n"), []byte("\n"))
	stream = bytes.ReplaceAll(stream, []byte("\r"), []byte("\n"))
	var list [][]byte
	var data []byte
	for line := range bytes.SplitSeq(append(stream, '\n', '\n'), []byte("\n")) {
		if len(line) == 0 {
			if data != nil {
				list = append(list, data)
			}
			data = nil
			continue
		}
		text, found := bytes.CutPrefix(line, []byte("data:"))
		if found {
			data = append(append(data, bytes.TrimPrefix(text, []byte(" "))...), '\n')
		}
	}
	return list
}
