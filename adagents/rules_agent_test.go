package adagents

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// outcomes lists findings as "severity code pointer", with the effect behind
// them when there is one.
func outcomes(src []byte, opt Options) []string {
	var out []string
	for _, f := range Check(src, opt).Findings {
		line := fmt.Sprintf("%s %s %s", f.Severity, f.Code, f.Pointer)
		if f.Effect != NoEffect {
			line += " (" + f.Effect.String() + ")"
		}
		out = append(out, line)
	}
	return out
}

// agentCase is one entry in the file of InAgent, where it stands second.
type agentCase struct {
	name  string
	entry string
	opt   Options
	want  []string // with the entry's own pointer left out
}

func checkAgentCases(t *testing.T, cases []agentCase) {
	t.Helper()
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := outcomes(Example(InAgent, tc.entry), tc.opt)
			for i := range got {
				got[i] = strings.Replace(got[i], "/authorized_agents/1", "", 1)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// seller is an entry in good order with further members.
func seller(members string) string { return sellerOfSite + ",\n" + members + "\n}" }

// entryOf is an entry of the given type with further members.
func entryOf(typ, members string) string {
	return `{"url": "https://seller.example/mcp", "authorized_for": "Things", "authorization_type": "` + typ + `"` + members + `}`
}

func TestAgentURL(t *testing.T) {
	t.Parallel()
	tests := map[string][]string{
		"https://seller.example":               {"warning agent.url_origin /url"},
		"https://seller.example/":              {"warning agent.url_origin /url"},
		"https://seller.example/a/@b":          nil,
		"https://seller.example:8443/mcp?x=1":  nil,
		"https://xn--bcher-kva.example/mcp":    nil,
		"https://8.8.8.8/mcp":                  nil,
		"":                                     {"error agent.url_missing /url (skip entry)"},
		"  ":                                   {"error agent.url_missing /url (skip entry)"},
		"*":                                    {"error agent.url_wildcard /url (authorizes nothing)"},
		"https:///mcp":                         {"error agent.url_invalid /url (skip entry)"},
		"https://:443/mcp":                     {"error agent.url_invalid /url (skip entry)"},
		"https://[::1/mcp":                     {"error agent.url_invalid /url (skip entry)"},
		"https://seller..example/mcp":          {"error agent.url_invalid /url (skip entry)"},
		"https://seller.example/mcp page":      {"error agent.url_invalid /url (skip entry)"},
		"mailto:sales@seller.example":          {"error agent.url_invalid /url (skip entry)"},
		"http://seller.example/mcp":            {"error agent.url_not_https /url (authorizes nothing)"},
		"wss://seller.example/mcp":             {"error agent.url_not_https /url (authorizes nothing)"},
		"https://u:pw@seller.example/mcp":      {"error agent.url_userinfo /url (authorizes nothing)"},
		"https://seller.example/mcp#a":         {"warning agent.url_fragment /url"},
		"https://seller.example/mcp?":          {"warning agent.url_empty_query /url"},
		"HTTPS://seller.example/mcp":           {"info agent.url_noncanonical /url"},
		"https://seller.example./mcp":          {"info agent.url_noncanonical /url"},
		"https://seller.example/a/../mcp":      {"info agent.url_noncanonical /url"},
		"https://seller.example/%7emcp":        {"info agent.url_noncanonical /url"},
		"https://localhost/mcp":                {"warning agent.url_unroutable /url"},
		"https://intranet/mcp":                 {"warning agent.url_unroutable /url"},
		"https://agent.internal/mcp":           {"warning agent.url_unroutable /url"},
		"https://127.0.0.1/mcp":                {"warning agent.url_unroutable /url"},
		"https://[fd00::1]/mcp":                {"warning agent.url_unroutable /url"},
		"http://u:pw@10.0.0.1/mcp#a":           {"error agent.url_not_https /url (authorizes nothing)", "error agent.url_userinfo /url (authorizes nothing)", "warning agent.url_fragment /url"},
		"https://agent.example/" + "mcp%2Fsub": nil,
	}
	var cases []agentCase
	for url, want := range tests {
		cases = append(cases, agentCase{name: url, entry: badURL(url), want: want})
	}
	cases = append(cases,
		agentCase{"null", strings.Replace(badURL("§"), `"§"`, "null", 1), Options{}, []string{"error agent.url_invalid /url (skip entry)"}},
		agentCase{"number", strings.Replace(badURL("§"), `"§"`, "1", 1), Options{}, []string{"error agent.url_invalid /url (skip entry)"}},
	)
	checkAgentCases(t, cases)
}

// TestCredentialsStayHidden looks for a password in everything a report says.
func TestCredentialsStayHidden(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"https://user:hunter2@seller.example/mcp", "http://user:hunter2@seller.example/mcp#x",
		"https://user:hunter2@/mcp", "https://user:hunter2@seller..example/mcp", "https://*:hunter2@seller.example",
		"user:hunter2@seller.example/mcp", "https://user:hun/ter2@seller.example/mcp", "https://user:hunter2@*.seller.example/",
	} {
		r := Check(Example(InAgent, badURL(url)), Options{})
		if len(r.Findings) == 0 {
			t.Errorf("%s: no finding", url)
		}
		for _, f := range r.Findings {
			if strings.Contains(f.Message+f.Hint, "ter2") {
				t.Errorf("%s: %s (%s)", url, f.Message, f.Hint)
			}
		}
	}
}

func TestAgentHints(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		badURL("seller.example/mcp"):                                                                  "write https://seller.example/mcp",
		badURL("//seller.example/mcp"):                                                                "write https://seller.example/mcp",
		badURL("seller"):                                                                              "write an absolute URL with a host, for example https://agent.example/mcp",
		badURL("http://seller.example/mcp"):                                                           "write https://seller.example/mcp",
		entryOf("propertyids", `, "property_ids": ["site"]`):                                          `did you mean "property_ids"?`,
		entryOf("property_ids", `, "property_ids": ["sitee"]`):                                        `did you mean "site"?`,
		entryOf("property_tags", `, "property_tags": ["newss"]`):                                      `did you mean "news"?`,
		entryOf("property_tags", `, "property_tags": ["all"]`):                                        `add the tag "all" to the properties that are meant`,
		seller(`"placement_ids": ["home_topp"]`):                                                      `did you mean "home_top"?`,
		seller(`"countries": ["US", "us"]`):                                                           "write US",
		seller(`"countries": ["US", "UK"]`):                                                           "the assigned code of the United Kingdom is GB",
		seller(`"effective_from": "2026-01-02"`):                                                      "add a time and offset, for example 2026-01-02T00:00:00Z",
		`{"url": "https://seller.example/mcp", "authorized_for": "Things", "property_ids": ["site"]}`: `add "authorization_type": "property_ids"`,
		`{"url": "https://seller.example/mcp", "authorized_for": "Things"}`:                           "write one of property_ids, property_tags, inline_properties, publisher_properties, signal_ids, signal_tags and the selector of that name",
		`{"url": "https://seller.example/mcp", "authorized_for": "Things", "property_ids": ["site"], "property_tags": ["news"]}`: "name the selector to use: property_ids, property_tags, inline_properties, publisher_properties, signal_ids, signal_tags",
		entryOf("property_ids", `, "property_ids": ["Site"]`):                                                                    `did you mean "site"?`,
	}
	for entry, want := range tests {
		findings := Check(Example(InAgent, entry), Options{}).Findings
		if !slices.ContainsFunc(findings, func(f Finding) bool { return f.Hint == want }) {
			t.Errorf("%s: no hint %q in %v", entry, want, hintsOf(findings))
		}
	}
}

