package resolve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// documents is a source of documents by publisher that remembers who was asked.
type documents struct {
	docs  map[string]*Document
	mu    sync.Mutex
	asked []string
}

func (s *documents) Document(_ context.Context, publisher string) (*Document, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, publisher)
	if d := s.docs[publisher]; d != nil {
		return d, nil
	}
	return &Document{Publisher: publisher, State: Absent, Detail: "404"}, nil
}

func networkDocument(t *testing.T, publisher, method, url, src string) *Document {
	t.Helper()
	return &Document{Publisher: publisher, State: Usable, File: testFile(t, src), Method: method, URL: url, SHA256: url}
}

func websiteJSON(id, domain, more string) string {
	return fmt.Sprintf(`{"property_id": %q, "property_type": "website", "name": "N", "identifiers": [{"type": "domain", "value": %q}]%s}`, id, domain, more)
}

// selectorsJSON is a file of the network with one entry of selectors.
func selectorsJSON(members string, selectors ...string) string {
	return `{` + members + ` "authorized_agents": [` + entry(`"authorization_type": "publisher_properties", "publisher_properties": [`+strings.Join(selectors, ", ")+`]`) + `]}`
}

const (
	networkURL = "https://net.example.net/.well-known/adagents.json"
	allOfA     = `{"publisher_domain": "a.com", "selection_type": "all"}`
	allOfB     = `{"publisher_domain": "b.com", "selection_type": "all"}`
)

// lines shows a listing in short: "publisher id path confirmed?" for properties.
func lines(l *Listing) []string {
	var out []string
	for _, g := range l.Grants {
		for _, p := range g.Properties {
			mark := "claim"
			if p.Confirmed {
				mark = "confirmed"
			}
			out = append(out, p.PublisherDomain+" "+p.PropertyID+" "+string(p.Path)+" "+mark+" "+p.Pointer)
		}
		for _, s := range g.Signals {
			out = append(out, "signal "+s)
		}
	}
	return out
}

func states(l *Listing) []string {
	var out []string
	for _, p := range l.Publishers {
		text := p.Publisher + " " + strconv.Itoa(p.Properties)
		if p.Asked {
			text += " " + p.State.String()
		}
		if p.Confirmed {
			text += " confirmed"
		}
		if p.Code != "" {
			text += " " + p.Code
		}
		out = append(out, text)
	}
	return out
}

type listCase struct {
	name    string
	network string
	method  string
	others  map[string]string // of publishers a.com, b.com; "=" points back
	o       ListOptions
	verdict Verdict
	want    []string
	states  []string
	codes   []string
	asked   int // besides the network
}

func runListings(t *testing.T, cases []listCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := &documents{docs: map[string]*Document{"net.example.net": networkDocument(t, "net.example.net", c.method, networkURL, c.network)}}
			for domain, src := range c.others {
				switch src {
				case "=":
					s.docs[domain] = networkDocument(t, domain, "authoritative_location", networkURL, c.network)
				case "down":
					s.docs[domain] = &Document{Publisher: domain, State: Unreachable, Detail: "time out"}
				case "bad":
					s.docs[domain] = &Document{Publisher: domain, State: Unusable, Detail: "not JSON"}
				default:
					s.docs[domain] = networkDocument(t, domain, "direct", "https://"+domain+"/.well-known/adagents.json", src)
				}
			}
			c.o.At = testTime
			l, err := New(s).Properties(t.Context(), "Net.example.net", testAgent, c.o)
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprint(l.Verdict, "\n", strings.Join(lines(l), "\n"), "\n", strings.Join(states(l), "\n"), "\n", strings.Join(codesOf(l.Reasons), " "))
			want := fmt.Sprint(c.verdict, "\n", strings.Join(c.want, "\n"), "\n", strings.Join(c.states, "\n"), "\n", strings.Join(c.codes, " "))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if len(s.asked) != c.asked+1 || len(l.Evidence) != c.asked+1 {
				t.Errorf("asked %q, evidence %d", s.asked, len(l.Evidence))
			}
		})
	}
}

