package resolve

import (
	"maps"
	"slices"
	"testing"
	"time"
)

// TestQualifiers is about rules D10.59, 60, 66, 67 and 68.
func TestQualifiers(t *testing.T) {
	t.Parallel()
	with := func(members string) []string { return []string{entry(sellsSite + `, ` + members)} }
	at := func(s string) Question {
		instant, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return Question{At: instant}
	}
	window := with(`"effective_from": "2026-01-01T00:00:00+01:00", "effective_until": "2026-03-31T23:59:59Z"`)
	shows := with(`"collections": [{"publisher_domain": "Example.com", "collection_ids": ["morning"]}]`)
	runAnswers(t, []answerCase{
		{name: "D59 listed", entries: with(`"countries": ["US", "CA"]`), ask: Question{Country: " us "}, verdict: Authorized, codes: covers1},
		{name: "D59 not listed", entries: with(`"countries": ["US", "CA"]`), ask: Question{Country: "DE"}, verdict: NotAuthorized, codes: []string{"entry.country_not_listed"}},
		{name: "D59 not told", entries: with(`"countries": ["US", ""]`), verdict: Conditional, codes: []string{"entry.country_needed"}, needs: []string{"country"}},
		{name: "D59 lower case in the file", entries: with(`"countries": ["us", "CA"]`), ask: Question{Country: "us"}, verdict: NotAuthorized, codes: []string{"entry.country_not_listed"}},
		{name: "D60 before", entries: window, ask: at("2025-12-31T22:59:59Z"), verdict: NotAuthorized, codes: []string{"entry.outside_window"}},
		{name: "D60 at the start", entries: window, ask: at("2025-12-31T23:00:00Z"), verdict: Authorized, codes: covers1},
		{name: "D60 at the end", entries: window, ask: at("2026-03-31T23:59:59Z"), verdict: Authorized, codes: covers1},
		{name: "D60 after", entries: window, ask: at("2026-04-01T00:00:00Z"), verdict: NotAuthorized, codes: []string{"entry.outside_window"}},
		{name: "D60 open end", entries: with(`"effective_from": "2026-01-01T00:00:00Z"`), ask: at("2099-01-01T00:00:00Z"), verdict: Authorized, codes: covers1},
		{name: "D60 unreadable", entries: with(`"effective_from": "soon"`), verdict: NotAuthorized, codes: []string{"entry.inert"}},
		{name: "D60 not a text", entries: with(`"effective_until": 5`), verdict: NotAuthorized, codes: []string{"entry.inert"}},
		{name: "D66 listed", entries: shows, ask: Question{Collections: []CollectionRef{{"", "evening"}, {"EXAMPLE.com", "morning"}}}, verdict: Authorized, codes: covers1},
		{name: "D66 another", entries: shows, ask: Question{Collections: []CollectionRef{{"example.com", "evening"}}}, verdict: NotAuthorized, codes: []string{"entry.collection_not_listed"}},
		{name: "D66 of another publisher", entries: shows, ask: Question{Collections: []CollectionRef{{"example.org", "morning"}}}, verdict: NotAuthorized, codes: []string{"entry.collection_not_listed"}},
		{name: "D66 none given", entries: shows, verdict: Conditional, codes: []string{"entry.collection_needed"}, needs: []string{"collection"}},
		{name: "D67 no country", entries: with(`"countries": []`), ask: Question{Country: "US"}, verdict: NotAuthorized, codes: []string{"entry.inert"}},
		{name: "D67 no placement", entries: with(`"placement_ids": []`), verdict: NotAuthorized, codes: []string{"entry.inert"}},
		{name: "D67 no collection", entries: with(`"collections": []`), verdict: NotAuthorized, codes: []string{"entry.inert"}},
		{name: "D68 labels change nothing", entries: with(`"exclusive": true, "delegation_type": "ad_network"`), ask: Question{Property: "site"}, verdict: Authorized, codes: covers1},
		{name: "all conditions at once", entries: with(`"countries": ["US"], "collections": [{"publisher_domain": "example.com", "collection_ids": ["morning"]}], "placement_tags": ["premium"]`),
			verdict: Conditional, codes: []string{"entry.country_needed", "entry.collection_needed", "entry.placement_needed"}, needs: []string{"country", "collection", "placement"}},
	})
}

