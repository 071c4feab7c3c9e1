package resolve

import (
	"reflect"
	"testing"
	"time"
)

// TestSteady: between the times that Steady returns, the instant makes no difference.
func TestSteady(t *testing.T) {
	t.Parallel()
	hour := func(n int) time.Time { return time.Date(2026, 3, 1, n, 0, 0, 0, time.UTC) }
	const scope = `"authorization_type": "property_ids", "property_ids": ["site"]`
	doc := testDocument(t, "direct", `"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "pub.example"}]}]`,
		`{"url": "https://agent.example/mcp", "authorized_for": "All", `+scope+`, "effective_from": "2026-03-01T02:00:00Z", "effective_until": "2026-03-01T06:00:00Z"}`,
		`{"url": "https://agent.example/mcp", "authorized_for": "All", `+scope+`, "effective_from": "2026-03-01T08:00:00Z"}`,
		`{"url": "https://other.example/mcp", "authorized_for": "All", "exclusive": true, `+scope+`, "effective_until": "2026-03-01T04:00:00Z"}`)
	doc.Prepared = Prepare(doc.File)
	var instants []time.Time
	for n := range 11 {
		instants = append(instants, hour(n).Add(-1), hour(n), hour(n).Add(1))
	}
	answer := func(at time.Time) *Answer {
		a, err := Judge(doc, Question{Publisher: "example.com", Agent: "https://agent.example/mcp", At: at})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	same, other := 0, 0
	for _, one := range instants {
		after, before := doc.Prepared.Steady(one)
		first := answer(one)
		for _, two := range instants {
			if !after.IsZero() && !two.After(after) || !before.IsZero() && !two.Before(before) {
				other++
				continue
			}
			same++
			if next := answer(two); !reflect.DeepEqual(first, next) {
				t.Errorf("at %s the answer is\n%+v\nand at %s\n%+v", one, first, two, next)
			}
		}
	}
	if same == 0 || other == 0 {
		t.Errorf("%d times the same, %d times not", same, other)
	}
	after, before := doc.Prepared.Steady(hour(2))
	if !after.Equal(hour(2)) || !before.Equal(hour(2)) {
		t.Errorf("when an entry begins: %s, %s", after, before)
	}
	after, before = doc.Prepared.Steady(hour(5))
	if !after.Equal(hour(4)) || !before.Equal(hour(6)) {
		t.Errorf("between two times: %s, %s", after, before)
	}
}
