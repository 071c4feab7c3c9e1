package adagents

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// outline returns the findings of a file as "severity code pointer".
func outline(src []byte, opt Options) []string {
	var lines []string
	for _, f := range Check(src, opt).Findings {
		lines = append(lines, f.Severity.String()+" "+f.Code+" "+f.Pointer)
	}
	return lines
}

const identifierAt = "/properties/1/identifiers/2"

func identifierJSON(typ, value string) string {
	return fmt.Sprintf(`{"type": %q, "value": %q}`, typ, value)
}

func TestIdentifierValues(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		typ, value string
		want       string // severity and code, or nothing
	}{
		{"domain", "example.org", ""},
		{"domain", "*.example.org", ""},
		{"domain", "*.news.example.org", ""},
		{"domain", "xn--bcher-kva.example.org", ""},
		{"domain", "bücher.example.org", "warning identifier.domain_syntax"},
		{"domain", "EXAMPLE.org", "warning identifier.domain_syntax"},
		{"domain", "*.EXAMPLE.org", "warning identifier.domain_syntax"},
		{"domain", "example.org.", "warning identifier.domain_syntax"},
		{"domain", " example.org", "warning identifier.domain_syntax"},
		{"domain", "https://example.org/a", "warning identifier.domain_syntax"},
		{"domain", "example.org:8080", "warning identifier.domain_syntax"},
		{"domain", "user@example.org", "warning identifier.domain_syntax"},
		{"domain", "a_b.example.org", "warning identifier.domain_syntax"},
		{"domain", "localhost", "warning identifier.domain_syntax"},
		{"domain", "192.0.2.1", "warning identifier.domain_syntax"},
		{"domain", "*.192.0.2.1", "warning identifier.domain_syntax"},
		{"domain", strings.Repeat("a", 64) + ".org", "warning identifier.domain_syntax"},
		{"domain", strings.Repeat("abcdefg.", 32) + "org", "warning identifier.domain_syntax"},
		{"domain", "*", "error identifier.wildcard_position"},
		{"domain", "*.", "error identifier.wildcard_position"},
		{"domain", "*example.org", "error identifier.wildcard_position"},
		{"domain", "www.*.org", "error identifier.wildcard_position"},
		{"domain", "*.*.example.org", "error identifier.wildcard_position"},
		{"domain", "https://*.example.org", "error identifier.wildcard_position"},
		{"subdomain", "a*.example.org", "error identifier.wildcard_position"},
		{"domain", "*.org", "error identifier.wildcard_public_suffix"},
		{"domain", "*.ORG", "error identifier.wildcard_public_suffix"},
		{"domain", "*.co.uk", "error identifier.wildcard_public_suffix"},
		{"domain", "*.github.io", "error identifier.wildcard_public_suffix"},
		{"subdomain", "*.github.io", "error identifier.wildcard_public_suffix"},
		{"domain", "co.uk", "warning identifier.public_suffix"},
		{"subdomain", "github.io", "warning identifier.public_suffix"},
		{"subdomain", "www.example.org", ""},
		{"subdomain", "example.org", "warning identifier.subdomain_not_subdomain"},
		{"subdomain", "*.example.org", "warning identifier.subdomain_not_subdomain"},
		{"subdomain", "example.co.uk", "warning identifier.subdomain_not_subdomain"},
		{"ios_bundle", "com.example.App-2", ""},
		{"ios_bundle", "com.example.a_b", "warning identifier.app_syntax"},
		{"ios_bundle", "com..example", "warning identifier.app_syntax"},
		{"ios_bundle", "com.example.", "warning identifier.app_syntax"},
		{"ios_bundle", "example", "warning identifier.app_syntax"},
		{"apple_tv_bundle", "com.example.tv", ""},
		{"bundle_id", "com.example.a_b", ""},
		{"bundle_id", "1.2.3", "warning identifier.app_syntax"},
		{"android_package", "com.example.a_b", ""},
		{"android_package", "com.example.2b", "warning identifier.app_syntax"},
		{"android_package", "com.example.a-b", "warning identifier.app_syntax"},
		{"google_play_id", "com.example.app", ""},
		{"apple_app_store_id", "284882215", ""},
		{"apple_app_store_id", "id284882215", "warning identifier.app_syntax"},
		{"apple_podcast_id", "1200361736", ""},
		{"apple_podcast_id", "the-daily", "warning identifier.app_syntax"},
		{"roku_store_id", "41468", ""},
		{"roku_store_id", "dev", "warning identifier.app_syntax"},
		{"fire_tv_asin", "B00KDSGIPK", ""},
		{"fire_tv_asin", "B00KDSGIP", "warning identifier.app_syntax"},
		{"podcast_guid", "9b024349-ccf0-5f69-a609-6b82873eab3c", ""},
		{"podcast_guid", "9b024349ccf05f69a6096b82873eab3c", "warning identifier.app_syntax"},
		{"podcast_guid", "9b024349-ccf0-5f69-a609-6b82873eab3g", "warning identifier.app_syntax"},
		{"rss_url", "https://example.org/feed.xml", ""},
		{"rss_url", "http://example.org", ""},
		{"rss_url", "https://Example.org/a%20b?c#d", ""},
		{"rss_url", "feed://example.org/feed.xml", "warning identifier.app_syntax"},
		{"rss_url", "example.org/feed.xml", "warning identifier.app_syntax"},
		{"facility_id", "fcc:73953", ""},
		{"facility_id", "fc:73953", "info identifier.app_syntax"},
		{"facility_id", "elsewhere:73953", "info identifier.app_syntax"},
		{"facility_id", "73953", "warning identifier.app_syntax"},
		{"facility_id", "fcc:", "warning identifier.app_syntax"},
		{"station_id", "anything goes", ""},
		{"made_up", "anything", "warning identifier.type_unknown"},
		{"Domain", "example.org", "warning identifier.type_unknown"},
		{"domain", " ", "error identifier.value_missing"},
		{"", "example.org", "error identifier.type_missing"},
	} {
		t.Run(test.typ+" "+test.value, func(t *testing.T) {
			t.Parallel()
			var want []string
			if test.want != "" {
				at := "/value"
				if strings.Contains(test.want, ".type_") {
					at = "/type"
				}
				want = []string{test.want + " " + identifierAt + at}
			}
			got := outline(Example(InIdentifier, identifierJSON(test.typ, test.value)), Options{})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestIdentifierShapes(t *testing.T) {
	t.Parallel()
	for fragment, want := range map[string]string{
		`null`:                                   "error identifier.not_object " + identifierAt,
		`["domain", "example.org"]`:              "error identifier.not_object " + identifierAt,
		`{"type": "domain"}`:                     "error identifier.value_missing " + identifierAt + "/value",
		`{"type": null, "value": "example.org"}`: "error identifier.type_missing " + identifierAt + "/type",
		`{"type": "roku_store_id", "value": 7}`:  "error identifier.value_missing " + identifierAt + "/value",
		`{"value": "example.org"}`:               "error identifier.type_missing " + identifierAt + "/type",
	} {
		if diff := cmp.Diff([]string{want}, outline(Example(InIdentifier, fragment), Options{})); diff != "" {
			t.Errorf("%s: %s", fragment, diff)
		}
	}
	both := outline(Example(InIdentifier, `{}`), Options{})
	want := []string{"error identifier.type_missing " + identifierAt + "/type", "error identifier.value_missing " + identifierAt + "/value"}
	if diff := cmp.Diff(want, both); diff != "" {
		t.Error(diff)
	}
}

func TestIdentifierHints(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ fragment, want string }{
		{identifierJSON("roku_channel_id", "1"), `did you mean "roku_store_id"?`},
		{identifierJSON("android_packag", "com.example.a"), `did you mean "android_package"?`},
		{identifierJSON("zzzzzzzzzzz", "1"), "use a type of the published list, for example domain, ios_bundle or android_package"},
		{identifierJSON("domain", "Bücher.example.org"), `write "xn--bcher-kva.example.org"`},
		{identifierJSON("domain", "*.Example.org"), `write "*.example.org"`},
		{identifierJSON("domain", "example.org:8080"), "leave out the port: a property is a host, whatever its ports"},
		{identifierJSON("apple_app_store_id", " 12"), `remove the white space: "12"`},
		{identifierJSON("apple_app_store_id", "id12"), `leave out the letters: "12"`},
		{identifierJSON("apple_app_store_id", "com.example.a"), "a bundle name has the type ios_bundle"},
		{identifierJSON("ios_bundle", "12"), "a number is a store id: use the type apple_app_store_id or write the bundle name"},
		{identifierJSON("facility_id", "12"), `put the authority in front, for example "fcc:12"`},
		{identifierJSON("facility_id", "ofcon:12"), `did you mean "ofcom"?`},
		{identifierJSON("google_play_id", "https://play.example/a"), "write the id that the address contains, not the address"},
		{identifierJSON("podcast_guid", "x"), "write a UUID, such as 9b024349-ccf0-5f69-a609-6b82873eab3c"},
		{`"example.org"`, `write {"type": "domain", "value": "example.org"} with the type that fits`},
		{`7`, `write {"type": "domain", "value": "example.com"}`},
		{`{"type": "roku_store_id", "value": 41468}`, `write the number as a string: "41468"`},
	} {
		findings := Check(Example(InIdentifier, test.fragment), Options{}).Findings
		if len(findings) != 1 || findings[0].Hint != test.want {
			t.Errorf("%s: %+v, want the hint %q", test.fragment, findings, test.want)
		}
	}
}

func TestIdentifierStrict(t *testing.T) {
	t.Parallel()
	got := outline(Example(InIdentifier, identifierJSON("made_up", "x")), Options{Profile: Strict})
	if diff := cmp.Diff([]string{"error identifier.type_unknown " + identifierAt + "/type"}, got); diff != "" {
		t.Error(diff)
	}
}

// readProperty returns a property with a checker that is about to check it.
func readProperty(tb testing.TB, src []byte) (*checker, *propertyCheck) {
	tb.Helper()
	tree, err := jsontree.Parse(src, jsontree.Options{Names: names()})
	if err != nil {
		tb.Fatal(err)
	}
	c := &checker{report: new(Report), content: content{tree: tree}}
	p := &propertyCheck{Property: new(Property)}
	c.dec.decodeProperty(tree.Root(), p.Property)
	p.identify(&c.index.hosts)
	return c, p
}

// FuzzIdentifier checks that the shortcut for identifiers in order is taken
// exactly when the rules have nothing to say, unless the type asks for a closer
// match, and that what the author is told to write is accepted.
func FuzzIdentifier(f *testing.F) {
	for _, typ := range []string{"domain", "subdomain", "ios_bundle", "facility_id", "rss_url", "x", ""} {
		for _, value := range []string{"example.org", "*.example.org", "a.B.org.", "*.uk", "com", "fcc:1", "https://a.example/", " ", "\u2028"} {
			f.Add(typ, value, "example.org")
		}
	}
	f.Fuzz(func(t *testing.T, typ, value, publisher string) {
		src, err := json.Marshal(map[string]any{
			"publisher_domain": publisher,
			"identifiers":      []any{map[string]string{"type": typ, "value": value}},
		})
		if err != nil {
			t.Fatal(err)
		}
		c, p := readProperty(t, src)
		x, id := &p.Identifiers[0], &p.idents[0]
		apply(c, identifierCheck{x, id}, &x.effect, identifierRules...)
		closer := id.kind != nil && id.kind.closer
		if silent := len(c.findings.list) == 0; silent != id.fine && !closer || id.fine && !silent {
			t.Fatalf("%s: fine is %v, rules are silent: %v", src, id.fine, silent)
		}
		if id.host == "" {
			return
		}
		plain := id.canonical(x.Value)
		again := readIdentity(&Identifier{Type: x.Type, Value: plain}, new(owner), nil)
		if again.change != 0 || again.err != nil || again.host != id.host {
			t.Fatalf("%s: to be written %q, which is not plain", src, plain)
		}
	})
}

// TestStoresWithoutType: an id of a store that the format does not know is not taken for
// another one.
func TestStoresWithoutType(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		"lg_store_id": "no type for ids of LG", "webosAppId": "no type for ids of LG", "vizio_app_id": "no type for ids of Vizio",
		"Xbox ID": "no type for ids of Xbox", "samsung_store_id": "not a known identifier type", "lgx_id": "not a known identifier type",
	} {
		src := Example(InIdentifier, `{"type": "`+kind+`", "value": "123456"}`)
		report := Check(src, Options{Fixes: true})
		i := slices.IndexFunc(report.Findings, func(f Finding) bool { return f.Code == "identifier.type_unknown" })
		if i < 0 || !strings.Contains(report.Findings[i].Message, want) {
			t.Errorf("%s: %v", kind, report.Findings)
			continue
		}
		if fixes := report.Findings[i].Fixes; (len(fixes) > 0) != (kind == "samsung_store_id") {
			t.Errorf("%s: %v", kind, fixes)
		}
	}
}

// TestBranchBelow compares what is concluded from a property's publisher about names below it
// with what the Public Suffix List says about them.
func TestBranchBelow(t *testing.T) {
	t.Parallel()
	owners := []string{
		"", "example.com", "a.example.com", "co.uk", "example.co.uk", "amazonaws.com", "s3.amazonaws.com", "x.s3.amazonaws.com",
		"www.ck", "x.ck", "a.x.ck", "kawasaki.jp", "city.kawasaki.jp", "a.kawasaki.jp", "b.a.kawasaki.jp", "github.io", "site.unlisted",
	}
	for _, owned := range owners {
		for _, value := range owners {
			for _, host := range []string{value, "a." + owned, "s3." + owned, "city." + owned, "x.y." + owned, "not" + owned} {
				for _, wild := range []string{"", "*."} {
					text := wild + host
					got := readIdentity(&Identifier{Type: "domain", Value: text}, &owner{host: owned}, nil)
					want := readIdentity(&Identifier{Type: "domain", Value: text}, &owner{}, nil)
					if got.host != want.host || got.level != want.level || got.base != want.base || got.broad != want.broad || got.fine != want.fine {
						t.Errorf("%s of a property of %q: %+v, want %+v", text, owned, got, want)
					}
				}
			}
		}
	}
}
