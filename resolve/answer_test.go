package resolve

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/adagents"
)

const (
	testAgent = "https://agent.example/mcp"
	testURL   = "https://example.com/.well-known/adagents.json"
)

var testTime = time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)

// testCatalog is what most questions are about: two sites, an app, placements on
// them, a program and two signals of example.com.
const testCatalog = `"properties": [
  {"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "example.com"}], "tags": ["news"]},
  {"property_id": "sports", "property_type": "website", "name": "Sports", "identifiers": [{"type": "domain", "value": "sports.example.com"}], "tags": ["sport", "live"]},
  {"property_id": "app", "property_type": "mobile_app", "name": "App", "identifiers": [{"type": "ios_bundle", "value": "com.Example.App"}], "tags": ["mobile"]}],
"collections": [{"collection_id": "morning", "name": "Morning"}, {"collection_id": "evening", "name": "Evening"}],
"placements": [
  {"placement_id": "top", "name": "Top", "property_ids": ["site"], "tags": ["premium"]},
  {"placement_id": "foot", "name": "Foot", "property_ids": ["site"]},
  {"placement_id": "score", "name": "Score", "property_tags": ["sport"], "tags": ["premium"]},
  {"placement_id": "show", "name": "Show", "property_ids": ["site"], "collection_ids": ["evening"]}],
"signals": [
  {"id": "auto", "name": "Auto", "value_type": "binary", "tags": ["intent"]},
  {"id": "home", "name": "Home", "value_type": "binary", "tags": ["place"], "countries": ["DE", "FR"]}]`

// entry writes an agent entry of the test agent with further members.
func entry(members string) string {
	return `{"url": "` + testAgent + `", "authorized_for": "Inventory", ` + members + `}`
}

const (
	sellsSite = `"authorization_type": "property_ids", "property_ids": ["site"]`
	sellsAll  = `"authorization_type": "property_ids", "property_ids": ["site", "sports", "app"]`
)

func testFile(tb testing.TB, src string) *adagents.File {
	tb.Helper()
	f, err := adagents.Parse([]byte(src))
	if err != nil {
		tb.Fatalf("the file is not usable: %v\n%s", err, src)
	}
	return f
}

// testDocument is a file found in the given way, with the test catalog unless it
// has properties of its own.
func testDocument(tb testing.TB, method, members string, entries ...string) *Document {
	tb.Helper()
	if !strings.Contains(members, `"properties"`) {
		members = testCatalog + members
	}
	src := `{` + members + `, "authorized_agents": [` + strings.Join(entries, ",\n") + `]}`
	return &Document{Publisher: "example.com", State: Usable, File: testFile(tb, src), Method: method, URL: testURL, SHA256: "00", FetchedAt: testTime}
}

func codesOf(list []Reason) []string {
	var out []string
	for i := range list {
		out = union(out, []string{list[i].Code})
	}
	return out
}

type answerCase struct {
	name    string
	method  string
	members string
	entries []string
	ask     Question // Publisher, Agent and At are filled in
	verdict Verdict
	codes   []string // all of the answer's
	needs   []string
}

func runAnswers(t *testing.T, cases []answerCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := c.ask
			if q.Publisher == "" {
				q.Publisher = "example.com"
			}
			if q.Agent == "" {
				q.Agent = testAgent
			}
			if q.At.IsZero() {
				q.At = testTime
			}
			a, err := Judge(testDocument(t, c.method, c.members, c.entries...), q)
			if err != nil {
				t.Fatal(err)
			}
			if a.Verdict != c.verdict || !slices.Equal(codesOf(a.Reasons), c.codes) || !slices.Equal(a.Needs, c.needs) {
				t.Errorf("got %v %q needs %q, want %v %q needs %q\n%+v", a.Verdict, codesOf(a.Reasons), a.Needs, c.verdict, c.codes, c.needs, a.Reasons)
			}
			if (len(a.Grants) > 0) != (a.Verdict >= Conditional) && len(q.Placements) == 0 {
				t.Errorf("%d grants with %v", len(a.Grants), a.Verdict)
			}
		})
	}
}

var covers1 = []string{"entry.covers"}

