package calltest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestBatch: every line has its answer, in order, and the same verdict as a question on its
// own. Nobody is asked.
func TestBatch(t *testing.T) {
	t.Parallel()
	w := newDirectory(t)
	before := len(w.web.Requests())
	lines := []struct{ question, want string }{
		{`{"id": "a", "publisher": "ONE.example", "agent": "https://agent.example/mcp", "property": "site", "country": "DE"}`, "authorized entry.covers fresh"},
		{`{"publisher": "one.example", "agent": "https://agent.example/mcp", "property": "site"}`, "conditional entry.country_needed fresh"},
		{`{"publisher": "one.example", "agent": "https://agent.example/mcp", "property": "site", "country": "FR"}`, "not_authorized entry.country_not_listed fresh"},
		{`{"publisher": "two.example", "agent_url": "https://agent.example/mcp", "identifier": "domain=two.example"}`, "authorized entry.covers fresh"},
		{`{"publisher": "two.example", "agent": "https://stranger.example/"}`, "not_authorized agent.not_listed fresh"},
		{`{"publisher": "never.example", "agent": "https://agent.example/mcp"}`, "unverified file.unreachable never"},
		{`{"publisher": "broken.example", "agent": "https://agent.example/mcp"}`, "unusable file.unusable unusable"},
		{`{"publisher": "nobody.example", "agent": "https://agent.example/mcp"}`, "unverified file.absent absent"},
		{`{"agent": "https://agent.example/mcp"}`, "error publisher"},
		{`not JSON`, "error "},
		{`{"publisher": "one.example", "agent": "https://agent.example/mcp", "at": "tomorrow"}`, "error at"},
		{`{"publisher": "one.example", "agent": "https://agent.example/mcp", "county": "DE"}`, "error county"},
		{`{"publisher": "one.example", "agent": "https://agent.example/mcp", "property": ""}`, "error property"},
		{`{"publisher": "one.example", "agent": "https://agent.example/mcp", "placements": []}`, "error placements"},
		{`{"publisher": "one.example", "agent": "https://agent.example/mcp", "country": null}`, "error country"},
		{`{"publisher": "one.example", "agent": "https://agent.example/mcp", "placement": "top", "placement_ids": ["side"]}`, "error placement_ids"},
		{`{"publisher": "one.example", "domain": "one.example", "agent": "https://agent.example/mcp"}`, "error domain"},
	}
	var body []string
	for _, l := range lines {
		body = append(body, l.question)
	}
	got := w.call(http.MethodPost, "/api/authorize/batch", strings.Join(body, "\n")+"\n")
	answers := strings.Split(strings.TrimSpace(string(got.body)), "\n")
	if got.status != http.StatusOK || got.header.Get("Content-Type") != "application/x-ndjson" || len(answers) != len(lines) {
		t.Fatalf("%d %v %s", got.status, got.header, got.body)
	}
	for i, l := range lines {
		one := answered{body: []byte(answers[i])}
		text := fmt.Sprintf("%s %s %s", one.member(t, "/verdict"), one.member(t, "/code"), one.member(t, "/standing/state"))
		if one.member(t, "/error") != "" {
			text = "error " + one.member(t, "/field")
		}
		if text != l.want || one.member(t, "/line") != fmt.Sprint(i+1) {
			t.Errorf("%s: got %q, want %q: %s", l.question, text, l.want, answers[i])
		}
	}
	if n := len(w.web.Requests()); n != before {
		t.Errorf("%d requests were made", n-before)
	}
	many := w.call(http.MethodPost, "/api/authorize/batch", strings.Repeat("{}\n", 20_001))
	if many.status != http.StatusRequestEntityTooLarge {
		t.Errorf("too many lines: %d", many.status)
	}
	for _, body := range []string{"", "\n\n"} {
		if none := w.call(http.MethodPost, "/api/authorize/batch", body); none.status != http.StatusBadRequest {
			t.Errorf("no question: %d %s", none.status, none.body)
		}
	}
}

// TestBatchIsOneQuestion: a line is answered with the document of GET /api/authorize, whatever the
// names of its members are.
func TestBatchIsOneQuestion(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `
-- https://pub.example/.well-known/adagents.json --
200
Content-Type: application/json

{
  "properties": [
    {"property_id": "home", "property_type": "website", "name": "Home", "identifiers": [{"type": "domain", "value": "pub.example"}]},
    {"property_id": "app", "property_type": "mobile_app", "name": "App", "identifiers": [{"type": "ios_bundle", "value": "example.app"}]},
    {"property_id": "far", "property_type": "website", "name": "Far", "publisher_domain": "far.example", "identifiers": [{"type": "domain", "value": "far.example"}]}
  ],
  "placements": [{"placement_id": "top", "name": "Top", "description": "Top of the app", "property_ids": ["app"]}],
  "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["home", "app"]}]
}
`)
	for _, tt := range []struct{ query, line, want string }{
		{"property=home&placement=top", `"property":"home","placement":"top"`, "not_authorized placement.elsewhere"},
		{"property_id=home&placement=top", `"property_id":"home","placement_ids":["top"]`, "not_authorized placement.elsewhere"},
		{"property=app&placement=top", `"property":"app","placements":["top"]`, "authorized entry.covers"},
		{"property=far", `"property":"far"`, "not_authorized property.unknown"},
	} {
		single := w.call(http.MethodGet, "/api/authorize?publisher=pub.example&agent=https://agent.example/mcp&at=2026-03-01T12:00:00Z&"+tt.query, "")
		batch := w.call(http.MethodPost, "/api/authorize/batch", `{"publisher":"pub.example","agent":"https://agent.example/mcp","at":"2026-03-01T12:00:00Z",`+tt.line+"}")
		for _, got := range []answered{single, batch} {
			if text := got.member(t, "/verdict") + " " + got.member(t, "/code"); text != tt.want {
				t.Errorf("%s: got %s, want %s", tt.query, text, tt.want)
			}
		}
		for _, member := range []string{"/reasons/0/code", "/reasons/0/message", "/reasons/1/code", "/evidence/0/sha256", "/grants/0/entry"} {
			if a, b := single.member(t, member), batch.member(t, member); a != b {
				t.Errorf("%s: %s is %q alone and %q in a batch", tt.query, member, a, b)
			}
		}
	}
}
