package custodian_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
)

// picky is a store that does not take changes of one publisher.
type picky struct {
	custodian.Store
	refused string
}

var errPicky = errors.New("not this one")

func (s *picky) Commit(ctx context.Context, c *custodian.Change) error {
	if c.Publisher != nil && string(c.Publisher.Domain) == s.refused {
		return errPicky
	}
	return s.Store.Commit(ctx, c)
}

// TestDoubtsAreAboutOneRecord has a change that is never saved. It closes its publisher,
// and nobody else.
func TestDoubtsAreAboutOneRecord(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.store.Store = &picky{Store: l.store.Store, refused: "pub.example"}
	other := func(domain string) string { return "https://" + domain + "/.well-known/adagents.json" }
	l.web.set(pub, tagged(file("v1", 0)))
	_, err := l.k.Document(t.Context(), "pub.example")
	if err != nil && !errors.Is(err, custodian.ErrUnavailable) {
		t.Fatal(err)
	}
	if l.k.Ready(t.Context()) == nil {
		t.Error("ready, although something could not be saved")
	}
	for i, domain := range []string{"a.example", "b.example", "c.example", "d.example", "e.example"} {
		l.web.set(other(domain), tagged(fileFor(domain, "v1", 0)))
		d := l.document(domain)
		if told(d) != "usable v1" {
			t.Errorf("%s: %s: %s", domain, told(d), d.Detail)
		}
		l.pass(2 * time.Minute)
		d, err := l.k.Document(t.Context(), "pub.example")
		if err == nil && d.File != nil {
			t.Errorf("after %d others the file is used", i)
		}
	}
	// The store takes everything else, so nothing is wrong with the store.
	err = l.k.Ready(t.Context())
	if err != nil {
		t.Error(err)
	}
	if n := l.web.requests(pub); n > 8 {
		t.Errorf("the publisher was asked %d times", n)
	}
}

// lateClock is a store that does not tell the time for a while.
type lateClock struct {
	custodian.Store
	asked, wait chan struct{}
}

func (s *lateClock) Clock(ctx context.Context, now time.Time) (time.Time, error) {
	select {
	case s.asked <- struct{}{}:
	default:
	}
	select {
	case <-s.wait:
		return s.Store.Clock(ctx, now)
	case <-ctx.Done():
		return time.Time{}, ctx.Err()
	}
}

// TestNobodyWaitsForTheTime: those who ask do not wait for a store that does not tell the
// time, once it has.
func TestNobodyWaitsForTheTime(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := &lateClock{Store: l.store.Store, wait: make(chan struct{})}
	close(s.wait)
	l.store.Store = s
	l.web.set(pub, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	s.asked, s.wait = make(chan struct{}, 1), make(chan struct{})
	l.pass(time.Minute)
	first := make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, err := l.k.Document(ctx, "pub.example")
		first <- err
	}()
	<-s.asked
	d, err := l.k.Document(t.Context(), "pub.example")
	if err != nil || told(d) != "usable v1" {
		t.Errorf("%v, %v", d, err)
	}
	cancel()
	err = <-first
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A deaf store takes changes and does not say so.
type deaf struct {
	custodian.Store
	lost bool
}

func (s *deaf) Commit(ctx context.Context, c *custodian.Change) error {
	err := s.Store.Commit(ctx, c)
	if err == nil && s.lost {
		return errDisk
	}
	return err
}

// TestUnacknowledgedChange: a change that the store has taken without saying so is made again
// when somebody else has seen something later. That stays, and nothing is there twice.
func TestUnacknowledgedChange(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := &deaf{Store: l.store.Store}
	l.store.Store = s
	l.web.set(pub, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	l.pass(day)
	l.web.set(pub, tagged(file("v2", time.Hour, "gone.example")))
	s.lost = true
	err := l.k.Watch(t.Context(), custodian.WatchOptions{Once: true})
	if !errors.Is(err, custodian.ErrUnavailable) {
		t.Fatal(err)
	}
	l.has(l.codes(), "state.unsaved")
	s.lost = false
	l.pass(time.Hour)
	l.web.set(pub, tagged(file("v3", 2*time.Hour)))
	heir := l.keeper()
	_, err = heir.Refresh(t.Context(), "pub.example", custodian.RefreshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	l.pass(10 * time.Second)
	l.want("pub.example", "usable v3 held gone.example")
	err = l.k.Ready(t.Context())
	if err != nil {
		t.Error(err)
	}
	versions, err := l.k.Versions(t.Context(), "pub.example", 9)
	if err != nil || len(versions) != 3 {
		t.Errorf("%d versions, %v", len(versions), err)
	}
	n := 0
	events, err := l.store.Events(t.Context(), custodian.EventFilter{}, 0, 99)
	for i := range events {
		if events[i].Code == "revocation.observed" {
			n++
		}
	}
	if err != nil || n != 1 {
		t.Errorf("%d events about the revocation in %v, %v", n, events, err)
	}
}
