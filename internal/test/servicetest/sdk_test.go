package servicetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// installHint says how to get what the tests of the client need.
const installHint = "run make test-deps"

// A relay stands between a client and the service, and notes what is asked.
type relay struct {
	url string

	mu    sync.Mutex
	asked []string // method and path of each request, and the status of the answer
}

// newRelay starts a relay to a service.
func newRelay(t *testing.T, s *process) *relay {
	t.Helper()
	target, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	r := new(relay)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) { p.SetURL(target) },
		ModifyResponse: func(resp *http.Response) error {
			// An answer that does not arrive as a whole is an error that says why.
			body, err := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if err != nil {
				return err
			}
			resp.Body = io.NopCloser(bytes.NewReader(body))
			r.mu.Lock()
			defer r.mu.Unlock()
			r.asked = append(r.asked, fmt.Sprintf("%s %s %d", resp.Request.Method, resp.Request.URL.Path, resp.StatusCode))
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, q *http.Request, err error) {
			t.Errorf("%s %s: %v", q.Method, q.URL.Path, err)
			w.WriteHeader(http.StatusBadGateway)
		},
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

// take returns what was asked since it was called last.
func (r *relay) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.asked
	r.asked = nil
	return list
}

// nodeCommand is a program of the package with arguments.
func nodeCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	_, err := exec.LookPath("node")
	if err != nil {
		t.Fatalf("there is no node; %s", installHint)
	}
	_, err = os.Stat(filepath.Join("sdk", "node_modules", "@adcp", "sdk", "package.json"))
	if err != nil {
		t.Fatalf("the npm package is not installed; %s", installHint)
	}
	cmd := exec.CommandContext(t.Context(), "node", args...)
	cmd.Dir = "sdk"
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "ADCP_SKIP_VERSION_CHECK=1"}
	return cmd
}

