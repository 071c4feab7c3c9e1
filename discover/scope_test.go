package discover

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
)

func TestScope(t *testing.T) {
	t.Parallel()
	ofPub := `"publisher_domain": "pub.example", "tags": ["news"]`
	ofOther := `"publisher_domain": "other.example", "tags": ["sports"]`
	properties := `"properties": [` + property("mine", ofPub) + `, ` + property("theirs", ofOther) + `, ` + property("nobodys", `"tags": ["news", "sports", "free"]`) + `]`
	selector := func(s string) string {
		return `"authorization_type": "publisher_properties", "publisher_properties": [` + s + `]`
	}
	named := `{"publisher_domain": "pub.example", "selection_type": "all"}`
	tests := []struct {
		name string
		file string
		want scope
	}{
		{"a selector", selling(selector(named)), scopeNamed},
		{"a selector by id", selling(selector(`{"publisher_domain": "pub.example", "selection_type": "by_id", "property_ids": ["x"]}`)), scopeNamed},
		{"a selector by tag", selling(selector(`{"publisher_domain": "pub.example", "selection_type": "by_tag", "property_tags": ["x"]}`)), scopeNamed},
		{"a compact selector", selling(selector(`{"publisher_domains": ["other.example", "pub.example"], "selection_type": "all"}`)), scopeNamed},
		{"another spelling", selling(selector(`{"publisher_domain": "HTTPS://Pub.Example./", "selection_type": "all"}`)), scopeNamed},
		{"the second selector", selling(selector(`{"publisher_domain": "other.example", "selection_type": "all"}, ` + named)), scopeNamed},
		{"a selector of the www form", selling(selector(`{"publisher_domain": "www.pub.example", "selection_type": "all"}`)), scopeMissing},
		{"a selector of another publisher", selling(selector(`{"publisher_domain": "other.example", "selection_type": "all"}`)), scopeMissing},
		{"a selector that does not conform", selling(selector(`{"publisher_domain": "pub.example", "selection_type": "some"}`)), scopeMissing},
		{"a selector on an entry of another type", selling(`"authorization_type": "property_tags", "property_tags": ["sports"], "publisher_properties": [`+named+`]`, properties), scopeMissing},

		{"an id", selling(`"authorization_type": "property_ids", "property_ids": ["mine"]`, properties), scopeNamed},
		{"an id of another publisher", selling(`"authorization_type": "property_ids", "property_ids": ["theirs"]`, properties), scopeMissing},
		{"an id of nobody", selling(`"authorization_type": "property_ids", "property_ids": ["nobodys"]`, properties), scopeMissing},
		{"an id on an entry of another type", selling(`"authorization_type": "property_tags", "property_tags": ["free"], "property_ids": ["mine"]`, properties), scopeMissing},
		{"an id of a property that is left out", selling(`"authorization_type": "property_ids", "property_ids": ["bad", "theirs"]`,
			`"properties": [{"property_id": "bad", "property_type": "website", "name": "Bad", "publisher_domain": "pub.example"}, `+property("theirs", ofOther)+`]`), scopeMissing},

		{"a tag", selling(`"authorization_type": "property_tags", "property_tags": ["news"]`, properties), scopeNamed},
		{"a tag of another publisher", selling(`"authorization_type": "property_tags", "property_tags": ["sports"]`, properties), scopeMissing},
		{"a tag of nobody", selling(`"authorization_type": "property_tags", "property_tags": ["free"]`, properties), scopeMissing},

		{"a collection", selling(`"authorization_type": "property_tags", "property_tags": ["free"], "collections": [{"publisher_domain": "pub.example", "collection_ids": ["c"]}]`, properties), scopeNamed},
		{"a collection of another publisher", selling(`"authorization_type": "property_tags", "property_tags": ["free"], "collections": [{"publisher_domain": "other.example", "collection_ids": ["c"]}]`, properties), scopeMissing},

		{"inline properties of the publisher", selling(`"authorization_type": "inline_properties", "properties": [` + property("mine", ofPub) + `]`), scopeMissing},
		{"inline properties with a collection", selling(`"authorization_type": "inline_properties", "properties": [` + property("mine", ofPub) + `], "collections": [{"publisher_domain": "pub.example", "collection_ids": ["c"]}]`), scopeNamed},
		{"signals", selling(`"authorization_type": "signal_ids", "signal_ids": ["s"], "collections": [{"publisher_domain": "pub.example", "collection_ids": ["c"]}]`,
			`"signals": [{"id": "s", "name": "S", "value_type": "binary"}]`), scopeMissing},

		{"an expired entry", selling(selector(named) + `, "effective_until": "2020-01-01T00:00:00Z"`), scopeNamed},
		{"an entry limited to an unknown placement", selling(selector(named) + `, "placement_ids": ["ghost"]`), scopeNamed},
		{"an entry limited to an unknown placement tag", selling(selector(named) + `, "placement_tags": ["ghost"]`), scopeNamed},
		{"an id on an entry limited to an unknown placement", selling(`"authorization_type": "property_ids", "property_ids": ["mine"], "placement_ids": ["ghost"]`, properties), scopeNamed},
		{"an entry limited to no country", selling(selector(named) + `, "countries": []`), scopeNamed},
		{"no agents", `{` + inline + `, "authorized_agents": [], ` + properties + `}`, scopeMissing},
		{"a revoked publisher", selling(selector(named), `"revoked_publisher_domains": [{"publisher_domain": "Pub.Example", "revoked_at": "2026-01-01T00:00:00Z"}]`), scopeRevoked},
		{"a revoked publisher as a bare string", selling(selector(named), `"revoked_publisher_domains": ["pub.example"]`), scopeRevoked},
		{"a revoked www form", selling(selector(named), `"revoked_publisher_domains": [{"publisher_domain": "www.pub.example", "revoked_at": "2026-01-01T00:00:00Z"}]`), scopeNamed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := adagents.Check([]byte(tt.file), adagents.Options{Role: adagents.Manager, Now: testTime, Domain: "pub.example"})
			if r.File == nil {
				t.Fatalf("unusable: %v", r.Unusable)
			}
			if got := scopeOf(r.File, "pub.example"); got != tt.want {
				t.Errorf("got %d, want %d; %v", got, tt.want, r.Findings)
			}
		})
	}
}

