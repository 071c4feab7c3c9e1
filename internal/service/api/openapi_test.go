package api

import (
	"bytes"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/service/api/answertest"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/schemas"
)

// described is the OpenAPI document as a tree.
func described(t testing.TB, a *API) map[string]any {
	t.Helper()
	var doc map[string]any
	err := json.Unmarshal(a.static().json.Body, &doc)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// at follows names through a tree.
func at(v any, names ...string) any {
	for _, name := range names {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// TestOpenAPIIsComplete: every route is there with everything that it takes and gives,
// every reference leads somewhere, and nothing is described that nobody uses.
func TestOpenAPIIsComplete(t *testing.T) {
	t.Parallel()
	a := New(Config{})
	doc := described(t, a)
	var lines []string
	ids := map[string]bool{}
	for i := range a.routes {
		rt := &a.routes[i]
		op := at(doc, "paths", rt.path, strings.ToLower(rt.method))
		if op == nil {
			t.Errorf("%s %s is not described", rt.method, rt.path)
			continue
		}
		if ids[rt.Name] || rt.Summary == "" || rt.Description == "" || !slices.ContainsFunc(groups, func(g group) bool { return g.tag == rt.Tag }) {
			t.Errorf("%s %s: id %q, summary %q, tag %q", rt.method, rt.path, rt.Name, rt.Summary, rt.Tag)
		}
		ids[rt.Name] = true
		for _, status := range slices.Concat(rt.successes(), rt.errorStatuses()) {
			if at(op, "responses", fmt.Sprint(status)) == nil {
				t.Errorf("%s %s: no %d", rt.method, rt.path, status)
			}
		}
		for i := range rt.Input.Params {
			p := &rt.Input.Params[i]
			about := rt.Input.Field(p).Tag.Get("doc")
			for _, other := range p.Names[1:] {
				if _, names, _ := strings.Cut(about, "Also accepted as "); !strings.Contains(names, other) {
					t.Errorf("%s: %s is not described as another name of %s", rt.Name, other, p.Names[0])
				}
			}
		}
		if (rt.Input.Body != nil) != (at(op, "requestBody") != nil) {
			t.Errorf("%s %s: the body is not described", rt.method, rt.path)
		}
		lines = append(lines, fmt.Sprintf("%s %s (%s)\n", rt.method, rt.path, rt.Name))
	}
	slices.Sort(lines)
	golden(t, "testdata/paths.txt", strings.Join(lines, ""))

	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`"\$ref":"([^"]*)"`).FindAllSubmatch(a.static().json.Body, -1) {
		name, ok := strings.CutPrefix(string(m[1]), schemaPrefix)
		if !ok || at(doc, "components", "schemas", name) == nil {
			t.Errorf("the reference %s leads nowhere", m[1])
		}
		used[name] = true
	}
	all, _ := at(doc, "components", "schemas").(map[string]any)
	for name := range all {
		if !used[name] {
			t.Errorf("nobody uses %s", name)
		}
	}
	if doc["openapi"] != "3.1.0" || !bytes.Contains(a.OpenAPI(), []byte("\nopenapi: 3.1.0\n")) {
		t.Error("the version is not 3.1.0")
	}
}

// TestOpenAPIDocument holds the document to a file, so that a change of any route shows in a diff. Examples are
// files of their own.
func TestOpenAPIDocument(t *testing.T) {
	t.Parallel()
	doc := described(t, New(Config{}))
	info, _ := doc["info"].(map[string]any)
	delete(info, "version")
	text, err := json.Marshal(withoutExamples(doc), json.Deterministic(true), jsontext.WithIndent(" "))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/openapi.json", string(text)+"\n")
}

// withoutExamples takes the examples out of a description, and the body of errors, which is always the same.
func withoutExamples(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = withoutExamples(v[i])
		}
	case map[string]any:
		if v["schema"] != nil {
			delete(v, "example")
		}
		if at(v, "content", mediaJSON, "schema", "$ref") == schemaPrefix+"ErrorBody" {
			delete(v, "content")
		}
		for name := range v {
			v[name] = withoutExamples(v[name])
		}
	}
	return v
}

