package api

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/avow-project/avow/internal/service/registry"
)

// unpacked returns the body of an answer before it was compressed.
func (a answered) unpacked(t *testing.T) []byte {
	t.Helper()
	var from io.Reader = bytes.NewReader(a.body)
	switch a.header.Get("Content-Encoding") {
	case "gzip":
		r, err := gzip.NewReader(from)
		if err != nil {
			t.Fatal(err)
		}
		from = r
	case "zstd":
		r, err := zstd.NewReader(from)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		from = r
	}
	b, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestCompression: a large answer is compressed for whoever takes it, and is the same one after
// that; who has it is told so, in whatever form that was.
func TestCompression(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	list := make([]string, 500)
	for i := range list {
		list[i] = fmt.Sprintf(`"publisher%d.example"`, i)
	}
	check := `{"domains": [` + strings.Join(list, ",") + `]}`
	report := w.call(t, http.MethodPost, "/api/properties/check", check, "Content-Type", "application/json").member(t, "/report_id")
	path := "/api/properties/check/" + report
	plain := w.call(t, http.MethodGet, path, "", "Accept-Encoding", "identity")
	strong := plain.header.Get("ETag")
	if plain.header.Get("Content-Encoding") != "" || plain.header.Get("Vary") != "Accept-Encoding" || !strings.HasPrefix(strong, `"`) || len(plain.body) < smallestPacked {
		t.Fatalf("as it is: %d bytes with %v", len(plain.body), plain.header)
	}
	for accept, coding := range map[string]string{
		"gzip": "gzip", "zstd": "zstd", "gzip, deflate, br, zstd": "zstd", "zstd;q=0.5, gzip": "gzip", "GZIP;q=0.2": "gzip", "gzip;q=0": "", "gzip;q=nan": "", "br": "", "*": "",
	} {
		got := w.call(t, http.MethodGet, path, "", "Accept-Encoding", accept)
		tag := strong
		if coding != "" {
			tag = "W/" + strong
		}
		if got.header.Get("Content-Encoding") != coding || got.header.Get("ETag") != tag || got.header.Get("Vary") != "Accept-Encoding" || !bytes.Equal(got.unpacked(t), plain.body) {
			t.Errorf("%s: %d bytes with %v", accept, len(got.body), got.header)
		}
		again := w.call(t, http.MethodGet, path, "", "Accept-Encoding", accept, "If-None-Match", tag)
		if again.status != http.StatusNotModified || len(again.body) > 0 || again.header.Get("Vary") != "Accept-Encoding" || again.header.Get("Content-Encoding") != "" {
			t.Errorf("%s again: %d with %v", accept, again.status, again.header)
		}
	}
	small := w.call(t, http.MethodGet, "/api/registry/stats", "", "Accept-Encoding", "gzip")
	if small.header.Get("Content-Encoding") != "" || small.header.Get("Vary") != "" {
		t.Errorf("a small one: %v", small.header)
	}
}

// TestFeedUnchanged: who has a page of the feed and asks again is told that it has not changed,
// though a page says when it was made.
func TestFeedUnchanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	first := w.call(t, http.MethodGet, "/api/registry/feed", "")
	again := w.call(t, http.MethodGet, "/api/registry/feed", "", "If-None-Match", first.header.Get("ETag"))
	if first.status != http.StatusOK || first.header.Get("Cache-Control") != "no-cache" || again.status != http.StatusNotModified {
		t.Errorf("got %d with %v, then %d", first.status, first.header, again.status)
	}
}

// TestConditional: who has an answer is told so as long as it is the same but for the moment at
// which it is given, with a key, too.
func TestConditional(t *testing.T) {
	t.Parallel()
	w := newWorld(t, keptWeb)
	key := func(scope registry.Scope) string {
		secret, _, err := w.service.CreateKey(t.Context(), string(scope), scope)
		if err != nil {
			t.Fatal(err)
		}
		return "Bearer " + secret
	}
	writer, moderator := key(registry.ScopeWrite), key(registry.ScopeModerate)
	const sold = "/api/authorize?publisher=one.example&agent=https://first.example/mcp&property=site"
	before := ""
	for _, c := range []struct{ path, key, cache string }{
		{sold, "", "no-store"},
		{"/api/registry/publisher/authorization?domain=one.example&agent=https://agent.example/mcp", "", "no-store"},
		{"/api/registry/validate/property-authorization?agent_url=https://agent.example/mcp&identifier_type=domain&identifier_value=one.example", "", "no-store"},
		{"/api/properties/validate?domain=one.example", "", "no-cache"},
		{"/api/public/validate-publisher?domain=one.example", "", "no-cache"},
		{"/api/custody/publisher?domain=one.example", moderator, "private, no-cache"},
		{"/api/custody/holds", moderator, "private, no-cache"},
		{"/api/registry/mirror-proposals", moderator, "private, no-cache"},
		{"/api/registry/subscriptions", writer, "private, no-cache"},
	} {
		ask := func(tag string) answered {
			return w.call(t, http.MethodGet, c.path, "", "Authorization", c.key, "If-None-Match", tag)
		}
		ask(`"none"`) // a file that has just been fetched says so
		first := ask(`"none"`)
		w.passed.Add(int64(time.Second))
		tag := first.header.Get("ETag")
		again := ask(tag)
		if first.status != http.StatusOK || first.header.Get("Cache-Control") != c.cache || tag == "" || again.status != http.StatusNotModified || again.header.Get("ETag") != tag || len(again.body) > 0 {
			t.Errorf("%s: %d with %v, then %d with %v\n%s", c.path, first.status, first.header, again.status, again.header, again.body)
		}
		if c.path == sold {
			before = tag
		}
	}
	_, err := w.service.Custody(t.Context(), "one.example", true)
	if err != nil {
		t.Fatal(err)
	}
	after := w.call(t, http.MethodGet, sold, "", "If-None-Match", before)
	if after.status != http.StatusOK || after.member(t, "/verdict") != "not_authorized" {
		t.Errorf("after a change: %d %s", after.status, after.body)
	}
}

// keptWeb has a publisher whose file changes once.
const keptWeb = `
-- https://one.example/.well-known/adagents.json --
200 times=1
Content-Type: application/json

{"last_updated": "2026-02-01T00:00:00Z", "properties": [{"property_id": "site", "property_type": "website", "name": "One", "identifiers": [{"type": "domain", "value": "one.example"}]}],
 "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]},
 {"url": "https://first.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]}]}
-- https://one.example/.well-known/adagents.json --
200
Content-Type: application/json

{"last_updated": "2026-02-02T00:00:00Z", "properties": [{"property_id": "site", "property_type": "website", "name": "One", "identifiers": [{"type": "domain", "value": "one.example"}]}],
 "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]}]}
-- https://two.example/.well-known/adagents.json --
200
Content-Type: application/json

{"last_updated": "2026-02-01T00:00:00Z", "properties": [{"property_id": "site", "property_type": "website", "name": "Two", "identifiers": [{"type": "domain", "value": "two.example"}]}],
 "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]}]}
`
