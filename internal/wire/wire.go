// Package wire has the objects that avow writes as JSON: findings, evidence, reasons, grants,
// steps and requests of a discovery, versions, moves, changes and events. The commands, the API
// of the service and webhooks write the same objects, each in its Form. Their members are a
// contract: new ones may appear, none goes away or changes its meaning. What is secret in a
// file or a URL is left out of every object.
package wire

import (
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/resolve"
)

// A Form is how an object is written.
type Form struct {
	// moments and instants are the layouts of times: when something happened, and the
	// instant that a question is about.
	moments, instants string
	// public leaves out an Opt that is empty, and what is private.
	public bool
}

// The forms.
var (
	// CLI is the form of commands and webhooks: an empty member is there, and times are to
	// the second.
	CLI = &Form{moments: time.RFC3339, instants: time.RFC3339}
	// API is the form of the service: an empty Opt is left out, and times are to the
	// millisecond.
	API = &Form{moments: "2006-01-02T15:04:05.000Z", instants: time.RFC3339Nano, public: true}
)

// Time writes a moment in UTC.
func (f *Form) Time(t time.Time) string { return t.UTC().Format(f.moments) }

// Instant writes the instant that a question is about in UTC.
func (f *Form) Instant(t time.Time) string { return t.UTC().Format(f.instants) }

// OptionalTime is Time, and nil for the zero time.
func (f *Form) OptionalTime(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := f.Time(t)
	return &text
}

// Time writes a moment as commands do: RFC 3339 in UTC, to the second.
func Time(t time.Time) string { return CLI.Time(t) }

// OptionalTime is Time, and nil for the zero time.
func OptionalTime(t time.Time) *string { return CLI.OptionalTime(t) }

// An Opt is a member that commands write even if it is empty, and that the API leaves out then.
type Opt[T any] struct {
	Value T
	left  bool
}

// IsZero reports whether the member is left out.
func (o *Opt[T]) IsZero() bool { return o.left }

// MarshalJSONTo writes the value. Most are strings, which need no search for how to write them.
func (o *Opt[T]) MarshalJSONTo(enc *jsontext.Encoder) error {
	text, ok := any(&o.Value).(*string)
	if ok {
		return enc.WriteToken(jsontext.String(*text))
	}
	return json.MarshalEncode(enc, &o.Value)
}

func optional[T comparable](f *Form, v T) Opt[T] {
	var none T
	return Opt[T]{v, f.public && v == none}
}

// NotNil makes sure that an empty list is [] in JSON.
func NotNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// Texts returns texts for people without secrets.
func Texts(list []string) []string {
	docs := make([]string, 0, len(list))
	for _, s := range list {
		docs = append(docs, redact.Credentials(s))
	}
	return docs
}

// Error is the body of an answer that says what is wrong. Clients read the member error,
// which is always a string; the others are there where they help.
type Error struct {
	Success *bool    `json:"success,omitzero" doc:"False; for the routes below /api/adagents only."`
	Error   string   `json:"error" doc:"What is wrong, in a sentence for people."`
	Message string   `json:"message,omitempty" doc:"More about it, for people."`
	Code    string   `json:"code,omitempty" doc:"A stable word for programs."`
	Hint    string   `json:"hint,omitempty" doc:"What to do about it."`
	Details []string `json:"details,omitempty" doc:"Findings about what was sent, one line each."`
	// Clients look for one spelling or the other. The description of the API has the first
	// alone: programs that make clients from it give both the same name.
	RetryAfter    int    `json:"retry_after,omitzero" doc:"Seconds to wait before trying again; also in the header Retry-After."`
	RetryAfterToo int    `json:"retryAfter,omitzero" hidden:"true" doc:"The same, for clients that read this spelling; not in the OpenAPI document."`
	RequestID     string `json:"request_id,omitempty" doc:"Names the call in the log of the service; for internal errors."`
	Timestamp     string `json:"timestamp,omitempty" format:"date-time" doc:"For the routes below /api/adagents only."`
}

// Envelop adds what the routes below /api/adagents have in every answer.
func (e *Error) Envelop(at time.Time) {
	e.Success, e.Timestamp = new(bool), API.Time(at)
}

// Sold is how much of a publisher's own properties an agent may sell. Every row of a list of
// publishers or agents has it.
type Sold struct {
	Authorized  int      `json:"properties_authorized" doc:"How many of the publisher's own properties the agent may sell: a question about one of them is answered with yes."`
	Conditional int      `json:"properties_conditional" doc:"How many more it may sell if the question names what limited lists."`
	Total       int      `json:"properties_total" doc:"How many properties of its own the publisher has."`
	Limited     []string `json:"limited" doc:"What these depend on: country, placement, collection, time; empty for nothing."`
}

// SoldOf shows a row.
func SoldOf(r *resolve.Row) Sold {
	return Sold{r.AuthorizedCount, r.ConditionalCount, r.Total, NotNil(r.Limited.Strings())}
}