// golden compares a text with a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		err := os.WriteFile(name, []byte(got), 0o644)
		if err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// TestRequestMembers: a member of a request is needed exactly when its tag says so.
func TestRequestMembers(t *testing.T) {
	t.Parallel()
	doc := described(t, New(Config{}))
	for name, want := range map[string]any{
		"ValidateBody": nil, "CardsBody": []any{"agent_urls"}, "ProductBody": []any{"agent_url", "publisher_properties"}, "SelectorBody": []any{"selection_type"},
	} {
		if got := at(doc, "components", "schemas", name, "required"); !cmp.Equal(got, want) {
			t.Errorf("%s needs %v, want %v", name, got, want)
		}
	}
	if got := at(doc, "components", "schemas", "PublisherReply", "properties", "adagents_valid", "type"); !cmp.Equal(got, []any{"boolean", "null"}) {
		t.Errorf("adagents_valid is %v", got)
	}
	if got := at(doc, "components", "schemas", "PublisherAgent", "properties", "properties_total", "type"); got != "integer" {
		t.Errorf("properties_total is %v", got)
	}
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	tests := []struct{ path, media, part string }{
		{"/openapi.yaml", "application/yaml", "operationId: validate"},
		{"/openapi.json", "application/json", `"openapi":"3.1.0"`},
		{"/docs", "text/html; charset=utf-8", `<li id="validate">`},
		{"/schemas/v3/adagents.json", "application/schema+json", string(schemas.Adagents())},
	}
	for _, tt := range tests {
		got := w.call(t, http.MethodGet, tt.path, "")
		if got.status != http.StatusOK || got.header.Get("Content-Type") != tt.media || !strings.Contains(string(got.body), tt.part) {
			t.Errorf("%s: got %d %s", tt.path, got.status, got.header)
		}
		etag := got.header.Get("ETag")
		again := w.call(t, http.MethodGet, tt.path, "", "If-None-Match", `"other", W/`+strings.TrimPrefix(etag, "W/"))
		if etag == "" || again.status != http.StatusNotModified || len(again.body) != 0 || strings.TrimPrefix(again.header.Get("ETag"), "W/") != strings.TrimPrefix(etag, "W/") {
			t.Errorf("%s: got %d with the tag %s", tt.path, again.status, etag)
		}
		if other := w.call(t, http.MethodGet, tt.path, "", "If-None-Match", `"other"`); other.status != http.StatusOK {
			t.Errorf("%s: got %d with another tag", tt.path, other.status)
		}
		class := map[bool]*edge.Class{false: edge.Static, true: edge.Read}[tt.path == "/docs"] // the page is made anew each time
		if known := w.api.Lookup(httptest.NewRequest(http.MethodGet, tt.path+"?q=sell", http.NoBody)); known.Class != class {
			t.Errorf("%s: the class is %s", tt.path, known.Class.Name)
		}
		// The page says where the service is, which a request says here.
		caching := map[bool]string{false: "public, ", true: "private, "}[tt.path == "/docs"]
		if !strings.HasPrefix(got.header.Get("Cache-Control"), caching) {
			t.Errorf("%s: Cache-Control is %q", tt.path, got.header.Get("Cache-Control"))
		}
	}
}

// TestReferencePage: the pages load nothing, run nothing, and their links lead somewhere.
func TestReferencePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	ref := w.api.Reference()
	index := w.idsOf(t, "/docs")
	all := 0
	for _, g := range ref.Groups {
		for _, rt := range g.Routes {
			all++
			if page := w.idsOf(t, "/docs?op="+rt.ID); !index[rt.ID] || !page[rt.ID] || page["objects"] != (len(ref.used(rt.Parameters, rt.Body, rt.Answer)) > 0) {
				t.Errorf("%s is not shown", rt.ID)
			}
		}
	}
	if all != len(w.api.routes) {
		t.Errorf("%d routes of %d", all, len(w.api.routes))
	}
	for _, object := range ref.Types {
		if !w.idsOf(t, "/docs?object="+object.Name)[object.Name] {
			t.Errorf("%s is not shown", object.Name)
		}
	}
	for query, want := range map[string][]string{
		"q=Whether+MAY+sell": {"authorize"}, "q=post+%2Fapi%2Fadagents%2Fcreate": {"create"}, "op=nothing": nil, "q=%22%3E%3Cb%3E": nil, "q=": {"authorize", "stats", "objects"},
	} {
		ids := w.idsOf(t, "/docs?"+query)
		for _, id := range want {
			if !ids[id] {
				t.Errorf("%s does not find %s", query, id)
			}
		}
		if want == nil && ids["authorize"] || len(want) == 1 && ids["stats"] {
			t.Errorf("%s finds too much", query)
		}
	}
}

