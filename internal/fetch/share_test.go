package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// slowly answers after two seconds and counts how often it was asked.
func slowly() (*lab, *atomic.Int32) {
	var asked atomic.Int32
	return &lab{serve: answering(func(w io.Writer, _ *http.Request) {
		asked.Add(1)
		time.Sleep(2 * time.Second)
		say(w, okHead+"Content-Length: 2\r\n\r\n{}")
	})}, &asked
}

func TestSharing(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		l, asked := slowly()
		var observed atomic.Int32
		client := l.client(Config{Observe: func(*Exchange) { observed.Add(1) }})
		var group sync.WaitGroup
		var results [50]*Result
		for i := range results {
			group.Go(func() {
				// Other spellings of the same URL are the same question.
				results[i] = client.Get(t.Context(), Request{URL: []string{"https://pub.example/f", "HTTPS://PUB.example:443/f#x"}[i%2]})
			})
		}
		group.Wait()
		for _, r := range results {
			is(t, r, Found)
			if r != results[0] {
				t.Error("results are not shared")
			}
		}
		if asked.Load() != 1 || observed.Load() != 1 {
			t.Errorf("asked %d times, observed %d", asked.Load(), observed.Load())
		}
		is(t, client.Get(t.Context(), Request{URL: "https://pub.example/f"}), Found)
		if asked.Load() != 2 {
			t.Error("a later request got an old answer")
		}
	})
}

func TestDifferentQuestionsAreNotShared(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		l, asked := slowly()
		client := l.client(Config{PerHost: 20, PerSite: 20, Budget: time.Minute})
		requests := []Request{
			{}, {Redirects: SameSite}, {MaxBytes: 9}, {MediaTypes: []string{"application/json", "text/plain"}}, {IfNoneMatch: `"x"`},
			{IfModifiedSince: "x"}, {NoCache: true}, {Once: true}, {Post: []byte("{}")}, {Post: []byte("{}")},
		}
		var group sync.WaitGroup
		for _, r := range requests {
			r.URL = "https://pub.example/f"
			group.Go(func() { is(t, client.Get(t.Context(), r), Found) })
		}
		group.Wait()
		if int(asked.Load()) != len(requests) {
			t.Errorf("asked %d times for %d questions", asked.Load(), len(requests))
		}
	})
}

func TestOneCallerLeaves(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		l, asked := slowly()
		client := l.client(Config{})
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(errors.New("enough")) })
		var group sync.WaitGroup
		group.Go(func() {
			r := client.Get(ctx, Request{URL: "https://pub.example/f"})
			is(t, r, Cancelled)
			if r.URL != "https://pub.example/f" || len(r.Exchanges) != 1 {
				t.Error(r.Last().Explain())
			}
		})
		synctest.Wait()
		group.Go(func() { is(t, client.Get(t.Context(), Request{URL: "https://pub.example/f"}), Found) })
		group.Wait()
		if asked.Load() != 1 {
			t.Errorf("asked %d times", asked.Load())
		}
	})
}

func TestAllCallersLeave(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		l := &lab{serve: stalled("")}
		client := l.client(Config{})
		ctx, cancel := context.WithCancel(t.Context())
		var group sync.WaitGroup
		var evidence atomic.Int32
		for range 3 {
			group.Go(func() {
				r := client.Get(ctx, Request{URL: "https://pub.example/f"})
				is(t, r, Cancelled)
				if r.Last().Dialled.IsValid() {
					evidence.Add(1)
				}
			})
		}
		synctest.Wait()
		cancel()
		group.Wait()
		synctest.Wait()
		if l.open != 0 {
			t.Error("the request goes on although nobody waits")
		}
		if evidence.Load() != 1 {
			t.Errorf("%d callers have the evidence of the exchange", evidence.Load())
		}
		// The next caller starts afresh.
		l.serve = saying(okHead + "Content-Length: 2\r\n\r\n{}")
		is(t, client.Get(t.Context(), Request{URL: "https://pub.example/f"}), Found)
	})
}

// TestResultsKeepNothingElse keeps a result and lets go of the request, which the garbage
// collector must then find: results are kept by the thousand.
func TestResultsKeepNothingElse(t *testing.T) {
	t.Parallel()
	l := &lab{serve: saying(okHead + "Content-Length: 2\r\n\r\n{}")}
	client, gone := l.client(Config{}), make(chan struct{})
	get := func() *Result {
		caller := new([1 << 10]byte)
		runtime.AddCleanup(caller, func(gone chan struct{}) { close(gone) }, gone)
		return client.Get(t.Context(), Request{URL: "https://pub.example/f", Large: func(context.Context) error {
			runtime.KeepAlive(caller)
			return nil
		}})
	}
	r := get()
	is(t, r, Found)
	for range 3000 {
		runtime.GC()
		select {
		case <-gone:
			runtime.KeepAlive(r)
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
	t.Error("the result keeps the request in memory")
	runtime.KeepAlive(r)
}
