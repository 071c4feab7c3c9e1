package adagents

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLooksPrivate(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"ad_unit", "ad_unit_id", "adUnitPath", "AdUnit", "adunitcode", "Ad-Unit-Code", "ad.unit", "gam_id", "GAMAdUnit", "gamNetwork",
		"dfp_path", "google_ad_manager", "googleAdManager", "freewheel", "freewheelSiteSection", "zone_id", "zoneId", "line_item_id",
		"lineItems", "order_id", "network_code", "networkCode", "ad_server", "adServerKey", "adserver", "delivery_mapping",
		"internal_id", "internalId", "private_notes", "seller_placement_id",
	} {
		if !looksPrivate(name) {
			t.Errorf("%q is not recognised", name)
		}
	}
	for _, name := range []string{
		"", "ad", "unit", "gam", "zone", "zone_ids_of_the_city", "order", "border_id", "network", "delivery", "internals", "private",
		"private_key", "privateKey", "private_key_pem", "placement_id", "game_genre", "ADUNI", strings.Repeat("a", 1000),
	} {
		if looksPrivate(name) {
			t.Errorf("%q is taken for private", name)
		}
	}
}

func TestIsAdUnitPath(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"/1234567/home", "/12345/a", "/123456789012/a/b/c", "/1234567,89/home"} {
		if !isAdUnitPath(s) {
			t.Errorf("%q is not recognised", s)
		}
	}
	for _, s := range []string{
		"", "/", "/1234567", "/1234567/", "1234567/home", "/2026/01", "/1234/abcdef", "/1234567890123/a", "/12345x/home",
		"/1234567,/home", "/1234567,x/home", "//1234567/home", "/news/1234567",
	} {
		if isAdUnitPath(s) {
			t.Errorf("%q is taken for a path", s)
		}
	}
}

func FuzzSnakeCase(f *testing.F) {
	for _, s := range []string{"adUnitPath", "GAMAdUnit", "Ad-Unit", "zone.id", "é", "A", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := snakeCase(s)
		if strings.ContainsAny(out, "ABCDEFGHIJKLMNOPQRSTUVWXYZ- .") {
			t.Errorf("snakeCase(%q) = %q", s, out)
		}
		if again := snakeCase(out); len(out) <= 64 && again != out {
			t.Errorf("snakeCase(%q) = %q, and then %q", s, out, again)
		}
	})
}

// TestPrivateEverywhere looks for private members in every part of a file, and for
// legitimate ones of the same names.
func TestPrivateEverywhere(t *testing.T) {
	t.Parallel()
	catalog := `{` + exampleHead + `,"contact":{"name":"Publisher"},"properties":[` + exampleProperty + `],` + exampleTags + `,` + exampleCatalog +
		`,"authorized_agents":[` + exampleAgent + `],"property_features":[` + exampleFeature + `]}`
	const (
		property = `"property_type":"website"`
		params   = `"width":300`
		daily    = `"name":"The Daily"`
	)
	for _, tt := range []struct {
		name, beside, members string
		want                  []string
	}{
		{"top level", `"catalog_etag":"v1"`, `"origin":"synced"`, []string{"error file.private_field /origin"}},
		{"contact", `"name":"Publisher"`, `"visibility":null`, []string{"error file.private_field /contact/visibility"}},
		{"property", property, `"source":"","delivery_mappings":[]`,
			[]string{"error file.private_field /properties/0/source", "error file.private_field /properties/0/delivery_mappings"}},
		{"identifier", `"value":"example.com"`, `"gamNetworkCode":1234567`,
			[]string{"warning file.private_field_suspected /properties/0/identifiers/0/gamNetworkCode"}},
		{"signal", `"value_type":"binary"`, `"source":"crm"`, []string{"error file.private_field /signals/0/source"}},
		{"tag", `"name":"News"`, `"origin":"synthetic"`, []string{"error file.private_field /tags/news/origin"}},
		{"agent", `"authorization_type":"property_ids"`, `"line_item_id":"7"`, []string{"warning file.private_field_suspected /authorized_agents/0/line_item_id"}},
		{"format", `"display_name":"MPU"`, `"ad_unit_path":"x"`, []string{"warning file.private_field_suspected /formats/0/ad_unit_path"}},
		{"ext", property, `"ext":{"source":"cms","gam_id":1}`, []string{"warning file.private_field_suspected /properties/0/ext/gam_id"}},
		{"ext of a collection", daily, `"ext":{"source":"cms","units":["/1234567/daily"]}`,
			[]string{"warning file.private_field_suspected /collections/0/ext/units/0"}},
		{"extension", daily, `"x_delivery":"/1234567/daily"`, []string{"warning file.private_field_suspected /collections/0/x_delivery"}},
		{"parameters", params, `"origin":"top"`, nil},
		{"key", `"kid":"k1"`, `"source":"hsm","internal_id":7`, nil},
		{"tag of such a name", `"signal_tags":{`, `"source":{"name":"Source","description":"By source"}`, nil},
		{"known", property, `"property_idd":1`, []string{"warning file.misspelled_field /properties/0/property_idd"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			with := tt.beside + "," + tt.members
			if strings.HasSuffix(tt.beside, "{") {
				with = tt.beside + tt.members + ","
			}
			src := strings.Replace(catalog, tt.beside, with, 1)
			if diff := cmp.Diff(tt.want, said(src, Options{}, "file")); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if r := Check([]byte(src), Options{}); r.File == nil || len(r.Skipped) > 0 {
				t.Errorf("file %v, skipped %v", r.File, r.Skipped)
			}
		})
	}
}
