package adagents

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/format/conform"
)

func TestFormatOptions(t *testing.T) {
	t.Parallel()
	const at = " /format_options/0"
	nine := strings.Repeat(`{"format_kind":"image","params":{"width":300,"height":250}},`, 9)
	runPlacementTests(t, Options{}, []findingTest{
		{"number", placedWith(`7`), []string{"error placement.format_option_not_object" + at}},
		{"null", placedWith(`null`), []string{"error placement.format_option_not_object" + at}},
		{"empty object", placedWith(`{}`), []string{"error placement.format_option_empty" + at + "/format_option_id"}},
		{"id blank", placedWith(`{"format_option_id": " "}`), []string{"error placement.format_option_empty" + at + "/format_option_id"}},
		{"id null", placedWith(`{"format_option_id": null}`), []string{"error file.field_type" + at + "/format_option_id"}},
		{"capability beside an id", placedWith(`{"format_option_id": "mpu", "capability_id": null}`), []string{"error placement.capability_id" + at + "/capability_id"}},
		{"inline with the id of a format", placedWith(`{"format_option_id": "mpu", "format_kind": "image", "params": {"width": 300, "height": 250}}`), nil},
		{"inline with an id of its own", placedWith(`{"format_option_id": "sky", "format_kind": "image", "params": {"width": 120, "height": 600}}`), nil},
		{"many, one twice", placedWith(nine + `{"format_option_id":"mpu"},{"format_option_id":"mpu"}`),
			[]string{"warning placement.format_option_duplicate /format_options/10/format_option_id"}},
		{"extra unknown member", placedWith(`{"format_option_id": "mpu", "floor_price": 3}`), []string{"info placement.format_reference_extra" + at}},
		{"extra misspelt member", placedWith(`{"format_option_id": "mpu", "display_nam": "x"}`), []string{"warning file.misspelled_field" + at + "/display_nam"}},
		{"several extra members", placedWith(`{"format_option_id": "mpu", "aa1": 1, "bb2": 2, "cc3": 3, "dd4": 4, "ee5": 5, "ff6": 6}`),
			[]string{"info placement.format_reference_extra" + at}},
	})
}

// TestFormatOptionsDropped proves that consumers keep the placement and lose
// the faulty option.
func TestFormatOptionsDropped(t *testing.T) {
	t.Parallel()
	r := Check(Example(InPlacement, placedWith(`"mpu", {}, {"format_option_id": "sky"}, {"format_option_id": "mpu"}`)), Options{})
	if n := len(r.File.Placements); n != 2 {
		t.Fatalf("%d placements", n)
	}
	if o := r.File.Placements[1].FormatOptions; len(o) != 1 || o[0].OptionID != "mpu" {
		t.Errorf("%d options left", len(o))
	}
}

