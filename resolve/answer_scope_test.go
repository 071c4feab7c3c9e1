package resolve

import (
	"strings"
	"testing"
)

// TestScope is about rules D3.14-18 and D3.20-22.
func TestScope(t *testing.T) {
	t.Parallel()
	tags := entry(`"authorization_type": "property_tags", "property_tags": ["sport", "none"]`)
	inline := entry(`"authorization_type": "inline_properties", "properties": [
	  {"property_id": "radio", "property_type": "radio", "name": "Radio", "identifiers": [{"type": "station_id", "value": "R1"}]},
	  {"property_id": "broken", "property_type": "website", "name": "Broken"}]`)
	runAnswers(t, []answerCase{
		{name: "D14 by id", entries: []string{entry(sellsSite)}, ask: Question{Property: "site"}, verdict: Authorized, codes: covers1},
		{name: "D14 another id", entries: []string{entry(sellsSite)}, ask: Question{Property: "app"}, verdict: NotAuthorized, codes: []string{"property.not_covered"}},
		{name: "D14 case counts", entries: []string{entry(sellsSite)}, ask: Question{Property: "Site"}, verdict: NotAuthorized, codes: []string{"property.unknown"}},
		{name: "D14 inline properties are not searched", entries: []string{entry(`"authorization_type": "property_ids", "property_ids": ["site", "radio"]`), inline},
			ask: Question{Property: "radio"}, verdict: Authorized, codes: []string{"property.unknown", "entry.covers"}},
		{name: "D15 by tag", entries: []string{tags}, ask: Question{Property: "sports"}, verdict: Authorized, codes: covers1},
		{name: "D15 another tag", entries: []string{tags}, ask: Question{Property: "site"}, verdict: NotAuthorized, codes: []string{"property.not_covered"}},
		{name: "D15 the map of tags is documentation", members: `, "tags": {"none": {"name": "None", "description": "Nothing has it"}}`,
			entries: []string{entry(`"authorization_type": "property_tags", "property_tags": ["none"]`)}, verdict: NotAuthorized, codes: []string{"entry.inert"}},
		{name: "D16 inline", entries: []string{inline}, ask: Question{Property: "radio"}, verdict: Authorized, codes: covers1},
		{name: "D16 top level is not included", entries: []string{inline}, ask: Question{Property: "site"}, verdict: NotAuthorized, codes: []string{"property.not_covered"}},
		{name: "D17 selectors of the publisher itself", entries: []string{entry(`"authorization_type": "publisher_properties", "publisher_properties": [
		  {"publisher_domain": "Example.com", "selection_type": "by_id", "property_ids": ["site"]}, {"publisher_domains": ["example.org", "example.com"], "selection_type": "by_tag", "property_tags": ["news", "sport"]}]`)},
			verdict: Authorized, codes: covers1},
		{name: "D18 signals are not properties", entries: []string{entry(`"authorization_type": "signal_ids", "signal_ids": ["auto"]`)},
			verdict: Conditional, needs: []string{"signal"}, codes: []string{"entry.signals_only", "entry.signal_needed"}},
		{name: "D18 signals are not properties, even if one is named", entries: []string{entry(`"authorization_type": "signal_ids", "signal_ids": ["auto"]`)},
			ask: Question{Property: "site"}, verdict: NotAuthorized, codes: []string{"entry.signals_only"}},
		{name: "D18 properties are not signals", entries: []string{entry(sellsAll)}, ask: Question{Signal: "auto"}, verdict: NotAuthorized, codes: []string{"entry.properties_only"}},
		{name: "D20 a property that does not conform", entries: []string{inline}, ask: Question{Property: "broken"}, verdict: NotAuthorized, codes: []string{"property.unknown", "property.left_out"}},
		{name: "D21 nothing is inferred", members: `"properties": []`, entries: []string{entry(`"authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "example.com", "selection_type": "all"}]`)},
			ask: Question{Identifier: Identifier{"domain", "example.com"}}, verdict: NotAuthorized, codes: []string{"property.unknown"}},
		{name: "D22 no type authorizes nothing", entries: []string{entry(`"properties": [{"property_type": "website", "name": "S", "identifiers": [{"type": "domain", "value": "example.com"}]}]`)},
			verdict: NotAuthorized, codes: []string{"entry.inert"}},
		{name: "D20 a faulty property asked by its identifier", members: `"properties": [{"property_id": 5, "name": "N", "identifiers": [{"type": "ios_bundle", "value": "a.b"}, {"type": "domain", "value": "example.net"}]}, ` + websiteJSON("site", "example.com", "") + `]`,
			entries: []string{entry(sellsSite)}, ask: Question{Identifier: Identifier{"ios_bundle", "a.b"}}, verdict: NotAuthorized, codes: []string{"property.unknown", "property.left_out"}},
		{name: "D20 a faulty property that was not asked about", members: `"properties": [{"property_id": "site", "name": "N", "identifiers": [{"type": "ios_bundle", "value": "a.b"}, 7]}, ` + websiteJSON("site2", "example.com", "") + `]`,
			entries: []string{entry(`"authorization_type": "property_ids", "property_ids": ["site2"]`)}, ask: Question{Identifier: Identifier{"ios_bundle", "a.c"}}, verdict: NotAuthorized, codes: []string{"property.unknown"}},
		{name: "D21 no property at all", members: `"properties": []`, entries: []string{entry(`"authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "example.com", "selection_type": "all"}]`)},
			verdict: NotAuthorized, codes: []string{"property.unknown"}},
		{name: "D21 nothing is left of what an entry is about", members: `"properties": [` + websiteJSON("site", "example.org", `, "publisher_domain": "example.org"`) + `]`,
			entries: []string{entry(sellsSite)}, verdict: NotAuthorized, codes: []string{"property.unknown", "property.other_publisher"}},
		{name: "selectors of other types are ignored", entries: []string{entry(`"authorization_type": "property_tags", "property_tags": ["sport"], "property_ids": ["site"]`)},
			ask: Question{Property: "site"}, verdict: NotAuthorized, codes: []string{"property.not_covered"}},
	})
}

