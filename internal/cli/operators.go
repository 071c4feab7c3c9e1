package cli

import (
	"context"
	"sync"

	"github.com/avow-project/avow"
	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/brand"
	"github.com/avow-project/avow/internal/hostname"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/resolve"
)

// operatorsAtOnce is the number of operators that are asked at the same time.
const operatorsAtOnce = 8

// compareOperators compares what a file says about the paths of its agents with what
// their operators say. Agents that were not asked themselves are left out.
func (c *checker) compareOperators(ctx context.Context, r *result) {
	if c.web.brands == nil || len(r.agents) == 0 {
		return
	}
	doc := c.documentOf(r)
	ctx, cancel := context.WithTimeout(ctx, min(c.web.timeout, agentsTimeout))
	defer cancel()
	reader := c.web.brands.Round()
	slots := make(chan struct{}, operatorsAtOnce)
	var all sync.WaitGroup
	for i := range r.agents {
		agent := &r.agents[i]
		if agent.Reach == discover.AgentRefused {
			continue
		}
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			agent.operator = c.compareAgent(ctx, reader, doc, agent.URL)
		})
	}
	all.Wait()
}

func (c *checker) compareAgent(ctx context.Context, reader *brand.Reader, doc *resolve.Document, agent string) *operator.Comparison {
	if doc == nil {
		return operator.Compare(&operator.Statement{Detail: "whose file it is is not known; name the publisher with --as"}, nil)
	}
	answer, err := resolve.Judge(doc, resolve.Question{Publisher: doc.Publisher, Agent: agent, At: c.opt.Now})
	if err != nil {
		return operator.Compare(&operator.Statement{Detail: err.Error()}, nil)
	}
	nothing := operator.Compare(&operator.Statement{Detail: "the file lets the agent sell no property of " + doc.Publisher}, answer.Grants)
	if len(nothing.Paths) == 0 {
		return nothing
	}
	return operator.Compare(reader.Operator(ctx, agentAsWritten(doc.File, agent), "", c.opt.Now), answer.Grants)
}

// agentAsWritten is the URL of an agent as the file has it.
func agentAsWritten(f *adagents.File, agent string) string {
	for i := range f.Agents {
		url, _, err := hostname.CanonicalURL(f.Agents[i].URL)
		if err == nil && url == agent {
			return f.Agents[i].URL
		}
	}
	return agent
}

// documentOf returns the file of a result as the one of its publisher; nil when it is not
// known whose file it is.
func (c *checker) documentOf(r *result) *resolve.Document {
	if r.found != nil && r.found.Domain != "" {
		return avow.DocumentOf(r.found.Domain, r.found)
	}
	publisher := c.opt.Domain
	if publisher == "" {
		publisher = onlyPublisher(r.report.File)
	}
	if publisher == "" || r.report.File == nil {
		return nil
	}
	return &resolve.Document{Publisher: publisher, State: resolve.Usable, File: r.report.File}
}

// onlyPublisher is the publisher that all properties of a file name; empty when they name
// several, or one names none.
func onlyPublisher(f *adagents.File) string {
	if f == nil || len(f.Properties) == 0 {
		return ""
	}
	only := f.Properties[0].PublisherDomain
	for i := range f.Properties {
		if f.Properties[i].PublisherDomain != only {
			return ""
		}
	}
	return only
}
