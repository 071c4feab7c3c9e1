package calltest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
)

const trustWeb = `
-- https://pub.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "Display", "authorization_type": "property_ids", "property_ids": ["site"], "delegation_type": "direct"}],
 "properties": [{"property_id": "site", "property_type": "website", "name": "Site", "publisher_domain": "pub.example", "identifiers": [{"type": "domain", "value": "pub.example"}]}]}
-- https://agent.example/.well-known/trust.json --
200
Content-Type: application/json

{"agents": [{"url": "https://agent.example/mcp", "roles": ["adcp:sales"], "kid": "1"}],
 "acknowledgements": [{"grantor": "pub.example", "agent_url": "https://agent.example/mcp", "via": "adcp:adagents", "profiles": {"adcp": {"delegation_type": "ad_network"}}}]}
-- https://brand.example/.well-known/trust.json --
200
Content-Type: application/json

{"house": {"domain": "brand.example"}, "brands": []}
-- https://moved.example/.well-known/trust.json --
301
Location: https://www.moved.example/.well-known/trust.json
-- https://www.moved.example/.well-known/trust.json --
200
Content-Type: application/json

{"agents": []}
-- https://pointing.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authoritative_location": "https://agent.example/.well-known/trust.json"}
`

// TestTrust has a trust.json read on request, kept and shown. No answer changes by a byte.
func TestTrust(t *testing.T) {
	t.Parallel()
	w := newWorld(t, trustWeb)
	write := w.secretOf(registry.ScopeWrite)
	expect := expecting(t)
	questions := []string{
		"/api/authorize?publisher=pub.example&agent=https://agent.example/mcp", "/api/authorize?publisher=pub.example&agent=https://other.example/mcp",
		"/api/authorize?publisher=pointing.example&agent=https://agent.example/mcp", "/api/registry/publisher/authorization?domain=pub.example&agent_url=https://agent.example/mcp",
	}
	answers := func() [][]byte {
		var all [][]byte
		for _, path := range questions {
			all = append(all, w.call("GET", path, "").body)
		}
		return all
	}
	answers() // nothing is known of anybody before
	before := answers()

	expect(w.call("GET", "/api/registry/trust?domain=agent.example", ""), 200, "/standing", "unknown", "/data", "null", "/version", "null")
	expect(w.call("POST", "/api/registry/trust-crawl-request", `{"domain": "agent.example"}`), 401)
	stored := expect(w.call("POST", "/api/registry/trust-crawl-request", `{"domain": "AGENT.example"}`, write...), 200,
		"/experimental", "true", "/standing", "fresh", "/data/agents/0/kid", "1", "/problems/0/pointer", "/agents/0/kid", "/url", "https://agent.example/.well-known/trust.json")
	expect(w.call("POST", "/api/registry/trust-crawl-request", `{"domain": "agent.example"}`, write...), 429)
	shown := expect(w.call("GET", "/api/registry/trust?domain=agent.example", ""), 200)
	if !bytes.Equal(stored.body, shown.body) {
		t.Errorf("%s\nis shown as\n%s", stored.body, shown.body)
	}
	expect(w.call("POST", "/api/registry/crawl-request", `{"domain": "agent.example"}`, write...), 202) // has a limit of its own

	// What is not a trust.json, and what redirects, is not kept; nothing is known of them afterwards.
	for domain, want := range map[string]int{"brand.example": 200, "moved.example": 200, "nothing.example": 200, "co.uk": 400, "localhost": 400, "192.0.2.1": 400} {
		a := w.call("POST", "/api/registry/trust-crawl-request", `{"domain": "`+domain+`"}`, write...)
		if a.status != want || want == 200 && a.member(t, "/standing") != "unknown" {
			t.Errorf("%s: %d %s", domain, a.status, a.body)
		}
	}
	for i, after := range answers() {
		if !bytes.Equal(before[i], after) {
			t.Errorf("%s: %s\nwas %s", questions[i], after, before[i])
		}
	}
	events, err := w.custody.Events(t.Context(), custodian.EventFilter{}, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	adopted := 0
	for _, e := range events {
		if strings.HasPrefix(e.URL, "https://agent.example/.well-known/trust.json#") {
			adopted++
			if e.Code != "file.adopted" || e.After == "" || e.After != stored.member(t, "/version/sha256") {
				t.Errorf("%+v", e)
			}
		}
	}
	if adopted != 1 {
		t.Errorf("%d events of the file, want 1", adopted)
	}
}
