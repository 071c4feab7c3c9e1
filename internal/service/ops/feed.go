package ops

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
)

func (o *Set) feedOperations() []Operation {
	pages := Operation{
		HTTP: "GET /api/registry/feed", Name: "feed", Tag: "directory", Class: edge.Read, Example: "limit=2",
		Output: reflect.TypeFor[*feedReply](), Statuses: []int{http.StatusGone},
		Summary: "What has changed",
		Description: "Tells in order what publishers let agents sell, and do not any more. Without a cursor it begins with " +
			"the first event that is kept, and has everything that holds now, so a client that reads to the end knows all of " +
			"it. Events are kept for 90 days, and those that still hold for as long as they do; reading again from the same " +
			"cursor returns the same events. Of publishers that only callers without a key named, ends are kept for 7 days: " +
			"after a longer break, begin again without a cursor. " +
			"Keep the cursor of the last page, and ask again with it. A page may have less events than asked for, or none, " +
			"and more may follow: has_more says so. " +
			"A cursor is good for 90 days. One that is older, or of another registry, is answered with 410: begin again " +
			"without one. " +
			"With proofs, log has a checkpoint of the transparency log, and each event the indices of leaves under it, 500 " +
			"events at most in a page.",
	}
	stream := pages
	stream.HTTP, stream.Name, stream.Media, stream.Cache = pages.HTTP+"/stream", "feed_stream", mediaEvents,
		"no-cache, no-transform"
	stream.Output = reflect.TypeFor[*Document]()
	stream.Example, stream.Summary = "types=authorization.*", "What changes, as it happens"
	stream.Description = "The pages of " + pages.HTTP +
		" as server-sent events named feed, each with the page as its data: those after the cursor at once, and then " +
		"whatever happens. " +
		"While nothing does there is an event named heartbeat with the cursor. An event named error is the last one. To " +
		"resume, connect again with the cursor of the last page; Last-Event-ID is not read."
	return []Operation{Define(pages, o.feedChanges), Define(stream, o.changeStream), o.snapshotOperation()}
}

// mediaEvents is the type of a stream of events.
const mediaEvents = "text/event-stream; charset=utf-8"

// FeedQuery is what part of the feed is asked for.
type FeedQuery struct {
	Cursor     string `query:"cursor" maxLength:"64" doc:"cursor of the page before; none for everything that holds."`
	Types      string `query:"types" maxLength:"2048" doc:"Types of events with commas, such as authorization.granted, or authorization.* for all that begin so."`
	EntityType string `query:"entity_type" maxLength:"64" doc:"authorization is the same as authorization.* in types; likewise agent, property and publisher."`
	Limit      string `query:"limit" maxLength:"20" doc:"How many events to list, 10000 at most, with proofs 500; 100 unless given."`
	Proofs     bool   `query:"proofs" doc:"Add log and, to each event, log_state: its inclusion status in the transparency log."`
}

type feedInput struct{ FeedQuery }

type streamInput struct {
	FeedQuery
	Poll string `query:"poll_interval_seconds" maxLength:"20" doc:"How often there is a heartbeat, in seconds from 5 to 60; 15 unless given."`
}

// feedReply is a page of the feed.
type feedReply struct {
	Events    []feedEvent   `json:"events"`
	Cursor    *string       `json:"cursor" format:"uuid" doc:"Where the next page begins; null at the beginning of a feed without events."`
	HasMore   bool          `json:"has_more" doc:"More events follow, though not necessarily of the types asked for."`
	Freshness freshness     `json:"freshness"`
	Log       *feed.LogHead `json:"log,omitempty" doc:"The head of the transparency log; only with proofs."`
}

type feedEvent struct {
	EventID    string         `json:"event_id" format:"uuid" doc:"Of version 7; the order of ids is that of events."`
	EventType  string         `json:"event_type" doc:"authorization.granted, .revoked or .modified; agent.discovered, .profile_updated or .removed; publisher.adagents_discovered or .adagents_changed; property.created, .updated or .stale."`
	EntityType string         `json:"entity_type" enum:"authorization,agent,publisher,property"`
	EntityID   string         `json:"entity_id" doc:"The id of the authorization or property, the URL of the agent, or the domain of the publisher."`
	Payload    map[string]any `json:"payload" doc:"What holds now, or of what it is the end. That of authorization.granted has the members of a row of GET /api/registry/authorizations, without those that are null and without standing."`
	Actor      string         `json:"actor" doc:"A label."`
	CreatedAt  string         `json:"created_at" format:"date-time"`
	feed.Logged
}

// freshness says how recent the feed is.
type freshness struct {
	GeneratedAt   string  `json:"generated_at" format:"date-time"`
	LatestEvent   *string `json:"latest_event_created_at" format:"date-time" doc:"The latest event of the requested types."`
	LagSeconds    *int    `json:"lag_seconds" doc:"How long ago that is."`
	RetentionDays int     `json:"retention_days" doc:"How long a cursor is good for."`
}

func (o *Set) freshness(latest time.Time) freshness {
	now := o.now()
	out := freshness{GeneratedAt: wire.API.Time(now), LatestEvent: wire.API.OptionalTime(latest),
		RetentionDays: int(feed.Retention.Hours() / 24)}
	if !latest.IsZero() {
		lag := max(0, int(now.Sub(latest).Seconds()))
		out.LagSeconds = &lag
	}
	return out
}

const (
	mostEvents    = 10_000
	defaultEvents = 100
)

