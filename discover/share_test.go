package discover

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/avow-project/avow/internal/fetch"
)

// network is a script in which many publishers point to one file.
func network(n int) *script {
	s := newScript().serve(networkURL, networkFile())
	for i := range n {
		s.serve(fmt.Sprintf("https://p%d.example/.well-known/adagents.json", i), pointerTo(networkURL))
	}
	return s
}

// networkRequests counts the requests for the shared file.
func (s *script) networkRequests() int {
	n := 0
	for _, u := range s.urls() {
		if u == networkURL {
			n++
		}
	}
	return n
}

func TestOneFileOfManyPublishers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := network(50)
		f := New(Config{Client: s})
		_, _ = f.Domain(t.Context(), "p0.example", Options{})
		var all sync.WaitGroup
		for i := range 50 {
			all.Go(func() {
				d, err := f.Domain(t.Context(), fmt.Sprintf("p%d.example", i), Options{})
				if err != nil || d.Answer != Usable || d.Domain != fmt.Sprintf("p%d.example", i) {
					t.Errorf("%v, %v", d, err)
				}
			})
		}
		all.Wait()
		if n := s.networkRequests(); n != 1 {
			t.Errorf("fetched %d times", n)
		}
		ask := func(o Options) *Discovery {
			d, _ := f.Domain(t.Context(), "p0.example", o)
			return d
		}
		time.Sleep(recentLife - time.Second)
		if d := ask(Options{}); !d.Trail[1].Shared || s.networkRequests() != 1 {
			t.Error("a recent file was fetched again")
		}
		if d := ask(Options{NoCache: true}); d.Trail[1].Shared || s.networkRequests() != 2 {
			t.Error("a file was not fetched although that was asked for")
		}
		if d := ask(Options{}); !d.Trail[1].Shared || s.networkRequests() != 2 {
			t.Error("what was fetched on request is not kept")
		}
		time.Sleep(recentLife)
		if d := ask(Options{}); d.Trail[1].Shared || s.networkRequests() != 3 {
			t.Error("an old file was not fetched again")
		}
		s.on(networkURL, fetch.Exchange{Outcome: fetch.ServerError, Status: 500})
		if d := ask(Options{NoCache: true}); d.Answer != Unreachable {
			t.Error("a failure on request")
		}
		if d := ask(Options{}); d.Answer != Unreachable || d.Trail[1].Shared {
			t.Error("a failure on request left the old file in place")
		}
	})
}

func TestFailuresAreSharedButNotKept(t *testing.T) {
	t.Parallel()
	s := network(1).on(networkURL, fetch.Exchange{Outcome: fetch.Forbidden, Status: 403})
	f := New(Config{Client: s, Now: testClock})
	for range 2 {
		_, _ = f.Domain(t.Context(), "p0.example", Options{})
	}
	if n := s.networkRequests(); n != 2 {
		t.Errorf("fetched %d times", n)
	}
}

// TestOneGivesUp: that one caller gives up is nothing to the others.
func TestOneGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := network(3)
		f := New(Config{Client: s})
		answers := make([]*Discovery, 3)
		var all sync.WaitGroup
		ctx, cancel := context.WithCancel(t.Context())
		short, stop := context.WithCancel(t.Context())
		gated := &gatedGetter{script: s, open: make(chan struct{})}
		f.getter = gated
		for i, c := range []context.Context{ctx, t.Context(), short} {
			all.Go(func() { answers[i], _ = f.Domain(c, fmt.Sprintf("p%d.example", i), Options{}) })
			synctest.Wait()
		}
		stop()
		synctest.Wait()
		cancel()
		synctest.Wait()
		close(gated.open)
		all.Wait()
		if answers[0].Answer != Unreachable || answers[2].Answer != Unreachable || answers[1].Answer != Usable {
			t.Errorf("%s; %s; %s", summary(answers[0]), summary(answers[1]), summary(answers[2]))
		}
	})
}

// A gatedGetter lets requests for the authoritative file wait.
type gatedGetter struct {
	*script
	open chan struct{}
}

func (g *gatedGetter) Get(ctx context.Context, r fetch.Request) *fetch.Result {
	if r.URL == networkURL {
		select {
		case <-g.open:
		case <-ctx.Done():
		}
	}
	return g.script.Get(ctx, r)
}

func TestShelfIsBounded(t *testing.T) {
	t.Parallel()
	now := testTime
	s := newRecentFiles(func() time.Time { return now })
	found := func(size int) *fetch.Result { return &fetch.Result{Outcome: fetch.Found, Body: make([]byte, size)} }
	for i := range recentCount + 10 {
		s.put(fmt.Sprint("https://a.example/", i), found(1))
	}
	if count, bytes := s.kept.Size(); count != recentCount || bytes != recentCount {
		t.Errorf("%d kept, %d bytes", count, bytes)
	}
	has := func(url string) bool {
		_, ok := s.kept.Get(url)
		return ok
	}
	for i := range 10 {
		s.put(fmt.Sprint("https://b.example/", i), found(20_000_000))
	}
	if _, bytes := s.kept.Size(); bytes > recentBytes || !has("https://b.example/9") || has("https://b.example/0") {
		t.Errorf("%d bytes", bytes)
	}
	s.put("https://b.example/9", found(1))
	if k, _ := s.kept.Get("https://b.example/9"); len(k.result.Body) != 1 {
		t.Error("not replaced")
	}
	now = now.Add(-time.Hour)
	if has("https://b.example/9") {
		t.Error("a file from the future was kept")
	}
}
