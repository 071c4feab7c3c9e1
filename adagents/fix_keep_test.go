package adagents

import (
	"strings"
	"testing"
)

// TestFixesKeep: fixes of selectors do not drop what the author wrote.
func TestFixesKeep(t *testing.T) {
	t.Parallel()
	selector := func(s string) string {
		return `{"url": "https://seller.example/mcp", "authorized_for": "D", "authorization_type": "publisher_properties", "publisher_properties": [` + s + `]}`
	}
	for _, c := range []struct {
		entry, code string
		kind        FixKind // of the only fix, if there is one
	}{
		{selector(`{"publisher_domains": ["a.com", "b.com"], "selection_type": "by_id", "property_ids": ["x"]}`), "selector.by_id_compact", Likely},
		{selector(`{"publisher_domains": ["a.com", "b.com"], "selection_type": "by_id", "property_ids": ["x"], "ext": {"deal": 7}}`), "selector.by_id_compact", NoFix},
		{selector(`{"publisher_domains": ["a.com", 7], "selection_type": "by_id", "property_ids": ["x"]}`), "selector.by_id_compact", NoFix},
		{selector(`{"publisher_domain": "a.com", "publisher_domains": ["b.com"], "selection_type": "all"}`), "selector.domain_both", Likely},
		{selector(`{"publisher_domain": "a.com", "publisher_domains": ["b.com", {"domain": "c.com"}], "selection_type": "all"}`), "selector.domain_both", NoFix},
		{selector(`{"publisher_domain": "a.com", "selection_type": "by_id", "property_ids": ["x", null]}`), "selector.item_type", Safe},
		{selector(`{"publisher_domain": "a.com", "selection_type": "by_id", "property_ids": ["x", " "]}`), "selector.item_type", Safe},
		{selector(`{"publisher_domain": "a.com", "selection_type": "by_id", "property_ids": ["x", []]}`), "selector.item_type", Safe},
		{selector(`{"publisher_domain": "a.com", "selection_type": "by_id", "property_ids": ["x", ["y"]]}`), "selector.item_type", Choice},
		{selector(`{"publisher_domain": "a.com", "selection_type": "by_id", "property_ids": ["x", {"key": "y"}]}`), "selector.item_type", Choice},
		{selector(`{"publisher_domain": "a.com", "selection_type": "by_id", "property_ids": ["x", true]}`), "selector.item_type", Choice},
		{selector(`{"publisher_domain": "a.com", "selection_type": "by_id", "property_ids": ["x", 17]}`), "selector.item_type", Likely},
	} {
		report := Check(Example(InAgent, c.entry), Options{Fixes: true})
		found := false
		for i := range report.Findings {
			f := &report.Findings[i]
			if f.Code != c.code {
				continue
			}
			found = true
			if c.kind == NoFix && len(f.Fixes) > 0 || c.kind != NoFix && (len(f.Fixes) != 1 || f.Fixes[0].Kind != c.kind) {
				t.Errorf("%s: %+v, want one that is %q", c.entry, f.Fixes, c.kind)
			}
		}
		if !found {
			t.Errorf("%s: no %s in %v", c.entry, c.code, report.Findings)
		}
	}
}

// TestFixesInProportion: twice as many mistakes take about twice the work. One that compares
// each with all takes four times.
func TestFixesInProportion(t *testing.T) { //nolint:paralleltest // the allocations of other tests would count
	collections := func(n int) string {
		return `{"authorized_agents": [], "collections": [` + strings.TrimSuffix(strings.Repeat(`{"collection_id": "c"},`, n), ",") + `]}`
	}
	work := func(n int) float64 {
		src := []byte(collections(n))
		return testing.AllocsPerRun(1, func() { Check(src, Options{Fixes: true}) })
	}
	if one, two := work(400), work(800); two > 3*one {
		t.Errorf("%v allocations became %v", one, two)
	}
	entries := strings.TrimSuffix(strings.Repeat(`{"url": "https://seller.example/mcp", "authorized_for": "D"},`, 300), ",")
	src := `{"properties": [{"property_id": "` + strings.Repeat("a", 1_000_000) + `", "property_type": "website", "name": "N",
		"identifiers": [{"type": "domain", "value": "a.example.com"}], "publisher_domain": "example.com"}], "authorized_agents": [` + entries + `]}`
	report := Check([]byte(src), Options{Fixes: true})
	written := 0
	for i := range report.Findings {
		for _, fix := range report.Findings[i].Fixes {
			for _, e := range fix.Edits {
				written += len(e.New)
			}
		}
	}
	if written > 8*len(src) {
		t.Errorf("the fixes of a file of %d bytes have %d", len(src), written)
	}
}
