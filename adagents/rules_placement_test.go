package adagents

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// foundUnder returns "severity code pointer" of the findings about the value
// at a pointer, without the beginning that all of them share.
func foundUnder(src []byte, opt Options, at string) []string {
	var got []string
	for _, f := range Check(src, opt).Findings {
		if rest, ok := strings.CutPrefix(f.Pointer, at); ok {
			got = append(got, strings.TrimSuffix(fmt.Sprintf("%s %s %s", f.Severity, f.Code, rest), " "))
		}
	}
	slices.Sort(got)
	return got
}

// placementFindings returns the findings about a fragment, which stands at
// /placements/1.
func placementFindings(fragment string, opt Options) []string {
	return foundUnder(Example(InPlacement, fragment), opt, "/placements/1")
}

type findingTest struct {
	name, fragment string
	want           []string
}

func runPlacementTests(t *testing.T, opt Options, tests []findingTest) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, placementFindings(tt.fragment, opt)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlacementCore(t *testing.T) {
	t.Parallel()
	runPlacementTests(t, Options{}, []findingTest{
		{"good", goodPlacement, nil},
		{"null", `null`, []string{"error placement.not_object"}},
		{"list", `[]`, []string{"error placement.not_object"}},
		{"empty object", `{}`, []string{
			"error placement.id_missing /placement_id",
			"error placement.name_missing /name",
			"error placement.no_property_link",
			"warning placement.description_missing /description",
			"warning placement.format_options_missing /format_options",
		}},
		{"id blank", `{"placement_id":" ","name":"A","description":"B","property_ids":["site"],"format_options":[{"format_option_id":"mpu"}]}`,
			[]string{"error placement.id_missing /placement_id"}},
		{"id number", `{"placement_id":7,"name":"A","description":"B","property_ids":["site"],"format_options":[{"format_option_id":"mpu"}]}`,
			[]string{"error placement.id_missing /placement_id"}},
		{"name null", `{"placement_id":"a","name":null,"description":"B","property_ids":["site"],"format_options":[{"format_option_id":"mpu"}]}`,
			[]string{"error placement.name_missing /name"}},
		{"description blank", `{"placement_id":"a","name":"A","description":" ","property_ids":["site"],"format_options":[{"format_option_id":"mpu"}]}`,
			[]string{"warning placement.description_missing /description"}},
		{"description number", `{"placement_id":"a","name":"A","description":1,"property_ids":["site"],"format_options":[{"format_option_id":"mpu"}]}`,
			[]string{"error file.field_type /description"}},
		{"no formats in the list", placedWith(``), []string{"warning placement.format_options_missing /format_options"}},
		{"formats of the wrong type", `{"placement_id":"a","name":"A","description":"B","property_ids":["site"],"format_options":{}}`,
			[]string{"error file.field_type /format_options"}},
	})
}

func TestPlacementLinks(t *testing.T) {
	t.Parallel()
	runPlacementTests(t, Options{}, []findingTest{
		{"by tag", placedOn(`"property_tags": ["news"]`), nil},
		{"by both", placedOn(`"property_ids": ["site"], "property_tags": ["news"]`), nil},
		{"both empty", placedOn(`"property_ids": [], "property_tags": []`), []string{"error placement.no_property_link"}},
		{"one empty", placedOn(`"property_ids": ["site"], "property_tags": []`), []string{"warning placement.list_invalid /property_tags"}},
		{"ids a string", placedOn(`"property_ids": "site"`), []string{"error file.field_type /property_ids"}},
		{"ids null", placedOn(`"property_ids": null`), []string{"error file.field_type /property_ids"}},
		{"ids of numbers", placedOn(`"property_ids": [7]`), []string{"error placement.no_property_link"}},
		{"a number among ids", placedOn(`"property_ids": ["site", 7]`), []string{"warning placement.list_invalid /property_ids/1"}},
		{"id of nothing", placedOn(`"property_ids": ["site", "sitee"]`), []string{"warning placement.property_id_undefined /property_ids/1"}},
		{"tag of nothing", placedOn(`"property_tags": ["news", "new"]`), []string{"warning placement.property_tag_unmatched /property_tags/1"}},
		{"collections empty", examplePlacement(`"collection_ids": []`), []string{"warning placement.list_invalid /collection_ids"}},
		{"collections null", examplePlacement(`"collection_ids": null`), []string{"error file.field_type /collection_ids"}},
		{"no tags", examplePlacement(`"tags": []`), nil},
		{"tag null", examplePlacement(`"tags": [null]`), []string{"warning placement.list_invalid /tags/0"}},
		{"tag twice", examplePlacement(`"tags": ["sticky", "premium", "sticky"]`), []string{
			"warning placement.tag_duplicate /tags/2", "warning placement.tag_undefined /tags/0",
		}},
	})
}

