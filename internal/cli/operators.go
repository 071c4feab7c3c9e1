package cli

import (
	"context"

	"github.com/avow-project/avow"
	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/resolve"
)

// compareOperators compares what a file says about the paths of its agents with what
// their operators say. Agents that were not asked themselves are left out.
func (c *checker) compareOperators(ctx context.Context, r *result) {
	if c.web.brands == nil || len(r.agents) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, min(c.web.timeout, agentsTimeout))
	defer cancel()
	doc := c.documentOf(r)
	var asked []*agentResult
	var urls []string
	for i := range r.agents {
		switch {
		case r.agents[i].Reach == discover.AgentRefused:
		case doc == nil:
			r.agents[i].operator = operator.Nothing("it is not known whose file it is; name the publisher with --as")
		default:
			asked, urls = append(asked, &r.agents[i]), append(urls, r.agents[i].URL)
		}
	}
	if len(urls) == 0 {
		return
	}
	for i, both := range c.web.brands.Compare(ctx, doc, urls, c.opt.Now) {
		asked[i].operator = both
	}
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
	if publisher == "" {
		return nil
	}
	return &resolve.Document{Publisher: publisher, State: resolve.Usable, File: r.report.File}
}

// onlyPublisher is the publisher that all properties of a file name; empty when they name
// several, or one names none.
func onlyPublisher(f *adagents.File) string {
	if len(f.Properties) == 0 {
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
