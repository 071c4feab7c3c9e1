package adagents

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/std/textedit"
)

// otherFormats are files with what they look like; those that look like nothing else are
// odd, damaged or empty adagents.json files.
var otherFormats = []struct{ looks, src string }{
	{"an A2A agent card", `{"name": "Seller", "url": "https://agent.example/a2a", "version": "1.0.0", "capabilities": {}, "defaultInputModes": ["text"], "defaultOutputModes": ["text"], "skills": [{"id": "sell"}]}`},
	{"an A2A agent card", `{"protocolVersion": "0.3.0", "name": "Seller", "url": "https://agent.example/a2a", "provider": {"organization": "Example", "url": "https://example.com"}, "skills": []}`},
	{"an A2A agent card", `{"name": "Seller", "supportedInterfaces": [{"url": "https://agent.example/v1", "protocolBinding": "JSONRPC"}], "capabilities": {}, "skills": [], "tags": ["ads"]}`},
	{"an MCP server card", `{"$schema": "https://static.modelcontextprotocol.io/schemas/mcp-server-card/v1.json", "version": "1.0"}`},
	{"an MCP server card", `{"serverInfo": {"name": "seller"}, "protocolVersion": "2025-06-18", "transport": {"type": "streamable-http", "endpoint": "https://agent.example/mcp"}}`},
	{"an MCP server's entry in a registry", `{"name": "com.example/seller", "version": "1.0.0", "remotes": [{"type": "sse", "url": "https://agent.example/sse"}]}`},
	{"the configuration of an MCP client", `{"mcpServers": {"seller": {"url": "https://agent.example/mcp"}}}`},
	{"a brand.json", `{"$schema": "https://adcontextprotocol.org/schemas/v3/brand.json", "id": "nova", "properties": [{"type": "website", "identifier": "nova.example"}]}`},
	{"a brand.json", `{"house": {"domain": "nova.example", "name": "Nova"}, "brands": [{"id": "nova", "names": [{"en": "Nova"}]}]}`},
	{"a brand.json", `{"id": "nova", "names": [{"en": "Nova"}], "logos": [], "url": "https://nova.example"}`},
	{"a trust.json", `{"$schema": "https://adcontextprotocol.org/schemas/trust/v1/trust.json", "agents": [{"url": "https://sales.pub.example/mcp", "roles": ["adcp:sales"]}]}`},
	{"a trust.json", `{"$schema": "https://adcontextprotocol.org/schemas/trust/v1/trust.json", "authoritative_location": "https://cdn.example/trust.json"}`},
	{"a trust.json", `{"agents": [{"url": "https://sales.pub.example/mcp", "roles": ["adcp:sales"]}]}`},
	{"a trust.json", `{"agents": [{"url": "https://sales.pub.example/mcp", "roles": ["other:seller"]}], "grants": [{"grantee": "agency.example", "scopes": ["*"]}]}`},
	{"a trust.json", `{"acknowledgements_url": "https://pub.example/acknowledgements.json"}`},
	{"a list of acknowledgements for a trust.json", `{"$schema": "https://adcontextprotocol.org/schemas/trust/v1/trust-acknowledgements.json", "acknowledgements": []}`},
	{"a brand.json", `{"agents": [{"url": "https://agent.example/mcp", "type": "sales"}]}`},
	{"a brand.json", `{"house_domain": "nova.example", "agents": [{"url": "https://agent.example/mcp"}], "properties": []}`},
	{"a brand.json", `{"authorized_operators": [], "agents": [{"url": "https://agent.example/mcp"}]}`},
	{"a brand.json", `{"brand_agent": {"url": "https://brand.example/mcp"}}`},
	{"a sellers.json", `{"contact_email": "ads@example.com", "version": "1.0", "sellers": [{"seller_id": "1", "seller_type": "PUBLISHER", "name": "P", "domain": "p.example"}]}`},
	{"a TDM reservation (tdmrep.json)", `[{"location": "/", "tdm-reservation": 1, "tdm-policy": "https://example.com/p.json"}, {"location": "/free", "tdm-reservation": 0}]`},
	{"a TDM reservation (tdmrep.json)", `{"tdm-reservation": 1}`},
	{"a policy in ODRL", `{"@context": "http://www.w3.org/ns/odrl.jsonld", "@type": "Offer", "permission": []}`},
	{"an AI policy", `{"version": "1.0", "ai_policy": {"training": false}}`},
	{"an AI policy", `{"training": "disallow", "inference": "allow", "contact": "ai@example.com"}`},
	{"an AI plugin manifest", `{"schema_version": "v1", "name_for_model": "x", "name_for_human": "X"}`},
	{"a description of an API (OpenAPI)", `{"openapi": "3.1.0", "info": {"title": "X"}, "paths": {}}`},
	{"a JSON Schema", `{"$schema": "http://json-schema.org/draft-07/schema#", "title": "adagents.json", "properties": {"authorized": {}}}`},
	{"structured data of a web page (JSON-LD)", `{"@context": "https://schema.org", "@type": "Organization", "name": "Example", "url": "https://example.com"}`},
	{"a web app manifest", `{"name": "App", "start_url": "/", "icons": []}`},
	{"a package.json of npm", `{"name": "site", "version": "1.0.0", "scripts": {"build": "x"}}`},
	{"the metadata of an OpenID or OAuth server", `{"issuer": "https://example.com", "jwks_uri": "https://example.com/jwks"}`},
	{"a key set (JWKS)", `{"keys": [{"kty": "OKP", "kid": "1"}]}`},
	{"a list of app links (assetlinks.json)", `[{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace": "android_app"}}]`},
	{"an apple-app-site-association", `{"applinks": {"details": []}}`},
	{"a Global Privacy Control statement", `{"gpc": true, "lastUpdate": "2026-01-01"}`},
	{"a registry's card of an agent", `{"name": "Seller", "url": "https://agent.example/mcp", "type": "sales", "description": "x", "contact": {"name": "Ops", "email": "ops@example.com"}}`},
	{"a registry's card of an agent", `{"name": "Seller", "url": "https://agent.example/mcp", "protocol": "MCP", "added_date": "2026-01-01"}`},
	{"a server's error message", `{"error": "Not Found", "status": 404}`},
	{"a server's error message", `{"message": "Route not found", "statusCode": 404}`},
	{"a web page", "<!DOCTYPE html>\n<html><body>Not found</body></html>"},
	{"a web page", "\n <html lang=en><title>Home</title>"},
	{"an XML document", `<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>`},
	{"an ads.txt", "# ads.txt\nOWNERDOMAIN=example.com\ngoogle.com, pub-1, DIRECT, f08c47fec0942fa0\nappnexus.com, 22, RESELLER\n"},
	{"an ads.txt", "MANAGERDOMAIN=manager.example\r\n"},
	{"a policy for crawlers (robots.txt or ai.txt)", "User-Agent: *\nDisallow: /private\nAllow: *.txt\n"},
	{"a security.txt", "Contact: mailto:security@example.com\nExpires: 2027-01-01T00:00:00Z\n"},

	{"", `{}`},
	{"", `{"authorized_agents": [], "skills": [], "name": "x", "capabilities": {}, "provider": {}}`},
	{"", `{"authorised_agents": [], "skills": [], "name": "x", "capabilities": {}, "provider": {}}`},
	{"", `{"agents": [{"url": "https://agent.example/mcp"}], "name": "x", "url": "https://x.example", "type": "sales"}`},
	{"", `{"agents": [{"url": "https://agent.example/mcp", "type": "sales", "authorized_for": "everything"}]}`},
	{"", `{"agents": [{"url": "https://agent.example/mcp", "type": "property_ids", "property_ids": ["site"]}]}`},
	{"", `{"agents": [{"url": "https://agent.example/mcp", "roles": ["seller"]}]}`},
	{"", `{"house": "nova.example", "authorized_agents": [], "brands": []}`},
	{"", `{"salesAgents": [], "name": "x", "url": "https://x.example", "protocol": "mcp"}`},
	{"", `{"managed_by": "https://manager.example/adagents.json", "error": "none"}`},
	{"", `{"name": "Seller", "url": "https://agent.example/mcp", "type": "sales", "authorized_for": "everything"}`},
	{"", `{"$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json", "sellers": [], "version": "1.0"}`},
	{"", `{"properties": [], "training": "x", "inference": "y"}`},
	{"", `{"url": "https://agent.example/mcp"}`},
	{"", `{"name": "Example", "contact": {"name": "Example"}, "version": "1"}`},
	{"", `[{"url": "https://agent.example/mcp", "authorized_for": "x"}]`},
	{"", `{"authorized_agents": [],}`},
	{"", "authorized_agents:\n  - url: https://agent.example/mcp\n"},
	{"", "We sell through google.com, DIRECT"},
}

