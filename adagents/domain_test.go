package adagents

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestDependsOnDomain checks the examples of every rule as files that were reached
// through another one: for whomever the file is checked, the report is the same. A
// manager's pointer is an exception, which is as small as a pointer is.
func TestDependsOnDomain(t *testing.T) {
	t.Parallel()
	for _, r := range Rules() {
		for _, fragment := range []string{r.Bad, r.Good} {
			for _, role := range []Role{Authoritative, Manager} {
				compareDomains(t, r.Code, Example(r.In, fragment), role)
			}
		}
	}
}

func compareDomains(t *testing.T, code string, src []byte, role Role) {
	t.Helper()
	opt := Options{Role: role, Now: time.Date(2026, 6, 15, 0, 0, 0, 0, time.UTC), URL: "https://network.example/f.json"}
	first := Check(src, opt)
	if first.DependsOnDomain() != (role == Manager && first.Kind == PointerKind) {
		t.Errorf("%s: depends on the domain: %t", code, first.DependsOnDomain())
	}
	if first.DependsOnDomain() {
		return
	}
	for _, domain := range []string{"example.com", "other.example"} {
		opt.Domain = domain
		other := Check(src, opt)
		if diff := cmp.Diff(first.Findings, other.Findings); diff != "" {
			t.Errorf("%s for %s: %s", code, domain, diff)
		}
		if diff := cmp.Diff(first.Skipped, other.Skipped); diff != "" {
			t.Errorf("%s for %s: %s", code, domain, diff)
		}
	}
}

// TestDependsOnDomainIsSaid has the one rule that asks whose file it is behind a
// pointer as well: whether a reference means a format of this file.
func TestDependsOnDomainIsSaid(t *testing.T) {
	t.Parallel()
	params := strings.Replace(exampleComponents, `"format_kind": "image", "params": {}`, reference, 1)
	if params == exampleComponents {
		t.Fatal("the example has changed")
	}
	src := Example(InComponents, params)
	own, other := "example.com", "other.example"
	for _, tt := range []struct {
		domain string
		role   Role
		clean  bool
	}{
		{own, Authoritative, false},
		{other, Authoritative, true},
		{"", Authoritative, true},
		{own, Direct, false},
	} {
		r := Check(src, Options{Role: tt.role, Domain: tt.domain})
		if !r.DependsOnDomain() || r.Valid() != tt.clean {
			t.Errorf("role %d for %q: %v", tt.role, tt.domain, r.Findings)
		}
	}
	if !Check([]byte(`{}`), Options{}).DependsOnDomain() {
		t.Error("a publisher's own file was checked for everybody")
	}
}

// reference is a component's format that leads back to the format around it.
const reference = `"format_option_ref": {"scope": "publisher", "publisher_domain": "example.com", "format_option_id": "takeover"}`
