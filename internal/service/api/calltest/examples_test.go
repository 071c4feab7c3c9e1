package calltest

import (
	"bytes"
	ordered "cmp"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/service/registry"
)

// A described is an operation of the OpenAPI document.
type described struct {
	method, path string
	operation    map[string]any
}

// operations returns the operations of a service by their ids.
func operations(t *testing.T, w *world) map[string]described {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]map[string]any `json:"paths"`
	}
	err := json.Unmarshal(w.call("GET", "/openapi.json", "").body, &doc)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]described{}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			list[op["operationId"].(string)] = described{strings.ToUpper(method), path, op}
		}
	}
	return list
}

// at follows names through a tree.
func at(v any, names ...string) any {
	for _, name := range names {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// request returns the call that the document has as an example.
func (d described) request(t *testing.T) (string, string) {
	t.Helper()
	path, query := d.path, url.Values{}
	list, _ := d.operation["parameters"].([]any)
	for _, p := range list {
		name, example := at(p, "name").(string), at(p, "example")
		switch {
		case example == nil:
		case at(p, "in") == "path":
			path = strings.ReplaceAll(path, "{"+name+"}", example.(string))
		default:
			query.Set(name, fmt.Sprint(example))
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	body := at(d.operation, "requestBody", "content", "application/json", "example")
	if body == nil {
		return path, ""
	}
	text, err := json.Marshal(body, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return path, string(text)
}

// An exampleCall is a step of the story that the examples tell.
type exampleCall struct {
	id string
	// key is the scope of the key that is sent; empty for none.
	key registry.Scope
	// file is where the answer is kept; empty for a step that others need.
	file string
	// more is added to the query.
	more string
}

// A story is a web, and calls in it.
type story struct {
	web   string
	calls []exampleCall
}

func stories() []story {
	kept := func(key registry.Scope, ids ...string) []exampleCall {
		var list []exampleCall
		for _, id := range ids {
			list = append(list, exampleCall{id: id, key: key, file: id})
		}
		return list
	}
	const write, moderate = registry.ScopeWrite, registry.ScopeModerate
	refresh := exampleCall{id: "custody_refresh", key: moderate}
	return []story{
		// What validate has found may be stored after its answer. By that of publisher it is.
		{"lookup", slices.Concat(kept("", "validate", "validate_cards"), []exampleCall{{id: "publisher"}}, kept("", "discover_agent", "create", "validate_property", "validate_publisher", "resolve_property", "publisher",
			"authorize", "publisher_authorization", "property_authorization", "product_authorization", "expand_product", "formats", "formats_intersect", "verify_supply_path"))},
		{"lookup", slices.Concat([]exampleCall{{id: "publisher"}}, kept("", "agent_publishers", "agent_publishers_api", "authorizations", "publishers", "agents", "agents_search", "stats",
			"lookup_domain", "lookup_property", "agent_domains", "operator", "resolve_properties", "properties", "search", "manifest_ref", "authorize_batch", "feed", "authorizations_snapshot", "property_history", "check_properties"),
			[]exampleCall{{id: "property_check_report", file: "property_check_report"}}, kept("", "catalog", "catalog_sync", "registry_resolve", "check_identifiers"), []exampleCall{{id: "identifier_check_report", file: "identifier_check_report"}})},
		{"lookup", slices.Concat(kept(write, "save_brand"), kept("", "enrich", "resolve_brand", "resolve_brands", "brand_json", "brands", "find_brands", "brand_history"))},
		{"lookup", []exampleCall{
			{id: "crawl_request", key: write, file: "crawl_request_202"}, {id: "crawl_request_status", key: write, file: "crawl_request_status"},
			{id: "manager_revalidation_request", key: write, file: "manager_revalidation_request_202"},
			{id: "brand_crawl_request", key: write, file: "brand_crawl_request_202"}, {id: "trust_crawl_request", key: write, file: "trust_crawl_request"}, {id: "trust", file: "trust"}, {id: "revalidate", key: moderate, file: "revalidate", more: "?force=true"},
		}},
		{"lookup", slices.Concat([]exampleCall{{id: "subscribe", key: write, file: "subscribe_201"}},
			kept(write, "subscriptions", "subscription", "resume_subscription", "replay_subscription", "delete_subscription"))},
		{"lookup", slices.Concat(
			[]exampleCall{{id: "put_mirror", key: write, file: "put_mirror_202"}},
			kept(moderate, "proposals", "proposal", "approve_proposal"), kept("", "mirrors", "mirror", "translated"), kept(moderate, "put_mirror"),
			[]exampleCall{{id: "delete_mirror", key: moderate, file: "delete_mirror", more: "?force=true"}, {id: "put_mirror", key: write}},
			kept(moderate, "reject_proposal"),
		)},
		{"custody", slices.Concat(
			[]exampleCall{refresh, refresh}, kept(moderate, "custody_changes", "custody_refresh", "custody_publisher", "custody_history", "custody_replay",
				"custody_holds", "custody_events", "custody_reject", "custody_confirm"),
		)},
	}
}

// excerpts are examples that are part of the answer.
var excerpts = []string{"describe", "openapi_yaml", "openapi_json", "reference", "schema"}

// exampleCrawl is the request for a look in examples.
const exampleCrawl = "5b1f7c1e-0d7a-4c52-9d3e-2a6f8e4b7c10"

// exampleSubscription is the subscription in examples.
const exampleSubscription = "7d0c2a51-3b6e-4f08-9c44-61e5a7d9b802"

const exampleFolder = "../examples"

// TestExamples: the examples of answers in the OpenAPI document are what the service
// answers to its examples of requests. With -update it writes them.
func TestExamples(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range stories() {
		src, err := os.ReadFile(filepath.Join("testdata", "examples", s.web+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		w := newWorld(t, string(src))
		tell(t, w, s.calls)
		for _, c := range s.calls {
			seen[c.file+".json"] = true
		}
	}
	w := newWorld(t, "")
	list := operations(t, w)
	for _, id := range excerpts {
		seen[id+".json"] = true
		checkExcerpt(t, id, w.call("GET", list[id].path, "").body)
	}
	seen["feed_stream.json"] = true
	checkExcerpt(t, "feed_stream", w.firstFrame("/api/registry/feed/stream"))
	for id, d := range list {
		responses, _ := d.operation["responses"].(map[string]any)
		for status, r := range responses {
			content, _ := at(r, "content").(map[string]any)
			for media, m := range content {
				if at(m, "example") == nil {
					t.Errorf("%s: no example of %s as %s", id, status, media)
				}
			}
		}
	}
	files, err := os.ReadDir(exampleFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !seen[f.Name()] {
			t.Errorf("%s is the example of nothing", f.Name())
		}
	}
}

// tell makes the calls of a story.
func tell(t *testing.T, w *world, calls []exampleCall) {
	t.Helper()
	list := operations(t, w)
	keys := map[registry.Scope][]string{}
	for _, scope := range []registry.Scope{registry.ScopeWrite, registry.ScopeModerate} {
		keys[scope] = w.secretOf(scope)
	}
	var proposal, digest, crawl, report, subscription string
	for _, c := range calls {
		path, body := list[c.id].request(t)
		if crawl != "" {
			path = strings.ReplaceAll(path, exampleCrawl, crawl)
		}
		if proposal != "" {
			path = strings.ReplaceAll(path, "prop_0123", proposal)
			body = strings.ReplaceAll(body, "the digest of the proposal", digest)
		}
		if subscription != "" {
			path = strings.ReplaceAll(path, exampleSubscription, subscription)
		}
		path = strings.ReplaceAll(path, "2b0cd6a6-66f2-4b1f-8f2e-3a1d3c8a0f00", report)
		got := w.call(list[c.id].method, path+c.more, body, keys[c.key]...)
		if got.status >= 300 {
			t.Fatalf("%s answers %d: %s", c.id, got.status, got.body)
		}
		if id := got.member(t, "/report_id"); id != "" {
			report = id
			got.body = bytes.ReplaceAll(got.body, []byte(id), []byte("2b0cd6a6-66f2-4b1f-8f2e-3a1d3c8a0f00"))
		}
		if c.id == "subscribe" {
			subscription = got.member(t, "/id")
		}
		if id := got.member(t, "/proposal_id"); id != "" {
			proposal, digest = id, got.member(t, "/proposal_digest")
		}
		if id := got.member(t, "/crawl_request_id"); id != "" {
			crawl = id
		}
		if c.file == "" {
			continue
		}
		if got.header.Get("Content-Type") == "application/json" {
			conforms(t, w, list[c.id].method, list[c.id].path, got)
		}
		text := steady(pretty(t, got.body))
		if proposal != "" {
			text = bytes.ReplaceAll(text, []byte(proposal), []byte("prop_0123"))
		}
		if crawl != "" {
			text = bytes.ReplaceAll(text, []byte(crawl), []byte(exampleCrawl))
		}
		if subscription != "" {
			text = bytes.ReplaceAll(text, []byte(subscription), []byte(exampleSubscription))
		}
		checkExample(t, c.file, unnamed(text))
	}
}

// unnamed replaces the ids of keys, which are random, and those of events of custody: the feed
// takes numbers from the same row, now or a moment later.
func unnamed(text []byte) []byte {
	numbers := regexp.MustCompile(`"id": \d+`)
	var ids []string
	for _, id := range numbers.FindAll(text, -1) {
		ids = append(ids, string(id))
	}
	slices.SortFunc(ids, func(a, b string) int { return ordered.Or(ordered.Compare(len(a), len(b)), ordered.Compare(a, b)) })
	ids = slices.Compact(ids)
	text = numbers.ReplaceAllFunc(text, func(id []byte) []byte { return fmt.Appendf(nil, `"id": %d`, slices.Index(ids, string(id))+1) })
	text = regexp.MustCompile(`("(?:submitted_by|decided_by)": )"[^"]+"`).ReplaceAll(text, []byte(`${1}"key_0123"`))
	return regexp.MustCompile(`("(?:event_id|cursor)": "[0-9a-f-]{28})[0-9a-f]{8}"`).ReplaceAll(text, []byte(`${1}0c3d4e5f"`)) // the end of it tells stores apart
}

func checkExample(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join(exampleFolder, name+".json")
	got = append(bytes.TrimSpace(got), '\n')
	if *update {
		err := os.WriteFile(file, got, 0o600)
		if err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("the example of %s is not what is answered; run the test with -update (-want +got):\n%s", name, diff)
	}
}

// checkExcerpt: all that an example has is in the answer.
func checkExcerpt(t *testing.T, id string, got []byte) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(exampleFolder, id+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var example, whole any
	err = json.Unmarshal(text, &example)
	if err != nil {
		t.Fatal(err)
	}
	if part, ok := example.(string); ok {
		if !strings.Contains(string(got), part) {
			t.Errorf("%s does not contain %q", id, part)
		}
		return
	}
	err = json.Unmarshal(got, &whole)
	if err != nil {
		t.Fatal(err)
	}
	if !isPart(example, whole) {
		t.Errorf("the example of %s is not part of the answer", id)
	}
}

// isPart reports whether a tree is in another. The version of the program may be any.
func isPart(part, whole any) bool {
	p, ok := part.(map[string]any)
	if !ok {
		return cmp.Equal(part, whole)
	}
	w, _ := whole.(map[string]any)
	for name := range p {
		if name != "version" && !isPart(p[name], w[name]) {
			return false
		}
	}
	return true
}
