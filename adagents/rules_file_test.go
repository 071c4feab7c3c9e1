package adagents

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// bare returns a file with a schema and a time and the given members, so that
// only these can have findings.
func bare(members string) string {
	return `{"$schema":"https://adcontextprotocol.org/schemas/v3/adagents.json","last_updated":"2026-01-02T00:00:00Z",` + members + `}`
}

func TestFileRules(t *testing.T) {
	t.Parallel()
	property := `"properties":[` + exampleProperty + `]`
	tests := []struct {
		name, src string
		want      []string
	}{
		{"nothing at all", `{}`, []string{"error file.agents_missing /authorized_agents", "info file.schema_missing /$schema", "info file.last_updated_missing /last_updated"}},
		{"null agents", bare(`"authorized_agents":null`), []string{"error file.agents_missing /authorized_agents"}},
		{"text for agents", bare(`"authorized_agents":""`), []string{"error file.agents_type /authorized_agents"}},
		{"no content", bare(`"authorized_agents":[]`), []string{"error file.no_content "}},
		{"tags are no content", bare(`"authorized_agents":[],"tags":{},"property_features":[],"revoked_publisher_domains":[]`), []string{"error file.no_content "}},
		{"empty catalog", bare(`"authorized_agents":[],"properties":[],"collections":[]`), []string{"error file.no_content ", "warning file.array_empty /properties"}},
		{"unreadable catalog", bare(`"authorized_agents":[],"properties":{}`), []string{"error file.field_type /properties"}},
		{"catalog", bare(`"catalog_etag":"v1","authorized_agents":[],` + property), []string{"info file.empty_agents /authorized_agents"}},
		{"catalog without token", bare(`"authorized_agents":[],` + property), []string{"warning file.catalog_etag_missing /catalog_etag", "info file.empty_agents /authorized_agents"}},
		{"agents without token", bare(`"authorized_agents":[` + exampleAgent + `],` + property), []string{"info file.catalog_etag_missing /catalog_etag"}},
		{"agents without catalog", bare(`"authorized_agents":[` + exampleAgent + `]`), []string{"warning file.authorizes_nobody /authorized_agents"}},
		{"all arrays empty", topLevel(`{"placements":[],"formats":[],"signals":[],"collections":[]}`),
			[]string{"warning file.array_empty /placements", "warning file.array_empty /formats", "warning file.array_empty /signals"}},
		{"longest token", strings.Replace(exampleInline, `"v1"`, `"`+strings.Repeat("ü", 255)+`"`, 1), nil},
		{"token too long", strings.Replace(exampleInline, `"v1"`, `"`+strings.Repeat("ü", 256)+`"`, 1), []string{"error file.catalog_etag_invalid /catalog_etag"}},
		{"token a number", strings.Replace(exampleInline, `"v1"`, `1`, 1), []string{"error file.catalog_etag_invalid /catalog_etag"}},
		{"token null", strings.Replace(exampleInline, `"v1"`, `null`, 1), []string{"error file.catalog_etag_invalid /catalog_etag"}},
		{"role null", topLevel(`{"catalog_role":null}`), []string{"error file.catalog_role_invalid /catalog_role"}},
		{"superseded by a path", topLevel(`{"superseded_by":"/adagents.json"}`), []string{"error file.superseded_by_invalid /superseded_by"}},
		{"superseded by nothing", topLevel(`{"superseded_by":null}`), []string{"error file.superseded_by_invalid /superseded_by"}},
		{"date only", strings.Replace(exampleInline, "2026-01-02T00:00:00Z", "2026-01-02", 1), []string{"warning file.timestamp_invalid /last_updated"}},
		{"no offset", strings.Replace(exampleInline, "2026-01-02T00:00:00Z", "2026-01-02T00:00:00", 1), []string{"warning file.timestamp_invalid /last_updated"}},
		{"lower case", strings.Replace(exampleInline, "2026-01-02T00:00:00Z", "2026-01-02t00:00:00z", 1), nil},
		{"leap second", strings.Replace(exampleInline, "2026-01-02T00:00:00Z", "2016-12-31T23:59:60Z", 1), nil},
		{"no text", strings.Replace(exampleInline, `"2026-01-02T00:00:00Z"`, `20260102`, 1), []string{"error file.field_type /last_updated"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, said(tt.src, Options{}, "file")); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFileRulesStrict(t *testing.T) {
	t.Parallel()
	src := topLevel(`{"placements":[],"version":1}`)
	want := []string{"error file.array_empty /placements", "error file.version_type /version"}
	if diff := cmp.Diff(want, said(src, Options{Profile: Strict}, "file")); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// TestMisspelledAgents checks the hint for the one slip that makes a whole
// file unusable.
func TestMisspelledAgents(t *testing.T) {
	t.Parallel()
	r := Check([]byte(`{"contact":{"naame":"A"},"authorised_agents":[]}`), Options{})
	if r.Unusable == nil || r.Unusable.Findings[0].Code != "file.agents_missing" {
		t.Fatalf("unusable %v", r.Unusable)
	}
	if want := `rename "authorised_agents" to authorized_agents`; r.Unusable.Findings[0].Hint != want {
		t.Errorf("hint %q, want %q", r.Unusable.Findings[0].Hint, want)
	}
}

func TestSchemaMajor(t *testing.T) {
	t.Parallel()
	tests := []struct {
		url, major string
		ok         bool
	}{
		{"https://adcontextprotocol.org/schemas/v3/adagents.json", "3", true},
		{"https://adcontextprotocol.org/schemas/3.1.0/adagents.json", "3", true},
		{"https://adcontextprotocol.org/schemas/v2.5/adagents.json", "2", true},
		{"/schemas/v1/adagents.json", "1", true},
		{"/schemas/adagents.json", "", false},
		{"/schemas/latest/adagents.json", "", false},
		{"/schemas/v2/brand.json", "", false},
		{"https://example.com/v2/adagents.json", "", false},
		{"", "", false},
	}
	for _, tt := range tests {
		if major, ok := schemaMajor(tt.url); ok != tt.ok || ok && major != tt.major {
			t.Errorf("schemaMajor(%q) = %q, %v, want %q, %v", tt.url, major, ok, tt.major, tt.ok)
		}
	}
}

func TestLastUpdatedFuture(t *testing.T) {
	t.Parallel()
	written := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		name string
		src  string
		now  time.Time
		want []string
	}{
		{"a minute ahead", exampleInline, written.Add(-time.Minute), nil},
		{"more", exampleInline, written.Add(-time.Minute - time.Second), []string{"warning file.last_updated_future /last_updated"}},
		{"pointer", examplePointer, written.Add(-time.Hour), []string{"warning file.last_updated_future /last_updated"}},
		{"past", exampleInline, written.Add(time.Hour), nil},
		{"two years", exampleInline, written.AddDate(2, 0, 0), nil},
		{"more than two years", exampleInline, written.AddDate(2, 0, 1), []string{"info file.last_updated_old /last_updated"}},
		{"unknown present", exampleInline, time.Time{}, nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, said(tt.src, Options{Now: tt.now}, "file")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestSuperseded(t *testing.T) {
	t.Parallel()
	const url = "https://example.com/mirror/adagents.json"
	tests := []struct {
		name, by string
		want     []string
	}{
		{"itself", "HTTPS://example.com:443/mirror/adagents.json/?v=1#top", []string{"warning file.superseded_self /superseded_by"}},
		{"another port", "https://example.com:8443/mirror/adagents.json", []string{"warning file.superseded_with_agents /superseded_by"}},
		{"another path", "https://example.com/adagents.json", []string{"warning file.superseded_with_agents /superseded_by"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, said(topLevel(`{"superseded_by":"`+tt.by+`"}`), Options{URL: url}, "file")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestEntryTimestamps(t *testing.T) {
	t.Parallel()
	src := strings.Replace(exampleInline, `"authorized_for"`, `"last_updated":"yesterday","authorized_for"`, 1)
	src = strings.Replace(src, `"kid":"k1"`, `"kid":"k1","revoked_at":"soon"`, 1)
	src = strings.Replace(src, `"tags":{`, `"signals":[{"id":"a","name":"A","value_type":"binary","last_updated":"2026"}],"tags":{`, 1)
	want := []string{
		"warning file.timestamp_invalid /signals/0/last_updated",
		"warning file.timestamp_invalid /authorized_agents/0/last_updated",
		"error file.timestamp_invalid /authorized_agents/0/signing_keys/0/revoked_at",
	}
	if diff := cmp.Diff(want, said(src, Options{}, "file")); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	a := Check([]byte(src), Options{}).File.Agents[0]
	if len(a.SigningKeys) != 0 || !a.Pinned() {
		t.Errorf("keys %v, pinned %v: the key is dropped and the pin stays", a.SigningKeys, a.Pinned())
	}
}

func TestKeyWithGoodTimestamp(t *testing.T) {
	t.Parallel()
	src := strings.Replace(exampleInline, `"kid":"k1"`, `"kid":"k1","revoked_at":"2026-01-02T00:00:00+01:00"`, 1)
	if got := said(src, Options{}, "file"); got != nil {
		t.Errorf("findings %v", got)
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0 agents", 1: "1 agent", 2: "2 agents"} {
		if got := counted(n, "agent"); got != want {
			t.Errorf("counted(%d) = %q, want %q", n, got, want)
		}
	}
	if got := clip(strings.Repeat("9", 30)); got != strings.Repeat("9", 20)+"…" {
		t.Errorf("clip gives %q", got)
	}
}
