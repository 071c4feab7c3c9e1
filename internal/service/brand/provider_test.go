package brand

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/service/registry"
)

const acmeBrand = `{"id": "x", "name": "Acme", "domain": "acme.example", "claimed": true, "description": "Makes anvils", "qualityScore": 0.7, "isNsfw": false,
 "logos": [
  {"type": "icon", "theme": "dark", "formats": [{"src": "https://cdn.example/icon.png", "format": "png", "size": 10}]},
  {"type": "logo", "theme": "light", "formats": [{"src": "https://cdn.example/s.png", "format": "png", "size": 10}, {"src": "https://cdn.example/l.png", "format": "png", "size": 99}]},
  {"type": "symbol", "theme": null, "formats": [{"src": "https://cdn.example/s.png", "format": "png", "size": 10}, {"src": "https://cdn.example/s.svg", "format": "svg", "size": 1}]},
  {"type": "logo", "formats": [{"src": "javascript:alert(1)", "format": "svg"}, {"src": "data:image/svg+xml,<svg/onload=alert(1)>", "format": "svg"}]}],
 "colors": [{"hex": "#111111", "type": "dark"}, {"hex": "#222222", "type": "accent"}, {"hex": "url(x)", "type": "brand"}, {"hex": "#333333", "type": "brand"}],
 "fonts": [{"name": "Inter", "type": "title"}, {"name": null, "type": "body"}],
 "company": {"employees": 5000, "foundedYear": 1947, "industries": [{"name": "Tools", "slug": "tools"}, {"name": "Anvils"}], "location": {"city": "Tucson", "country": "United States"}}}`

func TestBrand(t *testing.T) {
	t.Parallel()
	var path atomic.Value
	s := newStub(t, func(w http.ResponseWriter, r *http.Request) {
		path.Store(r.URL.Path)
		says(http.StatusOK, acmeBrand)(w, r)
	})
	got, err := s.Brand(t.Context(), "acme.example")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"name":"Acme","url":"https://acme.example","description":"Makes anvils",` +
		`"logos":[{"url":"https://cdn.example/l.png","tags":["logo","light"]},{"url":"https://cdn.example/s.svg","tags":["symbol"]}],` +
		`"colors":{"primary":"#333333","secondary":"#111111","accent":"#222222"},"fonts":[{"name":"Inter","role":"title"}],` +
		`"company":{"name":"Acme","industry":"Tools","industries":["Tools","Anvils"],"employees":"5000","founded":1947,"location":"Tucson, United States"}}`
	if diff := cmp.Diff(want, string(got.Manifest)); diff != "" {
		t.Error(diff)
	}
	if !got.Good || path.Load() != "/v2/brands/domain/acme.example" || s.Name() != "brandfetch" {
		t.Errorf("good %v, path %v, name %s", got.Good, path.Load(), s.Name())
	}
}

func TestQualityGate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, json string
		want       bool
	}{
		{"a description", `{"name": "A", "description": "  More than ten.  "}`, true},
		{"a short description", `{"name": "A", "description": "  ten chars "}`, false},
		{"a logo", `{"name": "A", "logos": [{"type": "icon", "formats": [{"src": "https://x.example/a.png"}]}]}`, true},
		{"a logo that may not be shown", `{"name": "A", "logos": [{"type": "logo", "formats": [{"src": "http://x.example/a.png"}]}]}`, false},
		{"a logo without formats", `{"name": "A", "logos": [{"type": "logo", "formats": []}]}`, false},
		{"nothing", `{}`, false},
		{"a low score", `{"description": "More than ten.", "qualityScore": 0.29}`, false},
		{"the lowest score", `{"description": "More than ten.", "qualityScore": 0.3}`, true},
		{"not for everybody", `{"description": "More than ten.", "isNsfw": true}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v, err := readObject([]byte(tt.json))
			if err != nil {
				t.Fatal(err)
			}
			got, err := readBrand(v, "a.example")
			if err != nil || got.Good != tt.want {
				t.Errorf("got %v, %v, want %v", got, err, tt.want)
			}
		})
	}
}

