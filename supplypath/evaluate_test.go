package supplypath

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/test/vectors"
)

// base returns the input of the vector with a complete path.
func base(t testing.TB) *Input {
	t.Helper()
	all, err := vectors.PathCases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if c.Name == "exact-owner-collection-and-carried-property" {
			return inputOf(c)
		}
	}
	t.Fatal("the vector with a complete path is gone")
	return nil
}

func replaced(src []byte, from, to string) []byte {
	return bytes.Replace(src, []byte(from), []byte(to), 1)
}

// TestBeyondVectors has cases that the vectors do not tell apart.
func TestBeyondVectors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(in *Input)
		state  State
		legs   string
	}{
		"no collections": {func(in *Input) { in.Collection, in.Owner.File = "", []byte(`{"authorized_agents": []}`) }, Unverified, "no_collections_declared collection_leg_failed agent_not_declared_by_owner collection_scope_mismatch ads_txt_unavailable"},
		"blank id":       {func(in *Input) { in.Collection = " " }, Unverified, "collection_not_declared collection_leg_failed + collection_scope_mismatch ads_txt_unavailable"},
		"collection twice": {func(in *Input) {
			in.Owner.File = replaced(in.Owner.File, `"collections": [`, `"collections": [{"collection_id": "retro_news"},`)
		}, Unverified, "collection_not_declared collection_leg_failed + property_scope_mismatch ads_txt_unavailable"},
		"property twice": {func(in *Input) {
			in.Host.File = replaced(in.Host.File, `"properties": [`, `"properties": [{"property_id": "hoststream_ctv", "property_type": "website", "name": "x", "identifiers": [{"type": "domain", "value": "x.example"}]},`)
		}, OwnerAttested, "+ property_ids_unresolved + property_scope_mismatch ads_txt_unavailable"},
		"not JSON":      {func(in *Input) { in.Host.File = []byte(`{`) }, OwnerAttested, "+ host_manifest_not_found + manifest_not_found ads_txt_unavailable"},
		"not an object": {func(in *Input) { in.Host.File = []byte(`[]`) }, OwnerAttested, "+ host_manifest_not_found + manifest_not_found ads_txt_unavailable"},
		"a member twice": {func(in *Input) {
			in.Host.File = replaced(in.Host.File, `"properties": [`, `"properties": [], "properties": [`)
		}, OwnerAttested, "+ host_manifest_not_found + manifest_not_found ads_txt_unavailable"},
		"revoked in a file with a member twice": {func(in *Input) {
			in.Host.File = replaced(in.Host.File, `"properties": [`, `"revoked_publisher_domains": ["channel-owner.example"], "properties": [], "properties": [`)
			in.AdsTxt = map[string][]byte{"app-ads.txt": []byte("inventorypartnerdomain=channel-owner.example")}
		}, OwnerAttested, "+ host_manifest_not_found + manifest_not_found +"},
		"an empty list is required": {func(in *Input) { in.Required = []string{} }, OwnerAttested, "+ + + property_scope_mismatch ads_txt_unavailable"},
		"no domains":                {func(in *Input) { in.Owner.Domain, in.Host.Domain = "", "" }, Unverified, "+ no_distribution_for_host + collection_scope_mismatch ads_txt_unavailable"},
		"the Kelvin sign is no k":   {func(in *Input) { in.Host.Domain = "hoststream.example\u212a" }, Unverified, "+ no_distribution_for_host + property_scope_mismatch ads_txt_unavailable"},
		"long text":                 {func(in *Input) { in.Agent = "https://a.example/" + strings.Repeat("é", MaxText) }, Unverified, strings.Repeat(" evaluation_limit_exceeded", 5)[1:]},
		"long text within the limit": {func(in *Input) {
			in.Host.File = replaced(in.Host.File, "HostStream CTV", strings.Repeat("é", MaxText))
		}, VerifiedOwnerSold, "+ + + + ads_txt_unavailable"},
		"much work": {func(in *Input) {
			in.Host.File = replaced(in.Host.File, `"properties": [`, `"x": [`+strings.Repeat(`[`+strings.Repeat("0,", 999)+"0],", 31)+`0], "properties": [`)
			in.Owner.File = replaced(in.Owner.File, `"collections": [`, `"collections": [`+strings.Repeat("{},", 40))
		}, Unverified, strings.Repeat(" evaluation_limit_exceeded", 5)[1:]},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := base(t)
			c.change(in)
			r := Evaluate(in)
			l := r.Legs
			var legs []string
			for _, leg := range []Leg{l.Collection, l.Carriage.Leg, l.Agent, l.Host.Leg, l.Partner} {
				if leg.OK {
					legs = append(legs, "+")
				} else {
					legs = append(legs, string(leg.Failure))
				}
			}
			if diff := cmp.Diff(c.legs, strings.Join(legs, " ")); diff != "" || r.State != c.state {
				t.Errorf("%s, want %s; legs -want +got:\n%s", r.State, c.state, diff)
			}
		})
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	in := base(t)
	in.SkipAdsTxt = true
	got, err := json.Marshal(Evaluate(in))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"semantics_version":"1","state":"verified_owner_sold","resolved_collection_id":"retro_news","legs":{` +
		`"owner_collection_declared":{"ok":true,"detail":"kind: channel"},` +
		`"owner_distribution_carriage":{"ok":true,"property_ids_matched":["hoststream_ctv"],"property_ids_unmatched":[]},` +
		`"owner_agent_declared":{"ok":true},` +
		`"host_authorization":{"ok":true,"matched_entry":{"url":"https://sales.channel-owner.example","authorization_type":"property_ids","collections":[{"publisher_domain":"channel-owner.example","collection_ids":["retro_news"]}]}},` +
		`"inventory_partner_domain":{"ok":false,"failure":"not_evaluated","detail":"ads.txt was not needed"}}}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestFailuresHaveWords: every failure is explained.
