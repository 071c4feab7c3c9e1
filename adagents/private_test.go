package adagents

import (
	"strings"
	"testing"
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
