package servicetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A step is one request of a session. Names in braces that an earlier step keeps are
// replaced in path and body.
type step struct {
	method, path, body string
	// key is the scope of the key that is sent; empty for none.
	key    string
	status int
	// keep are members of the answer that later steps need.
	keep []string
	// headers are sent beside the key.
	headers []string
}

const catalog = `{"catalog_etag": "%s", "properties": [{"property_id": "video", "property_type": "website", "name": "Video",
 "publisher_domain": "platform.example", "identifiers": [{"type": "domain", "value": "platform.example"}]}]%s}`

// session calls every route, most with something good and something bad.
func session() []step {
	return slices.Concat(
		programSteps(),
		toolSteps(),
		brandSteps(),
		lookupSteps(),
		mirrorSteps(),
		custodySteps(),
		directorySteps(),
		crawlSteps(),
		subscriptionSteps(),
		pageSteps(),
		providerSteps(), // last: it is left alone afterwards
	)
}

func get(path string, status int) step { return step{method: "GET", path: path, status: status} }

func post(path, body string, status int) step {
	return step{method: "POST", path: path, body: body, status: status}
}

// with sends a key with a request, and keeps members of the answer.
func with(key string, s step, keep ...string) step {
	s.key, s.keep = key, keep
	return s
}

func put(platform, etag, more string, status int) step {
	return step{method: "PUT", path: "/api/registry/mirrors/" + platform, body: fmt.Sprintf(catalog, etag, more), status: status}
}

func remove(path string, status int) step {
	return step{method: "DELETE", path: path, status: status}
}

const agentQuery = "agent=https://agent.example/mcp"

// programSteps are about what comes with the program.
func programSteps() []step {
	return []step{
		get("/healthz", 200), get("/readyz", 200), get("/api", 200), get("/openapi.yaml", 200), get("/openapi.json", 200),
		get("/docs", 200), get("/schemas/v3/adagents.json", 200), get("/api/nothing", 404),
	}
}

// toolSteps are about the tools.
func toolSteps() []step {
	return []step{
		post("/api/adagents/validate", `{"domain": "publisher.example"}`, 200),
		post("/api/adagents/validate", `{"domain": "publisher.example"}`, 200), // from memory
		post("/api/adagents/validate", `{"domain": "publisher.example", "refresh": true, "check_agents": true}`, 200),
		post("/api/adagents/validate", `{"domain": "broken.example"}`, 200),
		post("/api/adagents/validate", `{"domain": "pointer.example"}`, 200),
		post("/api/adagents/validate", `{"domain": "managed.example"}`, 200),
		post("/api/adagents/validate", `{"domain": "failing.example"}`, 200),
		post("/api/adagents/validate", `{"domain": "missing.example"}`, 200),
		post("/api/adagents/validate", `{"content": {"authorized_agents": []}}`, 200),
		post("/api/adagents/validate", `{"domain": 1}`, 400), post("/api/adagents/validate", `{`, 400),
		post("/api/adagents/validate-cards", `{"agent_urls": ["https://agent.example/mcp"]}`, 200),
		post("/api/adagents/create", fmt.Sprintf(catalog, "v1", `, "authorized_agents": []`), 200),
		post("/api/adagents/create", `{"authorized_agents": [{}]}`, 400),
	}
}

// brandSteps are about brands.
func brandSteps() []step {
	return []step{
		get("/api/brands/enrich?domain=good.example", 200), get("/api/brands/enrich?domain=good.example", 200),
		with("write", get("/api/brands/enrich?domain=good.example", 200)),
		get("/api/brands/enrich?domain=own.example", 200), get("/api/brands/enrich?domain=unknown.example", 404),
		post("/api/brands/save", `{"domain": "saved.example", "brand_name": "Saved"}`, 401),
		with("write", post("/api/brands/save", `{"domain": "saved.example", "brand_name": "Saved"}`, 200)),
		with("write", post("/api/brands/save", `{"domain": "saved.example", "brand_name": "Saved again"}`, 200)),
		with("write", post("/api/brands/save", `{"domain": "own.example", "brand_name": "Not own"}`, 409)),
		get("/api/brands/enrich?domain=saved.example", 200),
	}
}

