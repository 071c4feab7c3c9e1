package brand

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/resolve"
)

// TestOperator looks for the brand.json of an agent's operator, in its places and order.
func TestOperator(t *testing.T) {
	t.Parallel()
	const (
		agent  = "https://mcp.acme.example/sell"
		host   = "https://mcp.acme.example/.well-known/brand.json"
		listed = `{"agents": [{"type": "sales", "url": "https://mcp.acme.example/sell"}], "properties": []}`
		other  = `{"agents": [{"type": "sales", "url": "https://mcp.acme.example/other"}]}`
	)
	for _, c := range []struct {
		name, url string
		sections  []string
		// want is the state and the URL.
		want string
	}{
		{"at the host", "", []string{host, served(listed), acme, served(other)}, "found " + host},
		{"at the domain", "", []string{host, "404", acme, served(listed)}, "found " + acme},
		{"at the host, without the agent", "", []string{host, served(other), acme, served(listed)}, "found " + acme},
		{"host wants credentials", "", []string{host, "401", acme, served(listed)}, "found " + acme},
		{"host wants credentials, none at the domain", "", []string{host, "401", acme, "404"}, "unreachable " + host},
		{"nowhere", "", []string{host, "404", acme, "410"}, "absent " + host},
		{"without the agent", "", []string{host, "404", acme, served(other)}, "agent_missing " + acme},
		{"in trouble", "", []string{host, "404", acme, "503"}, "unreachable " + acme},
		{"not JSON", "", []string{host, served(`{"agents": `), acme, served(listed)}, "unusable " + host},
		{"a member twice", "", []string{host, served(`{"agents": [], "agents": []}`), acme, served(listed)}, "unusable " + host},
		{"too large", "", []string{host, served(`{"x": "` + strings.Repeat("x", operator.MaxFile) + `"}`)}, "unusable " + host},
		{"elsewhere", "", []string{host, served(`{"authoritative_location": "` + cdn + `"}`), cdn, served(listed)}, "found " + cdn},
		{"elsewhere, and not there", "", []string{host, served(`{"authoritative_location": "` + cdn + `"}`), cdn, "404", acme, "404"}, "unreachable " + host},
		{"of the house", "", []string{host, served(`{"house": "house.example"}`), house, served(listed)}, "found " + house},
		{"in a circle", "", []string{host, served(`{"authoritative_location": "` + cdn + `"}`), cdn, served(`{"authoritative_location": "` + host + `"}`)}, "unusable " + host},
		{"by URL", "https://acme.example/b.json", []string{"https://acme.example/b.json", served(listed)}, "found https://acme.example/b.json"},
		{"by URL, of a stranger", cdn, []string{cdn, served(listed)}, "other_domain " + cdn},
		{"by URL, not https", "http://acme.example/b.json", nil, "not_asked "},
		{"by URL, an address", "https://127.0.0.1/b.json", nil, "not_asked "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := web(t, c.sections...).Operator(t.Context(), agent, c.url, time.Unix(1_800_000_000, 0))
			if got := s.State.String() + " " + s.URL; got != c.want {
				t.Errorf("got %s (%s), want %s", got, s.Detail, c.want)
			}
			if s.State != operator.Found && s.Detail == "" {
				t.Error("nothing says why")
			}
		})
	}
}

// TestOperatorWithoutHost asks nobody about an agent that is not on the public internet.
func TestOperatorWithoutHost(t *testing.T) {
	t.Parallel()
	for _, agent := range []string{"https://127.0.0.1/mcp", "https://agent.internal/mcp", "agent", "https://[::1]/mcp"} {
		if s := web(t).Operator(t.Context(), agent, "", time.Unix(0, 0)); s.State != operator.NotAsked {
			t.Errorf("%s: %v", agent, s.State)
		}
	}
}

// TestOperatorBudget: what may not be sent any more is unknown, not absent.
func TestOperatorBudget(t *testing.T) {
	t.Parallel()
	ctx := fetch.WithBudget(context.Background(), 0)
	s := web(t, acme, served(`{}`)).Operator(ctx, "https://a.acme.example/mcp", "", time.Unix(0, 0))
	if s.State != operator.NotAsked {
		t.Errorf("%v: %s", s.State, s.Detail)
	}
}

// A faultyGetter panics at every request.
type faultyGetter struct{}

func (faultyGetter) Get(context.Context, fetch.Request) *fetch.Result { panic("no such page") }

// TestCompareSurvivesFaults: a fault while operators are asked ends neither the process nor
// the answers about the others.
func TestCompareSurvivesFaults(t *testing.T) {
	t.Parallel()
	file, err := adagents.Parse([]byte(`{
		"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "pub.example"}]}],
		"authorized_agents": [
			{"url": "https://a.example/mcp", "authorized_for": "the site", "authorization_type": "property_ids", "property_ids": ["site"]},
			{"url": "https://b.example/mcp", "authorized_for": "the site", "authorization_type": "property_ids", "property_ids": ["site"]}
		]}`))
	if err != nil {
		t.Fatal(err)
	}
	doc := &resolve.Document{Publisher: "pub.example", File: file, State: resolve.Usable}
	agents := []string{"https://a.example/mcp", "https://b.example/mcp", "https://c.example/mcp"}
	list := NewReader(faultyGetter{}).Compare(t.Context(), doc, agents, time.Unix(1_800_000_000, 0))
	for i, want := range []string{"panic: no such page", "panic: no such page", "lets the agent sell no property"} {
		if list[i] == nil || list[i].Agreement != operator.AgreementUnknown || !strings.Contains(list[i].Statement.Detail, want) {
			t.Errorf("%s: %+v", agents[i], list[i])
		}
	}
}
