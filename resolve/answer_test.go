package resolve

import (
	"context"
	"errors"
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
		{&Document{Publisher: "example.com", State: Unreachable, Detail: "time out"}, Unverified, "file.unreachable", "it could not be determined whether the publisher has a file: time out"},
		{&Document{Publisher: "example.com", State: Unusable, Detail: "not JSON"}, UnusableFile, "file.unusable", "the publisher has a file that must not be used: not JSON"},
		{&Document{Publisher: "example.com", State: Usable}, UnusableFile, "file.unusable", "the publisher has a file that must not be used: the source has no content of the file"},
		{&Document{Publisher: "example.com", State: Withheld, Detail: "a clock"}, Unverified, "file.withheld", "the publisher answered, and its file is not used at present: a clock"},
		{nil, Unverified, "file.unreachable", "it could not be determined whether the publisher has a file: the source has no answer"},
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

// TestTimeOfCheck shows why a file must not be checked at an instant: an entry that has
// ended since would be missing from the answer about a moment at which it held.
func TestTimeOfCheck(t *testing.T) {
	t.Parallel()
	src := []byte(`{` + testCatalog + `, "authorized_agents": [` + entry(sellsSite+`, "effective_until": "2026-03-31T00:00:00Z"`) + `]}`)
	held := testTime.AddDate(0, -3, 0)
	for _, tt := range []struct {
		name    string
		checked time.Time
		at      time.Time
		want    Verdict
		code    string
	}{
		{"held then", time.Time{}, held, Authorized, "entry.covers"},
		{"over now", time.Time{}, testTime, NotAuthorized, "entry.outside_window"},
		{"checked too late", testTime, held, NotAuthorized, "entry.inert"},
	} {
		doc := testDocument(t, "direct", "")
		doc.File = adagents.Check(src, adagents.Options{Now: tt.checked}).File
		a, err := Judge(doc, Question{Publisher: "example.com", Agent: testAgent, At: tt.at})
		if err != nil || a.Verdict != tt.want || !slices.Contains(codesOf(a.Reasons), tt.code) {
			t.Errorf("%s: %v %q, %v", tt.name, a.Verdict, codesOf(a.Reasons), err)
		}
	}
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
		Evidence: []Evidence{{Publisher: "example.com", URL: testURL, SHA256: "00", Method: "direct", Role: "file", FetchedAt: testTime, State: Usable}},
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
		{"only somewhere", []string{entry(sellsSite), other(sellsSite + `, "countries": ["US"]`)}, Question{}, []string{"https://other.example/"}},
		{"only somewhere else", []string{entry(sellsSite + `, "countries": ["DE"]`), other(sellsSite + `, "countries": ["US"]`)}, Question{}, nil},
		{"on some placement", []string{entry(sellsSite), other(sellsSite + `, "placement_ids": ["top"]`)}, Question{}, nil},
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
			entries: []string{entry(`"authorization_type": "property_ids", "property_ids": ["main"]`)}, ask: Question{Identifier: Identifier{"domain", "example.org"}}, verdict: NotAuthorized, codes: []string{"property.unknown", "property.other_publisher"}},
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
