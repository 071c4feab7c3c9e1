package web

import (
	"net/url"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/resolve"
)

// TestTurns: what belongs to one change is one entry, however many records it left.
func TestTurns(t *testing.T) {
	t.Parallel()
	first, second, third := noon, noon.Add(time.Hour), noon.Add(2*time.Hour)
	event := func(at time.Time, code, before, after string, list ...custody.Change) custody.Entry {
		return custody.Entry{At: at, Event: &custody.NumberedEvent{Event: custody.Event{Code: code, At: at, Before: before, After: after, Changes: list}}}
	}
	narrowed := custody.Change{Code: "agent.countries_narrowed", Subject: "https://ssp.example/mcp", After: "DE", Message: "x"}
	const own, other = "https://pub.example/.well-known/adagents.json", "https://other.example/a.json"
	list := []custody.Entry{
		event(third, "move.confirmed", own, other), {At: third, Place: &custody.Place{Location: custody.Location{URL: other}}},
		event(second.Add(time.Minute), "move.held", own, other),
		event(second, "file.changed", "v1", "v2", narrowed), {At: second.Add(-time.Second), Version: &custody.Version{Hash: "v2"}},
		event(first, "publisher.located", "", own), event(first, "file.adopted", "", "v1"),
		{At: first.Add(-time.Second), Version: &custody.Version{Hash: "v1"}}, {At: first.Add(-time.Second), Place: &custody.Place{Location: custody.Location{URL: own}}},
	}
	turns := turnsOf(list)
	want := []struct{ mark, label string }{
		{"set", "New location, confirmed by an operator"}, {"held", "New location, held"}, {"set", "ssp.example only in DE, previously everywhere"}, {"set", "First seen"},
	}
	if len(turns) != len(want) {
		t.Fatalf("%d entries", len(turns))
	}
	view := historyView{Past: pastView{At: second.Add(10 * time.Minute)}}
	for i := range turns {
		v := turns[i].viewOf(&resolve.Document{}, &pen{findingsBytes})
		v.ID = v.Label()
		if v.Mark != want[i].mark || v.Label() != want[i].label {
			t.Errorf("%d: %q %q", i, v.Mark, v.Label())
		}
		view.Turns = append(view.Turns, v)
	}
	if turns[3].version == nil || turns[3].location == nil || view.Turns[0].Text != "other.example instead of pub.example" {
		t.Errorf("%+v, %q", turns[3], view.Turns[0].Text)
	}
	if got := view.Turns[2].Names.Link(view.Turns[2].Label()); len(got) != 3 || got[1] != (lead{"ssp.example", "/agent/https:%2F%2Fssp.example%2Fmcp"}) {
		t.Errorf("%+v", got)
	}
	view.draw(first, third.Add(48*time.Hour))
	if len(view.Line) != 4 || view.Line[0].ID != "First seen" || view.In != want[2].label || view.Days.Last != 2 || view.Days.Day != 0 {
		t.Errorf("%+v", view)
	}
}

// TestChosenDay: a slider names a day by its number.
func TestChosenDay(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"on=2026-03-01": "2026-03-01", "on=x&from=2026-03-01&day=1": "x", "from=2026-02-28&day=1": "2026-03-01", "from=2026-02-28&day=0": "2026-02-28",
		"from=2026-02-28&day=-1": "", "from=2026-02-28&day=99999999": "", "from=x&day=1": "", "day=1": "", "from=2026-02-28": "",
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if got := chosenDay(q); got != want {
			t.Errorf("%s: %q", query, got)
		}
	}
}