// lookupSteps are about lookups and verdicts.
func lookupSteps() []step {
	const product = `{"agent_url": "https://agent.example/mcp", "publisher_properties": [
	 {"publisher_domain": "publisher.example", "selection_type": "by_id", "property_ids": ["site", "app"]},
	 {"publisher_domain": "pointer.example", "selection_type": "all"}]}`
	return []step{
		get("/api/properties/validate?domain=publisher.example", 200), get("/api/public/validate-publisher?domain=publisher.example", 200),
		get("/api/properties/resolve?domain=publisher.example", 200), get("/api/properties/resolve?domain=missing.example", 404),
		get("/api/registry/publisher?domain=publisher.example", 200), get("/api/registry/publisher?domain=managed.example", 200),
		get("/api/registry/publisher/authorization?domain=publisher.example&"+agentQuery, 200),
		get("/api/registry/publisher/authorization?domain=publisher.example&agent=https://stranger.example", 404),
		get("/api/registry/validate/property-authorization?"+agentQuery+"&identifier_type=domain&identifier_value=publisher.example", 200),
		get("/api/registry/validate/property-authorization?"+agentQuery+"&identifier_type=ios_bundle&identifier_value=example.publisher.app", 200),
		get("/api/registry/validate/property-authorization", 400),
		post("/api/registry/validate/product-authorization", product, 200), post("/api/registry/expand/product-identifiers", product, 200),

		get("/api/authorize?publisher=publisher.example&"+agentQuery+"&property=site", 200), get("/api/authorize?publisher=publisher.example", 400),
		get("/api/authorize?publisher=publisher.example&proofs=true&"+agentQuery, 200), get("/api/authorize?publisher=publisher.example&proofs=maybe&"+agentQuery, 400),
		get("/api/formats?domain=publisher.example", 200), get("/api/formats", 400),
		post("/api/formats/intersect", `{"publisher_domain": "publisher.example", "product": {"product_id": "p", "format_options": [{"format_kind": "image"}]}}`, 200),
		post("/api/formats/intersect", `{}`, 400),
		post("/api/registry/verify/supply-path", `{"owner_domain": "publisher.example", "host_domain": "managed.example", "agent_url": "https://agent.example/mcp"}`, 200),
		post("/api/registry/verify/supply-path", `{}`, 400),
	}
}

// mirrorSteps are about a mirror from the first proposal to its end.
func mirrorSteps() []step {
	const digest = `{"proposal_digest": "{proposal_digest}", "reason": "Seen"}`
	return []step{
		get("/api/registry/mirrors/video", 404), put("video", "v1", "", 401),
		with("write", put("video", "v1", "", 202), "proposal_id", "proposal_digest"),
		with("write", get("/api/registry/mirror-proposals/{proposal_id}", 200)),
		with("write", get("/api/registry/mirror-proposals", 403)),
		with("moderate", get("/api/registry/mirror-proposals?status=pending", 200)),
		with("write", post("/api/registry/mirror-proposals/{proposal_id}/approve", digest, 403)),
		with("moderate", post("/api/registry/mirror-proposals/{proposal_id}/approve", `{"proposal_digest": "00"}`, 409)),
		with("moderate", post("/api/registry/mirror-proposals/{proposal_id}/approve", digest, 200)),
		with("moderate", post("/api/registry/mirror-proposals/{proposal_id}/approve", digest, 409)),
		with("write", put("video", "v2", "", 202), "proposal_id", "proposal_digest"),
		with("moderate", post("/api/registry/mirror-proposals/{proposal_id}/reject", digest, 200)),
		with("write", put("video", "v3", "", 202), "proposal_id", "proposal_digest"),
		with("moderate", put("video", "v4", "", 200)),
		with("moderate", post("/api/registry/mirror-proposals/{proposal_id}/approve", digest, 409)), // its base is gone
		with("moderate", put("audio", "a1", "", 200)),
		with("moderate", put("audio", "a2", `, "authorized_agents": [{"url": "https://agent.example"}]`, 400)),
		get("/api/registry/mirrors?limit=1&offset=1", 200), get("/api/registry/mirrors", 200), get("/api/registry/mirrors/video", 200),
		get("/translated/video/adagents.json", 200), get("/translated/none/adagents.json", 404),
		with("moderate", remove("/api/registry/mirrors/video", 409)),
		with("moderate", put("video", "v5", `, "superseded_by": "https://platform.example/.well-known/adagents.json"`, 200)),
		get("/api/registry/mirrors/video", 200), get("/translated/video/adagents.json", 200),
		with("moderate", remove("/api/registry/mirrors/video", 409)), with("write", remove("/api/registry/mirrors/video?force=true", 403)),
		with("moderate", remove("/api/registry/mirrors/video?force=true", 200)), get("/translated/video/adagents.json", 404),
		with("moderate", get("/api/registry/mirror-proposals", 200)),
	}
}

