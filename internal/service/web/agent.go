package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

const (
	// agentRows is the number of publishers on a page about an agent, and rowContests that of
	// contested identifiers that are shown for one.
	agentRows, rowContests = 50, 3
	// mostReached is how many publishers of an agent are counted for the picture.
	mostReached = 500
	// rowProperties is the number of properties that are named for a publisher.
	rowProperties = 5
)

// agentPage is what is known of an agent.
type agentPage struct {
	URL, Ask string
	// AtHost are other agents at the same host, where the URL has nothing but a host.
	AtHost []foundAgent
	// Known is set when a file names the agent, or did.
	Known      bool
	Publishers int
	Rows       []soldRow
	// Unsettled are publishers that had the agent in their file, and of whom nothing is in
	// effect; UnsettledAll is how many there are.
	Unsettled    []standingView
	UnsettledAll int
	// Loading: others that list the same identifiers are not shown, since not all were read.
	First, Next string
	// Reach has the publishers by how they are found, ReachCut that only the first are counted.
	Reach    []reachBar
	ReachCut bool
}

// A soldRow is a publisher that lets the agent sell something, or does not any more.
type soldRow struct {
	standingView
	What, By string
	Revoked  bool
	Pinned   bool
	Contests []claimView
}

// agentOf reads the URL of an agent from the path of a request. Slashes that were made one are
// two again.
func agentOf(written string) (string, error) {
	scheme, rest, ok := strings.Cut(written, ":/")
	if !ok || strings.ContainsAny(scheme, "./") {
		scheme, rest = "https", written
	}
	return registry.AgentURL(scheme + "://" + strings.TrimLeft(rest, "/"))
}

// agent answers with every publisher that authorizes an agent.
func (p *Pages) agent(w http.ResponseWriter, r *http.Request) {
	written := r.PathValue("url")
	agent, err := agentOf(written)
	if err != nil || len(written) > longestDomain || strings.Contains(agent, "@") {
		w.Header().Set("X-Robots-Tag", "noindex")
		p.fail(w, r, &problemPage{
			Status: http.StatusBadRequest, Title: "That is not the URL of an agent", Message: "Nothing was looked up.",
			Hint: "Write it like https://agent.example/mcp.",
		})
		return
	}
	v := p.view(w, r)
	if v == nil {
		return
	}
	after := r.URL.Query().Get("after")
	rows, next := v.Sold(agent, after, agentRows, rowContests)
	page := &agentPage{
		URL: shortened(agent, longestDomain), Ask: "/ask?" + url.Values{"agent": {agent}}.Encode(), Known: v.HasAgent(agent),
		Publishers: v.PublishersOf(agent),
	}
	page.AtHost = agentsAt(v, agent)
	ink := &pen{findingsBytes}
	for i := range rows {
		page.Rows = append(page.Rows, soldRowOf(&rows[i], ink))
	}
	if after == "" {
		list, n := v.Unsettled(agent, agentRows)
		for i := range list {
			page.Unsettled = append(page.Unsettled, viewOf(&list[i]))
		}
		page.UnsettledAll = n
		reached, more := v.Reach(agent, mostReached)
		page.Reach, page.ReachCut = reachOf(reached), more
	} else {
		page.First = agentURL(agent)
	}
	if next != "" {
		page.Next = agentURL(agent) + "?" + url.Values{"after": {next}}.Encode()
	}
	if v.Err() != nil {
		p.failed(w, r, v.Err(), domainForm{})
		return
	}
	p.render(w, r, http.StatusOK, "agent", page)
}

// agentsAt lists the other agents at the host of an agent whose URL has no path.
func agentsAt(v *ops.View, agent string) []foundAgent {
	u, err := url.Parse(agent)
	if err != nil || strings.Trim(u.Path, "/") != "" {
		return nil
	}
	var list []foundAgent
	found, _ := v.Agents("//"+u.Host, mostFound)
	for _, a := range found {
		other, err := url.Parse(a.URL)
		if err == nil && other.Host == u.Host && a.URL != agent {
			list = append(list, foundAgentOf(&a))
		}
	}
	return list
}

// soldRowOf says what a publisher lets the agent sell.
func soldRowOf(row *ops.SoldRow, ink *pen) soldRow {
	out := soldRow{standingView: viewOf(&row.KnownPublisher), Revoked: row.Revoked, Pinned: row.Pinned}
	if row.Revoked {
		return out
	}
	for _, kind := range row.Types {
		if out.By != "" {
			out.By += ", "
		}
		out.By += typeWords[kind]
	}
	out.What = soldWords(&row.Sold, ink)
	out.Contests = claimsOf(row.Contests, ink).List
	return out
}

// soldWords says how much of a publisher an agent may sell, and what that depends on.
func soldWords(r *resolve.Row, ink *pen) string {
	ids := slices.Concat(r.Authorized, r.Conditional)
	var text string
	switch n := r.AuthorizedCount + r.ConditionalCount; {
	case n == 1 && r.Total == 1:
		text = "its only property"
	case n == r.Total:
		text = "all of its " + words.Plural(n, "property", "properties")
	default:
		names := make([]string, 0, rowProperties)
		for _, id := range ids[:min(len(ids), rowProperties)] {
			names = append(names, ink.line(id, longestItem))
		}
		text = words.Thousands(n) + " of " + words.Plural(r.Total, "property", "properties")
		if len(names) > 0 {
			text += ": " + strings.Join(names, ", ")
		}
		if n > len(names) {
			text += " …"
		}
	}
	if limits := r.Limited.Strings(); len(limits) > 0 {
		text += "; limited by " + strings.Join(limits, ", ")
	}
	return text
}

// typeWords are the authorization types for people.
var typeWords = map[adagents.AuthorizationType]string{
	adagents.ByPropertyIDs: "ids", adagents.ByPropertyTags: "tags", adagents.ByInlineProperties: "properties in the entry",
	adagents.ByPublisherProperties: "publisher",
}