func TestContext(t *testing.T) {
	t.Parallel()
	s := newStub(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v2/context/acme.example" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		says(http.StatusOK, `{"meta": {"canonical_name": "Acme"}, "n": 1.50, "none": null, "links": ["https://a.example", "java\tscript:alert(1)", true],
		 "home": " JavaScript:alert(1)", "voice": {"summary": "Loud\u0007\nand clear", "data": "Data: a word"}}`)(w, r)
	})
	got, err := s.Context(t.Context(), "acme.example")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"meta":{"canonical_name":"Acme"},"n":1.50,"none":null,"links":["https://a.example",true],"voice":{"summary":"Loud\nand clear","data":"Data: a word"}}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	_, err = s.Context(t.Context(), "other.example")
	if code(err) != "brand_not_found" || err.Error() != "Brand context not found in Brandfetch" {
		t.Errorf("got %v", err)
	}
}

// TestTrouble goes through what a provider can do wrong. Whatever it is, the error has
// its kind, and neither the key nor the answer is in it or in the log.
func TestTrouble(t *testing.T) {
	t.Parallel()
	// echo says what a careless or hostile provider might: the key that it was sent.
	const echo = `{"message": "` + canary + ` secret-body"}`
	tests := []struct {
		name   string
		answer http.HandlerFunc
		kind   registry.Kind
		code   string
		calls  int64
	}{
		{"not found", says(http.StatusNotFound, echo), registry.NotFound, "brand_not_found", 1},
		{"no content", says(http.StatusNoContent, ""), registry.NotFound, "brand_not_found", 1},
		{"bad request", says(http.StatusBadRequest, echo), registry.Upstream, "provider_failed", 1},
		{"wrong key", says(http.StatusUnauthorized, echo), registry.Upstream, "provider_failed", 1},
		{"no right", says(http.StatusForbidden, echo), registry.Upstream, "provider_failed", 1},
		{"too many", says(http.StatusTooManyRequests, echo), registry.Unavailable, "provider_limited", 3},
		{"failing", says(http.StatusInternalServerError, echo), registry.Upstream, "provider_failed", 3},
		{"bad gateway", says(http.StatusBadGateway, echo), registry.Upstream, "provider_failed", 3},
		{"redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/v2/brands/domain/else.example?key="+canary, http.StatusFound)
		}, registry.Upstream, "provider_failed", 1},
		{"no JSON", says(http.StatusOK, `<html>`+canary), registry.Upstream, "provider_answer", 1},
		{"no object", says(http.StatusOK, `["`+canary+`"]`), registry.Upstream, "provider_answer", 1},
		{"repeated members", says(http.StatusOK, `{"name": "a", "name": "b"}`), registry.Upstream, "provider_answer", 1},
		{"gives the key back", says(http.StatusOK, `{"name": "`+canary+`"}`), registry.Upstream, "provider_answer", 1},
		{"huge", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"name": "`)
			for range 22 {
				_, _ = io.WriteString(w, strings.Repeat("x", 50_000))
			}
		}, registry.Upstream, "provider_answer", 1},
		{"huge header", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Huge", strings.Repeat(canary, 10_000))
		}, registry.Upstream, "provider_unreachable", 3},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"name": "`+canary)
		}, registry.Upstream, "provider_unreachable", 3},
		{"not HTTP", func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_, _ = io.WriteString(conn, canary+" what is HTTP\r\n\r\n")
				_ = conn.Close()
			}
		}, registry.Upstream, "provider_unreachable", 3},
		{"slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, registry.Upstream, "provider_unreachable", 3},
		{"drop by drop", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, " ")
				_ = http.NewResponseController(w).Flush()
				time.Sleep(20 * time.Millisecond)
			}
		}, registry.Upstream, "provider_unreachable", 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			attempt := 20 * time.Second
			if tt.name == "slow" || tt.name == "drop by drop" {
				attempt = 3 * time.Second // enough for a request to arrive
			}
			s := newHastyStub(t, attempt, tt.answer)
			_, err := s.Brand(t.Context(), "acme.example")
			var known *registry.Error
			if !errors.As(err, &known) || known.Kind != tt.kind || known.Code != tt.code {
				t.Fatalf("got %#v, want kind %d, code %s", err, tt.kind, tt.code)
			}
			if s.calls.Load() != tt.calls {
				t.Errorf("%d requests, want %d", s.calls.Load(), tt.calls)
			}
			if known.Kind != registry.NotFound && known.RetryAfter <= 0 {
				t.Error("no time to wait")
			}
			all := fmt.Sprintf("%v %+v %#v %s", err, known, known, s.log.String())
			if strings.Contains(all, canary) || strings.Contains(all, "secret-body") {
				t.Errorf("it tells what it should not: %s", all)
			}
		})
	}
}

