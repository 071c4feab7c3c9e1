package operator

import (
	"strings"
	"testing"

	"github.com/avow-project/avow/resolve"
)

const trustHead = `{"agents": [{"url": "https://ads.agent.example/mcp", "roles": ["adcp:sales"]}]`

func TestRelate(t *testing.T) {
	t.Parallel()
	const acknowledged = `, "acknowledgements": [{"grantor": "pub.example", "agent_url": "https://ADS.agent.example:443/mcp", "via": "adcp:adagents", "profiles": {"adcp": {"delegation_type": "direct"}}}]}`
	ours := &resolve.Question{Publisher: "pub.example", Agent: "https://ads.agent.example/mcp"}
	for _, tc := range []struct {
		document, delegation string
		want                 Relation
	}{
		{trustHead + acknowledged, "direct", Mutual},
		{trustHead + acknowledged, "", Mutual},
		{trustHead + acknowledged, "ad_network", TermsDiffer},
		{trustHead + `}`, "direct", GrantorOnly},
		{trustHead + strings.ReplaceAll(acknowledged, "pub.example", "other.example"), "direct", GrantorOnly},
		{trustHead + strings.ReplaceAll(acknowledged, "adcp:adagents", "adcp:trust"), "direct", GrantorOnly},
		{strings.ReplaceAll(trustHead, "/mcp", "/other") + acknowledged, "direct", GrantorOnly},
		{trustHead + `, "acknowledgements_url": "https://agent.example/list.json"}`, "direct", Unrelated},
		{`{"authoritative_location": "https://agent.example/elsewhere.json"}`, "direct", Unrelated},
	} {
		doc, err := ParseTrust([]byte(tc.document))
		if err != nil {
			t.Fatal(err)
		}
		a := &resolve.Answer{Verdict: resolve.Authorized, Grants: grants(tc.delegation)}
		if got := doc.Relate("agent.example", ours, a); got != tc.want {
			t.Errorf("%s with %q: %q, want %q", tc.document, tc.delegation, got, tc.want)
		}
		if tc.want != Unrelated == (tc.want.Sentence("agent.example") == "") {
			t.Errorf("%q: %q", tc.want, tc.want.Sentence("agent.example"))
		}
		a.Verdict = resolve.NotAuthorized
		if got := doc.Relate("agent.example", ours, a); got != Unrelated {
			t.Errorf("without an authorization: %q", got)
		}
	}
	doc, err := ParseTrust([]byte(trustHead + `}`))
	if err != nil {
		t.Fatal(err)
	}
	own := &resolve.Question{Publisher: "www.agent.example", Agent: ours.Agent}
	if got := doc.Relate("agent.example", own, &resolve.Answer{Verdict: resolve.Conditional, Grants: grants("direct")}); got != Mutual {
		t.Errorf("its own agent: %q", got)
	}
}

func TestParseTrust(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`[`: "not a JSON document", `[]`: "not a JSON object", `{"agents": [], "agents": []}`: "a member twice", `{}`: "no member",
		`{"agents": [], "authorized_agents": []}`:                               "is an adagents.json",
		`{"house": {"domain": "h.example"}, "brands": []}`:                      "a brand.json",
		`{"grants": "` + strings.Repeat("x", MaxFile) + `"}`:                    "larger than 2 MiB",
		`{"grants": ` + strings.Repeat("[", 33) + strings.Repeat("]", 33) + `}`: "not a JSON document",
	} {
		_, err := ParseTrust([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %q", text, err, want)
		}
	}
	for url, want := range map[string]string{
		"https://ads.agent.example/mcp": "agent.example", "https://agent.co.uk/": "agent.co.uk", "https://co.uk/mcp": "", "https://192.0.2.1/mcp": "", "https://[2001:db8::1]/": "", "x": "",
	} {
		if got, ok := TrustHost(url); got != want || ok != (want != "") {
			t.Errorf("%s: %q", url, got)
		}
	}
}
