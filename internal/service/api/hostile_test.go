package api

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/service/registry"
)

// An operation is a route as the OpenAPI document describes it.
type operation struct {
	method, path string
	params       []map[string]any
	body         map[string]any // a schema; nil for none
	responses    map[string]any
}

// operations reads the OpenAPI document, so that a route which nobody thought of here
// is tried as well.
func operations(t testing.TB, doc map[string]any) []operation {
	t.Helper()
	var list []operation
	paths, _ := doc["paths"].(map[string]any)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		item, _ := paths[path].(map[string]any)
		for _, method := range slices.Sorted(maps.Keys(item)) {
			op := operation{method: strings.ToUpper(method), path: path}
			params, _ := at(item[method], "parameters").([]any)
			for _, p := range params {
				op.params = append(op.params, p.(map[string]any))
			}
			op.body, _ = at(item[method], "requestBody", "content", mediaJSON, "schema").(map[string]any)
			op.responses, _ = at(item[method], "responses").(map[string]any)
			list = append(list, op)
		}
	}
	if len(list) < 10 {
		t.Fatalf("only %d operations are described", len(list))
	}
	return list
}

// sample returns a value that a schema permits.
func sample(doc, schema map[string]any) any {
	if ref, ok := schema["$ref"].(string); ok {
		schema, _ = at(doc, "components", "schemas", strings.TrimPrefix(ref, schemaPrefix)).(map[string]any)
	}
	if enum, ok := schema["enum"].([]any); ok {
		return enum[0]
	}
	kind := schema["type"]
	if several, ok := kind.([]any); ok {
		kind = several[0]
	}
	switch kind {
	case "object":
		v := map[string]any{}
		members, _ := schema["properties"].(map[string]any)
		for name, m := range members {
			v[name] = sample(doc, m.(map[string]any))
		}
		return v
	case "array":
		items, _ := schema["items"].(map[string]any)
		return []any{sample(doc, items)}
	case "boolean":
		return true
	case "integer", "number":
		return 1
	}
	return "pub.example"
}

// hostile are values that nobody should send.
var hostile = []any{
	nil, true, false, 0, -1, 1e300, "", " ", "\x00", "'; DROP TABLE keys; --", "../../etc/passwd", "https://user:secret@10.0.0.1/", "\u202ecod.",
	"https://[::1]:22/", "javascript:alert(1)", strings.Repeat("a", 5000), strings.Repeat("[", 50), []any{}, []any{nil}, []any{[]any{[]any{}}},
	map[string]any{}, map[string]any{"": map[string]any{"x": nil}}, jsontext.Value(`{"a":1,"a":2}`), jsontext.Value(`1e999999`), jsontext.Value(`"\u0000"`),
}

// variants returns copies of a value, each with one part of it replaced.
func variants(v any) []any {
	list := slices.Clone(hostile)
	switch v := v.(type) {
	case map[string]any:
		for name, m := range v {
			without := maps.Clone(v)
			delete(without, name)
			list = append(list, without)
			for _, x := range variants(m) {
				with := maps.Clone(v)
				with[name] = x
				list = append(list, with)
			}
		}
	case []any:
		for _, x := range variants(v[0]) {
			list = append(list, []any{x}, []any{v[0], x})
		}
	}
	return list
}

// A prober makes calls and looks at what comes back.
type prober struct {
	handler http.Handler
	key     string
}

func newProber(t testing.TB) (*prober, map[string]any) {
	t.Helper()
	w := newWorld(t, `
-- https://pub.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "everything", "authorization_type": "property_tags", "property_tags": ["all"]}],
 "properties": [{"property_id": "p", "property_type": "website", "name": "P", "tags": ["all"], "identifiers": [{"type": "domain", "value": "pub.example"}]}]}
`)
	secret, _, err := w.service.CreateKey(t.Context(), "moderator", registry.ScopeModerate)
	if err != nil {
		t.Fatal(err)
	}
	return &prober{w.api.Handler(), secret}, described(t, w.api)
}

// An impatient client of a stream goes away after its first event.
type impatient struct {
	*httptest.ResponseRecorder
	leave func()
}

func (i *impatient) Flush() {
	if strings.HasPrefix(i.Header().Get("Content-Type"), "text/event-stream") {
		i.leave()
	}
}

