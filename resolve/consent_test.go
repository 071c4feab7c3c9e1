package resolve

import (
	"strings"
	"testing"
)

// TestConfirmed: a claim over another publisher's property is confirmed by an entry of
// that publisher's own file which holds then and there and covers that property.
func TestConfirmed(t *testing.T) {
	t.Parallel()
	network := selectorsJSON("", `{"publisher_domain": "a.com", "selection_type": "by_id", "property_ids": ["one"]}`)
	own := func(entries ...string) map[string]string {
		return map[string]string{"a.com": `{"properties": [` + websiteJSON("one", "a.com", `, "tags": ["x"]`) + `, ` + websiteJSON("two", "m.a.com", "") + `],
			"placements": [{"placement_id": "top", "name": "Top", "property_ids": ["one"]}, {"placement_id": "low", "name": "Low", "property_ids": ["two"]}],
			"authorized_agents": [` + strings.Join(entries, ", ") + `]}`}
	}
	sells := `"authorization_type": "property_ids", "property_ids": ["one"]`
	var cases []listCase
	for _, c := range []struct {
		name, entry string
		o           ListOptions
		confirmed   bool
		partly      bool   // the publisher lets the agent sell something else
		need        string // what its entry depends on
	}{
		{"by id", sells, ListOptions{}, true, false, ""},
		{"by tag", `"authorization_type": "property_tags", "property_tags": ["x"]`, ListOptions{}, true, false, ""},
		{"by selector", `"authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domains": ["b.com", "A.com"], "selection_type": "by_tag", "property_tags": ["x"]}]`, ListOptions{}, true, false, ""},
		{"in the entry", `"authorization_type": "inline_properties", "properties": [` + websiteJSON("one", "a.com", "") + `]`, ListOptions{}, true, false, ""},
		{"another property", `"authorization_type": "property_ids", "property_ids": ["two"]`, ListOptions{}, false, true, ""},
		{"of another publisher", `"authorization_type": "publisher_properties", "publisher_properties": [` + allOfB + `]`, ListOptions{}, false, false, ""},
		{"in the entry, of another publisher", `"authorization_type": "inline_properties", "properties": [` + websiteJSON("one", "a.com", `, "publisher_domain": "b.com"`) + `]`, ListOptions{}, false, false, ""},
		{"over", sells + `, "effective_until": "2020-01-01T00:00:00Z"`, ListOptions{}, false, false, ""},
		{"not yet", sells + `, "effective_from": "2099-01-01T00:00:00Z"`, ListOptions{}, false, false, ""},
		{"without effect", sells + `, "countries": []`, ListOptions{}, false, false, ""},
		{"in a country", sells + `, "countries": ["DE"]`, ListOptions{Country: "DE"}, true, false, ""},
		{"in some country", sells + `, "countries": ["DE"]`, ListOptions{}, true, false, "entry.country_needed"},
		{"in another country", sells + `, "countries": ["DE"]`, ListOptions{Country: "US"}, false, false, ""},
		{"on a placement", sells + `, "placement_ids": ["top"]`, ListOptions{}, true, false, "entry.placement_needed"},
		{"on a placement of another property", strings.Replace(sells, `["one"]`, `["one", "two"]`, 1) + `, "placement_ids": ["low"]`, ListOptions{}, false, true, ""},
		{"on a placement elsewhere", sells + `, "placement_ids": ["low"]`, ListOptions{}, false, false, ""},
	} {
		lc := listCase{
			name: c.name, network: network, others: own(entry(c.entry)), o: c.o, asked: 1, verdict: Conditional,
			want: []string{"a.com one federated claim /properties/0"}, states: []string{"a.com 1 usable"}, codes: []string{"selector.unconfirmed"},
		}
		if c.confirmed {
			lc.verdict, lc.want, lc.codes = Authorized, []string{"a.com one federated confirmed /properties/0"}, []string{"entry.covers"}
		}
		if c.confirmed || c.partly {
			lc.states = []string{"a.com 1 usable confirmed"}
		}
		if c.need != "" {
			lc.verdict, lc.codes = Conditional, []string{c.need}
		}
		cases = append(cases, lc)
	}
	runListings(t, cases)
}