func hintsOf(findings []Finding) []string {
	var hints []string
	for _, f := range findings {
		hints = append(hints, f.Code+": "+f.Hint)
	}
	return hints
}

func TestAgentEntry(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", maxAuthorizedFor)
	describe := func(text string) string {
		return strings.Replace(sellerOfSite, `"Display on the site"`, text, 1) + "}"
	}
	checkAgentCases(t, []agentCase{
		{"null entry", `null`, Options{}, []string{"error agent.not_object  (skip entry)"}},
		{"description at the limit", describe(`"` + long + `"`), Options{}, nil},
		{"description above it", describe(`"` + long + `é"`), Options{}, []string{"error agent.authorized_for_length /authorized_for"}},
		{"blank description", describe(`" \t"`), Options{}, []string{"error agent.authorized_for_missing /authorized_for"}},
		{"null description", describe(`null`), Options{}, []string{"error agent.authorized_for_missing /authorized_for"}},
		{"null type", `{"url": "https://seller.example/mcp", "authorized_for": "x", "authorization_type": null, "property_ids": ["site"]}`, Options{}, []string{"error agent.type_unknown /authorization_type (authorizes nothing)"}},
		{"number type", `{"url": "https://seller.example/mcp", "authorized_for": "x", "authorization_type": 1, "property_ids": ["site"]}`, Options{}, []string{"error agent.type_unknown /authorization_type (authorizes nothing)"}},
		{"empty type", entryOf("", `, "property_ids": ["site"]`), Options{}, []string{"error agent.type_missing /authorization_type (authorizes nothing)"}},
		{"same time as the file", seller(`"last_updated": "2026-01-02T01:00:00+01:00"`), Options{}, nil},
		{"a second later", seller(`"last_updated": "2026-01-02T00:00:01Z"`), Options{}, []string{"warning agent.last_updated_newer /last_updated"}},
	})
}

