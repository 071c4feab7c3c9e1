package adagents

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/model"
)

// TestIgnoredRestrictions is about what people write in place of the members that narrow
// an entry: each is named, with what to write instead.
func TestIgnoredRestrictions(t *testing.T) {
	t.Parallel()
	tests := []struct {
		member, name, advice string
	}{
		{`"country": "US"`, "country", `write "countries"`},
		{`"Countries": ["US"]`, "Countries", `write "countries"`},
		{`"countrys": ["US"]`, "countrys", `write "countries"`},
		{`"geo": ["US"]`, "geo", `write "countries"`},
		{`"regions": ["US"]`, "regions", `write "countries"`},
		{`"allowedCountries": ["US"]`, "allowedCountries", `write "countries"`},
		{`"effective_till": "2026-01-02T00:00:00Z"`, "effective_till", `write "effective_until"`},
		{`"effectiveUntil": "2026-01-02T00:00:00Z"`, "effectiveUntil", `write "effective_until"`},
		{`"expires": "2026-01-02T00:00:00Z"`, "expires", `write "effective_until"`},
		{`"expiresAt": "2026-01-02T00:00:00Z"`, "expiresAt", `write "effective_until"`},
		{`"expires-at": "2026-01-02T00:00:00Z"`, "expires-at", `write "effective_until"`},
		{`"valid_until": null`, "valid_until", `write "effective_until"`},
		{`"validFrom": "2026-01-02"`, "validFrom", `write "effective_from"`},
		{`"start_date": "2026-01-02"`, "start_date", `write "effective_from"`},
		{`"placements": ["home_top"]`, "placements", `write "placement_ids"`},
		{`"placementIds": ["home_top"]`, "placementIds", `write "placement_ids"`},
		{`"placement_tag": "premium"`, "placement_tag", `write "placement_tags"`},
		{`"collection_ids": ["daily"]`, "collection_ids", `write "collections"`},
		{`"excluded_countries": ["US"]`, "excluded_countries", noExclusion},
		{`"excludedPropertyIds": ["site"]`, "excludedPropertyIds", noExclusion},
		{`"except": []`, "except", noExclusion},
		{`"blocked_domains": []`, "blocked_domains", noExclusion},
		{`"active": false`, "active", noSwitch},
		{`"status": "paused"`, "status", noSwitch},
		{`"revoked": true`, "revoked", noSwitch},
		{`"channels": ["display"]`, "channels", noDimension},
		{`"scopes": ["get_products"]`, "scopes", noDimension},
		{`"publisher_domain": "example.com"`, "publisher_domain", noPublisher},
		{`"geo_targets": ["US"]`, "geo_targets", `write "countries"`},
		{`"sales_countries": ["US"]`, "sales_countries", `write "countries"`},
		{`"only_for": "brand.example"`, "only_for", noDimension},
		{`"max_cpm": 5`, "max_cpm", noDimension},
		{`"minSpend": 100`, "minSpend", noDimension},
		{`"mobile_only": true`, "mobile_only", noDimension},
		{`"frequency-cap": 3`, "frequency-cap", noDimension},

		{`"active": true, "status": "Active", "disabled": false, "revoked": false, "revoked_at": null`, "", ""},
		{`"x_country": "US", "ext": {"country": "US"}, "_expires": 1, "$geo": 1`, "", ""},
		{`"note": "US only", "agent_id": 5, "logo": "x", "contact": {"country": "US"}`, "", ""},
	}
	for _, tt := range tests {
		src := Example(InAgent, sellerOfSite+",\n"+tt.member+"\n}")
		for _, p := range []Profile{Default, Strict} {
			r := Check(src, Options{Profile: p})
			var got []string
			for _, f := range r.Findings {
				if f.Code == "agent.restriction_ignored" {
					got = append(got, f.Severity.String()+" "+f.Pointer+" "+f.Hint)
				}
			}
			var want []string
			if tt.name != "" {
				severity := map[Profile]string{Default: "warning", Strict: "error"}[p]
				want = []string{severity + " /authorized_agents/1/" + tt.name + " " + tt.advice}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (%v): findings (-want +got):\n%s", tt.member, p, diff)
			}
		}
		var want []IgnoredRestriction
		if tt.name != "" {
			want = []IgnoredRestriction{{tt.name, tt.advice}}
		}
		file, err := Parse(src)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, file.Agents[1].IgnoredRestrictions()); diff != "" {
			t.Errorf("%s: restrictions (-want +got):\n%s", tt.member, diff)
		}
	}
}

// TestNoRestrictionIsKnown holds the lists to the format: a name that it knows is read, and
// what is meant exists.
func TestNoRestrictionIsKnown(t *testing.T) {
	t.Parallel()
	for _, member := range narrowing {
		if model.Agent.Field(member) == nil {
			t.Errorf("an agent entry has no %s", member)
		}
	}
	for name := range advices() {
		if model.Agent.Field(name) != nil && meantNames[name] == nil {
			t.Errorf("%s is a member of the format", name)
		}
		if name != snakeCase(strings.ToLower(name)) {
			t.Errorf("%s is not in snake case", name)
		}
	}
}