// TestOtherFormats: a file of another format gets one finding, and the fix that replaces it
// gives a valid file that authorizes nobody.
func TestOtherFormats(t *testing.T) {
	t.Parallel()
	for _, c := range otherFormats {
		t.Run(c.looks, func(t *testing.T) {
			t.Parallel()
			opt := Options{Fixes: true, Domain: "pub.example", Now: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)}
			src := []byte(c.src)
			report := Check(src, opt)
			said := ""
			for i := range report.Findings {
				if _, rest, ok := strings.Cut(report.Findings[i].Message, "looks like "); ok {
					said = rest
				}
			}
			if c.looks == "" {
				if said != "" {
					t.Errorf("%s\nlooks like %s", c.src, said)
				}
				return
			}
			if !strings.HasPrefix(said, c.looks+": ") || len(report.Findings) != 1 || report.Unusable == nil {
				t.Fatalf("%s\n%v", c.src, report.Findings)
			}
			f := &report.Findings[0]
			if f.Code != "file.other_format" && f.Code != "file.json_invalid" || len(f.Fixes) != 1 || f.Fixes[0].Kind != Choice {
				t.Fatalf("%s: %+v", f.Code, f.Fixes)
			}
			checkFix(t, src, opt, f, &f.Fixes[0])
			text, err := textedit.Apply(src, f.Fixes[0].Edits)
			if err != nil {
				t.Fatal(err)
			}
			after := Check(text, opt)
			if after.Count(Error)+after.Count(Warning) > 0 || after.File == nil || len(after.File.Agents) != 0 || len(after.File.Properties) != 1 {
				t.Errorf("%s\n%v", text, after.Findings)
			}
			canonical, err := Format(text)
			if err != nil || !bytes.Equal(canonical, text) {
				t.Errorf("not in canonical form:\n%s", text)
			}
		})
	}
}

