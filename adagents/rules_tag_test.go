package adagents

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTagRules(t *testing.T) {
	t.Parallel()
	const news = `"tags":{"news":{"name":"News","description":"News sites"}}`
	tests := []struct {
		name, members string
		want          []string
	}{
		{"three maps of wrong type", `{"tags":[],"placement_tags":"","signal_tags":null}`,
			[]string{"error tag.map_type /tags", "error tag.map_type /placement_tags", "error tag.map_type /signal_tags"}},
		{"values", `{"tags":{"news":null}}`, []string{"error tag.value_type /tags/news"}},
		{"empty object", `{"tags":{"news":{}}}`, []string{"error tag.name_missing /tags/news/name", "warning tag.description_missing /tags/news/description"}},
		{"blank texts", `{"tags":{"news":{"name":" ","description":""}}}`, []string{"error tag.name_missing /tags/news/name", "warning tag.description_missing /tags/news/description"}},
		{"wrong types", `{"tags":{"news":{"name":1,"description":[]}}}`, nil},
		{"hyphen in a property tag", `{"tags":{"news":{"name":"a","description":"b"},"a-b":{"name":"a","description":"b"}}}`, []string{"warning tag.key_pattern /tags/a-b"}},
		{"hyphen in a signal tag", `{` + news + `,"signal_tags":{"a-b":{"name":"a","description":"b"}}}`, []string{"info tag.unused /signal_tags/a-b"}},
		{"capital in a signal tag", `{` + news + `,"signal_tags":{"A":{"name":"a","description":"b"}}}`, []string{"warning tag.key_pattern /signal_tags/A"}},
		{"free placement tag", `{` + news + `,"placement_tags":{"A b!":{"name":"a","description":"b"}}}`, []string{"info tag.unused /placement_tags/A b!"}},
		{"blank placement tag", `{` + news + `,"placement_tags":{" ":{"name":"a","description":"b"}}}`, []string{"warning tag.key_pattern /placement_tags/ "}},
		{"pointer is escaped", `{` + news + `,"placement_tags":{"a/b":{"name":"a","description":"b"}}}`, []string{"info tag.unused /placement_tags/a~1b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, said(string(Example(InTags, tt.members)), Options{}, "tag")); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTagUses checks that every place that may carry or ask for a tag counts.
func TestTagUses(t *testing.T) {
	t.Parallel()
	explained := func(tags ...string) string {
		s := ""
		for i, tag := range tags {
			if i > 0 {
				s += ","
			}
			s += `"` + tag + `":{"name":"n","description":"d"}`
		}
		return "{" + s + "}"
	}
	src := `{"tags":` + explained("a", "b", "c", "d", "e", "f", "unused") +
		`,"placement_tags":` + explained("p", "q", "unused") + `,"signal_tags":` + explained("s", "t", "unused") + `,
"properties":[{"name":"skipped for lack of identifiers","tags":["a"]}],
"placements":[{"property_tags":["b"],"tags":["p"]}],
"formats":[{"applies_to_property_tags":["c"]}],
"signals":[{"tags":["s"]}],
"authorized_agents":[{"property_tags":["d"],"placement_tags":["q"],"signal_tags":["t"],
  "properties":[{"tags":["e"]}],"publisher_properties":[{"property_tags":["f"]}]}]}`
	want := []string{"info tag.unused /tags/unused", "info tag.unused /placement_tags/unused", "info tag.unused /signal_tags/unused"}
	if diff := cmp.Diff(want, said(src, Options{}, "tag")); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}
