package registry

import (
	"context"
	"slices"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
)

// requestsPerAgent is how many requests the check of one agent takes: for its card,
// and to its endpoint.
const requestsPerAgent = 2

// A probe is a check of the agents of a file, made once for all who ask about the same
// answer.
type probe struct {
	done   chan struct{}
	checks []discover.AgentCheck
	// cut is set when the time was over before all had answered.
	cut bool
}

// complete reports whether every agent had its chance to answer.
func (p *probe) complete() bool {
	unchecked := func(c discover.AgentCheck) bool { return c.Reach == discover.AgentUnchecked }
	return !p.cut && !slices.ContainsFunc(p.checks, unchecked)
}

// probeOnce asks whether the agents of a file can be reached, or waits for another call
// that does. It returns false when the caller's time is over before.
func (s *Service) probeOnce(ctx context.Context, c *checked) (*probe, bool) {
	urls := agentsOf(c.discovery)
	if len(urls) == 0 {
		return &probe{}, true
	}
	p := s.startProbe(ctx, c, urls)
	if p == nil {
		return &probe{checks: uncheckedAgents(urls), cut: true}, false
	}
	select {
	case <-p.done:
		return p, true
	case <-ctx.Done():
		return &probe{checks: uncheckedAgents(urls), cut: true}, false
	}
}

// startProbe returns the check of the agents of an answer, which may be under way. It
// is nil when the service ends.
func (s *Service) startProbe(ctx context.Context, c *checked, urls []string) *probe {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.probe != nil {
		return c.probe
	}
	p := &probe{done: make(chan struct{})}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits.probe)
	stop := context.AfterFunc(s.ctx, cancel)
	started := s.start(func() {
		defer close(p.done)
		defer cancel()
		defer stop()
		p.checks = s.probeAgents(ctx, urls)
		p.cut = ctx.Err() != nil
	})
	if !started {
		stop()
		cancel()
		return nil
	}
	c.probe = p
	return p
}

// probeAgents asks as many agents as there are requests left for.
func (s *Service) probeAgents(ctx context.Context, urls []string) []discover.AgentCheck {
	o := discover.ProbeOptions{Limit: s.limits.probe}
	left, limited := fetch.BudgetLeft(ctx)
	if limited {
		o.Most = left / requestsPerAgent
		if o.Most == 0 {
			o.Most = -1
		}
	}
	return s.config.Finder.Agents(ctx, urls, o)
}

// CheckAgents asks agents by their URLs whether they can be reached, as many as the
// budget of one call allows. The others stay unchecked.
func (s *Service) CheckAgents(ctx context.Context, agents []string) ([]discover.AgentCheck, error) {
	ctx, cancel := context.WithTimeout(budgeted(ctx), s.limits.call)
	defer cancel()
	err := ctx.Err()
	if err != nil {
		return nil, err
	}
	return s.probeAgents(ctx, agents), nil
}

// DescribeAgent asks an agent what it is and what it can do, and returns with it how many
// publishers have an entry for it, as far as that is known at once.
func (s *Service) DescribeAgent(ctx context.Context, agent string) (*discover.AgentDescription, int, error) {
	url, err := AgentURL(agent)
	if err != nil {
		return nil, 0, err
	}
	limited, cancel := context.WithTimeout(budgeted(ctx), s.limits.call)
	defer cancel()
	d := s.config.Finder.Describe(limited, url)
	switch d.Public().Reach {
	case discover.AgentReachable, discover.AgentNeedsCredentials:
	case discover.AgentRefused:
		return nil, 0, &Error{Kind: Invalid, Code: "invalid_agent", Message: "Invalid agent URL", Hint: d.Hint}
	case discover.AgentUnchecked:
		return nil, 0, Soon("agent.not_asked", "The agent was not asked: its site is asked too often at present")
	default:
		return nil, 0, noDescription(d)
	}
	count := 0
	if s.directory != nil {
		v, err := s.directory.View(ctx)
		if err == nil {
			count = v.Agent(url).Publishers
		}
	}
	return d, count, nil
}

// noDescription says why an agent has not described itself: it has answered with something
// else, or has not answered, for whatever reason.
func noDescription(d *discover.AgentDescription) error {
	if d.Card == discover.NotSpoken || d.MCP == discover.NotSpoken {
		return &Error{Kind: Upstream, Code: "agent.not_spoken", Message: "Agent discovery failed",
			Explanation: "The host answers, but neither with an A2A card nor to an MCP initialize.", Hint: d.Hint}
	}
	return &Error{Kind: NoAnswer, Code: "agent.no_answer", Message: "Connection timeout",
		Explanation: "Agent did not respond within 10 seconds",
		Hint:        "check the URL, and that the agent can be reached from the public internet"}
}

// agentsOf returns the URLs of the agents in a usable file.
func agentsOf(d *discover.Discovery) []string {
	if d.Report == nil || d.Report.File == nil {
		return nil
	}
	var urls []string
	for i := range d.Report.File.Agents {
		url := d.Report.File.Agents[i].URL
		if url != "" && !slices.Contains(urls, url) {
			urls = append(urls, url)
		}
		if len(urls) > discover.MaxAgents {
			break
		}
	}
	return urls
}

func uncheckedAgents(urls []string) []discover.AgentCheck {
	out := make([]discover.AgentCheck, len(urls))
	for i, url := range urls {
		out[i] = discover.AgentCheck{URL: url, Message: "not checked: time ran out", Hint: "ask again in a few seconds"}
	}
	return out
}
