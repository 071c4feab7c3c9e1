package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/resolve"
)

// TestErrorTable shows every kind of error as HTTP.
func TestErrorTable(t *testing.T) {
	t.Parallel()
	tests := []struct {
		err    error
		status int
		body   string
		header string
	}{
		{&registry.Error{Kind: registry.Limited, Message: "Too much", RetryAfter: 1500 * time.Millisecond}, 429, `{"error":"Too much","retry_after":2,"retryAfter":2}`, "Retry-After: 2"},
		{&registry.Error{Kind: registry.Unauthorized, Message: "No"}, 401, `{"error":"No"}`, "WWW-Authenticate: Bearer"},
		{fmt.Errorf("wrapped: %w", &registry.Error{Kind: registry.Conflict, Code: "c", Message: "Changed", Details: []string{"x"}}), 409, `{"error":"Changed","code":"c","details":["x"]}`, ""},
		{ops.WithExtras(&registry.Error{Kind: registry.NotFound, Message: "None"}, ops.ErrorExtras{Domain: "a.example"}), 404, `{"error":"None","domain":"a.example"}`, ""},
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
	whoami := func(ctx context.Context, _ *ops.NoInput) (*ops.Document, error) {
		caller, name := registry.CallerOf(ctx), "nobody"
		if caller.Key != nil {
			name = caller.Key.Name
		}
		return &ops.Document{Body: []byte(name + " from " + caller.Client)}, nil
	}
	routes := map[string]ops.Operation{
		"open": {}, "keyed": {Keyed: true}, "write": {Scope: registry.ScopeWrite}, "moderate": {Scope: registry.ScopeModerate},
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
		op := routes[tt.route]
		op.HTTP = "GET /x"
		rt := w.api.routeOf(ops.Define(op, whoami))
		r := httptest.NewRequestWithContext(registry.WithCall(t.Context(), registry.Call{Client: "here"}), http.MethodGet, "/x", nil)
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

// TestMounts: every route lies below one of the patterns that a server mounts.
func TestMounts(t *testing.T) {
	t.Parallel()
	a := New(Config{})
	mux := http.NewServeMux()
	for _, pattern := range a.Mounts() {
		mux.Handle(pattern, a.Handler())
	}
	for i := range a.routes {
		r := httptest.NewRequestWithContext(t.Context(), a.routes[i].method, examplePath(a.routes[i].path), nil)
		if _, pattern := mux.Handler(r); pattern == "" {
			t.Errorf("%s is not mounted", a.routes[i].path)
		}
	}
}

// TestAnswerThatCannotBeEncoded is a mistake in the program, which callers must not see.
func TestAnswerThatCannotBeEncoded(t *testing.T) {
	t.Parallel()
	log := new(lockedBuffer)
	a := New(Config{Log: textLog(log)})
	w := httptest.NewRecorder()
	a.send(w, http.StatusOK, map[string]any{"f": func() {}})
	if w.Code != http.StatusInternalServerError || w.Body.String() != `{"error":"Internal server error"}` || log.String() == "" {
		t.Errorf("got %d %s, log %q", w.Code, w.Body, log)
	}
}
