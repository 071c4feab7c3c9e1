package server

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
)

// refusalPage says what a page was told.
func refusalPage(w http.ResponseWriter, r *http.Request, e *registry.Error, known bool) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	status, _ := edge.Answer(w.Header(), e)
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, "%s known=%v call=%v", e.Code, known, registry.CallOf(r.Context()).RequestID != "")
}

// namedPage reports whether an address of a test names something.
func namedPage(r *http.Request) bool { return r.URL.RawQuery != "nothing" }

// visitors is the Accept of a browser that shows a page.
const visitors = "text/html,application/xhtml+xml,*/*;q=0.8"

// TestRefusalPages: a visitor beyond a rate gets a page, which may look up what is known as long as the
// visitor may read. Programs get what they got before.
func TestRefusalPages(t *testing.T) {
	t.Parallel()
	s := start(t, ok, func(c *Config) {
		c.Rates = map[*edge.Class]edge.Rate{edge.Validate: {N: 1, Per: time.Minute}, edge.Read: {N: 1, Per: time.Minute}}
		c.Now = func() time.Time { return time.Unix(1000, 0) }
		c.Page, c.Named = refusalPage, namedPage
	})
	s.do(t, http.MethodGet, "/page", "")
	for _, tc := range []struct{ method, path, accept, media, want string }{
		{http.MethodGet, "/page", "image/avif,*/*", "text/plain; charset=utf-8", "Too many requests"},
		{http.MethodPost, "/api/adagents/validate", visitors, "application/json", `"code":"rate_limited"`},
		{http.MethodGet, "/page?nothing", visitors, "text/html; charset=utf-8", "rate_limited known=false"}, // which costs nothing
		{http.MethodPost, "/page", visitors, "text/html; charset=utf-8", "rate_limited known=true call=true"},
		{http.MethodGet, "/page", visitors, "text/html; charset=utf-8", "rate_limited known=false"},
	} {
		a := s.do(t, tc.method, tc.path, "{}", "Accept", tc.accept)
		if a.status != http.StatusTooManyRequests || a.header.Get("Content-Type") != tc.media || !strings.Contains(a.text, tc.want) {
			t.Errorf("%s %s with %s: %d %v %s", tc.method, tc.path, tc.accept, a.status, a.header, a.text)
		}
		if a.header.Get("Retry-After") != "60" || a.header.Get("RateLimit-Limit") != "1" || a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s %s with %s: %v", tc.method, tc.path, tc.accept, a.header)
		}
	}
	if n := strings.Count(s.log.String(), `"refused":"rate_limited"`); n != 5 {
		t.Errorf("%d refusals in the log:\n%s", n, s.log.String())
	}
}

// TestBusyPages: a visitor whom there is no room for among those who wait for the web is let in with those
// who do not, for a page that says so.
func TestBusyPages(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan struct{}), make(chan struct{})
	stay := func(w http.ResponseWriter, r *http.Request) {
		entered <- struct{}{}
		<-leave
		ok(w, r)
	}
	s := start(t, stay, func(c *Config) {
		c.MaxRequests, c.Page, c.Named = 1, refusalPage, namedPage
		c.lab = labOf(func(l *lab) { l.patience = time.Millisecond })
	})
	ended := make(chan *answer, 2)
	occupy := func(path string) {
		go func() { ended <- s.do(t, http.MethodGet, path, "") }()
		<-entered
	}
	occupy("/page")
	for _, want := range []string{"busy known=true call=true", "busy known=false"} {
		a := s.do(t, http.MethodGet, "/page", "", "Accept", visitors)
		if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") != "2" || !strings.HasPrefix(a.text, want) {
			t.Errorf("%d %v %s, want %s", a.status, a.header, a.text, want)
		}
		if want == "busy known=true call=true" {
			occupy("/api/read")
		}
	}
	close(leave)
	for range 2 {
		if a := <-ended; a.status != http.StatusOK {
			t.Errorf("status %d", a.status)
		}
	}
}

// TestRefusalPagesWhenBusy: a visitor beyond a rate reads so, and for how long, when there is no room to look
// anything up.
func TestRefusalPagesWhenBusy(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan struct{}), make(chan struct{})
	stay := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/read" {
			entered <- struct{}{}
			<-leave
		}
		ok(w, r)
	}
	s := start(t, stay, func(c *Config) {
		c.MaxRequests, c.Page, c.Named = 1, refusalPage, namedPage
		c.Rates = map[*edge.Class]edge.Rate{edge.Validate: {N: 1, Per: time.Minute}}
		c.Now = func() time.Time { return time.Unix(1000, 0) }
	})
	s.do(t, http.MethodGet, "/page", "")
	ended := make(chan *answer, 1)
	go func() { ended <- s.do(t, http.MethodGet, "/api/read", "") }()
	<-entered
	a := s.do(t, http.MethodGet, "/page", "", "Accept", visitors)
	if a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") != "60" || !strings.HasPrefix(a.text, "rate_limited known=false") {
		t.Errorf("%d %v %s", a.status, a.header, a.text)
	}
	close(leave)
	if a := <-ended; a.status != http.StatusOK {
		t.Errorf("status %d", a.status)
	}
}

// TestRefusalPagesWithoutMemory: a visitor beyond a rate reads so when there is no memory for what is known.
func TestRefusalPagesWithoutMemory(t *testing.T) {
	t.Parallel()
	memory := NewMemory(100)
	s := start(t, ok, func(c *Config) {
		c.Memory, c.Named = memory, namedPage
		c.Page = func(w http.ResponseWriter, r *http.Request, e *registry.Error, known bool) {
			if known && budget.Need(r.Context(), "record", 70) != nil {
				return
			}
			refusalPage(w, r, e, known)
		}
		c.Rates = map[*edge.Class]edge.Rate{edge.Validate: {N: 1, Per: time.Minute}}
		c.Now = func() time.Time { return time.Unix(1000, 0) }
		c.lab = labOf(func(l *lab) { l.patience = time.Millisecond })
	})
	s.do(t, http.MethodGet, "/page", "")
	err := memory.Acquire(t.Context(), "another client", 60)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"rate_limited known=false", "rate_limited known=true"} {
		a := s.do(t, http.MethodGet, "/page", "", "Accept", visitors)
		if a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") != "60" || !strings.HasPrefix(a.text, want) {
			t.Errorf("%d %v %s, want %s", a.status, a.header, a.text, want)
		}
		if want == "rate_limited known=false" {
			memory.Release("another client", 60)
		}
	}
}