// TestOtherFormatTakenOver: what a card or an ads.txt says of its owner is taken over; who
// may sell is left to the author.
func TestOtherFormatTakenOver(t *testing.T) {
	t.Parallel()
	for src, want := range map[string][]string{
		otherFormatRule.Bad: {
			`"name": "Example News"`, `"domain": "example.com"`, `"value": "example.com"`, `"authorized_agents": []`,
			`the file named the agent https://agent.example/a2a; if it may sell`,
		},
		"CONTACT=ads@example.com\nOWNERDOMAIN=www.example.com\nMANAGERDOMAIN=manager.example, US\nssp.example, 7, direct # ours\nother.example, 8, RESELLER": {
			`"email": "ads@example.com"`, `"domain": "example.com"`, `"publisher_domain": "example.com"`, `ads.txt names manager.example as manager (line 3)`,
			`ads.txt lists account 7 at ssp.example as DIRECT (line 4)`, `ads.txt has 1 RESELLER line`,
		},
	} {
		report := Check([]byte(src), Options{Fixes: true})
		if len(report.Findings) != 1 || len(report.Findings[0].Fixes) != 1 {
			t.Fatalf("%s: %v", src, report.Findings)
		}
		text := report.Findings[0].Fixes[0].Edits[0].New
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("%q is missing:\n%s", part, text)
			}
		}
	}
	// Whom a file could be about is not invented.
	report := Check([]byte("<html>"), Options{Fixes: true})
	if len(report.Findings) != 1 || report.Findings[0].Fixes != nil {
		t.Errorf("%+v", report.Findings)
	}
	// A secret is said whatever the format.
	report = Check([]byte(`{"mcpServers": {"a": {"api_key": "s3cr3t"}}}`), Options{})
	if len(report.Findings) != 2 || report.Findings[1].Code != "file.secret_exposed" {
		t.Errorf("%v", report.Findings)
	}
}