// idsOf returns the ids on a page of the reference, and reports what should not be on it.
func (w *world) idsOf(t *testing.T, path string) map[string]bool {
	t.Helper()
	got := w.call(t, http.MethodGet, path, "")
	page := string(got.body)
	for _, bad := range []string{"<script", "javascript:", "http-equiv", "src=", "@import", "url(", "onclick", "<b>"} {
		if strings.Contains(page, bad) {
			t.Errorf("%s contains %q", path, bad)
		}
	}
	if policy := got.header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") {
		t.Errorf("the policy of %s is %q", path, policy)
	}
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if ids[m[1]] {
			t.Errorf("the id %s occurs twice in %s", m[1], path)
		}
		ids[m[1]] = true
	}
	for _, m := range regexp.MustCompile(` href="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		name, inside := strings.CutPrefix(m[1], "#")
		if inside && !ids[name] {
			t.Errorf("the link %s in %s leads nowhere", m[1], path)
		}
		if inside {
			continue
		}
		target, _, _ := strings.Cut(html.UnescapeString(m[1]), "#")
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, http.NoBody)
		if _, pattern := w.api.mux.Handler(r); !strings.HasPrefix(pattern, "GET ") {
			t.Errorf("the link %s in %s leads to no route", m[1], path)
		}
	}
	return ids
}

// TestExamplesAreKnown: examples are about what the service knows, as long as that is plain text.
func TestExamplesAreKnown(t *testing.T) {
	t.Parallel()
	ref := New(Config{}).Reference()
	known := &ops.Sample{Domain: "known.example", Agent: "https://seller.example/a2a", Property: "app"}
	for op, want := range map[string]string{
		"authorize":       "?publisher=known.example&agent=https://seller.example/a2a&property=app&country=DE'",
		"authorize_batch": `{"publisher": "known.example", "agent": "https://seller.example/a2a", "property": "app", "country": "DE"}`,
		"agent_domains":   "https%3A%2F%2Fseller.example%2Fa2a", "lookup_domain": "/known.example",
	} {
		page := ref.pageOf(url.Values{"op": {op}}, known)
		if !strings.Contains(page.Route.Example, want) {
			t.Errorf("%s: %s", op, page.Route.Example)
		}
		other := ref.pageOf(url.Values{"op": {op}}, &ops.Sample{})
		if !strings.Contains(other.Route.Example, "example") || strings.Contains(other.Route.Example, "known") {
			t.Errorf("%s: %s", op, other.Route.Example)
		}
	}
	page := ref.pageOf(url.Values{"op": {"authorize"}}, known)
	if f := page.Route.Try.Fields; !slices.ContainsFunc(f, func(x ReferenceField) bool { return x.Value == "known.example" }) || !strings.Contains(page.Route.Try.Open, "known.example") {
		t.Errorf("%+v", page.Route.Try)
	}
}

func TestSelfDescription(t *testing.T) {
	t.Parallel()
	a := New(Config{BaseURL: "https://registry.example/"})
	self := a.static().self
	if self.OpenAPI != "https://registry.example/openapi.yaml" || len(self.Endpoints) != len(a.routes) || self.Endpoints["POST /api/adagents/validate"] == "" {
		t.Errorf("got %+v", self)
	}
	if got := at(described(t, a), "servers"); !cmp.Equal(got, []any{map[string]any{"url": "https://registry.example"}}) {
		t.Errorf("servers are %v", got)
	}
}

// TestLookup: a server knows about a request before it is answered.
func TestLookup(t *testing.T) {
	t.Parallel()
	a := New(Config{})
	for path, want := range map[string]edge.Route{
		"POST /api/adagents/validate":                       {Pattern: "/api/adagents/validate", Class: edge.Validate, MaxBody: ops.FileBody, Open: true, Program: true, Enveloped: true},
		"POST /api/adagents/create":                         {Pattern: "/api/adagents/create", Class: edge.Create, MaxBody: ops.FileBody, Open: true, Program: true, Enveloped: true},
		"POST /api/registry/validate/product-authorization": {Pattern: "/api/registry/validate/product-authorization", Class: edge.Lookup, MaxBody: ops.SmallBody, Open: true, Program: true},
		"GET /api/registry/publisher?domain=a.example":      {Pattern: "/api/registry/publisher", Class: edge.Lookup, Open: true, Program: true},
		"HEAD /docs":                   {Pattern: "/docs", Class: edge.Read, Open: true},
		"GET /api/adagents/validate":   {Class: edge.Static, Program: true, Enveloped: true},
		"GET /nothing":                 {Class: edge.Static},
		"POST /api/adagents%2Fcreate":  {Class: edge.Static, Program: true},
		"POST /api/adagents/%63reate":  {Pattern: "/api/adagents/create", Class: edge.Create, MaxBody: ops.FileBody, Open: true, Program: true, Enveloped: true},
		"POST /api//adagents/validate": {Class: edge.Static, Program: true},
	} {
		method, target, _ := strings.Cut(path, " ")
		r, err := http.NewRequestWithContext(t.Context(), method, target, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Lookup(r); got != want {
			t.Errorf("%s: got %+v, want %+v", path, got, want)
		}
	}
}

// TestRouteWithoutClass: the service does not start with a route that has no limits.
func TestRouteWithoutClass(t *testing.T) {
	t.Parallel()
	defer func() {
		if got := recover(); got != "the route x has no class" {
			t.Errorf("got %v", got)
		}
	}()
	(&API{routes: []route{{Operation: ops.Operation{Name: "x"}}}}).mount()
}

// TestOpenAPIForGenerators: what programs that make clients stumble over.
func TestOpenAPIForGenerators(t *testing.T) {
	t.Parallel()
	a := New(Config{})
	doc := openAPI("", a.routes)
	if doc.Info.License == nil || doc.Info.License.Identifier != "Apache-2.0" {
		t.Error("no license")
	}
	schemas, _ := at(described(t, a), "components", "schemas").(map[string]any)
	for name, s := range schemas {
		seen := map[string]string{}
		members, _ := at(s, "properties").(map[string]any)
		for member, p := range members {
			key := strings.ToLower(strings.ReplaceAll(member, "_", ""))
			if other := seen[key]; other != "" {
				t.Errorf("%s: the members %s and %s get the same name", name, member, other)
			}
			seen[key] = member
			values, _ := at(p, "enum").([]any)
			if member == "verdict" && len(values) != 6 && name != "CheckedIdentifier" { // which is no authorization
				t.Errorf("%s: the verdict has the values %v", name, values)
			}
		}
	}
	for i := range a.routes {
		rt := &a.routes[i]
		op := operationOf(doc.Components.Schemas, rt)
		if op.Security == nil || (len(op.Security) == 0) != (rt.Scope == "" && !rt.Keyed) {
			t.Errorf("%s: security is %v", rt.Name, op.Security)
		}
		for _, status := range slices.Concat(rt.successes(), rt.errorStatuses()) {
			media := op.Responses[strconv.Itoa(status)].Content[mediaJSON]
			if media == nil {
				continue // nothing, or no JSON; see the tests of the calls
			}
			example, _ := media.Example.(jsontext.Value)
			err := answertest.Conforms(a.static().json.Body, rt.method, rt.path, status, example)
			if err != nil {
				t.Errorf("%s: the example of %d: %v", rt.Name, status, err)
			}
		}
	}
}
