package server

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

func TestSecurityHeaders(t *testing.T) {
	t.Parallel()
	page := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/page" {
			w.Header().Set("Content-Security-Policy", "default-src 'self'")
		}
		ok(w, r)
	}
	s := start(t, page, func(c *Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")} })
	for _, path := range []string{"/api/read", "/healthz", "/nothing"} {
		a := s.do(t, http.MethodGet, path, "")
		want := map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
			"Content-Security-Policy": plainPolicy, "Strict-Transport-Security": "", "Server": "", "Set-Cookie": "",
		}
		for name, value := range want {
			if a.header.Get(name) != value {
				t.Errorf("%s: %s is %q, want %q", path, name, a.header.Get(name), value)
			}
		}
	}
	if a := s.do(t, http.MethodGet, "/page", ""); a.header.Get("Content-Security-Policy") != "default-src 'self'" {
		t.Error("a page cannot have a policy of its own")
	}
	if a := s.do(t, http.MethodGet, "/api/read", "", "X-Forwarded-Proto", "https"); a.header.Get("Strict-Transport-Security") != httpsOnly {
		t.Error("no Strict-Transport-Security behind an encrypting proxy")
	}
}

func TestOtherOriginsRead(t *testing.T) {
	t.Parallel()
	s := start(t, ok, nil)
	tests := []struct {
		name, method, path string
		headers            []string
		status             int
		allowed            bool
	}{
		{"read", http.MethodGet, "/api/read", []string{"Origin", "https://other.example"}, 200, true},
		{"read without origin", http.MethodGet, "/api/read", nil, 200, true},
		{"tool", http.MethodPost, "/api/adagents/validate", []string{"Origin", "https://other.example", "Sec-Fetch-Site", "cross-site"}, 200, true},
		{"page", http.MethodGet, "/page", []string{"Origin", "https://other.example"}, 200, false},
		{"form of another origin", http.MethodPost, "/page", []string{"Sec-Fetch-Site", "cross-site"}, 403, false},
		{"form of an old browser", http.MethodPost, "/page", []string{"Origin", "https://other.example"}, 403, false},
		{"form of a neighbour", http.MethodPost, "/page", []string{"Sec-Fetch-Site", "same-site"}, 403, false},
		{"own form", http.MethodPost, "/page", []string{"Sec-Fetch-Site", "same-origin"}, 200, false},
		{"typed", http.MethodPost, "/page", []string{"Sec-Fetch-Site", "none"}, 200, false},
		{"write of another origin", http.MethodPut, "/api/registry/mirrors", []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://other.example"}, 403, false},
		{"write of another origin with a key", http.MethodPut, "/api/registry/mirrors", []string{"Origin", "https://other.example", "Authorization", "Bearer x"}, 403, false},
		{"write of a program", http.MethodPut, "/api/registry/mirrors", nil, 200, false},
		{"write of a program with a token", http.MethodPut, "/api/registry/mirrors", []string{"X-CSRF-Token", "abc"}, 200, false},
	}
	for _, tt := range tests {
		a := s.do(t, tt.method, tt.path, "", tt.headers...)
		if a.status != tt.status {
			t.Errorf("%s: status %d, want %d", tt.name, a.status, tt.status)
		}
		if (a.header.Get("Access-Control-Allow-Origin") == "*") != tt.allowed {
			t.Errorf("%s: %v", tt.name, a.header)
		}
		if a.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: credentials", tt.name)
		}
	}
	a := s.do(t, http.MethodPut, "/api/registry/mirrors", "", "Sec-Fetch-Site", "cross-site")
	if a.body["code"] != "cross_origin" || a.body["error"] == "" {
		t.Errorf("got %v", a.body)
	}
}

func TestBaseURLIsAnOwnOrigin(t *testing.T) {
	t.Parallel()
	s := start(t, ok, func(c *Config) { c.BaseURL = "https://registry.example" })
	for origin, want := range map[string]int{"https://registry.example": 200, "https://registry.example.evil.example": 403, "http://registry.example": 403} {
		if a := s.do(t, http.MethodPost, "/page", "", "Origin", origin); a.status != want {
			t.Errorf("%s: %d, want %d", origin, a.status, want)
		}
	}
}

func TestPreflight(t *testing.T) {
	t.Parallel()
	s := start(t, func(http.ResponseWriter, *http.Request) { t.Error("a preflight is for the server") }, nil)
	tests := []struct {
		path, method string
		allowed      bool
	}{
		{"/api/read", "GET", true}, {"/api/read", "HEAD", true}, {"/api/adagents/validate", "POST", true}, {"/api/registry/lookup", "POST", true},
		{"/api/registry/mirrors", "GET", true}, {"/api/registry/mirrors", "PUT", false}, {"/api/registry/mirrors", "DELETE", false},
		{"/page", "POST", false}, {"/page", "GET", false}, {"/api/unknown", "POST", false},
	}
	for _, tt := range tests {
		a := s.do(t, http.MethodOptions, tt.path, "", "Origin", "https://other.example", "Access-Control-Request-Method", tt.method, "Access-Control-Request-Headers", "content-type")
		allowed := a.header.Get("Access-Control-Allow-Origin") == "*" && strings.Contains(a.header.Get("Access-Control-Allow-Methods"), tt.method) &&
			strings.Contains(a.header.Get("Access-Control-Allow-Headers"), "Content-Type") && a.header.Get("Access-Control-Max-Age") != ""
		if a.status != http.StatusNoContent || allowed != tt.allowed {
			t.Errorf("%s %s: %d %v", tt.method, tt.path, a.status, a.header)
		}
	}
}

// TestPreflightOfMCP: a client of the Model Context Protocol that runs in a page may send the
// headers of the protocol.
func TestPreflightOfMCP(t *testing.T) {
	t.Parallel()
	s := start(t, ok, nil)
	a := s.do(t, http.MethodOptions, "/api/adagents/validate", "", "Origin", "https://other.example", "Access-Control-Request-Method", "POST")
	sendable := strings.Split(a.header.Get("Access-Control-Allow-Headers"), ", ")
	for _, name := range []string{"Content-Type", "Last-Event-ID", "Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version", "Mcp-Session-Id"} {
		if !slices.Contains(sendable, name) {
			t.Errorf("%s is not among %q", name, sendable)
		}
	}
}
