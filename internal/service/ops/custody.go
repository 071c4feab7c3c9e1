package ops

import (
	"context"
	"net/http"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
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
	Name   string `json:"name" required:"true" missing:"name is required" doc:"The publisher whose move is pending, or the URL of the file whose version was refused."`
	What   string `json:"what" required:"true" missing:"what is required" doc:"The URL that the publisher moves to, or the SHA-256 of the version, as the list of holds gives it: the decision is about what was read."`
	Reason string `json:"reason" maxLength:"1000" doc:"Why; kept with the event."`
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
	Detail            string               `json:"detail,omitempty" doc:"Why there is no file, or why it was not confirmed recently."`
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

func (o *Set) custodyOperations() []Operation {
	read := func(path, id, query, summary, description string, statuses ...int) Operation {
		return Operation{
			HTTP: "GET /api/custody/" + path, Name: "custody_" + id, Tag: "custody", Class: edge.Read,
			Scope:    registry.ScopeModerate,
			Statuses: statuses, Summary: summary, Description: description + " It takes a moderator's key.", Example: query,
		}
	}
	ruling := func(verb, summary, description string, confirm bool) Operation {
		return Define(Operation{
			HTTP: "POST /api/custody/holds/" + verb, Name: "custody_" + verb, Tag: "custody", Class: edge.Write,
			Scope:    registry.ScopeModerate,
			Statuses: []int{http.StatusConflict}, Summary: summary, Description: description,
			Example: `{"name": "publisher.example", "what": "https://network.example/adagents.json"}`,
		}, func(ctx context.Context, in *holdInput) (*holdReply, error) { return o.decideHold(ctx, in, confirm) })
	}
	return []Operation{
		Define(read("publisher", "publisher", "domain=publisher.example", "What is known about a publisher over time",
			"Shows where its authority comes from, which version of the file is in effect, and what is pending. Makes no "+
				"requests."), o.custody),
		Define(Operation{
			HTTP: "POST /api/custody/refresh", Name: "custody_refresh", Tag: "custody", Class: edge.Validate,
			Scope:       registry.ScopeModerate,
			Summary:     "Ask a publisher now",
			Description: "Asks past all caches, keeps what came back, and answers when that is stored.",
			Example:     `{"domain": "publisher.example"}`,
		}, o.refresh),
		Define(read("history", "history", "domain=publisher.example", "The history of a publisher",
			"Lists versions, locations and events, the latest first."), o.history),
		Define(read("replay", "replay", "domain=publisher.example&at=2026-03-01T12:00:00Z", "What counted at a time",
			"Says which version, location and held revocations answers rested on at a moment.", http.StatusNotFound), o.replay),
		Define(read("changes", "changes", "domain=publisher.example", "What is different between two versions",
			"Compares two adopted versions of a publisher's file.", http.StatusNotFound), o.changes),
		Define(read("holds", "holds", "", "What is pending",
			"Lists publishers whose authority moves to another location, and files with a version that was refused."), o.holds),
		ruling("confirm", "Accept what is pending",
			"The move takes effect at once; a refused version is adopted when it is seen after ten minutes. Within these a "+
				"moderator can take the decision back on the page for moderators. The answer is 409 when it is no longer pending.",
			true),
		ruling("reject", "Refuse a move", "The publisher stays where it is, however long the new location stays.", false),
		Define(read("events", "events", "after=0&min_severity=warning", "What happened",
			"Lists events in their order, for programs that read on from the last id."), o.events),
	}
}

// custody answers GET /api/custody/publisher.
func (o *Set) custody(ctx context.Context, in *custodyInput) (*CustodyState, error) {
	s, err := o.service.Custody(ctx, in.Domain, false)
	if err != nil {
		return nil, err
	}
	return custodyState(s), nil
}

// refresh answers POST /api/custody/refresh.
func (o *Set) refresh(ctx context.Context, in *refreshInput) (*CustodyState, error) {
	s, err := o.service.Custody(ctx, in.Body.Domain, true)
	if err != nil {
		return nil, err
	}
	return custodyState(s), nil
}

// history answers GET /api/custody/history.
func (o *Set) history(ctx context.Context, in *historyInput) (*historyReply, error) {
	list, err := o.service.History(ctx, in.Domain, in.Limit)
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
func (o *Set) replay(ctx context.Context, in *replayInput) (*replayReply, error) {
	at, err := time.Parse(time.RFC3339, in.At)
	if err != nil {
		return nil, invalid("invalid_at", "Invalid at", "write it like 2026-03-01T12:00:00Z")
	}
	doc, version, err := o.service.Replay(ctx, in.Domain, at)
	if err != nil {
		return nil, err
	}
	return &replayReply{
		Domain: doc.Publisher, At: wire.API.Time(at), Served: doc.State.String(), Detail: doc.Detail, Method: doc.Method,
		Version: wire.API.Version(version), Held: listed(doc.Revoked),
	}, nil
}

// changes answers GET /api/custody/changes.
func (o *Set) changes(ctx context.Context, in *changesInput) (*changesReply, error) {
	list, err := o.service.Changes(ctx, in.Domain, in.Old, in.New)
	if err != nil {
		return nil, err
	}
	return &changesReply{Domain: in.Domain, Worst: custody.Worst(list).String(), Changes: wire.ChangesOf(list)}, nil
}

// holds answers GET /api/custody/holds.
func (o *Set) holds(ctx context.Context, _ *holdsInput) (*holdsReply, error) {
	list, err := o.service.Holds(ctx)
	if err != nil {
		return nil, err
	}
	reply := &holdsReply{Holds: []CustodyHold{}}
	for _, h := range list {
		if h.Publisher != nil && h.Publisher.Move != nil {
			reply.Holds = append(reply.Holds,
				CustodyHold{string(h.Publisher.Domain),
					wire.Pending{What: redact.URL(h.Publisher.Move.To.URL), Move: wire.API.Move(h.Publisher)}})
		}
		if h.File != nil && h.File.Refused != nil {
			reply.Holds = append(reply.Holds,
				CustodyHold{redact.URL(h.File.URL), wire.Pending{What: h.File.Refused.Hash, Refused: wire.API.Refusal(h.File)}})
		}
	}
	return reply, nil
}

// decideHold answers the two that end a hold.
func (o *Set) decideHold(ctx context.Context, in *holdInput, confirm bool) (*holdReply, error) {
	err := o.service.DecideHold(ctx, registry.CallerOf(ctx), in.Body.Name, in.Body.What, confirm, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	return &holdReply{true, in.Body.Name, in.Body.What}, nil
}

// severities are those of events by their names.
var severities = map[string]custody.Severity{"": custody.Info, "info": custody.Info, "warning": custody.Warning,
	"alert": custody.Alert}

// events answers GET /api/custody/events.
func (o *Set) events(ctx context.Context, in *eventsInput) (*eventsReply, error) {
	list, err := o.service.Events(ctx, in.Domain, severities[in.MinSeverity], int64(in.After), in.Limit)
	if err != nil {
		return nil, err
	}
	reply := &eventsReply{Events: []*wire.CustodyEvent{}}
	for i := range list {
		reply.Events = append(reply.Events, wire.API.Event(&list[i]))
	}
	return reply, nil
}

// maxListed is how many held revocations an answer lists.
const maxListed = 1000

func listed(domains []string) []string {
	if len(domains) == 0 {
		return []string{}
	}
	return domains[:min(len(domains), maxListed)]
}

func custodyState(s *custodian.State) *CustodyState {
	p, f := s.Publisher, s.File
	out := &CustodyState{
		Domain: string(p.Domain), Served: s.Served.String(), Detail: s.Detail,
		PublisherStanding: s.PublisherStanding.String(), FileStanding: s.FileStanding.String(),
		FailingSince: wireTimeOrNone(p.FailingSince), Held: listed(s.Held), Unsaved: s.Unsaved,
	}
	out.Place, out.Move = wire.API.Location(p.Location), wire.API.Move(p)
	if f == nil {
		return out
	}
	out.ConfirmedAt, out.FreshUntil = wireTimeOrNone(f.ConfirmedAt), wireTimeOrNone(s.FreshUntil())
	if !f.FailingSince.IsZero() {
		out.FailingSince = wire.API.Time(f.FailingSince)
	}
	out.Refused, out.Version = wire.API.Refusal(f), wire.API.CurrentVersion(f)
	return out
}

func historyEntry(e *custody.Entry) HistoryEntry {
	out := HistoryEntry{CustodyEntry: wire.API.Entry(e)}
	if e.Event != nil {
		out.Event = wire.API.Event(e.Event)
	}
	return out
}
