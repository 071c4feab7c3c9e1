package calltest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestBatch: every line has its answer, in order, and the same verdict as a question on its
// own. Nobody is asked.
func TestBatch(t *testing.T) {
	t.Parallel()
	w := newDirectory(t)
	before := len(w.web.Requests())
	lines := []struct{ question, want string }{
		{`{"id": "a", "publisher": "ONE.example", "agent": "https://agent.example/mcp", "property": "site", "country": "DE"}`, "authorized entry.covers fresh"},
		{`{"publisher": "one.example", "agent": "https://agent.example/mcp", "property": "site"}`, "conditional entry.country_needed fresh"},
		{`{"publisher": "one.example", "agent": "https://agent.example/mcp", "property": "site", "country": "FR"}`, "not_authorized entry.country_not_listed fresh"},
		{`{"publisher": "two.example", "agent_url": "https://agent.example/mcp", "identifier": "domain=two.example"}`, "authorized entry.covers fresh"},
		{`{"publisher": "two.example", "agent": "https://stranger.example/"}`, "not_authorized agent.not_listed fresh"},
		{`{"publisher": "never.example", "agent": "https://agent.example/mcp"}`, "unverified file.unreachable never"},
		{`{"publisher": "broken.example", "agent": "https://agent.example/mcp"}`, "unusable file.unusable unusable"},
		{`{"publisher": "nobody.example", "agent": "https://agent.example/mcp"}`, "unverified file.absent absent"},
		{`{"agent": "https://agent.example/mcp"}`, "error publisher"},
		{`not JSON`, "error "},
		{`{"publisher": "one.example", "agent": "https://agent.example/mcp", "at": "tomorrow"}`, "error at"},
	}
	var body []string
	for _, l := range lines {
		body = append(body, l.question)
	}
	got := w.call(http.MethodPost, "/api/authorize/batch", strings.Join(body, "\n")+"\n")
	answers := strings.Split(strings.TrimSpace(string(got.body)), "\n")
	if got.status != http.StatusOK || got.header.Get("Content-Type") != "application/x-ndjson" || len(answers) != len(lines) {
		t.Fatalf("%d %v %s", got.status, got.header, got.body)
	}
	for i, l := range lines {
		one := answered{body: []byte(answers[i])}
		text := fmt.Sprintf("%s %s %s", one.member(t, "/verdict"), one.member(t, "/code"), one.member(t, "/standing/state"))
		if one.member(t, "/error") != "" {
			text = "error " + one.member(t, "/field")
		}
		if text != l.want || one.member(t, "/line") != fmt.Sprint(i+1) {
			t.Errorf("%s: got %q, want %q: %s", l.question, text, l.want, answers[i])
		}
	}
	if n := len(w.web.Requests()); n != before {
		t.Errorf("%d requests were made", n-before)
	}
	many := w.call(http.MethodPost, "/api/authorize/batch", strings.Repeat("{}\n", 20_001))
	if many.status != http.StatusRequestEntityTooLarge {
		t.Errorf("too many lines: %d", many.status)
	}
	for _, body := range []string{"", "\n\n"} {
		if none := w.call(http.MethodPost, "/api/authorize/batch", body); none.status != http.StatusBadRequest {
			t.Errorf("no question: %d %s", none.status, none.body)
		}
	}
}
