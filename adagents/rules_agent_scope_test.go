package adagents

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/model"
)

// TestCompanionsAreTheSelectionsOfTheModel: the member of an authorization type is the same in both.
func TestCompanionsAreTheSelectionsOfTheModel(t *testing.T) {
	t.Parallel()
	var got, want [][2]string
	for i := range companions {
		got = append(got, [2]string{string(companions[i].typ), companions[i].name})
	}
	for _, s := range model.Selections {
		want = append(want, [2]string{s.Type, s.Member})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// scopeFile is a file with the given sections and one agent entry.
func scopeFile(sections, entry string) []byte {
	entry = strings.TrimSuffix(entry, "}") + `,"signing_keys":[` + exampleKey + `]}`
	return []byte(`{` + exampleHead + `,` + sections + `,"authorized_agents":[` + entry + `]}`)
}

// property is a website in good order.
func property(id, domain string, tags ...string) string {
	list := ""
	if len(tags) > 0 {
		list = `,"tags":["` + strings.Join(tags, `","`) + `"]`
	}
	return fmt.Sprintf(`{"property_id":%q,"property_type":"website","name":%q,"identifiers":[{"type":"domain","value":%q}],"publisher_domain":%q%s}`, id, id, domain, domain, list)
}

const brokenProperty = `{"property_id":"broken","property_type":"website","name":"Broken","publisher_domain":"example.net"}`

// ofAgents keeps the findings about agents, their selectors and keys.
func ofAgents(lines []string) []string {
	var out []string
	for _, line := range lines {
		for _, group := range []string{" agent.", " selector.", " collection_selector.", " signing_key"} {
			if strings.Contains(line, group) {
				out = append(out, strings.Replace(line, "/authorized_agents/0", "", 1))
				break
			}
		}
	}
	return out
}

type scopeCase struct {
	name, sections, entry string
	opt                   Options
	want                  []string
}

func checkScopeCases(t *testing.T, cases []scopeCase) {
	t.Helper()
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := ofAgents(outcomes(scopeFile(tc.sections, tc.entry), tc.opt))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPropertyReferences(t *testing.T) {
	t.Parallel()
	const revoked = `,"revoked_publisher_domains":[{"publisher_domain":"example.org","revoked_at":"2026-01-01T00:00:00Z"}]`
	site, sports := property("site", "example.com", "news"), property("sports", "example.org", "sports")
	properties := func(list ...string) string { return `"properties":[` + strings.Join(list, ",") + `]` }
	ids := func(list string) string { return entryOf("property_ids", `,"property_ids":[`+list+`]`) }
	tags := func(list string) string { return entryOf("property_tags", `,"property_tags":[`+list+`]`) }
	checkScopeCases(t, []scopeCase{
		{"left out", properties(site, brokenProperty), ids(`"site","broken"`), Options{}, []string{"warning agent.property_id_undefined /property_ids/1 (drop reference)"}},
		{"left out, but another has the id", properties(site, strings.Replace(brokenProperty, "broken", "sports", 1), sports), ids(`"sports"`), Options{}, nil},
		{"none usable", properties(brokenProperty), ids(`"broken","x"`), Options{}, []string{"warning agent.no_properties_catalog /property_ids (authorizes nothing)"}},
		{"tags without catalog", `"tags":{"news":{"name":"News","description":"News"}}`, tags(`"news"`), Options{}, []string{"warning agent.no_properties_catalog /property_tags (authorizes nothing)"}},
		{"unusual id that exists", properties(strings.ReplaceAll(site, `"site"`, `"Site-1"`)), ids(`"Site-1"`), Options{}, []string{"warning agent.selector_item_pattern /property_ids/0"}},
		{"revoked id", properties(site, sports) + revoked, ids(`"site","sports"`), Options{}, []string{"warning agent.revoked_scope /property_ids/1 (drop reference)"}},
		{"revoked by identifier", properties(site, strings.Replace(sports, `"publisher_domain":"example.org"`, `"publisher_domain":"example.net"`, 1)) + revoked, ids(`"site","sports"`), Options{}, []string{"warning agent.revoked_scope /property_ids/1 (drop reference)"}},
		{"revoked tag", properties(site, sports) + revoked, tags(`"news","sports"`), Options{}, []string{"warning agent.revoked_scope /property_tags/1 (drop reference)"}},
		{"tag of revoked and others", properties(site, strings.Replace(sports, `"tags":["sports"]`, `"tags":["news"]`, 1)) + revoked, tags(`"news"`), Options{}, nil},
		{"revoked collections", properties(site) + `,"collections":[{"collection_id":"daily","name":"Daily"}]` + revoked,
			entryOf("property_ids", `,"property_ids":["site"],"collections":[{"publisher_domain":"example.com","collection_ids":["daily"]},{"publisher_domain":"Example.org","collection_ids":["x"]}]`), Options{},
			[]string{"warning collection_selector.domain_invalid /collections/1/publisher_domain", "warning agent.revoked_scope /collections/1/publisher_domain (drop reference)"}},
	})
}

func TestSignalReferences(t *testing.T) {
	t.Parallel()
	const (
		defined = `{"id":"auto","name":"Auto","value_type":"binary","tags":["cars"]}`
		broken  = `{"id":"broken","value_type":"binary"}`
		german  = `{"id":"de_only","name":"German","value_type":"binary","countries":["DE"],"tags":["de"]}`
		catalog = `{"catalog_url":"https://data.example/c.json","relationship":"direct","description":"d"}`
	)
	signals := func(list ...string) string { return `"signals":[` + strings.Join(list, ",") + `]` }
	ids := func(list, more string) string { return entryOf("signal_ids", `,"signal_ids":[`+list+`]`+more) }
	tags := func(list, more string) string { return entryOf("signal_tags", `,"signal_tags":[`+list+`]`+more) }
	checkScopeCases(t, []scopeCase{
		{"left out", signals(defined, broken), ids(`"auto","broken"`, ""), Options{}, []string{"warning agent.signal_id_undefined /signal_ids/1 (drop reference)"}},
		{"no signals at all", `"properties":[` + property("site", "example.com") + `]`, ids(`"auto"`, ""), Options{}, []string{"warning agent.signal_id_undefined /signal_ids/0 (drop reference)"}},
		{"explained only", signals(defined) + `,"signal_tags":{"pets":{"name":"Pets","description":"p"},"cars":{"name":"Cars","description":"c"}}`, tags(`"cars","pets"`, ""), Options{}, []string{"warning agent.signal_tag_unmatched /signal_tags/1 (drop reference)"}},
		{"catalog beside definitions, all found", signals(defined, catalog), ids(`"auto"`, ""), Options{}, nil},
		{"catalog beside definitions", signals(defined, catalog), ids(`"auto","a","b"`, ""), Options{}, []string{"info agent.signals_catalog_form /signal_ids"}},
		{"catalog, tags", signals(catalog), tags(`"a"`, ""), Options{}, []string{"info agent.signals_catalog_form /signal_tags"}},
		{"catalog, unusual", signals(catalog), tags(`"A"`, ""), Options{}, []string{"info agent.signals_catalog_form /signal_tags", "warning agent.selector_item_pattern /signal_tags/0"}},
		{"other countries", signals(german), tags(`"de"`, `,"countries":["US"]`), Options{}, []string{"warning agent.resolves_to_nothing  (authorizes nothing)"}},
		{"one signal is free", signals(german, defined), ids(`"de_only","auto"`, `,"countries":["US"]`), Options{}, nil},
		{"countries meet", signals(german), ids(`"de_only"`, `,"countries":["US","DE"]`), Options{}, nil},
	})
}

func TestPlacementReferences(t *testing.T) {
	t.Parallel()
	place := func(id, links, tags string) string {
		return fmt.Sprintf(`{"placement_id":%q,"name":"n","description":"d",%s,"tags":[%s],"format_options":[{"format_kind":"image","params":{"width":1,"height":1}}]}`, id, links, tags)
	}
	sections := `"properties":[` + strings.Join([]string{
		property("site", "example.com", "news"), property("sports", "example.org", "sports", "live"), property("alone", "example.net"),
	}, ",") + `],"placements":[` + strings.Join([]string{
		place("top", `"property_ids":["site"]`, `"premium"`),
		place("scores", `"property_ids":["sports"]`, `"premium"`),
		place("live", `"property_tags":["live"]`, `"other"`),
		`{"placement_id":"broken"}`,
	}, ",") + `],"placement_tags":{"premium":{"name":"P","description":"p"},"other":{"name":"O","description":"o"}}`
	with := func(typ, selector, members string) string {
		return entryOf(typ, `,"`+selector+`,`+members)
	}
	const outside = "warning agent.placement_outside_scope /placement_ids/0 (drop reference)"
	checkScopeCases(t, []scopeCase{
		{"left out", sections, with("property_ids", `property_ids":["site"]`, `"placement_ids":["top","broken"]`), Options{}, []string{"warning agent.placement_id_undefined /placement_ids/1 (drop reference)"}},
		{"by id, by id", sections, with("property_ids", `property_ids":["alone"]`, `"placement_ids":["top"]`), Options{}, []string{outside}},
		{"by id, by tag", sections, with("property_ids", `property_ids":["sports"]`, `"placement_ids":["live"]`), Options{}, nil},
		{"by id, by other tag", sections, with("property_ids", `property_ids":["site"]`, `"placement_ids":["live"]`), Options{}, []string{outside}},
		{"by tag, by id", sections, with("property_tags", `property_tags":["sports"]`, `"placement_ids":["scores"]`), Options{}, nil},
		{"by tag, by other id", sections, with("property_tags", `property_tags":["sports"]`, `"placement_ids":["top"]`), Options{}, []string{outside}},
		{"by tag, by same tag", sections, with("property_tags", `property_tags":["live"]`, `"placement_ids":["live"]`), Options{}, nil},
		{"by tag, a property has both", sections, with("property_tags", `property_tags":["sports"]`, `"placement_ids":["live"]`), Options{}, nil},
		{"by tag, no property has both", sections, with("property_tags", `property_tags":["news"]`, `"placement_ids":["live"]`), Options{}, []string{outside}},
		{"inline, same id", sections, entryOf("inline_properties", `,"properties":[`+property("site", "example.com")+`],"placement_ids":["top"]`), Options{}, nil},
		{"inline, other", sections, entryOf("inline_properties", `,"properties":[`+property("x", "example.com", "t")+`],"placement_ids":["top"]`), Options{}, []string{outside}},
		{"other files are not known", sections, entryOf("publisher_properties", `,"publisher_properties":[{"publisher_domain":"example.com","selection_type":"all"}],"placement_ids":["scores"]`), Options{}, nil},
		{"undefined property explains it", sections, with("property_ids", `property_ids":["gone"]`, `"placement_ids":["top"]`), Options{}, []string{"warning agent.property_id_undefined /property_ids/0 (drop reference)"}},
		{"conflict", sections, with("property_tags", `property_tags":["news","live"]`, `"placement_ids":["live"],"placement_tags":["premium"]`), Options{}, []string{"warning agent.placement_conflict /placement_ids (authorizes nothing)"}},
		{"one satisfies both", sections, with("property_tags", `property_tags":["news","live"]`, `"placement_ids":["live","top"],"placement_tags":["premium"]`), Options{}, nil},
		{"unmatched tag explains it", sections, with("property_ids", `property_ids":["site"]`, `"placement_ids":["top"],"placement_tags":["gone"]`), Options{}, []string{"warning agent.placement_tag_unmatched /placement_tags/0 (drop reference)"}},
		{"undefined id explains it", sections, with("property_ids", `property_ids":["site"]`, `"placement_ids":["gone"],"placement_tags":["premium"]`), Options{}, []string{"warning agent.placement_id_undefined /placement_ids/0 (drop reference)"}},
	})
}

func TestPublisherSelectors(t *testing.T) {
	t.Parallel()
	served := Options{Domain: "example.com"}
	sections := `"properties":[` + property("site", "example.com", "news") + `,` + property("b", "b.example.org", "news") + `]`
	entry := func(selectors ...string) string {
		return entryOf("publisher_properties", `,"publisher_properties":[`+strings.Join(selectors, ",")+`]`)
	}
	one := func(domain, rest string) string {
		return `{"publisher_domain":"` + domain + `","selection_type":` + rest + `}`
	}
	const nothing = "warning agent.resolves_to_nothing  (authorizes nothing)"
	checkScopeCases(t, []scopeCase{
		{"own file, no match", sections, entry(one("example.com", `"by_tag","property_tags":["sports"]`)), served, []string{nothing}},
		{"own file, no such id", sections, entry(one("EXAMPLE.com", `"by_id","property_ids":["x"]`)), served, []string{nothing, "warning selector.domain_invalid /publisher_properties/0/publisher_domain"}},
		{"own file, all", sections, entry(one("example.com", `"all"`)), served, nil},
		{"own file, no properties", `"formats":[{"format_option_id":"m","format_kind":"image","params":{"width":1,"height":1}}]`, entry(one("example.com", `"all"`)), served, []string{nothing}},
		{"another file is left", sections, entry(one("example.com", `"by_tag","property_tags":["sports"]`), one("example.org", `"all"`)), served, []string{"info selector.inline_unmatched /publisher_properties/0"}},
		{"reached through a pointer", sections, entry(one("example.com", `"by_tag","property_tags":["sports"]`)), Options{Domain: "example.com", Role: Authoritative}, []string{"info selector.inline_unmatched /publisher_properties/0"}},
		{"several unmatched", sections, entry(`{"publisher_domains":["example.com","b.example.org","c.example.org"],"selection_type":"by_tag","property_tags":["sports"]}`), Options{}, []string{"info selector.inline_unmatched /publisher_properties/0", "warning selector.publisher_without_property /publisher_properties/0"}},
		{"matched", sections, entry(`{"publisher_domains":["example.com","b.example.org"],"selection_type":"by_tag","property_tags":["sports","news"]}`), Options{}, nil},
		{"repeated, other order", sections, entry(one("c.example.org", `"by_tag","property_tags":["a","b"]`), one("C.example.org.", `"by_tag","property_tags":["b","a","a"]`)), Options{}, []string{
			"info selector.domain_repeated /publisher_properties/1", "warning selector.domain_invalid /publisher_properties/1/publisher_domain", "warning selector.item_duplicate /publisher_properties/1/property_tags/2",
		}},
		{"repeated, several", sections, entry(`{"publisher_domains":["c.example.org","d.example.org"],"selection_type":"all"}`, `{"publisher_domains":["d.example.org","c.example.org"],"selection_type":"all"}`), Options{}, []string{"info selector.domain_repeated /publisher_properties/1"}},
		{"only a property without a publisher, or in an entry, may be theirs", `"properties":[` + strings.Replace(property("site", "c.example.org"), `"publisher_domain":"c.example.org"`, `"x":1`, 1) + `]`,
			entry(`{"publisher_domains":["c.example.org","d.example.org"],"selection_type":"all"}`), Options{}, []string{"warning selector.publisher_without_property /publisher_properties/0"}},
		{"other predicate", sections, entry(one("c.example.org", `"by_tag","property_tags":["a"]`), one("c.example.org", `"all"`)), Options{}, nil},
	})
}

func TestDoubles(t *testing.T) {
	t.Parallel()
	first := sellerOfSite + "}"
	for _, tc := range []struct {
		name, second string
		want         []string
	}{
		{"other spelling of the URL", badURL("HTTPS://seller.example:443/mcp"), []string{"warning agent.duplicate_entry /authorized_agents/1", "info agent.url_noncanonical /authorized_agents/1/url"}},
		{"repeated id", entryOf("property_ids", `,"property_ids":["site","site"]`), []string{"warning agent.duplicate_entry /authorized_agents/1", "warning agent.selector_item_duplicate /authorized_agents/1/property_ids/1"}},
		{"narrower", seller(`"countries": ["US"]`), []string{"info agent.duplicate_url /authorized_agents/1/url"}},
		{"other path", seller(`"delegation_type": "direct"`), []string{"info agent.duplicate_url /authorized_agents/1/url"}},
		{"ignored member is ignored", seller(`"property_tags": ["x"]`), []string{"warning agent.duplicate_entry /authorized_agents/1", "warning agent.selector_ignored /authorized_agents/1/property_tags"}},
		{"slash", badURL("https://seller.example/mcp/"), []string{"warning agent.url_near_duplicate /authorized_agents/1/url"}},
		{"path case", badURL("https://seller.example/MCP"), []string{"warning agent.url_near_duplicate /authorized_agents/1/url"}},
		{"scheme", badURL("http://seller.example/mcp"), []string{"error agent.url_not_https /authorized_agents/1/url (authorizes nothing)", "warning agent.url_near_duplicate /authorized_agents/1/url"}},
		{"other path of the host", badURL("https://seller.example/a2a"), nil},
		{"both malformed", badURL("x"), []string{"error agent.url_invalid /authorized_agents/1/url (skip entry)"}},
	} {
		got := outcomes(Example(InAgents, "["+first+","+tc.second+"]"), Options{})
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
	// The third entry repeats the second, not the first.
	narrow := seller(`"countries": ["US"]`)
	r := Check(Example(InAgents, "["+first+","+narrow+","+narrow+"]"), Options{})
	if got := r.Findings[len(r.Findings)-1].Message; !strings.Contains(got, "repeats /authorized_agents/1") {
		t.Errorf("third entry: %s", got)
	}
}

// TestPlacementOnSharedID: ids are unique within a publisher only. A placement on
// an id that two of them use is not outside the entry that covers one of them.
func TestPlacementOnSharedID(t *testing.T) {
	t.Parallel()
	const file = `{
  "authorized_agents": [
    {"url": "https://agent.example/mcp", "authorized_for": "Inventory", "authorization_type": "property_tags", "property_tags": ["net"], "placement_ids": ["top"]}
  ],
  "properties": [
    {"property_id": "main", "property_type": "website", "name": "X", "identifiers": [{"type": "domain", "value": "x.example"}], "publisher_domain": "x.example"},
    {"property_id": "main", "property_type": "website", "name": "P", "identifiers": [{"type": "domain", "value": "pub.example"}], "tags": ["net"], "publisher_domain": "pub.example"}
  ],
  "placements": [{"placement_id": "top", "name": "Top", "property_ids": ["main"]}]
}`
	r := Check([]byte(file), Options{})
	if r.File == nil || r.File.Agents[0].Inert() {
		t.Error("the entry authorizes nothing")
	}
	for _, f := range r.Findings {
		if f.Code == "agent.placement_outside_scope" {
			t.Errorf("%s: %s", f.Pointer, f.Message)
		}
	}
}
