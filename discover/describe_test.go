package discover

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/fetch"
)

// An mcpServer is an agent with sessions: it lists its tools to clients that are ready.
type mcpServer struct {
	session string
	stream  bool
	ready   bool
	asked   []string
}

func (s *mcpServer) Get(_ context.Context, r fetch.Request) *fetch.Result {
	found := fetch.Exchange{Outcome: fetch.Found, Status: http.StatusOK, MediaType: "application/json"}
	if r.URL == cardURL {
		s.asked = append(s.asked, "card")
		card := result(r.URL, found)
		card.Body = []byte(`{"name": "Seller", "description": "Sells"}`)
		return card
	}
	message, _ := readObject(r.Post)
	method := message.Get("method").Str()
	s.asked = append(s.asked, strings.TrimSpace(method+" "+r.Session))
	body := mcpReply
	switch {
	case method == "initialize":
		found.Session = s.session
	case r.Session != s.session:
		return result(r.URL, fetch.Exchange{Outcome: fetch.ClientError, Status: http.StatusBadRequest})
	case method == "notifications/initialized":
		s.ready = true
		return result(r.URL, fetch.Exchange{Outcome: fetch.UnexpectedStatus, Status: http.StatusAccepted})
	case s.session != "" && !s.ready:
		body = `{"jsonrpc": "2.0", "id": 2, "error": {"code": -32602, "message": "not ready"}}`
	default:
		body = `{"jsonrpc": "2.0", "id": 2, "result": {"tools": [{"name": "get_products", "description": "Products"}, {"description": "nameless"}, 1, {"name": "ping"}` +
			strings.Repeat(`, {"name": "more"}`, maxTools) + `]}}`
	}
	if s.stream {
		found.MediaType, body = eventStream, "event: message\ndata: "+body+"\n\n"
	}
	out := result(r.URL, found)
	out.Body = []byte(body)
	return out
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		server mcpServer
		want   []string
	}{
		{"without a session", mcpServer{}, []string{"card", "initialize", "tools/list"}},
		{"with a session", mcpServer{session: "s1"}, []string{"card", "initialize", "notifications/initialized s1", "tools/list s1"}},
		{"streams", mcpServer{session: "s2", stream: true}, []string{"card", "initialize", "notifications/initialized s2", "tools/list s2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := New(Config{Client: &tt.server, Now: testClock}).Describe(t.Context(), agentURL)
			if d.Reach != AgentReachable || d.Name != "Seller" || d.Description != "Sells" || len(d.Tools) != maxTools {
				t.Fatalf("%+v", d)
			}
			if want := []AgentTool{{"get_products", "Products"}, {"ping", ""}, {"more", ""}}; !slices.Equal(d.Tools[:3], want) {
				t.Error(d.Tools[:3])
			}
			if diff := cmp.Diff(tt.want, tt.server.asked); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDescribeNobody(t *testing.T) {
	t.Parallel()
	s := newScript()
	for url, want := range map[string]Reach{"http://agent.example/": AgentRefused, "https://agent.example/mcp": AgentUnreachable} {
		if d := New(Config{Client: s, Now: testClock}).Describe(t.Context(), url); d.Reach != want || len(d.Tools) > 0 {
			t.Errorf("%s: %+v", url, d)
		}
	}
	if len(s.asked) != 2 {
		t.Error(s.urls())
	}
}
