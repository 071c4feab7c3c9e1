package calltest

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// listCalls are the calls of routes of the directory that list something, by the id of the
// route. Those of the directory that are not here are in noLists.
var listCalls = map[string][]string{
	"agent_publishers":        {"GET " + agentPath + "?include=standing"},
	"agent_publishers_api":    {"GET /api" + agentPath + "?include=standing&include=properties"},
	"authorizations":          {"GET /api/registry/authorizations?agent_url=https://agent.example/mcp"},
	"authorizations_snapshot": {"GET /api/registry/authorizations/snapshot"},
	"authorize_batch":         {"POST /api/authorize/batch", `{"publisher": "one.example", "agent": "https://agent.example/mcp"}`},
	"publishers":              {"GET /api/registry/publishers"},
	"agents":                  {"GET /api/registry/agents?properties=true"},
	"agents_search":           {"GET /api/registry/agents/search"},
	"operator":                {"GET /api/registry/operator?domain=agent.example"},
	"lookup_domain":           {"GET /api/registry/lookup/domain/one.example"},
	"lookup_property":         {"GET /api/registry/lookup/property?type=domain&value=one.example"},
	"agent_domains":           {"GET /api/registry/lookup/agent/https%3A%2F%2Fagent.example%2Fmcp/domains?include=standing"},
	"resolve_properties":      {"POST /api/properties/resolve/bulk", `{"domains": ["one.example", "nobody.example"]}`},
	"properties":              {"GET /api/properties/registry"},
	"search":                  {"GET /api/search?q=example"},
	"check_properties":        {"POST /api/properties/check", `{"domains": ["one.example", "nobody.example"]}`},
	"property_history":        {"GET /api/properties/history?domain=one.example"},
}

// noLists are routes of the directory whose answers have no rows about publishers, with what
// they have.
var noLists = map[string]string{
	"stats": "counts", "manifest_ref": "one publisher", "property_check_report": "that of check_properties",
	"check_identifiers": "verdicts about identifiers", "identifier_check_report": "that of check_identifiers",
	"catalog": "properties", "catalog_sync": "properties", "registry_resolve": "ids of properties",
	"feed": "events", "feed_stream": "events",
	"crawl_request": "a request", "crawl_request_status": "a request", "manager_revalidation_request": "a request", "brand_crawl_request": "a request", "trust_crawl_request": "a file", "trust": "a file", "revalidate": "a check",
	"subscribe": "a subscription", "subscriptions": "subscriptions", "subscription": "a subscription", "delete_subscription": "a subscription",
	"resume_subscription": "a subscription", "replay_subscription": "a subscription",
}

// TestRowsHaveStandings: every row that the directory lists says how its publisher stands and
// where its file comes from, itself or in what the list belongs to.
func TestRowsHaveStandings(t *testing.T) {
	t.Parallel()
	w := newDirectory(t)
	for id, d := range operations(t, w) {
		tags, _ := d.operation["tags"].([]any)
		_, other := noLists[id]
		if len(tags) == 1 && tags[0] == "directory" && listCalls[id] == nil && !other {
			t.Errorf("%s is neither in listCalls nor in noLists", id)
		}
	}
	for id, call := range listCalls {
		method, path, _ := strings.Cut(call[0], " ")
		body := strings.Join(call[1:], "")
		got := w.call(method, path, body)
		if got.status != http.StatusOK {
			t.Errorf("%s: %d %s", id, got.status, got.body)
			continue
		}
		rows := 0
		for i, doc := range documents(t, got) {
			rows += checkRows(t, id+" "+strconv.Itoa(i), doc, false)
		}
		if rows == 0 {
			t.Errorf("%s has no rows: %s", id, got.body)
		}
	}
}

// documents returns the objects of an answer, of which each line has one where they are lines.
func documents(t *testing.T, got answered) []any {
	t.Helper()
	body := got.body
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err == nil {
		body, err = io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
	}
	if !strings.HasPrefix(got.header.Get("Content-Type"), "application/x-ndjson") {
		return []any{decoded(t, body)}
	}
	var lines []any
	for line := range bytes.Lines(body) {
		lines = append(lines, decoded(t, line))
	}
	return []any{lines}
}

func decoded(t *testing.T, text []byte) any {
	t.Helper()
	var v any
	err := json.Unmarshal(text, &v)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// checkRows goes through a value and returns how many rows it has: objects in lists. covered
// is set where what is around it says how its publisher stands.
func checkRows(t *testing.T, path string, v any, covered bool) int {
	t.Helper()
	rows := 0
	switch v := v.(type) {
	case []any:
		for i, one := range v {
			at := path + "/" + strconv.Itoa(i)
			object, ok := one.(map[string]any)
			if ok {
				rows++
			}
			if ok && !covered && !hasStanding(t, at, object) {
				t.Errorf("%s does not say how its publisher stands: %v", at, object)
			}
			rows += checkRows(t, at, one, covered)
		}
	case map[string]any:
		covered = covered || hasStanding(t, path, v)
		for name, one := range v {
			rows += checkRows(t, path+"/"+name, one, covered)
		}
	}
	return rows
}

// hasStanding reports whether an object says how its publisher stands, or each of several, or
// the one that it was seen at.
func hasStanding(t *testing.T, path string, object map[string]any) bool {
	t.Helper()
	list, _ := object["standings"].(map[string]any)
	for domain, one := range list {
		checkStanding(t, path+" "+domain, one)
	}
	standing := object["standing"]
	if seen, ok := object["seen_at"].(map[string]any); ok {
		standing = seen["standing"]
	}
	if standing != nil {
		checkStanding(t, path, standing)
	}
	return standing != nil || len(list) > 0
}

// checkStanding: what is in effect has a source, and since when it is.
func checkStanding(t *testing.T, path string, v any) {
	t.Helper()
	if at(v, "state") == nil || at(v, "in_effect") == nil {
		t.Errorf("%s: %v is no standing", path, v)
	}
	if at(v, "in_effect") == true && (at(v, "since") == nil || at(v, "next_look") == nil || at(v, "source", "url") == nil) {
		t.Errorf("%s: %v lacks since, next_look or source", path, v)
	}
}
