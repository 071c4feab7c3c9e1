package adagents

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/bench"
)

// sameWithoutFastPath checks a file with and without the quick look at
// properties and compares what is found.
func sameWithoutFastPath(t *testing.T, src []byte, opt Options) {
	t.Helper()
	quick := Check(src, opt)
	slow := (&checker{content: content{opt: opt}, thorough: true}).check(src)
	if diff := cmp.Diff(slow.Findings, quick.Findings); diff != "" {
		t.Errorf("findings differ (-rule by rule +fast path):\n%s\n%.2000s", diff, src)
	}
	if diff := cmp.Diff(slow.Skipped, quick.Skipped); diff != "" {
		t.Errorf("skips differ (-rule by rule +fast path):\n%s\n%.2000s", diff, src)
	}
}

// TestFastPath holds the quick look to the rules it stands for.
func TestFastPath(t *testing.T) {
	t.Parallel()
	for _, r := range Rules() {
		sameWithoutFastPath(t, Example(r.In, r.Bad), r.ExampleOptions())
		sameWithoutFastPath(t, Example(r.In, r.Good), r.ExampleOptions())
	}
	for _, src := range [][]byte{bench.Small(), bench.Publisher500(), bench.DuplicateIDs(300), bench.ManyFindings(300)} {
		sameWithoutFastPath(t, src, Options{})
		sameWithoutFastPath(t, src, Options{Domain: "example.com", Profile: Strict})
		sameWithoutFastPath(t, src, Options{Role: Authoritative})
	}
}

// TestFastPathRevoked revokes what properties name in one way or another.
func TestFastPathRevoked(t *testing.T) {
	t.Parallel()
	const site = `{"property_id":"p","property_type":"website","name":"A","publisher_domain":"%s","identifiers":[{"type":"%s","value":"%s"}]}`
	for _, revoked := range []string{"example.org", "EXAMPLE.org", "a.example.org", "example.net", "com.example.app", "*.example.org", ""} {
		var list []string
		for _, x := range [][3]string{
			{"example.org", "domain", "example.org"}, {"Example.ORG", "domain", "example.com"}, {"example.com", "subdomain", "a.example.org"},
			{"example.com", "domain", "*.example.org"}, {"example.com", "ios_bundle", "com.example.app"}, {"", "domain", "example.net"},
		} {
			list = append(list, fmt.Sprintf(site, x[0], x[1], x[2]))
			src := []byte(`{"revoked_publisher_domains":[{"publisher_domain":"` + revoked + `","revoked_at":"2026-01-01T00:00:00Z","reason":"other"}],"properties":[` +
				strings.Join(list, ",") + `],"authorized_agents":[]}`)
			sameWithoutFastPath(t, src, Options{Now: bench.Now()})
			sameWithoutFastPath(t, src, Options{Role: Authoritative})
		}
	}
	sameWithoutFastPath(t, bench.Network3MB(), Options{Now: bench.Now()})
}

// TestFastPathDomain serves properties of one publisher or another for a domain.
func TestFastPathDomain(t *testing.T) {
	t.Parallel()
	for _, domain := range []string{"example.com", "www.example.com", "EXAMPLE.com", "example.co.uk", "amazonaws.com", "x.s3.amazonaws.com", "co.uk", "no domain"} {
		for _, owner := range []string{`"example.com"`, `"Example.com"`, `"example.org"`, `"co.uk"`, `"a.example.co.uk"`, `"amazonaws.com"`, `""`, `null`, `"x y"`} {
			for _, id := range []string{
				"example.com", "a.example.com", "*.example.com", "*.example.org", "*.co.uk", "*.com", "example.org", "co.uk", "b.example.co.uk",
				"x.s3.amazonaws.com", "y.s3.amazonaws.com", "a.amazonaws.com", "EXAMPLE.com", "127.0.0.1", "",
			} {
				src := []byte(`{"properties":[{"property_id":"p","property_type":"website","name":"A","publisher_domain":` + owner +
					`,"identifiers":[{"type":"domain","value":"` + id + `"},{"type":"subdomain","value":"m.example.com"}]}],"authorized_agents":[]}`)
				sameWithoutFastPath(t, src, Options{Domain: domain})
			}
		}
	}
	for _, domain := range []string{"example-media.com", "section001.example-media.com", "example.com"} {
		sameWithoutFastPath(t, bench.Publisher500(), Options{Domain: domain, Now: bench.Now()})
	}
}

// TestFastPathLarge checks long lists with something to find in each property.
func TestFastPathLarge(t *testing.T) {
	t.Parallel()
	const many = 5000
	sameWithoutFastPath(t, bench.Large(many), Options{})
	sameWithoutFastPath(t, bench.DuplicateIDs(many), Options{})
	sameWithoutFastPath(t, bench.ManyFindings(many), Options{})
}

// TestPropertiesReplaced repeats the member with something shorter, or with
// something that is no list. What was seen of the first list must be forgotten.
func TestPropertiesReplaced(t *testing.T) {
	t.Parallel()
	const list = `{"properties":[{"property_id":"a","tags":["x"]},{"property_id":"b","tags":["x"]}],"properties":`
	for _, second := range []string{`{}`, `null`, `[]`, `[{"property_id":"c"}]`} {
		src := []byte(list + second + `}`)
		c := &checker{}
		r := c.check(src)
		if !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Code == "file.duplicate_key" }) {
			t.Errorf("%s: %v", second, r.Findings)
		}
		if len(c.dec.fastpaths.each) != len(c.file.Properties) || c.index.propertyTag["x"] != 0 {
			t.Errorf("%s: %d fastpaths at %d properties, tag counted %d times", second,
				len(c.dec.fastpaths.each), len(c.file.Properties), c.index.propertyTag["x"])
		}
	}
}
