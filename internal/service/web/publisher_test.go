package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

// changingArchive has a publisher whose file changes.
const changingArchive = `-- https://good.example/.well-known/adagents.json --
200 times=1
Content-Type: application/json

{
  "properties": [{"property_id": "site", "property_type": "website", "name": "Example", "identifiers": [{"type": "domain", "value": "good.example"}]}],
  "authorized_agents": [
    {"url": "https://first.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]}
  ],
  "last_updated": "2026-01-02T00:00:00Z"
}
-- https://good.example/.well-known/adagents.json --
200
Content-Type: application/json

{
  "properties": [
    {"property_id": "site", "property_type": "website", "name": "Example", "identifiers": [{"type": "domain", "value": "good.example"}]},
    {"property_id": "app", "property_type": "mobile_app", "name": "App", "identifiers": [{"type": "ios_bundle", "value": "com.example.app"}]}
  ],
  "authorized_agents": [
    {"url": "https://second.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site", "app"],
     "exclusive": true, "countries": ["DE"]},
    {"url": "https://third.example/mcp", "authorized_for": "The app", "authorization_type": "property_ids", "property_ids": ["app"]},
    {"url": "https://ended.example/mcp", "authorized_for": "The app", "authorization_type": "property_ids", "property_ids": ["app"],
     "effective_until": "2026-01-01T00:00:00Z"}
  ],
  "last_updated": "2026-03-02T00:00:00Z"
}
-- https://rival.example/.well-known/adagents.json --
200
Content-Type: application/json

{
  "properties": [{"property_id": "app", "property_type": "mobile_app", "name": "App", "identifiers": [{"type": "ios_bundle", "value": "com.example.app"}]}],
  "authorized_agents": [{"url": "https://thief.example/mcp", "authorized_for": "The app", "authorization_type": "property_ids", "property_ids": ["app"]}],
  "last_updated": "2026-03-02T00:00:00Z"
}
-- https://none.example/.well-known/adagents.json --
404
`

func TestPublisher(t *testing.T) {
	t.Parallel()
	var passed atomic.Int64
	clock := func() time.Time { return noon.Add(time.Duration(passed.Load())) }
	s := realService(t, changingArchive, clock)
	page := func(target string) (int, string) {
		w := httptest.NewRecorder()
		newPages(Config{Service: s, Now: clock}).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, http.NoBody))
		return w.Code, w.Body.String()
	}
	expect := func(name, target string, wants ...string) {
		t.Helper()
		status, body := page(target)
		if status != http.StatusOK {
			t.Errorf("%s: %d", name, status)
		}
		for _, want := range wants {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %q in %s", name, want, body)
			}
		}
	}
	// Its record is there before a page asks for it: a check stores what it has found after the
	// answer.
	_, err := s.Custody(t.Context(), "good.example", true)
	if err != nil {
		t.Fatal(err)
	}
	expect("first", "/check/good.example?tab=sell", "1 agent may sell for good.example", "https://first.example/mcp", `<td class="cell on">yes</td>`)
	expect("first version", "/check/good.example?tab=history", "<strong>First seen</strong>: <a href=\"/agent/https:%2F%2Ffirst.example%2Fmcp\">first.example</a> may sell", "in effect", "<summary>Details")
	passed.Store(int64(48 * time.Hour))
	_, err = s.Custody(t.Context(), "good.example", true)
	if err != nil {
		t.Fatal(err)
	}
	expect("second", "/check/good.example?tab=sell",
		"2 of 3 agents may sell for good.example; the other may not: the entries do not hold at this time", "it has ended", `<td class="cell off">not now</td>`, "The file contradicts itself", "is called the only one for app",
		"Says what you mean", "0 of 3 agents have pinned keys.")
	expect("second version", "/check/good.example?tab=history", "agent.removed", "agent.added", `<span class="plus">&#43; `, `<span class="minus">− `, " may sell", "<strong>First seen</strong>", `<ol class="versions"`)
	expect("rival", "/check/rival.example?tab=sell", "1 agent may sell for rival.example", "1 identifier is listed here", `also <a href="/check/good.example?tab=sell">good.example</a>`)
	expect("claimed", "/check/good.example?tab=sell", "claimed by others", "<strong><a href=\"/find?q=com.example.app\">com.example.app</a></strong>: also <a href=\"/check/rival.example?tab=sell\">rival.example</a>")
	expect("links", "/check/good.example?tab=sell", `<a href="/agent/https:%2F%2Fsecond.example%2Fmcp"><code>`, `<td><a href="/ask?publisher=good.example&amp;property=site"><code>site</code></a></td>`)
	expect("host", "/agent/second.example", "1 agent is known at this host.", `<a href="/agent/https:%2F%2Fsecond.example%2Fmcp">`)
	expect("path", "/agent/https:%2F%2Fsecond.example%2Fmcp", "1 publisher lets this agent sell something")
	expect("past", "/check/good.example?tab=history&on=2026-03-01", "In effect on", "https://first.example/mcp")
	expect("today", "/check/good.example?tab=history&on=2026-03-03", "In effect on")
	expect("before", "/check/good.example?tab=history&on=2025-03-03", "what this service knows of good.example begins on ")
	expect("future", "/check/good.example?tab=history&on=2027-03-03", "write a day that has come")
	expect("no day", "/check/good.example?tab=history&on=x", "write a day that has come")
	expect("no file", "/check/none.example?tab=sell", "none.example has no file", "There is no file in effect")
}

