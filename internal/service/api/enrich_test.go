package api

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/brand"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
)

const brandWeb = `
-- https://own.example/.well-known/brand.json --
200
Content-Type: application/json

{"names": [{"en": "Own"}], "description": "Speaks for itself", "logos": [{"url": "https://own.example/a.svg", "variant": "icon"}], "colors": {"primary": "#FF0000"},
 "fonts": {"primary": "Inter"}, "company": {"name": "Own Inc.", "industries": ["speech"], "founded": 1999}}
-- https://good.example/.well-known/brand.json --
404
-- https://gone.example/.well-known/brand.json --
404
-- https://busy.example/.well-known/brand.json --
404
-- https://down.example/.well-known/brand.json --
404
-- https://odd.example/.well-known/brand.json --
404
`

// brandProvider answers as a provider would.
func brandProvider(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/v2/brands/domain/good.example":
		_, _ = io.WriteString(w, `{"name": "Good", "description": "Makes good things", "company": {"employees": 12, "industries": [{"name": "Tools"}]}}`)
	case "/v2/context/good.example", "/v2/context/own.example":
		_, _ = io.WriteString(w, `{"meta": {"canonical_name": "Good"}, "identity": {"tagline": "Good is good"}}`)
	case "/v2/brands/domain/busy.example":
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
	case "/v2/brands/domain/down.example":
		w.WriteHeader(http.StatusBadGateway)
	case "/v2/brands/domain/odd.example":
		_, _ = io.WriteString(w, `<html>`)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// newBrandWorld is newWorld with brand data: the files of domains, and a provider if
// there is a handler.
func newBrandWorld(t *testing.T, provider http.HandlerFunc) *world {
	t.Helper()
	w := newWorld(t, brandWeb)
	now := func() time.Time { return noon }
	client := fetch.New(fetch.Config{Network: w.web.Network(), Attempts: 1, HopTimeout: time.Hour, Budget: time.Hour})
	config := registry.Config{
		Store: w.store, Finder: discover.New(discover.Config{Client: client, Now: now}), Brands: brand.NewReader(client), Now: now, Log: textLog(w.log), CallTime: time.Hour,
	}
	if provider != nil {
		stub := httptest.NewServer(provider)
		t.Cleanup(stub.Close)
		key, err := brand.NewKey("sk_of_the_test_of_the_api")
		if err != nil {
			t.Fatal(err)
		}
		p, err := brand.NewProvider(brand.ProviderConfig{URL: stub.URL, Key: key, Call: 6 * time.Second, Log: textLog(w.log)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		config.Provider = p
	}
	w.service = registry.New(config)
	t.Cleanup(w.service.Close)
	w.api = New(Config{Operations: ops.New(ops.Config{Service: w.service, Now: now}), Log: textLog(w.log), Now: now})
	w.server = httptest.NewServer(w.api.Handler())
	t.Cleanup(w.server.Close)
	return w
}

// writeKey makes a key and returns the header that presents it.
func writeKey(t *testing.T, w *world) []string {
	t.Helper()
	secret, _, err := w.service.CreateKey(t.Context(), "test", registry.ScopeWrite)
	if err != nil {
		t.Fatal(err)
	}
	return []string{"Authorization", "Bearer " + secret}
}

// ask makes a request. Headers are name and value in turn.
func ask(t *testing.T, w *world, method, path, body string, headers ...string) answered {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, w.server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	response, err := w.server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	b, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answered{response.StatusCode, response.Header, b}
}

func TestEnrichAnswers(t *testing.T) {
	t.Parallel()
	w := newBrandWorld(t, brandProvider)
	key := writeKey(t, w)
	own := `"manifest":{"name":"Own","url":"https://own.example","description":"Speaks for itself","names":[{"en":"Own"}],"logos":[{"url":"https://own.example/a.svg","tags":["icon"]}],` +
		`"colors":{"primary":"#FF0000"},"fonts":[{"name":"Inter","role":"primary"}],"company":{"name":"Own Inc.","industry":"speech","industries":["speech"],"founded":1999}},` +
		`"company":{"name":"Own Inc.","industry":"speech","industries":["speech"],"founded":1999}`
	ownHead := `"source_type":"brand_json","provenance":{"source":"brand_json","url":"https://own.example/.well-known/brand.json","updated_at":"2026-03-01T12:00:00.000Z"}`
	good := `"manifest":{"name":"Good","url":"https://good.example","description":"Makes good things","company":{"name":"Good","industry":"Tools","industries":["Tools"],"employees":"12"}},` +
		`"company":{"name":"Good","industry":"Tools","industries":["Tools"],"employees":"12"}`
	goodHead := `"source_type":"enriched","provenance":{"source":"brandfetch","updated_at":"2026-03-01T12:00:00.000Z"}`
	context := `"context":{"meta":{"canonical_name":"Good"},"identity":{"tagline":"Good is good"}}`
	tests := []struct {
		name, domain string
		headers      []string
		want         string
	}{
		{"own file", "own.example", nil, `{"success":true,"domain":"own.example","cached":false,` + ownHead + `,` + own + `}`},
		{"own file again", "https://www.own.example/x", nil, `{"success":true,"domain":"own.example","cached":true,` + ownHead + `,` + own + `}`},
		{"own file with context", "own.example", key, `{"success":true,"domain":"own.example","cached":true,` + ownHead + `,"context_source":"brandfetch","context_scope":"ephemeral",` + own + `,` + context + `}`},
		{"provider with context", "good.example", key, `{"success":true,"domain":"good.example","cached":false,` + goodHead + `,"context_source":"brandfetch","context_scope":"ephemeral",` + good + `,` + context + `}`},
		{"provider again", "good.example", nil, `{"success":true,"domain":"good.example","cached":true,` + goodHead + `,` + good + `}`},
		{"a key that is not valid", "good.example", []string{"Authorization", "Bearer avow_nobody"}, `{"success":true,"domain":"good.example","cached":true,` + goodHead + `,"context_error":"the API key is unknown, so the context is left out","key_error":"the API key is unknown",` + good + `}`},
	}
	// One after the other, as each rests on what the one before has stored.
	for _, tt := range tests {
		got := ask(t, w, http.MethodGet, "/api/brands/enrich?domain="+tt.domain, "", tt.headers...)
		conforms(t, w.api, http.MethodGet, "/api/brands/enrich", got)
		if diff := cmp.Diff(tt.want, string(got.body)); diff != "" || got.status != http.StatusOK {
			t.Errorf("%s: %d %s", tt.name, got.status, diff)
		}
	}
}

func TestEnrichErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, query  string
		unconfigured bool
		status       int
		message      string
		retry        string
	}{
		{"no domain", "", false, 400, "domain parameter required", ""},
		{"an empty domain", "?domain=", false, 400, "domain parameter required", ""},
		{"two domains", "?domain=a.example&domain=b.example", false, 400, "Query parameter domain is given more than once", ""},
		{"not a domain", "?domain=what%20is%20this", false, 400, "Invalid domain format", ""},
		{"an address", "?domain=http://127.0.0.1:8080/", false, 400, "Invalid domain format", ""},
		{"not found", "?domain=gone.example", false, 404, "Brand not found in Brandfetch", ""},
		{"limited", "?domain=busy.example", false, 503, "Brandfetch limits requests for now", "7"},
		{"down", "?domain=down.example", false, 502, "Brandfetch API error: 502", "30"},
		{"not JSON", "?domain=odd.example", false, 502, "Brandfetch returned an answer that cannot be used", "30"},
		{"not configured", "?domain=gone.example", true, 503, "Brandfetch not configured", ""},
		{"not configured, not a domain", "?domain=x", true, 400, "Invalid domain format", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			provider := brandProvider
			if tt.unconfigured {
				provider = nil
			}
			w := newBrandWorld(t, provider)
			got := ask(t, w, http.MethodGet, "/api/brands/enrich"+tt.query, "")
			conforms(t, w.api, http.MethodGet, "/api/brands/enrich", got)
			if got.status != tt.status || got.member(t, "/error") != tt.message || got.header.Get("Retry-After") != tt.retry {
				t.Errorf("got %d, retry after %q: %s", got.status, got.header.Get("Retry-After"), got.body)
			}
			if strings.Contains(string(got.body)+w.log.String(), "sk_of_the_test") {
				t.Error("the key of the provider is shown")
			}
		})
	}
}