// TestOwner is about rules D3.23, D5.34 and E62.
func TestOwner(t *testing.T) {
	t.Parallel()
	shared := `"properties": [
	  {"property_id": "a", "property_type": "website", "name": "A", "identifiers": [{"type": "domain", "value": "example.com"}]},
	  {"property_id": "b", "property_type": "website", "name": "B", "identifiers": [{"type": "domain", "value": "example.com"}], "publisher_domain": "EXAMPLE.com."},
	  {"property_id": "c", "property_type": "website", "name": "C", "identifiers": [{"type": "domain", "value": "example.com"}], "publisher_domain": "example.org"},
	  {"property_id": "d", "property_type": "website", "name": "D", "identifiers": [{"type": "domain", "value": "example.net"}]}]`
	all := []string{entry(`"authorization_type": "property_ids", "property_ids": ["a", "b", "c", "d"]`)}
	inline := []string{entry(`"authorization_type": "inline_properties", "properties": [
	  {"property_id": "i", "property_type": "website", "name": "I", "identifiers": [{"type": "domain", "value": "example.com"}]}]`)}
	ask := func(id string) Question { return Question{Property: id} }
	cases := []answerCase{
		{name: "own file, unnamed", method: "direct", entries: all, ask: ask("a"), verdict: Authorized, codes: covers1},
		{name: "file at hand, unnamed", entries: all, ask: ask("a"), verdict: Authorized, codes: covers1},
		{name: "pointer, unnamed and at home", method: "authoritative_location", entries: all, ask: ask("a"), verdict: Authorized, codes: covers1},
		{name: "pointer, unnamed", method: "authoritative_location", entries: all, ask: ask("d"), verdict: NotAuthorized, codes: []string{"property.unknown", "property.no_publisher"}},
		{name: "manager, unnamed", method: "ads_txt_managerdomain", entries: all, ask: ask("a"), verdict: NotAuthorized, codes: []string{"property.unknown", "property.no_publisher"}},
		{name: "own file, named", method: "direct", entries: all, ask: ask("b"), verdict: Authorized, codes: covers1},
		{name: "pointer, named", method: "authoritative_location", entries: all, ask: ask("b"), verdict: Authorized, codes: covers1},
		{name: "another publisher's, direct", method: "direct", entries: all, ask: ask("c"), verdict: NotAuthorized, codes: []string{"property.unknown", "property.other_publisher"}},
		{name: "another publisher's, pointer", method: "authoritative_location", entries: all, ask: ask("c"), verdict: NotAuthorized, codes: []string{"property.unknown", "property.other_publisher"}},
		{name: "inline, own file", method: "direct", entries: inline, ask: ask("i"), verdict: Authorized, codes: covers1},
		{name: "inline, manager", method: "ads_txt_managerdomain", entries: inline, ask: ask("i"), verdict: NotAuthorized, codes: []string{"property.unknown", "property.no_publisher"}},
	}
	for i := range cases {
		cases[i].members = shared
	}
	runAnswers(t, cases)
}

