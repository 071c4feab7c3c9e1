package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/resolve"
)

// TestAnswersAreBounded fills the answers beyond their room.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	var k answers
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range keptAnswers/2 + 10 {
				v := &registry.Validation{Domain: "pub.example", Cached: true, Discovery: &discover.Discovery{Domain: "pub.example"}}
				for range 2 {
					_, err := k.get(v, noon)
					if err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wait.Wait()
	if k.order.Len() != keptAnswers || len(k.kept) != keptAnswers {
		t.Errorf("%d answers are kept, %d can be found", k.order.Len(), len(k.kept))
	}
	size := 0
	for e := k.order.Front(); e != nil; e = e.Next() {
		size += len(e.Value.(*keptAnswer).body)
	}
	if size != k.bytes {
		t.Errorf("%d bytes are counted, there are %d", k.bytes, size)
	}
}

// TestAnswersAreKept: a third question about a domain is answered from what was encoded
// for the second. The first answer says that it is fresh, and is not kept.
func TestAnswersAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `
-- https://pub.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authorized_agents": [], "properties": []}
`)
	for i, want := range []int{0, 1, 1, 1} {
		got := w.call(t, http.MethodPost, "/api/adagents/validate", `{"domain": "pub.example"}`)
		if n := w.api.answers.order.Len(); got.status != http.StatusOK || n != want {
			t.Errorf("call %d gives %d, and %d answers are kept, want %d", i, got.status, n, want)
		}
	}
	w.call(t, http.MethodPost, "/api/adagents/validate", `{"content": {}}`)
	if n := w.api.answers.order.Len(); n != 1 {
		t.Errorf("the answer about a document that was sent is kept: %d", n)
	}
}

// TestErrorTable shows every kind of error as HTTP.
func TestErrorTable(t *testing.T) {
	t.Parallel()
	for kind := registry.Invalid; kind <= registry.Unavailable; kind++ {
		if statuses[kind] == 0 {
			t.Errorf("kind %d has no status", kind)
		}
	}
	tests := []struct {
		err    error
		status int
		body   string
		header string
	}{
		{&registry.Error{Kind: registry.Limited, Message: "Too much", RetryAfter: 1500 * time.Millisecond}, 429, `{"error":"Too much","retry_after":2,"retryAfter":2}`, "Retry-After: 2"},
		{&registry.Error{Kind: registry.Unauthorized, Message: "No"}, 401, `{"error":"No"}`, "WWW-Authenticate: Bearer"},
		{fmt.Errorf("wrapped: %w", &registry.Error{Kind: registry.Conflict, Code: "c", Message: "Changed", Details: []string{"x"}}), 409, `{"error":"Changed","code":"c","details":["x"]}`, ""},
		{withExtras(&registry.Error{Kind: registry.NotFound, Message: "None"}, ErrorExtras{Domain: "a.example"}), 404, `{"error":"None","domain":"a.example"}`, ""},
		{&discover.InputError{Message: "no domain", Hint: "give one"}, 400, `{"error":"no domain","code":"input","hint":"give one"}`, ""},
		{&resolve.LimitError{Problem: "too many", Hint: "fewer"}, 400, `{"error":"too many","code":"too_much","hint":"fewer"}`, ""},
		{context.DeadlineExceeded, 503, `{"error":"The answer took too long","code":"timeout","hint":"try again in a few seconds","retry_after":5,"retryAfter":5}`, "Retry-After: 5"},
		{errors.New("password hunter2 refused by 10.0.0.1"), 500, `{"error":"Internal server error","code":"internal","request_id":"r1"}`, ""},
	}
	for _, tt := range tests {
		log := new(lockedBuffer)
		a := New(Config{Log: textLog(log), Now: func() time.Time { return noon }})
		w := httptest.NewRecorder()
		w.Header().Set("X-Request-Id", "r1")
		a.fail(&route{method: http.MethodGet, path: "/x"}, w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/x", nil), tt.err)
		if w.Code != tt.status || w.Body.String() != tt.body {
			t.Errorf("%v: got %d %s, want %d %s", tt.err, w.Code, w.Body, tt.status, tt.body)
		}
		name, value, _ := strings.Cut(tt.header, ": ")
		if name != "" && w.Header().Get(name) != value {
			t.Errorf("%v: header %s is %q", tt.err, name, w.Header().Get(name))
		}
		if logged := strings.Contains(log.String(), "hunter2") && strings.Contains(log.String(), "r1"); logged != (tt.status == 500) {
			t.Errorf("%v: log is %q", tt.err, log)
		}
	}
}

// TestScopes: a route with a scope wants a key, one that is keyed takes it or leaves it.
func TestScopes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	writer, _, err := w.service.CreateKey(t.Context(), "writer", registry.ScopeWrite)
	if err != nil {
		t.Fatal(err)
	}
	moderator, _, err := w.service.CreateKey(t.Context(), "moderator", registry.ScopeModerate)
	if err != nil {
		t.Fatal(err)
	}
	whoami := func(ctx context.Context, _ *noInput) (*document, error) {
		caller, name := callerOf(ctx), "nobody"
		if caller.Key != nil {
			name = caller.Key.Name
		}
		return &document{Body: []byte(name + " from " + caller.Client)}, nil
	}
	routes := map[string]route{
		"open": {}, "keyed": {keyed: true}, "write": {scope: registry.ScopeWrite}, "moderate": {scope: registry.ScopeModerate},
	}
	tests := []struct {
		route, header string
		status        int
		body          string
	}{
		{"open", "", 200, "nobody from here"},
		{"open", "Bearer " + writer, 200, "nobody from here"},
		{"keyed", "", 200, "nobody from here"},
		{"keyed", "bearer " + writer, 200, "writer from here"},
		{"keyed", "Bearer wrong", 200, "nobody from here"},
		{"keyed", "Basic " + writer, 200, "nobody from here"},
		{"write", "", 401, "Authentication required"},
		{"write", "Bearer wrong", 401, "Invalid API key"},
		{"write", "Bearer " + writer, 200, "writer from here"},
		{"write", "Bearer " + moderator, 200, "moderator from here"},
		{"moderate", "Bearer " + writer, 403, "This key does not permit that"},
		{"moderate", "Bearer " + moderator, 200, "moderator from here"},
	}
	for _, tt := range tests {
		rt := routes[tt.route]
		rt.method, rt.path = http.MethodGet, "/x"
		rt = handle(rt, whoami)
		r := httptest.NewRequestWithContext(registry.WithClient(t.Context(), "here"), http.MethodGet, "/x", nil)
		r.Header.Set("Authorization", tt.header)
		rec := httptest.NewRecorder()
		w.api.serveRoute(&rt, rec, r)
		if rec.Code != tt.status || !strings.Contains(rec.Body.String(), tt.body) {
			t.Errorf("%s with %.12q: got %d %s, want %d %s", tt.route, tt.header, rec.Code, rec.Body, tt.status, tt.body)
		}
	}
	if strings.Contains(w.log.String(), "avow_") {
		t.Error("a secret is in the log")
	}
}