// TestMatrixOfManyProperties makes sure that a large file is counted, and cut.
func TestMatrixOfManyProperties(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`{"properties": [`)
	for i := range 300 {
		fmt.Fprintf(&b, `{"property_id": "p%d", "property_type": "website", "name": "P", "tags": ["t%d", "all_of_them"], "identifiers": [{"type": "domain", "value": "p%d.good.example"}]},`, i, i%30, i)
	}
	b.WriteString(`{"property_id": "last", "property_type": "website", "name": "P", "identifiers": [{"type": "domain", "value": "good.example"}]}], "authorized_agents": [`)
	for i := range 50 {
		fmt.Fprintf(&b, `{"url": "https://a%d.example/mcp", "authorized_for": "x", "authorization_type": "property_tags", "property_tags": ["t1"]},`, i)
	}
	b.WriteString(`{"url": "https://all.example/mcp", "authorized_for": "x", "authorization_type": "property_tags", "property_tags": ["all_of_them"]}]}`)
	report := adagents.Check([]byte(b.String()), adagents.Options{})
	if report.File == nil {
		t.Fatal(report.Unusable)
	}
	m := matrixOf(&resolve.Document{Publisher: "good.example", State: resolve.Usable, File: report.File}, noon, &pen{propertiesBytes})
	if !m.Counted || m.Properties != 301 || m.Entries != 51 || len(m.Rows) != mostCounted || m.MoreRows != 51-mostCounted || len(m.Columns) != mostColumns || m.MoreColumns != 31-mostColumns+1 {
		t.Errorf("%+v", m)
	}
	if got := m.Rows[0].Cells[0].Text + " " + m.Rows[0].Cells[1].Text; m.Columns[1].Name != "all_of_them" || got != "10 10" {
		t.Errorf("%s: %+v", got, m.Columns)
	}
}

// TestHeldHeadline: pages, badges and the API say alike that a move is held, and how many agents may
// sell by what is in effect.
func TestHeldHeadline(t *testing.T) {
	t.Parallel()
	s := realService(t, movingArchive, atNoon)
	for range 2 {
		_, err := s.Custody(t.Context(), "moving.example", true)
		if err != nil {
			t.Fatal(err)
		}
	}
	view, err := s.Publisher(t.Context(), "moving.example")
	if err != nil {
		t.Fatal(err)
	}
	want := "1 agent may sell for moving.example; a move to another address is held"
	if h := view.Headline; h.Text != want || !h.Held {
		t.Errorf("%+v", h)
	}
	pages := newPages(Config{Service: s, Now: atNoon})
	for target, want := range map[string]string{
		"/check/moving.example": want, "/check/moving.example?tab=sell": want, "/ask?publisher=moving.example": want,
		"/ask?publisher=moving.example&agent=https://agent.example/mcp": want, "/badge/moving.example.svg": "<title>adagents.json of moving.example: change held</title>",
	} {
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, http.NoBody))
		if body := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: %d: no %q in %s", target, w.Code, want, body)
		}
	}
}

// networkArchive has a publisher that points to a file in which each of many others has a fault.
func networkArchive() string {
	var properties []string
	for i := range 300 {
		domain := "good.example"
		if i > 0 {
			domain = fmt.Sprintf("other%d.example", i)
		}
		properties = append(properties, fmt.Sprintf(`{"property_id": "i%d", "property_type": "web", "name": "N", "publisher_domain": "%s", "identifiers": [{"type": "domain", "value": "%s"}]}`, i, domain, domain))
	}
	return `-- https://good.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authoritative_location": "https://network.example/adagents.json", "last_updated": "2026-01-02T00:00:00Z"}
-- https://network.example/adagents.json --
200
Content-Type: application/json

{"properties": [` + strings.Join(properties, ",\n") + `], "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["i0"]}]}
`
}

// TestFindingsAboutOthers: of a network's file a report shows what is about the publisher, and the
// rest in a line.
func TestFindingsAboutOthers(t *testing.T) {
	t.Parallel()
	s := realService(t, networkArchive(), atNoon)
	w := httptest.NewRecorder()
	newPages(Config{Service: s, Now: atNoon}).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/check/good.example", http.NoBody))
	body := w.Body.String()
	for _, want := range []string{" findings of this shared file are about other publishers, and not shown.", "/properties/0/property_type"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in %s", want, body)
		}
	}
	if strings.Contains(body, "<code>/properties/1/") {
		t.Error("shows findings about others")
	}
}
