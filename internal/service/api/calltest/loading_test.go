package calltest

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/api"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
)

// An endless store never gets to the end of the publishers.
type endless struct{ custodian.Store }

func (endless) Revisions(ctx context.Context, _ func(hostname.Domain, int64) error) error {
	<-ctx.Done()
	return ctx.Err()
}

// TestWhileTheDirectoryIsRead: a service that was stopped and started again answers which
// publishers an agent has, and which there are, before it has read them all. What rests on all of them
// has to wait.
func TestWhileTheDirectoryIsRead(t *testing.T) {
	t.Parallel()
	w := newDirectory(t)
	lists := []string{agentPath, agentPath + "?include=standing&include=properties&limit=1", "/api/registry/publishers", "/api/registry/publishers?state=fresh&limit=1",
		"/api/registry/lookup/agent/https%3A%2F%2Fagent.example%2Fmcp/domains?include=standing",
		"/api/registry/authorizations?agent_url=https://agent.example/mcp", "/api/registry/lookup/property?type=ios_bundle&value=com.shared.app"}
	before := map[string]answered{}
	for _, path := range lists {
		before[path] = w.call("GET", path, "")
	}
	w.service.Close() // which notes the outline
	now := func() time.Time { return noon }
	start := func(patience time.Duration) http.Handler {
		s := registry.New(registry.Config{Store: w.store, Custody: endless{w.custody}, Finder: discover.New(discover.Config{Now: now}), Now: now, Patience: patience})
		t.Cleanup(s.Close)
		s.KeepDirectory()
		return api.New(api.Config{Operations: ops.New(ops.Config{Service: s, Now: now}), Now: now}).Handler()
	}
	call := func(handler http.Handler, path string) answered {
		rec := httptest.NewRecorder()
		handler.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), "GET", path, nil))
		return answered{rec.Code, rec.Header(), rec.Body.Bytes()}
	}
	patient, hasty := start(time.Minute), start(time.Nanosecond)
	for _, path := range lists {
		got := call(patient, path)
		if got.status != http.StatusOK || !bytes.Equal(got.body, before[path].body) {
			t.Errorf("%s: %d %s\nbefore %s", path, got.status, got.body, before[path].body)
		}
	}
	for _, path := range []string{"/api/registry/stats", "/api/registry/agents", "/api/search?q=one"} {
		got := call(hasty, path)
		if got.status != http.StatusServiceUnavailable || got.member(t, "/code") != "directory_loading" {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
}

// TestBeforeTheDirectoryIsRead: a service that has just started answers questions about
// publishers by their names, as before, and says about all others when to come back.
func TestBeforeTheDirectoryIsRead(t *testing.T) {
	t.Parallel()
	w := newDirectory(t)
	now := func() time.Time { return noon }
	restarted := registry.New(registry.Config{Store: w.store, Custody: w.custody, Finder: discover.New(discover.Config{Now: now}), Now: now, Patience: time.Nanosecond})
	t.Cleanup(restarted.Close)
	handler := api.New(api.Config{Operations: ops.New(ops.Config{Service: restarted, Now: now}), Now: now}).Handler()
	call := func(method, path, body string) answered {
		rec := httptest.NewRecorder()
		handler.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body)))
		return answered{rec.Code, rec.Header(), rec.Body.Bytes()}
	}
	for _, c := range [][3]string{
		{"GET", "/api/registry/lookup/domain/one.example", ""},
		{"GET", "/api/registry/lookup/domain/two.example", ""},
		{"GET", "/api/registry/lookup/domain/broken.example", ""},
		{"GET", "/api/registry/lookup/domain/stranger.example", ""},
		{"GET", "/api/properties/history?domain=one.example", ""},
		{"GET", "/api/manifest-refs/lookup?domain=two.example&type=adagents.json", ""},
		{"GET", "/api/registry/publisher?domain=one.example", ""},
		{"GET", "/api/authorize?publisher=one.example&agent=https://agent.example/mcp", ""},
		{"POST", "/api/properties/resolve/bulk", `{"domains": ["one.example", "two.example", "nobody.example"]}`},
		{"POST", "/api/authorize/batch", `{"publisher": "one.example", "agent": "https://agent.example/mcp", "property": "site", "country": "DE"}`},
	} {
		want, got := w.call(c[0], c[1], c[2]), call(c[0], c[1], c[2])
		if got.status != http.StatusOK || !bytes.Equal(got.body, want.body) {
			t.Errorf("%s: %d %s\nwant %s", c[1], got.status, got.body, want.body)
		}
	}
	for _, path := range []string{agentPath, "/api/registry/publishers", "/api/registry/agents", "/api/search?q=one", "/api/properties/history?domain=stranger.example"} {
		got := call("GET", path, "")
		if got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") != "5" || got.member(t, "/code") != "directory_loading" {
			t.Errorf("%s: %d %v %s", path, got.status, got.header, got.body)
		}
	}
}
