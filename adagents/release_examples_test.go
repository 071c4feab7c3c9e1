package adagents

import (
	"slices"
	"strings"
	"testing"
)

// TestReaders: ten files, with whether they are valid, and what a reader of AdCP 3.2 does not know that
// one of 3.3 does. Both say the same about everything else.
func TestReaders(t *testing.T) {
	t.Parallel()
	const agent = `"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]`
	collection := func(members string) string {
		return agent + `}], "collections": [{"collection_id": "news", "name": "News", ` + members + `}]`
	}
	files := []struct {
		name, members string
		valid         bool
		newer         []string // messages for 3.2
	}{
		{"plain", agent + `}]`, true, nil},
		{"bulk grant", agent + `, "collections": [{"publisher_domain": "owner.example"}]}]`, true, []string{"collection_ids may be left out since AdCP 3.3"}},
		{"empty selector", agent + `, "collections": [{"publisher_domain": "owner.example", "collection_ids": []}]}]`, false, nil},
		{"channel", collection(`"kind": "channel", "distribution": [{"publisher_domain": "pub.example", "identifiers": [{"type": "roku_channel_id", "value": "1"}]}]`), true, []string{`the kind "channel" is known since AdCP 3.3`}},
		{"properties of a distribution", collection(`"distribution": [{"publisher_domain": "pub.example", "property_ids": ["site"]}]`), true, []string{"identifiers may be left out since AdCP 3.3", "the member property_ids is known since AdCP 3.3"}},
		{"id of a platform's channel", collection(`"distribution": [{"publisher_domain": "pub.example", "identifiers": [{"type": "platform_channel_id", "value": "77"}]}]`), true, []string{`the type "platform_channel_id" is known since AdCP 3.3`}},
		{"ids of a placement", agent + `}], "placements": [{"placement_id": "top", "name": "Top", "property_ids": ["site"], "identifiers": [{"type": "screen_id", "value": "12"}]}]`, true, []string{"the member identifiers is known since AdCP 3.3"}},
		{"origin", strings.Replace(agent, "/mcp", "", 1) + `}]`, true, nil},
		{"reserved extension", agent + `}], "ext": {"adcp": {}}`, true, nil},
		{"trust record", `"agents": [{"url": "https://sales.pub.example/mcp", "roles": ["adcp:sales"]}]`, false, nil},
	}
	for _, f := range files {
		src := []byte(`{"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "pub.example"}]}], ` + f.members + `}`)
		if strings.HasPrefix(f.members, `"agents"`) {
			src = []byte("{" + f.members + "}")
		}
		var said [2][]string
		for i, release := range []string{"3.2", "3.3"} {
			report := Check(src, Options{Release: release, Domain: "pub.example"})
			if valid := report.Count(Error) == 0; valid != f.valid {
				t.Errorf("%s is valid for %s: %t: %v", f.name, release, valid, report.Findings)
			}
			for _, finding := range report.Findings {
				said[i] = append(said[i], finding.Code+" "+finding.Message)
			}
		}
		for _, message := range f.newer {
			if i := slices.Index(said[0], "file.newer_release "+message); i >= 0 {
				said[0] = slices.Delete(said[0], i, i+1)
			} else {
				t.Errorf("%s: 3.2 does not say %q: %q", f.name, message, said[0])
			}
		}
		if !slices.Equal(said[0], said[1]) {
			t.Errorf("%s: 3.2 says %q, and 3.3 %q", f.name, said[0], said[1])
		}
	}
}
