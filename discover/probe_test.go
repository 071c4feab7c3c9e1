package discover

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/fetch"
)

const (
	agentURL = "https://agent.example/mcp"
	cardURL  = "https://agent.example/.well-known/agent-card.json"
	mcpReply = `{"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-06-18", "serverInfo": {"name": "Seller"}}}`
)

// stream sets an answer of the agent that consists of events.
func (s *script) stream(body string) *script {
	s.serve(agentURL, body).answers[agentURL].Last().MediaType = eventStream
	return s
}

func TestAgents(t *testing.T) {
	t.Parallel()
	none := func() *script { return newScript() }
	challenge := fetch.Exchange{Outcome: fetch.Forbidden, Status: http.StatusUnauthorized, Challenge: "Bearer"}
	tests := []struct {
		name   string
		script *script
		want   string // reach, card, mcp, name
	}{
		{"a card", none().serve(cardURL, `{"name": "Seller", "url": "https://agent.example/"}`), "reachable a2a=spoken mcp=not_spoken Seller"},
		{"a card with a URL alone", none().serve(cardURL, `{"url": "https://agent.example/"}`), "reachable a2a=spoken mcp=not_spoken "},
		{"an object that is no card", none().serve(cardURL, `{"version": "1"}`), "unreachable a2a=not_spoken mcp=not_spoken "},
		{"a list", none().serve(cardURL, `["name"]`), "unreachable a2a=not_spoken mcp=not_spoken "},
		{"no JSON", none().serve(cardURL, `<html>`), "unreachable a2a=not_spoken mcp=not_spoken "},
		{"MCP", none().serve(agentURL, mcpReply), "reachable a2a=not_spoken mcp=spoken Seller"},
		{"MCP in a stream", none().stream("event: message\r\nid: 1\r\ndata: " + mcpReply + "\r\n\r\n"), "reachable a2a=not_spoken mcp=spoken Seller"},
		{"MCP after another event", none().stream(": hello\n\ndata: {\"jsonrpc\": \"2.0\", \"method\": \"log\"}\n\ndata:" + mcpReply), "reachable a2a=not_spoken mcp=spoken Seller"},
		{"MCP in two lines of data", none().stream("data: {\"jsonrpc\": \"2.0\",\rdata: \"result\": {\"protocolVersion\": \"x\"}}\r\r"), "reachable a2a=not_spoken mcp=spoken "},
		{"an open stream", none().on(agentURL, fetch.Exchange{Outcome: fetch.Timeout, Status: 200, MediaType: eventStream}), "reachable a2a=not_spoken mcp=spoken "},
		{"a stream without an answer", none().stream("data: 1\n\n"), "unreachable a2a=not_spoken mcp=not_spoken "},
		{"an error of JSON-RPC", none().serve(agentURL, `{"jsonrpc": "2.0", "id": 1, "error": {"code": -32601}}`), "unreachable a2a=not_spoken mcp=not_spoken "},
		{"another JSON-RPC", none().serve(agentURL, strings.Replace(mcpReply, "2.0", "1.0", 1)), "unreachable a2a=not_spoken mcp=not_spoken "},
		{"both", none().serve(agentURL, mcpReply).serve(cardURL, `{"name": "Card"}`), "reachable a2a=spoken mcp=spoken Card"},
		{"credentials", none().on(agentURL, challenge), "reachable_with_credentials a2a=not_spoken mcp=credentials_required "},
		{"credentials for the card", none().on(cardURL, challenge).on(agentURL, fetch.Exchange{Outcome: fetch.ServerError, Status: 500}), "reachable_with_credentials a2a=credentials_required mcp=no_reply "},
		{"401 without a challenge", none().on(agentURL, fetch.Exchange{Outcome: fetch.Forbidden, Status: 401}), "unreachable a2a=not_spoken mcp=not_spoken "},
		{"405", none().on(agentURL, fetch.Exchange{Outcome: fetch.ClientError, Status: 405}), "unreachable a2a=not_spoken mcp=not_spoken "},
		{"timeout", none().on(cardURL, fetch.Exchange{Outcome: fetch.Timeout}).on(agentURL, fetch.Exchange{Outcome: fetch.Timeout}), "unreachable a2a=no_reply mcp=no_reply "},
		{"no name", none().on(cardURL, fetch.Exchange{Outcome: fetch.NameNotFound}), "unreachable a2a=no_reply mcp=no_reply "},
		{"guarded", none().on(cardURL, fetch.Exchange{Outcome: fetch.GuardedAddress}), "refused a2a=refused mcp=refused "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checks := New(Config{Client: tt.script, Now: testClock}).Agents(t.Context(), []string{agentURL}, ProbeOptions{})
			if len(checks) != 1 {
				t.Fatalf("%d checks", len(checks))
			}
			c := checks[0]
			if got := fmt.Sprintf("%s a2a=%s mcp=%s %s", c.Reach, c.Card, c.MCP, c.Name); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if c.Message == "" || len(c.Exchanges) != len(tt.script.asked) {
				t.Errorf("%+v", c)
			}
			if p := c.Public(); p.Reach == AgentRefused || p.Card == Refused || p.Exchanges != nil {
				t.Errorf("public %+v", p)
			}
		})
	}
}