func TestSaveBrandAnswers(t *testing.T) {
	t.Parallel()
	w := newBrandWorld(t, nil)
	key := writeKey(t, w)
	const path = "/api/brands/save"
	tests := []struct {
		name, body string
		headers    []string
		status     int
		want       string
	}{
		{"no key", `{"domain": "a.example", "brand_name": "A"}`, nil, 401, "Authentication required"},
		{"a wrong key", `{"domain": "a.example", "brand_name": "A"}`, []string{"Authorization", "Bearer avow_x"}, 401, ""},
		{"saved", `{"domain": "a.example", "brand_name": "A"}`, key, 200, ""},
		{"saved again", `{"domain": "WWW.a.example", "brand_name": "A", "brand_manifest": {"description": "Two", "tagline": "kept"}}`, key, 200, ""},
		{"no domain", `{"brand_name": "A"}`, key, 400, "domain is required"},
		{"not a domain", `{"domain": "a", "brand_name": "A"}`, key, 400, "Invalid domain format"},
		{"no name", `{"domain": "a.example"}`, key, 400, "brand_name is required"},
		{"a name of another kind", `{"domain": "a.example", "brand_name": 5}`, key, 400, "brand_name must be a string, not a number"},
		{"a manifest of another kind", `{"domain": "a.example", "brand_name": "A", "brand_manifest": "x"}`, key, 400, "The brand manifest is not valid: it must be an object, not a string"},
		{"a hostile manifest", `{"domain": "a.example", "brand_name": "A", "brand_manifest": {"logos": [{"url": "javascript:alert(1)"}]}}`, key, 400, "The brand manifest is not valid: logos[0].url: must be an https URL of a public host"},
		{"a large manifest", `{"domain": "a.example", "brand_name": "A", "brand_manifest": {"x": "` + strings.Repeat("x", 50_000) + `"}}`, key, 413, "The brand manifest is too large"},
	}
	for _, tt := range tests {
		got := ask(t, w, http.MethodPost, path, tt.body, tt.headers...)
		conforms(t, w.api, http.MethodPost, path, got)
		if got.status != tt.status || tt.want != "" && got.member(t, "/error") != tt.want {
			t.Errorf("%s: %d %s", tt.name, got.status, got.body)
		}
	}
	got := ask(t, w, http.MethodPost, path, `{"domain": "a.example", "brand_name": "A", "brand_manifest": {"tagline": "kept"}}`, key...)
	want := `{"success":true,"message":"Brand saved","domain":"a.example","id":"community:a.example","revision_number":3}`
	if string(got.body) != want {
		t.Errorf("got %s, want %s", got.body, want)
	}
	got = ask(t, w, http.MethodGet, "/api/brands/enrich?domain=a.example", "")
	if got.member(t, "/source_type") != "community" || got.member(t, "/manifest/tagline") != "kept" || got.member(t, "/cached") != "true" {
		t.Errorf("got %s", got.body)
	}
	ask(t, w, http.MethodGet, "/api/brands/enrich?domain=own.example", "")
	got = ask(t, w, http.MethodPost, path, `{"domain": "own.example", "brand_name": "A"}`, key...)
	conforms(t, w.api, http.MethodPost, path, got)
	if got.status != http.StatusConflict {
		t.Errorf("got %d %s", got.status, got.body)
	}
}
