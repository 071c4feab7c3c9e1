package calltest

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
)

// directoryWeb has two publishers of one agent, one of whom is a network's, and others.
const directoryWeb = `
-- https://one.example/.well-known/adagents.json --
200
Content-Type: application/json

{"last_updated": "2026-02-01T00:00:00Z", "properties": [
 {"property_id": "site", "property_type": "website", "name": "One", "identifiers": [{"type": "domain", "value": "one.example"}]},
 {"property_id": "app", "property_type": "mobile_app", "name": "App", "identifiers": [{"type": "ios_bundle", "value": "com.shared.app"}]}],
 "authorized_agents": [
 {"url": "https://Agent.example/mcp", "authorized_for": "The site", "authorization_type": "property_ids", "property_ids": ["site"], "countries": ["DE"], "delegation_type": "direct",
  "signing_keys": [{"kid": "k1", "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]},
 {"url": "https://agent.example/mcp", "authorized_for": "The app", "authorization_type": "inline_properties", "properties": [
  {"property_id": "more", "property_type": "website", "name": "More", "identifiers": [{"type": "domain", "value": "more.one.example"}]}]},
 {"url": "https://over.example/mcp", "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["app"], "effective_until": "2026-01-01T00:00:00Z"}]}
-- https://two.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authoritative_location": "https://network.example/adagents.json", "last_updated": "2026-01-01T00:00:00Z"}
-- https://gone.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authoritative_location": "https://network.example/adagents.json", "last_updated": "2026-01-01T00:00:00Z"}
-- https://network.example/adagents.json --
200
Content-Type: application/json

{"last_updated": "2026-02-01T00:00:00Z", "properties": [
 {"property_id": "two", "property_type": "website", "name": "Two", "publisher_domain": "two.example", "identifiers": [{"type": "domain", "value": "two.example"}, {"type": "ios_bundle", "value": "com.shared.app"}]},
 {"property_id": "three", "property_type": "website", "name": "Three", "publisher_domain": "three.example", "identifiers": [{"type": "domain", "value": "three.example"}]}],
 "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "publisher_properties",
 "publisher_properties": [{"publisher_domains": ["two.example", "three.example"], "selection_type": "all"}]}]}
-- https://nobody.example/robots.txt --
200
Content-Type: text/plain

-- https://broken.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authorized_agents": 7}
`

const agentPath = "/v1/agents/https%3A%2F%2Fagent.example%2Fmcp/publishers"

// newDirectory is a world that has looked at its publishers.
func newDirectory(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, directoryWeb)
	for _, domain := range []string{"one", "two", "broken", "nobody"} {
		got := w.call(http.MethodGet, "/api/registry/publisher?domain="+domain+".example", "")
		if got.status != http.StatusOK {
			t.Fatalf("%s: %d %s", domain, got.status, got.body)
		}
	}
	w.awaitNamed()
	return w
}

// awaitNamed waits until the publisher is noted that the network's file names: that is done beside
// the answers.
func (w *world) awaitNamed() {
	w.t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		n, err := w.custody.NamedWaiting(context.Background(), 1)
		switch {
		case err != nil:
			w.t.Fatal(err)
		case n > 0:
			return
		}
		<-tick.C
	}
}

