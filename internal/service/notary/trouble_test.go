package notary_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/translog"
)

// TestTroubles: a witness that does not cosign, and a head that is not shown because of it, are told
// after a quarter of an hour, and not any more when it works again.
func TestTroubles(t *testing.T) {
	t.Parallel()
	a := newRegistry(t, newKeys(t, "a.example/log"), 1)
	b := newRegistry(t, newKeys(t, "b.example/log"))
	b.serveWitness(t, "b.example/w", a.keys)
	behind, err := url.Parse(b.url)
	ok(t, err)
	var down atomic.Bool
	down.Store(true)
	proxy := httputil.NewSingleHostReverseProxy(behind)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	b.url = front.URL
	policy, err := translog.ParsePolicy([]byte("log " + a.keys.Log.String() + "\nwitness clock " + a.keys.Clock.String() + "\n" + b.line() + "group both all clock b.example/w\nquorum both\n"))
	ok(t, err)
	now := noon
	var cosigned []string
	n := notary.New(notary.Config{
		Store: a.store.Log(), Keys: a.keys, Now: func() time.Time { return now }, Policy: policy, Client: http.DefaultClient, Patience: time.Hour,
		Cosigned: func(witness string, at time.Time) { cosigned = append(cosigned, fmt.Sprint(witness, " ", at.Unix())) },
	})
	for range 2 { // the second time it has been so for a while
		if n.Flush(t.Context()) == nil {
			t.Fatal("it is shown without its quorum")
		}
		if got := n.Troubles(); len(got) > 0 {
			t.Errorf("too early: %v", got)
		}
		now = now.Add(10 * time.Minute)
	}
	want := fmt.Sprint([]notary.Trouble{{Since: noon}, {Witness: "b.example/w", Since: noon}})
	if got := n.Troubles(); fmt.Sprint(got) != want || len(cosigned) > 0 {
		t.Errorf("got %v and %v, want %s", got, cosigned, want)
	}
	down.Store(false)
	ok(t, n.Flush(t.Context()))
	if got := n.Troubles(); len(got) > 0 || fmt.Sprint(cosigned) != fmt.Sprintf("[b.example/w %d]", now.Unix()) {
		t.Errorf("it works again: %v %v", got, cosigned)
	}
}

// TestToldOnce: while a witness that the policy asks for is down, the log is said to stand still
// once, however often it is looked at before the next attempt, and to go on once.
func TestToldOnce(t *testing.T) {
	t.Parallel()
	a := newRegistry(t, newKeys(t, "a.example/log"), 1)
	b := newRegistry(t, newKeys(t, "b.example/log"))
	b.serveWitness(t, "b.example/w", a.keys)
	working := b.url
	var down atomic.Bool
	down.Store(true)
	behind, err := url.Parse(working)
	ok(t, err)
	proxy := httputil.NewSingleHostReverseProxy(behind)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	b.url = front.URL
	policy, err := translog.ParsePolicy([]byte("log " + a.keys.Log.String() + "\nwitness clock " + a.keys.Clock.String() + "\n" + b.line() + "group both all clock b.example/w\nquorum both\n"))
	ok(t, err)
	var minutes atomic.Int64
	asked := make(chan struct{}, 1000)
	said := make(chan string, 1000)
	n := notary.New(notary.Config{
		Store: a.store.Log(), Keys: a.keys, Policy: policy, Client: http.DefaultClient, Patience: time.Hour,
		Now: func() time.Time {
			asked <- struct{}{}
			return noon.Add(time.Duration(minutes.Load()) * time.Minute)
		},
		Log: slog.New(slog.NewTextHandler(lines(said), nil)),
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { n.Run(ctx); close(ended) }()
	want := func(text string) {
		t.Helper()
		if got := <-said; !strings.Contains(got, text) {
			t.Fatalf("said %q, want %q", got, text)
		}
	}
	want("does not cosign")
	want("stands still")
	for len(asked) > 0 {
		<-asked
	}
	for range 10 { // each look asks for the time, and nothing is due
		n.Wake()
		<-asked
	}
	minutes.Store(20)
	for n.Wake(); len(n.Troubles()) < 2; n.Wake() {
		<-asked
	}
	down.Store(false)
	minutes.Store(40)
	n.Wake()
	want("cosigns the log again")
	want("goes on")
	cancel()
	<-ended
	if len(said) > 0 {
		t.Errorf("said %q, too", <-said)
	}
}

// lines hands on what a log writes, line by line.
type lines chan<- string

func (l lines) Write(b []byte) (int, error) {
	l <- string(b)
	return len(b), nil
}