// TestFederated is about rules D6.36-43.
func TestFederated(t *testing.T) {
	t.Parallel()
	a := `{"properties": [` + websiteJSON("one", "a.com", "") + `, ` + websiteJSON("two", "x.com", `, "publisher_domain": "x.com"`) + `], "authorized_agents": []}`
	agreed := `{"properties": [` + websiteJSON("one", "b.com", `, "tags": ["gold"]`) + `, ` + websiteJSON("two", "m.b.com", "") + `], "authorized_agents": [` + entry(`"authorization_type": "property_ids", "property_ids": ["one"]`) + `]}`
	chain := `{"properties": [], "authorized_agents": [` + entry(`"authorization_type": "publisher_properties", "publisher_properties": [`+allOfB+`]`) + `]}`
	runListings(t, []listCase{
		{name: "D36 own properties of each", network: selectorsJSON("", allOfA, allOfB), others: map[string]string{"a.com": a, "b.com": agreed}, verdict: Authorized,
			want:   []string{"a.com one federated claim /properties/0", "b.com one federated confirmed /properties/0", "b.com two federated claim /properties/1"},
			states: []string{"a.com 1 usable", "b.com 2 usable confirmed"}, codes: []string{"selector.unconfirmed", "entry.covers"}, asked: 2},
		{name: "D37 failures stand alone", network: selectorsJSON("", `{"publisher_domains": ["a.com", "b.com", "c.com", "d.com"], "selection_type": "all"}`),
			others: map[string]string{"a.com": "down", "b.com": agreed, "c.com": "bad"}, verdict: Authorized,
			want:   []string{"b.com one federated confirmed /properties/0", "b.com two federated claim /properties/1"},
			states: []string{"a.com 0 unreachable selector.publisher_unreachable", "b.com 2 usable confirmed", "c.com 0 unusable selector.publisher_unusable", "d.com 0 absent selector.publisher_absent"},
			codes:  []string{"selector.unconfirmed", "entry.covers", "selector.publisher_unreachable", "selector.publisher_unusable", "selector.publisher_absent"}, asked: 4},
		{name: "D37 no match", network: selectorsJSON("", `{"publisher_domain": "b.com", "selection_type": "by_tag", "property_tags": ["tin"]}`), others: map[string]string{"b.com": agreed}, verdict: NotAuthorized,
			states: []string{"b.com 0 usable confirmed selector.no_match"}, codes: []string{"property.not_covered", "selector.no_match"}, asked: 1},
		{name: "D33 predicates", network: selectorsJSON("", `{"publisher_domain": "b.com", "selection_type": "by_tag", "property_tags": ["gold"]}`, `{"publisher_domain": "b.com", "selection_type": "by_id", "property_ids": ["one", "two"]}`),
			others: map[string]string{"b.com": agreed}, verdict: Authorized,
			want:   []string{"b.com one federated confirmed /properties/0", "b.com two federated claim /properties/1"},
			states: []string{"b.com 2 usable confirmed"}, codes: []string{"selector.unconfirmed", "entry.covers"}, asked: 1},
		{name: "D39 the file's own domain", network: selectorsJSON(`"properties": [`+websiteJSON("home", "net.example.net", "")+`],`, `{"publisher_domain": "net.example.net", "selection_type": "all"}`), method: "direct", verdict: Authorized,
			want: []string{"net.example.net home own confirmed /properties/0"}, codes: []string{"entry.covers"}},
		{name: "D40 a pointer back", network: selectorsJSON(`"properties": [`+websiteJSON("one", "a.com", `, "publisher_domain": "a.com"`)+`, `+websiteJSON("nobody", "a.com", `, "publisher_domain": "n.com"`)+`],`, allOfA), others: map[string]string{"a.com": "="}, verdict: Authorized,
			want:   []string{"a.com one federated confirmed /properties/0"},
			states: []string{"a.com 1 usable confirmed"}, codes: []string{"entry.covers"}, asked: 1},
		{name: "D41 the publisher's own file revokes it", network: selectorsJSON("", allOfA), verdict: NotAuthorized,
			others: map[string]string{"a.com": `{"properties": [` + websiteJSON("app", "b.com", "") + `], "authorized_agents": [], "revoked_publisher_domains": [{"publisher_domain": "a.com", "revoked_at": "2026-01-01T00:00:00Z"}]}`},
			states: []string{"a.com 0 usable selector.revoked_by_publisher"}, codes: []string{"property.not_covered", "selector.revoked_by_publisher"}, asked: 1},
		{name: "D41 the publisher's own file revokes a host", network: selectorsJSON("", allOfA), verdict: Conditional,
			others: map[string]string{"a.com": `{"properties": [` + websiteJSON("one", "a.com", "") + `, ` + websiteJSON("two", "old.com", "") + `], "authorized_agents": [], "revoked_publisher_domains": [{"publisher_domain": "old.com", "revoked_at": "2026-01-01T00:00:00Z"}]}`},
			want:   []string{"a.com one federated claim /properties/0"},
			states: []string{"a.com 1 usable"}, codes: []string{"selector.unconfirmed"}, asked: 1},
		{name: "D42 no recursion", network: selectorsJSON("", allOfA), others: map[string]string{"a.com": chain, "b.com": agreed}, verdict: NotAuthorized,
			states: []string{"a.com 0 usable selector.no_match"}, codes: []string{"property.not_covered", "selector.no_match"}, asked: 1},
		{name: "D43 signals confirm nothing", network: selectorsJSON("", allOfA), verdict: Conditional,
			others: map[string]string{"a.com": `{"properties": [` + websiteJSON("one", "a.com", "") + `], "signals": [{"id": "s", "name": "S", "value_type": "binary"}], "authorized_agents": [` + entry(`"authorization_type": "signal_ids", "signal_ids": ["s"]`) + `]}`},
			want:   []string{"a.com one federated claim /properties/0"}, states: []string{"a.com 1 usable"}, codes: []string{"selector.unconfirmed"}, asked: 1},
		{name: "nobody else is to be asked", network: selectorsJSON("", allOfA), others: map[string]string{"a.com": a}, o: ListOptions{Local: true}, verdict: NotAuthorized,
			states: []string{"a.com 0 selector.not_asked"}, codes: []string{"property.not_covered", "selector.not_asked"}},
	})
}

