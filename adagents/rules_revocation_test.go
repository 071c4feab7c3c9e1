package adagents

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const revokedAt = `"revoked_at":"2026-01-02T00:00:00Z"`

func revoking(entries string) string {
	return topLevel(`{"revoked_publisher_domains":[` + entries + `]}`)
}

func TestRevocationRules(t *testing.T) {
	t.Parallel()
	const at = " /revoked_publisher_domains/0"
	tests := []struct {
		entries string
		want    []string
	}{
		{`"a.example"`, []string{"error revocation.entry_type" + at}},
		{`"not a domain"`, []string{"error revocation.entry_type" + at}},
		{`7`, []string{"error revocation.entry_type" + at}},
		{`["a.example"]`, []string{"error revocation.entry_type" + at}},
		{`{"name":"a.example"}`, []string{
			"error revocation.domain_missing" + at + "/publisher_domain", "error revocation.revoked_at_missing" + at + "/revoked_at", "info file.unknown_in_entry" + at + "/name"}},
		{`null`, []string{"error revocation.entry_type" + at}},
		{`{}`, []string{"error revocation.domain_missing" + at + "/publisher_domain", "error revocation.revoked_at_missing" + at + "/revoked_at"}},
		{`{"publisher_domain":" ",` + revokedAt + `}`, []string{"error revocation.domain_missing" + at + "/publisher_domain"}},
		{`{"publisher_domain":5,` + revokedAt + `}`, []string{"error revocation.domain_invalid" + at + "/publisher_domain"}},
		{`{"publisher_domain":"A.example",` + revokedAt + `}`, []string{"warning revocation.domain_invalid" + at + "/publisher_domain"}},
		{`{"publisher_domain":"*.example",` + revokedAt + `}`, []string{"error revocation.domain_invalid" + at + "/publisher_domain"}},
		{`{"publisher_domain":"a.example","revoked_at":null}`, []string{"error revocation.revoked_at_invalid" + at + "/revoked_at"}},
		{`{"publisher_domain":"a.example","revoked_at":""}`, []string{"error revocation.revoked_at_invalid" + at + "/revoked_at"}},
		{`{"publisher_domain":"a.example",` + revokedAt + `,"reason":""}`, []string{"info revocation.reason_unknown" + at + "/reason"}},
		{`{"publisher_domain":"a.example",` + revokedAt + `},"A.example"`, []string{
			"error revocation.entry_type /revoked_publisher_domains/1", "warning revocation.duplicate /revoked_publisher_domains/1"}},
		{`{},{}`, []string{
			"error revocation.domain_missing" + at + "/publisher_domain", "error revocation.revoked_at_missing" + at + "/revoked_at",
			"error revocation.domain_missing /revoked_publisher_domains/1/publisher_domain", "error revocation.revoked_at_missing /revoked_publisher_domains/1/revoked_at"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, said(revoking(tt.entries), Options{}, "revocation", "file")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.entries, diff)
		}
	}
}

func TestRevocationStrict(t *testing.T) {
	t.Parallel()
	src := revoking(`"a.example",{"publisher_domain":"B.example",` + revokedAt + `,"reason":"x"}`)
	for _, f := range Check([]byte(src), Options{Profile: Strict}).Findings {
		if f.Severity != Error {
			t.Errorf("%s: %v, want an error", f.Code, f.Severity)
		}
	}
}

// TestRevocationCounts checks that whatever is wrong with an entry, the domain
// it names is revoked.
func TestRevocationCounts(t *testing.T) {
	t.Parallel()
	for _, entry := range []string{
		`["example.com"]`, `["other.example", "example.com"]`, `{"name":"example.com"}`, `{"name":"Example News","who":"example.com"}`,
		`"example.com"`, `"EXAMPLE.com"`, `{"publisher_domain":"https://Example.com/"}`,
		`{"publisher_domain":"example.com","revoked_at":"never","reason":7}`,
	} {
		c := readyChecker(t, revoking(entry))
		c.index.addRevocations(c.file.Revocations)
		if _, ok := c.index.revoked["example.com"]; !ok {
			t.Errorf("%s revokes nothing", entry)
		}
	}
}

func TestRevocationTimes(t *testing.T) {
	t.Parallel()
	revoked := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		name, src string
		now       time.Time
		want      []string
	}{
		{"ahead within tolerance", revoking(`{"publisher_domain":"a.example",` + revokedAt + `}`), revoked.Add(-time.Minute), nil},
		{"ahead", revoking(`{"publisher_domain":"a.example",` + revokedAt + `}`), revoked.Add(-time.Hour), []string{"warning revocation.revoked_at_future /revoked_publisher_domains/0/revoked_at"}},
		{"seven days", revoking(`{"publisher_domain":"a.example",` + revokedAt + `}`), revoked.Add(staleAfter), nil},
		{"older", revoking(`{"publisher_domain":"a.example",` + revokedAt + `}`), revoked.Add(staleAfter + time.Second), []string{"info revocation.stale /revoked_publisher_domains/0"}},
		{"old and still named", revoking(`{"publisher_domain":"example.com",` + revokedAt + `}`), revoked.Add(2 * staleAfter), nil},
		{"old and twice", revoking(`{"publisher_domain":"a.example",` + revokedAt + `},{"publisher_domain":"a.example",` + revokedAt + `}`), revoked.Add(2 * staleAfter),
			[]string{"info revocation.stale /revoked_publisher_domains/0", "warning revocation.duplicate /revoked_publisher_domains/1"}},
		{"old without domain", revoking(`{"publisher_domain":"?",` + revokedAt + `}`), revoked.Add(2 * staleAfter), []string{"error revocation.domain_invalid /revoked_publisher_domains/0/publisher_domain"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, said(tt.src, Options{Now: tt.now}, "revocation")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestStillListed checks which places the rule answers for: those without a
// rule of their own.
func TestStillListed(t *testing.T) {
	t.Parallel()
	revoked := `"revoked_publisher_domains":[{"publisher_domain":"r.example",` + revokedAt + `}]`
	still := []string{"info revocation.still_listed /revoked_publisher_domains/0"}
	tests := []struct {
		name, members string
		want          []string
	}{
		{"format", `"formats":[{"publisher_domain":"R.example"}],"authorized_agents":[]`, still},
		{"collection of an agent", `"authorized_agents":[{"collections":[{"publisher_domain":"r.example"}]}]`, still},
		{"property", `"properties":[{"publisher_domain":"r.example"}],"authorized_agents":[]`, nil},
		{"identifier", `"properties":[{"identifiers":[{"type":"domain","value":"r.example"}]}],"authorized_agents":[]`, nil},
		{"inline property", `"authorized_agents":[{"properties":[{"publisher_domain":"r.example"}]}]`, nil},
		{"selectors", `"authorized_agents":[{"publisher_properties":[{"publisher_domain":"r.example"},{"publisher_domains":["r.example"]}]}]`, nil},
		{"property and format", `"properties":[{"publisher_domain":"r.example"}],"formats":[{"publisher_domain":"r.example"}],"authorized_agents":[]`, still},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, said("{"+revoked+","+tt.members+"}", Options{}, "revocation")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
