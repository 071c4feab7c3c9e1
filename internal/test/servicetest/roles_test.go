package servicetest

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/test/pgtest"
)

// serveRole starts a service in a role whose internet is a crowd.
func (p *place) serveRole(role, crowd string) *process {
	p.t.Helper()
	return p.serve(webVariable+"=", crowdVariable+"="+crowd, "AVOW_ROLE="+role)
}

// fetches reports whether a process has asked the web.
func (s *process) fetches() bool {
	return bytes.Contains(s.inside(""), []byte("\navow_fetches_total{"))
}

// until waits until something is true.
func until(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !f(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %s: %s", patience, what)
		}
	}
}

// crawled has a publisher looked at by request, and waits for the answer.
func (s *process) crawled(domain string) {
	t := s.place.t
	t.Helper()
	a := s.must(http.StatusAccepted, "POST", "/api/registry/crawl-request", fmt.Sprintf(`{"domain": %q}`, domain), bearer(s.place.write)...)
	path := "/api/registry/crawl-request/" + memberOf(a.body, "crawl_request_id")
	until(t, domain+" is looked at", func() bool {
		return memberOf(s.must(200, "GET", path, "", bearer(s.place.write)...).body, "status") == "completed"
	})
}

// TestRoles: what is requested of a process that only answers is done by those that only look,
// and one of them is enough. The one that answers follows their changes.
func TestRoles(t *testing.T) {
	t.Parallel()
	crowd := newCrowd(t, 1000).setting
	p := newPlace(t, pgtest.URL(t))
	api := p.serveRole("api", crowd)
	workers := []*process{p.serveRole("worker", crowd), p.serveRole("worker", crowd)}

	api.crawled("small-1.example")
	if api.fetches() || !workers[0].fetches() && !workers[1].fetches() {
		t.Error("it was not a worker that looked")
	}
	const directory = "/v1/agents/https%3A%2F%2Fagent.example%2F/publishers"
	begun := time.Now()
	for what, path := range map[string]string{"directory": directory, "feed": "/api/registry/feed?types=authorization.*"} {
		until(t, "the "+what+" has what a worker found", func() bool {
			a, err := api.call("GET", path, "")
			return err == nil && a.status == 200 && bytes.Contains(a.body, []byte("small-1.example"))
		})
		t.Logf("the %s has what another process has adopted after %s", what, time.Since(begun).Round(time.Millisecond))
	}
	for _, w := range workers {
		w.must(200, "GET", "/readyz", "")
		w.must(404, "GET", directory, "")
	}

	workers[0].kill()
	for i := range 4 {
		api.crawled(fmt.Sprintf("small-after-%d.example", i))
	}
	if api.fetches() {
		t.Error("the process that answers has looked")
	}
}
