package trust

import (
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/std/jsontree"
)

const goodRecord = `{"$schema": "https://adcontextprotocol.org/schemas/trust/v1/trust.json", "version": "1.0", "last_updated": "2026-10-01T00:00:00Z",
 "agents": [{"url": "https://sales.example.com/mcp", "roles": ["adcp:sales", "other:seller"], "protocols": ["mcp"], "countries": ["DE"],
  "key_thumbprints": ["NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"], "profiles": {"adcp": {"signing_profiles": ["wba"]}}}],
 "grants": [{"grantee": "agency.example", "scopes": ["*"], "agents": [{"url": "https://agency.example/mcp"}], "valid_from": "2026-01-01T00:00:00Z", "valid_until": "2027-01-01T00:00:00Z", "profiles": {"adcp": {"brands": ["*", "nova"]}}}],
 "exclusive_grants": true, "acknowledgements": [{"grantor": "pub.example", "agent_url": "https://Sales.example.com:443/mcp", "via": "adcp:adagents", "profiles": {"adcp": {"delegation_type": "direct"}}}],
 "profiles": {"adcp": {}}, "ext": {"vendor": {}}}`

// TestCheck: each record has the problems that are listed by a part of their message, and no others.
func TestCheck(t *testing.T) {
	t.Parallel()
	edit := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(goodRecord) }
	tests := []struct {
		name, src, host string
		want            []string
	}{
		{"a good one", goodRecord, "example.com", nil},
		{"served elsewhere", goodRecord, "other.example", []string{`the agent is at "sales.example.com"`}},
		{"a pointer", `{"authoritative_location": "https://cdn.example/trust.json"}`, "", nil},
		{"a pointer with more", `{"authoritative_location": "http://cdn.example/trust.json", "agents": []}`, "", []string{"authoritative_location", "agents"}},
		{"acknowledgements", `{"acknowledgements": [{"grantor": "pub.example", "agent_url": "https://a.example/", "via": "adcp:trust"}], "next": "https://example.com/2.json"}`, "example.com", nil},
		{"acknowledgements that go on elsewhere", `{"acknowledgements": [], "next": "https://cdn.example.com/2.json"}`, "example.com", []string{"next is on another host"}},
		{"nothing", `{"version": "1"}`, "", []string{"agents"}},
		{"an unknown role", edit(`"adcp:sales"`, `"adcp:dance"`), "", []string{`the role "adcp:dance" is not known`}},
		{"no role", edit(`["adcp:sales", "other:seller"]`, `[]`), "", []string{"roles"}},
		{"an unknown scope", edit(`["*"]`, `["adcp:everything"]`), "", []string{`the scope "adcp:everything" is not known`}},
		{"a grant that ends first", edit("2027-01-01", "2025-01-01"), "", []string{"before it begins"}},
		{"keys", edit(`"protocols": ["mcp"]`, `"jwks_uri": "https://sales.example.com/jwks"`), "", []string{"jwks_uri"}},
		{"a foreign agent", edit("https://Sales.example.com:443/mcp", "https://sales.example.com/a2a"), "", []string{"not among agents"}},
		{"both kinds of acknowledgements", edit(`"ext"`, `"acknowledgements_url": "https://example.com/a.json", "ext"`), "example.com", []string{"has acknowledgements and acknowledgements_url"}},
		{"two of an origin", edit(`"grants"`, `"x": 1, "grants"`, `"agents": [{"url": "https://sales`, `"agents": [{"url": "https://sales.example.com/a2a", "roles": ["adcp:sales"]}, {"url": "https://sales`), "", []string{"x", "two agents of the record have the origin"}},
		{"wrong kinds", `{"agents": {"url": 7}, "grants": [7], "acknowledgements": "x", "exclusive_grants": "yes"}`, "", []string{"agents", "grants", "acknowledgements", "exclusive_grants"}},
		{"a wrong profile", edit(`["wba"]`, `["none"]`, `"direct"}`, `"mine"}`), "", []string{"signing_profiles", "delegation_type"}},
		{"a wrong domain", edit(`"grantee": "agency.example"`, `"grantee": "Agency"`), "", []string{"grantee"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tree, err := jsontree.Parse([]byte(tt.src), jsontree.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var told []string
			for _, p := range Check(tree.Root(), tt.host) {
				told = append(told, p.Msg)
			}
			for _, part := range tt.want {
				if !slices.ContainsFunc(told, func(msg string) bool { return strings.Contains(msg, part) }) {
					t.Errorf("%q is not in %q", part, told)
				}
			}
			if len(told) != len(tt.want) {
				t.Errorf("got %q, want %q", told, tt.want)
			}
		})
	}
}

// TestMany: a record with a thousand faults has a list that can be read.
func TestMany(t *testing.T) {
	t.Parallel()
	tree, err := jsontree.Parse([]byte(`{"agents": [`+strings.Repeat(`{"url": "https://a.example/", "roles": ["adcp:x"]},`, 999)+`{}]}`), jsontree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := Check(tree.Root(), "b.example"); len(got) != mostProblems {
		t.Errorf("%d problems", len(got))
	}
	if got := Summary(tree.Root()); got != "it has 1000 agents that the organization runs" {
		t.Error(got)
	}
}
