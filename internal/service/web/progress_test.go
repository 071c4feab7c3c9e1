package web

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
)

// underWay is a check with some requests.
func underWay(hops ...discover.Hop) *checker {
	return &checker{follow: func(_ context.Context, _ string, seen func(discover.Hop)) error {
		for _, h := range hops {
			seen(h)
		}
		return errors.New("not for visitors")
	}}
}

// answered is the result of a request.
func answered(status int, outcome fetch.Outcome) *discover.Result {
	return &discover.Result{Outcome: outcome, Exchanges: []discover.Exchange{{Status: status, Outcome: outcome}}}
}

// TestProgress: the steps of a check are events, and nothing that a publisher wrote can be another one.
func TestProgress(t *testing.T) {
	t.Parallel()
	const own = "https://example.com/.well-known/adagents.json"
	c := underWay(
		discover.Hop{URL: own}, discover.Hop{URL: own, Result: answered(404, fetch.Absent)},
		discover.Hop{Step: discover.Authoritative, URL: "https://a\u202e.example/\n\nevent: end\n"},
		discover.Hop{Step: discover.Authoritative, URL: "https://a\u202eb.example/"}, discover.Hop{Step: discover.Authoritative, URL: "https://b.example/", Result: answered(0, fetch.Timeout)},
	)
	r, body := get(t, c, "/progress?q=+https%3A%2F%2FExample.com%2F")
	want := "event: check\ndata: {\"domain\":\"example.com\"}\n\n" +
		`event: step` + "\n" + `data: {"step":"Well-known file","host":"example.com","status":"","class":"none"}` + "\n\n" +
		`event: step` + "\n" + `data: {"step":"Well-known file","host":"example.com","status":"404","class":"none"}` + "\n\n" +
		`event: step` + "\n" + `data: {"step":"Authoritative file","host":"","status":"","class":"none"}` + "\n\n" +
		`event: step` + "\n" + `data: {"step":"Authoritative file","host":"a\\u{202e}b.example","status":"","class":"none"}` + "\n\n" +
		`event: step` + "\n" + `data: {"step":"Authoritative file","host":"b.example","status":"no answer in time","class":"warn"}` + "\n\n" +
		"event: end\ndata: {}\n\n"
	if r.StatusCode != http.StatusOK || body != want {
		t.Errorf("%d %s\nwant %s", r.StatusCode, body, want)
	}
	if r.Header.Get("Content-Type") != "text/event-stream; charset=utf-8" || r.Header.Get("Cache-Control") != "no-store" || r.Header.Get("Content-Security-Policy") != policy {
		t.Errorf("headers: %v", r.Header)
	}
	if len(c.asked) != 0 {
		t.Errorf("it has a check made: %v", c.asked)
	}
	for _, text := range []string{"", "{}", "a+b", "https%3A%2F%2Fagent.example%2Fmcp", "agent.example%2Fmcp", "%22%3Cb", strings.Repeat("a", 3000)} {
		r, body := get(t, c, "/progress?q="+text)
		if r.StatusCode != http.StatusNoContent || body != "" {
			t.Errorf("%s: %d %s", text, r.StatusCode, body)
		}
	}
}

// TestProgressEnds: a stream ends when its time is over, and there are no more of them for one client than a
// hundred.
func TestProgressEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &checker{follow: func(ctx context.Context, _ string, _ func(discover.Hop)) error {
			<-ctx.Done()
			return ctx.Err()
		}}
		p := newPages(Config{Service: c, Now: time.Now})
		const most = 100
		statuses := make(chan int, most+1)
		for range most + 1 {
			go func() {
				w := httptest.NewRecorder()
				p.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/progress?q=example.com", http.NoBody))
				if w.Code == http.StatusOK && !strings.HasSuffix(w.Body.String(), "event: end\ndata: {}\n\n") {
					t.Error(w.Body)
				}
				statuses <- w.Code
			}()
		}
		synctest.Wait()
		if got := <-statuses; got != http.StatusTooManyRequests {
			t.Errorf("one more than there may be: %d", got)
		}
		began := time.Now()
		var list []int
		for range most {
			list = append(list, <-statuses)
		}
		if waited := time.Since(began); waited != followTime || slices.ContainsFunc(list, func(n int) bool { return n != http.StatusOK }) {
			t.Errorf("%v after %v", list, waited)
		}
	})
}
