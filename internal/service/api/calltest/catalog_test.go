package calltest

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/service/registry"
)

// TestCatalog: the pages of the catalog have every property of every file in effect once, with the ids
// that the feed has.
func TestCatalog(t *testing.T) {
	t.Parallel()
	w := newDirectory(t)
	feed := string(w.call(http.MethodGet, "/api/registry/feed", "").body)
	for _, path := range []string{"/api/registry/catalog?", "/api/registry/catalog/sync?since=2026-01-01T00:00:00Z&"} {
		whole := w.call(http.MethodGet, path, "")
		var all, paged []string
		for i := range 9 {
			if rid := whole.member(t, "/entries/"+string(rune('0'+i))+"/property_rid"); rid != "" {
				all = append(all, rid)
				if !strings.Contains(feed, rid) {
					t.Errorf("%s: the feed does not have %s", path, rid)
				}
			}
		}
		if len(all) != 4 || whole.member(t, "/next_cursor") != "null" || whole.member(t, "/entries/0/publisher_domain") != "one.example" || whole.member(t, "/entries/3/property_id") != "two" {
			t.Errorf("%s: %d %s", path, whole.status, whole.body)
		}
		for cursor := ""; len(paged) < 9; {
			got := w.call(http.MethodGet, path+"limit=1&cursor="+url.QueryEscape(cursor), "")
			if rid := got.member(t, "/entries/0/property_rid"); rid != "" {
				paged = append(paged, rid)
			}
			cursor = got.member(t, "/next_cursor")
			if got.status != http.StatusOK || cursor == "null" {
				break
			}
		}
		if !slices.Equal(all, paged) {
			t.Errorf("%s: pages have %q, want %q", path, paged, all)
		}
	}
	tests := map[string]map[string]string{
		"/api/registry/catalog":                                        {"/total": "4", "/entries/0/status": "active", "/entries/0/source": "authoritative", "/entries/0/identifiers/0/value": "one.example"},
		"/api/registry/catalog?limit=2":                                {"/total": "4", "/entries/2/property_rid": ""},
		"/api/registry/catalog?identifier_type=ios_bundle":             {"/total": "2", "/entries/0/property_id": "app", "/entries/1/property_id": "two"},
		"/api/registry/catalog?search=ONE.exam":                        {"/total": "2", "/entries/1/property_id": "more"},
		"/api/registry/catalog?search=one&identifier_type=rss_url":     {"/total": "0", "/next_cursor": "null"},
		"/api/registry/catalog?classification=ad_infra":                {"/total": "0", "/next_cursor": "null"},
		"/api/registry/catalog?source=contributed":                     {"/total": "0"},
		"/api/registry/catalog?status=removed&min_resolves=3":          {"/total": "0"},
		"/api/registry/catalog/sync?since=2026-01-01T00:00:00Z":        {"/server_timestamp": "2026-03-01T11:59:00.000Z", "/entries/0/adagents_url": "https://one.example/.well-known/adagents.json", "/entries/0/updated_at": "2026-03-01T12:00:00.000Z", "/entries/3/adagents_url": "https://network.example/adagents.json"},
		"/api/registry/catalog/sync?since=2026-03-01T12:00:00Z":        {"/entries/0/property_rid": "", "/next_cursor": "null"},
		"/api/registry/catalog/sync?since=2026-03-01T12:00:00%2B01:00": {"/entries/0/property_id": "site"},
	}
	w.answers(t, tests)
	for path, message := range map[string]string{
		"/api/registry/catalog/sync":                          "Missing required parameter: since",
		"/api/registry/catalog/sync?since=monday":             "Invalid `since`: write a time like 2026-03-01T12:00:00Z",
		"/api/registry/catalog?cursor=b25lLmV4YW1wbGU":        "Invalid cursor", // a name alone
		"/api/registry/catalog?cursor=b25lLmV4YW1wbGUvLTEvMA": "Invalid cursor", // a negative place
		"/api/registry/catalog?cursor=Li4vMS8w":               "Invalid cursor", // no name
	} {
		if got := w.call(http.MethodGet, path, ""); got.status != http.StatusBadRequest || got.member(t, "/error") != message {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
}

// TestRegistryResolve: identifiers have the ids of the catalog, nothing is made for those that are
// unknown, and a domain is never another site's.
func TestRegistryResolve(t *testing.T) {
	t.Parallel()
	w := newDirectory(t)
	catalog := w.call(http.MethodGet, "/api/registry/catalog", "")
	ask := func(body string) answered { return w.call(http.MethodPost, "/api/registry/resolve", body) }
	got := ask(`{"mode": "lookup", "provenance": {"type": "crawl"}, "identifiers": [{"type": "domain", "value": "www.ONE.example"}, {"type": "ios_bundle", "value": "com.shared.app"},
		{"type": "ios_bundle", "value": "com.none"}, {"type": "domain", "value": "x.doubleclick.net"}, {"type": "domain", "value": "\u0000"}, {"type": "", "value": ""}, {"type": "domain", "value": "one.example"}]}`)
	for pointer, want := range map[string]string{
		"/resolved/0/identifier/value": "one.example", "/resolved/0/property_rid": catalog.member(t, "/entries/0/property_rid"), "/resolved/0/status": "existing", "/resolved/0/classification": "property", "/resolved/0/source": "authoritative",
		"/resolved/1/property_rid": catalog.member(t, "/entries/1/property_rid"), "/resolved/1/publisher_domain": "one.example",
		"/resolved/2/status": "excluded", "/resolved/2/classification": "unknown", "/resolved/2/property_rid": "null", "/resolved/3/classification": "ad_infra",
		"/resolved/4/classification": "unknown", "/resolved/5/classification": "unknown", "/resolved/6/status": "existing",
		"/summary/total": "7", "/summary/resolved": "3", "/summary/excluded": "1", "/summary/not_found": "3", "/summary/created": "0",
	} {
		if text := got.member(t, pointer); got.status != http.StatusOK || text != want {
			t.Errorf("%s is %q, want %q: %s", pointer, text, want, got.body)
		}
	}
	for _, body := range []string{`{}`, `{"mode": "lookup"}`, `{"mode": "lookup", "identifiers": []}`, `{"identifiers": [{"type": "domain", "value": "one.example"}]}`, `{"mode": "resolve", "identifiers": [{"type": "domain", "value": "one.example"}]}`, `{"mode": "lookup", "identifiers": [7]}`} {
		if got := ask(body); got.status != http.StatusBadRequest || got.member(t, "/error") != "Invalid request" || got.member(t, "/issues/0/message") == "" {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
	}
}

// TestBrandLists: stored brands are listed, found and traced to their sources.
func TestBrandLists(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `
-- https://own.example/.well-known/brand.json --
200
Content-Type: application/json

{"house": {"domain": "own.example", "name": "Own"}, "brands": [{"id": "own", "names": [{"en": "Own"}], "url": "https://own.example"}]}
`)
	key := w.secretOf(registry.ScopeWrite)
	for _, body := range []string{`{"domain": "saved.example", "brand_name": "Saved Brand"}`, `{"domain": "crown.example", "brand_name": "own"}`} {
		if got := w.call(http.MethodPost, "/api/brands/save", body, key...); got.status != http.StatusOK {
			t.Fatalf("got %d %s", got.status, got.body)
		}
	}
	if got := w.call(http.MethodGet, "/api/brands/resolve?domain=own.example", ""); got.status != http.StatusOK {
		t.Fatalf("got %d %s", got.status, got.body)
	}
	tests := map[string]map[string]string{
		"/api/brands/registry":                               {"/brands/0/domain": "crown.example", "/brands/1/source": "brand_json", "/brands/1/verified": "true", "/brands/2/verified": "false", "/brands/2/has_manifest": "true", "/stats/total": "3", "/stats/brand_json": "1", "/stats/community": "2", "/stats/enriched": "0"},
		"/api/brands/registry?limit=1&offset=1":              {"/brands/0/domain": "own.example", "/brands/1/domain": "", "/stats/total": "3"},
		"/api/brands/registry?source=community&search=SAVED": {"/brands/0/brand_name": "Saved Brand", "/brands/1/domain": ""},
		"/api/brands/registry?source=hosted":                 {"/brands/0/domain": "", "/stats/total": "3"},
		"/api/brands/registry?offset=9":                      {"/brands/0/domain": ""},
		"/api/brands/find?q=+Own+":                           {"/results/0/domain": "crown.example", "/results/1/canonical_domain": "own.example", "/results/1/source": "brand_json", "/results/2/domain": ""},
		"/api/brands/find?q=own.e":                           {"/results/0/domain": "own.example", "/results/1/domain": "crown.example"},
		"/api/brands/find?q=own&limit=1":                     {"/results/1/domain": ""},
		"/api/brands/find?q=%25%25":                          {"/results/0/domain": ""},
		"/api/brands/history?domain=https://own.example/":    {"/domain": "own.example", "/total": "1", "/revisions/0/revision_number": "1", "/revisions/0/editor_name": "system", "/revisions/0/is_rollback": "false", "/revisions/0/source": "brand_json"},
		"/api/brands/history?domain=saved.example":           {"/revisions/0/editor_name": "key holder", "/revisions/0/edit_summary": "Saved by a key holder"},
		"/api/brands/history?domain=saved.example&offset=1":  {"/total": "1", "/revisions/0/source": ""},
	}
	w.answers(t, tests)
	for path, message := range map[string]string{
		"/api/brands/registry?source=x":           "Invalid source filter. Valid values: hosted, brand_json, enriched, community, stub",
		"/api/brands/find?q=%20a":                 "Query must be at least 2 characters",
		"/api/brands/history":                     "domain parameter required",
		"/api/brands/history?domain=none.example": "Brand not found",
	} {
		got := w.call(http.MethodGet, path, "")
		if got.status != http.StatusBadRequest && got.status != http.StatusNotFound || got.member(t, "/error") != message {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
}

// answers asks for paths, and compares members of the answers.
func (w *world) answers(t *testing.T, tests map[string]map[string]string) {
	t.Helper()
	for path, members := range tests {
		got := w.call(http.MethodGet, path, "")
		for pointer, want := range members {
			if text := got.member(t, pointer); got.status != http.StatusOK || text != want {
				t.Errorf("%s: %s is %q, want %q: %s", path, pointer, text, want, got.body)
			}
		}
	}
}
