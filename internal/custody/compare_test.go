package custody_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
)

func parse(t testing.TB, text string) *adagents.File {
	t.Helper()
	f, err := adagents.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return f
}

// agentFile is a file with one entry that has more members.
func agentFile(members string) string {
	if members != "" {
		members = "," + members
	}
	return `{"authorized_agents":[{"url":"https://a.example/mcp","authorized_for":"all","authorization_type":"property_tags","property_tags":["x"]` + members + `}],
		"properties":[{"property_id":"p","property_type":"website","name":"P","identifiers":[{"type":"domain","value":"p.example"}],"tags":["x"]}]}`
}

const (
	keyOne   = `{"kid":"one","kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`
	keyTwo   = `{"kid":"two","kty":"OKP","crv":"Ed25519","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"}`
	keyOther = `{"kid":"one","kty":"OKP","crv":"Ed25519","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"}`
)

// undated is keyOne, revoked at a time that cannot be read.
var undated = strings.Replace(keyOne, "}", `,"revoked_at":null}`, 1)

func revokedKey(date string) string {
	return strings.Replace(keyOne, "}", `,"revoked_at":"`+date+`"}`, 1)
}

// TestCompare has for each change the codes and the pointer of the first.
func TestCompare(t *testing.T) {
	t.Parallel()
	entry := agentFile
	inline := func(host string) string {
		return `{"authorized_agents":[{"url":"https://a.example/","authorized_for":"x","authorization_type":"inline_properties","properties":[{"property_type":"website","name":"P","identifiers":[{"type":"domain","value":"` + host + `"}]}]}]}`
	}
	selector := func(rest string) string {
		return `{"authorized_agents":[{"url":"https://a.example/","authorized_for":"x","authorization_type":"publisher_properties","publisher_properties":[` + rest + `]}]}`
	}
	two := func(a, b string) string {
		return `{"authorized_agents":[` + a + `,` + b + `]}`
	}
	one := func(url, rest string) string {
		return `{"url":"` + url + `","authorized_for":"x","authorization_type":"signal_tags","signal_tags":["s"]` + rest + `}`
	}
	head := func(members string) string { return `{"authorized_agents":[]` + members + `}` }
	tests := []struct {
		name, old, next string
		codes           string
		pointer         string
	}{
		{"nothing", entry(``), entry(``), "", ""},
		{"agent url spelled otherwise", head(``), head(``), "", ""},
		{"agent added", two(one("https://a.example/", ""), one("https://b.example/", "")), two(one("https://a.example/", ""), one("https://c.example/", "")), "agent.added agent.removed", "/authorized_agents/1"},
		{"order of agents", two(one("https://a.example/", ""), one("https://b.example/", "")), two(one("https://B.example/", ""), one("https://a.example/", "")), "", ""},
		{"entry added", two(one("https://a.example/", ""), one("https://b.example/", "")), `{"authorized_agents":[` + one("https://a.example/", "") + `,` + one("https://b.example/", "") + `,` + one("https://a.example/", `,"countries":["DE"]`) + `]}`, "agent.entry_added", "/authorized_agents/2"},
		{"entry removed", two(one("https://a.example/", ""), one("https://a.example/", `,"countries":["DE"]`)), `{"authorized_agents":[` + one("https://a.example/", "") + `]}`, "agent.entry_removed", "/authorized_agents/1"},
		{"entries in another order", two(one("https://a.example/", ""), one("https://a.example/", `,"countries":["DE"]`)), two(one("https://a.example/", `,"countries":["DE"]`), one("https://a.example/", "")), "", ""},
		{"downgraded", entry(`"delegation_type":"direct"`), entry(`"delegation_type":"delegated"`), "agent.delegation_downgraded", "/authorized_agents/0/delegation_type"},
		{"downgraded twice", entry(`"delegation_type":"direct"`), entry(`"delegation_type":"ad_network"`), "agent.delegation_downgraded", "/authorized_agents/0/delegation_type"},
		{"upgraded", entry(`"delegation_type":"ad_network"`), entry(`"delegation_type":"delegated"`), "agent.delegation_upgraded", ""},
		{"delegation dropped", entry(`"delegation_type":"direct"`), entry(``), "agent.delegation_changed", ""},
		{"exclusive lost", entry(`"exclusive":true`), entry(`"exclusive":false`), "agent.exclusive_lost", "/authorized_agents/0/exclusive"},
		{"exclusive gained", entry(``), entry(`"exclusive":true`), "agent.exclusive_gained", "/authorized_agents/0/exclusive"},
		{"country added", entry(`"countries":["DE"]`), entry(`"countries":["FR","DE"]`), "agent.countries_widened", "/authorized_agents/0/countries"},
		{"country removed", entry(`"countries":["DE","FR"]`), entry(`"countries":["DE"]`), "agent.countries_narrowed", ""},
		{"country swapped", entry(`"countries":["DE"]`), entry(`"countries":["FR"]`), "agent.countries_widened agent.countries_narrowed", ""},
		{"countries dropped", entry(`"countries":["DE"]`), entry(``), "agent.countries_widened", ""},
		{"countries new", entry(``), entry(`"countries":["DE"]`), "agent.countries_narrowed", ""},
		{"countries in another order", entry(`"countries":["DE","FR"]`), entry(`"countries":["FR","DE"]`), "", ""},
		{"window opened", entry(`"effective_from":"2026-01-02T00:00:00Z"`), entry(`"effective_from":"2026-01-01T00:00:00Z"`), "agent.window_widened", "/authorized_agents/0"},
		{"window closed", entry(``), entry(`"effective_until":"2030-01-01T00:00:00Z"`), "agent.window_narrowed", ""},
		{"window moved", entry(`"effective_from":"2026-01-01T00:00:00Z","effective_until":"2029-01-01T00:00:00Z"`), entry(`"effective_from":"2026-02-01T00:00:00Z","effective_until":"2030-01-01T00:00:00Z"`), "agent.window_widened agent.window_narrowed", ""},
		{"window spelled otherwise", entry(`"effective_from":"2026-01-01T00:00:00Z"`), entry(`"effective_from":"2026-01-01T01:00:00+01:00"`), "", ""},
		{"described", strings.Replace(entry(``), `"all"`, `"some"`, 1), entry(``), "agent.described", "/authorized_agents/0/authorized_for"},
		{"scope", strings.Replace(entry(``), `"property_tags":["x"]`, `"property_tags":["x","y"]`, 1), strings.Replace(entry(``), `"property_tags":["x"]`, `"property_tags":["x","z"]`, 1), "agent.scope_widened agent.scope_narrowed", "/authorized_agents/0"},
		{"scope of another type", `{"authorized_agents":[` + one("https://a.example/", "") + `]}`, `{"authorized_agents":[` + strings.ReplaceAll(one("https://a.example/", ""), "tags", "ids") + `]}`, "agent.scope_changed", "/authorized_agents/0/authorization_type"},
		{"inline property", inline("a.example"), inline("b.example"), "agent.scope_widened agent.scope_narrowed", ""},
		{"selector", selector(`{"publisher_domain":"A.example","selection_type":"all"}`), selector(`{"publisher_domains":["a.example","b.example"],"selection_type":"all"}`), "agent.scope_widened", ""},
		{"selector by id", selector(`{"publisher_domain":"a.example","selection_type":"by_id","property_ids":["p","q"]}`), selector(`{"publisher_domain":"a.example","selection_type":"by_id","property_ids":["q"]}`), "agent.scope_narrowed", ""},
		{"key added", entry(`"signing_keys":[` + keyOne + `]`), entry(`"signing_keys":[` + keyTwo + `,` + keyOne + `]`), "signing_key.added", "/authorized_agents/0/signing_keys/0"},
		{"first key", entry(``), entry(`"signing_keys":[` + keyOne + `]`), "signing_key.added", ""},
		{"key removed", entry(`"signing_keys":[` + keyOne + `,` + keyTwo + `]`), entry(`"signing_keys":[` + keyTwo + `]`), "signing_key.removed", ""},
		{"keys of one entry removed", two(one("https://a.example/", `,"signing_keys":[`+keyOne+`]`), one("https://a.example/", `,"countries":["DE"],"signing_keys":[`+keyOne+`]`)), two(one("https://a.example/", `,"signing_keys":[`+keyOne+`]`), one("https://a.example/", `,"countries":["DE"]`)), "agent.unpinned", "/authorized_agents/1"},
		{"key revoked in the first of two entries", two(one("https://a.example/", `,"signing_keys":[`+keyOne+`]`), one("https://a.example/", `,"countries":["DE"],"signing_keys":[`+keyOne+`]`)), two(one("https://a.example/", `,"signing_keys":[`+revokedKey("2026-01-01T00:00:00Z")+`]`), one("https://a.example/", `,"countries":["DE"],"signing_keys":[`+keyOne+`]`)), "signing_key.withdrawn", "/authorized_agents/0/signing_keys/0"},
		{"purpose of a key", entry(`"signing_keys":[` + keyOne + `]`), entry(`"signing_keys":[` + strings.Replace(keyOne, "{", `{"key_ops":["verify"],`, 1) + `]`), "signing_key.repurposed", "/authorized_agents/0/signing_keys/0"},
		{"purposes in another order", two(one("https://a.example/", `,"signing_keys":[`+keyOne+`]`), one("https://a.example/", `,"countries":["DE"],"signing_keys":[`+strings.Replace(keyOne, "{", `{"key_ops":["verify"],`, 1)+`]`)), two(one("https://a.example/", `,"countries":["DE"],"signing_keys":[`+strings.Replace(keyOne, "{", `{"key_ops":["verify"],`, 1)+`]`), one("https://a.example/", `,"signing_keys":[`+keyOne+`],"exclusive":true`)), "agent.exclusive_gained", ""},
		{"purposes of a key in another order", entry(`"signing_keys":[` + strings.Replace(keyOne, "{", `{"key_ops":["verify","sign"],`, 1) + `]`), entry(`"signing_keys":[` + strings.Replace(keyOne, "{", `{"key_ops":["sign","verify"],`, 1) + `]`), "", ""},
		{"encryption keys in other words", entry(`"encryption_keys":[{"kid":"e","kty":"OKP"}]`), entry(`"encryption_keys":[{"kty":"OKP","kid":"e"}]`), "", ""},
		{"pinned and not, in another order", two(one("https://a.example/", `,"signing_keys":[`+keyOne+`]`), one("https://a.example/", "")), two(one("https://a.example/", ""), one("https://a.example/", `,"signing_keys":[`+keyOne+`]`)), "", ""},
		{"encryption keys", entry(`"encryption_keys":[` + keyOne + `]`), entry(`"encryption_keys":[` + keyTwo + `]`), "encryption_key.changed", "/authorized_agents/0"},
		{"keys removed", entry(`"signing_keys":[` + keyOne + `]`), entry(``), "agent.unpinned signing_key.removed", "/authorized_agents/0"},
		{"key that can be used now and is revoked later", entry(`"signing_keys":[` + keyTwo + `,` + strings.Replace(revokedKey("2099-01-01T00:00:00Z"), "{", `{"d":"x",`, 1) + `]`), entry(`"signing_keys":[` + keyTwo + `,` + revokedKey("2099-01-01T00:00:00Z") + `]`), "signing_key.added", ""},
		{"list of keys with a revoked one that cannot be used", entry(``), entry(`"signing_keys":[` + undated + `]`), "agent.silenced", "/authorized_agents/0"},
		{"list of keys without one", entry(``), entry(`"signing_keys":[]`), "agent.silenced", "/authorized_agents/0"},
		{"list of keys without one left out", entry(`"signing_keys":[]`), entry(``), "agent.unpinned", "/authorized_agents/0"},
		{"keys removed from the list", entry(`"signing_keys":[` + keyOne + `]`), entry(`"signing_keys":[]`), "signing_key.removed", ""},
		{"key replaced", entry(`"signing_keys":[` + keyOne + `]`), entry(`"signing_keys":[` + keyOther + `]`), "signing_key.replaced", ""},
		{"key revoked", entry(`"signing_keys":[` + keyOne + `]`), entry(`"signing_keys":[` + revokedKey("2026-01-01T00:00:00Z") + `]`), "signing_key.withdrawn", ""},
		{"key revoked earlier", entry(`"signing_keys":[` + revokedKey("2026-01-02T00:00:00Z") + `]`), entry(`"signing_keys":[` + revokedKey("2026-01-01T00:00:00Z") + `]`), "signing_key.withdrawn", ""},
		{"key revoked later", entry(`"signing_keys":[` + revokedKey("2026-01-01T00:00:00Z") + `]`), entry(`"signing_keys":[` + revokedKey("2026-01-02T00:00:00Z") + `]`), "signing_key.restored", ""},
		{"key restored", entry(`"signing_keys":[` + revokedKey("2026-01-01T00:00:00Z") + `]`), entry(`"signing_keys":[` + keyOne + `]`), "signing_key.restored", ""},
		{"key revoked without a date", entry(`"signing_keys":[` + keyOne + `]`), entry(`"signing_keys":[` + undated + `]`), "signing_key.withdrawn", ""},
		{"key restored that was revoked without a date", entry(`"signing_keys":[` + undated + `]`), entry(`"signing_keys":[` + keyOne + `]`), "signing_key.restored", ""},
		{"key revoked from a date on instead of for ever", entry(`"signing_keys":[` + undated + `]`), entry(`"signing_keys":[` + revokedKey("2026-01-01T00:00:00Z") + `]`), "signing_key.restored", ""},
		{"dates of a key that cannot be read", entry(`"signing_keys":[` + undated + `]`), entry(`"signing_keys":[` + revokedKey("soon") + `]`), "", ""},
		{"key revoked without a date in one of two entries", two(one("https://a.example/", `,"signing_keys":[`+keyOne+`]`), one("https://a.example/", `,"countries":["DE"],"signing_keys":[`+keyOne+`]`)), two(one("https://a.example/", `,"signing_keys":[`+undated+`]`), one("https://a.example/", `,"countries":["DE"],"signing_keys":[`+keyOne+`]`)), "signing_key.withdrawn", "/authorized_agents/0/signing_keys/0"},
		{"revocations", head(`,"revoked_publisher_domains":[{"publisher_domain":"A.example","revoked_at":"2026-01-01T00:00:00Z"}]`), head(`,"revoked_publisher_domains":[{"publisher_domain":"b.example","revoked_at":"bad"}]`), "revocation.removed revocation.added", "/revoked_publisher_domains/0"},
		{"revocation spelled otherwise", head(`,"revoked_publisher_domains":[{"publisher_domain":"A.example"}]`), head(`,"revoked_publisher_domains":[{"publisher_domain":"a.example."}]`), "", ""},
		{"contact", head(`,"contact":{"name":"A"}`), head(`,"contact":{"name":"A","email":"x@a.example"}`), "contact.changed", "/contact"},
		{"contact dropped", head(`,"contact":{"name":"A"}`), head(``), "contact.changed", ""},
		{"date", head(`,"last_updated":"2026-01-01T00:00:00Z"`), head(`,"last_updated":"2026-01-02T00:00:00Z"`), "file.date_changed", "/last_updated"},
		{"date back", head(`,"last_updated":"2026-01-01T00:01:01Z"`), head(`,"last_updated":"2026-01-01T00:00:00Z"`), "file.date_back", ""},
		{"date back by a minute", head(`,"last_updated":"2026-01-01T00:01:00Z"`), head(`,"last_updated":"2026-01-01T00:00:00Z"`), "file.date_changed", ""},
		{"date dropped", head(`,"last_updated":"2026-01-01T00:00:00Z"`), head(``), "file.date_back", ""},
		{"catalog", head(`,"catalog_etag":"a"`), head(`,"catalog_etag":"b"`), "catalog.etag_changed", "/catalog_etag"},
		{"catalog changed under its version", head(`,"catalog_etag":"a","placement_tags":{"x":{"name":"X","description":"X"}}`), head(`,"catalog_etag":"a","placement_tags":{"x":{"name":"Y","description":"X"}}`), "catalog.etag_unchanged", "/catalog_etag"},
		{"property added under its version", head(`,"catalog_etag":"a","properties":[]`), strings.Replace(entry(``), `{`, `{"catalog_etag":"a",`, 1), "agent.added catalog.etag_unchanged property.added", ""},
		{"catalog in another order", head(`,"catalog_etag":"a","tags":{"x":{"name":"X","description":"X"},"y":{"name":"Y","description":"Y"}}`), head(`,"catalog_etag":"a","tags":{"y":{"description":"Y","name":"\u0059"},"x":{"name":"X","description":"X"}}`), "", ""},
		{"agent added under the same version", head(`,"catalog_etag":"a"`), `{"catalog_etag":"a","authorized_agents":[` + one("https://a.example/", "") + `]}`, "agent.added", ""},
		{"catalog and version", head(`,"catalog_etag":"a","tags":{}`), head(`,"catalog_etag":"b","tags":{"x":{"name":"X","description":"X"}}`), "catalog.etag_changed", ""},
		{"same date", head(`,"last_updated":"2026-01-01T00:00:00Z","contact":{"name":"A"}`), head(`,"last_updated":"2026-01-01T01:00:00+01:00","contact":{"name":"B"}`), "contact.changed file.date_unchanged file.date_changed", ""},
		{"same date, what is not compared one by one", head(`,"last_updated":"2026-01-01T00:00:00Z"`), head(`,"last_updated":"2026-01-01T00:00:00Z","tags":{"x":{"name":"X","description":"X"}}`), "file.date_unchanged", "/last_updated"},
		{"same date, unknown member", head(`,"last_updated":"2026-01-01T00:00:00Z"`), head(`,"last_updated":"2026-01-01T00:00:00Z","x":1`), "", ""},
		{"same date, other order", head(`,"last_updated":"2026-01-01T00:00:00Z","tags":{"a":{"name":"A","x":[1,{"y":2}]},"b":{}}`), head(`,"tags":{"b":{},"a":{"x":[{"y":2},1],"name":"A"}},"last_updated":"2026-01-01T00:00:00Z"`), "", ""},
		{"same date, spelled otherwise", head(`,"last_updated":"2026-01-01T00:00:00Z"`), head(`,"last_updated":"2026-01-01T01:00:00+01:00"`), "file.date_changed", ""},
		{"same unreadable date", head(`,"last_updated":"yesterday"`), head(`,"last_updated":"yesterday","tags":{"x":{}}`), "", ""},
		{"successor", head(``), head(`,"superseded_by":"https://x.example/f.json"`), "file.superseded", "/superseded_by"},
	}
	for _, tc := range tests {
		got := custody.Compare(parse(t, tc.old), parse(t, tc.next))
		if codes := changeCodes(got); codes != tc.codes {
			t.Errorf("%s: %s instead of %s", tc.name, codes, tc.codes)
			continue
		}
		if tc.pointer != "" && got[0].Pointer != tc.pointer {
			t.Errorf("%s: at %s", tc.name, got[0].Pointer)
		}
		for _, c := range got {
			if !codeNames()[c.Code] || c.Message == "" {
				t.Errorf("%s: %+v", tc.name, c)
			}
		}
	}
}