// TestInline is about rules D7.44-48 and D8.50-51.
func TestInline(t *testing.T) {
	t.Parallel()
	parent := `"properties": [` + websiteJSON("main", "a.com", `, "publisher_domain": "a.com", "tags": ["gold"]`) + `, ` +
		websiteJSON("main", "b.com", `, "publisher_domain": "b.com"`) + `, ` + websiteJSON("implied", "c.com", "") + `],`
	a := `{"properties": [` + websiteJSON("own", "a.com", `, "tags": ["tin"]`) + `], "authorized_agents": []}`
	revoke := func(domain string) string {
		return `"revoked_publisher_domains": [{"publisher_domain": "` + domain + `", "revoked_at": "2026-01-01T00:00:00Z"}],`
	}
	runListings(t, inlineCases(parent, a, revoke))
}

func inlineCases(parent, a string, revoke func(string) string) []listCase {
	inline := ListOptions{Inline: true}
	return []listCase{
		{name: "D44 explicit publishers only", network: selectorsJSON(parent, `{"publisher_domains": ["a.com", "c.com"], "selection_type": "all"}`), o: inline, verdict: Conditional,
			want:   []string{"a.com main inline claim /properties/0"},
			states: []string{"a.com 1", "c.com 0 absent selector.publisher_absent"}, codes: []string{"selector.unconfirmed", "selector.publisher_absent"}, asked: 1},
		{name: "D45 by id", network: selectorsJSON(parent, `{"publisher_domain": "b.com", "selection_type": "by_id", "property_ids": ["main"]}`), o: inline, verdict: Conditional,
			want: []string{"b.com main inline claim /properties/1"}, states: []string{"b.com 1"}, codes: []string{"selector.unconfirmed"}},
		{name: "D46 no match here, so the publisher is asked", network: selectorsJSON(parent, `{"publisher_domain": "a.com", "selection_type": "by_tag", "property_tags": ["tin"]}`), others: map[string]string{"a.com": a}, o: inline, verdict: Conditional,
			want: []string{"a.com own federated claim /properties/0"}, states: []string{"a.com 1 usable"}, codes: []string{"selector.unconfirmed"}, asked: 1},
		{name: "D46 only here", network: selectorsJSON(parent, allOfA, `{"publisher_domain": "c.com", "selection_type": "all"}`), o: ListOptions{Inline: true, Local: true}, verdict: Conditional,
			want: []string{"a.com main inline claim /properties/0"}, states: []string{"a.com 1", "c.com 0 selector.not_asked"}, codes: []string{"selector.unconfirmed", "selector.not_asked"}},
		{name: "D47 the same id of two publishers", network: selectorsJSON(parent, allOfA, allOfB, allOfA), o: inline, verdict: Conditional,
			want: []string{"a.com main inline claim /properties/0", "b.com main inline claim /properties/1"}, states: []string{"a.com 1", "b.com 1"}, codes: []string{"selector.unconfirmed"}},
		{name: "D48 revoked here, not asked either", network: selectorsJSON(revoke("A.com")+parent, allOfA, allOfB), others: map[string]string{"a.com": a}, o: inline, verdict: Conditional,
			want: []string{"b.com main inline claim /properties/1"}, states: []string{"a.com 0 selector.publisher_revoked", "b.com 1"}, codes: []string{"selector.unconfirmed", "selector.publisher_revoked"}},
		{name: "D51 revoked here, by a host in another's file", network: selectorsJSON(revoke("a.com"), `{"publisher_domains": ["a.com", "b.com"], "selection_type": "all"}`), others: map[string]string{"a.com": a, "b.com": a}, verdict: NotAuthorized,
			states: []string{"a.com 0 selector.publisher_revoked", "b.com 0 usable selector.no_match"}, codes: []string{"property.not_covered", "selector.publisher_revoked", "selector.no_match"}, asked: 1},
		{name: "D50 revoked by the publisher, inline", network: selectorsJSON(parent, allOfA, `{"publisher_domain": "a.com", "selection_type": "by_tag", "property_tags": ["tin"]}`), o: inline, verdict: NotAuthorized,
			others: map[string]string{"a.com": `{"properties": [` + websiteJSON("app", "b.com", "") + `], "authorized_agents": [], ` + strings.TrimSuffix(revoke("a.com"), ",") + `}`},
			states: []string{"a.com 0 usable selector.revoked_by_publisher"}, codes: []string{"property.not_covered", "selector.revoked_by_publisher"}, asked: 1},
	}
}

