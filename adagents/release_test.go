package adagents

import (
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/model"
)

// newest is a file with everything that came after the release 3.1.
const newest = `{
  "$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json",
  "contact": {"name": "Example"},
  "properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "example.com"}]}],
  "collections": [
    {"collection_id": "news", "name": "News", "kind": "channel", "distribution": [{"publisher_domain": "host.example", "property_ids": ["tv"]}]},
    {"collection_id": "talk", "name": "Talk", "distribution": [{"publisher_domain": "host.example", "identifiers": [{"type": "platform_channel_id", "value": "7"}]}]}
  ],
  "formats": [
    {"format_kind": "seller_rendered_stateful_display", "params": {}},
    {"format_kind": "coordinated_placements", "params": {}}
  ],
  "placements": [{
    "placement_id": "screen", "name": "Screen", "property_ids": ["site"],
    "format_options": [{"format_kind": "seller_rendered_stateful_display", "params": {}}, {"format_kind": "coordinated_placements", "params": {}}],
    "identifiers": [{"type": "screen_id", "value": "space:7"}],
    "dooh_placement_attributes": {"location": {"address": {"country": "DE"}}}
  }],
  "authorized_agents": [{
    "url": "https://seller.example/mcp", "authorized_for": "all", "authorization_type": "property_ids", "property_ids": ["site"],
    "collections": [{"publisher_domain": "owner.example"}]
  }]
}`

// TestReleases holds the rules to the table: with a release, the file has a finding for each row that is
// newer, and no other finding changes; without one, none of them.
func TestReleases(t *testing.T) {
	t.Parallel()
	if last := model.Releases[len(model.Releases)-1]; !slices.Contains(Releases(), last) || last != model.AdCPRelease {
		t.Errorf("%s is not a release to check for: %v", last, Releases())
	}
	others := releaseFindings(t, "", nil)
	for i, release := range model.Releases {
		var want []string
		for _, c := range model.Changes {
			if slices.Index(model.Releases, c.Release) > i {
				want = append(want, c.Release)
			}
		}
		var got []string
		if rest := releaseFindings(t, release, &got); !slices.Equal(rest, others) {
			t.Errorf("%s: %q, want %q", release, rest, others)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: findings about %q, want %q", release, got, want)
		}
	}
}

// releaseFindings checks the file. It adds the releases of findings about newer ones to newer, and returns
// the codes of the others.
func releaseFindings(t *testing.T, release string, newer *[]string) []string {
	t.Helper()
	var others []string
	for _, f := range Check([]byte(newest), Options{Release: release}).Findings {
		if f.Code != "file.newer_release" {
			others = append(others, f.Code)
			continue
		}
		_, since, _ := strings.Cut(f.Message, "since AdCP ")
		*newer = append(*newer, since)
	}
	return others
}

func TestBrandOfNewerRelease(t *testing.T) {
	t.Parallel()
	brand := `{"house": {"domain": "example.com"}, "brands": [], "notes": "` + strings.Repeat("x", 256<<10) + `"}`
	for release, want := range map[string]int{"": 0, "3.2": 1, "3.3": 0} {
		n := 0
		for _, f := range Check([]byte(brand), Options{Release: release}).Findings {
			if f.Code == "file.newer_release" {
				n++
			}
		}
		if n != want {
			t.Errorf("release %q: %d findings", release, n)
		}
	}
}