// TestAgentURL is about rules D1.1-9.
func TestAgentURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		listed, asked string
		verdict       Verdict
		near          bool
	}{
		{"https://agent.example/mcp", "HTTPS://agent.example/mcp", Authorized, false},
		{"https://agent.example/mcp", "http://agent.example/mcp", NotAuthorized, true},
		{"https://AGENT.example/mcp", "https://agent.example./mcp", Authorized, false},
		{"https://bücher.example/mcp", "https://xn--bcher-kva.example/mcp", Authorized, false},
		{"https://agent.example/mcp", "https://user:secret@agent.example/mcp", Authorized, false},
		{"https://agent.example:443/mcp", "https://agent.example/mcp", Authorized, false},
		{"https://agent.example/mcp", "https://agent.example:8443/mcp", NotAuthorized, false},
		{"https://agent.example", "https://agent.example/", Authorized, false},
		{"https://agent.example/a/../mcp", "https://agent.example/mcp", Authorized, false},
		{"https://agent.example//mcp", "https://agent.example/mcp", NotAuthorized, false},
		{"https://agent.example/%7emcp", "https://agent.example/~mcp", Authorized, false},
		{"https://agent.example/mcp?a=1", "https://agent.example/mcp?a=1", Authorized, false},
		{"https://agent.example/mcp", "https://agent.example/mcp?", NotAuthorized, false},
		{"https://agent.example/mcp", "https://agent.example/mcp#part", Authorized, false},
		{"https://agent.example/mcp", "https://agent.example/mcp/", NotAuthorized, true},
		{"https://agent.example/mcp", "https://agent.example/MCP", NotAuthorized, true},
		{"https://agent.example/mcp", "https://other.example/mcp", NotAuthorized, false},
	} {
		t.Run(c.listed+" "+c.asked, func(t *testing.T) {
			t.Parallel()
			doc := testDocument(t, "direct", "", `{"url": "`+c.listed+`", "authorized_for": "Inventory", `+sellsSite+`}`)
			a, err := Judge(doc, Question{Publisher: "example.com", Agent: c.asked, At: testTime})
			if err != nil {
				t.Fatal(err)
			}
			near := slices.Contains(codesOf(a.Reasons), "agent.near_miss")
			if a.Verdict != c.verdict || near != c.near || near && !slices.ContainsFunc(a.Changes, func(s string) bool { return strings.Contains(s, "agent.example/mcp") }) {
				t.Errorf("got %v, near miss %v, changes %q", a.Verdict, near, a.Changes)
			}
		})
	}
}

// TestEntries is about rules D2.10-13.
func TestEntries(t *testing.T) {
	t.Parallel()
	other := `{"url": "https://other.example/mcp", "authorized_for": "Inventory", ` + sellsSite + `}`
	runAnswers(t, []answerCase{
		{name: "D10 entries are united", entries: []string{
			entry(sellsSite + `, "countries": ["US"]`), entry(sellsSite + `, "countries": ["DE"]`),
		}, ask: Question{Country: "de"}, verdict: Authorized, codes: []string{"entry.country_not_listed", "entry.covers"}},
		{name: "D10 authorized wins over conditional", entries: []string{
			entry(sellsSite + `, "countries": ["US"]`), entry(sellsSite),
		}, verdict: Authorized, codes: []string{"entry.country_needed", "entry.covers"}},
		{name: "D11 an inert entry spoils no other", entries: []string{
			entry(`"authorization_type": "everything"`), entry(sellsSite),
		}, verdict: Authorized, codes: []string{"entry.inert", "entry.covers"}},
		{name: "D11 only inert entries", entries: []string{entry(`"property_ids": ["site"]`)}, verdict: NotAuthorized, codes: []string{"entry.inert"}},
		{name: "D11 an entry that is no entry", entries: []string{`"` + testAgent + `"`}, verdict: NotAuthorized, codes: []string{"agent.not_listed"}},
		{name: "D12 nobody is listed", verdict: NoneAsserted, codes: []string{"file.none_asserted"}},
		{name: "D13 the agent is not listed", entries: []string{other}, verdict: NotAuthorized, codes: []string{"agent.not_listed"}},
	})
}