// TestForeign is about rules E62 and D6.43: what a file says about other publishers'
// properties is a claim until they confirm it.
func TestForeign(t *testing.T) {
	t.Parallel()
	members := `"properties": [` + websiteJSON("home", "net.example.net", "") + `, ` + websiteJSON("one", "a.com", `, "publisher_domain": "a.com", "tags": ["x"]`) + `, ` +
		websiteJSON("two", "b.com", `, "publisher_domain": "b.com", "tags": ["x"]`) + `],`
	ids := `{` + members + ` "authorized_agents": [` + entry(`"authorization_type": "property_ids", "property_ids": ["home", "one"]`) + `]}`
	tags := `{` + members + ` "authorized_agents": [` + entry(`"authorization_type": "property_tags", "property_tags": ["x"]`) + `]}`
	inline := `{"authorized_agents": [` + entry(`"authorization_type": "inline_properties", "properties": [`+websiteJSON("one", "a.com", `, "publisher_domain": "a.com"`)+`]`) + `]}`
	agreed := `{"properties": [` + websiteJSON("one", "a.com", "") + `], "authorized_agents": [` + entry(`"authorization_type": "property_ids", "property_ids": ["one"]`) + `]}`
	refused := `{"properties": [` + websiteJSON("app", "x.com", "") + `], "authorized_agents": [], "revoked_publisher_domains": ["a.com"]}`
	shared := []string{"property.no_publisher", "selector.unconfirmed", "selector.publisher_absent"}
	runListings(t, []listCase{
		{name: "by id, confirmed", network: ids, method: "direct", others: map[string]string{"a.com": agreed}, verdict: Authorized,
			want:   []string{"net.example.net home own confirmed /properties/0", "a.com one inline confirmed /properties/1"},
			states: []string{"a.com 1 usable confirmed"}, codes: []string{"selector.diverges", "entry.covers"}, asked: 1},
		{name: "by tag, one confirmed", network: tags, method: "direct", others: map[string]string{"a.com": agreed}, verdict: Authorized,
			want:   []string{"a.com one inline confirmed /properties/1", "b.com two inline claim /properties/2"},
			states: []string{"a.com 1 usable confirmed", "b.com 1 absent selector.publisher_absent"}, codes: []string{"selector.diverges", "selector.unconfirmed", "entry.covers", "selector.publisher_absent"}, asked: 2},
		{name: "in the entry, revoked by the publisher", network: inline, method: "direct", others: map[string]string{"a.com": refused}, verdict: NotAuthorized,
			states: []string{"a.com 0 usable selector.revoked_by_publisher"}, codes: []string{"property.not_covered", "selector.revoked_by_publisher"}, asked: 1},
		{name: "in the entry, not asked", network: inline, method: "direct", o: ListOptions{Local: true}, verdict: Conditional,
			want: []string{"a.com one inline claim /authorized_agents/0/properties/0"}, states: []string{"a.com 1 selector.not_asked"}, codes: []string{"selector.unconfirmed", "selector.not_asked"}},
		{name: "nobody's", network: ids, method: "ads_txt_managerdomain", verdict: Conditional,
			want: []string{"a.com one inline claim /properties/1"}, states: []string{"a.com 1 absent selector.publisher_absent"}, codes: shared, asked: 1},
		{name: "the file's own domain is revoked", network: `{"properties": [` + websiteJSON("home", "net.example.net", "") + `], "revoked_publisher_domains": ["net.example.net"], "authorized_agents": [` +
			entry(`"authorization_type": "inline_properties", "properties": [{"property_id": "one", "property_type": "mobile_app", "name": "N", "identifiers": [{"type": "ios_bundle", "value": "net.example"}]}, `+websiteJSON("two", "a.com", `, "publisher_domain": "a.com"`)+`]`) + `]}`,
			method: "direct", o: ListOptions{Local: true}, verdict: Conditional, want: []string{"a.com two inline claim /authorized_agents/0/properties/1"}, states: []string{"a.com 1 selector.not_asked"},
			codes: []string{"publisher.revoked", "property.owner_revoked", "selector.unconfirmed", "selector.not_asked"}},
	})
}