// TestInverseLookup has the rules of the inverse lookup that clients depend on.
func TestInverseLookup(t *testing.T) {
	t.Parallel()
	w := newDirectory(t)
	tests := []struct {
		name, path string
		status     int
		members    map[string]string
	}{
		{"both publishers", agentPath, 200, map[string]string{
			"/agent_url": "https://agent.example/mcp", "/publishers/0/publisher_domain": "one.example", "/publishers/0/discovery_method": "direct", "/publishers/0/manager_domain": "null",
			"/publishers/0/properties_total": "3", "/publishers/0/properties_authorized": "1", "/publishers/0/properties_conditional": "1", "/publishers/0/signing_keys_pinned": "true", "/publishers/0/status": "authorized",
			"/publishers/1/publisher_domain": "two.example", "/publishers/1/discovery_method": "authoritative_location", "/publishers/1/manager_domain": "network.example",
			"/publishers/1/properties_authorized": "1", "/publishers/2/publisher_domain": "", "/next_cursor": "null", "/directory_indexed_at": "2026-03-01T12:00:00.000Z",
			"/publishers/0/property_ids": "", "/publishers/0/standing/state": "",
		}},
		{"the older path", "/api" + agentPath, 200, map[string]string{"/publishers/1/publisher_domain": "two.example"}},
		{"another spelling", "/v1/agents/HTTPS%3A%2F%2FAgent.example%3A443%2Fmcp/publishers", 200, map[string]string{"/publishers/0/publisher_domain": "one.example"}},
		{"ids and standing", agentPath + "?include=properties&include=standing", 200, map[string]string{
			"/publishers/0/property_ids/0": "more", "/publishers/0/property_ids/1": "", "/publishers/0/property_ids_conditional/0": "site", "/publishers/0/limited/0": "country", "/publishers/0/standing/state": "fresh",
			"/publishers/0/standing/source/url": "https://one.example/.well-known/adagents.json", "/unsettled_total": "0",
		}},
		{"a page", agentPath + "?limit=1", 200, map[string]string{"/publishers/1/publisher_domain": "", "/next_cursor": "b25lLmV4YW1wbGU"}},
		{"the next page", agentPath + "?limit=1&cursor=b25lLmV4YW1wbGU", 200, map[string]string{"/publishers/0/publisher_domain": "two.example", "/next_cursor": "null"}},
		{"an odd limit", agentPath + "?limit=many", 200, map[string]string{"/publishers/1/publisher_domain": "two.example"}},
		{"revoked", agentPath + "?status=revoked", 200, map[string]string{"/publishers/0/publisher_domain": "", "/directory_indexed_at": "null"}},
		{"since", agentPath + "?since=2026-03-02T00:00:00Z", 200, map[string]string{"/publishers/0/publisher_domain": ""}},
		{"an entry that is over", "/v1/agents/https%3A%2F%2Fover.example%2Fmcp/publishers", 200, map[string]string{"/publishers/0/publisher_domain": ""}},
		{"an unknown agent", "/v1/agents/https%3A%2F%2Fstranger.example%2F/publishers", 404, map[string]string{"/error": "Agent has never been indexed by this directory", "/agent_url": "https://stranger.example/"}},
		{"an unknown agent, revoked", "/v1/agents/https%3A%2F%2Fstranger.example%2F/publishers?status=revoked", 200, map[string]string{"/next_cursor": "null"}},
		{"two in one", agentPath + "?status=authorized,revoked", 400, map[string]string{"/field": "status"}},
		{"a wrong status", agentPath + "?status=maybe", 400, map[string]string{"/field": "status"}},
		{"a wrong include", agentPath + "?include=everything", 400, map[string]string{"/field": "include"}},
		{"a wrong cursor", agentPath + "?cursor=%20", 200, map[string]string{"/publishers/0/publisher_domain": "one.example"}},
		{"a broken cursor", agentPath + "?cursor=!!", 400, map[string]string{"/error": "Invalid cursor"}},
		{"no agent", "/v1/agents/agent/publishers", 400, map[string]string{"/error": "Invalid agent URL"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := w.call(http.MethodGet, tt.path, "")
			if got.status != tt.status {
				t.Fatalf("got %d %s", got.status, got.body)
			}
			for pointer, want := range tt.members {
				if text := got.member(t, pointer); text != want {
					t.Errorf("%s is %q, want %q", pointer, text, want)
				}
			}
		})
	}
}

// TestDirectoryIsConditional: an answer has an entity tag, and who has it is told so; a key
// that is none does not matter.
func TestDirectoryIsConditional(t *testing.T) {
	t.Parallel()
	w := newDirectory(t)
	for _, path := range []string{agentPath, "/api/registry/publishers", "/api/registry/authorizations?agent_url=https://agent.example/mcp", "/api/registry/stats", "/api/search?q=one"} {
		first := w.call(http.MethodGet, path, "", "Authorization", "Bearer nobody-knows-it")
		tag := first.header.Get("ETag")
		if first.status != http.StatusOK || tag == "" || !strings.Contains(first.header.Get("Cache-Control"), "max-age=60") {
			t.Fatalf("%s: %d %v", path, first.status, first.header)
		}
		again := w.call(http.MethodGet, path, "", "If-None-Match", tag)
		if again.status != http.StatusNotModified || len(again.body) != 0 || again.header.Get("ETag") != tag {
			t.Errorf("%s: %d %s", path, again.status, again.body)
		}
	}
}