func TestFormatOptionLocale(t *testing.T) {
	t.Parallel()
	const (
		only = `"canonical_formats_only": true`
		en   = only + `, "locale_policy": {"accepted_language_ranges": ["en", "pt-BR"]}`
		at   = " /0/format_options/0/locale_policy"
		tags = at + "/accepted_language_ranges"
	)
	long := `"en"` + strings.Repeat(`, "en-x-a"`, 50)
	tests := []struct {
		name, format, reference string
		want                    []string
	}{
		{"same", en, localised(`"en"`), nil},
		{"narrower", en, localised(`"en-GB", "pt-BR"`), nil},
		{"wider", en, localised(`"pt"`), []string{"warning placement.locale_not_narrower" + tags + "/0"}},
		{"similar", en, localised(`"eng"`), []string{"warning placement.locale_not_narrower" + tags + "/0"}},
		{"format without policy", only, localised(`"fr"`), nil},
		{"not canonical", `"experimental": false`, localised(`"fr"`), []string{"warning placement.locale_v1_projection" + at}},
		{"wrong case", en, localised(`"en-gb"`), []string{"error placement.locale_policy_invalid" + tags + "/0"}},
		{"wildcard", en, localised(`"*"`), []string{"error placement.locale_policy_invalid" + tags + "/0"}},
		{"number", en, localised(`1`), []string{"error placement.locale_policy_invalid" + tags + "/0"}},
		{"none", en, localised(``), []string{"error placement.locale_policy_invalid" + tags}},
		{"twice", en, localised(`"en", "en"`), []string{"error placement.locale_policy_invalid" + tags + "/1"}},
		{"null", en, `{"format_option_id": "mpu", "locale_policy": null}`, []string{"error placement.locale_policy_invalid" + at}},
		{"unresolved", en, strings.Replace(localised(`"fr"`), "mpu", "sky", 1),
			[]string{"error placement.format_option_unresolved /0/format_options/0/format_option_id"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := foundUnder(Example(InTopLevel, catalogued(tt.format, tt.reference)), Options{}, "/placements")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
	for _, f := range Check(Example(InTopLevel, catalogued(en, localised(long))), Options{}).Findings {
		if f.Code == "placement.locale_not_narrower" {
			t.Error("a list over the limit is compared")
		}
	}
}

func TestFormatOptionScope(t *testing.T) {
	t.Parallel()
	file := func(applies, links string) string {
		return `{"authorized_agents":[],"properties":[
{"property_id":"a","property_type":"website","name":"A","identifiers":[{"type":"domain","value":"a.example.com"}],"tags":["x","y"]},
{"property_id":"b","property_type":"website","name":"B","identifiers":[{"type":"domain","value":"b.example.com"}],"tags":["z"]},
{"property_id":"gone","property_type":"website","name":"C","tags":["lost"]}],
"formats":[{"format_option_id":"mpu","format_kind":"image","params":{"width":300,"height":250},` + applies + `}],
"placements":[{"placement_id":"p","name":"P","description":"D",` + links + `,"format_options":[{"format_option_id":"mpu"}]}]}`
	}
	out := []string{"warning placement.format_option_out_of_scope /0/format_options/0/format_option_id"}
	tests := []struct {
		applies, links string
		want           []string
	}{
		{`"applies_to_property_ids":["a"]`, `"property_ids":["a"]`, nil},
		{`"applies_to_property_ids":["a"]`, `"property_ids":["b","a"]`, nil},
		{`"applies_to_property_ids":["a"]`, `"property_ids":["b"]`, out},
		{`"applies_to_property_ids":["a"]`, `"property_tags":["y"]`, nil},
		{`"applies_to_property_ids":["a"]`, `"property_tags":["z"]`, out},
		{`"applies_to_property_tags":["x"]`, `"property_tags":["y"]`, nil},
		{`"applies_to_property_tags":["x"]`, `"property_tags":["x"]`, nil},
		{`"applies_to_property_tags":["x"]`, `"property_tags":["z","z"]`, out},
		{`"applies_to_property_tags":["x"]`, `"property_ids":["b"],"property_tags":["y"]`, nil},
		{`"applies_to_property_ids":["b"],"applies_to_property_tags":["x"]`, `"property_ids":["b"]`, nil},
		{`"applies_to_property_ids":[]`, `"property_ids":["b"]`, nil},
		{`"applies_to_property_ids":["gone"]`, `"property_ids":["b"]`, out},
		{`"applies_to_property_ids":["nowhere"]`, `"property_ids":["b"]`, nil},
		{`"applies_to_property_ids":["a"]`, `"property_ids":["gone"]`, nil},
		{`"applies_to_property_ids":["a"]`, `"property_tags":["lost"]`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.applies+tt.links, func(t *testing.T) {
			t.Parallel()
			got := foundUnder([]byte(file(tt.applies, tt.links)), Options{}, "/placements")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestFormatOptionScopeIsBounded feeds the rule a file in which every
// placement would have to compare many properties with many formats.
func TestFormatOptionScopeIsBounded(t *testing.T) {
	t.Parallel()
	const n = 600
	var properties, formats, placements []string
	for i := range n {
		properties = append(properties, fmt.Sprintf(`{"property_id":"p%d","property_type":"website","name":"P","identifiers":[{"type":"domain","value":"p%d.example.com"}],"tags":["t"]}`, i, i))
		formats = append(formats, fmt.Sprintf(`{"format_option_id":"f%d","format_kind":"image","params":{"width":300,"height":250},"applies_to_property_tags":["u1","u2","u3","u4","u5","u6","u7","u8","u9"%s]}`, i, strings.Repeat(`,"u"`, 30)))
		placements = append(placements, fmt.Sprintf(`{"placement_id":"a%d","name":"A","description":"D","property_tags":["t"],"format_options":[{"format_option_id":"f%d"}]}`, i, i))
	}
	properties = append(properties, `{"property_id":"q","property_type":"website","name":"Q","identifiers":[{"type":"domain","value":"q.example.com"}],"tags":["u"]}`)
	src := fmt.Sprintf(`{"authorized_agents":[],"properties":[%s],"formats":[%s],"placements":[%s]}`,
		strings.Join(properties, ","), strings.Join(formats, ","), strings.Join(placements, ","))
	c := prepared(t, []byte(src))
	found := 0
	for i := range c.findings.list {
		if c.findings.list[i].rule.Code == "placement.format_option_out_of_scope" {
			found++
		}
	}
	if found == 0 || found >= n {
		t.Errorf("%d findings of %d, want some before the limit and none after it", found, n)
	}
}

// TestSimilarIsBounded proves that a file full of wrong references costs a
// bounded number of searches.
func TestSimilarIsBounded(t *testing.T) {
	t.Parallel()
	ids := strings.Repeat(`,"sitee"`, conform.MaxHints+10)
	r := Check(Example(InPlacement, placedOn(`"property_ids": ["site"`+ids+`]`)), Options{})
	guesses := 0
	for _, f := range r.Findings {
		if strings.HasPrefix(f.Hint, "did you mean") {
			guesses++
		}
	}
	if len(r.Findings) != conform.MaxHints+10 || guesses != conform.MaxHints {
		t.Errorf("%d findings, %d guesses", len(r.Findings), guesses)
	}
}
