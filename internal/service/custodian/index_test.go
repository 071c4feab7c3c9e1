package custodian_test

import (
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/resolve"
)

func TestIdentifiers(t *testing.T) {
	t.Parallel()
	for in, want := range map[resolve.Identifier]string{
		{Type: "domain", Value: "WWW.Example.com."}:              "www.example.com",
		{Type: "domain", Value: "*.Example.com"}:                 "*.example.com",
		{Type: "subdomain", Value: "A.example.com"}:              "a.example.com",
		{Type: "domain", Value: "not a domain"}:                  "not a domain",
		{Type: "rss_url", Value: "HTTPS://Example.com:443/Feed"}: "https://example.com/Feed",
		{Type: "rss_url", Value: "feed"}:                         "feed",
		{Type: "ios_bundle", Value: "com.Example.App"}:           "com.Example.App",
		{Type: "apple_app_store_id", Value: " 12 "}:              " 12 ",
	} {
		if got := custodian.CanonicalIdentifier(in); got.Value != want || got.Type != in.Type {
			t.Errorf("%v: %v", in, got)
		}
	}
	for _, bad := range []string{"", "a\x00b", "\xff", strings.Repeat("x", 513)} {
		if custodian.Indexable(resolve.Identifier{Type: "domain", Value: bad}) || custodian.Indexable(resolve.Identifier{Type: bad, Value: "x"}) {
			t.Errorf("%q can be stored", bad)
		}
	}
}