// custodySteps are about a publisher whose file moves, over time.
func custodySteps() []step {
	return []step{
		get("/api/custody/publisher?domain=moving.example", 401),
		with("write", get("/api/custody/publisher?domain=moving.example", 403)),
		with("moderate", get("/api/custody/publisher?domain=moving.example", 200)),
		with("moderate", post("/api/custody/refresh", `{"domain": "moving.example"}`, 200)),
		with("moderate", post("/api/custody/refresh", `{"domain": "moving.example"}`, 200)), // held
		get("/api/registry/publisher/authorization?domain=moving.example&"+agentQuery, 200),
		with("moderate", get("/api/custody/holds", 200)),
		with("moderate", post("/api/custody/holds/reject", `{"name": "moving.example", "what": "https://second.example/file.json"}`, 200)),
		with("moderate", post("/api/custody/holds/confirm", `{"name": "moving.example", "what": "https://first.example/file.json"}`, 409)),
		with("moderate", post("/api/custody/holds/confirm", `{"name": "moving.example", "what": "https://second.example/file.json"}`, 200)),
		get("/api/registry/publisher/authorization?domain=moving.example&"+agentQuery, 404),
		with("moderate", get("/api/custody/history?domain=moving.example", 200)),
		with("moderate", get("/api/custody/replay?domain=moving.example&at=2000-01-01T00:00:00Z", 404)),
		with("moderate", get("/api/custody/replay?domain=moving.example&at=2100-01-01T00:00:00Z", 400)),
		with("moderate", get("/api/custody/changes?domain=moving.example", 404)),
		with("moderate", get("/api/custody/events?domain=moving.example&min_severity=warning", 200)),
	}
}