// TestListEntries: entries are selected and narrowed as for an answer.
func TestListEntries(t *testing.T) {
	t.Parallel()
	file := func(entries ...string) string {
		return `{` + testCatalog + `, "authorized_agents": [` + strings.Join(entries, ", ") + `]}`
	}
	site := "net.example.net site own confirmed /properties/0"
	runListings(t, []listCase{
		{name: "nobody is listed", network: file(), verdict: NoneAsserted, codes: []string{"file.none_asserted"}},
		{name: "another agent", network: file(`{"url": "https://agent.example/mcp/", "authorized_for": "x", ` + sellsSite + `}`), verdict: NotAuthorized, codes: []string{"agent.not_listed", "agent.near_miss"}},
		{name: "over", network: file(entry(sellsSite + `, "effective_until": "2026-01-01T00:00:00Z"`)), verdict: NotAuthorized, codes: []string{"entry.outside_window"}},
		{name: "another country", network: file(entry(sellsSite + `, "countries": ["US"]`)), o: ListOptions{Country: "de"}, verdict: NotAuthorized, codes: []string{"entry.country_not_listed"}},
		{name: "some countries", network: file(entry(sellsSite + `, "countries": ["US"]`)), verdict: Conditional, want: []string{site}, codes: []string{"entry.country_needed"}},
		{name: "some placements", network: file(entry(sellsSite + `, "placement_tags": ["premium"]`)), verdict: Conditional, want: []string{site}, codes: []string{"entry.placement_needed"}},
		{name: "no placement", network: file(entry(sellsSite + `, "placement_tags": ["premium"], "placement_ids": ["top", "show"], "collections": [{"publisher_domain": "net.example.net", "collection_ids": ["morning"]}]`)),
			verdict: Conditional, want: []string{site}, codes: []string{"entry.collection_needed", "entry.placement_needed"}},
		{name: "no placement left", network: file(entry(`"authorization_type": "inline_properties", "properties": [` + websiteJSON("x", "net.example.net", "") + `], "placement_tags": ["premium"]`)),
			verdict: NotAuthorized, codes: []string{"entry.no_placement"}},
		{name: "signals", network: file(entry(`"authorization_type": "signal_tags", "signal_tags": ["intent", "place"]`)), o: ListOptions{Country: "US"}, verdict: Conditional, want: []string{"signal auto"}, codes: []string{"signal.country_not_listed", "entry.covers", "entry.signal_needed"}},
		{name: "no signals", network: file(entry(`"authorization_type": "signal_tags", "signal_tags": ["place"]`)), o: ListOptions{Country: "US"}, verdict: NotAuthorized, codes: []string{"signal.country_not_listed", "signal.not_covered"}},
		{name: "signals of a catalog", network: `{"signals": [{"catalog_url": "https://data.example/catalog.json", "relationship": "direct", "description": "Signals"}], "authorized_agents": [` + entry(`"authorization_type": "signal_ids", "signal_ids": ["x"]`) + `]}`,
			verdict: Conditional, want: []string{"signal x"}, codes: []string{"signal.in_catalog", "entry.signal_needed"}},
	})
}

