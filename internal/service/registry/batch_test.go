package registry_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/avow-project/avow/resolve"
)

// TestVerdictsStayWithinACall: however many publishers a table names, it sends no more requests
// than a single call, and says of which publishers nothing is known.
func TestVerdictsStayWithinACall(t *testing.T) {
	t.Parallel()
	const publishers, most = 60, 16
	var sections []string
	for i := range publishers {
		sections = append(sections, wellKnown(fmt.Sprintf("p%d.example", i)), "200\nContent-Type: application/json\n\n"+
			`{"properties": [{"property_id": "site", "property_type": "website", "name": "S", "identifiers": [{"type": "domain", "value": "`+fmt.Sprintf("p%d.example", i)+`"}]}], `+
			`"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]}]}`)
	}
	l := newFileLab(t, sections...)
	s := l.Service
	s.Limits(time.Hour, time.Hour)
	var questions []resolve.Question
	for i := range publishers {
		questions = append(questions, resolve.Question{Publisher: fmt.Sprintf("p%d.example", i), Agent: "https://agent.example/mcp"})
	}
	questions = append(questions, resolve.Question{Publisher: "a b", Agent: "https://agent.example/mcp"})
	got := s.Verdicts(t.Context(), questions)
	if n := len(l.web.Requests()); n > most {
		t.Errorf("%d requests were sent", n)
	}
	yes := 0
	for i := range publishers {
		v := &got[i]
		switch {
		case v.Err != nil:
			t.Errorf("%s: %v", v.Question.Publisher, v.Err)
		case v.Verdict == resolve.Authorized:
			yes++
		case v.Verdict != resolve.Unverified || v.Detail == "":
			t.Errorf("%s: %v %q", v.Question.Publisher, v.Verdict, v.Detail)
		}
	}
	if yes == 0 || yes > most {
		t.Errorf("%d publishers were looked up", yes)
	}
	if got[publishers].Err == nil {
		t.Error("what is no domain was answered")
	}
	again := s.Verdicts(t.Context(), questions)
	more := 0
	for i := range publishers {
		if again[i].Verdict == resolve.Authorized {
			more++
		}
	}
	if more <= yes {
		t.Errorf("%d publishers are known after a second call, %d after the first", more, yes)
	}
}