// TestPlacementSkips proves which placements consumers lose, and that a link
// of the wrong type costs the placement without a second finding.
func TestPlacementSkips(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, fragment, code string }{
		{"link of the wrong type", placedOn(`"property_ids": "site"`), "file.field_type"},
		{"private member", examplePlacement(`"origin": {}`), "placement.private_field"},
		{"duplicate", strings.Replace(goodPlacement, "article", "home_top", 1), "placement.id_duplicate"},
		{"no name", `{"placement_id":"x","description":"d","property_ids":["site"],"format_options":[{"format_option_id":"mpu"}]}`, "placement.name_missing"},
		{"undefined property", placedOn(`"property_ids": ["nope"]`), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := Check(Example(InPlacement, tt.fragment), Options{})
			var code string
			for _, s := range r.Skipped {
				code = s.Code
			}
			if code != tt.code {
				t.Errorf("skipped for %q, want %q", code, tt.code)
			}
			if kept := len(r.File.Placements) == 2; kept != (tt.code == "") {
				t.Errorf("%d placements left", len(r.File.Placements))
			}
		})
	}
}

// TestPlacementCatalogFaults proves that references into a section that is not
// a list, or to an entry that is itself left out, are not blamed.
func TestPlacementCatalogFaults(t *testing.T) {
	t.Parallel()
	placement := placedOn(`"property_ids": ["site"], "property_tags": ["news"], "collection_ids": ["daily"], "tags": ["premium"]`)
	file := func(sections string) []byte {
		return []byte(`{"authorized_agents":[],"placements":[` + placement + `],` + sections + `}`)
	}
	const property = `{"property_id":"site","property_type":"website","tags":["news"],"identifiers":[{"type":"domain","value":"example.com"}]`
	const format = `{"format_option_id":"mpu","format_kind":"image","params":{"width":300,"height":250}}`
	const rest = `"formats":[` + format + `],"collections":[{"collection_id":"daily","name":"D"}],"placement_tags":{"premium":{"name":"P","description":"p"}}`
	tests := []struct {
		name, sections string
		want           []string
	}{
		{"all well", `"properties":[` + property + `,"name":"Site"}],` + rest, nil},
		{"sections of the wrong type", `"properties":{},"formats":{},"collections":{},"placement_tags":[]`, nil},
		{"property left out", `"properties":[` + property + `}],` + rest, nil},
		{"format left out", `"properties":[` + property + `,"name":"Site"}],` + strings.Replace(rest, `,"params":{"width":300,"height":250}`, "", 1), nil},
		{"sections absent", `"version":"1"`, []string{
			"error placement.format_option_unresolved /format_options/0/format_option_id",
			"warning placement.collection_undefined /collection_ids/0",
			"warning placement.property_id_undefined /property_ids/0",
			"warning placement.property_tag_unmatched /property_tags/0",
			"warning placement.tag_undefined /tags/0",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, foundUnder(file(tt.sections), Options{}, "/placements/0")); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlacementTagReportedOnce(t *testing.T) {
	t.Parallel()
	other := strings.Replace(examplePlacement(`"tags": ["sticky"]`), "article", "sidebar", 1)
	got := foundUnder(Example(InPlacement, examplePlacement(`"tags": ["sticky"]`)+","+other), Options{}, "/placements")
	want := []string{"warning placement.tag_undefined /1/tags/0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestPlacementLists(t *testing.T) {
	t.Parallel()
	tests := []findingTest{
		{"channel number", examplePlacement(`"channels": [1]`), []string{"placement.channel_unknown /channels/0"}},
		{"channels null", examplePlacement(`"channels": null`), []string{"file.field_type /channels"}},
		{"channel case", examplePlacement(`"channels": ["Display"]`), []string{"placement.channel_unknown /channels/0"}},
		{"unknown twice", examplePlacement(`"channels": ["x", "x"]`), []string{"placement.channel_unknown /channels/0", "placement.channel_unknown /channels/1"}},
		{"three times", examplePlacement(`"channels": ["display", "display", "display"]`), []string{"placement.channel_duplicate /channels/1", "placement.channel_duplicate /channels/2"}},
		{"types empty", examplePlacement(`"audio_distribution_types": []`), []string{"placement.type_array_invalid /audio_distribution_types"}},
		{"types twice", examplePlacement(`"social_placement_surfaces": ["feed", "feed"]`), []string{"placement.type_array_invalid /social_placement_surfaces/1"}},
		{"type number", examplePlacement(`"sponsored_placement_types": [2]`), []string{"placement.type_array_invalid /sponsored_placement_types/0"}},
		{"types a string", examplePlacement(`"video_placement_types": "instream"`), []string{"file.field_type /video_placement_types"}},
	}
	for profile, severity := range map[Profile]string{Default: "warning ", Strict: "error "} {
		var list []findingTest
		for _, tt := range tests {
			want := make([]string, len(tt.want))
			for i, w := range tt.want {
				want[i] = severity + w
				if strings.HasPrefix(w, "file.") {
					want[i] = "error " + w
				}
			}
			list = append(list, findingTest{profile.String() + " " + tt.name, tt.fragment, want})
		}
		runPlacementTests(t, Options{Profile: profile}, list)
	}
}

func TestPlacementHints(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ fragment, want string }{
		{examplePlacement(`"channels": ["video"]`), `did you mean "olv"?`},
		{examplePlacement(`"channels": ["Audio"]`), `did you mean "streaming_audio"?`},
		{examplePlacement(`"video_placement_types": ["in_stream"]`), `did you mean "instream"?`},
		{examplePlacement(`"collection_ids": ["dialy"]`), `did you mean "daily"?`},
		{placedOn(`"property_ids": ["site", "sites"]`), `did you mean "site"?`},
		{placedOn(`"property_tags": ["news", "newz"]`), `did you mean "news"?`},
		{placedWith(`{"format_option_id": "mpuu"}`), `did you mean "mpu"?`},
		{placedWith(`"mpu"`), `write {"format_option_id": "mpu"}`},
		{placedWith(`{"format_option_id": "billboard"}`), "declare the format in formats, or correct format_option_id"},
	} {
		findings := Check(Example(InPlacement, tt.fragment), Options{}).Findings
		if len(findings) != 1 || findings[0].Hint != tt.want {
			t.Errorf("%s\nfindings %v, want the hint %q", tt.fragment, findings, tt.want)
		}
	}
}

// TestPlacementChannelSupport proves that silence of any linked property is
// taken as support.
func TestPlacementChannelSupport(t *testing.T) {
	t.Parallel()
	property := func(id, tag, channels string) string {
		return `{"property_id":"` + id + `","property_type":"website","name":"X","identifiers":[{"type":"domain","value":"` + id + `.example.com"}],"tags":["` + tag + `"]` + channels + `}`
	}
	const display, video = `,"supported_channels":["display"]`, `,"supported_channels":["olv","ctv"]`
	tests := []struct {
		name, links, channels string
		properties            []string
		want                  []string
	}{
		{"supported", `"property_ids":["a"]`, `"display"`, []string{property("a", "t", display)}, nil},
		{"not supported", `"property_ids":["a"]`, `"display","olv"`, []string{property("a", "t", display)}, []string{"info placement.channel_unsupported /channels/1"}},
		{"by the other", `"property_ids":["a","b"]`, `"ctv"`, []string{property("a", "t", display), property("b", "t", video)}, nil},
		{"by tag", `"property_tags":["t"]`, `"ctv"`, []string{property("a", "t", display), property("b", "t", video)}, nil},
		{"not by tag", `"property_tags":["t"]`, `"radio"`, []string{property("a", "t", display), property("b", "t", video)}, []string{"info placement.channel_unsupported /channels/0"}},
		{"one says nothing", `"property_tags":["t"]`, `"radio"`, []string{property("a", "t", display), property("b", "t", "")}, nil},
		{"empty list says nothing", `"property_ids":["a"]`, `"radio"`, []string{property("a", "t", `,"supported_channels":[]`)}, nil},
		{"other tag", `"property_tags":["t"]`, `"radio"`, []string{property("a", "t", display), property("b", "u", "")}, []string{"info placement.channel_unsupported /channels/0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			src := `{"authorized_agents":[],"properties":[` + strings.Join(tt.properties, ",") + `],"placements":[{"placement_id":"p","name":"P","description":"D",` +
				tt.links + `,"channels":[` + tt.channels + `],"format_options":[{"format_kind":"image","params":{"width":300,"height":250}}]}]}`
			if diff := cmp.Diff(tt.want, foundUnder([]byte(src), Options{}, "/placements/0")); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlacementPrivate(t *testing.T) {
	t.Parallel()
	runPlacementTests(t, Options{}, []findingTest{
		{"visibility null", examplePlacement(`"visibility": null`), []string{"error placement.private_field /visibility"}},
		{"source empty", examplePlacement(`"source": ""`), []string{"error placement.private_field /source"}},
		{"two of them", examplePlacement(`"origin": "synced", "delivery_mappings": []`), []string{
			"error placement.private_field /delivery_mappings", "error placement.private_field /origin",
		}},
		{"inside ext it is a vendor's word", examplePlacement(`"ext": {"source": "cms"}`), nil},
		{"format_ids null", examplePlacement(`"format_ids": null`), []string{"error placement.legacy_format_ids /format_ids"}},
		{"suspect member", examplePlacement(`"adUnitPath": "x"`), []string{"warning placement.private_field_suspected /adUnitPath"}},
		{"suspect deep inside", examplePlacement(`"ext": {"vendor": [{"gam_network": 1, "GAMAdUnit": {"zone_id": 2}}]}`), []string{
			"warning placement.private_field_suspected /ext/vendor/0/GAMAdUnit",
			"warning placement.private_field_suspected /ext/vendor/0/gam_network",
		}},
		{"inside an unknown member", examplePlacement(`"vendor_x": {"zone_id": 2}`), []string{"info file.unknown_in_entry /vendor_x", "warning placement.private_field_suspected /vendor_x/zone_id"}},
		{"path as value", examplePlacement(`"ext": {"paths": ["news", "/1234567/news"]}`), []string{"warning placement.private_field_suspected /ext/paths/1"}},
		{"path as name", strings.Replace(goodPlacement, `"Article"`, `"/1234567/news"`, 1), []string{"warning placement.private_field_suspected /name"}},
		{"nothing", examplePlacement(`"ext": {"section": "/news/", "zones": {"id": 1}, "year": "/2026/01"}`), nil},
	})
}

// TestPlacementPrivateValuesStayPrivate proves that no finding repeats what
// should not have been published.
func TestPlacementPrivateValuesStayPrivate(t *testing.T) {
	t.Parallel()
	for _, members := range []string{
		`"visibility": "TOPSECRET"`, `"delivery_mappings": [{"x": "TOPSECRET"}]`, `"format_ids": ["TOPSECRET"]`,
		`"ad_unit": "TOPSECRET"`, `"ext": {"a": "/1234567/TOPSECRET"}`,
	} {
		findings := Check(Example(InPlacement, examplePlacement(members)), Options{}).Findings
		if len(findings) == 0 {
			t.Errorf("%s: not found", members)
		}
		for _, f := range findings {
			if strings.Contains(f.Message+f.Hint, "TOPSECRET") {
				t.Errorf("%s: shown in %q", members, f.Message)
			}
		}
	}
}

func TestPlacementForeignPublisher(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		domain, value string
		role          Role
		want          bool
	}{
		{"example.com", `"other.example"`, Direct, true},
		{"example.com", `"Example.com."`, Direct, false},
		{"example.com", `"not a domain"`, Direct, true},
		{"example.com", `7`, Direct, false},
		{"example.com", `"other.example"`, Authoritative, false},
		{"", `"other.example"`, Direct, false},
	} {
		got := placementFindings(examplePlacement(`"publisher_domain": `+tt.value), Options{Domain: tt.domain, Role: tt.role})
		if found := slices.Contains(got, "warning placement.publisher_domain_foreign /publisher_domain"); found != tt.want {
			t.Errorf("%+v: found %v", tt, got)
		}
	}
}

func TestPlacementPreview(t *testing.T) {
	t.Parallel()
	const digest = `"digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`
	const kind = `"media_type": "application/vnd.adcp.placement-presentation+json"`
	runPlacementTests(t, Options{}, []findingTest{
		{"presentation null", examplePlacement(`"presentation_ref": null`), []string{"error presentation.invalid /presentation_ref"}},
		{"presentation http", examplePlacement(`"presentation_ref": {"uri": "http://example.com/a", ` + digest + `, ` + kind + `, "schema_version": "1.0"}`),
			[]string{"error presentation.invalid /presentation_ref/uri"}},
		{"presentation version", examplePlacement(`"presentation_ref": {"uri": "https://example.com/a", ` + digest + `, ` + kind + `, "schema_version": "2.0"}`),
			[]string{"error presentation.invalid /presentation_ref/schema_version"}},
		{"presentation extra", examplePlacement(`"presentation_ref": {"uri": "https://example.com/a", ` + digest + `, ` + kind + `, "schema_version": "1.0", "note": 1}`),
			[]string{"error presentation.invalid /presentation_ref/note"}},
		{"provider empty", examplePlacement(`"preview_provider": {}`), []string{
			"error preview.invalid /preview_provider/agent_url",
			"error preview.invalid /preview_provider/authority",
			"error preview.invalid /preview_provider/routes",
		}},
		{"route empty", previewed(`{}`), []string{
			"error preview.invalid /preview_provider/routes/0/capability_id",
			"error preview.invalid /preview_provider/routes/0/format_option_id",
		}},
		{"route blank", previewed(`{"format_option_id": "", "capability_id": "x"}`), []string{"error preview.invalid /preview_provider/routes/0/format_option_id"}},
		{"route to another", previewed(`{"format_option_id": "mpu", "capability_id": "x"}, {"format_option_id": "sky", "capability_id": "x"}`),
			[]string{"error preview.route_unlisted /preview_provider/routes/1/format_option_id"}},
	})
}

// TestPlacementPreviewDropped proves that faulty parts do not reach consumers.
func TestPlacementPreviewDropped(t *testing.T) {
	t.Parallel()
	fragment := examplePlacement(goodPresentation + `,
  "preview_provider": {"agent_url": "https://preview.example/mcp", "authority": "publisher_designated", "routes": [
    {"format_option_id": "mpu", "capability_id": "a"},
    {"format_option_id": "sky", "capability_id": "b"},
    {"format_option_id": "mpu", "capability_id": "c"}
  ]}`)
	p := &Check(Example(InPlacement, fragment), Options{}).File.Placements[1]
	if p.PresentationRef == nil || p.PreviewProvider == nil {
		t.Fatal("the references are gone")
	}
	if r := p.PreviewProvider.Routes; len(r) != 1 || r[0].CapabilityID != "a" {
		t.Errorf("%d routes left", len(r))
	}
	p = &Check(Example(InPlacement, fragment), Options{Role: Mirror}).File.Placements[1]
	if p.PresentationRef != nil || p.PreviewProvider != nil {
		t.Error("a mirror keeps the references")
	}
	p = &Check(Example(InPlacement, examplePlacement(`"presentation_ref": {}, "preview_provider": {}`)), Options{}).File.Placements[1]
	if p.PresentationRef != nil || p.PreviewProvider != nil {
		t.Error("faulty references are kept")
	}
}

// TestPlacementRulesDoNotAllocate holds the rules to cost nothing but time on
// a placement without faults.
func TestPlacementRulesDoNotAllocate(t *testing.T) {
	c := prepared(t, Example(InPlacement, examplePlacement(`"tags": ["premium"], "channels": ["display"], "collection_ids": ["daily"], "ext": {"a": ["b"]}`)))
	p := &c.file.Placements[1]
	o := optionCheck{&p.FormatOptions[0], p}
	allocs := testing.AllocsPerRun(100, func() {
		apply(c, o, &o.effect, formatOptionRules...)
		apply(c, p, &p.effect, placementRules...)
	})
	if allocs != 0 || p.effect.worst != NoEffect {
		t.Errorf("%v allocations, effect %s", allocs, p.effect.worst)
	}
}

// prepared returns a checker of a file with everything checked and indexed.
func prepared(tb testing.TB, src []byte) *checker {
	tb.Helper()
	tree, err := jsontree.Parse(src, jsontree.Options{Names: names()})
	if err != nil {
		tb.Fatal(err)
	}
	c := &checker{report: new(Report), content: content{tree: tree}}
	c.document()
	return c
}

// TestPlacementDescriptions looks at identifiers and places, which decide nothing.
func TestPlacementDescriptions(t *testing.T) {
	t.Parallel()
	runPlacementTests(t, Options{}, []findingTest{
		{"identifiers", examplePlacement(`"identifiers": [{"type": "screen_id", "value": "space:1"}, {"type": "venue_id", "value": "1", "note": "x"}]`), []string{"info file.unknown_in_entry /identifiers/1/note"}},
		{"identifiers empty", examplePlacement(`"identifiers": []`), []string{"warning placement.identifiers_invalid /identifiers"}},
		{"identifiers no list", examplePlacement(`"identifiers": {"type": "screen_id", "value": "1"}`), []string{"warning placement.identifiers_invalid /identifiers"}},
		{"identifier without value", examplePlacement(`"identifiers": [{"type": "screen_id"}]`), []string{"warning placement.identifiers_invalid /identifiers/0/value"}},
		{"place", examplePlacement(`"dooh_placement_attributes": {"location": {"lat": -90, "lon": 180, "address": {"city": "Bern", "country": "CH"}}}`), nil},
		{"place by address", examplePlacement(`"dooh_placement_attributes": {"location": {"address": {"city": "Bern"}}}`), nil},
		{"no place", examplePlacement(`"dooh_placement_attributes": {}`), []string{"warning placement.location_invalid /dooh_placement_attributes"}},
		{"empty place", examplePlacement(`"dooh_placement_attributes": {"location": {}}`), []string{"warning placement.location_invalid /dooh_placement_attributes/location"}},
		{"lng", examplePlacement(`"dooh_placement_attributes": {"location": {"lat": 1, "lng": 1}}`), []string{"info file.unknown_in_entry /dooh_placement_attributes/location/lng", "warning placement.location_invalid /dooh_placement_attributes/location/lon"}},
		{"too far north", examplePlacement(`"dooh_placement_attributes": {"location": {"lat": 90.1, "lon": 1}}`), []string{"warning placement.location_invalid /dooh_placement_attributes/location/lat"}},
		{"country in words", examplePlacement(`"dooh_placement_attributes": {"location": {"address": {"country": "Switzerland"}}}`), []string{"warning placement.location_invalid /dooh_placement_attributes/location/address/country"}},
	})
}