func changeCodes(changes []custody.Change) string {
	var out []string
	for i := range changes {
		out = append(out, changes[i].Code)
	}
	return strings.Join(out, " ")
}

// TestCompareLimits looks at the members that narrow an entry to placements.
func TestCompareLimits(t *testing.T) {
	t.Parallel()
	file := func(members string) *adagents.File {
		return parse(t, `{"authorized_agents":[{"url":"https://a.example/mcp","authorized_for":"all","authorization_type":"property_tags","property_tags":["x"]`+members+`}],
		"properties":[{"property_id":"p","property_type":"website","name":"P","identifiers":[{"type":"domain","value":"p.example"}],"tags":["x"]}],
		"placements":[{"placement_id":"one","name":"One","property_ids":["p"],"tags":["t"]},{"placement_id":"two","name":"Two","property_ids":["p"],"tags":["u"]}],
		"collections":[{"collection_id":"c","name":"C"},{"collection_id":"d","name":"D"}]}`)
	}
	tests := []struct{ one, both string }{
		{`,"placement_ids":["one"]`, `,"placement_ids":["two","one"]`},
		{`,"placement_tags":["t"]`, `,"placement_tags":["u","t"]`},
		{`,"collections":[{"publisher_domain":"p.example","collection_ids":["c"]}]`, `,"collections":[{"publisher_domain":"P.example","collection_ids":["c","d"]}]`},
		{`,"collections":[{"publisher_domain":"p.example","collection_ids":["c"]}]`, `,"collections":[{"publisher_domain":"P.example"}]`},
		{`,"collections":[{"publisher_domain":"p.example"}]`, `,"collections":[{"publisher_domain":"P.example"},{"publisher_domain":"q.example","collection_ids":["d"]}]`},
	}
	for _, tc := range tests {
		if got := changeCodes(custody.Compare(file(tc.one), file(tc.both))); got != "agent.limits_widened" {
			t.Errorf("%s: %s", tc.one, got)
		}
		if got := changeCodes(custody.Compare(file(tc.both), file(tc.one))); got != "agent.limits_narrowed" {
			t.Errorf("%s: %s", tc.both, got)
		}
	}
	inert := file(`,"countries":"DE"`)
	if got := changeCodes(custody.Compare(file(""), inert)); got != "agent.entry_inert" {
		t.Error(got)
	}
	if got := changeCodes(custody.Compare(inert, file(""))); got != "agent.entry_effective" {
		t.Error(got)
	}
}