// TestSignals is about rules D3.18 and D3.19.
func TestSignals(t *testing.T) {
	t.Parallel()
	byID := []string{entry(`"authorization_type": "signal_ids", "signal_ids": ["auto", "home"]`)}
	byTag := []string{entry(`"authorization_type": "signal_tags", "signal_tags": ["intent"]`)}
	inUS := []string{entry(`"authorization_type": "signal_ids", "signal_ids": ["auto", "home"], "countries": ["US"]`)}
	catalog := `, "properties": [], "signals": [{"catalog_url": "https://data.example/catalog.json", "relationship": "direct", "description": "Signals"}]`
	ask := func(id, country string) Question { return Question{Signal: id, Country: country} }
	runAnswers(t, []answerCase{
		{name: "by id", entries: byID, ask: ask("auto", ""), verdict: Authorized, codes: covers1},
		{name: "by tag", entries: byTag, ask: ask("auto", ""), verdict: Authorized, codes: covers1},
		{name: "another tag", entries: byTag, ask: ask("home", ""), verdict: NotAuthorized, codes: []string{"signal.not_covered"}},
		{name: "not defined", entries: byID, ask: ask("boat", ""), verdict: NotAuthorized, codes: []string{"signal.unknown"}},
		{name: "a tag that is only explained", members: `, "signal_tags": {"boat": {"name": "Boat", "description": "Boats"}}`,
			entries: []string{entry(`"authorization_type": "signal_tags", "signal_tags": ["boat", "intent"]`)}, ask: ask("home", ""), verdict: NotAuthorized, codes: []string{"signal.not_covered"}},
		{name: "country of the signal", entries: byID, ask: ask("home", "FR"), verdict: Authorized, codes: covers1},
		{name: "another country", entries: byID, ask: ask("home", "US"), verdict: NotAuthorized, codes: []string{"signal.country_not_listed"}},
		{name: "country not told", entries: byID, ask: ask("home", ""), verdict: Conditional, codes: []string{"entry.country_needed"}, needs: []string{"country"}},
		{name: "no country in common", entries: inUS, ask: ask("home", ""), verdict: NotAuthorized, codes: []string{"signal.country_not_listed"}},
		{name: "country of the entry", entries: inUS, ask: ask("auto", "DE"), verdict: NotAuthorized, codes: []string{"entry.country_not_listed"}},
		{name: "in a catalog", members: catalog[2:], entries: byID, ask: ask("boat", ""), verdict: NotAuthorized, codes: []string{"signal.unknown"}},
		{name: "listed, in a catalog", members: catalog[2:], entries: byID, ask: ask("auto", ""), verdict: Conditional, codes: []string{"signal.in_catalog"}, needs: []string{"signal_catalog"}},
		{name: "placements mean nothing to signals", entries: []string{entry(`"authorization_type": "signal_ids", "signal_ids": ["auto"], "placement_ids": ["top"]`)}, ask: ask("auto", ""), verdict: Authorized, codes: covers1},
	})
}