// directorySteps are about the directory and its feed.
func directorySteps() []step {
	return []step{
		get("/v1/agents/https%3A%2F%2Fagent.example%2Fmcp/publishers", 200), get("/api/v1/agents/https%3A%2F%2Fagent.example%2Fmcp/publishers?include=standing", 200),
		get("/api/registry/publishers", 200), get("/api/registry/agents", 200), get("/api/registry/agents/search", 200), get("/api/registry/stats", 200),
		get("/api/registry/authorizations?agent_url=https://agent.example/mcp", 200), get("/api/registry/lookup/domain/publisher.example", 200),
		get("/api/registry/lookup/property?type=domain&value=publisher.example", 200), get("/api/registry/lookup/agent/https%3A%2F%2Fagent.example%2Fmcp/domains", 200),
		get("/api/properties/registry", 200), get("/api/search?q=publisher", 200), get("/api/manifest-refs/lookup?domain=publisher.example", 200),
		get("/api/registry/feed?types=property.merged", 200), get("/api/registry/feed?limit=0", 400), get("/api/registry/feed?cursor=0199f3a4-7c10-7001-a1b2-0c3d4e5f6071", 410),
		get("/api/registry/feed/stream?cursor=0199f3a4-7c10-7001-a1b2-0c3d4e5f6071", 410), get("/api/registry/authorizations/snapshot", 200),
		get("/api/registry/feed?types=property.merged&proofs=true", 200), get("/api/registry/feed?limit=501&proofs=true", 400),
		get("/api/registry/feed/stream?proofs=true&cursor=0199f3a4-7c10-7001-a1b2-0c3d4e5f6071", 410), get("/api/registry/authorizations/snapshot?proofs=true", 200),
		get("/api/properties/history?domain=publisher.example", 200), get("/api/properties/history?domain=never-named.example", 404),
		{method: "POST", path: "/api/properties/check", body: `{"domains": ["publisher.example", "www.publisher.example", "cdn.doubleclick.net", "nobody.example"]}`, status: 200, keep: []string{"report_id"}},
		get("/api/properties/check/{report_id}", 200), get("/api/properties/check/none", 404),
		{method: "POST", path: "/api/properties/check/bulk", body: `{"identifiers": ["publisher.example", "ROKU,1", "# no"]}`, status: 200, keep: []string{"report_id"}},
		get("/api/properties/check/bulk/{report_id}", 200), get("/api/properties/check/bulk/none", 404), post("/api/properties/check/bulk", `{}`, 400),
		get("/api/brands/resolve?domain=own.example", 200), get("/api/brands/resolve?domain=nobody-at-all.example", 404), post("/api/brands/resolve/bulk", `{"domains": ["own.example"]}`, 200),
		get("/api/brands/brand-json?domain=own.example", 200),
		get("/api/brands/registry?search=own", 200), get("/api/brands/registry?source=none", 400), get("/api/brands/find?q=own", 200), get("/api/brands/find?q=o", 400),
		get("/api/brands/history?domain=own.example", 200), get("/api/brands/history?domain=nobody-at-all.example", 404), get("/api/brands/history", 400),
		get("/api/registry/catalog?limit=1", 200), get("/api/registry/catalog?cursor=x", 400), get("/api/registry/catalog/sync?since=2026-01-01T00:00:00Z", 200), get("/api/registry/catalog/sync", 400),
		post("/api/registry/resolve", `{"mode": "lookup", "identifiers": [{"type": "domain", "value": "publisher.example"}]}`, 200), post("/api/registry/resolve", `{"identifiers": [{"type": "domain", "value": "publisher.example"}]}`, 400),
		post("/api/properties/resolve/bulk", `{"domains": ["publisher.example", "missing.example"]}`, 200), post("/api/properties/resolve/bulk", `{}`, 400),
		{
			method: "POST", path: "/api/authorize/batch", status: 200, headers: []string{"Content-Type", "application/x-ndjson"},
			body: `{"publisher": "publisher.example", "agent": "https://agent.example/mcp", "property": "site"}` + "\n" + `{"publisher": "nobody.example", "agent": "https://agent.example/mcp"}`,
		},
	}
}

// crawlSteps are about what is asked to be looked at.
func crawlSteps() []step {
	return []step{
		post("/api/registry/crawl-request", `{"domain": "publisher.example"}`, 401),
		with("write", post("/api/registry/crawl-request", `{"domain": "publisher.example"}`, 202), "crawl_request_id"),
		with("write", post("/api/registry/crawl-request", `{"domain": "publisher.example"}`, 429)), with("write", post("/api/registry/crawl-request", `{}`, 400)),
		with("write", get("/api/registry/crawl-request/{crawl_request_id}", 200)), with("moderate", get("/api/registry/crawl-request/{crawl_request_id}", 404)),
		with("write", get("/api/registry/crawl-request/1", 400)),
		with("write", post("/api/registry/manager-revalidation-request", `{"manager_domain": "manager.example"}`, 202)),
		with("write", post("/api/registry/brand-crawl-request", `{"domain": "own.example"}`, 202)), with("write", post("/api/registry/brand-crawl-request", `{"domain": "own.example"}`, 429)),
		post("/api/registry/trust-crawl-request", `{"domain": "agent.example"}`, 401), with("write", post("/api/registry/trust-crawl-request", `{"domain": "agent.example"}`, 200)),
		with("write", post("/api/registry/trust-crawl-request", `{"domain": "agent.example"}`, 429)), get("/api/registry/trust?domain=agent.example", 200), get("/api/registry/trust?domain=-", 400),
		get("/check/agent.example/trust", 200), get("/check/publisher.example/trust", 200),
		with("write", post("/api/registry/publisher/broken.example/adagents/revalidate", "", 403)), with("moderate", post("/api/registry/publisher/broken.example/adagents/revalidate", "", 200)),
		with("moderate", post("/api/registry/publisher/publisher.example/adagents/revalidate?force=1", "", 200)),
		get("/api/public/discover-agent?url=https://agent.example/mcp", 200), get("/api/public/discover-agent", 400), get("/api/registry/operator?domain=agent.example", 200),
	}
}

