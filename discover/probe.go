package discover

import (
	"context"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/hostname"
)

// Limits of a check of agents. A file may list more agents than anybody wants to
// be asked about in one go.
const (
	// MaxAgents is the number of agents that are asked; others stay unchecked.
	MaxAgents = 100
	// agentsAtOnce is the number of agents that are asked at the same time.
	agentsAtOnce = 8
	// agentsTime is how long it may take in all unless ProbeOptions says so.
	agentsTime = 20 * time.Second
	// maxCard is the size limit of what an agent answers.
	maxCard = 1_000_000
)

// ProbeOptions are what a check of agents may ask for. The zero value is ready
// for use.
type ProbeOptions struct {
	// Limit is the time for all agents together; zero means 20 seconds.
	Limit time.Duration
	// Most is the number of agents that are asked; the others stay unchecked. Zero,
	// and more than that, means MaxAgents; below zero, none is asked.
	Most int
}

// A Reach says whether an agent could be reached.
type Reach uint8

// The reaches of an agent.
const (
	// AgentUnchecked: it was not asked, because there are too many or time ran
	// out.
	AgentUnchecked Reach = iota
	// AgentReachable: it answers as an agent does.
	AgentReachable
	// AgentNeedsCredentials: it answers and asks for credentials, as an agent may.
	AgentNeedsCredentials
	// AgentUnreachable: it does not answer, or not as an agent does.
	AgentUnreachable
	// AgentRefused: it was not asked, because the URL or the address behind it is
	// refused.
	AgentRefused
)

var reachNames = [...]string{
	AgentUnchecked: "unchecked", AgentReachable: "reachable", AgentNeedsCredentials: "reachable_with_credentials",
	AgentUnreachable: "unreachable", AgentRefused: "refused",
}

// String returns the stable name.
func (r Reach) String() string { return reachNames[r] }

// MarshalText returns the stable name.
func (r Reach) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// A Reply says what became of one way to ask an agent.
type Reply uint8

// The replies.
const (
	// NotAsked: nothing was sent.
	NotAsked Reply = iota
	// Spoken: the answer is of the protocol.
	Spoken
	// Challenged: the answer asks for credentials.
	Challenged
	// NotSpoken: there is an answer, and it is not of the protocol.
	NotSpoken
	// NoReply: there is no answer, or the server has a problem.
	NoReply
	// Refused: the URL or the address is refused.
	Refused
)

var replyNames = [...]string{
	NotAsked: "not_asked", Spoken: "spoken", Challenged: "credentials_required", NotSpoken: "not_spoken",
	NoReply: "no_reply", Refused: "refused",
}

// String returns the stable name.
func (r Reply) String() string { return replyNames[r] }

// MarshalText returns the stable name.
func (r Reply) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// An AgentCheck is what is known about one agent.
type AgentCheck struct {
	// URL is the agent's in canonical form, without credentials. One that has no such
	// form is as it was given; it is outside text.
	URL   string
	Reach Reach
	// Card is about the A2A card of the agent's host, MCP about the agent's
	// endpoint.
	Card, MCP Reply
	// Name is what the agent calls itself. It is outside text.
	Name string
	// Message says what is known, and Hint what to do about it. Both are safe
	// to show.
	Message, Hint string
	// Took is the time it took.
	Took time.Duration
	// Exchanges are the requests that were made.
	Exchanges []Exchange
}

// Public returns the check as an untrusted caller may see it: an address that is
// refused is just one that could not connect to, and nothing is said about
// the connections.
func (c *AgentCheck) Public() AgentCheck {
	public := *c
	public.Exchanges = nil
	if c.Reach == AgentRefused && len(c.Exchanges) > 0 {
		general := publicCause(c.URL)
		public.Reach, public.Card, public.MCP = AgentUnreachable, NoReply, NoReply
		public.Message, public.Hint = general.message, codes()[general.code].Hint
	}
	return public
}

// Agents asks each of the agents, once, whether it is there: for its A2A card at
// /.well-known/agent-card.json of its host, then with an MCP initialize at its
// URL. An answer that asks for credentials is one from an agent, too. Agents that
// differ only in spelling are one; the order is that of their first mention. At
// most MaxAgents are asked, eight at a time.
func (f *Finder) Agents(ctx context.Context, agents []string, o ProbeOptions) []AgentCheck {
	limit := o.Limit
	if limit <= 0 {
		limit = agentsTime
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	checks := distinctAgents(agents, o.most())
	p := &probing{f: f, cards: make(map[string]func() *fetch.Result)}
	slots := make(chan struct{}, agentsAtOnce)
	var all sync.WaitGroup
	for i := range checks {
		c := &checks[i]
		if c.Reach != AgentUnchecked || c.Message != "" {
			continue
		}
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			p.ask(ctx, c)
		})
	}
	all.Wait()
	return checks
}

// most returns how many agents are asked.
func (o *ProbeOptions) most() int {
	if o.Most == 0 {
		return MaxAgents
	}
	return min(max(o.Most, 0), MaxAgents)
}

// distinctAgents returns one check for each agent, and settles those that are not
// asked.
func distinctAgents(agents []string, most int) []AgentCheck {
	var checks []AgentCheck
	seen := make(map[string]bool)
	asked := 0
	for _, agent := range agents {
		c := newCheck(agent)
		if seen[c.URL] {
			continue
		}
		seen[c.URL] = true
		if c.Reach == AgentUnchecked {
			asked++
		}
		if asked > most && c.Reach == AgentUnchecked {
			c.Message = "not checked: there are too many agents to ask all of them"
		}
		checks = append(checks, c)
	}
	return checks
}

// newCheck refuses an agent whose URL cannot be asked.
func newCheck(agent string) AgentCheck {
	canonical, info, err := hostname.CanonicalURL(agent)
	refused := AgentCheck{URL: canonical, Reach: AgentRefused, Card: Refused, MCP: Refused,
		Hint: "write the https URL of the agent's endpoint"}
	switch {
	case err != nil:
		refused.URL, refused.Message = agent, "not asked: the URL "+err.Error()
	case info.Scheme != "https":
		refused.Message = "not asked: the URL is not https"
	case info.HasUserinfo:
		refused.Message = "not asked: the URL contains a user name or password"
	default:
		return AgentCheck{URL: canonical}
	}
	return refused
}