// TestScopeIsLinear takes a part of a second, and would take a quarter of an hour under the race
// detector if every entry looked at every property. The limit leaves room for a busy machine.
func TestScopeIsLinear(t *testing.T) {
	t.Parallel()
	const n = 100_000
	f := &adagents.File{Properties: make([]adagents.Property, n), Agents: make([]adagents.Agent, n)}
	for i := range n {
		f.Properties[i] = adagents.Property{ID: fmt.Sprint("p", i), PublisherDomain: "pub.example", Tags: []string{fmt.Sprint("t", i)}}
		f.Agents[i] = adagents.Agent{Type: "property_tags", PropertyTags: []string{"absent"}}
	}
	began := time.Now()
	if got := scopeOf(f, "pub.example"); got != scopeMissing {
		t.Errorf("got %d", got)
	}
	if took := time.Since(began); took > 10*time.Minute {
		t.Errorf("took %s", took)
	}
}

// manage asks for a publisher whose ads.txt names a manager with the file.
func manage(t *testing.T, file string, o Options) *Discovery {
	t.Helper()
	return newScript().adsTxt("MANAGERDOMAIN=manager.example").serve(managerURL, file).find(t, o)
}

func TestManagerFileMustValidate(t *testing.T) {
	t.Parallel()
	entry := `"authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "pub.example", "selection_type": "all"}]`
	broken := `{"property_id": "bad", "property_type": "website", "name": "Bad"}`
	with := func(more ...string) string { return selling(entry, more...) }
	tests := []struct {
		name, file string
		code       string // of the finding, empty for accepted
	}{
		{"a valid file", with(), ""},
		{"a property without identifiers", with(`"properties": [` + broken + `]`), ""},
		{"a property with nothing right", with(`"properties": [7]`), ""},
		{"a property whose only identifier is broken", with(`"properties": [{"property_id": "x", "property_type": "website", "name": "X", "identifiers": [7]}]`), ""},
		{"a property that stays, with a broken identifier", with(`"properties": [{"property_id": "x", "property_type": "website", "name": "X", "identifiers": [7, {"type": "domain", "value": "x.example"}]}]`), "discovery.manager_invalid"},
		{"properties that are no list", with(`"properties": 7`), "discovery.manager_invalid"},
		{"a bad contact", with(`"contact": {}`), "discovery.manager_invalid"},
		{"a bad placement", with(`"placements": [7]`), "discovery.manager_invalid"},
		{"a second agent that does not conform", `{` + inline + `, "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "all", ` + entry + `}, {"url": "https://b.example/"}]}`, "discovery.manager_invalid"},
		{"an inline property of an agent that does not conform", `{` + inline + `, "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "all", ` + entry +
			`}, {"url": "https://b.example/", "authorized_for": "x", "authorization_type": "inline_properties", "properties": [` + broken + `, ` + property("fine") + `]}]}`, ""},
		{"an unusable file", `{"properties": []}`, "discovery.manager_invalid"},
		{"no JSON", `{`, "discovery.manager_invalid"},
		{"a web page", `<html>`, "discovery.manager_invalid"},
		{"a mixed pointer", `{"authoritative_location": "` + networkURL + `", "authorized_agents": []}`, "discovery.manager_invalid"},
		{"a pointer to the manager itself", pointerTo(managerURL), "discovery.manager_invalid"},
		{"a pointer to the publisher", pointerTo(pubURL), "discovery.manager_invalid"},
		{"a pointer to ads.txt", pointerTo(pubAdsTxt), "discovery.pointer_loop"},
		{"a publisher that is not named", ownFile(), "discovery.manager_unscoped"},
		{"a revoked publisher", with(`"revoked_publisher_domains": [{"publisher_domain": "pub.example", "revoked_at": "2026-01-01T00:00:00Z"}]`), "discovery.manager_revoked"},
	}
	for _, tt := range tests {
		for _, o := range []Options{{}, {Profile: adagents.Strict}, {MaxFindings: 1}, {Scopes: []string{"create_media_buy"}}} {
			t.Run(fmt.Sprintf("%s %v", tt.name, o), func(t *testing.T) {
				t.Parallel()
				d := manage(t, tt.file, o)
				last := d.Findings[len(d.Findings)-1].Code
				switch {
				case tt.code == "":
					if d.Answer != Usable || !d.Found || d.Method != ManagerDomain || d.ManagerDomain != "manager.example" || last != "discovery.manager_used" || d.ResolvedURL != managerURL {
						t.Errorf("%s", summary(d))
					}
				case d.Answer != Absent || d.Found || d.Method != Direct || d.ManagerDomain != "" || last != tt.code || d.Report != nil || d.Body != nil:
					t.Errorf("%s, want %s", summary(d), tt.code)
				}
			})
		}
	}
}

