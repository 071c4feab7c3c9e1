package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// sized returns a server that sends n octets in chunks.
func sized(n int) func(w io.Writer, _ *http.Request) {
	return func(w io.Writer, _ *http.Request) {
		say(w, okHead+"Transfer-Encoding: chunked\r\n\r\n")
		for sent := 0; sent < n; {
			size := min(10_000, n-sent)
			if !say(w, strconv.FormatInt(int64(size), 16)+"\r\n"+strings.Repeat("x", size)+"\r\n") {
				return
			}
			sent += size
		}
		say(w, "0\r\n\r\n")
	}
}

func TestLarge(t *testing.T) {
	t.Parallel()
	labCertificate()
	for size, want := range map[int]int32{10: 0, 1_000_000: 0, 1_000_001: 1, 3_000_000: 1} {
		synctest.Test(t, func(t *testing.T) {
			l := &lab{serve: answering(sized(size))}
			var asked atomic.Int32
			r := l.client(Config{}).Get(t.Context(), Request{URL: "https://pub.example/f", Large: func(context.Context) error {
				asked.Add(1)
				return nil
			}})
			is(t, r, Found)
			if asked.Load() != want || len(r.Body) != size {
				t.Errorf("%d octets: asked %d times, got %d", size, asked.Load(), len(r.Body))
			}
		})
	}
}

// TestLargeWaits holds a body up for longer than an exchange and the whole request
// may take.
func TestLargeWaits(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		l := &lab{serve: answering(sized(3_000_000))}
		client := l.client(Config{PerHost: 1})
		r := client.Get(t.Context(), Request{URL: "https://pub.example/f", Large: func(ctx context.Context) error {
			time.Sleep(40 * time.Second)
			// The caller who has the memory may need a turn with the same host.
			l.serve = saying("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
			is(t, client.Get(ctx, Request{URL: "https://pub.example/g"}), Absent)
			return nil
		}})
		is(t, r, Found)
		e := r.Last()
		if e.Timings.Wait != 40*time.Second || e.Timings.Total > time.Second {
			t.Errorf("%+v", e.Timings)
		}
	})
}

func TestLargeTakesTooLong(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		l := &lab{serve: answering(sized(3_000_000))}
		begun := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 45*time.Second)
		defer cancel()
		r := l.client(Config{}).Get(ctx, Request{URL: "https://pub.example/f", Large: func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}})
		is(t, r, Timeout)
		if took := time.Since(begun); took != 45*time.Second || r.Body != nil {
			t.Errorf("took %s", took)
		}
		r = l.client(Config{}).Get(t.Context(), Request{URL: "https://pub.example/f", Once: true, Large: func(context.Context) error {
			return errors.New("against the rules")
		}})
		is(t, r, Timeout)
	})
}

// TestLargeAfterRepetition breaks a large body off, so that it is asked for again.
func TestLargeAfterRepetition(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		var times, asked atomic.Int32
		l := &lab{serve: answering(func(w io.Writer, r *http.Request) {
			if times.Add(1) == 1 {
				say(w, okHead+"Content-Length: 4000000\r\n\r\n"+strings.Repeat("x", 2_000_000))
				return
			}
			sized(2_000_000)(w, r)
		})}
		r := l.client(Config{}).Get(t.Context(), Request{URL: "https://pub.example/f", Large: func(context.Context) error {
			asked.Add(1)
			return nil
		}})
		is(t, r, Found)
		if len(r.Exchanges) != 2 || asked.Load() != 1 {
			t.Errorf("%d exchanges, asked %d times", len(r.Exchanges), asked.Load())
		}
	})
}

// TestLargeOfSomeoneGone lets the caller whose Large counts leave while others
// wait: before it is asked for memory, and while it is.
func TestLargeOfSomeoneGone(t *testing.T) {
	t.Parallel()
	labCertificate()
	for _, leaveAfter := range []time.Duration{time.Second, 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			l := &lab{serve: answering(func(w io.Writer, r *http.Request) {
				time.Sleep(2 * time.Second)
				sized(2_000_000)(w, r)
			})}
			client := l.client(Config{})
			ctx, cancel := context.WithTimeout(t.Context(), leaveAfter)
			defer cancel()
			var group sync.WaitGroup
			var gone atomic.Bool
			group.Go(func() {
				r := client.Get(ctx, Request{URL: "https://pub.example/f", Large: func(ctx context.Context) error {
					if gone.Load() {
						t.Error("asked for memory for someone who is gone")
					}
					<-ctx.Done()
					return ctx.Err()
				}})
				gone.Store(true)
				is(t, r, Timeout)
			})
			synctest.Wait()
			group.Go(func() {
				is(t, client.Get(t.Context(), Request{URL: "https://pub.example/f", Large: func(context.Context) error {
					time.Sleep(5 * time.Second)
					return nil
				}}), Found)
			})
			group.Wait()
		})
	}
}

// TestLargeOfAllWhoShare has a first caller who finds no memory until the second
// has the answer. The second joins before memory is needed, or while it is sought.
func TestLargeOfAllWhoShare(t *testing.T) {
	t.Parallel()
	labCertificate()
	grants := map[string]func(context.Context) error{"nil": nil, "granting": func(context.Context) error { return nil }}
	for _, joinAfter := range []time.Duration{0, 10 * time.Second} {
		for name, large := range grants {
			t.Run(fmt.Sprint(name, " after ", joinAfter), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { shareRoom(t, large, joinAfter) })
			})
		}
	}
}

func shareRoom(t *testing.T, large func(context.Context) error, joinAfter time.Duration) {
	t.Helper()
	l := &lab{serve: answering(func(w io.Writer, r *http.Request) {
		time.Sleep(2 * time.Second)
		sized(2_000_000)(w, r)
	})}
	client := l.client(Config{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	second := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		is(t, client.Get(ctx, Request{URL: "https://pub.example/f", Large: func(ctx context.Context) error {
			select {
			case <-second:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}}), Found)
	})
	time.Sleep(joinAfter)
	synctest.Wait()
	is(t, client.Get(ctx, Request{URL: "https://pub.example/f", Large: large}), Found)
	close(second)
	group.Wait()
	if l.count() != 1 {
		t.Errorf("%d connections", l.count())
	}
}

// TestSlotIsTakenAgain lets another exchange begin while memory is sought. The body
// is read on when that has ended.
func TestSlotIsTakenAgain(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		l := &lab{serve: answering(func(w io.Writer, r *http.Request) {
			if r.URL.Path == "/g" {
				time.Sleep(8 * time.Second)
				say(w, okHead+"Content-Length: 2\r\n\r\n{}")
				return
			}
			sized(2_000_000)(w, r)
		})}
		client := l.client(Config{PerHost: 1})
		// No allowance is left to begin another exchange with.
		for range 6 {
			leave, err := client.hosts.enter(t.Context(), "pub.example")
			if err != nil {
				t.Fatal(err)
			}
			leave()
		}
		var group sync.WaitGroup
		r := client.Get(t.Context(), Request{URL: "https://pub.example/f", Large: func(context.Context) error {
			group.Go(func() { is(t, client.Get(t.Context(), Request{URL: "https://pub.example/g"}), Found) })
			time.Sleep(5 * time.Second)
			return nil
		}})
		is(t, r, Found)
		if timings := r.Last().Timings; timings.Wait != 8*time.Second || timings.Total > time.Second {
			t.Errorf("%+v", timings)
		}
		group.Wait()
		if client.hosts.idle.Len() != 1 || len(client.hosts.hosts) != 0 {
			t.Error("a slot is still taken")
		}
	})
}
