package storetest

import (
	"testing"

	"github.com/avow-project/avow/internal/service/feed"
)

// FillFeed tells something about a publisher, for CheckFeed.
func FillFeed(t *testing.T, s feed.Store) {
	t.Helper()
	ok(t, s.Add(t.Context(), filledFeed()))
}

func filledFeed() *feed.Addition {
	event := func(kind, entity string, live bool) feed.Event {
		return feed.Event{Type: kind, Publisher: "a.example", Agent: feed.AgentKey("https://agent.example"), Entity: entity, Live: live, Digest: []byte("0123456789abcdef"), Payload: []byte(`{"id":"` + entity + `"}`)}
	}
	about := func(kind string, live bool) feed.Event {
		e := event(kind, "https://agent.example", live)
		e.Publisher = ""
		return e
	}
	return &feed.Addition{
		Publisher: "a.example", Input: []byte{1, 2}, At: day0, Events: []feed.Event{event(feed.Revoked, "one", false), event(feed.Granted, "two", true)},
		Agents: []feed.AgentChange{{Key: feed.AgentKey("https://agent.example"), Seen: about(feed.AgentSeen, true), Moved: about(feed.AgentMoved, true), Gone: about(feed.AgentGone, false)}},
	}
}

// CheckFeed looks for what FillFeed told, without changing anything.
func CheckFeed(t *testing.T, s feed.Store) {
	t.Helper()
	ctx, filled := t.Context(), filledFeed()
	expected := append([]feed.Event{filled.Agents[0].Seen}, filled.Events...)
	have := got[[]feed.Event](t)(s.Changes(ctx, 0, day0, 10))
	want(t, len(have), len(expected))
	for i := range have {
		expected[i].Number, expected[i].At = have[i].Number, day0
		want(t, have[i], expected[i])
	}
	input, live, err := s.Told(ctx, "a.example")
	ok(t, err)
	want(t, input, filled.Input)
	want(t, live, expected[2:])
	want(t, got[[]feed.Input](t)(s.Inputs(ctx, "", 10)), []feed.Input{{Publisher: "a.example", Input: filled.Input}})
	last := got[feed.Position](t)(s.LastChange(ctx, feed.AgentSeen))
	want(t, last, feed.Position{Number: have[0].Number, At: day0})
}
