package ops

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

// aMinute is how long caches may keep what the directory says.
const aMinute = "public, max-age=60"

func (o *Set) directoryOperations() []Operation {
	read := func(path, id, query, summary, description string) Operation {
		return Operation{
			HTTP: "GET " + path, Name: id, Tag: "directory", Class: edge.Read, Cache: aMinute,
			Example: query, Summary: summary, Description: description,
		}
	}
	inverse := "Lists the publishers whose file in effect lets the agent sell something, in alphabetical order, with " +
		"how much. A publisher of which nothing is in effect is not listed, " +
		"which is not a no: include=standing lists those that had the agent in their file as unsettled, and says how every " +
		"publisher stands. The answer is 404 when no file is known to name the agent."
	publishers := read("/v1/agents/{agent_url}/publishers", "agent_publishers", "limit=2",
		"The publishers of an agent", inverse)
	publishers.Statuses = []int{http.StatusNotFound}
	legacy := publishers
	publishers.Tool = Tool{
		"get_agent_publishers", "All publishers of one agent, in detail",
		"Lists the publishers whose file lets an agent sell something now: for each, how many properties, under which " +
			"conditions, how the file was found and when it was last confirmed. Use get_agent_domains for the names alone, " +
			"and get_agent_authorizations for the entries at one publisher.",
	}
	legacy.HTTP, legacy.Name, legacy.Description = "GET /api"+publishers.Path(), "agent_publishers_api",
		"The same as "+publishers.HTTP+", under the path that older clients use."
	tool := func(op Operation, name, title, text string) Operation {
		op.Tool = Tool{name, title, text}
		return op
	}
	return append([]Operation{
		Define(publishers, o.agentPublishers),
		Define(legacy, o.agentPublishers),
		Define(read("/api/registry/authorizations", "authorizations", "agent_url=https://agent.example/mcp",
			"What publishers authorize an agent for",
			"Has a row for each publisher and authorization type that lets the agent sell something, with its limits and the "+
				"keys that the publisher lists for it. An agent that no file names has no rows."), o.authorizations),
		Define(tool(read("/api/registry/publishers", "publishers", "limit=2", "All publishers that are known",
			"Lists publishers in alphabetical order, each with how it stands: also those that have no file, cannot be "+
				"reached, or were only named by others."),
			"list_publishers", "All publishers, with their agents",
			"Lists all publishers known here with the URLs of their agents and the state of their files. Use list_properties "+
				"for how much inventory each has, and get_agent_publishers for those of one agent."), o.publishers),
		Define(tool(read("/api/registry/agents", "agents", "limit=2", "All agents that are known",
			"Lists the agents that a file in effect lets sell something, in alphabetical order."),
			"list_agents", "All agents",
			"Lists the agents that some publisher's file lets sell something now, with how many publishers each has; use it "+
				"to find an agent's URL. All are of the type sales. Use lookup_domain for the agents of one publisher."), o.agents),
		Define(read("/api/registry/agents/search", "agents_search", "limit=2", "Search agents",
			"Lists agents by URL, with what is known about their inventory. Members that no file declares are empty, and a "+
				"filter on them matches nothing."), o.agentsSearch),
		Define(read("/api/registry/stats", "stats", "", "How much is known",
			"Counts publishers by their state and by the age of the last look, agents, authorizations and properties. Of more "+
				"than 1,000 publishers the numbers may be ten seconds old."), o.stats),
	}, append(o.directoryLookups(read), o.batchOperations()...)...)
}

// Gap says what an answer of the directory rests on, for those who read it as text.
type Gap struct {
	Known int    `json:"known_publishers" doc:"How many publishers were looked at here; what is not listed may be unknown, which is not a no."`
	Note  string `json:"note,omitempty" doc:"What to do when the directory is empty."`
	view  *directory.View
}

// emptyDirectory is what is said by a directory of nothing.
const emptyDirectory = "this directory is empty: it has the publishers that were asked about here. Ask about a " +
	"publisher with lookup_domain, or use the tools of a registry that looks at many"

func gapOf(v *directory.View) Gap { return Gap{view: v} }

// RestsOn returns the gap.
func (g Gap) RestsOn() Gap {
	if g.view != nil {
		g.Known = g.view.Stats().Known()
	}
	if g.Known == 0 {
		g.Note = emptyDirectory
	}
	return g
}

