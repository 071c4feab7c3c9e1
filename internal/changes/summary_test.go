package changes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
)

// versionOf is a file whose agents have an entry each, with members of their own.
func versionOf(t *testing.T, properties, agents string) *adagents.File {
	t.Helper()
	var list []string
	for _, id := range strings.Fields(properties) {
		list = append(list, fmt.Sprintf(`{"property_id": %q, "property_type": "website", "name": "N", "identifiers": [{"type": "domain", "value": "%s.example"}]}`, id, id))
	}
	var entries []string
	for _, line := range strings.Fields(agents) {
		host, members, _ := strings.Cut(line, "|")
		entries = append(entries, fmt.Sprintf(`{"url": "https://%s/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["a"]%s}`, host, members))
	}
	f, err := adagents.Parse([]byte(`{"properties": [` + strings.Join(list, ",") + `], "authorized_agents": [` + strings.Join(entries, ",") + `], "last_updated": "2026-01-02T00:00:00Z"}`))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestSummary(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		oldProperties, oldAgents, properties, agents string
		want                                         string
	}{
		{"a", "s.example", "a", "s.example", ""},
		{"a", "s.example", "a", "s.example t.example", "+ t.example may sell"},
		{"a", "s.example t.example", "a", "t.example", "− s.example may not sell any more"},
		{"a", "s.example", "a", `s.example|,"countries":["DE"]`, "s.example only in DE, previously everywhere"},
		{"a", `s.example|,"countries":["DE"]`, "a", `s.example|,"countries":["DE","FR"]`, "s.example only in DE, FR, previously only in DE"},
		{"a", `s.example|,"countries":["DE"]`, "a", "s.example", "s.example everywhere, previously only in DE"},
		{"a", `s.example|,"countries":["DE"]`, "a", `s.example|,"countries":["FR"]`, "s.example only in FR, previously only in DE"},
		{"a", "s.example", "a", `s.example|,"effective_until":"2030-01-01T00:00:00Z"`, "s.example: an agent is authorized for a shorter time: until 2030-01-01T00:00:00Z, previously always"},
		{"a", "s.example", "a app blog", "s.example", "+ app, blog: properties were added"},
		{"a", "s.example", "a b c d e f", "s.example t.example", "+ t.example may sell; + b, c, d and 2 more: properties were added"},
		{"a", "s.example", "a", "1.example 2.example 3.example 4.example", "+ 1.example, 2.example, 3.example and 1 more may sell; − s.example may not sell any more"},
	} {
		list := custody.Compare(versionOf(t, x.oldProperties, x.oldAgents), versionOf(t, x.properties, x.agents))
		pieces, more := Summary(list, 5)
		var got []string
		for _, p := range pieces {
			got = append(got, strings.TrimSpace(p.Sign+" "+p.Text))
		}
		if text := strings.Join(got, "; "); text != x.want || more != 0 {
			t.Errorf("%s %s: %q and %d more, want %q", x.properties, x.agents, text, more, x.want)
		}
	}
	_, more := Summary(custody.Compare(versionOf(t, "a", "s.example"), versionOf(t, "a b", "t.example")), 1)
	if more != 2 {
		t.Errorf("%d more", more)
	}
}

// TestSummaryOfEvery: every change that can be reported means something in a few words.
func TestSummaryOfEvery(t *testing.T) {
	t.Parallel()
	for _, rule := range custody.Codes() {
		c := custody.Change{Code: rule.Code, Subject: "https://me:secret@s.example/mcp", Before: "x", After: "y", Message: rule.Title}
		pieces, _ := Summary([]custody.Change{c, c, c, c}, 9)
		if len(pieces) == 0 != bookkeeping[rule.Code] {
			t.Errorf("%s: %v", rule.Code, pieces)
		}
		for _, p := range pieces {
			if p.Text == "" || strings.Contains(p.Text, "secret") {
				t.Errorf("%s: %q", rule.Code, p.Text)
			}
		}
	}
}

func TestSellers(t *testing.T) {
	t.Parallel()
	for agents, want := range map[string]string{"": "", "s.example": "s.example may sell", "s.example b.example": "b.example, s.example may sell"} {
		if got := Sellers(versionOf(t, "a", agents)); got != want {
			t.Errorf("%s: %q", agents, got)
		}
	}
}
