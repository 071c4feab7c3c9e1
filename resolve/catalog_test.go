package resolve

import (
	"slices"
	"strings"
	"testing"
)

// catalogDocument is a file with placements and formats, and nobody who sells them:
// a catalog counts even so (D11.75).
func catalogDocument(t *testing.T, formats, options string) *Document {
	t.Helper()
	src := `{"properties": [
	  {"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "example.com"}], "tags": ["news"]},
	  {"property_id": "app", "property_type": "mobile_app", "name": "App", "identifiers": [{"type": "ios_bundle", "value": "a.b"}], "tags": ["mobile"]},
	  {"property_id": "far", "property_type": "website", "name": "Far", "identifiers": [{"type": "domain", "value": "example.org"}], "publisher_domain": "example.org"}],
	"placements": [{"placement_id": "top", "name": "Top", "property_ids": ["site"], "property_tags": ["mobile"], "channels": ["display"], "format_options": [` + options + `]},
	  {"placement_id": "bare", "name": "Bare", "property_ids": ["site"]}],
	"formats": [` + formats + `], "authorized_agents": []}`
	return &Document{Publisher: "example.com", State: Usable, File: testFile(t, src), Method: "direct", URL: testURL}
}

const (
	mpu    = `{"format_option_id": "mpu", "format_kind": "image", "display_name": "MPU", "params": {"width": 300, "height": 250}}`
	useMPU = `{"format_option_id": "mpu"}`
)

// TestFormats is about rules D11.70-73 and D11.75.
func TestFormats(t *testing.T) {
	t.Parallel()
	scoped := func(members string) string { return strings.TrimSuffix(mpu, "}") + ", " + members + "}" }
	for _, c := range []struct {
		name              string
		formats, options  string
		placement, on     string
		want              []string // "publisher/id kind name locales"
		codes             []string
		declared, pointer string
	}{
		{name: "a reference", formats: mpu, options: useMPU, placement: "top", on: "site", want: []string{"example.com/mpu image MPU "}, pointer: "/placements/0/format_options/0", declared: "/formats/0"},
		{name: "on any property", formats: mpu, options: useMPU, placement: "top", want: []string{"example.com/mpu image MPU "}},
		{name: "by a tag of the property", formats: mpu, options: useMPU, placement: "top", on: "app", want: []string{"example.com/mpu image MPU "}},
		{name: "in place", options: `{"format_kind": "image", "display_name": "Leaderboard", "params": {"width": 728, "height": 90}}`, placement: "top", on: "site",
			want: []string{"example.com/ image Leaderboard "}, pointer: "/placements/0/format_options/0", declared: "/placements/0/format_options/0"},
		{name: "no such placement", formats: mpu, options: useMPU, placement: "side", codes: []string{"placement.unknown"}},
		{name: "no options: what the file declares for the property", formats: mpu, options: useMPU, placement: "bare", want: []string{"example.com/mpu image MPU "}, pointer: "/formats/0", declared: "/formats/0"},
		{name: "no options, and a format for other properties", formats: scoped(`"applies_to_property_tags": ["mobile"]`), options: useMPU, placement: "bare"},
		{name: "no options, and a faulty format", formats: `{"format_option_id": "sky", "format_kind": "image"}`, options: useMPU, placement: "bare", codes: []string{"format.left_out"}},
		{name: "a faulty declaration before a good one", formats: `{"format_option_id": "mpu", "format_kind": "image"}, ` + mpu, options: useMPU, placement: "top", on: "site", codes: []string{"format.unresolved"}},
		{name: "channels that cannot be read", formats: scoped(`"applies_to_channels": 5`), options: useMPU, placement: "top", on: "site", codes: []string{"format.other_channel"}},
		{name: "languages that cannot be read", formats: scoped(`"canonical_formats_only": true, "locale_policy": {"accepted_language_ranges": 5}`), options: useMPU, placement: "top", on: "site", codes: []string{"format.no_locale"}},
		{name: "no such property", formats: mpu, options: useMPU, placement: "top", on: "radio", codes: []string{"property.unknown"}},
		{name: "another publisher's property", formats: mpu, options: useMPU, placement: "top", on: "far", codes: []string{"property.unknown"}},
		{name: "not on the property", formats: mpu, options: useMPU, placement: "bare", on: "app", codes: []string{"placement.elsewhere"}},
		{name: "D70 scope by id", formats: scoped(`"applies_to_property_ids": ["site"]`), options: useMPU, placement: "top", on: "site", want: []string{"example.com/mpu image MPU "}},
		{name: "D70 scope by tag", formats: scoped(`"applies_to_property_ids": ["site"], "applies_to_property_tags": ["mobile"]`), options: useMPU, placement: "top", on: "app", want: []string{"example.com/mpu image MPU "}},
		{name: "D70 out of scope", formats: scoped(`"applies_to_property_ids": ["site"]`), options: useMPU, placement: "top", on: "app", codes: []string{"format.not_on_property"}},
		{name: "channels differ", formats: scoped(`"applies_to_channels": ["olv"]`), options: useMPU, placement: "top", on: "site", codes: []string{"format.other_channel"}},
		{name: "channels agree", formats: scoped(`"applies_to_channels": ["olv", "display"]`), options: useMPU, placement: "top", on: "site", want: []string{"example.com/mpu image MPU "}},
		{name: "channels of an option", options: `{"format_kind": "image", "applies_to_channels": ["olv"], "params": {"width": 728, "height": 90}}`, placement: "top", on: "site", codes: []string{"format.other_channel"}},
		{name: "D71 a reference to nothing", formats: mpu, options: useMPU + `, {"format_option_id": "sky"}`, placement: "top", on: "site", want: []string{"example.com/mpu image MPU "}, codes: []string{"format.unresolved"}},
		{name: "D72 an override", formats: scoped(`"publisher_domain": "Formats.example.com"`), options: `{"format_option_id": "mpu", "display_name": "Our MPU"}`, placement: "top", on: "site", want: []string{"formats.example.com/mpu image Our MPU "}},
		{name: "D73 declared twice", formats: mpu + `, {"format_option_id": "mpu", "format_kind": "html5", "params": {"width": 1, "height": 1}}`, options: useMPU, placement: "top", on: "site",
			want: []string{"example.com/mpu image MPU "}, codes: []string{"format.declared_again"}},
		{name: "D74 languages are narrowed", formats: scoped(`"canonical_formats_only": true, "locale_policy": {"accepted_language_ranges": ["en", "de-AT"]}`),
			options: `{"format_option_id": "mpu", "locale_policy": {"accepted_language_ranges": ["en-GB", "de", "fr"]}}`, placement: "top", on: "site", want: []string{"example.com/mpu image MPU en-GB,de-AT"}},
		{name: "D74 no language left", formats: scoped(`"canonical_formats_only": true, "locale_policy": {"accepted_language_ranges": ["en"]}`),
			options: `{"format_option_id": "mpu", "locale_policy": {"accepted_language_ranges": ["fr", "eng"]}}`, placement: "top", on: "site", codes: []string{"format.no_locale"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			found := Formats(catalogDocument(t, c.formats, c.options), c.placement, c.on)
			got, reasons := found.Formats, found.Reasons
			var short []string
			for _, f := range got {
				short = append(short, f.PublisherDomain+"/"+f.OptionID+" "+f.Kind+" "+f.DisplayName+" "+strings.Join(f.Locales, ","))
			}
			if !slices.Equal(short, c.want) || !slices.Equal(codesOf(reasons), c.codes) {
				t.Fatalf("got %q %q, want %q %q", short, codesOf(reasons), c.want, c.codes)
			}
			if c.pointer != "" && (got[0].Pointer != c.pointer || got[0].Declaration != c.declared || got[0].URL != testURL || !got[0].Params.Has("width")) {
				t.Errorf("%+v", got[0])
			}
		})
	}
}