func TestListWithoutFile(t *testing.T) {
	t.Parallel()
	l, err := New(&documents{}).Properties(t.Context(), "a.com", testAgent, ListOptions{At: testTime})
	if err != nil || l.Verdict != Unverified || len(l.Grants) > 0 || !slices.Equal(codesOf(l.Reasons), []string{"file.absent"}) {
		t.Errorf("%+v %v", l, err)
	}
}

// TestDivergence is about rule D7.49.
func TestDivergence(t *testing.T) {
	t.Parallel()
	parent := `{"property_id": "p", "property_type": "website", "name": "N", "identifiers": [{"type": "domain", "value": "a.com"}, {"type": "domain", "value": "aa.com"}], "tags": ["x", "y"], "supported_channels": ["display", "olv"], "publisher_domain": "a.com"}`
	for _, c := range []struct {
		name, own string
		fields    []string
		missing   bool
		listed    bool
	}{
		{"the same in another order", `{"property_id": "p", "property_type": "website", "name": "N", "identifiers": [{"type": "domain", "value": "AA.com"}, {"type": "domain", "value": "a.com"}], "tags": ["y", "x"], "supported_channels": ["olv", "display"]}`, nil, false, true},
		{"type and name", `{"property_id": "p", "property_type": "podcast", "name": "M", "identifiers": [{"type": "domain", "value": "a.com"}, {"type": "domain", "value": "aa.com"}], "tags": ["x", "y"], "supported_channels": ["display", "olv"]}`, []string{"property_type", "name"}, false, true},
		{"lists", `{"property_id": "p", "property_type": "website", "name": "N", "identifiers": [{"type": "domain", "value": "*.a.com"}], "tags": ["x"], "supported_channels": ["display"]}`, []string{"identifiers", "tags", "supported_channels"}, false, true},
		{"no longer picked", `{"property_id": "p", "property_type": "website", "name": "N", "identifiers": [{"type": "domain", "value": "a.com"}, {"type": "domain", "value": "aa.com"}], "tags": ["z"], "supported_channels": ["display", "olv"]}`, []string{"tags"}, false, false},
		{"missing", `{"property_id": "q", "property_type": "website", "name": "N", "identifiers": [{"type": "domain", "value": "a.com"}]}`, nil, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pick := `{"publisher_domain": "a.com", "selection_type": "by_tag", "property_tags": ["x"]}`
			s := &documents{docs: map[string]*Document{
				"net.example.net": networkDocument(t, "net.example.net", "direct", networkURL, selectorsJSON(`"properties": [`+parent+`, `+websiteJSON("", "b.com", `, "publisher_domain": "a.com", "tags": ["x"]`)+`],`, pick, pick)),
				"a.com":           networkDocument(t, "a.com", "direct", "https://a.com/", `{"properties": [`+c.own+`, `+c.own+`], "authorized_agents": []}`),
			}}
			l, err := New(s).Properties(t.Context(), "net.example.net", testAgent, ListOptions{At: testTime})
			if err != nil {
				t.Fatal(err)
			}
			var want []Divergence
			if c.fields != nil || c.missing {
				d := Divergence{PublisherDomain: "a.com", PropertyID: "p", Fields: c.fields, Missing: c.missing, ParentURL: networkURL, ParentPointer: "/properties/0", OwnURL: "https://a.com/"}
				if !c.missing {
					d.OwnPointer = "/properties/0"
				}
				want = append(want, d)
			}
			if diff := cmp.Diff(want, l.Divergences); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if slices.Contains(codesOf(l.Reasons), "selector.diverges") != (want != nil) {
				t.Errorf("reasons %q", codesOf(l.Reasons))
			}
			if (l.Verdict == Conditional) != c.listed { // nobody confirms it
				t.Errorf("got %v %q", l.Verdict, lines(l))
			}
		})
	}
}