// TestDirectoryAnswers has the other routes of the directory.
func TestDirectoryAnswers(t *testing.T) {
	t.Parallel()
	w := newDirectory(t)
	tests := []struct {
		method, path, body string
		members            map[string]string
	}{
		{"GET", "/api/registry/authorizations?agent_url=https://AGENT.example:443/mcp", "", map[string]string{
			"/count": "3", "/rows/0/agent_url": "https://Agent.example/mcp", "/rows/0/agent_url_canonical": "https://agent.example/mcp", "/rows/0/authorization_type": "property_ids",
			"/rows/0/property_ids/0": "site", "/rows/0/countries/0": "DE", "/rows/0/signing_keys/0/kid": "k1", "/rows/0/disputed": "true", "/rows/0/standing/state": "fresh",
			"/rows/1/authorization_type": "inline_properties", "/rows/1/property_ids/0": "more", "/rows/1/signing_keys": "null",
			"/rows/2/publisher_domain": "two.example", "/rows/2/publisher_properties/0/selection_type": "all", "/rows/2/publisher_properties/0/publisher_domain": "two.example", "/next_cursor": "null",
		}},
		{"GET", "/api/registry/authorizations?agent_url=https://stranger.example", "", map[string]string{"/count": "0", "/include": "effective", "/evidence/0": "adagents_json"}},
		{"GET", "/api/registry/authorizations?agent_url=https://agent.example/mcp&evidence=community", "", map[string]string{"/count": "0"}},
		{"GET", "/api/registry/publishers", "", map[string]string{
			"/count": "5", "/publishers/0/domain": "broken.example", "/publishers/0/standing/state": "unusable", "/publishers/0/has_valid_adagents": "false",
			"/publishers/1/domain": "nobody.example", "/publishers/1/standing/state": "absent", "/publishers/2/agent_count": "1", "/publishers/2/standing/state": "fresh",
			"/publishers/3/domain": "three.example", "/publishers/3/standing/state": "never", "/publishers/4/domain": "two.example",
		}},
		{"GET", "/api/registry/publishers?state=never", "", map[string]string{"/count": "1", "/publishers/0/domain": "three.example"}},
		{"GET", "/api/registry/publishers?limit=1&search=example", "", map[string]string{"/count": "1", "/next_cursor": "YnJva2VuLmV4YW1wbGU"}},
		{"GET", "/api/registry/agents?properties=true", "", map[string]string{
			"/agents/0/url": "https://agent.example/mcp", "/agents/0/agent_url": "https://agent.example/mcp", "/agents/0/publisher_domains/1": "two.example", "/agents/0/property_summary/total_count": "3",
		}},
		{"GET", "/api/registry/agents?type=creative", "", map[string]string{"/count": "0"}},
		{"GET", "/api/registry/agents/search?property_types=website", "", map[string]string{
			"/results/0/url": "https://agent.example/mcp", "/results/0/inventory_profile/publisher_count": "2", "/results/0/publisher_count": "2", "/results/1/url": "", "/has_more": "false",
		}},
		{"GET", "/api/registry/agents/search?markets=DE", "", map[string]string{"/results/0/url": ""}},
		{"GET", "/api/registry/stats", "", map[string]string{
			"/discovered_publishers": "2", "/discovered_agents": "1", "/authorizations": "2", "/known_publishers": "5", "/publishers_by_state/never": "1", "/publishers_by_state/gone": "0",
			"/properties_by_type/website": "3", "/looks_by_age/0/publishers": "4", "/unattended": "false", "/missing": "0",
		}},
		{"GET", "/api/registry/lookup/domain/one.example", "", map[string]string{
			"/authorized_agents/0/url": "https://agent.example/mcp", "/authorized_agents/0/authorized_for": "The site", "/authorized_agents/1/url": "", "/standing/in_effect": "true",
		}},
		{"GET", "/api/registry/lookup/domain/stranger.example", "", map[string]string{"/authorized_agents/0/url": "", "/standing/state": "never", "/standing/in_effect": "false"}},
		{"GET", "/api/registry/lookup/property?type=domain&value=Two.example", "", map[string]string{
			"/count": "1", "/agents/0/agent_url": "https://agent.example/mcp", "/agents/0/property/property_id": "two", "/contested": "false",
		}},
		{"GET", "/api/registry/lookup/property?type=ios_bundle&value=com.shared.app", "", map[string]string{
			"/contested": "true", "/publishers/0/publisher_domain": "one.example", "/publishers/1/publisher_domain": "two.example", "/count": "1",
		}},
		{"GET", "/api/registry/lookup/agent/https%3A%2F%2Fagent.example%2Fmcp/domains", "", map[string]string{"/domains/0": "one.example", "/domains/1": "two.example", "/count": "2"}},
		{"POST", "/api/properties/resolve/bulk", `{"domains": ["ONE.example", "three.example", "a b"]}`, map[string]string{
			"/results/one.example/properties/0/id": "site", "/results/one.example/properties/0/identifiers/0/value": "one.example", "/results/three.example": "null",
			"/standings/three.example/state": "never", "/results/a b": "null",
		}},
		{"GET", "/api/properties/registry?search=t", "", map[string]string{"/properties/0/domain": "two.example", "/properties/0/property_count": "1", "/stats/total": "2"}},
		{"GET", "/api/properties/registry?limit=1&offset=1", "", map[string]string{"/properties/0/domain": "two.example", "/properties/1/domain": ""}},
		{"GET", "/api/search?q=COM.shared.app", "", map[string]string{"/publishers/0/domain": "one.example", "/publishers/1/domain": "two.example", "/agents/0/url": ""}},
		{"GET", "/api/search?q=agent", "", map[string]string{"/agents/0/url": "https://agent.example/mcp"}},
		{"GET", "/api/manifest-refs/lookup?domain=two.example&type=adagents.json", "", map[string]string{"/reference/manifest_url": "https://network.example/adagents.json", "/reference/verification_status": "valid"}},
		{"GET", "/api/manifest-refs/lookup?domain=two.example", "", map[string]string{"/found": "false"}},
		{"GET", "/api/manifest-refs/lookup?domain=nobody.example&type=adagents.json", "", map[string]string{"/found": "false", "/standing/state": "absent"}},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			t.Parallel()
			got := w.call(tt.method, tt.path, tt.body)
			if got.status != http.StatusOK {
				t.Fatalf("got %d %s", got.status, got.body)
			}
			for pointer, want := range tt.members {
				if text := got.member(t, pointer); text != want {
					t.Errorf("%s is %q, want %q in %s", pointer, text, want, got.body)
				}
			}
		})
	}
	for path, message := range map[string]string{
		"/api/registry/agents?source=x":                                           "source query parameter is no longer supported (registry surface is registered-only)",
		"/api/registry/authorizations":                                            "agent_url query parameter is required",
		"/api/registry/authorizations?agent_url=https://agent.example&evidence=x": `Invalid evidence value "x", expected: adagents_json, agent_claim, community, override, adagents_authoritative`,
		"/api/registry/lookup/property?type=domain":                               "Missing required query params: type and value",
		"/api/search?q=a":                                                         "Query must be at least 2 characters",
		"/api/properties/registry?source=x":                                       "Invalid source filter. Valid values: adagents_json, community, enriched, hosted, discovered",
	} {
		if got := w.call(http.MethodGet, path, ""); got.status != http.StatusBadRequest || got.member(t, "/error") != message {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
}

// TestPropertyCheck: every domain of a list is in one list of the answer, whatever it is.
func TestPropertyCheck(t *testing.T) {
	t.Parallel()
	w := newDirectory(t)
	got := w.call(http.MethodPost, "/api/properties/check", `{"domains": ["one.example", "https://ONE.example/path", "m.two.example.", "nobody.example", "broken.example", "a b", "x.doubleclick.net", " "]}`)
	for pointer, want := range map[string]string{
		"/summary/total": "8", "/summary/ok": "2", "/summary/remove": "2", "/summary/modify": "1", "/summary/assess": "3",
		"/ok/0/domain": "one.example", "/ok/1/domain": "two.example", "/modify/0/reason": "m_stripped", "/modify/0/input": "m.two.example.",
		"/remove/0/reason": "duplicate", "/remove/1/domain_type": "ad_server", "/assess/0/state": "absent", "/assess/1/state": "unusable", "/assess/2/state": "invalid",
	} {
		if text := got.member(t, pointer); text != want {
			t.Errorf("%s is %q, want %q", pointer, text, want)
		}
	}
	again := w.call(http.MethodGet, "/api/properties/check/"+got.member(t, "/report_id"), "")
	if again.status != http.StatusOK || again.member(t, "/summary/ok") != "2" || again.member(t, "/report_id") != "" {
		t.Errorf("again: %d %s", again.status, again.body)
	}
	for path, want := range map[string]int{"/api/properties/check/x": 404, "/api/properties/history?domain=one.example": 200, "/api/properties/history?domain=stranger.example": 404, "/api/properties/history": 400} {
		if got := w.call(http.MethodGet, path, ""); got.status != want {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
}

// TestIdentifierCheck: each line of a list has a verdict unless it is skipped, and a domain is never
// spoken for by another site.
func TestIdentifierCheck(t *testing.T) {
	t.Parallel()
	w := newDirectory(t)
	got := w.call(http.MethodPost, "/api/properties/check/bulk", `{"identifiers": ["# list", " ", "one.example", "https://WWW.One.example/path", "APPLE_APP_STORE,com.shared.app",
		"apple_app_store, 123", "123", "ROKU,9", "com.Shared.App", "broken.example", "stranger.example", "x.doubleclick.net", "ROKU,", "a b", "more.one.example", "..", "\u0000.\u0000"]}`)
	if got.status != http.StatusOK {
		t.Fatalf("got %d %s", got.status, got.body)
	}
	for pointer, want := range map[string]string{
		"/summary/total": "17", "/summary/skipped": "4", "/summary/ready": "4", "/summary/known": "1", "/summary/ad_infra": "1", "/summary/unknown": "7",
		"/entries/0/input": "one.example", "/entries/0/verdict": "ready", "/entries/0/source": "authoritative", "/entries/0/publisher_domain": "one.example", "/entries/0/action": "Supports agent-based transactions",
		"/entries/1/identifier/value": "one.example", "/entries/1/property_rid": got.member(t, "/entries/0/property_rid"),
		"/entries/2/identifier/type": "ios_bundle", "/entries/2/verdict": "ready", "/entries/2/publisher_domain": "one.example",
		"/entries/3/identifier/type": "apple_app_store_id", "/entries/3/identifier/value": "123", "/entries/4/identifier/type": "apple_app_store_id",
		"/entries/5/identifier/type": "roku_store_id", "/entries/6/identifier/type": "android_package", "/entries/6/identifier/value": "com.shared.app", "/entries/6/verdict": "unknown",
		"/entries/7/verdict": "known", "/entries/7/property_rid": "null", "/entries/7/source": "null", "/entries/7/action": "In catalog — publish adagents.json to enable",
		"/entries/8/verdict": "unknown", "/entries/8/classification": "null", "/entries/9/verdict": "ad_infra", "/entries/9/classification": "ad_infra", "/entries/10/input": "more.one.example",
	} {
		if text := got.member(t, pointer); text != want {
			t.Errorf("%s is %q, want %q", pointer, text, want)
		}
	}
	if rid := got.member(t, "/entries/0/property_rid"); rid == "" || !strings.Contains(string(w.call(http.MethodGet, "/api/registry/feed", "").body), rid) {
		t.Errorf("the feed has no property %q", rid)
	}
	path := "/api/properties/check/bulk/" + got.member(t, "/report_id")
	again := w.call(http.MethodGet, path, "")
	if again.status != http.StatusOK || again.member(t, "/summary/ready") != "4" || again.member(t, "/report_id") != "" {
		t.Errorf("again: %d %s", again.status, again.body)
	}
	for _, path := range []string{strings.Replace(path, "/bulk", "", 1), "/api/properties/check/bulk/x"} {
		if got := w.call(http.MethodGet, path, ""); got.status != http.StatusNotFound || got.member(t, "/error") != "Report not found or expired" {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	for body, message := range map[string]string{`{}`: "identifiers array is required", `{"identifiers": "one.example"}`: ""} {
		got := w.call(http.MethodPost, "/api/properties/check/bulk", body)
		if got.status != http.StatusBadRequest || message != "" && got.member(t, "/error") != message {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
	}
}

// TestUnattended: the numbers say that nobody looks at publishers.
func TestUnattended(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	_, err := w.custody.Plan(t.Context(), []hostname.Domain{"one.example"}, custodian.Wanted, noon.Add(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"false", "true"} { // once may be chance
		err = w.service.CountWorkers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := w.call("GET", "/api/registry/stats", "")
		if got.status != 200 || got.member(t, "/unattended") != want {
			t.Errorf("%d: %d %s", i, got.status, got.body)
		}
	}
}