// TestWithoutFile is about rule D2.13: no file is not a no.
func TestWithoutFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		doc     *Document
		verdict Verdict
		code    string
		message string
	}{
		{&Document{Publisher: "example.com", State: Absent}, Unverified, "file.absent", "the publisher has no file, so there is nothing to verify against"},
		{&Document{Publisher: "example.com", State: Unreachable, Detail: "time out"}, Unverified, "file.unreachable", "it could not be found out whether the publisher has a file: time out"},
		{&Document{Publisher: "example.com", State: Unusable, Detail: "not JSON"}, UnusableFile, "file.unusable", "the publisher has a file that must not be used: not JSON"},
		{&Document{Publisher: "example.com", State: Usable}, UnusableFile, "file.unusable", "the publisher has a file that must not be used: the source has no content of the file"},
		{nil, Unverified, "file.unreachable", "it could not be found out whether the publisher has a file: the source has no answer"},
	} {
		a, err := Judge(c.doc, Question{Publisher: "example.com", Agent: testAgent, At: testTime, Placements: []string{"top"}})
		if err != nil {
			t.Fatal(err)
		}
		if a.Verdict != c.verdict || len(a.Reasons) != 1 || a.Reasons[0].Code != c.code || a.Reasons[0].Message != c.message || len(a.Changes) != 1 {
			t.Errorf("%+v: got %+v", c.doc, a)
		}
		if a.Placements["top"] != c.verdict || len(a.Evidence) != 1 || a.Evidence[0].Publisher != "example.com" {
			t.Errorf("%+v: got %+v", c.doc, a)
		}
	}
}

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
			verdict: NotAuthorized, codes: []string{"entry.signals_only"}},
		{name: "D18 properties are not signals", entries: []string{entry(sellsAll)}, ask: Question{Signal: "auto"}, verdict: NotAuthorized, codes: []string{"entry.properties_only"}},
		{name: "D20 a property that does not conform", entries: []string{inline}, ask: Question{Property: "broken"}, verdict: NotAuthorized, codes: []string{"property.left_out"}},
		{name: "D21 nothing is inferred", members: `"properties": []`, entries: []string{entry(`"authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "example.com", "selection_type": "all"}]`)},
			ask: Question{Identifier: Identifier{"domain", "example.com"}}, verdict: NotAuthorized, codes: []string{"property.unknown"}},
		{name: "D22 no type authorizes nothing", entries: []string{entry(`"properties": [{"property_type": "website", "name": "S", "identifiers": [{"type": "domain", "value": "example.com"}]}]`)},
			verdict: NotAuthorized, codes: []string{"entry.inert"}},
		{name: "D20 a faulty property asked by its identifier", members: `"properties": [{"property_id": 5, "name": "N", "identifiers": [{"type": "ios_bundle", "value": "a.b"}, {"type": "domain", "value": "example.net"}]}, ` + websiteJSON("site", "example.com", "") + `]`,
			entries: []string{entry(sellsSite)}, ask: Question{Identifier: Identifier{"ios_bundle", "a.b"}}, verdict: NotAuthorized, codes: []string{"property.left_out"}},
		{name: "D20 a faulty property that was not asked about", members: `"properties": [{"property_id": "site", "name": "N", "identifiers": [{"type": "ios_bundle", "value": "a.b"}, 7]}, ` + websiteJSON("site2", "example.com", "") + `]`,
			entries: []string{entry(`"authorization_type": "property_ids", "property_ids": ["site2"]`)}, ask: Question{Identifier: Identifier{"ios_bundle", "a.c"}}, verdict: NotAuthorized, codes: []string{"property.unknown"}},
		{name: "D21 no property at all", members: `"properties": []`, entries: []string{entry(`"authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "example.com", "selection_type": "all"}]`)},
			verdict: NotAuthorized, codes: []string{"property.unknown"}},
		{name: "D21 nothing is left of what an entry is about", members: `"properties": [` + websiteJSON("site", "example.org", `, "publisher_domain": "example.org"`) + `]`,
			entries: []string{entry(sellsSite)}, verdict: NotAuthorized, codes: []string{"property.other_publisher"}},
		{name: "selectors of other types do not count", entries: []string{entry(`"authorization_type": "property_tags", "property_tags": ["sport"], "property_ids": ["site"]`)},
			ask: Question{Property: "site"}, verdict: NotAuthorized, codes: []string{"property.not_covered"}},
	})
}

