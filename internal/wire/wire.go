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