func TestFormatsWithoutFile(t *testing.T) {
	t.Parallel()
	for _, doc := range []*Document{nil, {Publisher: "example.com"}} {
		got := Formats(doc, "top", "")
		if got.Formats != nil || got.Placement != nil || !slices.Equal(codesOf(got.Reasons), []string{"file.unreachable"}) {
			t.Errorf("%+v", got)
		}
	}
}

// TestLimited: a catalog leaves the choice to a product only where it is certain that it
// says nothing about the placement.
func TestLimited(t *testing.T) {
	t.Parallel()
	const faulty = `{"format_option_id": "sky", "format_kind": "image"}`
	elsewhere := strings.TrimSuffix(mpu, "}") + `, "applies_to_property_ids": ["app"]}`
	for _, c := range []struct {
		name, formats, placement string
		want                     bool
	}{
		{"no formats at all", "", "bare", false},
		{"options", mpu, "top", true},
		{"options of which none can be used", "", "top", true},
		{"declared for the property", mpu, "bare", true},
		{"declared for others", elsewhere, "bare", false},
		{"faulty", faulty, "bare", true},
		{"faulty and for others", strings.TrimSuffix(faulty, "}") + `, "applies_to_property_ids": ["app"]}`, "bare", false},
	} {
		if got := Formats(catalogDocument(t, c.formats, useMPU), c.placement, ""); got.Limited != c.want || got.Placement == nil {
			t.Errorf("%s: limited is %t", c.name, got.Limited)
		}
	}
	doc := catalogDocument(t, elsewhere, useMPU)
	broken := strings.Replace(string(doc.File.Raw.Tree().Source()), `"property_id": "far", "property_type"`, `"property_id": "far", "property_kind"`, 1)
	doc.File = testFile(t, broken)
	if got := Formats(doc, "bare", ""); !got.Limited || !slices.Equal(codesOf(got.Reasons), []string{"format.scope_unknown"}) {
		t.Errorf("beside a faulty property: %+v", got)
	}
}

func TestFormatsOfAll(t *testing.T) {
	t.Parallel()
	doc := catalogDocument(t, mpu+", "+strings.Replace(mpu, `"mpu"`, `"wide"`, 1)+", "+mpu, useMPU)
	all, err := FormatsOfAll(doc)
	if err != nil || len(all) != 2 || len(all[0].Formats) != 1 || len(all[1].Formats) != 2 {
		t.Errorf("%+v %v", all, err)
	}
	if got := DeclaredFormats(doc); len(got) != 2 || got[0].OptionID != "mpu" || got[1].OptionID != "wide" {
		t.Errorf("%+v", got)
	}
	all, err = FormatsOfAll(nil)
	if err != nil || all != nil || DeclaredFormats(nil) != nil {
		t.Errorf("%+v %v", all, err)
	}
}
