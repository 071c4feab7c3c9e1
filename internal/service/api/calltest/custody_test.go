package calltest

import (
	"net/url"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/service/registry"
)

const movingWeb = `
-- https://pub.example/.well-known/adagents.json --
200 times=1
Content-Type: application/json

{"authoritative_location": "https://first.example/file.json"}
-- https://pub.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authoritative_location": "https://second.example/file.json"}
-- https://first.example/file.json --
200
Content-Type: application/json

{"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "Display", "authorization_type": "property_ids", "property_ids": ["site"]}],
 "properties": [{"property_id": "site", "property_type": "website", "name": "Site", "publisher_domain": "pub.example", "identifiers": [{"type": "domain", "value": "pub.example"}]}]}
-- https://second.example/file.json --
200
Content-Type: application/json

{"authorized_agents": [{"url": "https://stranger.example/mcp", "authorized_for": "Display", "authorization_type": "property_ids", "property_ids": ["site"]}],
 "properties": [{"property_id": "site", "property_type": "website", "name": "Site", "publisher_domain": "pub.example", "identifiers": [{"type": "domain", "value": "pub.example"}]}]}
`

// TestSpellings has a publisher whose domain is written in several ways, with the same answers.
func TestSpellings(t *testing.T) {
	t.Parallel()
	w := newWorld(t, strings.ReplaceAll(movingWeb, "pub.example", "xn--bcher-kva.example"))
	moderate := w.secretOf(registry.ScopeModerate)
	expect := expecting(t)
	const plain = "xn--bcher-kva.example"
	expect(w.call("POST", "/api/custody/refresh", `{"domain": "B\u00dcCHER.Example."}`, moderate...), 200, "/domain", plain, "/served", "usable")
	for _, path := range []string{
		"/api/custody/publisher?domain=", "/api/custody/history?domain=", "/api/custody/events?domain=",
		"/api/custody/replay?at=2026-03-01T12:00:00Z&domain=", "/api/registry/publisher?domain=",
		"/api/registry/publisher/authorization?agent_url=https://agent.example/mcp&domain=",
	} {
		want := expect(w.call("GET", path+plain, "", moderate...), 200)
		for _, spelling := range []string{"XN--bcher-KVA.example", plain + ".", "b%C3%BCcher.example", "B%C3%9CCHER.EXAMPLE."} {
			written, err := url.PathUnescape(spelling)
			if err != nil {
				t.Fatal(err)
			}
			// Some answers repeat the domain as it was written.
			got := strings.Replace(string(expect(w.call("GET", path+spelling, "", moderate...), 200).body), `"domain":"`+written+`"`, `"domain":"`+plain+`"`, 1)
			if got != string(want.body) {
				t.Errorf("%s%s: %s, want %s", path, spelling, got, want.body)
			}
		}
		expect(w.call("GET", path+"no%20domain", "", moderate...), 400)
	}
	expect(w.call("GET", "/api/custody/events?domain="+plain, "", moderate...), 200, "/events/0/publisher", plain)
	expect(w.call("GET", "/api/custody/events?domain=no%20domain", "", moderate...), 400, "/code", "invalid_domain")
}

// TestCustodyStory has a publisher whose pointer moves to a stranger, and an operator who
// decides about it.
func TestCustodyStory(t *testing.T) {
	t.Parallel()
	w := newWorld(t, movingWeb)
	write, moderate := w.secretOf(registry.ScopeWrite), w.secretOf(registry.ScopeModerate)
	expect := expecting(t)
	const first, second = "https://first.example/file.json", "https://second.example/file.json"
	state := "/api/custody/publisher?domain=pub.example"
	expect(w.call("GET", state, ""), 401)
	expect(w.call("GET", state, "", write...), 403)
	expect(w.call("GET", state, "", moderate...), 200, "/served", "unreachable", "/publisher_standing", "unknown", "/detail", "the publisher was not asked yet")
	refresh := func() answered {
		return w.call("POST", "/api/custody/refresh", `{"domain": "PUB.example"}`, moderate...)
	}
	expect(refresh(), 200, "/domain", "pub.example", "/served", "usable", "/place/url", first, "/place/method", "authoritative_location", "/file_standing", "fresh")

	// The move is held, and answers stay as they were.
	expect(refresh(), 200, "/place/url", first, "/move/to/url", second, "/move/signs/0", "new_agent", "/move/rejected", "false")
	agent := "/api/registry/publisher/authorization?domain=pub.example&agent_url=https://stranger.example/mcp"
	expect(w.call("GET", agent, ""), 404)
	expect(w.call("GET", "/api/custody/holds", "", moderate...), 200, "/holds/0/name", "pub.example", "/holds/0/what", second)
	decide := func(verb, name, what string, key []string) answered {
		return w.call("POST", "/api/custody/holds/"+verb, `{"name": "`+name+`", "what": "`+what+`"}`, key...)
	}
	expect(decide("confirm", "pub.example", second, write), 403)
	expect(decide("confirm", "pub.example", first, moderate), 409, "/code", "not_waiting")
	expect(decide("reject", second, "0123", moderate), 400, "/code", "invalid_hold")
	expect(decide("confirm", "no domain", second, moderate), 400, "/code", "invalid_hold")
	expect(decide("reject", "pub.example", second, moderate), 200, "/success", "true")
	expect(refresh(), 200, "/place/url", first, "/move/rejected", "true")

	expect(decide("confirm", "pub.example", second, moderate), 200)
	expect(refresh(), 200, "/place/url", second)
	expect(w.call("GET", agent, ""), 200)
	none := expect(w.call("GET", "/api/custody/holds", "", moderate...), 200)
	if !strings.Contains(string(none.body), `"holds":[]`) {
		t.Errorf("%s", none.body)
	}

	history := expect(w.call("GET", "/api/custody/history?domain=pub.example", "", moderate...), 200)
	for _, code := range []string{"publisher.located", "move.held", "move.rejected", "move.confirmed", "file.adopted"} {
		if !strings.Contains(string(history.body), `"`+code+`"`) {
			t.Errorf("the history lacks %s: %s", code, history.body)
		}
	}
	expect(w.call("GET", "/api/custody/replay?domain=pub.example&at=2026-03-01T12:00:00Z", "", moderate...), 200, "/served", "usable", "/version/url", second)
	expect(w.call("GET", "/api/custody/replay?domain=pub.example&at=2026-02-01T12:00:00Z", "", moderate...), 404, "/code", "not_in_custody")
	expect(w.call("GET", "/api/custody/replay?domain=pub.example&at=yesterday", "", moderate...), 400)
	expect(w.call("GET", "/api/custody/changes?domain=pub.example", "", moderate...), 404, "/code", "not_in_custody")
	events := expect(w.call("GET", "/api/custody/events?min_severity=warning&limit=1", "", moderate...), 200)
	after := events.member(t, "/events/0/id")
	more := expect(w.call("GET", "/api/custody/events?domain=pub.example&after="+after, "", moderate...), 200)
	if more.member(t, "/events/0/id") == after {
		t.Error("an event comes twice")
	}
}
