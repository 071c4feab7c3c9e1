package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// TestBox: the box of every page takes domains, URLs of agents and documents, and tells them
// apart.
func TestBox(t *testing.T) {
	t.Parallel()
	const agent = "/ask?agent="
	for _, tc := range []struct {
		text   string
		status int
		want   string // the address, or a part of the page
	}{
		{"Example.com", 303, "/check/example.com"},
		{" https://example.com/ ", 303, "/check/example.com"},
		{"https://example.com/.well-known/adagents.json", 303, "/check/example.com"},
		{"example.com/ads.txt", 303, "/check/example.com"},
		{"https://www.example.com/news/today?x=1", 303, "/check/www.example.com"},
		{"bücher.example", 303, "/check/xn--bcher-kva.example"},
		{"agent.acme.example", 303, "/check/agent.acme.example"},
		{"https://agent.acme.example", 303, agent + "https%3A%2F%2Fagent.acme.example"},
		{"https://agent.example", 303, "/check/agent.example"},
		{"https://sales.example/mcp", 303, agent + "https%3A%2F%2Fsales.example%2Fmcp"},
		{"sales.example/MCP/", 303, agent + "https%3A%2F%2Fsales.example%2FMCP%2F"},
		{"https://sales.example:8443/a2a?x=1&y=%22", 303, agent + "https%3A%2F%2Fsales.example%3A8443%2Fa2a%3Fx%3D1%26y%3D%2522"},
		{"https://sales.example/.well-known/agent-card.json", 303, agent + "https%3A%2F%2Fsales.example%2F.well-known%2Fagent-card.json"},
		{"", 303, "/"},
		{`{"authorized_agents": []}`, 200, "Your file"},
		{"[\n]", 200, "Your file"},
		{`"authorized_agents": []`, 200, "Your file"},
		{"https://cdn.example/points.json", 303, "/network?network=https%3A%2F%2Fcdn.example%2Fpoints.json"},
		{"https://cdn.example/adagents.json", 303, "/network?network=https%3A%2F%2Fcdn.example%2Fadagents.json"},
		{"cdn.example/adagents.json", 303, "/network?network=https%3A%2F%2Fcdn.example%2Fadagents.json"},
		{"example.com/.well-known/adagents.json", 303, "/check/example.com"},
		{"https://user:hunter2@example.com/mcp", 400, "Not checked"},
		{"javascript://example.com/mcp", 400, "Not checked"},
		{"//evil.example/mcp", 400, "Not checked"},
		{"example.com:8080", 400, "port"},
		{"a b", 400, "Not checked"},
		{strings.Repeat("a", 3000), 400, "too long"},
		{"{" + strings.Repeat(" ", largestPaste) + "}", 413, "larger than 5 MB"},
		{"{" + strings.Repeat(" ", largestBody) + "}", 413, "larger than 5 MB"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/go", strings.NewReader(url.Values{"q": {tc.text}}.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		got, body := call(t, new(checker), r)
		if tc.status == http.StatusSeeOther {
			body = got.Header.Get("Location")
		}
		if got.StatusCode != tc.status || tc.status == http.StatusSeeOther && body != tc.want || !strings.Contains(body, tc.want) {
			t.Errorf("%.60q: %d %s, want %d %s", tc.text, got.StatusCode, body, tc.status, tc.want)
		}
	}
	for query, want := range map[string]string{
		"q=&do=ask": "/ask", "q=&do=network": "/network", "q=&do=who": "/", "q=&do=x": "/",
		"q=Example.com&do=who": "/check/example.com?tab=sell", "q=Example.com&do=ask": "/ask?publisher=example.com",
		"q=https://a.example/mcp&do=ask":                 "/ask?agent=https%3A%2F%2Fa.example%2Fmcp",
		"q=net.example&do=network":                       "/network?network=net.example",
		"q=https://cdn.example/adagents.json&do=network": "/network?network=https%3A%2F%2Fcdn.example%2Fadagents.json",
	} {
		got, _ := get(t, new(checker), "/go?"+query)
		if got.Header.Get("Location") != want {
			t.Errorf("%s leads to %q, want %q", query, got.Header.Get("Location"), want)
		}
	}
	_, page := get(t, new(checker), "/network?network=https%3A%2F%2Fcdn.example%2F%22x.json")
	if !strings.Contains(page, `value="https://cdn.example/&#34;x.json"`) {
		t.Error("the form for a network does not have the file that it was opened with")
	}
	got, _ := get(t, new(checker), "/go?q=example.com&agents=1")
	if got.StatusCode != http.StatusSeeOther || got.Header.Get("Location") != "/check/example.com?agents=1" {
		t.Errorf("%d %v", got.StatusCode, got.Header)
	}
}