// TestIdentifiers is about rules D4.24-32.
func TestIdentifiers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind, typ, value string
		asked            Identifier
		want             bool
	}{
		{"website", "domain", "example.com", Identifier{"domain", "example.com"}, true},
		{"website", "domain", "example.com", Identifier{"domain", "WWW.example.com."}, true},
		{"website", "domain", "example.com", Identifier{"domain", "m.example.com"}, true},
		{"website", "domain", "example.com", Identifier{"domain", "api.example.com"}, false},
		{"website", "domain", "example.com", Identifier{"domain", "www.m.example.com"}, false},
		{"website", "domain", "example.co.uk", Identifier{"domain", "www.example.co.uk"}, true},
		{"website", "domain", "victim.github.io", Identifier{"domain", "www.victim.github.io"}, true},
		{"website", "domain", "www.example.com", Identifier{"domain", "example.com"}, false},
		{"website", "domain", "edition.example.com", Identifier{"domain", "www.edition.example.com"}, false},
		{"website", "domain", "*.example.com", Identifier{"domain", "a.b.example.com"}, true},
		{"website", "domain", "*.example.com", Identifier{"domain", "example.com"}, false},
		{"website", "domain", "*.example.com", Identifier{"domain", "notexample.com"}, false},
		{"website", "domain", "*.news.example.com", Identifier{"domain", "a.news.example.com"}, true},
		{"website", "domain", "*.news.example.com", Identifier{"domain", "news.example.com"}, false},
		{"podcast", "domain", "example.com", Identifier{"domain", "www.example.com"}, false},
		{"podcast", "domain", "example.com", Identifier{"domain", "example.com"}, true},
		{"website", "subdomain", "news.example.com", Identifier{"subdomain", "News.example.com"}, true},
		{"website", "subdomain", "news.example.com", Identifier{"domain", "news.example.com"}, false},
		{"mobile_app", "ios_bundle", "com.facebook.Facebook", Identifier{"ios_bundle", "com.facebook.Facebook"}, true},
		{"mobile_app", "ios_bundle", "com.facebook.Facebook", Identifier{"ios_bundle", "com.facebook.facebook"}, false},
		{"mobile_app", "ios_bundle", "com.facebook.Facebook", Identifier{"android_package", "com.facebook.Facebook"}, false},
		{"podcast", "rss_url", "https://Feeds.example.com:443/a", Identifier{"rss_url", "https://feeds.example.com/a"}, true},
		{"podcast", "rss_url", "https://feeds.example.com/a", Identifier{"rss_url", "https://feeds.example.com/A"}, false},
	} {
		t.Run(c.value+" "+c.asked.Value, func(t *testing.T) {
			t.Parallel()
			doc := testDocument(t, "direct", `"properties": [{"property_id": "x", "property_type": "`+c.kind+`", "name": "X", "identifiers": [{"type": "other_id", "value": "1"}, {"type": "`+c.typ+`", "value": "`+c.value+`"}]}]`,
				entry(`"authorization_type": "property_ids", "property_ids": ["x"]`))
			a, err := Judge(doc, Question{Publisher: "example.com", Agent: testAgent, Identifier: c.asked, At: testTime})
			if err != nil {
				t.Fatal(err)
			}
			if (a.Verdict == Authorized) != c.want {
				t.Errorf("got %v %+v", a.Verdict, a.Reasons)
			}
		})
	}
	runAnswers(t, []answerCase{
		{name: "D32 type agrees", entries: []string{entry(sellsAll)}, ask: Question{Identifier: Identifier{"domain", "example.com"}, PropertyType: "website"}, verdict: Authorized, codes: covers1},
		{name: "D32 type differs", entries: []string{entry(sellsAll)}, ask: Question{Identifier: Identifier{"domain", "example.com"}, PropertyType: "ctv_app"}, verdict: NotAuthorized,
			codes: []string{"property.unknown", "property.other_type"}},
		{name: "D31 type of the identifier differs", entries: []string{entry(sellsAll)}, ask: Question{Identifier: Identifier{"android_package", "com.Example.App"}}, verdict: NotAuthorized,
			codes: []string{"property.unknown", "property.other_identifier_type"}},
		{name: "id and identifier agree", entries: []string{entry(sellsAll)}, ask: Question{Property: "site", Identifier: Identifier{"domain", "www.example.com"}}, verdict: Authorized, codes: covers1},
		{name: "id and identifier disagree", entries: []string{entry(sellsAll)}, ask: Question{Property: "app", Identifier: Identifier{"domain", "www.example.com"}}, verdict: NotAuthorized, codes: []string{"property.unknown", "property.other_identifier"}},
		{name: "an id is not a domain", entries: []string{entry(sellsAll)}, ask: Question{Identifier: Identifier{"domain", "site.example"}}, verdict: NotAuthorized, codes: []string{"property.unknown"}},
	})
}

