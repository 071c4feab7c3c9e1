package discover

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/fetch"
)

// A script is a Getter that answers from a table, for outcomes that are hard to
// bring about with real servers. The tests of the whole way are in web_test.go.
type script struct {
	mu      sync.Mutex
	answers map[string]*fetch.Result
	asked   []fetch.Request
	gate    chan struct{} // closed or nil: answers come at once
}

func newScript() *script { return &script{answers: make(map[string]*fetch.Result)} }

func (s *script) Get(ctx context.Context, r fetch.Request) *fetch.Result {
	s.mu.Lock()
	r.Large = nil // functions cannot be compared; large_test.go is about this one
	s.asked = append(s.asked, r)
	answer := s.answers[r.URL]
	s.mu.Unlock()
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		return result(r.URL, fetch.Exchange{Outcome: fetch.Cancelled})
	}
	if answer == nil {
		return result(r.URL, fetch.Exchange{Outcome: fetch.Absent, Status: http.StatusNotFound})
	}
	return answer
}

// urls returns what was asked for, in order.
func (s *script) urls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []string
	for _, r := range s.asked {
		list = append(list, r.URL)
	}
	return list
}

// on sets the answer for a URL.
func (s *script) on(url string, x fetch.Exchange) *script {
	s.answers[url] = result(url, x)
	return s
}

// serve sets a file for a URL.
func (s *script) serve(url, body string) *script {
	r := result(url, fetch.Exchange{Outcome: fetch.Found, Status: http.StatusOK, MediaType: "application/json"})
	r.Body = []byte(body)
	s.answers[url] = r
	return s
}

// adsTxt sets the publisher's ads.txt.
func (s *script) adsTxt(lines ...string) *script {
	r := result(pubAdsTxt, fetch.Exchange{Outcome: fetch.Found, Status: http.StatusOK, MediaType: "text/plain"})
	r.Body = []byte(strings.Join(lines, "\n"))
	s.answers[pubAdsTxt] = r
	return s
}

func result(url string, x fetch.Exchange) *fetch.Result {
	if x.URL == "" {
		x.URL = url
	}
	return &fetch.Result{Outcome: x.Outcome, URL: x.URL, Exchanges: []fetch.Exchange{x}}
}

var testTime = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func testClock() time.Time { return testTime }

// find asks for pub.example.
func (s *script) find(t *testing.T, o Options) *Discovery {
	t.Helper()
	d, err := New(Config{Client: s, Now: testClock}).Domain(t.Context(), "pub.example", o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const (
	pubURL     = "https://pub.example/.well-known/adagents.json"
	pubAdsTxt  = "https://pub.example/ads.txt"
	managerURL = "https://manager.example/.well-known/adagents.json"
	networkURL = "https://network.example/adagents.json"
)

// inline is a valid file without the outer braces.
const inline = `"$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json", "last_updated": "2026-01-02T00:00:00Z", "catalog_etag": "v1"`

// selling is a file whose one agent sells what the given members say.
func selling(agent string, more ...string) string {
	entry := `{"url": "https://agent.example/mcp", "authorized_for": "everything", ` + agent + `}`
	return `{` + strings.Join(append([]string{inline, `"authorized_agents": [` + entry + `]`}, more...), ", ") + `}`
}

// property is a property with an id, tags and more members.
func property(id string, more ...string) string {
	return `{` + strings.Join(append([]string{
		`"property_id": "` + id + `", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "` + id + `.example"}]`,
	}, more...), ", ") + `}`
}

// ownFile is the publisher's own valid file.
func ownFile() string {
	return selling(`"authorization_type": "property_ids", "property_ids": ["pub"]`, `"properties": [`+property("pub")+`]`)
}

// networkFile is a manager's file that names the publisher.
func networkFile() string {
	return selling(`"authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "pub.example", "selection_type": "all"}]`,
		`"properties": [`+property("site", `"publisher_domain": "pub.example"`)+`]`)
}

func pointerTo(url string) string {
	return `{"authoritative_location": "` + url + `", "last_updated": "2026-01-02T00:00:00Z"}`
}

// summary is what most tests look at.
func summary(d *Discovery) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s found=%t", d.Answer, d.Method, d.Found)
	for _, h := range d.Trail {
		outcome := "-"
		if h.Result != nil {
			outcome = h.Result.Outcome.String()
		}
		fmt.Fprintf(&b, " | %s %s", h.Step, outcome)
	}
	for i := range d.Findings {
		fmt.Fprintf(&b, " ! %s", d.Findings[i].Code)
	}
	return b.String()
}
