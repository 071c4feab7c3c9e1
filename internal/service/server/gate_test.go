package server

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestGate(t *testing.T) {
	t.Parallel()
	g := newGate("test", 2, 0, 50*time.Millisecond)
	ctx := t.Context()
	for range 2 {
		if !g.enter(ctx, "a") {
			t.Fatal("an empty gate is closed")
		}
	}
	began := time.Now()
	if g.enter(ctx, "a") {
		t.Error("a full gate is open")
	}
	if d := time.Since(began); d < 40*time.Millisecond || d > 5*time.Second {
		t.Errorf("waited %s", d)
	}
	time.AfterFunc(10*time.Millisecond, func() { g.leave("a") })
	if !g.enter(ctx, "b") {
		t.Error("who waits does not get the slot that is free")
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if g.enter(gone, "c") {
		t.Error("who has gone away enters")
	}
	if g.inUse() != 2 || g.waiting.Load() != 0 {
		t.Errorf("%d inside, %d waiting", g.inUse(), g.waiting.Load())
	}
}

func TestGateShare(t *testing.T) {
	t.Parallel()
	g := newGate("test", 4, 2, time.Millisecond)
	ctx := t.Context()
	for i := range 3 {
		if g.enter(ctx, "a") != (i < 2) {
			t.Errorf("a client has not its share: number %d", i)
		}
	}
	if !g.enter(ctx, "b") {
		t.Error("another client is kept out")
	}
	g.leave("a")
	if !g.enter(ctx, "a") {
		t.Error("a share does not come back")
	}
	for _, c := range []string{"a", "a", "b"} {
		g.leave(c)
	}
	if len(g.held) != 0 || g.inUse() != 0 {
		t.Errorf("left behind: %v", g.held)
	}
}

// TestBusy fills the service and checks that whoever comes next hears so at once, while
// other work goes on.
func TestBusy(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	inside := make(chan struct{}, 100)
	h := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/registry/lookup" {
			inside <- struct{}{}
			<-release
		}
		ok(w, r)
	}
	s := start(t, h, func(c *Config) { c.MaxRequests = 3 })
	var done sync.WaitGroup
	var served, refused atomic.Int64
	for i := range 12 {
		done.Go(func() {
			a := s.do(t, http.MethodGet, "/api/registry/lookup", "")
			switch a.status {
			case http.StatusOK:
				served.Add(1)
			case http.StatusServiceUnavailable:
				refused.Add(1)
				wait, err := strconv.Atoi(a.header.Get("Retry-After"))
				if err != nil || wait < 1 || a.body["error"] == "" || a.body["retryAfter"] != float64(wait) {
					t.Errorf("got %v %v", a.header, a.body)
				}
			default:
				t.Errorf("status %d", a.status)
			}
		})
		if i < 3 {
			<-inside
		}
	}
	// Three are inside and three wait at most; the rest is refused at once.
	for deadline := time.Now().Add(5 * time.Second); refused.Load() < 6 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if refused.Load() < 6 {
		t.Errorf("%d were refused at once, want 6", refused.Load())
	}
	if a := s.do(t, http.MethodGet, "/api/read", ""); a.status != http.StatusOK {
		t.Errorf("other work: status %d", a.status)
	}
	if a := s.do(t, http.MethodGet, "/healthz", ""); a.status != http.StatusOK {
		t.Errorf("health: status %d", a.status)
	}
	close(release)
	done.Wait()
	if served.Load() < 3 || served.Load()+refused.Load() != 12 {
		t.Errorf("%d served, %d refused", served.Load(), refused.Load())
	}
	if text := scrape(t, s.metrics); !strings.Contains(text, `avow_http_refusals_total{reason="busy_web"} `+strconv.FormatInt(refused.Load(), 10)) {
		t.Errorf("the refusals are not counted: %s", text)
	}
}

func TestLargeBodiesHaveTheirOwnRoom(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	inside := make(chan struct{}, 100)
	h := func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > smallBody {
			inside <- struct{}{}
			<-release
		}
		ok(w, r)
	}
	s := start(t, h, func(c *Config) { c.MaxLarge = 4 })
	large := strings.Repeat("x", 2*smallBody)
	var done sync.WaitGroup
	done.Go(func() { s.do(t, http.MethodPost, "/api/adagents/validate", large) })
	<-inside
	// A quarter of four is one: the same client gets no second.
	if a := s.do(t, http.MethodPost, "/api/adagents/validate", large); a.status != http.StatusServiceUnavailable {
		t.Errorf("a second large body: status %d", a.status)
	}
	if a := s.do(t, http.MethodPost, "/api/adagents/validate", "{}"); a.status != http.StatusOK {
		t.Errorf("a small body: status %d", a.status)
	}
	close(release)
	done.Wait()
}
