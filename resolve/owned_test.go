package resolve_test

import (
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

const ownedFile = `{
 "properties": [
  {"property_id": "own", "property_type": "website", "name": "Own", "identifiers": [{"type": "domain", "value": "pub.example"}], "publisher_domain": "pub.example"},
  {"property_id": "implied", "property_type": "website", "name": "Implied", "identifiers": [{"type": "domain", "value": "news.example"}]},
  {"property_id": "other", "property_type": "website", "name": "Other", "identifiers": [{"type": "domain", "value": "other.example"}], "publisher_domain": "other.example"},
  {"property_id": "gone", "property_type": "website", "name": "Gone", "identifiers": [{"type": "domain", "value": "gone.example"}], "publisher_domain": "pub.example"}
 ],
 "revoked_publisher_domains": [{"publisher_domain": "gone.example", "revoked_at": "2026-01-01T00:00:00Z"}],
 "authorized_agents": [
  {"url": "https://a.example", "authorized_for": "x", "authorization_type": "inline_properties", "properties": [
    {"property_id": "inline", "property_type": "website", "name": "Inline", "identifiers": [{"type": "domain", "value": "in.example"}], "publisher_domain": "pub.example"},
    {"property_id": "own", "property_type": "website", "name": "Own again", "identifiers": [{"type": "domain", "value": "pub.example"}], "publisher_domain": "pub.example"}
  ]}
 ]
}`

func TestOwned(t *testing.T) {
	t.Parallel()
	file := adagents.Check([]byte(ownedFile), adagents.Options{}).File
	for _, c := range []struct {
		doc  *resolve.Document
		want string
	}{
		{&resolve.Document{Publisher: "pub.example", State: resolve.Usable, File: file, Method: "direct"}, "own implied inline"},
		{&resolve.Document{Publisher: "pub.example", State: resolve.Usable, File: file, Method: "authoritative_location"}, "own inline"},
		{&resolve.Document{Publisher: "other.example", State: resolve.Usable, File: file, Method: "authoritative_location"}, "other"},
		{&resolve.Document{Publisher: "gone.example", State: resolve.Usable, File: file, Method: "direct"}, ""},
		{&resolve.Document{Publisher: "pub.example", State: resolve.Absent}, ""},
		{nil, ""},
	} {
		var ids []string
		for _, p := range resolve.Owned(c.doc) {
			ids = append(ids, p.ID)
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.doc, got, c.want)
		}
	}
}
