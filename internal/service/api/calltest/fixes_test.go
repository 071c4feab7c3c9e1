package calltest

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// TestFixesOfFindings looks for fixes in the answers about a document and about a domain, in
// the first and in one that is kept, and for none of a document that is too large.
func TestFixesOfFindings(t *testing.T) {
	t.Parallel()
	const file = `{"authorized_agents": [], "properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "pub.example"}], "tags": ["a", "a"]}]}`
	const want = `"fixes":[{"title":"remove the repeated tag","kind":"safe","edits":[{"start":`
	w := newWorld(t, "-- https://pub.example/.well-known/adagents.json --\n200\nContent-Type: application/json\n\n"+file+"\n")
	large := file + strings.Repeat(" ", 64_000)
	for _, body := range []string{
		`{"content": ` + file + `}`, `{"content": ` + strconv.Quote(file) + `}`,
		`{"domain": "pub.example"}`, `{"domain": "pub.example"}`, `{"domain": "pub.example", "profile": "strict"}`,
	} {
		got := w.call(http.MethodPost, validatePath, body)
		if got.status != http.StatusOK || !strings.Contains(string(got.body), want) {
			t.Errorf("%.60s: got %d without fixes: %s", body, got.status, got.body)
		}
	}
	got := w.call(http.MethodPost, validatePath, `{"content": `+strconv.Quote(large)+`}`)
	if !strings.Contains(string(got.body), "property.tag_duplicate") || strings.Contains(string(got.body), `"fixes"`) {
		t.Errorf("a large document: got %d %s", got.status, got.body)
	}
}