// read reads what is asked for.
func (q *FeedQuery) read() (*feed.Filter, int, error) {
	types, err := feed.ParseTypes(q.Types)
	if err != nil {
		return nil, 0, fieldError("types", "request.value", "Invalid type filter: "+err.Error(),
			"write types like authorization.granted or authorization.*")
	}
	if q.EntityType != "" {
		types = append(types, q.EntityType+".*")
	}
	limit, err := digits("limit", q.Limit, 1, mostEvents, defaultEvents)
	if err == nil && q.Proofs && limit > notary.MaxFind {
		err = fieldError("limit", "request.value", "limit must be between 1 and "+strconv.Itoa(notary.MaxFind)+
			" with proofs=true", "ask for fewer events at a time, or without proofs")
	}
	return &feed.Filter{Types: types}, limit, err
}

// digits reads a whole number in a range; an empty text is the default.
func digits(name, text string, low, high, otherwise int) (int, error) {
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return 0, fieldError(name, "request.value", name+" must be an integer", "")
	case err != nil || n < uint64(low) || n > uint64(high):
		return 0, fieldError(name, "request.value", name+" must be between "+strconv.Itoa(low)+" and "+strconv.Itoa(high), "")
	}
	return int(n), nil
}

// feedProblem puts what is wrong with a position into the words of the wire.
func feedProblem(err error) error {
	switch {
	case errors.Is(err, feed.ErrCursor):
		return fieldError("cursor", "request.cursor", "Invalid cursor format. Must be a UUID.",
			"omit it to start from the first page")
	case errors.Is(err, feed.ErrExpired):
		return &registry.Error{
			Kind: registry.Expired, Code: cursorExpired, Message: cursorExpired,
			Explanation: "The cursor is older than 90 days, or of another registry.",
			Hint:        "begin again without a cursor; a subscription is replayed from the beginning with " + feed.Start,
		}
	}
	return err
}

const cursorExpired = "cursor_expired"

// errNoFeed is for a service without records.
var errNoFeed = &registry.Error{Kind: registry.NotConfigured, Code: "feed", Message: "There is no change feed",
	Hint: "the service runs without a store"}

// feedPage is a page whose events are encoded.
type feedPage struct {
	*feed.Page
	fresh freshness
}

// HTTPParts implements prepared.
func (p *feedPage) HTTPParts() [][]byte {
	parts := make([][]byte, 0, 2*len(p.Events)+2)
	parts = append(parts, []byte(`{"events":[`))
	for i, e := range p.Events {
		if i > 0 {
			parts = append(parts, comma)
		}
		parts = append(parts, e)
	}
	var cursor *string
	if p.Cursor != "" {
		cursor = &p.Cursor
	}
	end, _ := json.Marshal(feedEnd{cursor, p.More, p.fresh, p.Log}, EncodeOptions) // strings and numbers can be written
	return append(parts, []byte(`],`), end[1:])
}

// HTTPTag implements withTag. What says only when the page was made is left out.
func (p *feedPage) HTTPTag() string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %t %d %x\n", p.Cursor, p.More, p.Latest.UnixNano(), p.Digest())
	if p.Log != nil {
		fmt.Fprintln(sum, *p.Log)
	}
	return edge.Tag(sum.Sum(nil))
}

var comma = []byte(",")

// feedEnd is a page without its events.
type feedEnd struct {
	Cursor    *string       `json:"cursor"`
	HasMore   bool          `json:"has_more"`
	Freshness freshness     `json:"freshness"`
	Log       *feed.LogHead `json:"log,omitempty"`
}

// feedChanges answers GET /api/registry/feed.
func (o *Set) feedChanges(ctx context.Context, in *feedInput) (*feedPage, error) {
	filter, limit, err := in.read()
	if err != nil {
		return nil, err
	}
	return o.feedPage(ctx, in.Cursor, filter, limit, in.Proofs)
}

func (o *Set) feedPage(ctx context.Context, cursor string, filter *feed.Filter, limit int,
	proofs bool) (*feedPage, error) {
	if o.feed == nil {
		return nil, errNoFeed
	}
	page, err := o.feed.Read(ctx, cursor, filter, limit)
	if err != nil {
		return nil, feedProblem(err)
	}
	if proofs {
		err = page.AddLog(ctx, o.translog, o.speaking)
	}
	return &feedPage{page, o.freshness(page.Latest)}, err
}

// heartbeat is what a stream says while there is nothing to say.
type heartbeat struct {
	GeneratedAt string        `json:"generated_at"`
	Cursor      *string       `json:"cursor"`
	Freshness   freshness     `json:"freshness"`
	Log         *feed.LogHead `json:"log,omitempty"`
}

func (p *feedPage) heartbeat() jsontext.Value {
	beat := heartbeat{GeneratedAt: p.fresh.GeneratedAt, Freshness: p.fresh, Log: p.Log}
	if p.Cursor != "" {
		beat.Cursor = &p.Cursor
	}
	text, _ := json.Marshal(beat, EncodeOptions) // strings and numbers can be written
	return text
}

// speaking returns publishers with their files.
func (o *Set) speaking(ctx context.Context, publishers []string) ([]notary.Speaking, error) {
	v, err := o.service.Directory(ctx)
	if err != nil {
		return nil, err
	}
	var list []notary.Speaking
	domains := make([]hostname.Domain, 0, len(publishers))
	for _, domain := range publishers {
		domains = append(domains, hostname.Domain(domain))
	}
	for _, e := range v.Publishers(domains...) {
		list = append(list, notary.Speaking{Publisher: string(e.Domain), File: e.Standing.Location.URL})
	}
	return list, v.Err()
}
