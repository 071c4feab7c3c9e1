package api

import (
	"context"
	"net/http"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

type custodyInput struct {
	Domain string `query:"domain" required:"true" missing:"domain is required" doc:"The publisher, as people write it."`
}

type refreshInput struct {
	Body refreshBody `body:"" required:"true"`
}

type refreshBody struct {
	Domain string `json:"domain" required:"true" missing:"domain is required" doc:"The publisher, as people write it."`
}

type historyInput struct {
	Domain string `query:"domain" required:"true" missing:"domain is required" doc:"The publisher, as people write it."`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many entries to list."`
}

type replayInput struct {
	Domain string `query:"domain" required:"true" missing:"domain is required" doc:"The publisher, as people write it."`
	At     string `query:"at" required:"true" missing:"at is required" format:"date-time" doc:"The moment asked about."`
}

type changesInput struct {
	Domain string `query:"domain" required:"true" missing:"domain is required" doc:"The publisher, as people write it."`
	Old    string `query:"old" maxLength:"64" doc:"The SHA-256 of the older version; without it, and without new, the last two versions are compared."`
	New    string `query:"new" maxLength:"64" doc:"The SHA-256 of the newer version; without it, the present one."`
}

type holdsInput struct{}

type holdInput struct {
	Body holdBody `body:"" required:"true"`
}

type holdBody struct {
	Name string `json:"name" required:"true" missing:"name is required" doc:"The publisher whose move is pending, or the URL of the file whose version was refused."`
	What string `json:"what" required:"true" missing:"what is required" doc:"The URL that the publisher moves to, or the SHA-256 of the version, as the list of holds gives it: the decision is about what was read."`
}

type eventsInput struct {
	After       int    `query:"after" minimum:"0" default:"0" doc:"Only events with a greater id."`
	Limit       int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many to list."`
	Domain      string `query:"domain" doc:"Only those about this publisher."`
	MinSeverity string `query:"min_severity" enum:"info,warning,alert" doc:"Only those at least as severe."`
}

// CustodyState is what is known about a publisher.
type CustodyState struct {
	Domain            string               `json:"domain"`
	Served            string               `json:"served" enum:"usable,unusable,absent,unreachable" doc:"What questions are answered from."`
	Detail            string               `json:"detail,omitempty" doc:"Why that is no file, or one that was not confirmed of late."`
	Place             *wire.CustodyPlace   `json:"place,omitempty" doc:"Where the authority comes from; absent while no location was adopted."`
	PublisherStanding string               `json:"publisher_standing" enum:"unknown,fresh,stale,expired,ended,shut"`
	FileStanding      string               `json:"file_standing" enum:"unknown,fresh,stale,expired,ended,shut"`
	Version           *wire.CustodyVersion `json:"version,omitempty" doc:"The version in effect."`
	ConfirmedAt       string               `json:"confirmed_at,omitempty" format:"date-time" doc:"When it was last obtained or confirmed."`
	FreshUntil        string               `json:"fresh_until,omitempty" format:"date-time"`
	FailingSince      string               `json:"failing_since,omitempty" format:"date-time"`
	Move              *wire.CustodyMove    `json:"move,omitempty" doc:"A change of location that is pending."`
	Refused           *wire.CustodyRefusal `json:"refused,omitempty" doc:"A version that was seen and not adopted."`
	Held              []string             `json:"held_revocations" doc:"Publishers that the file does not list any more and that stay revoked; at most 1000."`
	Unsaved           bool                 `json:"unsaved" doc:"A change could not be saved, so nothing is answered from the records."`
}

// HistoryEntry is one line of a publisher's history; one of its members is there.
type HistoryEntry struct {
	wire.CustodyEntry
	Event *wire.CustodyEvent `json:"event,omitempty"`
}

type historyReply struct {
	Domain  string         `json:"domain"`
	Entries []HistoryEntry `json:"entries" doc:"The latest first."`
}

type replayReply struct {
	Domain  string               `json:"domain"`
	At      string               `json:"at" format:"date-time"`
	Served  string               `json:"served" enum:"usable,unusable,absent,unreachable"`
	Detail  string               `json:"detail,omitempty"`
	Method  string               `json:"method,omitempty"`
	Version *wire.CustodyVersion `json:"version,omitempty"`
	Held    []string             `json:"held_revocations"`
}

type changesReply struct {
	Domain  string               `json:"domain"`
	Worst   string               `json:"worst" enum:"info,warning,alert"`
	Changes []wire.CustodyChange `json:"changes" doc:"The most severe first."`
}

// CustodyHold is something that waits for a decision. Name and What are what a decision
// repeats.
type CustodyHold struct {
	Name string `json:"name"`
	wire.Pending
}

type holdsReply struct {
	Holds []CustodyHold `json:"holds"`
}

type holdReply struct {
	Success bool   `json:"success" doc:"True."`
	Name    string `json:"name"`
	What    string `json:"what"`
}

type eventsReply struct {
	Events []*wire.CustodyEvent `json:"events"`
}

func (a *API) custodyRoutes() []route {
	read := func(path, id, query, summary, description string, statuses ...int) route {
		return route{
			method: http.MethodGet, path: "/api/custody/" + path, id: "custody_" + id, tag: "custody", class: edge.Read, scope: registry.ScopeModerate,
			statuses: statuses, summary: summary, description: description + " It takes a moderator's key.", example: query,
		}
	}
	ruling := func(verb, summary, description string, confirm bool) route {
		return handle(route{
			method: http.MethodPost, path: "/api/custody/holds/" + verb, id: "custody_" + verb, tag: "custody", class: edge.Write, scope: registry.ScopeModerate,
			statuses: []int{http.StatusConflict}, summary: summary, description: description,
			example: `{"name": "publisher.example", "what": "https://network.example/adagents.json"}`,
		}, func(ctx context.Context, in *holdInput) (*holdReply, error) { return a.decideHold(ctx, in, confirm) })
	}
	return []route{
		handle(read("publisher", "publisher", "domain=publisher.example", "What is known about a publisher over time",
			"Says where its authority comes from, which version of the file is in effect, and what is pending. Nobody is asked."), a.custody),
		handle(route{
			method: http.MethodPost, path: "/api/custody/refresh", id: "custody_refresh", tag: "custody", class: edge.Validate, scope: registry.ScopeModerate,
			summary: "Ask a publisher now", description: "Asks past all caches, keeps what came back, and answers when that is stored.",
			example: `{"domain": "publisher.example"}`,
		}, a.refresh),
		handle(read("history", "history", "domain=publisher.example", "The history of a publisher",
			"Lists versions, locations and events, the latest first."), a.history),
		handle(read("replay", "replay", "domain=publisher.example&at=2026-03-01T12:00:00Z", "What counted at a time",
			"Says which version, location and held revocations answers rested on at a moment.", http.StatusNotFound), a.replay),
		handle(read("changes", "changes", "domain=publisher.example", "What is different between two versions",
			"Compares two adopted versions of a publisher's file.", http.StatusNotFound), a.changes),
		handle(read("holds", "holds", "", "What is pending",
			"Lists publishers whose authority moves to another location, and files with a version that was refused."), a.holds),
		ruling("confirm", "Accept what is pending", "The move takes effect at once; a refused version is adopted when it is seen next. The answer is 409 when it is no longer pending.", true),
		ruling("reject", "Refuse a move", "The publisher stays where it is, however long the new location stays.", false),
		handle(read("events", "events", "after=0&min_severity=warning", "What happened", "Lists events in their order, for programs that read on from the last id."), a.events),
	}
}

// custody answers GET /api/custody/publisher.
func (a *API) custody(ctx context.Context, in *custodyInput) (*CustodyState, error) {
	s, err := a.service.Custody(ctx, in.Domain, false)
	if err != nil {
		return nil, err
	}
	return custodyState(s), nil
}

// refresh answers POST /api/custody/refresh.
func (a *API) refresh(ctx context.Context, in *refreshInput) (*CustodyState, error) {
	s, err := a.service.Custody(ctx, in.Body.Domain, true)
	if err != nil {
		return nil, err
	}
	return custodyState(s), nil
}

// history answers GET /api/custody/history.
func (a *API) history(ctx context.Context, in *historyInput) (*historyReply, error) {
	list, err := a.service.History(ctx, in.Domain, in.Limit)
	if err != nil {
		return nil, err
	}
	reply := &historyReply{Domain: in.Domain, Entries: []HistoryEntry{}}
	for i := range list {
		reply.Entries = append(reply.Entries, historyEntry(&list[i]))
	}
	return reply, nil
}

// replay answers GET /api/custody/replay.
func (a *API) replay(ctx context.Context, in *replayInput) (*replayReply, error) {
	at, err := time.Parse(time.RFC3339, in.At)
	if err != nil {
		return nil, invalid("invalid_at", "Invalid at", "write it like 2026-03-01T12:00:00Z")
	}
	doc, version, err := a.service.Replay(ctx, in.Domain, at)
	if err != nil {
		return nil, err
	}
	return &replayReply{
		Domain: doc.Publisher, At: wire.API.Time(at), Served: doc.State.String(), Detail: doc.Detail, Method: doc.Method,
		Version: wire.API.Version(version), Held: listed(doc.Revoked),
	}, nil
}

// changes answers GET /api/custody/changes.
func (a *API) changes(ctx context.Context, in *changesInput) (*changesReply, error) {
	list, err := a.service.Changes(ctx, in.Domain, in.Old, in.New)
	if err != nil {
		return nil, err
	}
	return &changesReply{Domain: in.Domain, Worst: custody.Worst(list).String(), Changes: wire.ChangesOf(list)}, nil
}

// holds answers GET /api/custody/holds.
func (a *API) holds(ctx context.Context, _ *holdsInput) (*holdsReply, error) {
	list, err := a.service.Holds(ctx)
	if err != nil {
		return nil, err
	}
	reply := &holdsReply{Holds: []CustodyHold{}}
	for _, h := range list {
		if h.Publisher != nil && h.Publisher.Move != nil {
			reply.Holds = append(reply.Holds, CustodyHold{string(h.Publisher.Domain), wire.Pending{What: h.Publisher.Move.To.URL, Move: wire.API.Move(h.Publisher)}})
		}
		if h.File != nil && h.File.Refused != nil {
			reply.Holds = append(reply.Holds, CustodyHold{h.File.URL, wire.Pending{What: h.File.Refused.Hash, Refused: wire.API.Refusal(h.File)}})
		}
	}
	return reply, nil
}

// decideHold answers the two that end a hold.
func (a *API) decideHold(ctx context.Context, in *holdInput, confirm bool) (*holdReply, error) {
	err := a.service.DecideHold(ctx, CallerOf(ctx), in.Body.Name, in.Body.What, confirm)
	if err != nil {
		return nil, err
	}
	return &holdReply{true, in.Body.Name, in.Body.What}, nil
}

// severities are those of events by their names.
var severities = map[string]custody.Severity{"": custody.Info, "info": custody.Info, "warning": custody.Warning, "alert": custody.Alert}

// events answers GET /api/custody/events.
func (a *API) events(ctx context.Context, in *eventsInput) (*eventsReply, error) {
	list, err := a.service.Events(ctx, in.Domain, severities[in.MinSeverity], int64(in.After), in.Limit)
	if err != nil {
		return nil, err
	}
	reply := &eventsReply{Events: []*wire.CustodyEvent{}}
	for i := range list {
		reply.Events = append(reply.Events, wire.API.Event(&list[i]))
	}
	return reply, nil
}
