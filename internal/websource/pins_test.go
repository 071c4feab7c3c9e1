package websource

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/keypin"
)

// pinsAt is a discovery of a file that was obtained at a time.
func pinsAt(at time.Time, sum string, cacheControl ...string) *discover.Discovery {
	report := adagents.Check(small, adagents.Options{})
	return &discover.Discovery{
		Answer: discover.Usable, ResolvedURL: "https://a.example/f.json", Report: report, Body: small,
		Trail: []discover.Hop{
			{},
			{Report: report, Result: &fetch.Result{Exchanges: []fetch.Exchange{{SHA256: sum, At: at, CacheControl: cacheControl}}}},
		},
	}
}

func TestPinsOf(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0)
	for cache, want := range map[string]time.Duration{
		"": time.Hour, "max-age=60": time.Minute, "max-age=0": 0, "no-store": 0, "max-age=-5": 0, "max-age=1000000000": 24 * time.Hour, "public": time.Hour,
	} {
		var lines []string
		if cache != "" {
			lines = []string{cache}
		}
		doc := PinsOf("a.example", pinsAt(at, "aa", lines...))
		if cache == "" || cache == "public" {
			d := pinsAt(at, "aa", lines...)
			d.Trail[1].Result.Exchanges[0].Expires = at.Add(24 * time.Hour).UTC().Format(http.TimeFormat)
			if got := PinsOf("a.example", d).KeysUntil.Sub(at); got != time.Hour {
				t.Errorf("%q with Expires: %v", cache, got)
			}
		}
		if doc.KeysUntil.Sub(at) != want || doc.State != keypin.Usable || doc.File == nil || doc.SHA256 != "aa" || !doc.KnownSince.Equal(at) || !doc.FetchedAt.Equal(at) {
			t.Errorf("%q: %v, %+v", cache, doc.KeysUntil.Sub(at), doc.State)
		}
	}
	for answer, want := range map[discover.Answer]keypin.State{
		discover.Absent: keypin.Absent, discover.Unusable: keypin.Unusable, discover.Unreachable: keypin.Unreachable, discover.Unchanged: keypin.Unreachable,
	} {
		doc := PinsOf("a.example", &discover.Discovery{Answer: answer})
		if doc.State != want || doc.File != nil {
			t.Errorf("%v: %v", answer, doc.State)
		}
	}
}

func TestNewPins(t *testing.T) {
	t.Parallel()
	c := &clock{at: time.Unix(1000, 0)}
	sum, down := "aa", false
	f := &finder{}
	f.find = func(context.Context, string) (*discover.Discovery, error) {
		if down {
			return &discover.Discovery{Answer: discover.Unreachable}, nil
		}
		return pinsAt(c.now(), sum, "max-age=60"), nil
	}
	s := NewPins(f, PinsConfig{Now: c.now, Timeout: time.Minute})
	get := func(ask func(context.Context, string) (*keypin.Document, error), times int) *keypin.Document {
		t.Helper()
		doc, err := ask(t.Context(), "a.example")
		if err != nil || f.times("a.example") != times {
			t.Fatalf("%v, asked %d times, want %d", err, f.times("a.example"), times)
		}
		return doc
	}
	first := get(s.Pins, 1)
	c.move(59 * time.Second)
	if get(s.Pins, 1) != first {
		t.Error("another document")
	}
	// Its time is over, and the same bytes are known since the first time.
	c.move(time.Second)
	second := get(s.Pins, 2)
	if second == first || !second.KnownSince.Equal(first.KnownSince) || !second.FetchedAt.Equal(c.now()) {
		t.Errorf("known since %v", second.KnownSince)
	}
	sum = "bb"
	third := get(s.Refresh, 3)
	if !third.KnownSince.Equal(c.now()) || get(s.Pins, 3) != third {
		t.Error("what a refresh brought is not kept")
	}
	// A publisher that cannot be asked takes nothing back: the pins hold until their time.
	down = true
	if get(s.Refresh, 4).State != keypin.Unreachable || get(s.Pins, 4) != third {
		t.Error("pins that hold are forgotten because the publisher could not be asked")
	}
	c.move(time.Minute)
	if get(s.Pins, 5).State != keypin.Unreachable {
		t.Error("pins are used after their time")
	}
	// What came before is not forgotten: the bytes are still known since then.
	down = false
	c.move(time.Minute)
	if got := get(s.Pins, 6); !got.KnownSince.Equal(third.KnownSince) {
		t.Errorf("known since %v", got.KnownSince)
	}
	c.move(-time.Second)
	get(s.Pins, 7)
}