// subscriptionSteps are about subscriptions.
func subscriptionSteps() []step {
	return []step{
		post("/api/registry/subscriptions", `{"url": "https://hooks.publisher.example/"}`, 401), with("write", post("/api/registry/subscriptions", `{"url": "http://publisher.example/"}`, 400)),
		with("write", post("/api/registry/subscriptions", `{"url": "https://hooks.publisher.example/", "types": ["nothing.happens"], "agents": ["https://agent.example/mcp"], "proofs": true}`, 201), "id"),
		with("write", post("/api/registry/subscriptions", `{"url": "https://publisher.example/"}`, 400)),
		with("write", get("/api/registry/subscriptions", 200)), with("moderate", get("/api/registry/subscriptions/{id}", 404)), with("write", get("/api/registry/subscriptions/{id}", 200)),
		with("write", post("/api/registry/subscriptions/{id}/resume", "", 200)), with("write", post("/api/registry/subscriptions/{id}/replay", `{"cursor": "00000000-0000-7000-8000-000000000000"}`, 200)),
		with("write", post("/api/registry/subscriptions/{id}/replay", `{"cursor": "0199f3a4-7c10-7001-a1b2-0c3d4e5f6071"}`, 410)),
		with("write", remove("/api/registry/subscriptions/{id}", 200)), with("write", remove("/api/registry/subscriptions/{id}", 404)),
	}
}

// pageSteps are about the pages.
func pageSteps() []step {
	return []step{
		get("/check/publisher.example", 200), get("/check/broken.example", 200), get("/paste", 200),
		{
			method: "POST", path: "/paste", body: "document=%7B%22authorized_agents%22%3A%5B%5D%7D", status: 200,
			headers: []string{"Content-Type", "application/x-www-form-urlencoded"},
		},
	}
}

// providerSteps are about what a provider does that is not well.
func providerSteps() []step {
	return []step{
		get("/api/brands/enrich?domain=echo.example", 502), get("/api/brands/enrich?domain=escaped.example", 502),
		get("/api/brands/enrich?domain=moved.example", 502), get("/api/brands/enrich?domain=broken.example", 502),
	}
}

// play makes the requests of a session and returns the answers, without what differs
// from one run to the next.
func (s *process) play(steps []step) []string {
	t := s.place.t
	t.Helper()
	kept := map[string]string{}
	var answers []string
	for _, st := range steps {
		path, body := st.path, st.body
		for name, value := range kept {
			path, body = strings.ReplaceAll(path, "{"+name+"}", value), strings.ReplaceAll(body, "{"+name+"}", value)
		}
		headers := st.headers
		if st.key != "" {
			headers = append(slices.Clone(headers), bearer(map[string]string{"write": s.place.write, "moderate": s.place.moderate}[st.key])...)
		}
		a, err := s.call(st.method, path, body, headers...)
		if err != nil {
			t.Fatalf("%s %s: %v", st.method, path, err)
		}
		if a.status != st.status {
			t.Errorf("%s %s: status %d, want %d: %.600s", st.method, path, a.status, st.status, a.body)
		}
		for _, name := range st.keep {
			kept[name] = memberOf(a.body, name)
		}
		answers = append(answers, fmt.Sprintf("%s %s %d\n%s\n%s", st.method, st.path, a.status, headersOf(a.header), steady(a.body)))
	}
	return answers
}

// memberOf returns a member of an answer that is text.
func memberOf(body []byte, name string) string {
	var members map[string]any
	err := json.Unmarshal(body, &members)
	if err != nil {
		return ""
	}
	text, _ := members[name].(string)
	return text
}

