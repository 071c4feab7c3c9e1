// Package schemas carries the JSON Schema of adagents.json for editors.
//
// The schema is generated from the same tables as the check and is weaker on
// purpose: it says what can be said about one value at a time, so that an
// editor can help while a file is typed. Everything that compares two places
// of a file is left to the check.
package schemas

import _ "embed"

//go:generate go run ../internal/gen/schema

//go:embed v3/adagents.json
var adagents []byte

// Adagents returns the JSON Schema (draft 2020-12) of adagents.json, version
// 3. The caller must not change the bytes.
func Adagents() []byte { return adagents }