// node runs a program of the package and returns what it printed and its exit code.
func node(t *testing.T, p *place, input []byte, args ...string) (string, int) {
	t.Helper()
	cmd := nodeCommand(t, args...)
	cmd.Stdin = bytes.NewReader(input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	p.left.add("client "+strings.Join(args, " "), append(stdout.Bytes(), stderr.Bytes()...))
	if cmd.ProcessState.ExitCode() != 0 {
		return stdout.String() + stderr.String(), cmd.ProcessState.ExitCode()
	}
	return stdout.String(), 0
}

// A result is what a method returned: a value, or the sentence of an error.
type result struct {
	Value any    `json:"value"`
	Error string `json:"error"`
}

// at returns the value at a path of member names and numbers in brackets, such as
// "data.validation.errors[0].code"; for an array, "length" is its length. Where names have
// dots, slashes separate them.
func (r result) at(path string) any {
	v, slashes := r.Value, strings.Contains(path, "/")
	for name := range strings.FieldsFuncSeq(path, func(c rune) bool { return c == '/' || !slashes && (c == '.' || c == '[' || c == ']') }) {
		switch parent := v.(type) {
		case map[string]any:
			v = parent[name]
		case []any:
			var i int
			_, err := fmt.Sscan(name, &i)
			switch {
			case name == "length":
				v = float64(len(parent))
			case err != nil || i >= len(parent):
				return nil
			default:
				v = parent[i]
			}
		default:
			return nil
		}
	}
	return v
}

// call makes the calls through the client library.
func callClient(t *testing.T, p *place, r *relay, calls []methodCall) []result {
	t.Helper()
	type request struct {
		Method string `json:"method"`
		Args   []any  `json:"args"`
		Key    string `json:"key,omitempty"`
	}
	var list []request
	for _, c := range calls {
		list = append(list, request{c.method, c.args, c.key})
	}
	input, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	out, code := node(t, p, input, "client.cjs", r.url)
	var results []result
	err = json.Unmarshal([]byte(out), &results)
	if code != 0 || err != nil || len(results) != len(calls) {
		t.Fatalf("exit code %d, %v: %s", code, err, out)
	}
	return results
}

// A methodCall is a call of a method, what it asks of the service, and what it returns.
type methodCall struct {
	method string
	args   []any
	key    string
	// request and status are what the service sees and answers.
	request string
	status  int
	// shows says what was seen to work, for the table; the calls of a method follow each
	// other.
	shows string
	// want are values by their paths; with one of them empty, the text of an error.
	want map[string]any
}

// selectors are those of a product.
var selectors = []any{map[string]any{"publisher_domain": "publisher.example", "selection_type": "all"}}

const agentURL = "https://agent.example/mcp"

// methodCalls are the calls of every method that has a route here.
func methodCalls(p *place) []methodCall {
	list := func(v ...any) []any { return v }
	site := map[string]any{
		"property_id": "site", "property_type": "website", "name": "Site", "publisher_domain": "new.example",
		"identifiers": list(map[string]any{"type": "domain", "value": "new.example"}),
	}
	file := map[string]any{
		"authorized_agents": list(map[string]any{"url": agentURL, "authorized_for": "The site", "authorization_type": "property_ids", "property_ids": list("site")}),
		"properties":        list(site), "include_schema": true, "include_timestamp": true,
	}
	const validate, create, enrich = "POST /api/adagents/validate", "POST /api/adagents/create", "GET /api/brands/enrich"
	return []methodCall{
		{"validateAdagents", list("publisher.example"), "", validate, 200, "a valid file", map[string]any{
			"success": true, "data.found": true, "data.validation.valid": true, "data.validation.errors.length": 0.0, "data.validation.discovery_method": "direct",
			"data.validation.raw_data.authorized_agents[0].url": agentURL, "data.validation.status_code": 200.0, "data.domain": "publisher.example",
		}},
		{"validateAdagents", list("broken.example"), "", validate, 200, "errors with their fields", map[string]any{
			"data.found": true, "data.validation.valid": false, "data.validation.errors[0].severity": "error", "valid": false,
		}},
		{"validateAdagents", list("managed.example"), "", validate, 200, "a manager's file", map[string]any{
			"data.found": true, "data.validation.discovery_method": "ads_txt_managerdomain", "data.validation.manager_domain": "manager.example",
		}},
		{"validateAdagents", list("missing.example"), "", validate, 200, "no file", map[string]any{"success": true, "data.found": false, "data.validation.valid": false}},
		{"createAdagents", list(file), "", create, 200, "a file as text", map[string]any{"success": true, "data.success": true, "data.validation.valid": true, "data.validation.domain": "proposed"}},
		{"createAdagents", list(map[string]any{"authorized_agents": "all"}), "", create, 400, "findings for an invalid one", map[string]any{"": `"success":false`}},
		{"enrichBrand", list("good.example"), "", enrich, 200, "data of the provider", map[string]any{
			"success": true, "domain": "good.example", "manifest.name": "Good", "source_type": "enriched", "context": nil,
		}},
		{"enrichBrand", list("good.example"), p.write, enrich, 200, "context with a key", map[string]any{"context.identity.tagline": "Good things", "context_scope": "ephemeral"}},
		{"enrichBrand", list("own.example"), "", enrich, 200, "a brand.json", map[string]any{"manifest.name": "Own", "source_type": "brand_json"}},
		{"enrichBrand", list("unknown.example"), "", enrich, 404, "an unknown brand", map[string]any{"": "(404)"}},
		{"saveBrand", list(map[string]any{"domain": "saved.example", "brand_name": "Saved"}), p.write, "POST /api/brands/save", 200, "saving with a key", map[string]any{
			"success": true, "domain": "saved.example", "revision_number": 1.0,
		}},
		{"saveBrand", list(map[string]any{"domain": "saved.example", "brand_name": "Saved"}), "avow_wrong", "POST /api/brands/save", 401, "a refusal with another", map[string]any{"": "(401)"}},
		{"validateProperty", list("publisher.example"), "", "GET /api/properties/validate", 200, "a valid file", map[string]any{"valid": true, "domain": "publisher.example", "errors.length": 0.0}},
		{"validatePublisher", list("publisher.example"), "", "GET /api/public/validate-publisher", 200, "counts", map[string]any{
			"valid": true, "agent_count": 1.0, "property_count": 2.0, "property_type_counts.website": 1.0, "tag_count": 1.0,
		}},
		{"lookupProperty", list("publisher.example"), "", "GET /api/properties/resolve", 200, "agents and properties", map[string]any{
			"publisher_domain": "publisher.example", "source": "adagents_json", "verified": true, "authorized_agents[0].url": agentURL, "properties[0].identifiers[0].value": "publisher.example",
		}},
		{"lookupProperty", list("missing.example"), "", "GET /api/properties/resolve", 404, "null for an unknown domain", map[string]any{"none": nil}},
		{"lookupPublisher", list("publisher.example"), "", "GET /api/registry/publisher", 200, "the publisher's view", map[string]any{
			"domain": "publisher.example", "adagents_valid": true, "hosting.mode": "self", "authorized_agents[0].url": agentURL, "properties.length": 2.0,
		}},
		{"validatePropertyAuthorization", list(agentURL, "domain", "publisher.example"), "", "GET /api/registry/validate/property-authorization", 200, "a yes", map[string]any{
			"agent_url": agentURL, "identifier_type": "domain", "identifier_value": "publisher.example", "authorized": true, "verdict": "authorized",
		}},
		{"validatePropertyAuthorization", list("https://other.example/mcp", "domain", "publisher.example"), "", "GET /api/registry/validate/property-authorization", 200, "a no", map[string]any{"authorized": false}},
		{"validateProductAuthorization", list(agentURL, selectors), "", "POST /api/registry/validate/product-authorization", 200, "coverage by selector", map[string]any{
			"authorized": false, "total_requested": 2.0, "total_authorized": 1.0, "coverage_percentage": 50.0, "selectors[0].source": "adagents_json",
		}},
		{"expandProductIdentifiers", list(agentURL, selectors), "", "POST /api/registry/expand/product-identifiers", 200, "the identifiers", map[string]any{
			"property_count": 1.0, "identifier_count": 1.0, "identifiers[0].value": "publisher.example", "properties[0].property_id": "site",
		}},
	}
}

// directoryCalls are those of methods that the directory answers. Publishers that the calls
// before have named are in it.
func directoryCalls(p *place) []methodCall {
	list := func(v ...any) []any { return append([]any{}, v...) }
	const bulk, lookup, property = "POST /api/properties/resolve/bulk", "GET /api/registry/lookup/domain/publisher.example", "GET /api/registry/lookup/property"
	site := map[string]any{"type": "domain", "value": "publisher.example"}
	return []methodCall{
		{"listPublishers", list(), "", "GET /api/registry/publishers", 200, "every publisher with its state", map[string]any{
			"publishers[2].domain": "missing.example", "publishers[2].has_valid_adagents": false, "publishers[2].standing.state": "failing",
			"publishers[3].domain": "publisher.example", "publishers[3].agent_count": 1.0, "publishers[3].standing.state": "fresh",
		}},
		{"listAgents", list(map[string]any{"properties": true}), "", "GET /api/registry/agents", 200, "agents with their publishers", map[string]any{
			"agents[0].url": agentURL, "agents[0].type": "sales", "count": 1.0,
		}},
		{"searchAgents", list(map[string]any{"limit": 200}), "a key that is not known", "GET /api/registry/agents/search", 200, "with a key that is none", map[string]any{
			"results[0].url": agentURL, "results[0].inventory_profile.has_tmp": false, "has_more": false,
		}},
		{"getRegistryStats", list(), "", "GET /api/registry/stats", 200, "counts", map[string]any{"discovered_agents": 1.0, "authorizations_by_source.agent_claim": 0.0}},
		{"lookupDomain", list("publisher.example"), "", lookup, 200, "its agents", map[string]any{"authorized_agents[0].url": agentURL, "standing.in_effect": true}},
		{"lookupDomains", list(list("publisher.example")), "", lookup, 200, "the agents of several", map[string]any{"publisher.example/authorized_agents/0/url": agentURL}},
		{"lookupPropertyByIdentifier", list("domain", "publisher.example"), "", property, 200, "who may sell it", map[string]any{
			"agents[0].agent_url": agentURL, "agents[0].property.property_id": "site", "contested": false,
		}},
		{"lookupPropertyIdentifiers", list(list(site)), "", property, 200, "who may sell several", map[string]any{"domain:publisher.example/count": 1.0}},
		{"getAgentDomains", list(agentURL), "", "GET /api/registry/lookup/agent/" + agentURL + "/domains", 200, "its publishers", map[string]any{"agent_url": agentURL}},
		{"lookupProperties", list(list("publisher.example", "missing.example")), "", bulk, 200, "agents and properties of several", map[string]any{
			"publisher.example/authorized_agents/0/url": agentURL, "missing.example": nil,
		}},
		{"lookupPropertiesAll", list(list("publisher.example")), "", bulk, 200, "the same of many", map[string]any{"publisher.example/verified": true}},
		{"domainsExist", list(list("publisher.example", "missing.example")), "", bulk, 200, "a yes and a no", map[string]any{"/publisher.example": true, "/missing.example": false}},
		{"listProperties", list(map[string]any{"search": "publisher"}), "", "GET /api/properties/registry", 200, "publishers with counts", map[string]any{
			"properties[0].domain": "publisher.example", "properties[0].property_count": 2.0, "properties[0].verified": true,
		}},
		{"search", list("publisher"), "", "GET /api/search", 200, "publishers", map[string]any{"publishers[0].domain": "publisher.example"}},
		{"lookupBrand", list("own.example"), "", "GET /api/brands/resolve", 200, "a brand with a brand.json", map[string]any{"canonical_domain": "own.example", "brand_name": "Own", "source": "brand_json"}},
		{"lookupBrands", list(list("own.example", "nobody.example")), "", "POST /api/brands/resolve/bulk", 200, "brands that are known", map[string]any{"own.example/brand_name": "Own", "/nobody.example": nil}},
		{"getBrandJson", list("own.example"), "", "GET /api/brands/brand-json", 200, "the document", map[string]any{"domain": "own.example", "url": "https://own.example/.well-known/brand.json"}},
		{"listBrands", list(map[string]any{"search": "own"}), "", "GET /api/brands/registry", 200, "brands with their sources", map[string]any{
			"brands[0].domain": "own.example", "brands[0].brand_name": "Own", "brands[0].source": "brand_json", "brands[0].verified": true,
		}},
		{"findCompany", list("own"), "", "GET /api/brands/find", 200, "a brand by its name", map[string]any{"results[0].canonical_domain": "own.example", "results[0].brand_name": "Own"}},
		{"getBrandHistory", list(map[string]any{"domain": "own.example"}), "", "GET /api/brands/history", 200, "where the data is from", map[string]any{"total": 1.0, "revisions[0].source": "brand_json"}},
		{"checkPropertyList", list(list("publisher.example", "WWW.publisher.example", "doubleclick.net", "missing.example")), "", "POST /api/properties/check", 200, "a list sorted", map[string]any{
			"summary.total": 4.0, "summary.ok": 1.0, "ok[0].domain": "publisher.example", "remove[0].reason": "duplicate", "remove[1].domain_type": "ad_server", "modify[0].reason": "www_stripped", "assess[0].state": "failing",
		}},
		{"getPropertyCheckReport", list("$report_id"), "", "GET /api/properties/check/{report_id}", 200, "the same again", map[string]any{"summary.total": 4.0, "summary.remove": 2.0}},
		{"getPropertyHistory", list(map[string]any{"domain": "publisher.example"}), "", "GET /api/properties/history", 200, "the versions of the file", map[string]any{"total": 1.0, "revisions[0].revision_number": 1.0}},
		{"getFeed", list(map[string]any{"types": "authorization.*", "limit": 1000}), "a key that is not known", "GET /api/registry/feed", 200, "who may sell what, event by event", map[string]any{
			"events[0].event_type": "authorization.granted", "events[0].payload.agent_url": agentURL, "has_more": false,
		}},
		{"requestCrawl", list("publisher.example"), p.write, "POST /api/registry/crawl-request", 202, "the request is stored", map[string]any{
			"message": "Crawl request accepted", "domain": "publisher.example",
		}},
		{"lookupOperator", list("agent.example"), "", "GET /api/registry/operator", 200, "its agents, and who trusts them", map[string]any{
			"agents[0].url": agentURL, "agents[0].authorized_by[0].publisher_domain": "publisher.example", "agents[0].authorized_by[0].source": "adagents_json", "member": nil,
		}},
		{"discoverAgent", list(agentURL), "", "GET /api/public/discover-agent", 200, "what it says about itself", map[string]any{"name": "Agent", "protocols[0]": "a2a", "type": "unknown"}},
		{"lookupManifestRef", list("publisher.example", "adagents.json"), "", "GET /api/manifest-refs/lookup", 200, "where the file is", map[string]any{"found": true, "reference.verification_status": "valid"}},
	}
}

// randomID is an id that the service has made.
var randomID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// TestClient has every method of the client library that has a route here called by the
// library itself.
func TestClient(t *testing.T) {
	t.Parallel()
	p := newPlace(t, stores()["sqlite"](t))
	s := p.serve()
	r := newRelay(t, s)
	calls := append(methodCalls(p), directoryCalls(p)...)
	results := callClient(t, p, r, calls)
	asked := r.take()
	if len(asked) != len(calls) {
		t.Fatalf("%d calls made %d requests: %q", len(calls), len(asked), asked)
	}
	for i, c := range calls {
		got := randomID.ReplaceAllString(asked[i], "{report_id}")
		if want := fmt.Sprintf("%s %d", c.request, c.status); got != want {
			t.Errorf("%s asks %q, want %q: %v", c.method, got, want, results[i])
		}
		checkResult(t, c, results[i])
	}
	checkSync(t, p, r)
	commands := runCommands(t, p, r)
	checkOthers(t, p, r)
	if p.provider.calls.Load() == 0 {
		t.Error("the provider was never asked with the key")
	}
	if !t.Failed() {
		checkTable(t, calls, commands)
	}
}

// checkSync: the client that keeps a copy of the registry has who may sell what, and goes on
// from where it was after a restart.
func checkSync(t *testing.T, p *place, r *relay) {
	t.Helper()
	out, code := node(t, p, nil, "sync.cjs", r.url, agentURL, "publisher.example", t.TempDir())
	want := `{"agents":["` + agentURL + `"],"authorized":true,"stranger":false,"types":["property_ids"],"found":1,"state":"syncing","saved":true,"again":"syncing"}`
	if code != 0 || strings.TrimSpace(out) != want {
		t.Errorf("exit code %d:\n%s\nwant\n%s", code, out, want)
	}
	r.take()
}

// checkResult compares what a method returned with what was expected.
func checkResult(t *testing.T, c methodCall, got result) {
	t.Helper()
	text, fails := c.want[""].(string)
	if fails || got.Error != "" {
		if !fails || !strings.Contains(got.Error, text) {
			t.Errorf("%s(%v) fails with %q, want %q", c.method, c.args, got.Error, text)
		}
		return
	}
	for path, want := range c.want {
		if v := got.at(path); v != want {
			t.Errorf("%s(%v): %s is %v, want %v", c.method, c.args, path, v, want)
		}
	}
	if t.Failed() {
		t.Logf("%s: %v", c.method, got.Value)
	}
	if c.method == "createAdagents" {
		checkCreated(t, got)
	}
}

// checkCreated: the file is text in the wire form, indented by two spaces.
func checkCreated(t *testing.T, got result) {
	t.Helper()
	text, ok := got.at("data.adagents_json").(string)
	if !ok || !json.Valid([]byte(text)) || !strings.Contains(text, "\n  \"authorized_agents\": [") || !strings.Contains(text, `"$schema"`) || !strings.Contains(text, `"last_updated"`) {
		t.Errorf("the file is %q", text)
	}
}

// checkOthers: methods for routes that this service does not have fail at once, in a way
// that the client understands.
func checkOthers(t *testing.T, p *place, r *relay) {
	t.Helper()
	calls := []methodCall{
		{method: "listPolicies"},
	}
	for i := range calls {
		if calls[i].args == nil {
			calls[i].args = []any{}
		}
	}
	for i, got := range callClient(t, p, r, calls) {
		if got.Value != nil || got.Error != "" && !strings.Contains(got.Error, `(404): {"error":`) {
			t.Errorf("%s: %+v", calls[i].method, got)
		}
	}
	r.take()
}