// properties is a file with properties of the numbers.
func properties(numbers ...int) string {
	var list []string
	for _, n := range numbers {
		list = append(list, fmt.Sprintf(`{"property_id":"p%d","property_type":"website","name":"P","identifiers":[{"type":"domain","value":"p%d.example"}],"tags":["x","y"]}`, n, n))
	}
	return `{"authorized_agents":[],"properties":[` + strings.Join(list, ",") + `]}`
}

func upTo(from, to int) []int {
	var out []int
	for n := from; n < to; n++ {
		out = append(out, n)
	}
	return out
}

// TestCompareProperties has the limits of what counts as many.
func TestCompareProperties(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name           string
		old, next      []int
		added, removed int
		dropped, grown bool
	}{
		{"same", upTo(0, 20), upTo(0, 20), 0, 0, false, false},
		{"a tenth less", upTo(0, 20), upTo(2, 20), 0, 2, false, false},
		{"more than a tenth less", upTo(0, 19), upTo(2, 19), 0, 2, true, false},
		{"50 less", upTo(0, 1000), upTo(50, 1000), 0, 50, false, false},
		{"51 less", upTo(0, 1000), upTo(51, 1000), 0, 51, true, false},
		{"a tenth more", upTo(0, 20), upTo(0, 22), 2, 0, false, false},
		{"more than a tenth more", upTo(0, 19), upTo(0, 21), 2, 0, false, true},
		{"51 more", upTo(0, 1000), upTo(0, 1051), 51, 0, false, true},
		{"others", upTo(0, 10), upTo(10, 20), 10, 10, true, true},
		{"all gone", upTo(0, 1), nil, 0, 1, true, false},
		{"the first", nil, upTo(0, 1), 1, 0, false, false},
	}
	for _, tc := range tests {
		count := map[string]int{}
		for _, c := range custody.Compare(parse(t, properties(tc.old...)), parse(t, properties(tc.next...))) {
			count[c.Code]++
		}
		want := map[string]int{"property.added": tc.added, "property.removed": tc.removed}
		if tc.dropped {
			want["properties.dropped"] = 1
		}
		if tc.grown {
			want["properties.grown"] = 1
		}
		for code, n := range want {
			if n == 0 {
				delete(want, code)
			}
		}
		if diff := cmp.Diff(want, count); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestComparePropertyContent(t *testing.T) {
	t.Parallel()
	old := properties(1)
	tests := []struct{ from, to, codes string }{
		{`"tags":["x","y"]`, `"tags":["y","x"]`, ""},
		{`"tags":["x","y"]`, `"tags":["y"]`, "property.changed"},
		{`"name":"P"`, `"name":"Q"`, "property.changed"},
		{`p1.example`, `q.example`, "property.identified"},
		{`[{"type":"domain","value":"p1.example"}]`, `[{"type":"domain","value":"a.example"},{"type":"domain","value":"p1.example"}]`, "property.identified"},
		{`"name":"P"`, `"name":"P","publisher_domain":"a.example"`, "properties.dropped properties.grown property.added property.removed"},
		{`"property_id":"p1",`, ``, "properties.dropped properties.grown property.added property.removed"},
	}
	for _, tc := range tests {
		next := strings.Replace(old, tc.from, tc.to, 1)
		if got := changeCodes(custody.Compare(parse(t, old), parse(t, next))); got != tc.codes {
			t.Errorf("%s: %s", tc.to, got)
		}
	}
}

func TestCompareCatalog(t *testing.T) {
	t.Parallel()
	lists := map[string]func(int) string{
		"collections": func(n int) string { return fmt.Sprintf(`{"collection_id":"c%d","name":"C"}`, n) },
		"placements": func(n int) string {
			return fmt.Sprintf(`{"placement_id":"c%d","name":"C","property_ids":["p"]}`, n)
		},
		"formats": func(n int) string {
			return fmt.Sprintf(`{"format_kind":"image","format_option_id":"c%d","params":{"width":300,"height":250}}`, n)
		},
		"signals": func(n int) string {
			return fmt.Sprintf(`{"catalog_url":"https://c%d.example/","relationship":"direct"}`, n)
		},
	}
	for member, item := range lists {
		file := func(numbers []int) *adagents.File {
			var list []string
			for _, n := range numbers {
				list = append(list, item(n))
			}
			return parse(t, `{"authorized_agents":[],"properties":[{"property_id":"p","property_type":"website","name":"P","identifiers":[{"type":"domain","value":"p.example"}]}],"`+member+`":[`+strings.Join(list, ",")+`]}`)
		}
		if got := custody.Compare(file(upTo(0, 20)), file(upTo(2, 21))); changeCodes(got) != member+".changed" || got[0].Before != "20" || got[0].After != "19" {
			t.Errorf("%s: %+v", member, got)
		}
		if got := changeCodes(custody.Compare(file(upTo(0, 20)), file(upTo(3, 20)))); got != member+".dropped" {
			t.Errorf("%s: %s", member, got)
		}
	}
}

func TestComparePointers(t *testing.T) {
	t.Parallel()
	tests := []struct{ old, next, code string }{
		{"https://a.example/f", "https://A.example:443/f#x", ""},
		{"", "", ""},
		{"https://a.example/f", "https://b.example/f", "pointer.moved"},
		{"", "https://b.example/f", "pointer.added"},
		{"https://a.example/f", "", "pointer.removed"},
		{"not a url", "not a url", ""},
	}
	for _, tc := range tests {
		got := custody.ComparePointers(tc.old, tc.next)
		if changeCodes(got) != tc.code || tc.code != "" && custody.Worst(got) != custody.Alert {
			t.Errorf("%q, %q: %+v", tc.old, tc.next, got)
		}
	}
}

func TestWorst(t *testing.T) {
	t.Parallel()
	if custody.Worst(nil) != custody.Info {
		t.Error("no change is worse than info")
	}
	down := []custody.Change{{Code: "agent.delegation_downgraded", Severity: custody.Alert}}
	if got := custody.SignsOf(down); !slices.Equal(got, []custody.Sign{custody.SignDowngrade}) {
		t.Error(got)
	}
	if got := custody.SignsOf([]custody.Change{{Code: "agent.added"}}); got != nil {
		t.Error(got)
	}
}

// TestCompareNil: a file that is not there says nothing.
func TestCompareNil(t *testing.T) {
	t.Parallel()
	f := parse(t, agentFile(""))
	if got := changeCodes(custody.Compare(nil, f)); got != "agent.added property.added" {
		t.Error(got)
	}
	if got := changeCodes(custody.Compare(f, nil)); got != "properties.dropped agent.removed property.removed" {
		t.Error(got)
	}
	if got := custody.Compare(nil, nil); len(got) != 0 {
		t.Error(got)
	}
}

// TestCompareOrder: the same files give the same list, the most severe change first, and
// none when they differ in order only.
func TestCompareOrder(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	old, next := upTo(0, 200), upTo(100, 260)
	want := custody.Compare(parse(t, properties(old...)), parse(t, properties(next...)))
	if !slices.IsSortedFunc(want, func(a, b custody.Change) int { return int(b.Severity) - int(a.Severity) }) {
		t.Error("the changes are not in order")
	}
	for range 5 {
		rng.Shuffle(len(old), func(i, j int) { old[i], old[j] = old[j], old[i] })
		a := parse(t, properties(old...))
		if got := custody.Compare(parse(t, properties(upTo(0, 200)...)), a); len(got) != 0 {
			t.Errorf("another order: %s", changeCodes(got))
		}
		got := custody.Compare(a, parse(t, properties(next...)))
		diff := cmp.Diff(want, got, cmpopts.IgnoreFields(custody.Change{}, "Pointer"))
		if diff != "" {
			t.Error(diff)
		}
	}
}

// TestCompareLarge compares files of 60,000 properties. It takes a fraction of a second;
// work that grows with the square would outlast the test.
func TestCompareLarge(t *testing.T) {
	t.Parallel()
	const n = largeFile
	old, next := parse(t, properties(upTo(0, n)...)), parse(t, properties(upTo(n/2, n+n/2)...))
	if got := custody.Compare(old, next); len(got) != n+2 {
		t.Errorf("%d changes, want %d", len(got), n+2)
	}
}

// TestCompareHostile: texts of strangers are cut and made safe.
func TestCompareHostile(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100_000)
	old := `{"authorized_agents":[],"contact":{"name":"a"}}`
	next := `{"authorized_agents":[],"contact":{"name":"` + long + `\u202e"},"revoked_publisher_domains":["` + long + `"]}`
	for _, c := range custody.Compare(parse(t, old), parse(t, next)) {
		if len(c.After) > 5_000 || len(c.Message) > 5_000 || strings.ContainsRune(c.Message, '\u202e') {
			t.Errorf("%d bytes", len(c.After))
		}
	}
}