func TestManagerFileWithManyBrokenProperties(t *testing.T) {
	t.Parallel()
	// More than are listed: the rest is known to be of the same kind only.
	list := strings.TrimSuffix(strings.Repeat(`{"property_type": "website", "name": "Bad"},`, 10_005), ",")
	entry := `"authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "pub.example", "selection_type": "all"}]`
	d := manage(t, selling(entry, `"properties": [`+list+`]`), Options{})
	if d.Answer != Usable {
		t.Errorf("%s", summary(d))
	}
	list = strings.TrimSuffix(strings.Repeat(`{"property_type": "website", "name": "Bad", "identifiers": [7]},`, 10_005), ",")
	d = manage(t, selling(entry, `"properties": [`+list+`]`), Options{})
	if d.Answer != Absent {
		t.Errorf("in doubt: %s", summary(d))
	}
}

func TestManagerPointer(t *testing.T) {
	t.Parallel()
	start := func(target string) *script {
		return newScript().adsTxt("MANAGERDOMAIN=manager.example").serve(managerURL, pointerTo(networkURL)).serve(networkURL, target)
	}
	d := start(networkFile()).find(t, Options{})
	want := "usable ads_txt_managerdomain found=true | well_known absent | ads_txt found | manager found | manager_authoritative found ! discovery.manager_used"
	if got := summary(d); got != want || d.ResolvedURL != networkURL || d.Pointer == nil || d.ManagerDomain != "manager.example" || !d.Valid() {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	d = start(pointerTo("https://third.example/f.json")).find(t, Options{})
	if d.Answer != Absent || len(d.Trail) != 4 || findingAt(d, ManagerAuthoritative).Code != "discovery.manager_invalid" {
		t.Errorf("nested: %s", summary(d))
	}
	d = start(ownFile()).find(t, Options{})
	if d.Answer != Absent || findingAt(d, ManagerAuthoritative).Code != "discovery.manager_unscoped" {
		t.Errorf("unscoped: %s", summary(d))
	}
	s := start(networkFile())
	s.serve(managerURL, `{"authoritative_location": "`+networkURL+`", "last_updated": "2026-01-02T00:00:00Z", "$schema": 7}`)
	d = s.find(t, Options{})
	if d.Answer != Absent || findingAt(d, ManagerAuthoritative).Code != "discovery.manager_invalid" {
		t.Errorf("pointer with an error: %s", summary(d))
	}
}

func TestHintForAManagerWithoutScope(t *testing.T) {
	t.Parallel()
	d := manage(t, strings.ReplaceAll(networkFile(), `"pub.example"`, `"www.pub.example"`), Options{})
	f := findingAt(d, Manager)
	if !strings.Contains(f.Hint, `{"publisher_domain": "pub.example", "selection_type": "all"}`) || !strings.Contains(f.Message, "www.pub.example") {
		t.Errorf("%+v", f)
	}
}

// TestScopeTakesDomainsOnly: what stands behind a domain may mean a part of the
// site, so that it names nobody; a revocation of it counts all the same.
func TestScopeTakesDomainsOnly(t *testing.T) {
	t.Parallel()
	for domain, want := range map[string]scope{
		"pub.example": scopeNamed, "PUB.example.": scopeNamed, "https://pub.example/": scopeNamed,
		"pub.example/sports": scopeMissing, "pub.example?other.example": scopeMissing, "pub.example#x": scopeMissing,
		"pub.example:443": scopeMissing, "https://pub.example:8443/": scopeMissing,
	} {
		f := adagents.File{
			Agents:     []adagents.Agent{{Type: "property_ids", PropertyIDs: []string{"mine"}}},
			Properties: []adagents.Property{{ID: "mine", PublisherDomain: domain}},
		}
		got := scopeOf(&f, "pub.example")
		if got != want {
			t.Errorf("property of %s: scope %v, want %v", domain, got, want)
		}
		f = adagents.File{Agents: []adagents.Agent{{Type: "publisher_properties", Selectors: []adagents.Selector{{PublisherDomain: domain}}}}}
		got = scopeOf(&f, "pub.example")
		if got != want {
			t.Errorf("selector of %s: scope %v, want %v", domain, got, want)
		}
	}
	revoked := adagents.File{Revocations: []adagents.Revocation{{PublisherDomain: "pub.example/sports"}}}
	got := scopeOf(&revoked, "pub.example")
	if got != scopeRevoked {
		t.Errorf("scope %v, want revoked", got)
	}
}
