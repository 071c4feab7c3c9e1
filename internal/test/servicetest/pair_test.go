package servicetest

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/pgtest"
)

// must makes a request that has to be answered with a status.
func (s *process) must(status int, method, path, body string, headers ...string) answer {
	t := s.place.t
	t.Helper()
	a, err := s.call(method, path, body, headers...)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	if a.status != status {
		t.Fatalf("%s %s: status %d, want %d: %.600s", method, path, a.status, status, a.body)
	}
	return a
}

const mirrors = "/api/registry/mirrors/"

// TestPairAgrees: what one of two services on a database says, the other says.
func TestPairAgrees(t *testing.T) {
	t.Parallel()
	p := newPlace(t, pgtest.URL(t))
	one, two := p.serve(), p.serve()

	// What one fetched, the other knows, and does not fetch again.
	const question = "/api/registry/publisher/authorization?domain=publisher.example&agent=" + agentURL
	digest := regexp.MustCompile(`"sha256":"[0-9a-f]{64}"`)
	first := one.must(200, "GET", question, "")
	awaitRecord(t, p.store, "publisher.example")
	second := two.must(200, "GET", question, "")
	if sum := digest.Find(first.body); sum == nil || !bytes.Contains(second.body, sum) {
		t.Errorf("the answers rest on other bytes:\n%s\n%s", first.body, second.body)
	}
	if bytes.Contains(two.inside(""), []byte("\navow_fetches_total{")) || !bytes.Contains(one.inside(""), []byte("\navow_fetches_total{")) {
		t.Error("the second service asks the web for what the first has stored")
	}

	// A key made while both run counts for both, and what it saves is read by both.
	fresh := p.key("write")
	one.must(200, "POST", "/api/brands/save", `{"domain": "shared.example", "brand_name": "Shared"}`, bearer(fresh)...)
	a := two.must(200, "GET", "/api/brands/enrich?domain=shared.example", "")
	if !bytes.Contains(a.body, []byte(`"name":"Shared"`)) {
		t.Errorf("got %s", a.body)
	}

	// A mirror is the same at both, byte for byte.
	one.must(200, "PUT", mirrors+"video", fmt.Sprintf(catalog, "v1", ""), bearer(p.moderate)...)
	left, right := one.must(200, "GET", "/translated/video/adagents.json", ""), two.must(200, "GET", "/translated/video/adagents.json", "")
	if left.header.Get("ETag") != right.header.Get("ETag") || !bytes.Equal(left.body, right.body) {
		t.Errorf("%s %s\n%s %s", left.header.Get("ETag"), left.body, right.header.Get("ETag"), right.body)
	}
	decideTogether(t, p, one, two)
}

// awaitRecord waits until the store has what was found for a domain: an answer does not
// wait for that.
func awaitRecord(t *testing.T, url, domain string) {
	t.Helper()
	st, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		_, err = st.Custody().Publisher(t.Context(), hostname.Domain(domain))
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// decideTogether has the same proposals decided at both at once: one decision counts.
func decideTogether(t *testing.T, p *place, one, two *process) {
	t.Helper()
	for i := range 8 {
		a := one.must(202, "PUT", mirrors+"video", fmt.Sprintf(catalog, fmt.Sprint("p", i), ""), bearer(p.write)...)
		path, body := "/api/registry/mirror-proposals/"+memberOf(a.body, "proposal_id"), `{"proposal_digest": "`+memberOf(a.body, "proposal_digest")+`"}`
		var done sync.WaitGroup
		var counted atomic.Int64
		for verb, s := range map[string]*process{"/approve": one, "/reject": two} {
			done.Go(func() {
				a, err := s.call("POST", path+verb, body, bearer(p.moderate)...)
				switch {
				case err != nil:
					t.Error(err)
				case a.status == http.StatusOK:
					counted.Add(1)
				case a.status != http.StatusConflict:
					t.Errorf("status %d: %s", a.status, a.body)
				}
			})
		}
		done.Wait()
		if counted.Load() != 1 {
			t.Errorf("proposal %d was decided %d times", i, counted.Load())
		}
	}
}

// TestOneOfTwoDies kills a service in the middle of its work. Nothing that it said is
// lost, and the other goes on as if nothing had been.
func TestOneOfTwoDies(t *testing.T) {
	t.Parallel()
	p := newPlace(t, pgtest.URL(t))
	one, two := p.serve(), p.serve()
	var said sync.Map // the number of the last write of each platform that was confirmed
	var writers sync.WaitGroup
	var count atomic.Int64
	for _, platform := range []string{"a", "b", "c", "d"} {
		writers.Go(func() {
			for i := 1; ; i++ {
				a, err := one.call("PUT", mirrors+platform, fmt.Sprintf(catalog, fmt.Sprint(i), ""), bearer(p.moderate)...)
				if err != nil {
					return // it was killed
				}
				if a.status != http.StatusOK {
					t.Errorf("status %d: %s", a.status, a.body)
					return
				}
				said.Store(platform, i)
				count.Add(1)
			}
		})
	}
	end := time.Now().Add(patience)
	for count.Load() < 100 && time.Now().Before(end) && !t.Failed() {
		two.must(200, "GET", "/api/registry/mirrors", "")
	}
	one.kill()
	writers.Wait()
	if count.Load() < 100 {
		t.Fatalf("%d writes in %s", count.Load(), patience)
	}
	said.Range(func(platform, last any) bool {
		a := two.must(200, "GET", mirrors+platform.(string), "")
		var got int
		_, err := fmt.Sscan(memberOf(a.body, "catalog_etag"), &got)
		// The last write may have been made and not confirmed.
		if err != nil || got != last && got != last.(int)+1 {
			t.Errorf("%s has %d, and %d was confirmed: %v", platform, got, last, err)
		}
		two.must(200, "PUT", mirrors+platform.(string), fmt.Sprintf(catalog, "after", ""), bearer(p.moderate)...)
		return true
	})
	two.must(200, "GET", "/readyz", "")
	two.must(200, "POST", "/api/adagents/validate", `{"domain": "publisher.example"}`)
	// And a new one takes the place of the dead.
	three := p.serve()
	a := three.must(200, "GET", mirrors+"a", "")
	if memberOf(a.body, "catalog_etag") != "after" {
		t.Errorf("got %s", a.body)
	}
}