// TestOwner is about rules D3.23, D5.34 and E62.
func TestOwner(t *testing.T) {
	t.Parallel()
	shared := `"properties": [
	  {"property_id": "a", "property_type": "website", "name": "A", "identifiers": [{"type": "domain", "value": "example.com"}]},
	  {"property_id": "b", "property_type": "website", "name": "B", "identifiers": [{"type": "domain", "value": "example.com"}], "publisher_domain": "EXAMPLE.com."},
	  {"property_id": "c", "property_type": "website", "name": "C", "identifiers": [{"type": "domain", "value": "example.com"}], "publisher_domain": "example.org"}]`
	all := []string{entry(`"authorization_type": "property_ids", "property_ids": ["a", "b", "c"]`)}
	inline := []string{entry(`"authorization_type": "inline_properties", "properties": [
	  {"property_id": "i", "property_type": "website", "name": "I", "identifiers": [{"type": "domain", "value": "example.com"}]}]`)}
	ask := func(id string) Question { return Question{Property: id} }
	cases := []answerCase{
		{name: "own file, unnamed", method: "direct", entries: all, ask: ask("a"), verdict: Authorized, codes: covers1},
		{name: "file at hand, unnamed", entries: all, ask: ask("a"), verdict: Authorized, codes: covers1},
		{name: "pointer, unnamed", method: "authoritative_location", entries: all, ask: ask("a"), verdict: NotAuthorized, codes: []string{"property.no_publisher"}},
		{name: "manager, unnamed", method: "ads_txt_managerdomain", entries: all, ask: ask("a"), verdict: NotAuthorized, codes: []string{"property.no_publisher"}},
		{name: "own file, named", method: "direct", entries: all, ask: ask("b"), verdict: Authorized, codes: covers1},
		{name: "pointer, named", method: "authoritative_location", entries: all, ask: ask("b"), verdict: Authorized, codes: covers1},
		{name: "another publisher's, direct", method: "direct", entries: all, ask: ask("c"), verdict: NotAuthorized, codes: []string{"property.other_publisher"}},
		{name: "another publisher's, pointer", method: "authoritative_location", entries: all, ask: ask("c"), verdict: NotAuthorized, codes: []string{"property.other_publisher"}},
		{name: "inline, own file", method: "direct", entries: inline, ask: ask("i"), verdict: Authorized, codes: covers1},
		{name: "inline, manager", method: "ads_txt_managerdomain", entries: inline, ask: ask("i"), verdict: NotAuthorized, codes: []string{"property.no_publisher"}},
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
		{name: "id and identifier disagree", entries: []string{entry(sellsAll)}, ask: Question{Property: "app", Identifier: Identifier{"domain", "www.example.com"}}, verdict: NotAuthorized, codes: []string{"property.unknown"}},
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
		{name: "D51 by a host of the property", members: named("example.org"), entries: all, ask: Question{Property: "other"}, verdict: NotAuthorized, codes: []string{"property.owner_revoked"}},
		{name: "D51 by a host of the property, asked by host", members: named("example.org"), entries: all, ask: Question{Identifier: Identifier{"domain", "www.example.org"}}, verdict: NotAuthorized, codes: []string{"property.owner_revoked"}},
		{name: "D51 by its publisher", members: strings.Replace(named("example.org"), `"ios_bundle", "value": "org.example"}], "publisher_domain": "example.com"`, `"ios_bundle", "value": "org.example"}], "publisher_domain": "example.org"`, 1),
			entries: all, ask: Question{Property: "app"}, verdict: NotAuthorized, codes: []string{"property.owner_revoked"}},
		{name: "D52 others survive", members: named("example.org"), entries: all, ask: Question{Property: "app"}, verdict: Authorized, codes: covers1},
		{name: "D51 collections", members: revoke("example.org"), entries: []string{entry(sellsSite + `, "collections": [{"publisher_domain": "example.org", "collection_ids": ["x"]}]`)},
			ask: Question{Collections: []CollectionRef{{"example.org", "x"}}}, verdict: NotAuthorized, codes: []string{"entry.collections_revoked"}},
		{name: "D12 an empty list stays one", members: revoke("example.com"), verdict: NoneAsserted, codes: []string{"file.none_asserted"}},
	})
}

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