func TestAgentRequests(t *testing.T) {
	t.Parallel()
	s := newScript()
	New(Config{Client: s, Now: testClock}).Agents(t.Context(), []string{"https://agent.example:8443"}, ProbeOptions{})
	want := []fetch.Request{
		{URL: "https://agent.example:8443/.well-known/agent-card.json", MaxBytes: maxCard, Once: true},
		{URL: "https://agent.example:8443/", MaxBytes: maxCard, Once: true, Post: []byte(initialize), MediaTypes: []string{"application/json", "text/event-stream"}},
		{URL: "https://agent.example:8443/mcp", MaxBytes: maxCard, Once: true, Post: []byte(initialize), MediaTypes: []string{"application/json", "text/event-stream"}},
	}
	if diff := cmp.Diff(want, s.asked); diff != "" {
		t.Error(diff)
	}
	if _, ok := readObject([]byte(initialize)); !ok {
		t.Error("the request is not JSON")
	}
}

// TestAgentEndpoints asks agents whose entry names only the host: the hint says which URLs answer.
func TestAgentEndpoints(t *testing.T) {
	t.Parallel()
	const origin = "https://agent.example"
	card := func(url string) *script { return newScript().serve(cardURL, `{"name": "Card", "url": "`+url+`"}`) }
	one := "list %s, where the agent answers: buyers compare the whole URL that they call"
	tests := []struct {
		name   string
		script *script
		want   string
	}{
		{"MCP at a path", newScript().serve(agentURL, mcpReply), fmt.Sprintf(one, agentURL)},
		{"MCP with credentials", newScript().on(agentURL, fetch.Exchange{Outcome: fetch.Forbidden, Status: 401, Challenge: "Bearer"}), fmt.Sprintf(one, agentURL)},
		{"A2A at a path", card(origin + "/a2a"), fmt.Sprintf(one, origin+"/a2a")},
		{"A2A at the root", card(origin), ""},
		{"a card of another host", card("https://other.example/a2a"), ""},
		{"a card with a password", card("https://u:pw@agent.example/a2a"), ""},
		{"both", card(origin+"/a2a").serve(agentURL, mcpReply), "list " + agentURL + " for MCP and " + origin + "/a2a for A2A, one entry each: buyers compare the whole URL that they call"},
		{"MCP at the root", newScript().serve(origin+"/", mcpReply).serve(agentURL, mcpReply), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := New(Config{Client: tt.script, Now: testClock}).Agents(t.Context(), []string{origin}, ProbeOptions{})[0]
			if c.Hint != tt.want {
				t.Errorf("got %q, want %q", c.Hint, tt.want)
			}
		})
	}
}

func TestAgentsThatAreNotAsked(t *testing.T) {
	t.Parallel()
	s := newScript()
	list := []string{"nonsense", "http://agent.example/", "https://user:secret@agent.example/", "HTTPS://A.example", "https://a.example:443/"}
	checks := New(Config{Client: s, Now: testClock}).Agents(t.Context(), list, ProbeOptions{})
	var got []string
	for _, c := range checks {
		got = append(got, c.Reach.String()+" "+c.URL)
		if c.Message == "" || c.Hint == "" || strings.Contains(c.Message+c.URL, "secret") {
			t.Errorf("%+v", c)
		}
		if p := c.Public(); p.Reach != c.Reach {
			t.Errorf("a URL that is refused is no secret: %+v", p)
		}
	}
	want := []string{"refused nonsense", "refused http://agent.example/", "refused https://agent.example/", "unreachable https://a.example/"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A slowGetter takes a second for everything and counts how many wait at once.
type slowGetter struct {
	script
	now, most atomic.Int32
}

func (g *slowGetter) Get(ctx context.Context, r fetch.Request) *fetch.Result {
	n := g.now.Add(1)
	defer g.now.Add(-1)
	for {
		most := g.most.Load()
		if n <= most || g.most.CompareAndSwap(most, n) {
			break
		}
	}
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
	}
	return g.script.Get(ctx, r)
}

func TestManyAgents(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var list []string
		for i := range MaxAgents + 5 {
			list = append(list, fmt.Sprintf("https://a%d.example/mcp", i))
		}
		g := &slowGetter{script: *newScript()}
		began := time.Now()
		checks := New(Config{Client: g}).Agents(t.Context(), list, ProbeOptions{Limit: time.Hour})
		// A hundred agents, eight at a time, two seconds each.
		if took := time.Since(began); took != 26*time.Second || g.most.Load() != agentsAtOnce {
			t.Errorf("took %s, %d at once", took, g.most.Load())
		}
		if c := checks[0]; c.Took != 2*time.Second || c.Reach != AgentUnreachable {
			t.Errorf("%+v", c)
		}
		if c := checks[MaxAgents]; c.Reach != AgentUnchecked || !strings.Contains(c.Message, "too many") {
			t.Errorf("%+v", c)
		}
		began = time.Now()
		checks = New(Config{Client: g}).Agents(t.Context(), list, ProbeOptions{})
		if took := time.Since(began); took != agentsTime {
			t.Errorf("took %s", took)
		}
		if c := checks[MaxAgents-1]; c.Reach != AgentUnchecked || !strings.Contains(c.Message, "time ran out") {
			t.Errorf("%+v", c)
		}
	})
}