func TestAgentSelectors(t *testing.T) {
	t.Parallel()
	strict := Options{Profile: Strict}
	checkAgentCases(t, []agentCase{
		{"null", entryOf("property_ids", `, "property_ids": null`), Options{}, []string{"error agent.selector_missing /property_ids (authorizes nothing)"}},
		{"object", entryOf("signal_tags", `, "signal_tags": {}`), Options{}, []string{"error agent.selector_missing /signal_tags (authorizes nothing)"}},
		{"publisher selectors missing", entryOf("publisher_properties", ``), Options{}, []string{"error agent.selector_missing /publisher_properties (authorizes nothing)"}},
		{"inline missing", entryOf("inline_properties", ``), Options{}, []string{"error agent.selector_missing /properties (authorizes nothing)"}},
		{"inline empty", entryOf("inline_properties", `, "properties": []`), Options{}, []string{"error agent.selector_empty /properties (authorizes nothing)"}},
		{"inline under the other name, null", entryOf("inline_properties", `, "inline_properties": null`), Options{}, []string{"error agent.inline_properties_field /inline_properties (authorizes nothing)"}},
		{"other name on another type", seller(`"inline_properties": []`), Options{}, []string{"warning agent.selector_ignored /inline_properties"}},
		{"several ignored", seller(`"signal_ids": ["auto_intender"], "properties": []`), Options{}, []string{"warning agent.selector_ignored /signal_ids", "warning agent.selector_ignored /properties"}},
		{"items", entryOf("property_ids", `, "property_ids": ["site", null, "", " ", {}]`), Options{}, []string{
			"error agent.selector_item_type /property_ids/1 (drop reference)", "error agent.selector_item_type /property_ids/2 (drop reference)",
			"error agent.selector_item_type /property_ids/3 (drop reference)", "error agent.selector_item_type /property_ids/4 (drop reference)",
		}},
		{"pattern", entryOf("property_tags", `, "property_tags": ["news", "scope3-aee"]`), Options{}, []string{"warning agent.selector_item_pattern /property_tags/1 (drop reference)"}},
		{"pattern strict", entryOf("property_tags", `, "property_tags": ["news", "scope3-aee"]`), strict, []string{"error agent.selector_item_pattern /property_tags/1 (drop reference)"}},
		{"signal tag pattern", entryOf("signal_tags", `, "signal_tags": ["auto", "A"]`), Options{}, []string{"warning agent.selector_item_pattern /signal_tags/1 (drop reference)"}},
		{"duplicates", entryOf("property_ids", `, "property_ids": ["site", "site", "site"], "placement_tags": ["premium", "premium"], "placement_ids": ["home_top", "home_top"]`), Options{}, []string{
			"warning agent.selector_item_duplicate /property_ids/1", "warning agent.selector_item_duplicate /property_ids/2",
			"warning agent.selector_item_duplicate /placement_tags/1", "warning agent.selector_item_duplicate /placement_ids/1",
		}},
		{"duplicates strict", seller(`"placement_tags": ["premium", "premium"]`), strict, []string{"error agent.selector_item_duplicate /placement_tags/1"}},
		{"many items", entryOf("property_ids", `, "property_ids": [`+strings.Repeat(`1, `, few)+`"site", "site"]`), Options{}, manyItems()},
	})
}

