package adagents

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/bench"
)

// propertyJSON returns a property in order, with members replaced or added;
// an empty text removes a member.
func propertyJSON(changes ...string) string {
	members := []string{
		"property_id", `"shop"`, "property_type", `"website"`, "name", `"Shop"`,
		"identifiers", `[{"type": "domain", "value": "shop.example.com"}]`,
		"tags", `["news"]`, "publisher_domain", `"example.com"`,
	}
	for i := 0; i < len(changes); i += 2 {
		if k := slices.Index(members, changes[i]); k >= 0 {
			members[k+1] = changes[i+1]
			continue
		}
		members = append(members, changes[i:i+2]...)
	}
	var parts []string
	for i := 0; i < len(members); i += 2 {
		if members[i+1] != "" {
			parts = append(parts, fmt.Sprintf("%q: %s", members[i], members[i+1]))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func TestPropertyMembers(t *testing.T) {
	t.Parallel()
	const at = "/properties/1"
	for _, test := range []struct {
		name     string
		property string
		want     []string
	}{
		{"in order", propertyJSON(), nil},
		{"number", `7`, []string{"error property.not_object " + at}},
		{"null", `null`, []string{"error property.not_object " + at}},
		{"empty object", `{}`, []string{
			"error property.identifiers_missing " + at + "/identifiers",
			"error property.name_missing " + at + "/name",
			"error property.type_missing " + at + "/property_type",
			"warning property.id_missing " + at + "/property_id",
			"info property.publisher_domain_missing " + at + "/publisher_domain",
		}},
		{"identifiers empty", propertyJSON("identifiers", `[]`), []string{"error property.identifiers_missing " + at + "/identifiers"}},
		{"identifiers string", propertyJSON("identifiers", `"a"`), []string{"error property.identifiers_missing " + at + "/identifiers"}},
		{"identifiers null", propertyJSON("identifiers", `null`), []string{"error property.identifiers_missing " + at + "/identifiers"}},
		{"identifiers unusable", propertyJSON("identifiers", `["a", 1]`), []string{
			"error identifier.not_object " + at + "/identifiers/0", "error identifier.not_object " + at + "/identifiers/1",
		}},
		{"name blank", propertyJSON("name", `" \u00a0"`), []string{"error property.name_missing " + at + "/name"}},
		{"name number", propertyJSON("name", `1`), []string{"error property.name_missing " + at + "/name"}},
		{"type null", propertyJSON("property_type", `null`), []string{"error property.type_missing " + at + "/property_type"}},
		{"type unknown", propertyJSON("property_type", `"billboard"`), []string{"warning property.type_unknown " + at + "/property_type"}},
		{"id empty", propertyJSON("property_id", `""`), []string{"warning property.id_missing " + at + "/property_id"}},
		{"id with capital", propertyJSON("property_id", `"Shop"`), []string{"warning property.id_pattern " + at + "/property_id"}},
		{"id number", propertyJSON("property_id", `7`), []string{"error file.field_type " + at + "/property_id"}},
		{"tags", propertyJSON("tags", `["news", "a-b", null, "news", ""]`), []string{
			"warning property.tag_pattern " + at + "/tags/1",
			"error property.tag_type " + at + "/tags/2",
			"warning property.tag_duplicate " + at + "/tags/3",
			"warning property.tag_pattern " + at + "/tags/4",
		}},
		{"tags object", propertyJSON("tags", `{"news": 1}`, "property_id", `"site2"`), []string{
			"info property.unreferenced " + at, "error file.field_type " + at + "/tags",
		}},
		{"channels", propertyJSON("supported_channels", `["olv", "video", 7, "olv"]`), []string{
			"warning property.channel_unknown " + at + "/supported_channels/1",
			"warning property.channel_unknown " + at + "/supported_channels/2",
			"warning property.channel_duplicate " + at + "/supported_channels/3",
		}},
		{"publisher in capitals", propertyJSON("publisher_domain", `"EXAMPLE.com."`), []string{"warning property.publisher_domain_invalid " + at + "/publisher_domain"}},
		{"publisher is a URL", propertyJSON("publisher_domain", `"https://example.com/a"`), []string{"warning property.publisher_domain_invalid " + at + "/publisher_domain"}},
		{"publisher empty", propertyJSON("publisher_domain", `""`), []string{"error property.publisher_domain_invalid " + at + "/publisher_domain"}},
		{"publisher null", propertyJSON("publisher_domain", `null`), []string{"error property.publisher_domain_invalid " + at + "/publisher_domain"}},
		{"publisher wildcard", propertyJSON("publisher_domain", `"*.example.com"`), []string{"error property.publisher_domain_invalid " + at + "/publisher_domain"}},
		{"no publisher", propertyJSON("publisher_domain", ""), []string{"info property.publisher_domain_missing " + at + "/publisher_domain"}},
		{"app without app id", propertyJSON("property_type", `"ctv_app"`), []string{"info property.type_identifier_mismatch " + at + "/identifiers"}},
		{"app with unknown id", propertyJSON("property_type", `"ctv_app"`, "identifiers", `[{"type": "domain", "value": "a.example.com"}, {"type": "lg_app_id", "value": "1"}]`),
			[]string{"warning identifier.type_unknown " + at + "/identifiers/1/type"}},
		{"type without usual ids", propertyJSON("property_type", `"ai_assistant"`), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := outline(Example(InProperty, test.property), Options{})
			slices.Sort(got)
			slices.Sort(test.want)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPropertyStrict(t *testing.T) {
	t.Parallel()
	property := propertyJSON("property_id", `"a-b"`, "property_type", `"x"`, "tags", `["news", "news", "N"]`, "supported_channels", `["tv", "tv"]`)
	for _, f := range Check(Example(InProperty, property), Options{Profile: Strict}).Findings {
		if f.Severity != Error {
			t.Errorf("%s is no error", f.Error())
		}
	}
	if Check(Example(InProperty, property), Options{}).Count(Error) != 0 {
		t.Error("errors in the default profile")
	}
}

// TestPropertySkipped checks which properties a consumer leaves out.
func TestPropertySkipped(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		property string
		usable   bool
	}{
		"in order":              {propertyJSON(), true},
		"unknown type":          {propertyJSON("property_type", `"x"`), true},
		"one identifier usable": {propertyJSON("identifiers", `[1, {"type": "domain", "value": "a.example.com"}]`), true},
		"tag no string":         {propertyJSON("tags", `["news", 1]`), true},
		"publisher spelling":    {propertyJSON("publisher_domain", `"Example.com"`), true},
		"no identifier usable":  {propertyJSON("identifiers", `[{"type": "domain", "value": "*.com"}]`), false},
		"no name":               {propertyJSON("name", ""), false},
		"publisher unreadable":  {propertyJSON("publisher_domain", `"a b"`), false},
		"same id":               {propertyJSON("property_id", `"site"`), false},
	} {
		r := Check(Example(InProperty, test.property), Options{})
		if got := len(r.File.Properties) == 2; got != test.usable {
			t.Errorf("%s: used is %v", name, got)
		}
		if len(r.Skipped) != 2-len(r.File.Properties) {
			t.Errorf("%s: skipped %v", name, r.Skipped)
		}
	}
}

func TestPropertyHints(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ property, want string }{
		{propertyJSON("identifiers", "", "domain", `"example.org"`),
			`replace "domain" by "identifiers": [{"type": "domain", "value": "example.org"}] and list agents in authorized_agents`},
		{propertyJSON("identifiers", "", "agents", `[]`), "agents are listed in the top-level authorized_agents; a property needs identifiers"},
		{propertyJSON("property_type", `"App"`), `did you mean "mobile_app"?`},
		{propertyJSON("property_id", ""), `add a property_id, for example "shop"`},
		{propertyJSON("property_id", `"my shop"`), `rename it to "my_shop" here and wherever it is referred to`},
		{propertyJSON("property_id", `"--"`), "use lower-case letters, digits and underscores"},
		{propertyJSON("tags", `["news", "On-Site"]`), `rename it to "on_site" here and wherever it is used`},
		{propertyJSON("supported_channels", `["audio"]`), `did you mean "streaming_audio"?`},
		{propertyJSON("publisher_domain", `"https://Example.com/"`), `write "example.com"`},
		{propertyJSON("property_type", `"podcast"`), "add one of type rss_url, apple_podcast_id, spotify_collection_id or podcast_guid or correct property_type"},
	} {
		findings := Check(Example(InProperty, test.property), Options{}).Findings
		if len(findings) != 1 || findings[0].Hint != test.want {
			t.Errorf("%s:\n%+v\nwant the hint %q", test.property, findings, test.want)
		}
	}
}

// networkFile returns a file with these properties and members, whose agent
// sells what is tagged news.
func networkFile(members string, properties ...string) []byte {
	return []byte(`{` + exampleHead + `,"properties":[` + strings.Join(properties, ",\n") + `],` + exampleTags + members + `,
"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"All","authorization_type":"property_tags","property_tags":["news"],"signing_keys":[` + exampleKey + `]}]}`)
}

func TestDuplicateIDs(t *testing.T) {
	t.Parallel()
	own := func(id, publisher, host string) string {
		return propertyJSON("property_id", `"`+id+`"`, "publisher_domain", `"`+publisher+`"`,
			"identifiers", `[{"type": "domain", "value": "`+host+`"}, {"type": "venue_id", "value": "`+host+`"}]`)
	}
	swapped := propertyJSON("property_id", `"a"`, "publisher_domain", `"EXAMPLE.com"`,
		"identifiers", `[{"type": "venue_id", "value": "example.com"}, {"type": "domain", "value": "example.com"}]`)
	for name, test := range map[string]struct {
		properties []string
		want       []string
	}{
		"different": {
			[]string{own("a", "example.com", "example.com"), own("b", "example.com", "www.example.com")}, nil,
		},
		"conflict": {
			[]string{own("a", "example.com", "example.com"), own("a", "example.com", "www.example.com")},
			[]string{"error property.id_duplicate /properties/1/property_id"},
		},
		"same content": {
			[]string{own("a", "example.com", "example.com"), swapped},
			[]string{"warning property.id_duplicate /properties/1/property_id", "warning property.publisher_domain_invalid /properties/1/publisher_domain"},
		},
		"two publishers": {
			[]string{own("a", "example.com", "example.com"), own("a", "example.org", "example.org")},
			[]string{"warning property.id_duplicate /properties/1/property_id"},
		},
		"conflict among the later": {
			[]string{own("a", "example.com", "example.com"), own("a", "example.org", "example.org"), own("a", "example.org", "www.example.org")},
			[]string{"warning property.id_duplicate /properties/1/property_id", "error property.id_duplicate /properties/2/property_id"},
		},
		"first is left out": {
			[]string{strings.Replace(own("a", "example.com", "example.com"), `"name"`, `"ext"`, 1), own("a", "example.com", "www.example.com")},
			[]string{"error property.name_missing /properties/0/name", "warning property.id_duplicate /properties/1/property_id"},
		},
	} {
		got := outline(networkFile("", test.properties...), Options{})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestDuplicateIdentifiers(t *testing.T) {
	t.Parallel()
	with := func(id, publisher string, pairs ...string) string {
		var list []string
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, identifierJSON(pairs[i], pairs[i+1]))
		}
		changes := []string{"property_id", `"` + id + `"`, "identifiers", "[" + strings.Join(list, ",") + "]", "property_type", `"ai_assistant"`, "publisher_domain", ""}
		if publisher != "" {
			changes[7] = `"` + publisher + `"`
		}
		return propertyJSON(changes...)
	}
	many := func(last string) []string {
		var pairs []string
		for i := range 20 {
			pairs = append(pairs, "venue_id", fmt.Sprintf("v%d", i))
		}
		return append(pairs, "venue_id", last)
	}
	const found = "warning property.duplicate_identifier "
	for name, test := range map[string]struct {
		properties []string
		want       []string
	}{
		"same publisher": {
			[]string{with("a", "example.com", "domain", "example.com"), with("b", "example.com", "venue_id", "1", "domain", "example.com")},
			[]string{found + "/properties/1/identifiers/1/value"},
		},
		"third": {
			[]string{with("a", "example.com", "venue_id", "1"), with("b", "example.com", "venue_id", "1"), with("c", "example.com", "venue_id", "1")},
			[]string{found + "/properties/1/identifiers/0/value", found + "/properties/2/identifiers/0/value"},
		},
		"implied publishers": {
			[]string{with("a", "", "venue_id", "1"), with("b", "", "venue_id", "1")},
			[]string{found + "/properties/1/identifiers/0/value"},
		},
		"other publisher": {
			[]string{with("a", "example.com", "venue_id", "1"), with("b", "example.org", "venue_id", "1")}, nil,
		},
		"other type": {
			[]string{with("a", "example.com", "venue_id", "1"), with("b", "example.com", "screen_id", "1")}, nil,
		},
		"spelling": {
			[]string{with("a", "example.com", "domain", "*.example.com"), with("b", "example.com", "domain", "*.EXAMPLE.com")},
			[]string{"warning identifier.domain_syntax /properties/1/identifiers/0/value", found + "/properties/1/identifiers/0/value"},
		},
		"case counts in apps": {
			[]string{with("a", "example.com", "ios_bundle", "com.example.a"), with("b", "example.com", "ios_bundle", "com.example.A")}, nil,
		},
		"shared by nature": {
			[]string{with("a", "example.com", "network_id", "1"), with("b", "example.com", "network_id", "1")}, nil,
		},
		"twice on one": {
			[]string{with("a", "example.com", "venue_id", "1", "venue_id", "2", "venue_id", "1")},
			[]string{"warning identifier.duplicate /properties/0/identifiers/2/value"},
		},
		"twice among many": {
			[]string{with("a", "example.com", many("v3")...)},
			[]string{"warning identifier.duplicate /properties/0/identifiers/20/value"},
		},
		"many": {
			[]string{with("a", "example.com", many("other")...)}, nil,
		},
	} {
		got := outline(networkFile("", test.properties...), Options{})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestIdentifierTable enters far more identifiers than the table first has
// room for and expects each repetition to be found.
func TestIdentifierTable(t *testing.T) {
	t.Parallel()
	const n = 3000
	var list []string
	for i := range n {
		list = append(list, identifierJSON("venue_id", fmt.Sprint(i)))
	}
	first := propertyJSON("property_id", `"a"`, "property_type", `"dooh"`, "identifiers", "["+strings.Join(list, ",")+"]")
	slices.Reverse(list)
	second := propertyJSON("property_id", `"b"`, "property_type", `"dooh"`, "identifiers", "["+strings.Join(list, ",")+"]")
	r := Check(networkFile("", first, second), Options{})
	if r.Count(Warning) != n || len(r.Findings) != n {
		t.Errorf("%d findings, want %d warnings", len(r.Findings), n)
	}
}

func TestHostileDuplicates(t *testing.T) {
	t.Parallel()
	const n = 2000
	counts := make(map[string]int)
	for _, f := range Check(bench.DuplicateIDs(n), Options{}).Findings {
		counts[f.Code]++
	}
	if counts["property.id_duplicate"] != n-1 {
		t.Errorf("%d properties with one id: %v", n, counts)
	}
}

func TestPublisherDomainMissing(t *testing.T) {
	t.Parallel()
	named, anonymous := propertyJSON("property_id", `"a"`, "identifiers", `[{"type": "domain", "value": "example.com"}]`), propertyJSON("publisher_domain", "")
	second := propertyJSON("property_id", `"c"`, "publisher_domain", "", "identifiers", `[{"type": "domain", "value": "c.example.com"}]`)
	selector := networkFile("", anonymous)
	selector = []byte(strings.Replace(string(selector), `"authorized_agents":[`, `"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"Others","authorization_type":"publisher_properties",`+
		`"publisher_properties":[{"publisher_domain":"example.org","selection_type":"all"}],"signing_keys":[`+exampleKey+`]},`, 1))
	const found = "property.publisher_domain_missing /properties/"
	for _, test := range []struct {
		name string
		src  []byte
		role Role
		want []string
	}{
		{"all named", networkFile("", named), Manager, nil},
		{"none named", networkFile("", anonymous, second), Direct, nil},
		{"mixed", networkFile("", named, anonymous, second), Direct, []string{"info " + found + "1/publisher_domain"}},
		{"mixed mirror", networkFile("", named, anonymous), Mirror, []string{"info " + found + "1/publisher_domain"}},
		{"selectors", selector, Direct, []string{"info " + found + "0/publisher_domain"}},
		{"pointed to", networkFile("", anonymous, second), Authoritative, []string{"warning " + found + "0/publisher_domain", "warning " + found + "1/publisher_domain"}},
		{"manager", networkFile("", named, anonymous), Manager, []string{"warning " + found + "1/publisher_domain"}},
	} {
		if diff := cmp.Diff(test.want, outline(test.src, Options{Role: test.role})); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
	r := Check(networkFile("", named, anonymous, second), Options{})
	if want := "2 properties have no publisher_domain: the domain that serves the file is implied"; r.Findings[0].Message != want {
		t.Errorf("message %q, want %q", r.Findings[0].Message, want)
	}
}

func TestForeignDomain(t *testing.T) {
	t.Parallel()
	const found = "warning property.foreign_domain /properties/0/"
	hosts := func(values ...string) string {
		var list []string
		for _, v := range values {
			list = append(list, identifierJSON("domain", v))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	for _, test := range []struct {
		property string
		domain   string
		role     Role
		want     []string
	}{
		{propertyJSON(), "", Direct, nil},
		{propertyJSON(), "example.com", Direct, nil},
		{propertyJSON(), "www.example.com", Direct, nil},
		{propertyJSON(), "Example.com.", Direct, nil},
		{propertyJSON(), "co.uk", Direct, nil},
		{propertyJSON(), "not a domain", Direct, nil},
		{propertyJSON(), "example.org", Authoritative, nil},
		{propertyJSON(), "example.org", Direct, []string{found + "publisher_domain"}},
		{propertyJSON("identifiers", hosts("example.com", "example.org", "example.net")), "example.com", Direct, []string{found + "identifiers/1/value"}},
		{propertyJSON("identifiers", hosts("*.example.org")), "example.com", Direct, []string{found + "identifiers/0/value"}},
		{propertyJSON("publisher_domain", "", "identifiers", hosts("example.org")), "example.com", Direct, []string{found + "identifiers/0/value"}},
	} {
		got := outline(networkFile("", test.property), Options{Domain: test.domain, Role: test.role})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s for %q: %s", test.property, test.domain, diff)
		}
	}
}

func TestRevokedProperties(t *testing.T) {
	t.Parallel()
	revoke := `,"revoked_publisher_domains":[{"publisher_domain":"Example.org","revoked_at":"2026-01-01T00:00:00Z","reason":"other"}]`
	kept := propertyJSON("property_id", `"kept"`)
	for property, want := range map[string]bool{
		propertyJSON("identifiers", `[{"type": "domain", "value": "a.example.com"}]`):                                           false,
		propertyJSON("publisher_domain", `"example.org"`):                                                                       true,
		propertyJSON("publisher_domain", `"EXAMPLE.org"`):                                                                       true,
		propertyJSON("publisher_domain", `"www.example.org"`):                                                                   false,
		propertyJSON("identifiers", `[{"type": "domain", "value": "example.org"}]`):                                             true,
		propertyJSON("identifiers", `[{"type": "venue_id", "value": "1"}, {"type": "domain", "value": "Example.org"}]`):         true,
		propertyJSON("identifiers", `[{"type": "domain", "value": "*.example.org"}]`):                                           false,
		propertyJSON("identifiers", `[{"type": "venue_id", "value": "example.org"}]`, "property_type", `"dooh"`):                false,
		propertyJSON("identifiers", `[{"type": "subdomain", "value": "www.example.org"}]`):                                      false,
		propertyJSON("publisher_domain", "", "identifiers", `[{"type": "domain", "value": "example.org"}]`, "tags", `["news"]`): true,
	} {
		r := Check(networkFile(revoke, kept, property), Options{})
		found := slices.ContainsFunc(r.Findings, func(f Finding) bool {
			return f.Code == "property.revoked" && f.Pointer == "/properties/1" && f.Effect == SkipEntry
		})
		if found != want || len(r.File.Properties) == 1 != want {
			t.Errorf("%s: revoked is %v, %d properties used", property, found, len(r.File.Properties))
		}
	}
}

func TestTagsUndefined(t *testing.T) {
	t.Parallel()
	plain := propertyJSON("tags", `["news", "b", "a"]`)
	again := propertyJSON("property_id", `"second"`, "tags", `["a", "news", "C"]`, "identifiers", `[{"type": "domain", "value": "second.example.com"}]`)
	got := outline(networkFile("", plain, again), Options{})
	want := []string{
		"info property.tag_undefined /properties/0/tags/1",
		"info property.tag_undefined /properties/0/tags/2",
		"warning property.tag_pattern /properties/1/tags/2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	without := []byte(strings.Replace(string(networkFile("", plain)), exampleTags+",", "", 1))
	r := Check(without, Options{})
	if len(r.Findings) != 1 || r.Findings[0].Message != "none of the 3 tags in use is explained: the file has no tags member" {
		t.Errorf("without tags: %+v", r.Findings)
	}
}

// TestInlineProperties checks what differs for a property in an agent entry.
func TestInlineProperties(t *testing.T) {
	t.Parallel()
	const agent = `{"url":"https://agent.example/mcp","authorized_for":"Inline","authorization_type":"inline_properties","properties":[§]}`
	for name, test := range map[string]struct {
		properties string
		want       []string
	}{
		"in order":    {propertyJSON(), nil},
		"same as top": {propertyJSON("property_id", `"site"`, "identifiers", `[{"type": "domain", "value": "example.com"}]`), nil},
		"same twice":  {propertyJSON() + "," + propertyJSON(), nil},
		"no id":       {propertyJSON("property_id", ""), []string{"info property.id_missing /authorized_agents/1/properties/0/property_id"}},
		"no name":     {propertyJSON() + "," + propertyJSON("name", ""), []string{"error property.name_missing /authorized_agents/1/properties/1/name"}},
		"tag":         {propertyJSON("tags", `["unheard_of"]`), []string{"info property.tag_undefined /authorized_agents/1/properties/0/tags/0"}},
	} {
		got := slices.DeleteFunc(outline(Example(InAgent, strings.Replace(agent, "§", test.properties, 1)), Options{}), func(s string) bool {
			return strings.Contains(s, " agent.")
		})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestUnreferenced(t *testing.T) {
	t.Parallel()
	const (
		agent     = `{"url":"https://agent.example/mcp","authorized_for":"All","authorization_type":"signal_ids","signal_ids":["x"]`
		selectors = `{"url":"https://agent.example/mcp","authorized_for":"All","authorization_type":"publisher_properties","publisher_properties":`
	)
	file := func(members string) []byte {
		return []byte(`{"properties":[` + propertyJSON() + `],` + members + `}`)
	}
	for members, want := range map[string]bool{
		`"authorized_agents":[]`:                                                                                                          false,
		`"authorized_agents":[` + agent + `}]`:                                                                                            true,
		`"authorized_agents":[` + agent + `,"property_ids":["shop"]}]`:                                                                    false,
		`"authorized_agents":[` + agent + `,"property_ids":["other"]}]`:                                                                   true,
		`"authorized_agents":[` + agent + `,"property_tags":["other", "news"]}]`:                                                          false,
		`"authorized_agents":[` + agent + `}],"placements":[{"property_ids":["shop"]}]`:                                                   false,
		`"authorized_agents":[` + agent + `}],"placements":[{"property_tags":["news"]}]`:                                                  false,
		`"authorized_agents":[` + agent + `}],"formats":[{"applies_to_property_ids":["shop"]}]`:                                           false,
		`"authorized_agents":[` + agent + `}],"formats":[{"applies_to_property_tags":["news"]}]`:                                          false,
		`"authorized_agents":[` + agent + `}],"formats":[{"format_kind":"image"}]`:                                                        true,
		`"authorized_agents":[` + selectors + `[{"publisher_domain":"EXAMPLE.com","selection_type":"all"}]}]`:                             false,
		`"authorized_agents":[` + selectors + `[{"publisher_domains":["a.example","example.com"],"selection_type":"all"}]}]`:              false,
		`"authorized_agents":[` + selectors + `[{"publisher_domain":"example.org","selection_type":"all"}]}]`:                             true,
		`"authorized_agents":[` + selectors + `[{"publisher_domain":"example.com","selection_type":"by_id","property_ids":["x"]}]}]`:      true,
		`"authorized_agents":[` + selectors + `[{"publisher_domain":"example.com","selection_type":"by_tag","property_tags":["news"]}]}]`: false,
	} {
		got := slices.Contains(outline(file(members), Options{}), "info property.unreferenced /properties/0")
		if got != want {
			t.Errorf("%s: unreferenced is %v", members, got)
		}
	}
	anonymous := []byte(`{"properties":[` + propertyJSON("property_id", "", "tags", "") + `],"authorized_agents":[` + agent + `}]}`)
	for _, f := range Check(anonymous, Options{}).Findings {
		if f.Code == "property.unreferenced" && !strings.Contains(f.Message, `"Shop"`) {
			t.Errorf("message %q does not name the property", f.Message)
		}
	}
}

// TestPropertyAllocations guards the speed of large files: checking properties
// in order takes no memory for each. It does not run in parallel, because the
// allocations of other tests would count.
func TestPropertyAllocations(t *testing.T) {
	c := largeRun(t, 2000)
	c.index.addPropertyIDs(c.file.Properties)
	got := testing.AllocsPerRun(5, func() {
		c.index.identifiers = identifierTable{}
		c.checkProperties(c.file.Properties, false)
	})
	if got > 20 || len(c.found) > 0 {
		t.Errorf("%v allocations and %d findings", got, len(c.found))
	}
}