// slowSource counts how many are asked at once, and fails for one publisher.
type slowSource struct {
	network       *Document
	now, most     atomic.Int32
	fail          string
	failure       error
	asked, waited atomic.Int32
}

func (s *slowSource) Document(ctx context.Context, publisher string) (*Document, error) {
	if publisher == s.network.Publisher {
		return s.network, nil
	}
	s.asked.Add(1)
	n := s.now.Add(1)
	defer s.now.Add(-1)
	for {
		most := s.most.Load()
		if n <= most || s.most.CompareAndSwap(most, n) {
			break
		}
	}
	if publisher == s.fail {
		return nil, s.failure
	}
	select {
	case <-ctx.Done():
		s.waited.Add(1)
		return nil, ctx.Err()
	case <-time.After(time.Millisecond):
	}
	return &Document{Publisher: publisher, State: Unreachable}, nil
}

func manyPublishers(t *testing.T, n int) *Document {
	t.Helper()
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `, "p%d.com"`, i)
	}
	return networkDocument(t, "net.example.net", "direct", networkURL, selectorsJSON("", `{"publisher_domains": [`+b.String()[2:]+`], "selection_type": "all"}`))
}

func TestLookupsAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &slowSource{network: manyPublishers(t, 200)}
		r := New(s)
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				l, err := r.Properties(t.Context(), "net.example.net", testAgent, ListOptions{At: testTime})
				if err != nil || len(l.Publishers) != 200 || l.Publishers[199].Publisher != "p199.com" || len(l.Evidence) != 201 {
					t.Errorf("%v", err)
					return
				}
				last := l.Reasons[len(l.Reasons)-1]
				if last.Code != "selector.publisher_unreachable" || !strings.HasPrefix(last.Message, `200 publishers, the first of them "p0.com"`) {
					t.Errorf("%+v", last)
				}
			})
		}
		wait.Wait()
		if most := s.most.Load(); most != 4*maxLookups || s.asked.Load() != 800 {
			t.Errorf("%d at once, %d in all", most, s.asked.Load())
		}
	})
}