// TestGrant looks at everything a grant tells.
func TestGrant(t *testing.T) {
	t.Parallel()
	doc := testDocument(t, "direct", "", entry(sellsAll+`, "delegation_type": "delegated", "exclusive": true, "countries": ["US"],
	  "placement_tags": ["premium"], "collections": [{"publisher_domain": "example.com", "collection_ids": ["morning"]}],
	  "effective_from": "2026-01-01T00:00:00Z", "effective_until": "2026-12-31T00:00:00Z",
	  "signing_keys": [{"kid": "k1", "kty": "OKP", "alg": "EdDSA", "use": "sig", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]`))
	a, err := New(oneSource{doc}).Answer(t.Context(), Question{Publisher: "example.com", Agent: testAgent, At: testTime, Property: "site"})
	if err != nil {
		t.Fatal(err)
	}
	want := &Answer{
		Verdict: Conditional,
		Grants: []Grant{{
			Entry: "/authorized_agents/0", URL: testURL, AuthorizationType: "property_ids", DelegationType: "delegated", AuthorizedFor: "Inventory", Exclusive: true,
			Properties: []Covered{{PublisherDomain: "example.com", PropertyID: "site", Property: &doc.File.Properties[0], Path: Own, URL: testURL, Pointer: "/properties/0", Confirmed: true}},
			Placements: []string{"top"}, Collections: []CollectionRef{{"example.com", "morning"}}, Countries: []string{"US"},
			From: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC),
			Pinned: true, PinnedKeys: []string{"k1"}, Needs: []string{"country", "collection", "placement"},
		}},
		Needs:    []string{"country", "collection", "placement"},
		Evidence: []Evidence{{Publisher: "example.com", URL: testURL, SHA256: "00", Method: "direct", FetchedAt: testTime, State: Usable}},
		Changes:  []string{"name the country of the sale", "name the collection", "name the placement"},
	}
	for _, code := range []string{"country", "collection", "placement"} {
		want.Reasons = append(want.Reasons, Reason{Code: needs[code].code, URL: testURL, Pointer: "/authorized_agents/0", Message: needs[code].message})
	}
	same := cmp.Comparer(func(a, b *adagents.Property) bool { return a == b })
	if diff := cmp.Diff(want, a, same); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestExclusive is about rule D10.68: others that are called exclusive are facts.
func TestExclusive(t *testing.T) {
	t.Parallel()
	other := func(members string) string {
		return `{"url": "https://other.example/", "authorized_for": "x", "exclusive": true, ` + members + `}`
	}
	radio := func(id string) string {
		return `"authorization_type": "inline_properties", "properties": [{` + id + `"property_type": "radio", "name": "Radio", "identifiers": [{"type": "station_id", "value": "R1"}]}]`
	}
	for _, c := range []struct {
		name    string
		entries []string
		ask     Question
		want    []string
	}{
		{"the same property", []string{entry(sellsSite), other(sellsAll), other(sellsSite)}, Question{}, []string{"https://other.example/"}},
		{"another property", []string{entry(sellsSite), other(`"authorization_type": "property_ids", "property_ids": ["app"]`)}, Question{}, nil},
		{"not then", []string{entry(sellsSite), other(sellsSite + `, "effective_until": "2026-01-01T00:00:00Z"`)}, Question{}, nil},
		{"only somewhere", []string{entry(sellsSite), other(sellsSite + `, "countries": ["US"]`)}, Question{}, nil},
		{"there", []string{entry(sellsSite), other(sellsSite + `, "countries": ["US"]`)}, Question{Country: "US"}, []string{"https://other.example/"}},
		{"without effect", []string{entry(sellsSite), other(sellsSite + `, "countries": []`)}, Question{Country: "US"}, nil},
		{"the agent itself", []string{entry(sellsSite + `, "exclusive": true`)}, Question{}, nil},
		{"nothing of its own", []string{entry(sellsSite), other(`"authorization_type": "property_ids", "property_ids": ["app"]`)}, Question{Property: "app"}, []string{"https://other.example/"}},
		{"copies with an id", []string{entry(radio(`"property_id": "r", `)), other(radio(`"property_id": "r", `))}, Question{}, []string{"https://other.example/"}},
		{"copies without", []string{entry(radio("")), other(radio(""))}, Question{}, nil},
		{"a signal", []string{entry(`"authorization_type": "signal_ids", "signal_ids": ["auto"]`), other(sellsSite)}, Question{Signal: "auto"}, nil},
		{"signals of the other", []string{entry(sellsSite), other(`"authorization_type": "signal_ids", "signal_ids": ["auto"]`)}, Question{}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := c.ask
			q.Publisher, q.Agent, q.At = "example.com", testAgent, testTime
			a, err := Judge(testDocument(t, "direct", "", c.entries...), q)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(a.Exclusive, c.want) {
				t.Errorf("got %q, want %q", a.Exclusive, c.want)
			}
		})
	}
}