func TestFailuresHaveWords(t *testing.T) {
	t.Parallel()
	for _, f := range []Failure{
		ManifestNotFound, PublisherRevoked, NoCollectionsDeclared, CollectionNotDeclared, CollectionLegFailed, NoDistributionForHost,
		PropertyIDsUnresolved, HostManifestNotFound, AgentNotDeclared, NoAgentEntry, CollectionScopeMismatch, PropertyScopeMismatch,
		UnsupportedConstraints, NotDeclared, AdsTxtUnavailable, NotEvaluated, LimitExceeded,
	} {
		if details[f] == "" {
			t.Errorf("%s has no words", f)
		}
	}
}

// FuzzEvaluate: whatever the files are, there is an answer, and a state has the legs that it needs.
func FuzzEvaluate(f *testing.F) {
	all, err := vectors.PathCases()
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range all {
		if c.Verb == "verify" {
			f.Add(c.Owner, c.Host, c.Agent, c.Collection, c.Texts["ads.txt"])
		}
	}
	f.Fuzz(func(t *testing.T, owner, host []byte, agent, collection string, ads []byte) {
		in := &Input{
			Owner: Party{Domain: "channel-owner.example", File: owner}, Host: Party{Domain: "hoststream.example", File: host},
			Agent: agent, Collection: collection, AdsTxt: map[string][]byte{"ads.txt": ads, "app-ads.txt": ads},
		}
		r := Evaluate(in)
		if problem := inconsistent(r, collection); problem != "" {
			t.Errorf("%s: %+v", problem, r)
		}
	})
}

// inconsistent returns what a client would reject in an answer.
func inconsistent(r *Result, asked string) string {
	l := &r.Legs
	for i, leg := range []Leg{l.Collection, l.Carriage.Leg, l.Agent, l.Host.Leg, l.Partner} {
		if leg.OK != (leg.Failure == "") {
			return fmt.Sprintf("leg %d is ok and has a failure, or neither", i)
		}
	}
	switch {
	case r.State == VerifiedOwnerSold && (!l.Collection.OK || !l.Carriage.OK || !l.Host.OK),
		r.State == HostDelegated && (!l.Collection.OK || !l.Agent.OK || !l.Partner.OK),
		r.State == OwnerAttested && !l.Collection.OK:
		return "the state needs another leg"
	case l.Collection.OK != (r.Collection != ""), l.Collection.OK && asked != "" && r.Collection != asked:
		return "the collection is not the one of the leg"
	case l.Host.OK != (l.Host.Entry != nil):
		return "the entry is missing"
	}
	return ""
}