// headersOf are those that a store could have to do with.
func headersOf(h http.Header) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(h)) {
		switch name {
		case "Date", "Last-Modified", "X-Request-Id", "Content-Length", "Etag", "Ratelimit", "Ratelimit-Policy", "Ratelimit-Limit", "Ratelimit-Remaining", "Ratelimit-Reset", "Retry-After", "X-Sync-Cursor":
			fmt.Fprintln(&b, name)
		default:
			fmt.Fprintln(&b, name, h[name])
		}
	}
	return b.String()
}

// varying is what differs between runs: times, ids, digests of what has times in it, and
// the addresses of the servers.
var varying = []*regexp.Regexp{
	regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( UTC|Z)?`),
	regexp.MustCompile(`\b\d{1,2} [A-Z][a-z]+ \d{4},? \d\d:\d\d UTC`),
	regexp.MustCompile(`127\.0\.0\.1:\d+`),
	regexp.MustCompile(`"response_time_ms": ?\d+`),
	regexp.MustCompile(`"(proposal_id|proposal_digest|report_id|submitted_by|decided_by|status_url)": ?"[^"]*"`),
	regexp.MustCompile(`"id": ?"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}"`),
	regexp.MustCompile(`"(retry_?[aA]fter|age_seconds|id)": ?\d+`),
	regexp.MustCompile(`\b[0-9a-f]{64}\b`),
	regexp.MustCompile(`value="fix [a-z_.]+ \d+ [0-9a-f]+"`), // the hash of a text with the time of now
	regexp.MustCompile(`"cursor": ?"[0-9a-f-]{36}"`),
	regexp.MustCompile(`\b\d+(\.\d+)? ?m?s\b`),
	// What has become of a request by the time it is asked for.
	regexp.MustCompile(`"crawl_request_id": ?"[^"]*"(.*"status".*)?`),
	// How long ago a domain was checked, and when it may be checked again.
	regexp.MustCompile(`(?s)<p class="checked">.*?</p>`),
}

func steady(body []byte) string {
	for _, r := range varying {
		body = r.ReplaceAll(body, []byte("~"))
	}
	return string(body)
}

// TestSession plays the same session on both stores and compares the answers. It calls
// every route of the description.
func TestSession(t *testing.T) {
	t.Parallel()
	steps := session()
	heard := map[string][]string{}
	for name, newStore := range stores() {
		p := newPlace(t, newStore(t))
		s := p.serve()
		heard[name] = s.play(steps)
		checkCovered(t, s, steps)
		if p.provider.calls.Load() == 0 {
			t.Errorf("%s: the provider was never asked with the key", name)
		}
		s.stop()
		for _, kind := range []string{"log", "metrics", "GET /"} {
			if !p.left.has(kind) {
				t.Errorf("%s: nothing was kept of %s", name, kind)
			}
		}
	}
	for i := range steps {
		if diff := cmp.Diff(heard["sqlite"][i], heard["postgres"][i]); diff != "" {
			t.Errorf("the stores differ (-sqlite +postgres):\n%s", diff)
		}
	}
}

// checkCovered: the session calls every operation of the OpenAPI document.
func checkCovered(t *testing.T, s *process, steps []step) {
	t.Helper()
	a, err := s.call("GET", "/openapi.json", "")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	err = json.Unmarshal(a.body, &doc)
	if err != nil || len(doc.Paths) < 20 {
		t.Fatalf("%d paths: %v", len(doc.Paths), err)
	}
	for path, operations := range doc.Paths {
		pattern := regexp.MustCompile("^" + regexp.MustCompile(`\\\{[^/]*\\\}`).ReplaceAllString(regexp.QuoteMeta(path), `[^/]+`) + `(\?.*)?$`)
		for method := range operations {
			called := slices.ContainsFunc(steps, func(st step) bool { return strings.EqualFold(st.method, method) && pattern.MatchString(st.path) })
			if !called {
				t.Errorf("the session does not call %s %s", method, path)
			}
		}
	}
}