// TestPeers has what other implementations get wrong.
func TestPeers(t *testing.T) {
	t.Parallel()
	shared := `"properties": [
	  {"property_id": "main", "property_type": "website", "name": "A", "identifiers": [{"type": "domain", "value": "example.com"}], "tags": ["net"], "publisher_domain": "example.com"},
	  {"property_id": "main", "property_type": "website", "name": "B", "identifiers": [{"type": "domain", "value": "example.org"}], "tags": ["net", "gold"], "publisher_domain": "example.org"}]`
	runAnswers(t, []answerCase{
		{name: "an id entry is not everything", entries: []string{entry(sellsSite)}, ask: Question{Identifier: Identifier{"domain", "sports.example.com"}}, verdict: NotAuthorized, codes: []string{"property.not_covered"}},
		{name: "an expired entry of a revoked publisher", members: `, "revoked_publisher_domains": [{"publisher_domain": "example.com", "revoked_at": "2026-01-01T00:00:00Z"}]`,
			entries: []string{entry(sellsSite + `, "effective_until": "2026-01-01T00:00:00Z"`)}, verdict: NotAuthorized, codes: []string{"publisher.revoked"}},
		{name: "a tag carried by another publisher's property", members: shared, method: "authoritative_location",
			entries: []string{entry(`"authorization_type": "property_tags", "property_tags": ["gold"]`)}, ask: Question{Property: "main"}, verdict: NotAuthorized, codes: []string{"property.not_covered"}},
		{name: "an id shared by two publishers", members: shared, method: "authoritative_location",
			entries: []string{entry(`"authorization_type": "property_ids", "property_ids": ["main"]`)}, ask: Question{Property: "main"}, verdict: Authorized, codes: covers1},
		{name: "another publisher's domain", members: shared, method: "authoritative_location",
			entries: []string{entry(`"authorization_type": "property_ids", "property_ids": ["main"]`)}, ask: Question{Identifier: Identifier{"domain", "example.org"}}, verdict: NotAuthorized, codes: []string{"property.other_publisher"}},
		{name: "a wildcard agent is nobody", entries: []string{`{"url": "*", "authorized_for": "x", ` + sellsSite + `}`}, verdict: NotAuthorized, codes: []string{"agent.not_listed"}},
		{name: "a host below a specific one", entries: []string{entry(sellsAll)}, ask: Question{Identifier: Identifier{"domain", "www.sports.example.com"}}, verdict: NotAuthorized, codes: []string{"property.unknown"}},
	})
}

type oneSource struct{ doc *Document }

func (s oneSource) Document(context.Context, string) (*Document, error) { return s.doc, nil }

type brokenSource struct{ err error }

func (s brokenSource) Document(context.Context, string) (*Document, error) { return nil, s.err }

func TestSourceErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("out of order")
	r := New(brokenSource{broken})
	_, err := r.Answer(t.Context(), Question{Publisher: "example.com", Agent: testAgent, At: testTime})
	if !errors.Is(err, broken) {
		t.Errorf("Answer: %v", err)
	}
	_, err = r.Properties(t.Context(), "example.com", testAgent, ListOptions{At: testTime})
	if !errors.Is(err, broken) {
		t.Errorf("Properties: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = New(oneSource{}).Answer(ctx, Question{Publisher: "example.com", Agent: testAgent, At: testTime})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	// Silence, and a document about somebody else, are not taken at their word.
	a, err := New(oneSource{}).Answer(t.Context(), Question{Publisher: "example.com", Agent: testAgent, At: testTime})
	if err != nil || a.Verdict != Unverified {
		t.Errorf("silence: %v %v", a, err)
	}
	doc := testDocument(t, "direct", "", entry(sellsSite))
	doc.Publisher = "example.org"
	a, err = New(oneSource{doc}).Answer(t.Context(), Question{Publisher: "example.com", Agent: testAgent, At: testTime})
	if err != nil || a.Evidence[0].Publisher != "example.com" || doc.Publisher != "example.org" {
		t.Errorf("another publisher: %v %v", a, err)
	}
}
