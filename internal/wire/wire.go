// Package wire has the objects that avow writes as JSON: findings, evidence, reasons, grants,
// steps and requests of a discovery, versions, moves, changes and events. Their members are a
// contract: new ones may appear, none goes away or changes its meaning. What is secret in a
// file or a URL is left out of every object.
package wire

import (
	"time"
)

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
