package web

import (
	"net/http"
	"strings"
	"testing"
)

// pathArchive is a channel, and hosts that carry it.
const pathArchive = `-- https://owner.example/.well-known/adagents.json --
200
Content-Type: application/json

{
  "collections": [
    {"collection_id": "retro", "name": "Retro", "kind": "channel", "distribution": [
      {"publisher_domain": "host.example", "property_ids": ["tv"]}, {"publisher_domain": "partner.example", "property_ids": ["tv"]}
    ]}
  ],
  "properties": [{"property_id": "owned", "property_type": "ctv_app", "name": "Owned", "identifiers": [{"type": "bundle_id", "value": "example.owner"}]}],
  "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "Channels", "authorization_type": "property_ids", "property_ids": ["owned"]}]
}
-- https://host.example/.well-known/adagents.json --
200
Content-Type: application/json

{
  "properties": [{"property_id": "tv", "property_type": "ctv_app", "name": "TV", "identifiers": [{"type": "bundle_id", "value": "example.host"}]}],
  "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "Channels", "authorization_type": "property_ids", "property_ids": ["tv"], "collections": [{"publisher_domain": "owner.example", "collection_ids": ["retro"]}]}]
}
-- https://partner.example/.well-known/adagents.json --
200
Content-Type: application/json

{
  "properties": [{"property_id": "tv", "property_type": "ctv_app", "name": "TV", "identifiers": [{"type": "bundle_id", "value": "example.host"}]}],
  "authorized_agents": []
}
-- https://partner.example/app-ads.txt --
200
Content-Type: text/plain

inventorypartnerdomain=owner.example
-- https://down.example/.well-known/adagents.json --
503
`

func TestPath(t *testing.T) {
	t.Parallel()
	s := realService(t, pathArchive, atNoon)
	const owned = "owner=owner.example&agent=https%3A%2F%2Fagent.example%2Fmcp"
	tests := []struct {
		name, query string
		status      int
		want        []string
	}{
		{"nothing", "", 200, []string{"A channel belongs to its owner", `name="collection"`}},
		{"incomplete", "owner=owner.example", 200, []string{"This is still needed.", `value="owner.example"`}},
		{"verified", owned + "&host=host.example", 200, []string{
			"Verified: the host lets the agent sell it", "verified_owner_sold", `role="img"`, `aria-describedby="legs-words"`, "declares retro, kind: channel", `<strong>Channel</strong>: <code>ok`, "(not needed)",
			"avow supply-path owner.example --host host.example --agent https://agent.example/mcp", "used, confirmed ", "There is no receipt",
		}},
		{"the collection", owned + "&host=host.example&collection=retro", 200, []string{"verified_owner_sold", "--collection retro"}},
		{"another collection", owned + "&host=host.example&collection=x", 200, []string{"Not verified", "collection_not_declared", "(failed)"}},
		{"delegated", owned + "&host=partner.example", 200, []string{"host_delegated", "no_agent_entry", "this is not an authorization."}},
		{"unreachable", owned + "&host=down.example", 200, []string{"This is not certain:", "not used: unreachable"}},
		{"no domain", owned + "&host=a+b", 400, []string{`aria-describedby="path-host-error"`, "must be valid publisher domains"}},
		{"no agent", "owner=owner.example&host=host.example&agent=http%3A%2F%2Fagent.example", 400, []string{`aria-describedby="path-agent-error"`}},
		{"credentials", "owner=owner.example&host=host.example&agent=https%3A%2F%2Fu%3Ahush%40agent.example", 400, []string{`aria-describedby="path-agent-error"`}},
		{"blank collection", owned + "&host=host.example&collection=" + strings.Repeat("x", 300), 400, []string{`aria-describedby="path-collection-error"`}},
		{"markup", owned + "&host=host.example&collection=%3Cscript%3E", 200, []string{"&lt;script&gt;"}},
	}
	for _, tc := range tests {
		got, body := get(t, s, "/path?"+tc.query)
		if got.StatusCode != tc.status {
			t.Errorf("%s: %d", tc.name, got.StatusCode)
		}
		for _, want := range tc.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %q in %s", tc.name, want, body)
			}
		}
		if strings.Contains(body, "hush") || strings.Contains(body, "<script>") {
			t.Errorf("%s: %s", tc.name, body)
		}
	}
	got, body := get(t, s, "/path/receipt?"+owned+"&host=host.example")
	if got.StatusCode != http.StatusNotFound || !strings.Contains(body, "This service has no transparency log.") {
		t.Errorf("receipt: %d %s", got.StatusCode, body)
	}
	got, _ = get(t, s, "/path/receipt?owner=owner.example")
	if got.StatusCode != http.StatusBadRequest {
		t.Errorf("receipt of nothing: %d", got.StatusCode)
	}
}
