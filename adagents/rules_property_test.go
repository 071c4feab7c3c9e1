package adagents

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

func TestLongLists(t *testing.T) {
	t.Parallel()
	tags := make([]string, 40)
	for i := range tags {
		tags[i] = fmt.Sprintf("%q", fmt.Sprintf("t%d", i))
	}
	tags[30] = `"news"`
	list := strings.Join(tags, ",")
	for text, want := range map[string]int{list: 0, list + `,"news"`: 1, list + `,"news","t7","news"`: 3} {
		got := 0
		for _, f := range Check(Example(InProperty, propertyJSON("tags", "["+text+"]")), Options{}).Findings {
			if f.Code == "property.tag_duplicate" {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: %d duplicates, want %d", text, got, want)
		}
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
		findings = slices.DeleteFunc(findings, func(f Finding) bool { return f.Code == "file.unknown_in_entry" || f.Code == "file.other_name" })
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

// TestPropertyAllocations guards the speed of large files: checking properties
// in order takes no memory for each. It does not run in parallel, because the
// allocations of other tests would count.
func TestPropertyAllocations(t *testing.T) {
	c := largeChecker(t, 2000)
	c.index.properties = newIDTable(c.file.Properties, &c.dec)
	got := testing.AllocsPerRun(5, func() {
		c.checkTopProperties()
	})
	if got > 20 || len(c.findings.list) > 0 {
		t.Errorf("%v allocations and %d findings", got, len(c.findings.list))
	}
}
