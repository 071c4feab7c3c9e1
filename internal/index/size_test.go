package index_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

// sizable makes a file with more of everything than is looked through one by one:
// agents, placements, collections, publishers, and identifiers of a property.
func sizable(tb testing.TB) *adagents.File {
	tb.Helper()
	var properties, placements, agents []any
	for i := range 3000 {
		identifiers := []any{map[string]any{"type": "domain", "value": fmt.Sprintf("p%d.example", i)}}
		for k := range 20 * (1 - min(i, 1)) {
			identifiers = append(identifiers, map[string]any{"type": "domain", "value": fmt.Sprintf("*.alias%d.example", k)})
		}
		properties = append(properties, map[string]any{
			"property_id": fmt.Sprint("site", i), "property_type": "website", "name": "Site", "tags": []string{"all"},
			"publisher_domain": fmt.Sprintf("p%d.example", i), "identifiers": identifiers,
		})
	}
	var ids []string
	for i := range 8 {
		ids = append(ids, fmt.Sprint("slot", i))
		placements = append(placements, map[string]any{"placement_id": ids[i], "name": "Slot", "property_tags": []string{"all"}, "tags": []string{"t"}})
	}
	for i := range 12 {
		agents = append(agents, map[string]any{
			"url": fmt.Sprintf("https://agent%d.example/mcp", i), "authorized_for": "x", "authorization_type": "property_tags", "property_tags": []string{"all"},
			"placement_ids": ids[:i%8+1], "collections": []any{map[string]any{"publisher_domain": fmt.Sprintf("p%d.example", i), "collection_ids": []string{"show", "a", "b", "c", "d"}}},
		})
	}
	src, err := json.Marshal(map[string]any{"properties": properties, "placements": placements, "authorized_agents": agents})
	if err != nil {
		tb.Fatal(err)
	}
	return fileOf(tb, string(src))
}

// TestIndexOfSize compares the Index with the Resolver on a file of some size.
func TestIndexOfSize(t *testing.T) {
	t.Parallel()
	doc := resolve.Document{State: resolve.Usable, Method: "authoritative_location", File: sizable(t)}
	seen := map[resolve.Verdict]int{}
	for i := range 24 {
		d := doc
		d.Publisher = fmt.Sprintf("p%d.example", i%3)
		x := indexOf(&d)
		q := resolve.Question{
			Publisher: d.Publisher, Agent: fmt.Sprintf("https://agent%d.example/mcp", i%13), Property: fmt.Sprint("site", i%3), At: moment(0),
			Placements:  []string{fmt.Sprint("slot", i%9)},
			Collections: []resolve.CollectionRef{{PublisherDomain: fmt.Sprintf("p%d.example", i%13), ID: "show"}},
		}
		if i%2 == 0 {
			q.Identifier = resolve.Identifier{Type: "domain", Value: []string{"x.alias7.example", "p0.example"}[i/2%2]}
		}
		want, err := resolve.Judge(&d, q)
		if err != nil {
			t.Fatal(err)
		}
		got := decide(t, x, q)
		if got.Verdict != want.Verdict {
			t.Errorf("%+v: index %v (%s), resolver %v", q, got.Verdict, got.Code, want.Verdict)
		}
		q.Collections[0].PublisherDomain = ""
		if own := decide(t, x, q); own.Verdict == resolve.Authorized && i%13 > 2 {
			t.Errorf("%+v: a collection of the publisher is taken for that of another", q)
		}
		seen[got.Verdict]++
	}
	if seen[resolve.Authorized] == 0 || seen[resolve.NotAuthorized] == 0 {
		t.Errorf("the verdicts are too much alike: %v", seen)
	}
}