// TestPinsRememberFailures: whoever sends many messages does not make us ask a publisher
// for each of them who has no usable file.
func TestPinsRememberFailures(t *testing.T) {
	t.Parallel()
	for answer, state := range map[discover.Answer]keypin.State{
		discover.Absent: keypin.Absent, discover.Unusable: keypin.Unusable, discover.Unreachable: keypin.Unreachable,
	} {
		c := &clock{at: time.Unix(1000, 0)}
		now := answer
		f := &finder{find: func(context.Context, string) (*discover.Discovery, error) {
			if now == discover.Usable {
				return pinsAt(c.now(), "aa"), nil
			}
			return &discover.Discovery{Answer: now}, nil
		}}
		s := NewPins(f, PinsConfig{Now: c.now})
		ask := func(ask func(context.Context, string) (*keypin.Document, error), want keypin.State, times int) {
			t.Helper()
			doc, err := ask(t.Context(), "a.example")
			if err != nil || doc.State != want || f.times("a.example") != times {
				t.Errorf("%v: %+v %v, asked %d times, want %v and %d", answer, doc, err, f.times("a.example"), want, times)
			}
		}
		ask(s.Pins, state, 1)
		c.move(59 * time.Second)
		ask(s.Pins, state, 1)
		// It was for a minute, whatever happened meanwhile.
		c.move(time.Second)
		ask(s.Pins, state, 2)
		c.move(-time.Second)
		ask(s.Pins, state, 3)
		now = discover.Usable
		ask(s.Refresh, keypin.Usable, 4)
		ask(s.Pins, keypin.Usable, 4)
		// A publisher that says something else than before is believed at once.
		now = answer
		ask(s.Refresh, state, 5)
		if answer == discover.Unreachable {
			state = keypin.Usable
		}
		ask(s.Pins, state, 5)
	}
}

func TestPinsErrors(t *testing.T) {
	t.Parallel()
	lost := errors.New("lost")
	f := &finder{find: func(ctx context.Context, domain string) (*discover.Discovery, error) {
		switch domain {
		case "none":
			return nil, &discover.InputError{Message: "no domain"}
		case "lost.example":
			return nil, lost
		}
		<-ctx.Done()
		return &discover.Discovery{Answer: discover.Unreachable}, nil
	}}
	s := NewPins(f, PinsConfig{Timeout: time.Millisecond})
	doc, err := s.Pins(t.Context(), "none")
	if err != nil || doc.State != keypin.Absent || doc.Detail != "no domain" {
		t.Errorf("%+v %v", doc, err)
	}
	_, err = s.Pins(t.Context(), "lost.example")
	if !errors.Is(err, lost) {
		t.Error(err)
	}
	doc, err = s.Pins(t.Context(), "slow.example")
	if err != nil || doc.State != keypin.Unreachable {
		t.Errorf("%+v %v", doc, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.Refresh(ended, "slow.example")
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestPinsTogether asks for one publisher many times at once.
func TestPinsTogether(t *testing.T) {
	t.Parallel()
	c := &clock{at: time.Unix(1000, 0)}
	begun, goOn := make(chan struct{}, 100), make(chan struct{})
	f := &finder{find: func(ctx context.Context, _ string) (*discover.Discovery, error) {
		begun <- struct{}{}
		select {
		case <-goOn:
		case <-ctx.Done():
		}
		return pinsAt(c.now(), "aa"), nil
	}}
	s := NewPins(f, PinsConfig{Now: c.now})
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() {
		_, err := s.Pins(ctx, "a.example")
		gone <- err
	}()
	<-begun
	waiting, stop := context.WithCancel(t.Context())
	stop()
	_, err := s.Pins(waiting, "a.example")
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			doc, err := s.Pins(t.Context(), "a.example")
			if err != nil || doc.State != keypin.Usable {
				t.Errorf("%+v %v", doc, err)
			}
		})
	}
	cancel()
	err = <-gone
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(goOn)
	group.Wait()
	if got := f.times("a.example"); got > 2 {
		t.Errorf("asked %d times", got)
	}
}

func TestPinsAreBounded(t *testing.T) {
	t.Parallel()
	s := NewPins(&finder{}, PinsConfig{}).(*webPins)
	const size = keptBytes / 10
	for i := range 100 {
		s.keep(&keypin.Document{Publisher: fmt.Sprintf("p%d.example", i), State: keypin.Usable}, size)
		_, known := s.kept.Get(fmt.Sprintf("p%d.example", i))
		if _, bytes := s.kept.Size(); bytes > keptBytes || !known {
			t.Fatalf("%d bytes, the newest one is kept: %v", bytes, known)
		}
	}
	if count, _ := s.kept.Size(); count != 10 {
		t.Errorf("%d publishers", count)
	}
}
