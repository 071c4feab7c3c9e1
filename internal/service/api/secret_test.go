package api

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// secretsWeb has a publisher that publishes private keys by mistake: in a pinned key, in
// its contact, and wherever else the file has room for values of any shape.
const secretsWeb = `
-- GET https://pub.example/.well-known/adagents.json --
200
Content-Type: application/json

{
 "contact": {"name": "Pub", "x_key": {"kty": "RSA", "d": "hunter2canaryhunter2canary", "p": "hunter2canaryhunter2canary", "oth": [{"r": "hunter2canary"}]}},
 "properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "pub.example"}]}],
 "formats": [
  {"format_option_id": "mpu", "display_name": "MPU", "format_kind": "image", "params": {"width": 300, "height": 250, "x_jwk": {"kty": "oct", "k": "hunter2canaryhunter2canary"}}},
  {"format_option_id": "wide", "display_name": "Wide", "format_kind": "image", "params": {"width": 728, "height": 90}}
 ],
 "placements": [{"placement_id": "top", "name": "Top", "property_ids": ["site"], "format_options": [
  {"format_kind": "image", "display_name": "Own", "params": {"width": 320, "height": 50, "x_jwk": {"kty": "oct", "k": "hunter2canaryhunter2canary"}}},
  {"format_kind": "image", "display_name": "Wide", "params": {"width": 728, "height": 90}}
 ]}],
 "authorized_agents": [
  {"url": "https://agent.example/", "authorized_for": "display; key at https://me:hunter2canary@x.example/", "authorization_type": "property_ids", "property_ids": ["site"],
   "signing_keys": [{"kid": "k", "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "d": "hunter2canaryhunter2canaryhunter2canaryhunte"}]},
  {"url": "https://paid.example/mcp?token=hunter2canary&key=hunter2canary", "authorized_for": "display", "authorization_type": "property_ids", "property_ids": ["site"]},
  {"url": "https://clean.example/", "authorized_for": "display", "authorization_type": "property_ids", "property_ids": ["site"]}
 ]
}
`

// paidAgent is an agent of the file with secrets in its URL, for a query.
var paidAgent = url.QueryEscape("https://paid.example/mcp?token=hunter2canary&key=hunter2canary")

// TestAnswersRepeatNoSecrets asks every route that shows what a file says.
func TestAnswersRepeatNoSecrets(t *testing.T) {
	t.Parallel()
	w := newWorld(t, secretsWeb)
	for _, c := range []struct{ method, path, body, pointer, want string }{
		{"POST", "/api/adagents/validate", `{"domain": "pub.example"}`, "/data/validation/redacted", "true"},
		{"POST", "/api/adagents/validate", `{"domain": "pub.example"}`, "/data/validation/raw_data/authorized_agents/0/signing_keys/0/d", "[hidden]"},
		{"POST", "/api/adagents/validate", `{"domain": "pub.example"}`, "/data/validation/raw_data/authorized_agents/2/url", "https://clean.example/"},
		{"GET", "/api/properties/validate?domain=pub.example", "", "/redacted", "true"},
		{"GET", "/api/properties/validate?domain=pub.example", "", "/raw_data/contact/x_key/oth", "[hidden]"},
		{"GET", "/api/properties/resolve?domain=pub.example", "", "/redacted", "true"},
		{"GET", "/api/properties/resolve?domain=pub.example", "", "/authorized_agents/0/signing_keys/0/d", "[hidden]"},
		{"GET", "/api/properties/resolve?domain=pub.example", "", "/contact/x_key/p", "[hidden]"},
		{"GET", "/api/public/validate-publisher?domain=pub.example", "", "/found", "true"},
		{"GET", "/api/registry/publisher?domain=pub.example&include=placements", "", "/formats/0/redacted", "true"},
		{"GET", "/api/registry/publisher?domain=pub.example&include=placements", "", "/formats/0/params/x_jwk/k", "[hidden]"},
		{"GET", "/api/registry/publisher?domain=pub.example&include=placements", "", "/placements/0/format_options/0/redacted", "true"},
		{"GET", "/api/formats?domain=pub.example&placement_id=top", "", "/placements/0/catalog/0/redacted", "true"},
		{"GET", "/api/formats?domain=pub.example&placement_id=top", "", "/placements/0/catalog/0/params/x_jwk/k", "[hidden]"},
		{"POST", "/api/formats/intersect", `{"publisher_domain": "pub.example", "placement_id": "top", "product": {"format_options": [{"format_kind": "image", "params": {"width": 320, "height": 50, "x_jwk": 1}}]}}`, "/conflict", ""},
		{"GET", "/api/authorize?publisher=pub.example&agent=https://agent.example/", "", "", ""},
		{"GET", "/api/registry/publisher/authorization?domain=pub.example&agent=https://agent.example/", "", "", ""},
		{"GET", "/api/registry/publisher/authorization?domain=pub.example&agent=" + paidAgent, "", "/agent_url", "https://paid.example/mcp?token=&key="},
		{"GET", "/api/authorize?publisher=pub.example&agent=" + paidAgent, "", "/agent", "https://paid.example/mcp?token=&key="},
		{"GET", "/api/registry/publisher?domain=pub.example", "", "/authorized_agents/1/url", "https://paid.example/mcp?token=&key="},
		{"GET", "/api/registry/validate/property-authorization?agent_url=" + paidAgent + "&identifier_type=domain&identifier_value=pub.example", "", "/agent_url", "https://paid.example/mcp?token=&key="},
		{"POST", "/api/registry/validate/product-authorization", `{"agent_url": "https://paid.example/mcp?token=hunter2canary&key=hunter2canary", "publisher_properties": [{"publisher_domain": "pub.example", "selection_type": "all"}]}`, "/agent_url", "https://paid.example/mcp?token=&key="},
		{"GET", "/api/registry/authorizations?agent_url=" + paidAgent, "", "/rows/0/agent_url", "https://paid.example/mcp?token=&key="},
		{"GET", "/api/registry/agents", "", "/agents/2/url", "https://paid.example/mcp?token=&key="},
		{"GET", "/api/registry/agents/search", "", "", ""},
		{"GET", "/api/registry/lookup/domain/pub.example", "", "/authorized_agents/2/url", "https://paid.example/mcp?token=&key="},
		{"GET", "/api/registry/feed?limit=100", "", "", ""},
		{"GET", "/api/properties/history?domain=pub.example", "", "", ""},
	} {
		got := w.call(t, c.method, c.path, c.body)
		path, _, _ := strings.Cut(c.path, "?")
		conforms(t, w.api, c.method, strings.Replace(path, "/pub.example", "/{domain}", 1), got)
		if strings.Contains(string(got.body), "hunter2canary") {
			t.Errorf("%s repeats a secret: %s", c.path, got.body)
		}
		if got.status != http.StatusOK && c.want != "" || c.want != "" && got.member(t, c.pointer) != c.want {
			t.Errorf("%s: %d, %s is not %s: %s", c.path, got.status, c.pointer, c.want, got.body)
		}
	}
}

// TestCleanFileIsNotRedacted keeps the member for files that need it.
func TestCleanFileIsNotRedacted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `
-- GET https://pub.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authorized_agents": []}
`)
	for _, path := range []string{"/api/properties/validate", "/api/properties/resolve"} {
		got := w.call(t, http.MethodGet, path+"?domain=pub.example", "")
		if got.status != http.StatusOK || strings.Contains(string(got.body), "redacted") {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
}