// TestLookupsEnd: an error of the source and the end of the context stop everything.
func TestLookupsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("out of order")
		s := &slowSource{network: manyPublishers(t, 500), fail: "p7.com", failure: broken}
		_, err := New(s).Properties(t.Context(), "net.example.net", testAgent, ListOptions{At: testTime})
		if !errors.Is(err, broken) || s.now.Load() != 0 || s.asked.Load() > 2*maxLookups {
			t.Errorf("%v, %d still running, %d asked", err, s.now.Load(), s.asked.Load())
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		defer cancel()
		s = &slowSource{network: manyPublishers(t, 5000)}
		_, err = New(s).Properties(ctx, "net.example.net", testAgent, ListOptions{At: testTime})
		if !errors.Is(err, context.DeadlineExceeded) || s.now.Load() != 0 || s.asked.Load() > 6*maxLookups {
			t.Errorf("%v, %d still running, %d asked", err, s.now.Load(), s.asked.Load())
		}
	})
}

// stuckSource never answers for one publisher, and remembers what it is told to.
type stuckSource struct {
	documents
	stuck  string
	memory *Document
}

func (s *stuckSource) Document(ctx context.Context, publisher string) (*Document, error) {
	if publisher == s.stuck {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.documents.Document(context.WithoutCancel(ctx), publisher)
}

func (s *stuckSource) Last(context.Context, string) (*Document, error) { return s.memory, nil }

// TestStuckPublisher: one that hangs is named, and holds up nobody else.
func TestStuckPublisher(t *testing.T) {
	t.Parallel()
	network := manyPublishers(t, 3)
	state := func(p string, s State) PublisherState { return PublisherState{Publisher: p, Asked: true, State: s} }
	ask := func(s *stuckSource, o ListOptions) []PublisherState {
		t.Helper()
		o.At = testTime
		l, err := New(s).Properties(t.Context(), "net.example.net", testAgent, o)
		if err != nil {
			t.Fatal(err)
		}
		return l.Publishers
	}
	docs := map[string]*Document{
		"net.example.net": network, "p0.com": {Publisher: "p0.com", State: Absent, Detail: "none"}, "p2.com": {Publisher: "p2.com", State: Absent, Detail: "none"},
	}
	stuck := state("p1.com", Unreachable)
	stuck.Code, stuck.Detail = "selector.publisher_unreachable", "no answer came within 1ms"
	s := &stuckSource{documents: documents{docs: docs}, stuck: "p1.com"}
	if got := ask(s, ListOptions{Patience: time.Millisecond}); got[1] != stuck {
		t.Errorf("got %+v", got)
	}
	stuck.Detail = "the time for all publishers together was over before it answered"
	if got := ask(s, ListOptions{Patience: time.Hour, Wait: time.Millisecond}); got[1] != stuck {
		t.Errorf("got %+v", got)
	}
	s.memory = &Document{Publisher: "p1.com", State: Absent, Detail: "none"}
	known := state("p1.com", Absent)
	known.Code, known.Detail = "selector.publisher_absent", "none"
	if got := ask(s, ListOptions{Patience: time.Millisecond}); got[1] != known {
		t.Errorf("got %+v", got)
	}
}

func TestTooManyPublishers(t *testing.T) {
	t.Parallel()
	s := &documents{docs: map[string]*Document{"net.example.net": manyPublishers(t, maxPublishers+2)}}
	l, err := New(s).Properties(t.Context(), "net.example.net", testAgent, ListOptions{At: testTime})
	if err != nil {
		t.Fatal(err)
	}
	over := 0
	for _, p := range l.Publishers {
		if p.Code == "selector.too_many_publishers" {
			over++
		}
	}
	if over != 2 || len(l.Publishers) != maxPublishers+2 || len(s.asked) != maxPublishers+1 {
		t.Errorf("%d over the limit, %d publishers, %d asked", over, len(l.Publishers), len(s.asked))
	}
}