type agentPublishersInput struct {
	AgentURL string   `path:"agent_url" doc:"The URL of the agent, percent-encoded as a whole."`
	Since    string   `query:"since" maxLength:"64" doc:"Leave out publishers that were not confirmed since this time, RFC 3339."`
	Cursor   string   `query:"cursor" maxLength:"512" doc:"next_cursor of the page before."`
	Status   []string `query:"status" maxItems:"2" doc:"authorized, which is the default, or revoked; repeat the parameter for both."`
	Limit    string   `query:"limit" maxLength:"20" toolDefault:"20" doc:"How many to list, 1000 at most; 200 unless it is a positive number."`
	Include  []string `query:"include" maxItems:"2" doc:"properties adds the ids of the properties, standing how each publisher stands and who is unsettled; repeat the parameter for both."`
}

// agentPublishersReply is the answer of the inverse lookup.
type agentPublishersReply struct {
	Gap                `json:"-"`
	AgentURL           string                    `json:"agent_url" doc:"The agent in canonical form."`
	DirectoryIndexedAt *string                   `json:"directory_indexed_at" format:"date-time" doc:"The latest last_verified_at of this page; null for none."`
	Publishers         []agentPublisher          `json:"publishers"`
	NextCursor         *string                   `json:"next_cursor" doc:"Where the next page begins; null after the last."`
	Unsettled          *[]wire.PublisherStanding `json:"unsettled,omitzero" doc:"Publishers that had the agent in their file, and of which nothing is in effect at present; with include=standing, on the first page, 1000 at most."`
	UnsettledTotal     *int                      `json:"unsettled_total,omitzero" doc:"How many there are."`
}

// agentPublisher is a publisher of an agent.
type agentPublisher struct {
	PublisherDomain string  `json:"publisher_domain"`
	DiscoveryMethod string  `json:"discovery_method" enum:"direct,authoritative_location,ads_txt_managerdomain" doc:"The way to the file that says so."`
	ManagerDomain   *string `json:"manager_domain" doc:"Who serves the file; null for the publisher itself."`
	wire.Sold
	PropertyIDs        *[]string      `json:"property_ids,omitzero" from:"publisher" doc:"The ids of those authorized; with include=properties."`
	ConditionalIDs     *[]string      `json:"property_ids_conditional,omitzero" from:"publisher" doc:"The ids of those conditional; with include=properties."`
	SigningKeysPinned  bool           `json:"signing_keys_pinned" doc:"The publisher lists keys of the agent."`
	AuthorizationTypes []string       `json:"authorization_types" doc:"How the entries of the agent select."`
	Status             string         `json:"status" enum:"authorized,revoked"`
	LastVerifiedAt     string         `json:"last_verified_at" format:"date-time" doc:"When the file was last obtained or confirmed."`
	Standing           *wire.Standing `json:"standing,omitzero" doc:"With include=standing."`
}

const (
	statusAuthorized = "authorized"
	statusRevoked    = "revoked"
)

// rowQuery reads what is asked for.
func (in *agentPublishersInput) rowQuery() (directory.RowQuery, error) {
	q := directory.RowQuery{Limit: 200, Authorized: len(in.Status) == 0}
	var err error
	q.Agent, err = registry.AgentURL(in.AgentURL)
	if err != nil {
		return q, err
	}
	for _, status := range in.Status {
		switch {
		case strings.Contains(status, ","):
			return q, fieldError("status", "request.value",
				"Repeat the status parameter for several values, as in status=authorized&status=revoked", "")
		case status == statusAuthorized:
			q.Authorized = true
		case status == statusRevoked:
			q.Revoked = true
		default:
			return q, fieldError("status", "request.value",
				"Invalid status value "+quoted(status)+", supported: authorized, revoked", "")
		}
	}
	for _, what := range in.Include {
		if what != includeProperties && what != includeStanding {
			return q, fieldError("include", "request.value",
				"Invalid include value "+quoted(what)+", supported: properties, standing; repeat the parameter for both", "")
		}
	}
	n, err := strconv.Atoi(in.Limit)
	if err == nil && n > 0 {
		q.Limit = min(n, 1000)
	}
	if in.Since != "" {
		q.Since, err = time.Parse(time.RFC3339, in.Since)
		if err != nil {
			return q, fieldError("since", "request.value", "Invalid `since`: write a time like 2026-03-01T12:00:00Z", "")
		}
	}
	q.IDs = slices.Contains(in.Include, includeProperties)
	q.After, err = cursorOf(in.Cursor)
	return q, err
}

const (
	includeProperties = "properties"
	includeStanding   = "standing"
)

// cursorOf reads a cursor: the name that the page before ended with.
func cursorOf(text string) (string, error) {
	name, ok := directory.ParseCursor(text)
	if !ok {
		return "", badCursor()
	}
	return name, nil
}

