package api

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/service/registry"
)

// TestExamplesLeadToTheService: whoever copies a command from the reference reaches the
// service that showed it, and nobody can write another one into the page.
func TestExamplesLeadToTheService(t *testing.T) {
	t.Parallel()
	const given = "https://registry.example"
	for _, tc := range []struct {
		name, host string
		secure     bool
		config     Config
		want       string
		cache      string
	}{
		{"told by the operator", "evil.example", false, Config{BaseURL: given, Known: true}, given, anHour},
		{"the host of the request", "192.0.2.1:9000", false, Config{BaseURL: "http://localhost:9000"}, "http://192.0.2.1:9000", "private, max-age=300"},
		{"an encrypted connection", "registry.example", true, Config{}, given, "private, max-age=300"},
		{"an address", "[2001:db8::1]:8443", true, Config{}, "https://[2001:db8::1]:8443", "private, max-age=300"},
		{"no host", "", false, Config{BaseURL: "http://localhost:9000"}, "http://localhost:9000", "private, max-age=300"},
		{"markup", `x"><script>`, false, Config{}, exampleBase, "private, max-age=300"},
		{"a command", "x';reboot;'", false, Config{}, exampleBase, "private, max-age=300"},
		{"a path", "evil.example/x", false, Config{}, exampleBase, "private, max-age=300"},
	} {
		r := httptest.NewRequestWithContext(registry.WithCall(t.Context(), registry.Call{Secure: tc.secure}), http.MethodGet, "/docs?op=authorize", http.NoBody)
		r.Host = tc.host
		w := httptest.NewRecorder()
		New(tc.config).Handler().ServeHTTP(w, r)
		body := w.Body.String()
		if w.Code != http.StatusOK || !strings.Contains(body, tc.want+"/api/authorize") || w.Header().Get("Cache-Control") != tc.cache {
			t.Errorf("%s: %d %v, no %s", tc.name, w.Code, w.Header(), tc.want)
		}
		if tc.want != exampleBase && strings.Contains(body, exampleBase) || strings.Contains(body, "evil.example") || strings.Contains(body, "reboot") {
			t.Errorf("%s: the page has another address", tc.name)
		}
	}
}
