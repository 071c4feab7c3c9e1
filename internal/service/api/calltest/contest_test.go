package calltest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
)

// TestContest: an answer about an app that two publishers list says who does so since when,
// and what would make a conditional answer a plain one.
func TestContest(t *testing.T) {
	t.Parallel()
	const file = `
-- https://PUBLISHER/.well-known/adagents.json --
200
Content-Type: application/json

{"$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json", "last_updated": "2026-01-02T00:00:00Z", "catalog_etag": "v1",
 "properties": [{"property_id": "app", "property_type": "mobile_app", "name": "App", "identifiers": [{"type": "apple_app_store_id", "value": "1234"}]}],
 "authorized_agents": [{"url": "https://seller.PUBLISHER/mcp", "authorized_for": "The app", "authorization_type": "property_ids", "property_ids": ["app"]}]}
`
	w := newWorld(t, strings.ReplaceAll(file, "PUBLISHER", "owner.example")+strings.ReplaceAll(file, "PUBLISHER", "evil.example"))
	app := []registry.Identifier{{Type: "apple_app_store_id", Value: "1234"}}
	for publisher, at := range map[string]time.Time{"owner.example": noon.AddDate(0, -1, 0), "evil.example": noon.AddDate(0, 0, -1)} {
		err := w.custody.Commit(t.Context(), &custodian.Change{Publisher: &custody.Publisher{Domain: hostname.Domain(publisher)}, Index: &custodian.Index{At: at, Identifiers: app}})
		if err != nil {
			t.Fatal(err)
		}
	}
	for agent, want := range map[string][]string{
		"owner.example": {"true", "authorized", "owner.example", "", "", "authorized", "not_authorized"},
		"evil.example": {
			"false", "conditional", "evil.example", "publisher",
			"several publishers list it; find out whose it is, and ask with publisher_domain about that one alone", "not_authorized", "authorized",
		},
	} {
		const path = "/api/registry/validate/property-authorization"
		got := w.call(http.MethodGet, path+"?identifier_type=apple_app_store_id&identifier_value=1234&agent_url=https://seller."+agent+"/mcp", "")
		conforms(t, w, http.MethodGet, path, got)
		have := []string{}
		for _, pointer := range []string{"/authorized", "/verdict", "/publisher_domain", "/needs/0", "/changes/0", "/contest/0/verdict", "/contest/1/verdict"} {
			have = append(have, got.member(t, pointer))
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("the agent of %s: (-want +got):\n%s", agent, diff)
		}
		for pointer, want := range map[string]string{
			"/contested": "true", "/contest/0/publisher_domain": "owner.example", "/contest/0/since": "2026-02-01T12:00:00.000Z", "/contest/0/first": "true",
			"/contest/1/publisher_domain": "evil.example", "/contest/1/since": "2026-02-28T12:00:00.000Z", "/contest/1/first": "",
		} {
			if have := got.member(t, pointer); have != want {
				t.Errorf("%s is %s, want %s", pointer, have, want)
			}
		}
	}
}
