package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// TestAnswersAreShared: whoever asks about a domain is sent the same bytes, and a large file
// is sent from where it is kept, whatever is hidden in it.
func TestAnswersAreShared(t *testing.T) {
	t.Parallel()
	for name, member := range map[string]string{"small": "1", "large": `"` + strings.Repeat("x", 100_000) + `"`, "hidden": `{"kty": "OKP", "crv": "Ed25519", "x": "` + strings.Repeat("x", 100_000) + `", "d": "secret"}`} {
		file := `{"authorized_agents": [], "properties": [], "x_more": ` + member + "}"
		w := newWorld(t, "\n-- https://pub.example/.well-known/adagents.json --\n200\nContent-Type: application/json\n\n"+file+"\n")
		var before *preparedReply
		for range 4 {
			v, err := w.api.service.Validate(t.Context(), registry.ValidateRequest{Domain: "pub.example"})
			if err != nil {
				t.Fatal(err)
			}
			p, err := prepare(v, noon)
			if err != nil {
				t.Fatal(err)
			}
			want, err := json.Marshal(replyWith(v, noon), encodeOptions)
			have := jsontext.Value(bytes.Join(p.httpParts(), nil))
			if err != nil || have.Compact() != nil || string(have) != string(want) {
				t.Errorf("%s: %v\n%.200s\nand not\n%.200s", name, err, have, want)
			}
			if before != nil && v.Cached && (&before.head[0] != &p.head[0] || name == "large" && &p.file[0] != &v.Body[0]) {
				t.Errorf("%s: the answer was made again", name)
			}
			if v.Cached {
				before = p
			}
			if spliced := len(p.file) > 0; spliced != (name != "small") {
				t.Errorf("%s: spliced is %t", name, spliced)
			}
		}
		if before == nil {
			t.Errorf("%s: nothing is shared", name)
		}
	}
}

// replyWith is the answer for a check as one value.
func replyWith(v *registry.Validation, at time.Time) *validateReply {
	reply := validateReplyOf(v)
	reply.Data.Validation.RawData, reply.Data.Validation.Redacted = rawData(v)
	reply.Timestamp = wire.API.Time(at)
	return reply
}

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
		caller, name := CallerOf(ctx), "nobody"
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