func manyItems() []string {
	var out []string
	for i := range few {
		out = append(out, fmt.Sprintf("error agent.selector_item_type /property_ids/%d (drop reference)", i))
	}
	return append(out, fmt.Sprintf("warning agent.selector_item_duplicate /property_ids/%d", few+1))
}

func TestAgentQualifiers(t *testing.T) {
	t.Parallel()
	signals := func(members string) string {
		return entryOf("signal_ids", `, "signal_ids": ["auto_intender"], `+members)
	}
	checkAgentCases(t, []agentCase{
		{"null countries", seller(`"countries": null`), Options{}, []string{"error agent.qualifier_type /countries (authorizes nothing)"}},
		{"object collections", seller(`"collections": {}`), Options{}, []string{"error agent.qualifier_type /collections (authorizes nothing)"}},
		{"number window", seller(`"effective_until": 1767225600`), Options{}, []string{"error agent.qualifier_type /effective_until (authorizes nothing)"}},
		{"on a signal entry too", signals(`"countries": "US"`), Options{}, []string{"error agent.qualifier_type /countries (authorizes nothing)"}},
		{"items", seller(`"placement_ids": ["home_top", 1], "placement_tags": ["premium", null]`), Options{}, []string{
			"error agent.qualifier_type /placement_ids/1 (drop reference)", "error agent.qualifier_type /placement_tags/1 (drop reference)",
		}},
		{"empty lists", seller(`"collections": [], "placement_ids": [], "placement_tags": [], "countries": []`), Options{}, []string{
			"error agent.qualifier_empty /collections (authorizes nothing)", "error agent.qualifier_empty /placement_ids (authorizes nothing)",
			"error agent.qualifier_empty /placement_tags (authorizes nothing)", "error agent.qualifier_empty /countries (authorizes nothing)",
		}},
		{"not for signals", signals(`"placement_tags": ["nowhere"], "collections": [{"publisher_domain": "example.com", "collection_ids": ["daily"]}]`), Options{}, []string{
			"warning agent.qualifier_not_applicable /placement_tags", "warning agent.qualifier_not_applicable /collections",
		}},
		{"null delegation", seller(`"delegation_type": null`), Options{}, []string{"error agent.delegation_type_unknown /delegation_type"}},
		{"empty delegation", seller(`"delegation_type": ""`), Options{}, []string{"error agent.delegation_type_unknown /delegation_type"}},
		{"network", seller(`"delegation_type": "ad_network"`), Options{}, nil},
		{"null exclusive", seller(`"exclusive": null`), Options{}, []string{"error agent.exclusive_type /exclusive"}},
	})
}

