package storetest

import (
	"testing"

	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/resolve"
)

const filledAgent = "https://agent.example"

// filledDirectory is what FillCustody stores in the directory and the feed.
func filledDirectory() *projection.Change {
	event := func(kind, entity string, live bool) projection.Event {
		return projection.Event{Type: kind, Publisher: "a.example", Agent: projection.AgentName(filledAgent), Entity: entity,
			Live: live, Digest: []byte("0123456789abcdef"), Payload: []byte(`{"id":"` + entity + `"}`)}
	}
	return &projection.Change{
		Domain: "a.example", At: day0,
		Shown: &projection.Shown{Properties: 2, Agents: 1, Types: []projection.TypeCount{{Type: "website", Count: 2}},
			First: filledIdentifiers},
		Pairs: []projection.Pair{{Agent: filledAgent, Authorized: 1, Total: 2, Limited: resolve.LimitedCountry, Types: 1,
			Pinned: true, Made: day0, Next: day0.AddDate(0, 1, 0)}},
		Events: []projection.Event{event(projection.Revoked, "one", false), event(projection.Granted, "two", true)},
	}
}

// CheckFeed looks for what FillCustody told, without changing anything.
func CheckFeed(t *testing.T, s feed.Store) {
	t.Helper()
	ctx := t.Context()
	expected := append([]projection.Event{*projection.AgentEvent(projection.AgentSeen, projection.AgentName(filledAgent),
		filledAgent, "")}, filledDirectory().Events...)
	have := got[[]projection.Event](t)(s.Changes(ctx, 0, day0, 10))
	want(t, len(have), len(expected))
	for i := range have {
		expected[i].Number, expected[i].At = have[i].Number, day0
		have[i].Digest = append([]byte(nil), have[i].Digest...) // none is nil or empty
		want(t, have[i], expected[i])
	}
	last := got[feed.Position](t)(s.LastChange(ctx, projection.AgentSeen))
	want(t, last, feed.Position{Number: have[0].Number, At: day0})
	name := projection.AgentName(filledAgent)
	agents, err := s.Agents(ctx, []string{name, projection.AgentName("https://none.example/")})
	ok(t, err)
	want(t, len(agents), 1)
	want(t, agents[name].Publishers, 1)
}
