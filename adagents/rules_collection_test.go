package adagents

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCollections(t *testing.T) {
	t.Parallel()
	distributed := func(identifiers string) string {
		return collected(`"distribution": [{"publisher_domain": "x.example", "identifiers": [` + identifiers + `]}]`)
	}
	tests := []findingTest{
		{"good", goodCollection, nil},
		{"null", `null`, []string{"error collection.not_object"}},
		{"empty", `{}`, []string{"error collection.id_missing /collection_id", "error collection.name_missing /name"}},
		{"id number", `{"collection_id":1,"name":"X"}`, []string{"error collection.id_missing /collection_id"}},
		{"id blank", `{"collection_id":" ","name":"X"}`, []string{"error collection.id_missing /collection_id"}},
		{"name null", `{"collection_id":"x","name":null}`, []string{"error collection.name_missing /name"}},
		{"kind number", collected(`"kind": 1`), []string{"error file.field_type /kind"}},
		{"kind blank", collected(`"kind": ""`), []string{"warning collection.kind_unknown /kind"}},
		{"kind case", collected(`"kind": "Series"`), []string{"warning collection.kind_unknown /kind"}},
		{"language tag", collected(`"language": "zh-Hant-TW"`), nil},
		{"language any case", collected(`"language": "EN-us"`), nil},
		{"language null", collected(`"language": null`), []string{"error file.field_type /language"}},
		{"genre null", collected(`"genre": null`), []string{"warning collection.genre_invalid /genre"}},
		{"genre empty", collected(`"genre": []`), nil},
		{"rating empty", collected(`"content_rating": {}`), []string{
			"warning collection.content_rating_invalid /content_rating/rating", "warning collection.content_rating_invalid /content_rating/system",
		}},
		{"rating with more", collected(`"content_rating": {"system": "fsk", "rating": "12", "year": 2020}`), []string{"info file.unknown_in_entry /content_rating/year"}},
		{"talent object", collected(`"talent": {}`), []string{"warning collection.talent_invalid /talent"}},
		{"talent items", collected(`"talent": [1, {"role": "hst", "name": "X", "brand_url": "x"}]`), []string{
			"warning collection.talent_invalid /talent/0",
			"warning collection.talent_invalid /talent/1/brand_url",
			"warning collection.talent_invalid /talent/1/role",
		}},
		{"special without name", collected(`"special": {"category": "gala"}`), []string{"warning collection.special_invalid /special/name"}},
		{"special bad time is not compared", collected(`"special": {"name": "X", "starts": "tomorrow", "ends": "2026-01-01T00:00:00Z"}`),
			[]string{"warning collection.special_invalid /special/starts"}},
		{"special one moment", collected(`"special": {"name": "X", "starts": "2026-01-01T01:00:00+01:00", "ends": "2026-01-01T00:00:00Z"}`), nil},
		{"series inverted", collected(`"limited_series": {"total_installments": 2, "starts": "2026-01-02T00:00:00Z", "ends": "2026-01-01T00:00:00Z"}`),
			[]string{"warning collection.window_inverted /limited_series/ends"}},
		{"series half", collected(`"limited_series": {"total_installments": 1.5}`), []string{"warning collection.limited_series_invalid /limited_series/total_installments"}},
		{"deadline empty", collected(`"deadline_policy": {}`), []string{"warning collection.deadline_policy_invalid /deadline_policy"}},
		{"deadline equal", collected(`"deadline_policy": {"booking_lead_days": 7, "cancellation_lead_days": 7.0}`), nil},
		{"deadline booking alone", collected(`"deadline_policy": {"booking_lead_days": 0}`), nil},
		{"deadline negative", collected(`"deadline_policy": {"booking_lead_days": -1}`), []string{"warning collection.deadline_policy_invalid /deadline_policy/booking_lead_days"}},
		{"stages falling", collected(`"deadline_policy": {"material_stages": [{"stage": "a", "lead_days": 9}, {"stage": "b", "lead_days": 9}, {"stage": "c", "lead_days": 3}]}`), nil},
		{"stages rising", collected(`"deadline_policy": {"material_stages": [{"stage": "a", "lead_days": 3}, {"stage": "b", "lead_days": 9}]}`),
			[]string{"warning collection.deadline_order /deadline_policy/material_stages/1/lead_days"}},
		{"stage without days", collected(`"deadline_policy": {"material_stages": [{"stage": "a"}, {"stage": "b", "lead_days": 9}]}`),
			[]string{"warning collection.deadline_policy_invalid /deadline_policy/material_stages/0/lead_days"}},
		{"channel", collected(`"kind": "channel"`), nil},
		{"distribution by properties", collected(`"distribution": [{"publisher_domain": "x.example", "property_ids": ["tv", "web"]}]`), nil},
		{"distribution by both", collected(`"distribution": [{"publisher_domain": "x.example", "property_ids": ["tv"], "identifiers": [{"type": "imdb_id", "value": "tt1"}]}]`), nil},
		{"distribution with neither", collected(`"distribution": [{"publisher_domain": "x.example"}]`),
			[]string{"warning collection.distribution_invalid /distribution/0/property_ids"}},
		{"distribution by no properties", collected(`"distribution": [{"publisher_domain": "x.example", "property_ids": []}]`),
			[]string{"warning collection.distribution_invalid /distribution/0/property_ids"}},
		{"distribution by a property twice", collected(`"distribution": [{"publisher_domain": "x.example", "property_ids": ["tv", "tv"]}]`),
			[]string{"warning collection.distribution_invalid /distribution/0/property_ids/1"}},
		{"distribution by a name", collected(`"distribution": [{"publisher_domain": "x.example", "property_ids": ["The TV"]}]`),
			[]string{"warning collection.distribution_invalid /distribution/0/property_ids/0"}},
		{"id in a platform's catalog", distributed(`{"type": "platform_channel_id", "value": "retro"}, {"type": "eidr_id", "value": "1"}`), nil},
		{"distribution without publisher", collected(`"distribution": [{"identifiers": [{"type": "imdb_id", "value": "tt1"}]}]`),
			[]string{"warning collection.distribution_invalid /distribution/0/publisher_domain"}},
		{"identifier with more", distributed(`{"type": "imdb_id", "value": "tt1", "note": 1}`),
			[]string{"warning collection.distribution_invalid /distribution/0/identifiers/0/note"}},
		{"unknown type may be independent", distributed(`{"type": "tubi_id", "value": "1"}, {"type": "isan", "value": "1"}`),
			[]string{"warning collection.distribution_invalid /distribution/0/identifiers/1/type"}},
		{"platforms only", distributed(`{"type": "tubi_id", "value": "1"}, {"type": "peacock_id", "value": "1"}`),
			[]string{"info collection.no_platform_independent_id /distribution"}},
		{"index id", distributed(`{"type": "podcast_index_id", "value": "1"}`), nil},
		{"related object", collected(`"related_collections": {}`), []string{"error file.field_type /related_collections"}},
		{"related number", collected(`"related_collections": [1]`), []string{"warning collection.related_invalid /related_collections/0"}},
		{"related empty", related(``), []string{
			"warning collection.related_invalid /related_collections/0/collection_id", "warning collection.related_invalid /related_collections/0/relationship",
		}},
		{"related null", related(`"collection_id": null, "relationship": "sequel"`), []string{"warning collection.related_invalid /related_collections/0/collection_id"}},
		{"related blank", related(`"collection_id": "", "relationship": "sequel"`), []string{"warning collection.related_undefined /related_collections/0/collection_id"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := foundUnder(Example(InCollection, tt.fragment), Options{}, "/collections/1")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCatalogRulesStrict proves the severities of both profiles on the bad
// example of every rule about collections and placements.
func TestCatalogRulesStrict(t *testing.T) {
	t.Parallel()
	tested := 0
	for _, r := range Rules() {
		group, _, _ := strings.Cut(r.Code, ".")
		switch group {
		case "collection", "placement", "preview", "presentation", "mirror":
		default:
			continue
		}
		for _, profile := range []Profile{Default, Strict} {
			opt := Options{}
			if r.given != nil {
				r.given(&opt)
			}
			opt.Profile = profile
			for _, f := range Check(Example(r.In, r.Bad), opt).Findings {
				if f.Code == r.Code && (f.Severity != r.severity(profile) || f.Effect != r.Effect || f.Spec != r.Spec) {
					t.Errorf("%s: %s, %s in the %s profile", r.Code, f.Severity, f.Effect, profile)
				}
			}
			tested++
		}
	}
	if tested < 100 {
		t.Errorf("only %d examples", tested)
	}
}

func TestCollectionHints(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ fragment, want string }{
		{collected(`"kind": "podcast"`), `did you mean "series"?`},
		{collected(`"kind": "publicaton"`), `did you mean "publication"?`},
		{collected(`"status": "Paused"`), `did you mean "hiatus"?`},
		{collected(`"cadence": "hourly"`), "known values: daily, weekly, monthly, seasonal, event, irregular"},
		{related(`"collection_id": "dailly", "relationship": "sequel"`), `did you mean "daily"?`},
		{related(`"collection_id": "daily", "relationship": "sequal"`), `did you mean "sequel"?`},
	} {
		findings := Check(Example(InCollection, tt.fragment), Options{}).Findings
		if len(findings) != 1 || findings[0].Hint != tt.want {
			t.Errorf("%s\nfindings %v, want the hint %q", tt.fragment, findings, tt.want)
		}
	}
}

func TestCollectionSkips(t *testing.T) {
	t.Parallel()
	for fragment, kept := range map[string]int{
		goodCollection: 2, `7`: 1, `{"name": "X"}`: 1, `{"collection_id": "x"}`: 1,
		`{"collection_id": "daily", "name": "Again"}`: 2, collected(`"kind": "podcast"`): 2,
	} {
		if n := len(Check(Example(InCollection, fragment), Options{}).File.Collections); n != kept {
			t.Errorf("%s: %d collections left, want %d", fragment, n, kept)
		}
	}
}
