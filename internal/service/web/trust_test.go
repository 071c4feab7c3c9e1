package web

import (
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/service/registry"
)

const trustArchive = `-- https://pub.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "Display", "authorization_type": "property_ids", "property_ids": ["site"]}],
 "properties": [{"property_id": "site", "property_type": "website", "name": "Site", "publisher_domain": "pub.example", "identifiers": [{"type": "domain", "value": "pub.example"}]}]}
-- https://agent.example/.well-known/trust.json --
200
Content-Type: application/json

{"agents": [{"url": "https://agent.example/mcp", "roles": ["adcp:<script>alert(1)</script>"], "api_key": "abcdefghijklmnopqrstuvwxyz012345"}],
 "acknowledgements": [{"grantor": "pub.example", "agent_url": "https://agent.example/mcp", "via": "adcp:adagents"}]}
`

func TestTrustPage(t *testing.T) {
	t.Parallel()
	s := realService(t, trustArchive, atNoon)
	see := func(path string, status int, want ...string) string {
		t.Helper()
		got, body := get(t, s, path)
		if got.StatusCode != status {
			t.Errorf("%s: %d", path, got.StatusCode)
		}
		for _, text := range want {
			if !strings.Contains(body, text) {
				t.Errorf("%s: no %q in %s", path, text, body)
			}
		}
		if strings.Contains(body, "<script>alert") || strings.Contains(body, "abcdefghijklmnopqrstuvwxyz012345") {
			t.Errorf("%s: %s", path, body)
		}
		return body
	}
	const question, said = "/ask?publisher=pub.example&agent=https%3A%2F%2Fagent.example%2Fmcp", "Experimental, and without effect on the answer: "
	see("/check/agent.example/trust", 200, "keeps no trust.json of agent.example", "trust-crawl-request")
	if body := see(question, 200, "Yes, authorized"); strings.Contains(body, said) {
		t.Errorf("something is said about what is not kept: %s", body)
	}
	_, key, err := s.CreateKey(t.Context(), "Wri", registry.ScopeWrite)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.RequestTrust(t.Context(), registry.Caller{Key: key}, "agent.example")
	if err != nil {
		t.Fatal(err)
	}
	see("/check/agent.example/trust", 200, "It decides nothing here", "It has 1 agent that the organization runs, 1 acknowledgement.", "What is wrong with it", "/<wbr>agents/<wbr>0/<wbr>roles/<wbr>0", "The file itself", "Secrets in it are replaced")
	see("/check/agent.example?tab=evidence", 200, `href="/check/agent.example/trust"`)
	see(question, 200, "Yes, authorized", said+"Mutual: the trust.json of agent.example acknowledges the authorization")
	see("/check/-/trust", 400)
}
