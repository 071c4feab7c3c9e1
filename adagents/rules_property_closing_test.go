package adagents

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPublisherDomainMissing(t *testing.T) {
	t.Parallel()
	named, anonymous := propertyJSON("property_id", `"a"`, "identifiers", `[{"type": "domain", "value": "example.com"}]`), propertyJSON("publisher_domain", "")
	second := propertyJSON("property_id", `"c"`, "publisher_domain", "", "identifiers", `[{"type": "domain", "value": "c.example.com"}]`)
	selector := networkFile("", anonymous)
	selector = []byte(strings.Replace(string(selector), `"authorized_agents":[`, `"authorized_agents":[{"url":"https://network.example/mcp","authorized_for":"Others","authorization_type":"publisher_properties",`+
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
		{"mixed mirror", networkFile("", named, anonymous), Mirror, []string{"info " + found + "1/publisher_domain", "error mirror.agents /authorized_agents"}},
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
	const agent = `{"url":"https://network.example/mcp","authorized_for":"Inline","authorization_type":"inline_properties","properties":[§]}`
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
		got := outline(Example(InAgent, strings.Replace(agent, "§", test.properties, 1)), Options{})
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
