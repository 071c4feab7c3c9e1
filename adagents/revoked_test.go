package adagents

import (
	"slices"
	"testing"
)

// TestRevokedDomains reads entries of the list with good will: whoever can be told is
// revoked, and the author gets an error.
func TestRevokedDomains(t *testing.T) {
	t.Parallel()
	const at = `, "revoked_at": "2026-01-02T00:00:00Z"}`
	tests := []struct {
		entry string
		want  []string
		code  string
	}{
		{`{"publisher_domain": "a.example"` + at, []string{"a.example"}, ""},
		{`"a.example"`, []string{"a.example"}, "revocation.entry_type"},
		{`"https://a.example/x"`, []string{"https://a.example/x"}, "revocation.entry_type"},
		{`{"domain": "a.example"` + at, []string{"a.example"}, "revocation.domain_missing"},
		{`{"publisherDomain": "a.example"` + at, []string{"a.example"}, "revocation.domain_missing"},
		{`{"publisher-domain": "a.example"` + at, []string{"a.example"}, "revocation.domain_missing"},
		{`{"publisher": "a.example"` + at, []string{"a.example"}, "revocation.domain_missing"},
		{`{"url": "https://a.example/"` + at, []string{"https://a.example/"}, "revocation.domain_missing"},
		{`{"publisher_domains": ["a.example", "b.example"]` + at, []string{"a.example", "b.example"}, "revocation.domain_missing"},
		{`{"publisher_domain": "https://a.example/"` + at, []string{"https://a.example/"}, "revocation.domain_invalid"},
		{`{"publisher_domain": ["a.example", 5]` + at, []string{"a.example"}, "revocation.domain_invalid"},
		{`{"publisher_domain": "", "domain": "a.example"` + at, []string{"a.example"}, "revocation.domain_missing"},
		{`{"publisher_domain": "a.example", "domain": "b.example"` + at, []string{"a.example"}, ""},
		{`{"name": "a.example", "reason": "b.example"` + at, []string{"a.example"}, "revocation.domain_missing"},
		{`{"name": "News", "reason": "b.example"` + at, nil, "revocation.domain_missing"},
		{`5`, nil, "revocation.entry_type"},
	}
	for _, tt := range tests {
		r := Check(Example(InRevocation, tt.entry), Options{})
		if got := r.File.Revocations[0].Domains(); !slices.Equal(got, tt.want) {
			t.Errorf("%s revokes %q, want %q", tt.entry, got, tt.want)
		}
		told := slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Code == tt.code && f.Severity == Error })
		if told != (tt.code != "") {
			t.Errorf("%s: want the error %q, got %+v", tt.entry, tt.code, r.Findings)
		}
	}
}
