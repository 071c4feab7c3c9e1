package check

import (
	"context"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/websource"
	"github.com/avow-project/avow/resolve"
)

// compareOperators compares what a file says about the paths of its agents with what
// their operators say. Agents that were not asked themselves are left out.
func compareOperators(ctx context.Context, web *request.Asker, opt *adagents.Options, r *Result) {
	if web.Brands == nil || len(r.Agents) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, min(web.Timeout, request.AgentsTimeout))
	defer cancel()
	doc := documentOf(r, opt.Domain)
	var asked []*AgentResult
	var urls []string
	for i := range r.Agents {
		switch {
		case r.Agents[i].Reach == discover.AgentRefused:
		case doc == nil:
			r.Agents[i].Operator = operator.Nothing("it is not known whose file it is; name the publisher with --as")
		default:
			asked, urls = append(asked, &r.Agents[i]), append(urls, r.Agents[i].URL)
		}
	}
	if len(urls) == 0 {
		return
	}
	for i, both := range web.Brands.Compare(ctx, doc, urls, opt.Now) {
		asked[i].Operator = both
	}
}

// documentOf returns the file of a result as the one of its publisher; nil when it is not
// known whose file it is. publisher is the one that the user names, if any.
func documentOf(r *Result, publisher string) *resolve.Document {
	if r.Found != nil && r.Found.Domain != "" {
		return websource.DocumentOf(r.Found.Domain, r.Found)
	}
	if publisher == "" {
		publisher = onlyPublisher(r.Report.File)
	}
	if publisher == "" {
		return nil
	}
	return &resolve.Document{Publisher: publisher, State: resolve.Usable, File: r.Report.File}
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