// TestPlacements is about rules D10.61-65.
func TestPlacements(t *testing.T) {
	t.Parallel()
	with := func(members string) string { return entry(sellsSite + `, ` + members) }
	for _, c := range []struct {
		name    string
		entries []string
		ask     Question
		verdict Verdict
		each    map[string]Verdict
		codes   []string
	}{
		{"D61 listed", []string{with(`"placement_ids": ["top"]`)}, Question{Placements: []string{"top"}}, Authorized,
			map[string]Verdict{"top": Authorized}, []string{"entry.covers"}},
		{"D61 one of two", []string{with(`"placement_ids": ["top"]`)}, Question{Placements: []string{"top", "foot", "top"}}, NotAuthorized,
			map[string]Verdict{"top": Authorized, "foot": NotAuthorized}, []string{"entry.placement_not_listed", "entry.covers"}},
		{"D61 by tag", []string{with(`"placement_tags": ["premium"]`)}, Question{Placements: []string{"top"}}, Authorized,
			map[string]Verdict{"top": Authorized}, []string{"entry.covers"}},
		{"D61 both lists", []string{with(`"placement_ids": ["top", "foot"], "placement_tags": ["premium"]`)}, Question{Placements: []string{"foot"}}, NotAuthorized,
			map[string]Verdict{"foot": NotAuthorized}, []string{"entry.placement_not_listed"}},
		{"D62 on another property", []string{entry(sellsAll + `, "placement_tags": ["premium"]`)}, Question{Property: "site", Placements: []string{"score"}}, NotAuthorized,
			map[string]Verdict{"score": NotAuthorized}, []string{"placement.elsewhere"}},
		{"D62 without limits, on another property", []string{entry(sellsSite)}, Question{Placements: []string{"score"}}, NotAuthorized,
			map[string]Verdict{"score": NotAuthorized}, []string{"placement.elsewhere"}},
		{"D62 by tag of the property", []string{entry(sellsAll)}, Question{Placements: []string{"score"}}, Authorized,
			map[string]Verdict{"score": Authorized}, []string{"entry.covers"}},
		{"D62 in another program", []string{with(`"collections": [{"publisher_domain": "example.com", "collection_ids": ["morning"]}]`)},
			Question{Placements: []string{"show", "top"}, Collections: []CollectionRef{{"", "morning"}}}, NotAuthorized,
			map[string]Verdict{"show": NotAuthorized, "top": Authorized}, []string{"placement.other_collection", "entry.covers"}},
		{"D62 in the program", []string{with(`"collections": [{"publisher_domain": "example.com", "collection_ids": ["morning", "evening"]}]`)},
			Question{Placements: []string{"show"}, Collections: []CollectionRef{{"", "evening"}}}, Authorized,
			map[string]Verdict{"show": Authorized}, []string{"entry.covers"}},
		{"D64 by several entries", []string{with(`"placement_ids": ["top"]`), with(`"placement_ids": ["foot"]`)}, Question{Placements: []string{"top", "foot"}}, Authorized,
			map[string]Verdict{"top": Authorized, "foot": Authorized}, []string{"entry.placement_not_listed", "entry.covers"}},
		{"D64 one under a condition", []string{with(`"placement_ids": ["top"]`), with(`"placement_ids": ["foot"], "countries": ["US"]`)}, Question{Placements: []string{"top", "foot"}}, Conditional,
			map[string]Verdict{"top": Authorized, "foot": Conditional}, []string{"entry.placement_not_listed", "entry.covers", "entry.country_needed"}},
		{"D65 unknown, limited", []string{with(`"placement_ids": ["top"]`)}, Question{Placements: []string{"mars"}}, NotAuthorized,
			map[string]Verdict{"mars": NotAuthorized}, []string{"placement.unknown"}},
		{"D65 unknown, not limited", []string{entry(sellsSite)}, Question{Placements: []string{"mars"}}, Authorized,
			map[string]Verdict{"mars": Authorized}, []string{"placement.unknown", "entry.covers"}},
		{"no entry at all", []string{`{"url": "https://other.example/", "authorized_for": "x", ` + sellsSite + `}`}, Question{Placements: []string{"top"}}, NotAuthorized,
			map[string]Verdict{"top": NotAuthorized}, []string{"agent.not_listed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := c.ask
			q.Publisher, q.Agent, q.At = "example.com", testAgent, testTime
			a, err := Judge(testDocument(t, "direct", "", c.entries...), q)
			if err != nil {
				t.Fatal(err)
			}
			if a.Verdict != c.verdict || !maps.Equal(a.Placements, c.each) || !slices.Equal(codesOf(a.Reasons), c.codes) {
				t.Errorf("got %v %v %q, want %v %v %q", a.Verdict, a.Placements, codesOf(a.Reasons), c.verdict, c.each, c.codes)
			}
		})
	}
	runAnswers(t, []answerCase{
		{name: "D63 none given", entries: []string{with(`"placement_tags": ["premium"]`)}, verdict: Conditional, codes: []string{"entry.placement_needed"}, needs: []string{"placement"}},
		{name: "D61 none left", entries: []string{entry(sellsAll + `, "placement_ids": ["score"]`)}, ask: Question{Property: "app"}, verdict: NotAuthorized, codes: []string{"entry.no_placement"}},
	})
}

// TestMissingTag: that a signal lacks a tag is not said as if its id were not listed.
func TestMissingTag(t *testing.T) {
	t.Parallel()
	for entries, want := range map[string]string{
		`"authorization_type": "signal_tags", "signal_tags": ["intent"]`: `the signal "home" has none of the entry's signal_tags`,
		`"authorization_type": "signal_ids", "signal_ids": ["auto"]`:     `the entry does not list "home"`,
	} {
		a, err := Judge(testDocument(t, "direct", "", entry(entries)), Question{Publisher: "example.com", Agent: testAgent, Signal: "home", At: testTime})
		if err != nil || len(a.Reasons) != 1 || a.Reasons[0].Code != "signal.not_covered" || a.Reasons[0].Message != want {
			t.Errorf("%s: %+v %v", entries, a, err)
		}
	}
}