// TestForeignMissing: a property that its publisher's usable file does not have is not
// listed, whatever the entry that names it (E62, D49).
func TestForeignMissing(t *testing.T) {
	t.Parallel()
	foreign := websiteJSON("nyt", "a.com", `, "publisher_domain": "a.com", "tags": ["x"]`)
	top := func(more string) string {
		return `{"properties": [` + foreign + `], "authorized_agents": [` + entry(more) + `]}`
	}
	own := `{"properties": [` + websiteJSON("other", "a.com", "") + `], "authorized_agents": [` + entry(`"authorization_type": "property_ids", "property_ids": ["other"]`) + `]}`
	unnamed := strings.Replace(foreign, `"property_id": "nyt", `, "", 1)
	if unnamed == foreign {
		t.Fatal("the id is still there")
	}
	codes := []string{"selector.diverges", "property.not_covered", "selector.no_match"}
	var cases []listCase
	for name, network := range map[string]string{
		"by id":        top(`"authorization_type": "property_ids", "property_ids": ["nyt"]`),
		"by tag":       top(`"authorization_type": "property_tags", "property_tags": ["x"]`),
		"in the entry": `{"authorized_agents": [` + entry(`"authorization_type": "inline_properties", "properties": [`+foreign+`]`) + `]}`,
	} {
		cases = append(cases, listCase{name: name, network: network, method: "direct", others: map[string]string{"a.com": own}, verdict: NotAuthorized,
			states: []string{"a.com 0 usable confirmed selector.no_match"}, codes: codes, asked: 1})
	}
	same := strings.Replace(own, `"property_id": "other", `, "", 1)
	cases = append(cases,
		listCase{name: "without an id, known by its identifiers", network: `{"authorized_agents": [` + entry(`"authorization_type": "inline_properties", "properties": [`+unnamed+`]`) + `]}`, method: "direct",
			others: map[string]string{"a.com": same}, verdict: Conditional, want: []string{"a.com  inline claim /authorized_agents/0/properties/0"},
			states: []string{"a.com 1 usable"}, codes: []string{"selector.unconfirmed"}, asked: 1},
		listCase{name: "without an id", network: `{"authorized_agents": [` + entry(`"authorization_type": "inline_properties", "properties": [`+strings.Replace(unnamed, `"value": "a.com"`, `"value": "w.a.com"`, 1)+`]`) + `]}`, method: "direct",
			others: map[string]string{"a.com": own}, verdict: NotAuthorized,
			states: []string{"a.com 0 usable confirmed selector.no_match"}, codes: codes[1:], asked: 1},
	)
	runListings(t, cases)
}

// TestInlineYields: what the publisher's own file says counts when it was asked for
// anyway, and the file at hand when the own file is of no use.
func TestInlineYields(t *testing.T) {
	t.Parallel()
	parent := `"properties": [` + websiteJSON("p1", "a.com", `, "publisher_domain": "a.com", "tags": ["x"]`) + `],`
	network := selectorsJSON(parent, `{"publisher_domain": "a.com", "selection_type": "by_tag", "property_tags": ["x"]}`, `{"publisher_domain": "a.com", "selection_type": "by_id", "property_ids": ["p9"]}`)
	own := `{"properties": [` + websiteJSON("p9", "a.com", "") + `], "authorized_agents": []}`
	inline := ListOptions{Inline: true}
	runListings(t, []listCase{
		{name: "asked anyway", network: network, others: map[string]string{"a.com": own}, o: inline, verdict: Conditional,
			want: []string{"a.com p9 federated claim /properties/0"}, states: []string{"a.com 1 usable"},
			codes: []string{"selector.diverges", "selector.unconfirmed"}, asked: 1},
		{name: "of no use", network: network, others: map[string]string{"a.com": "down"}, o: inline, verdict: Conditional,
			want: []string{"a.com p1 inline claim /properties/0"}, states: []string{"a.com 1 unreachable selector.publisher_unreachable"},
			codes: []string{"selector.unconfirmed", "selector.publisher_unreachable"}, asked: 1},
		{name: "of no use, not allowed", network: network, others: map[string]string{"a.com": "down"}, verdict: NotAuthorized,
			states: []string{"a.com 0 unreachable selector.publisher_unreachable"},
			codes:  []string{"property.not_covered", "selector.publisher_unreachable"}, asked: 1},
	})
}