func TestRecovers(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	s := newStub(t, func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) == 1 {
			w.Header().Set("Retry-After", "1")
			says(http.StatusTooManyRequests, "")(w, r)
			return
		}
		says(http.StatusOK, acmeBrand)(w, r)
	})
	begun := time.Now()
	_, err := s.Brand(t.Context(), "acme.example")
	if err != nil || time.Since(begun) < time.Second {
		t.Errorf("got %v after %v, want an answer after a second", err, time.Since(begun))
	}
}

// TestRetryAfterBeyondTheBudget: a provider that asks for a longer pause than a caller
// can wait is left alone that long by all callers.
func TestRetryAfterBeyondTheBudget(t *testing.T) {
	t.Parallel()
	s := newStub(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "120")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	_, err := s.Brand(t.Context(), "acme.example")
	var known *registry.Error
	if !errors.As(err, &known) || known.RetryAfter != 2*time.Minute || s.calls.Load() != 1 {
		t.Fatalf("got %#v after %d requests", err, s.calls.Load())
	}
	s.later(time.Minute)
	_, err = s.Brand(t.Context(), "other.example")
	if code(err) != "provider_resting" || s.calls.Load() != 1 || code(s.BrandRefusal("x.example")) != "provider_resting" {
		t.Errorf("got %v after %d requests", err, s.calls.Load())
	}
	s.later(61 * time.Second)
	_, err = s.Brand(t.Context(), "other.example")
	if code(err) != "provider_limited" || s.calls.Load() != 2 {
		t.Errorf("got %v after %d requests", err, s.calls.Load())
	}
}

func TestNegativeCache(t *testing.T) {
	t.Parallel()
	s := newStub(t, says(http.StatusNotFound, ""))
	for range 3 {
		_, err := s.Brand(t.Context(), "acme.example")
		if code(err) != "brand_not_found" {
			t.Fatal(err)
		}
	}
	if s.calls.Load() != 1 || code(s.BrandRefusal("acme.example")) != "brand_not_found" || s.ContextRefusal("acme.example") != nil {
		t.Errorf("%d requests", s.calls.Load())
	}
	s.later(absentFor)
	_, _ = s.Brand(t.Context(), "acme.example")
	if s.calls.Load() != 2 {
		t.Errorf("%d requests, want another after a while", s.calls.Load())
	}
}

func TestCircuit(t *testing.T) {
	t.Parallel()
	var good atomic.Bool
	s := newStub(t, func(w http.ResponseWriter, r *http.Request) {
		if good.Load() {
			says(http.StatusOK, acmeBrand)(w, r)
			return
		}
		w.WriteHeader(http.StatusUnauthorized)
	})
	for range tolerated {
		_, err := s.Brand(t.Context(), "acme.example")
		if code(err) != "provider_failed" {
			t.Fatal(err)
		}
	}
	before := s.calls.Load()
	_, err := s.Brand(t.Context(), "acme.example")
	if code(err) != "provider_resting" || s.calls.Load() != before {
		t.Fatalf("got %v", err)
	}
	s.later(firstRest)
	_, err = s.Brand(t.Context(), "acme.example")
	if code(err) != "provider_failed" || s.circuit.wait(s.clock()) != 2*firstRest {
		t.Fatalf("got %v, rests for %v", err, s.circuit.wait(s.clock()))
	}
	good.Store(true)
	s.later(2 * firstRest)
	_, err = s.Brand(t.Context(), "acme.example")
	if err != nil || s.circuit.wait(s.clock()) != 0 {
		t.Errorf("got %v", err)
	}
}

// TestOneTries: while a provider is tried after a rest, others do not join.
func TestOneTries(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	var c circuit
	for range tolerated {
		c.fail(now, 0)
	}
	now = now.Add(firstRest)
	if c.enter(now) != 0 || c.enter(now) <= 0 {
		t.Error("want one call to go through, and no more")
	}
	c.release(now)
	if c.enter(now) != 0 {
		t.Error("want the next to go through when the first learned nothing")
	}
}

// FuzzAnswer reads any answer of a provider.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(acmeBrand))
	f.Add([]byte(`{"meta": {"canonical_name": "Acme"}, "a": ["data:text/html,x", {"b": null}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := readObject(body)
		if err != nil {
			return
		}
		brand, err := readBrand(v, "acme.example")
		if err != nil {
			t.Fatal(err)
		}
		var m registry.Manifest
		err = json.Unmarshal(brand.Manifest, &m)
		if err != nil {
			t.Fatal(err)
		}
		checkManifest(t, &m)
		object, err := readContext(v)
		if err == nil && len(object) > maxContext {
			t.Errorf("context of %d bytes", len(object))
		}
	})
}
