package adagents

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// checkFragments checks fragments of a file; base is the pointer of the part.
func checkFragments(t *testing.T, in Part, base string, cases []fragmentCase) {
	t.Helper()
	for _, tc := range cases {
		t.Run(tc.fragment, func(t *testing.T) {
			t.Parallel()
			got := outcomes(Example(in, tc.fragment), tc.opt)
			for i := range got {
				got[i] = strings.Replace(got[i], base, "", 1)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

type fragmentCase struct {
	fragment string
	opt      Options
	want     []string
}

func TestSelectors(t *testing.T) {
	t.Parallel()
	strict := Options{Profile: Strict}
	checkFragments(t, InSelector, "/authorized_agents/0/publisher_properties/1", []fragmentCase{
		{`null`, Options{}, []string{"error selector.not_object  (skip entry)"}},
		{`{"publisher_domain":"example.com","selection_type":null}`, Options{}, []string{"error selector.selection_type_unknown /selection_type (skip entry)"}},
		{`{"publisher_domain":"example.com","selection_type":""}`, Options{}, []string{"error selector.selection_type_missing /selection_type (skip entry)"}},
		{`{"publisher_domain":"example.com","selection_type":"byid","property_ids":["a"]}`, Options{}, []string{"error selector.selection_type_unknown /selection_type (skip entry)"}},
		{`{"publisher_domain":null,"publisher_domains":null,"selection_type":"all"}`, Options{}, []string{"error selector.domain_both  (skip entry)", "error file.field_type /publisher_domain", "error file.field_type /publisher_domains"}},
		{`{"publisher_domain":"example.com","publisher_domains":["example.com"],"selection_type":"by_id","property_ids":["a"]}`, Options{}, []string{"error selector.domain_both  (skip entry)"}},
		{`{"publisher_domain":"localhost","publisher_domains":[],"selection_type":"all"}`, Options{}, []string{"error selector.domain_both  (skip entry)"}},
		{`{"publisher_domains":null,"selection_type":"all"}`, Options{}, []string{"error selector.domains_type /publisher_domains (skip entry)"}},
		{`{"publisher_domains":["example.com"],"selection_type":"by_tag","property_tags":["a"]}`, Options{}, nil},
		{`{"publisher_domain":null,"selection_type":"all"}`, Options{}, []string{"error selector.domain_invalid /publisher_domain (drop reference)"}},
		{`{"publisher_domain":"","selection_type":"all"}`, Options{}, []string{"error selector.domain_invalid /publisher_domain (drop reference)"}},
		{`{"publisher_domains":["example.com",1],"selection_type":"all"}`, Options{}, []string{"error selector.domain_invalid /publisher_domains/1 (drop reference)"}},
		{`{"publisher_domain":"Example.COM","selection_type":"all"}`, Options{}, []string{"warning selector.domain_invalid /publisher_domain"}},
		{`{"publisher_domain":"Example.COM","selection_type":"all"}`, strict, []string{"error selector.domain_invalid /publisher_domain"}},
		{`{"publisher_domain":"https://example.com/","selection_type":"all"}`, Options{}, []string{"warning selector.domain_invalid /publisher_domain"}},
		{`{"publisher_domain":"bücher.example","selection_type":"all"}`, Options{}, []string{"warning selector.domain_invalid /publisher_domain"}},
		{`{"publisher_domain":"a b.example","selection_type":"all"}`, Options{}, []string{"error selector.domain_invalid /publisher_domain (drop reference)"}},
		{`{"publisher_domain":"` + strings.Repeat("a", 64) + `.example","selection_type":"all"}`, Options{}, []string{"error selector.domain_invalid /publisher_domain (drop reference)"}},
		{`{"publisher_domain":"127.1","selection_type":"all"}`, Options{}, []string{"error selector.domain_ip /publisher_domain (drop reference)"}},
		{`{"publisher_domain":"[::1]","selection_type":"all"}`, Options{}, []string{"error selector.domain_ip /publisher_domain (drop reference)"}},
		{`{"publisher_domain":"*","selection_type":"all"}`, Options{}, []string{"error selector.domain_wildcard /publisher_domain (drop reference)"}},
		{`{"publisher_domain":"github.io","selection_type":"all"}`, Options{}, []string{"error selector.domain_public_suffix /publisher_domain (drop reference)"}},
		{`{"publisher_domains":["example.com","Example.com.","x.example"],"selection_type":"all"}`, Options{}, []string{"warning selector.domain_invalid /publisher_domains/1", "warning selector.domain_duplicate /publisher_domains/1"}},
		{`{"publisher_domains":["b.example.com","a.example.com","b.example.com"],"selection_type":"all"}`, strict, []string{"error selector.domain_duplicate /publisher_domains/2"}},
		{`{"publisher_domains":["x y","x y"],"selection_type":"all"}`, Options{}, []string{"error selector.domain_invalid /publisher_domains/0 (drop reference)", "error selector.domain_invalid /publisher_domains/1 (drop reference)"}},
		{`{"publisher_domain":"example.com","selection_type":"by_id","property_ids":[]}`, Options{}, []string{"error selector.property_ids_missing /property_ids (skip entry)"}},
		{`{"publisher_domain":"example.com","selection_type":"by_tag","property_tags":"news"}`, Options{}, []string{"error selector.property_tags_missing /property_tags (skip entry)"}},
		{`{"publisher_domain":"example.com","selection_type":"by_tag","property_tags":["a"],"property_ids":["b"]}`, Options{}, []string{"warning selector.predicate_ignored /property_ids"}},
		{`{"publisher_domain":"example.com","selection_type":"by_id","property_ids":["b"],"property_tags":null}`, Options{}, []string{"warning selector.predicate_ignored /property_tags"}},
		{`{"publisher_domain":"example.com","selection_type":"by_tag","property_tags":["a",null," ","B-c"]}`, Options{}, []string{
			"error selector.item_type /property_tags/1", "error selector.item_type /property_tags/2", "warning selector.item_pattern /property_tags/3",
		}},
		{`{"publisher_domain":"example.com","selection_type":"by_tag","property_tags":["a-b"]}`, strict, []string{"error selector.item_pattern /property_tags/0"}},
	})
}

// TestManyPublishers holds selectors to no limit of their own: the size of the file is one.
func TestManyPublishers(t *testing.T) {
	t.Parallel()
	const many = 60_000
	var b strings.Builder
	for i := range many {
		fmt.Fprintf(&b, `,"p%05d.example"`, i)
	}
	src := Example(InSelector, `{"publisher_domains":[`+b.String()[1:]+`],"selection_type":"all"}`)
	if got := outcomes(src, Options{Profile: Strict}); got != nil {
		t.Errorf("findings: %v", got)
	}
}

func TestRevokedSelectors(t *testing.T) {
	t.Parallel()
	src := `{` + exampleHead + `,"revoked_publisher_domains":["a.example.com",{"publisher_domain":"b.example.com","revoked_at":"2026-01-01T00:00:00Z"}],
"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"x","authorization_type":"publisher_properties","publisher_properties":[
{"publisher_domains":["c.example.com","B.example.com","a.example.com"],"selection_type":"all"}],"signing_keys":[` + exampleKey + `]}]}`
	for _, f := range Check([]byte(src), Options{}).Findings {
		if f.Code == "selector.revoked" {
			if want := `2 publishers of the selector are revoked in this file, the first is "b.example.com"`; f.Message != want {
				t.Errorf("message %q, want %q", f.Message, want)
			}
			return
		}
	}
	t.Error("no selector.revoked")
}

func TestCollectionSelectors(t *testing.T) {
	t.Parallel()
	const place = "/authorized_agents/0/collections/1"
	checkFragments(t, InCollectionSelector, place, []fragmentCase{
		{`null`, Options{}, []string{"error collection_selector.not_object  (authorizes nothing)"}},
		{`{"publisher_domain":null,"collection_ids":["daily"]}`, Options{}, []string{"error collection_selector.domain_invalid /publisher_domain (authorizes nothing)"}},
		{`{"publisher_domain":"co.uk","collection_ids":["daily"]}`, Options{}, []string{"error collection_selector.domain_invalid /publisher_domain (authorizes nothing)"}},
		{`{"publisher_domain":"Example.com","collection_ids":["daily"]}`, Options{}, []string{"warning collection_selector.domain_invalid /publisher_domain"}},
		{`{"publisher_domain":"Example.com","collection_ids":["daily"]}`, Options{Profile: Strict}, []string{"error collection_selector.domain_invalid /publisher_domain"}},
		{`{"publisher_domain":"example.com","collection_ids":null}`, Options{}, []string{"error collection_selector.ids_missing /collection_ids (authorizes nothing)"}},
		{`{"publisher_domain":"example.com"}`, Options{}, nil},
		{`{"publisher_domain":"example.com","collection_ids":"daily"}`, Options{}, []string{"error collection_selector.ids_missing /collection_ids (authorizes nothing)"}},
		{`{"publisher_domain":"example.com","collection_ids":[]}`, Options{}, []string{"error collection_selector.ids_empty /collection_ids (authorizes nothing)"}},
		{`{"publisher_domain":"example.com","collection_ids":["daily",7]}`, Options{}, []string{"error collection_selector.ids_missing /collection_ids/1 (authorizes nothing)"}},
		{`{"publisher_domain":"example.com","collection_id":"daily"}`, Options{}, []string{"error collection_selector.ids_missing /collection_ids (authorizes nothing)", "warning file.other_name /collection_id"}},
		{`{"publisher_domain":"example.com","collectionIds":["daily"]}`, Options{}, []string{"error collection_selector.ids_missing /collection_ids (authorizes nothing)", "warning file.other_name /collectionIds"}},
		{`{"publisher_domain":"example.com","colection_ids":["daily"]}`, Options{}, []string{"error collection_selector.ids_missing /collection_ids (authorizes nothing)", "warning file.misspelled_field /colection_ids"}},
		{`{"publisher_domain":"example.com","collection_ids":["daily",""]}`, Options{}, []string{"error collection_selector.ids_missing /collection_ids/1 (authorizes nothing)"}},
		{`{"publisher_domain":"example.org","collection_ids":["x"]}`, Options{}, []string{"info collection_selector.foreign /publisher_domain"}},
		{`{"publisher_domain":"example.com","collection_ids":["daily","x"]}`, Options{}, []string{"warning collection_selector.id_undefined /collection_ids/1 (drop reference)"}},
	})
	r := Check(Example(InCollectionSelector, `"daily"`), Options{})
	if !r.File.Agents[0].Inert() {
		t.Error("an unreadable narrowing leaves the entry in force")
	}
}

// TestCollectionOwner checks whose collections an item of collections means.
func TestCollectionOwner(t *testing.T) {
	t.Parallel()
	entry := entryOf("inline_properties", `,"properties":[`+property("site", "example.com")+`],"collections":[{"publisher_domain":"example.com","collection_ids":["x"]}]`)
	two := `"properties":[` + property("a", "example.com") + `,` + property("b", "example.org") + `]`
	broken := `"collections":[{"collection_id":"x"}]`
	const undefined = "warning collection_selector.id_undefined /collections/0/collection_ids/0 (drop reference)"
	checkScopeCases(t, []scopeCase{
		{"served for it", two, entry, Options{Domain: "example.com"}, []string{undefined}},
		{"served for another", two, entry, Options{Domain: "example.org"}, []string{"info collection_selector.foreign /collections/0/publisher_domain"}},
		{"several publishers", two, entry, Options{}, nil},
		{"shared file", two, entry, Options{Domain: "example.com", Role: Manager}, nil},
		{"collection left out", broken, entry, Options{Domain: "example.com"}, []string{undefined}},
	})
}