func TestAgentCountries(t *testing.T) {
	t.Parallel()
	checkAgentCases(t, []agentCase{
		{"one bad of two", seller(`"countries": ["DE", "fr"]`), Options{}, []string{"error agent.country_invalid /countries/1 (drop reference)"}},
		{"none left", seller(`"countries": ["de", 1, "Germany", "DEU"]`), Options{}, []string{
			"error agent.country_invalid /countries/0 (authorizes nothing)", "error agent.country_invalid /countries/1 (authorizes nothing)",
			"error agent.country_invalid /countries/2 (authorizes nothing)", "error agent.country_invalid /countries/3 (authorizes nothing)",
		}},
		{"unassigned counts as left", seller(`"countries": ["XK", "de"]`), Options{}, []string{"warning agent.country_unassigned /countries/0", "error agent.country_invalid /countries/1 (drop reference)"}},
		{"regions", seller(`"countries": ["US", "EMEA", "latam", "WW", "Global", "APAC"]`), Options{}, []string{
			"error agent.country_regional /countries/1 (drop reference)", "error agent.country_regional /countries/2 (drop reference)", "error agent.country_regional /countries/3 (drop reference)",
			"error agent.country_regional /countries/4 (drop reference)", "error agent.country_regional /countries/5 (drop reference)",
		}},
		{"regions only", seller(`"countries": ["EMEA"]`), Options{}, []string{"error agent.country_regional /countries/0 (authorizes nothing)"}},
		{"two-letter regions", seller(`"countries": ["EU", "AP"]`), Options{}, []string{"error agent.country_regional /countries/0 (authorizes nothing)", "error agent.country_regional /countries/1 (authorizes nothing)"}},
		{"reserved codes", seller(`"countries": ["UK", "EL"]`), Options{}, []string{"warning agent.country_unassigned /countries/0", "warning agent.country_unassigned /countries/1"}},
		{"duplicate", seller(`"countries": ["DE", "FR", "DE"]`), Options{}, []string{"warning agent.country_duplicate /countries/2"}},
		{"duplicate strict", seller(`"countries": ["DE", "FR", "DE"]`), Options{Profile: Strict}, []string{"error agent.country_duplicate /countries/2"}},
	})
}

func TestAgentWindow(t *testing.T) {
	t.Parallel()
	now := Options{Now: time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)}
	between := func(from, until string) string {
		return seller(`"effective_from": "` + from + `", "effective_until": "` + until + `"`)
	}
	checkAgentCases(t, []agentCase{
		{"no offset", seller(`"effective_until": "2026-01-02T00:00:00"`), Options{}, []string{"error agent.window_invalid /effective_until (authorizes nothing)"}},
		{"empty", seller(`"effective_until": ""`), Options{}, []string{"error agent.window_invalid /effective_until (authorizes nothing)"}},
		{"no such day", seller(`"effective_from": "2026-02-30T00:00:00Z"`), Options{}, []string{"error agent.window_invalid /effective_from (authorizes nothing)"}},
		{"lower case and leap second", between("2026-01-01t00:00:00z", "2026-12-31T23:59:60Z"), Options{}, nil},
		{"inverted as instants", between("2026-01-01T00:00:00Z", "2026-01-01T00:30:00+01:00"), Options{}, []string{"error agent.window_inverted /effective_until (authorizes nothing)"}},
		{"in order as instants", between("2026-01-01T00:30:00+01:00", "2026-01-01T00:00:00Z"), Options{}, nil},
		{"zero as instants", between("2026-01-01T01:00:00+01:00", "2026-01-01T00:00:00Z"), Options{}, []string{"warning agent.window_zero /effective_until"}},
		{"inverted is not expired too", between("2027-01-01T00:00:00Z", "2026-01-01T00:00:00Z"), now, []string{"error agent.window_inverted /effective_until (authorizes nothing)"}},
		{"ends now", seller(`"effective_until": "2026-06-15T12:00:00Z"`), now, []string{"warning window.ends_soon /effective_until"}},
		{"ended a second ago", seller(`"effective_until": "2026-06-15T11:59:59Z"`), now, []string{"warning agent.window_expired /effective_until (authorizes nothing)"}},
		{"starts now", seller(`"effective_from": "2026-06-15T12:00:00Z"`), now, nil},
		{"starts in a second", seller(`"effective_from": "2026-06-15T12:00:01Z"`), now, []string{"info agent.window_future /effective_from"}},
		{"time not given", seller(`"effective_until": "2020-01-01T00:00:00Z"`), Options{}, nil},
	})
}