// TestTrustRecord: what is wrong with a trust record is told where it is, beside the one finding about its
// format, and the draft of an adagents.json is offered once.
func TestTrustRecord(t *testing.T) {
	t.Parallel()
	src := `{"acknowledgements_url": "https://example.com/a.json", "agents": [{"url": "https://agent.example/mcp", "roles": ["adcp:dance"]}], "nonsense": 1}`
	report := Check([]byte(src), Options{Fixes: true, Domain: "pub.example"})
	var got []string
	fixes := 0
	for _, f := range report.Findings {
		got = append(got, f.Pointer+" "+f.Severity.String())
		fixes += len(f.Fixes)
	}
	want := []string{" error", "/acknowledgements_url error", "/agents/0/url error", "/agents/0/roles/0 error", "/nonsense error"}
	if !slices.Equal(got, want) || fixes != 1 || !strings.Contains(report.Findings[0].Hint, "which is experimental and decides nothing here, it has 1 agent that the organization runs") {
		t.Errorf("got %q, want %q, with %d fixes: %s", got, want, fixes, report.Findings[0].Hint)
	}
	report = Check([]byte(`{"exclusive_grants": true}`), Options{Fixes: true})
	if len(report.Findings) != 2 || report.Findings[1].Pointer != "/exclusive_grants" || report.Findings[1].Fixes != nil {
		t.Errorf("%v", report.Findings)
	}
}

// TestUnknownAltogether: a file with several members of which none is known has one finding, and the fix is a
// file with what can be taken from it. One known member is enough for it to be taken as an adagents.json.
func TestUnknownAltogether(t *testing.T) {
	t.Parallel()
	const strange = `{"operator": {"x": 1}, "domain": "pub.example", "quota": 7, "zone": [], "shard": 9}`
	r := Check([]byte(strange), Options{Fixes: true})
	if len(r.Findings) != 1 || r.Findings[0].Code != "file.other_format" || !strings.Contains(r.Findings[0].Message, "none of its members is known: it has operator, domain, quota, zone") || r.Unusable == nil {
		t.Fatalf("%+v", r.Findings)
	}
	if len(r.Findings[0].Fixes) != 1 {
		t.Fatalf("%+v", r.Findings[0].Fixes)
	}
	draft := r.Findings[0].Fixes[0].Edits[0].New
	if after := Check([]byte(draft), Options{}); after.Count(Error) != 0 || !strings.Contains(draft, `"pub.example"`) {
		t.Errorf("%s: %+v", draft, after.Findings)
	}
	for _, other := range []string{`{"quota": 7}`, `{"quota": 7, "shard": 9, "contact": {"name": "A"}}`, `{"quota": 7, "shard": 9, "authorised_agents": []}`, `{"quota": 7, "x_shard": 9}`} {
		for _, f := range Check([]byte(other), Options{}).Findings {
			if f.Code == "file.other_format" {
				t.Errorf("%s: %s", other, f.Message)
			}
		}
	}
}