// TestOwnSelectors is about rules D5.33-35 and D6.39.
func TestOwnSelectors(t *testing.T) {
	t.Parallel()
	sel := func(list string) []string {
		return []string{entry(`"authorization_type": "publisher_properties", "publisher_properties": [` + list + `]`)}
	}
	runAnswers(t, []answerCase{
		{name: "D33 all", entries: sel(`{"publisher_domain": "example.com", "selection_type": "all"}`), ask: Question{Property: "app"}, verdict: Authorized, codes: covers1},
		{name: "D33 by_id", entries: sel(`{"publisher_domain": "example.com", "selection_type": "by_id", "property_ids": ["site"]}`), ask: Question{Property: "app"}, verdict: NotAuthorized, codes: []string{"property.not_covered"}},
		{name: "D33 by_tag", entries: sel(`{"publisher_domains": ["example.com"], "selection_type": "by_tag", "property_tags": ["mobile"]}`), ask: Question{Property: "app"}, verdict: Authorized, codes: covers1},
		{name: "D35 a bad selector beside a good one", entries: sel(`{"publisher_domain": "example.com"}, {"publisher_domain": "example.com", "selection_type": "all"}`), verdict: Authorized, codes: covers1},
		{name: "www is another publisher", entries: sel(`{"publisher_domain": "www.example.com", "selection_type": "all"}`), verdict: NotAuthorized, codes: []string{"property.not_covered"}},
		{name: "a claim over another publisher", entries: sel(`{"publisher_domain": "example.org", "selection_type": "all"}`), verdict: NotAuthorized, codes: []string{"property.not_covered"}},
	})
}

// TestRevocation is about rules D8.50-53.
func TestRevocation(t *testing.T) {
	t.Parallel()
	revoke := func(domain string) string {
		return `, "revoked_publisher_domains": [{"publisher_domain": "` + domain + `", "revoked_at": "2026-01-01T00:00:00Z"}]`
	}
	named := func(revoked string) string {
		return `"properties": [
	  {"property_id": "site", "property_type": "website", "name": "A", "identifiers": [{"type": "domain", "value": "example.com"}], "publisher_domain": "example.com"},
	  {"property_id": "other", "property_type": "website", "name": "B", "identifiers": [{"type": "domain", "value": "example.org"}]},
	  {"property_id": "app", "property_type": "mobile_app", "name": "C", "identifiers": [{"type": "ios_bundle", "value": "org.example"}], "publisher_domain": "example.com"}]` + revoke(revoked)
	}
	all := []string{entry(`"authorization_type": "property_ids", "property_ids": ["site", "other", "app"]`)}
	bare := `, "revoked_publisher_domains": ["EXAMPLE.com."]`
	runAnswers(t, []answerCase{
		{name: "D53 the publisher itself", members: revoke("example.com"), entries: []string{entry(sellsAll)}, verdict: NotAuthorized, codes: []string{"publisher.revoked"}},
		{name: "D53 written otherwise", members: bare, entries: []string{entry(sellsAll)}, verdict: NotAuthorized, codes: []string{"publisher.revoked"}},
		{name: "D53 without a date", members: `, "revoked_publisher_domains": [{"publisher_domain": "example.com"}]`, entries: []string{entry(sellsAll)}, verdict: NotAuthorized, codes: []string{"publisher.revoked"}},
		{name: "D53 a signal", members: revoke("example.com"), entries: []string{entry(`"authorization_type": "signal_ids", "signal_ids": ["auto"]`)}, ask: Question{Signal: "auto"}, verdict: NotAuthorized, codes: []string{"publisher.revoked"}},
		{name: "D52 www is another domain", members: revoke("www.example.com"), entries: []string{entry(sellsAll)}, verdict: Authorized, codes: covers1},
		{name: "D51 by a host of the property", members: named("example.org"), entries: all, ask: Question{Property: "other"}, verdict: NotAuthorized, codes: []string{"property.unknown", "property.owner_revoked"}},
		{name: "D51 by a host of the property, asked by host", members: named("example.org"), entries: all, ask: Question{Identifier: Identifier{"domain", "www.example.org"}}, verdict: NotAuthorized, codes: []string{"property.unknown", "property.owner_revoked"}},
		{name: "D51 by its publisher", members: strings.Replace(named("example.org"), `"ios_bundle", "value": "org.example"}], "publisher_domain": "example.com"`, `"ios_bundle", "value": "org.example"}], "publisher_domain": "example.org"`, 1),
			entries: all, ask: Question{Property: "app"}, verdict: NotAuthorized, codes: []string{"property.unknown", "property.owner_revoked"}},
		{name: "D52 others survive", members: named("example.org"), entries: all, ask: Question{Property: "app"}, verdict: Authorized, codes: covers1},
		{name: "D51 collections", members: revoke("example.org"), entries: []string{entry(sellsSite + `, "collections": [{"publisher_domain": "example.org", "collection_ids": ["x"]}]`)},
			ask: Question{Collections: []CollectionRef{{"example.org", "x"}}}, verdict: NotAuthorized, codes: []string{"entry.collections_revoked"}},
		{name: "D12 an empty list stays one", members: revoke("example.com"), verdict: NoneAsserted, codes: []string{"file.none_asserted"}},
	})
}