// badCursor is the error about a cursor that no answer gave.
func badCursor() error {
	return fieldError("cursor", "request.cursor", "Invalid cursor", "omit it to start from the first page")
}

// directoryPage returns the directory, and the name that the page before ended with.
func (o *Set) directoryPage(ctx context.Context, cursor string) (*directory.View, string, error) {
	after, err := cursorOf(cursor)
	if err != nil {
		return nil, "", err
	}
	v, err := o.service.Directory(ctx)
	return v, after, err
}

// cursorAfter is the cursor of the next page; nil when there is none.
func cursorAfter(name string) *string {
	if name == "" {
		return nil
	}
	text := directory.Cursor(name)
	return &text
}

// agentPublishers answers GET /v1/agents/{agent_url}/publishers.
func (o *Set) agentPublishers(ctx context.Context, in *agentPublishersInput) (*agentPublishersReply, error) {
	q, err := in.rowQuery()
	if err != nil {
		return nil, err
	}
	v, err := o.service.Directory(ctx)
	if err != nil {
		return nil, err
	}
	return publishersOf(v, &q, in.Include)
}

// publishersOf lists the publishers of an agent.
func publishersOf(v *directory.View, q *directory.RowQuery, include []string) (*agentPublishersReply, error) {
	rows, next := v.Rows(*q)
	if len(rows) == 0 && q.After == "" && q.Since.IsZero() && !q.Revoked && !v.HasAgent(q.Agent) {
		return nil, WithExtras(&registry.Error{
			Kind: registry.NotFound, Code: "agent.unknown", Message: "Agent has never been indexed by this directory",
			Hint: "no file that is known names it; ask about a publisher to have it looked at",
		}, ErrorExtras{AgentURL: redact.URL(q.Agent)})
	}
	reply := &agentPublishersReply{Gap: gapOf(v), AgentURL: redact.URL(q.Agent),
		Publishers: make([]agentPublisher, 0, len(rows)), NextCursor: cursorAfter(next)}
	var latest time.Time
	for i := range rows {
		reply.Publishers = append(reply.Publishers, agentPublisherOf(&rows[i], include))
		if at := rows[i].Standing.ConfirmedAt; at.After(latest) {
			latest = at
		}
	}
	reply.DirectoryIndexedAt = wire.API.OptionalTime(latest)
	if slices.Contains(include, includeStanding) && q.After == "" {
		reply.addUnsettled(v, q.Agent)
	}
	return reply, nil
}

func (reply *agentPublishersReply) addUnsettled(v *directory.View, agent string) {
	entries, total := v.Unsettled(agent, 1000)
	list := make([]wire.PublisherStanding, 0, len(entries))
	for i := range entries {
		list = append(list, publisherStanding(&entries[i]))
	}
	reply.Unsettled, reply.UnsettledTotal = &list, &total
}

// standingOf shows a standing.
func standingOf(s *custodian.Standing) wire.Standing {
	return wire.Standing{
		State: s.State, InEffect: s.InEffect, Since: wire.API.OptionalTime(s.Since),
		ConfirmedAt: wire.API.OptionalTime(s.ConfirmedAt),
		LastLook:    wire.API.OptionalTime(s.LastLook), NextLook: wire.API.OptionalTime(s.NextLook),
		Source: wire.API.Location(s.Location),
	}
}

// publisherStanding shows how a publisher stands.
func publisherStanding(e *directory.Entry) wire.PublisherStanding {
	return wire.PublisherStanding{PublisherDomain: string(e.Domain), Standing: standingOf(&e.Standing)}
}

func agentPublisherOf(r *directory.Row, include []string) agentPublisher {
	out := agentPublisher{
		PublisherDomain: string(r.Domain), Sold: wire.SoldOf(&r.Sold), SigningKeysPinned: r.Pinned,
		Status: statusAuthorized, LastVerifiedAt: wire.API.Time(r.Standing.ConfirmedAt),
	}
	out.DiscoveryMethod, out.ManagerDomain = projection.MethodOf(r.Standing.Location)
	for _, kind := range r.Types.List() {
		out.AuthorizationTypes = append(out.AuthorizationTypes, string(kind))
	}
	if r.Revoked {
		out.Status = statusRevoked
	}
	if slices.Contains(include, includeProperties) {
		ids, conditional := wire.NotNil(r.Sold.Authorized), wire.NotNil(r.Sold.Conditional)
		out.PropertyIDs, out.ConditionalIDs = &ids, &conditional
	}
	if slices.Contains(include, includeStanding) {
		s := standingOf(&r.Standing)
		out.Standing = &s
	}
	return out
}