// FuzzAgentAnswer: whatever an agent answers, its check ends with a reach.
func FuzzAgentAnswer(f *testing.F) {
	f.Add([]byte(mcpReply), false)
	f.Add([]byte("data: "+mcpReply+"\n\n"), true)
	f.Add([]byte("data\ndata:\r\n: x\n\n\n"), true)
	f.Fuzz(func(t *testing.T, body []byte, streamed bool) {
		before := string(body)
		s := newScript().serve(cardURL, before)
		s.serve(agentURL, before)
		if streamed {
			s.answers[agentURL].Last().MediaType = eventStream
		}
		s.answers[agentURL].Body = body
		c := New(Config{Client: s, Now: testClock}).Agents(t.Context(), []string{agentURL}, ProbeOptions{})[0]
		if c.Reach != AgentReachable && c.Reach != AgentUnreachable {
			t.Errorf("%+v", c)
		}
		if string(body) != before {
			t.Error("the answer was changed")
		}
	})
}

// TestAgentsThatGotNoTurn: what was not asked is not called unreachable.
func TestAgentsThatGotNoTurn(t *testing.T) {
	t.Parallel()
	const card = "https://agent.example/.well-known/agent-card.json"
	for name, s := range map[string]*script{
		"both":       newScript().on(card, fetch.Exchange{Outcome: fetch.NoTurn}).on("https://agent.example/mcp", fetch.Exchange{Outcome: fetch.NoTurn}),
		"initialize": newScript().on("https://agent.example/mcp", fetch.Exchange{Outcome: fetch.NoTurn}),
	} {
		checks := New(Config{Client: s, Now: testClock}).Agents(t.Context(), []string{"https://agent.example/mcp"}, ProbeOptions{})
		if checks[0].Reach != AgentUnchecked || checks[0].MCP != NotAsked || checks[0].Message == "" {
			t.Errorf("%s: %+v", name, checks[0])
		}
	}
}

// TestOneCardForTheHost: the card is asked for once, and belongs to all.
func TestOneCardForTheHost(t *testing.T) {
	t.Parallel()
	s := newScript().serve("https://agent.example/.well-known/agent-card.json", `{"name": "x"}`)
	var agents []string
	for i := range 20 {
		agents = append(agents, fmt.Sprintf("https://agent.example/a%d", i))
	}
	shown := 0
	for _, c := range New(Config{Client: s, Now: testClock}).Agents(t.Context(), agents, ProbeOptions{}) {
		if c.Card != Spoken || c.Name != "x" || c.Reach != AgentReachable {
			t.Errorf("%+v", c)
		}
		shown += len(c.Exchanges)
	}
	if asked := len(s.urls()); asked != 21 || shown != 21 {
		t.Errorf("%d requests, %d shown, want 21: one card and each endpoint", asked, shown)
	}
}

func TestFallbackWithoutATurn(t *testing.T) {
	t.Parallel()
	s := newScript().on(pubAdsTxt, fetch.Exchange{Outcome: fetch.NoTurn})
	d := s.find(t, Options{})
	if d.Answer != Unreachable {
		t.Errorf("%s", summary(d))
	}
	s = newScript().serve(pubURL, pointerTo(networkURL)).on(networkURL, fetch.Exchange{Outcome: fetch.NoTurn})
	d = s.find(t, Options{})
	if d.Answer != Unreachable {
		t.Errorf("pointer: %s", summary(d))
	}
}