// probe makes one call. Whatever was sent, the answer is one that is described, it is
// never an internal error, and every error is a JSON object with a sentence.
func (p *prober) probe(t testing.TB, op *operation, target, body string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, op.method, "/", strings.NewReader(body))
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return
	}
	r.URL = u
	r.Header.Set("Authorization", "Bearer "+p.key)
	w := &impatient{httptest.NewRecorder(), cancel}
	p.handler.ServeHTTP(w, r)
	if w.Code == http.StatusInternalServerError {
		t.Fatalf("%s %.300q with %.300q: %d %s", op.method, target, body, w.Code, w.Body)
	}
	if w.Code < http.StatusBadRequest {
		return
	}
	described := op.responses[fmt.Sprint(w.Code)] != nil || w.Code == http.StatusNotFound || w.Code == http.StatusMethodNotAllowed
	if !described {
		t.Errorf("%s %.300q with %.300q: %d is not described: %s", op.method, target, body, w.Code, w.Body)
	}
	var answer map[string]any
	err = json.Unmarshal(w.Body.Bytes(), &answer)
	text, _ := answer["error"].(string)
	if err != nil || text == "" || w.Header().Get("Content-Type") != mediaJSON {
		t.Errorf("%s %.300q with %.300q: %d %s (%v)", op.method, target, body, w.Code, w.Body, err)
	}
}

// target writes the path and query of an operation with the given values.
func (op *operation) target(value func(name string) []string) string {
	path, query := op.path, url.Values{}
	for _, p := range op.params {
		name := p["name"].(string)
		values := value(name)
		if p["in"] != "path" {
			query[name] = values
			continue
		}
		if len(values) == 0 || values[0] == "" {
			values = []string{"x"}
		}
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(values[0]))
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// TestHostileCalls replaces every parameter and every member of every route by
// everything that nobody should send.
func TestHostileCalls(t *testing.T) {
	t.Parallel()
	p, doc := newProber(t)
	for _, op := range operations(t, doc) {
		t.Run(op.method+" "+op.path, func(t *testing.T) {
			t.Parallel()
			values := map[string]string{}
			for _, q := range op.params {
				values[q["name"].(string)] = fmt.Sprint(sample(doc, q["schema"].(map[string]any)))
			}
			usual := op.target(func(name string) []string { return []string{values[name]} })
			for _, q := range op.params {
				for _, bad := range append(slices.Clone(hostile), "\xff\xfe") {
					text := fmt.Sprint(bad)
					for _, list := range [][]string{{text}, {text, text}, nil} {
						p.probe(t, &op, op.target(func(name string) []string {
							if name == q["name"] {
								return list
							}
							return []string{values[name]}
						}), "")
					}
				}
			}
			if op.body == nil {
				p.probe(t, &op, usual, "{")
				return
			}
			for _, bad := range []string{"", "{", "[", "nul", "\xff", `{"a":1}{`, strings.Repeat("[", 10_000), strings.Repeat(" ", 70_000), strings.Repeat("{\"a\":", 100)} {
				p.probe(t, &op, usual, bad)
			}
			for _, v := range variants(sample(doc, op.body)) {
				b, err := json.Marshal(v, jsontext.AllowDuplicateNames(true), json.Deterministic(true))
				if err != nil {
					t.Fatal(err)
				}
				p.probe(t, &op, usual, string(b))
			}
		})
	}
}

// FuzzCalls makes calls of any kind to the routes that the OpenAPI document describes.
func FuzzCalls(f *testing.F) {
	p, doc := newProber(f)
	list := operations(f, doc)
	for i, op := range list {
		f.Add(i, "domain=pub.example&agent=https://agent.example/mcp", `{"domain": "pub.example"}`)
		if op.body != nil {
			b, err := json.Marshal(sample(doc, op.body), json.Deterministic(true))
			if err != nil {
				f.Fatal(err)
			}
			f.Add(i, "", string(b))
		}
	}
	f.Fuzz(func(t *testing.T, n int, query, body string) {
		op := &list[uint(n)%uint(len(list))]
		target := op.target(func(string) []string { return []string{query} })
		p.probe(t, op, target, body)
		if len(op.params) > 0 {
			path, _, _ := strings.Cut(target, "?")
			p.probe(t, op, path+"?"+query, body)
		}
	})
}
