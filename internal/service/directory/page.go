package directory

import (
	"encoding/base64"
	"strings"
)

// Cursor writes the name that a page ended with, for whoever wants the next one; empty for
// the end.
func Cursor(name string) string { return base64.RawURLEncoding.EncodeToString([]byte(name)) }

// ParseCursor reads a cursor, and reports whether it is one.
func ParseCursor(text string) (string, bool) {
	name, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || strings.ContainsFunc(string(name), func(r rune) bool { return r <= ' ' || r == '\ufffd' }) {
		return "", false
	}
	return string(name), true
}

// mostSummed is how many publishers of an agent an Inventory counts.
const mostSummed = 200

// An Inventory is what an agent may sell, of its first 200 publishers.
type Inventory struct {
	Domains []string
	// Properties counts ids of properties that it may sell, and Types the properties of
	// those publishers by type.
	Properties int
	Types      map[string]int
}

// Inventory sums up what an agent may sell.
func (v *View) Inventory(agent string) Inventory {
	out := Inventory{Types: map[string]int{}}
	rows, _ := v.Rows(RowQuery{Agent: agent, Limit: mostSummed, Authorized: true})
	for i := range rows {
		out.Domains = append(out.Domains, string(rows[i].Domain))
		out.Properties += len(rows[i].PropertyIDs)
		for _, c := range rows[i].Types {
			out.Types[c.Type] += c.Count
		}
	}
	return out
}
