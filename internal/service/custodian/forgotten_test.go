package custodian_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/service/store"
)

// stranger asks about pub.example as a stranger.
func (l *lab) stranger() string {
	l.Helper()
	d, err := l.k.Document(custodian.AskedBy(l.Context(), custodian.Stranger), "pub.example")
	if err != nil {
		l.Fatal(err)
	}
	return told(d)
}

// flap has the file at a URL fail and come back.
func (l *lab) flap(url string, n int, every time.Duration) {
	l.Helper()
	good := l.web.pages[url]
	for range n {
		for _, p := range []page{{status: 503}, good} {
			l.web.set(url, p)
			l.pass(every)
			l.stranger()
		}
	}
}

// prune removes what is not kept.
func (l *lab) prune(o retain.Options) {
	l.Helper()
	s, err := store.Open(l.Context(), "sqlite:"+l.path)
	if err != nil {
		l.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	o.Now = l.clock()
	_, err = s.Prune(l.Context(), o)
	if err != nil {
		l.Fatal(err)
	}
}

// TestForgottenEvents: a version that did not count at a time is not said to have counted
// when the events that would tell were removed.
func TestForgottenEvents(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		url    string
		status int
		forget func(*lab)
	}{
		"events of a file":      {network, 404, func(l *lab) { l.flap(network, 15, 3*time.Hour) }},
		"events of a publisher": {pub, 503, func(l *lab) { l.flap(pub, 15, 25*time.Hour) }},
		"a file that was removed": {network, 404, func(l *lab) {
			l.pass(5 * day)
			l.prune(retain.Options{Limits: retain.Limits{Guests: day}})
			l.stranger()
			l.stranger()
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.web.set(pub, lasting(time.Hour, pointer(network)))
			l.web.set(network, lasting(time.Hour, tagged(file("v1", 0))))
			if got := l.stranger(); got != "usable v1" {
				t.Fatal(got)
			}
			good := l.web.pages[tc.url]
			l.web.set(tc.url, page{status: tc.status})
			for range 20 {
				l.pass(3 * time.Hour)
				l.stranger()
			}
			closed := l.clock()
			if got := l.stranger(); got == "usable v1" {
				t.Fatal(got)
			}
			l.pass(3 * time.Hour)
			l.web.set(tc.url, good)
			if got := l.stranger(); got != "usable v1" {
				t.Fatal(got)
			}
			d, _, err := l.k.DocumentAt(t.Context(), "pub.example", closed.Add(time.Minute))
			if err != nil || told(d) == "usable v1" {
				t.Fatalf("%v, %+v", err, d)
			}
			tc.forget(l)
			for _, after := range []time.Duration{time.Minute, time.Hour} {
				_, _, err = l.k.DocumentAt(t.Context(), "pub.example", closed.Add(after))
				if !errors.Is(err, custodian.ErrForgotten) {
					t.Errorf("%v", err)
				}
			}
			d, _, err = l.k.DocumentAt(context.Background(), "pub.example", l.clock())
			if err != nil || told(d) != "usable v1" {
				t.Errorf("%v, %+v", err, d)
			}
		})
	}
}
