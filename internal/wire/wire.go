// Package wire has the objects that avow writes as JSON: findings, evidence, reasons, grants,
// steps and requests of a discovery, versions, moves, changes and events. Their members are a
// contract: new ones may appear, none goes away or changes its meaning. What is secret in a
// file or a URL is left out of every object.
package wire

import (
	"time"
)

// A Form is how an object is written.
type Form struct {
	layout string
	lean   bool
}

// The forms.
var (
	// CLI is the form of commands: an empty member is there, and times are to the second.
	CLI = &Form{layout: time.RFC3339}
	// API is the form of the service: an empty member may be left out, and times are to the
	// millisecond.
	API = &Form{layout: "2006-01-02T15:04:05.000Z", lean: true}
)

// Time writes a moment in UTC.
func (f *Form) Time(t time.Time) string { return t.UTC().Format(f.layout) }

// Time writes a moment as RFC 3339 in UTC, to the second.
func Time(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// OptionalTime is Time, and null for the zero time.
func OptionalTime(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := Time(t)
	return &text
}

// NotNil makes sure that an empty list is [] in JSON.
func NotNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