func TestFactsOf(t *testing.T) {
	t.Parallel()
	f := parse(t, `{"last_updated":"2026-05-01T14:00:00+02:00","catalog_etag":"v1","authorized_agents":[
		{"url":"https://B.example/mcp","authorized_for":"x","authorization_type":"signal_tags","signal_tags":["s"]},
		{"url":"https://a.example/mcp","authorized_for":"x","authorization_type":"signal_tags","signal_tags":["s"]},
		{"url":"https://b.example/mcp","authorized_for":"x","authorization_type":"signal_tags","signal_tags":["t"]}],
		"revoked_publisher_domains":[{"publisher_domain":"C.example","revoked_at":"2026-02-01T00:00:00Z"},"bare.example",
		{"publisher_domain":"c.example","revoked_at":"2026-01-01T00:00:00Z"},{"publisher_domain":"bad.example","revoked_at":"yesterday"},
		{"publisher_domain":["x.example",7]},{"publisher_domain":"not a domain"},{"reason":"none"},7]}`)
	want := custody.Facts{
		LastUpdated: start, CatalogETag: "v1", Agents: []string{"https://a.example/mcp", "https://b.example/mcp"},
		Revoked: []custody.Revoked{
			{Domain: "bad.example"}, {Domain: "bare.example"}, {Domain: "c.example", At: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}, {Domain: "x.example"},
		},
	}
	if diff := cmp.Diff(want, custody.FactsOf(f)); diff != "" {
		t.Error(diff)
	}
}