func TestEndsSoon(t *testing.T) {
	t.Parallel()
	now := Options{Now: time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)}
	later := now
	later.Lead = 60 * 24 * time.Hour
	key := func(at string) string {
		return seller(`"signing_keys": [{"kid": "k0", "kty": "OKP", "crv": "Ed25519", "x": "` + otherKeyX + `", "revoked_at": "` + at + `"}]`)
	}
	checkAgentCases(t, []agentCase{
		{"now", seller(`"effective_until": "2026-06-15T12:00:00Z"`), now, []string{"warning window.ends_soon /effective_until"}},
		{"in three days", seller(`"effective_until": "2026-06-18T12:00:00Z"`), now, []string{"warning window.ends_soon /effective_until"}},
		{"in four days", seller(`"effective_until": "2026-06-19T12:00:00Z"`), now, []string{"info window.ends_soon /effective_until"}},
		{"in two weeks", seller(`"effective_until": "2026-06-29T12:00:00Z"`), now, []string{"info window.ends_soon /effective_until"}},
		{"later", seller(`"effective_until": "2026-06-29T12:00:01Z"`), now, nil},
		{"with another lead", seller(`"effective_until": "2026-06-29T12:00:01Z"`), later, []string{"info window.ends_soon /effective_until"}},
		{"the present is not known", seller(`"effective_until": "2026-06-29T12:00:00Z"`), Options{}, nil},
		{"a key", key("2026-06-25T00:00:00Z"), now, []string{"info signing_key.ends_soon /signing_keys/0/revoked_at"}},
		{"a key tomorrow", key("2026-06-16T00:00:00Z"), now, []string{"warning signing_key.ends_soon /signing_keys/0/revoked_at"}},
		{"a revoked key", key("2026-06-15T11:00:00Z"), now, []string{"warning signing_key.revoked /signing_keys/0/revoked_at"}},
	})
}

