package api

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/ops"
)

const keptWeb = `
-- https://one.example/.well-known/adagents.json --
200 times=1
Content-Type: application/json

{"last_updated": "2026-02-01T00:00:00Z", "properties": [{"property_id": "site", "property_type": "website", "name": "One", "identifiers": [{"type": "domain", "value": "one.example"}]}],
 "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]},
 {"url": "https://first.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]}]}
-- https://one.example/.well-known/adagents.json --
200
Content-Type: application/json

{"last_updated": "2026-02-02T00:00:00Z", "properties": [{"property_id": "site", "property_type": "website", "name": "One", "identifiers": [{"type": "domain", "value": "one.example"}]}],
 "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]}]}
-- https://two.example/.well-known/adagents.json --
200
Content-Type: application/json

{"last_updated": "2026-02-01T00:00:00Z", "properties": [{"property_id": "site", "property_type": "website", "name": "Two", "identifiers": [{"type": "domain", "value": "two.example"}]}],
 "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]}]}
`

// TestKeptAnswers: lists of the directory are given again as they are until something changes,
// or a publisher stands otherwise by the time alone. Both show in the next answer.
func TestKeptAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, keptWeb)
	ctx := t.Context()
	look := func(domain string) time.Time {
		t.Helper()
		state, err := w.service.Custody(ctx, domain, true)
		if err != nil {
			t.Fatal(err)
		}
		return state.FreshUntil()
	}
	lists := map[string]func() (*madeAnswer, error){}
	for name, query := range map[string]string{"agent_publishers": "include=standing", "agent_domains": "include=standing", "publishers": "limit=10", "agents": "limit=10", "agents_search": "limit=10"} {
		lists[name] = func() (*madeAnswer, error) {
			i := slices.IndexFunc(w.api.routes, func(rt route) bool { return rt.Name == name })
			op := &w.api.routes[i].Operation
			in := op.Blank()
			err := op.Input.Query(in, func(string) string { return "https://agent.example/mcp" }, query)
			if err != nil {
				return nil, err
			}
			out, err := op.Call(ctx, in)
			if err != nil {
				return nil, err
			}
			return w.api.kept(out.(*ops.Lasting))
		}
	}
	want := func(when string, wanted func(text string) bool) {
		t.Helper()
		for name, list := range lists {
			got, err := list()
			if err != nil || !wanted(string(got.Text)) || got.tag != edge.TagOf(got.Text) {
				t.Errorf("%s: %s: %+v, %v", when, name, got, err)
			}
		}
	}
	has := func(one string) func(string) bool {
		return func(text string) bool { return strings.Contains(text, one) }
	}
	ends := look("one.example")
	want("at first", has(`"state":"fresh"`))
	for name, list := range lists {
		for tries := 0; ; tries++ {
			first, err := list()
			again, fault := list()
			if err != nil || fault != nil {
				t.Fatal(err, fault)
			}
			if first == again {
				break // the directory may have been told of the look a second time between them
			}
			if tries == 1000 {
				t.Fatal(name, "is never kept")
			}
		}
	}
	w.passed.Store(int64(ends.Sub(noon)) - 1)
	want("just before it is stale", has(`"state":"fresh"`))
	w.passed.Store(int64(ends.Sub(noon)))
	want("when it is stale", has(`"state":"stale"`))
	look("one.example")
	want("after a change", func(text string) bool { return has(`"state":"fresh"`)(text) && !has("first.example")(text) })
	look("two.example")
	list, err := lists["agent_publishers"]()
	if err != nil || !has("two.example")(string(list.Text)) {
		t.Errorf("another publisher is not there: %+v, %v", list, err)
	}
}
