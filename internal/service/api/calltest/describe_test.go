package calltest

import (
	"net/http"
	"slices"
	"testing"

	"github.com/avow-project/avow/internal/service/registry"
)

// describeWeb has an agent with a session, hosts that are none, and brands.
const describeWeb = `
-- POST https://agent.example/mcp --
200
Content-Type: application/json
Mcp-Session-Id: s-1

{"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-06-18", "serverInfo": {"name": "Seller"}}}
-- POST https://agent.example/mcp --
202
-- POST https://agent.example/mcp --
200
Content-Type: text/event-stream

data: {"jsonrpc": "2.0", "id": 2, "result": {"tools": [{"name": "create_media_buy", "description": "Buys"}]}}

-- https://closed.example/mcp --
401
WWW-Authenticate: Bearer

-- https://page.example/mcp --
200
Content-Type: text/html

-- dns --
dead.example nxdomain
inside.example 10.0.0.1
`

func TestDescribeAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, describeWeb)
	for _, tt := range []struct {
		url     string
		status  int
		members map[string]string
	}{
		{"https://agent.example/mcp", 200, map[string]string{
			"/name": "Seller", "/protocols/0": "mcp", "/protocols/1": "", "/type": "sales", "/tools_count": "1", "/tools/0/name": "create_media_buy", "/tools/0/description": "Buys",
			"/stats/publisher_count": "0", "/requires_auth": "false",
		}},
		{"https://closed.example/mcp", 200, map[string]string{"/name": "closed.example", "/type": "unknown", "/requires_auth": "true", "/tools_count": "0"}},
		{"https://page.example/mcp", 502, map[string]string{"/error": "Agent discovery failed", "/code": "agent.not_spoken"}},
		{"https://dead.example/mcp", 504, map[string]string{"/error": "Connection timeout", "/code": "agent.no_answer"}},
		{"https://inside.example/mcp", 504, map[string]string{"/error": "Connection timeout", "/code": "agent.no_answer"}},
		{"http://agent.example/mcp", 400, map[string]string{"/error": "Invalid agent URL"}},
		{"agent", 400, map[string]string{"/error": "Invalid agent URL"}},
		{"", 400, map[string]string{"/error": "URL is required"}},
	} {
		got := w.call(http.MethodGet, "/api/public/discover-agent?url="+tt.url, "")
		if got.status != tt.status {
			t.Fatalf("%s: %d %s", tt.url, got.status, got.body)
		}
		for pointer, want := range tt.members {
			if text := got.member(t, pointer); text != want {
				t.Errorf("%s: %s is %q, want %q", tt.url, pointer, text, want)
			}
		}
	}
	var sent []string
	for _, r := range w.web.Requests() {
		if r.Host == "agent.example" && r.Method == http.MethodPost {
			sent = append(sent, r.Header.Get("Mcp-Session-Id"))
		}
	}
	if !slices.Equal(sent, []string{"", "s-1", "s-1"}) {
		t.Errorf("sessions %q", sent)
	}
}

func TestOperator(t *testing.T) {
	t.Parallel()
	w := newDirectory(t)
	for domain, want := range map[string]string{"agent.example": "https://agent.example/mcp", "gent.example": "", "stranger.example": ""} {
		got := w.call(http.MethodGet, "/api/registry/operator?domain="+domain, "")
		if got.status != 200 || got.member(t, "/agents/0/url") != want || got.member(t, "/member") != "null" {
			t.Errorf("%s: %d %s", domain, got.status, got.body)
		}
	}
	got := w.call(http.MethodGet, "/api/registry/operator?domain=agent.example", "")
	if got.member(t, "/agents/0/authorized_by/1/publisher_domain") != "two.example" || got.member(t, "/agents/0/authorized_by/1/standing/state") != "fresh" {
		t.Errorf("%s", got.body)
	}
}

// TestRevalidate: a moderator has a publisher looked at, once in five minutes unless forced,
// and what was found is kept.
func TestRevalidate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, directoryWeb)
	const path = "/api/registry/publisher/one.example/adagents/revalidate"
	moderator := w.secretOf(registry.ScopeModerate)
	writer := w.secretOf(registry.ScopeWrite)
	if got := w.call(http.MethodPost, path, "", writer...); got.status != 403 {
		t.Errorf("%d %s", got.status, got.body)
	}
	got := w.call(http.MethodPost, path, "", moderator...)
	if got.status != 200 || got.member(t, "/domain") != "one.example" || got.member(t, "/authorized_agents_count") == "0" || got.member(t, "/status_code") != "200" {
		t.Fatalf("%d %s", got.status, got.body)
	}
	if got := w.call(http.MethodGet, agentPath, ""); got.member(t, "/publishers/0/publisher_domain") != "one.example" {
		t.Errorf("not kept: %s", got.body)
	}
	if got := w.call(http.MethodPost, path, "", moderator...); got.status != 429 || got.member(t, "/error") != "Rate limit exceeded for this domain" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := w.call(http.MethodPost, path+"?force=1", "", moderator...); got.status != 200 {
		t.Errorf("%d %s", got.status, got.body)
	}
	broken := w.call(http.MethodPost, "/api/registry/publisher/broken.example/adagents/revalidate", "", moderator...)
	if broken.status != 200 || broken.member(t, "/adagents_valid") != "false" || broken.member(t, "/error") == "" || broken.member(t, "/issues/errors/0/severity") != "error" {
		t.Errorf("%d %s", broken.status, broken.body)
	}
}