func TestSigningKeysMissing(t *testing.T) {
	t.Parallel()
	const pinned = `{"url": "https://agent.example/mcp", "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["site"], "signing_keys": [` + exampleKey + `]}`
	const useless = "error agent.signing_keys_missing /authorized_agents/0/signing_keys"
	writes := []string{"create_media_buy"}
	key := func(more string) string {
		return `"signing_keys": [{"kid": "k1", "kty": "OKP", "crv": "Ed25519", "x": "` + otherKeyX + `", ` + more + `}]`
	}
	for _, tc := range []struct {
		name   string
		entry  string
		scopes []string
		want   []string
	}{
		{"property entry", sellerOfSite + "}", nil, []string{"warning agent.signing_keys_missing /authorized_agents/0/signing_keys"}},
		{"read-only tasks", sellerOfSite + "}", []string{"get_products"}, nil},
		{"mutating task", sellerOfSite + "}", []string{"get_products", "sync_creatives"}, []string{"error agent.signing_keys_missing /authorized_agents/0/signing_keys"}},
		{"signal entry", entryOf("signal_ids", `, "signal_ids": ["auto_intender"]`), nil, []string{"info agent.signing_keys_missing /authorized_agents/0/signing_keys"}},
		{"null keys", seller(`"signing_keys": null`), nil, []string{"error signing_keys.type /authorized_agents/0/signing_keys"}},
		{"null keys and a mutating task", seller(`"signing_keys": null`), writes, []string{"error signing_keys.type /authorized_agents/0/signing_keys"}},
		{"a key of no use", seller(key(`"use": "other"`)), nil, []string{"warning signing_key.use_invalid /authorized_agents/0/signing_keys/0/use"}},
		{"a key of no use and a mutating task", seller(key(`"use": "other"`)), writes, []string{useless, "warning signing_key.use_invalid /authorized_agents/0/signing_keys/0/use"}},
		{"a discouraged key and a mutating task", seller(key(`"alg": "Ed25519"`)), writes, []string{useless, "warning signing_key.alg_mismatch /authorized_agents/0/signing_keys/0/alg"}},
		{"a revoked key and a mutating task", seller(key(`"revoked_at": "2026-01-01T00:00:00Z"`)), writes, []string{useless, "warning signing_key.revoked /authorized_agents/0/signing_keys/0/revoked_at"}},
		{"a key that verifies and a mutating task", seller(key(`"key_ops": ["verify", "sign"]`)), writes, []string{"warning signing_key.key_ops_invalid /authorized_agents/0/signing_keys/0/key_ops"}},
	} {
		got := outcomes(Example(InAgents, "["+tc.entry+","+pinned+"]"), Options{Scopes: tc.scopes})
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestBrandRelationships(t *testing.T) {
	t.Parallel()
	says := func(relation string) Options {
		return Options{Relationships: map[string]string{"HTTPS://Seller.example:443/mcp": relation, "no URL": "owned"}}
	}
	silent := Options{Relationships: map[string]string{}}
	const mismatch, incomplete = "warning brand.relationship_mismatch /delegation_type", "info brand.relationship_incomplete /delegation_type"
	checkAgentCases(t, []agentCase{
		{"equal", seller(`"delegation_type": "ad_network"`), says("ad_network"), nil},
		{"owned is not compared", seller(`"delegation_type": "delegated"`), says("owned"), nil},
		{"direct and delegated", seller(`"delegation_type": "delegated"`), says("direct"), []string{mismatch}},
		{"network and delegated", seller(`"delegation_type": "delegated"`), says("ad_network"), []string{mismatch}},
		{"unknown type is another finding", seller(`"delegation_type": "x"`), says("direct"), []string{"error agent.delegation_type_unknown /delegation_type"}},
		{"publisher silent", sellerOfSite + "}", says("ad_network"), []string{incomplete}},
		{"publisher silent on a direct path", sellerOfSite + "}", says("direct"), nil},
		{"operator silent", seller(`"delegation_type": "delegated"`), silent, []string{incomplete}},
		{"operator silent on a direct path", seller(`"delegation_type": "direct"`), silent, nil},
		{"nobody asked", seller(`"delegation_type": "delegated"`), Options{}, nil},
	})
}

// TestScopes checks which tasks ask for pinned keys.
func TestScopes(t *testing.T) {
	t.Parallel()
	src := strings.Replace(exampleInline, `,"signing_keys":[`+exampleKey+`]`, "", 1)
	for _, tt := range []struct {
		scopes []string
		want   string
	}{
		{nil, "warning the entry pins no signing keys"},
		{[]string{"get_products", "get_adcp_capabilities"}, ""},
		{[]string{"get_products", "create_media_buy"}, "error the entry pins no signing keys"},
		{[]string{"paint_house"}, `error the entry pins no signing keys; the task "paint_house" is not known and is taken for one that changes something`},
		{[]string{"paint_house", "sync_creatives"}, "error the entry pins no signing keys"},
	} {
		got := ""
		for _, f := range Check([]byte(src), Options{Scopes: tt.scopes}).Findings {
			if f.Code == "agent.signing_keys_missing" {
				got += f.Severity.String() + " " + f.Message
			}
		}
		if got != tt.want {
			t.Errorf("%v: %q, want %q", tt.scopes, got, tt.want)
		}
	}
}
