package subscribe_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/subscribe"
	"github.com/avow-project/avow/internal/test/sqlitetest"
)

// TestDeliver: a subscription is told what it wants to know from then on, in order, once, signed;
// and again from a cursor.
func TestDeliver(t *testing.T) {
	t.Parallel()
	inStores(t, func(t *testing.T, l *lab) {
		l.happen(projection.Created, "one.example")
		begin := l.feed.CursorAt(l.subscribe(subscribe.Request{Types: []string{"nothing.*"}}).Position)
		one := l.subscribe(subscribe.Request{Types: []string{"property.*"}, Publishers: []string{"ONE.example"}})
		l.deliver()
		l.happen(projection.Created, "one.example")
		l.happen(projection.Discovered, "one.example")
		l.happen(projection.Created, "two.example")
		l.happen(projection.Updated, "one.example")
		l.tell(l.sender(l.store.Subscriptions()))
		if event, head := l.receiver.first(); strings.Contains(event, "log_state") || !strings.Contains(head.Get("Signature-Input"), `keyid="`+l.service.Key.ID()+`"`) || head.Get("Signature") == "" || head.Get("Content-Digest") == "" {
			t.Errorf("the headers are %v, and the event %s", head, event)
		}
		l.deliver("property.created 2", "property.updated 5")
		l.deliver()
		s := l.state(one.ID)
		if s.State() != "active" || s.DeliveredAt.IsZero() || s.Position.Number <= one.Position.Number {
			t.Errorf("it is %+v", s)
		}
		_, err := l.service.Restart(t.Context(), l.caller, one.ID, begin)
		if err != nil {
			t.Fatal(err)
		}
		l.deliver("property.created 2", "property.updated 5")
		_, err = l.service.Restart(t.Context(), l.caller, one.ID, feed.Start)
		if err != nil {
			t.Fatal(err)
		}
		l.deliver("property.created 1", "property.created 2", "property.updated 5")
		_, err = l.service.Remove(t.Context(), l.caller, one.ID)
		if err != nil {
			t.Fatal(err)
		}
		l.happen(projection.Created, "one.example")
		l.deliver()
	})
}

// TestRun: a sender that runs tells what happens by itself, and ends when it is to.
func TestRun(t *testing.T) {
	t.Parallel()
	l := newLab(t, "sqlite:"+sqlitetest.Path(t))
	l.subscribe(subscribe.Request{})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { l.sender(l.store.Subscriptions()).Run(ctx) })
	l.happen(projection.Created, "one.example")
	<-l.receiver.came
	cancel()
	running.Wait()
	if got := l.receiver.entities(t); !slices.Equal(got, []string{"property.created 1"}) {
		t.Errorf("delivered %q", got)
	}
}

// TestManyEvents: more events than a delivery has come in several, in order.
func TestManyEvents(t *testing.T) {
	t.Parallel()
	l := newLab(t, "sqlite:"+sqlitetest.Path(t))
	l.subscribe(subscribe.Request{})
	var want []string
	l.happenOften(205, projection.Created, "one.example")
	for i := range 205 {
		want = append(want, fmt.Sprint(projection.Created, " ", i+1))
	}
	l.deliver(want...)
}

// TestFailures: a delivery that fails is made again after longer and longer pauses, given up after
// three days, and made when somebody wants it again.
func TestFailures(t *testing.T) {
	t.Parallel()
	inStores(t, func(t *testing.T, l *lab) {
		one := l.subscribe(subscribe.Request{})
		l.happen(projection.Created, "one.example")
		l.receiver.answer(http.StatusBadGateway)
		begin := l.clock()
		for attempts := 1; attempts <= 11; attempts++ {
			l.deliver("property.created 1")
			s := l.state(one.ID)
			pause := s.NextAt.Sub(l.clock())
			if want := min(10*time.Second<<min(attempts-1, 10), time.Hour); pause != want || s.Failures != attempts || s.Problem != "status 502" || !s.FailingSince.Equal(begin) {
				t.Fatalf("after %d attempts it is %+v, and pauses for %v", attempts, s, pause)
			}
			l.pass(pause - time.Second)
			l.deliver()
			l.pass(time.Second)
		}
		l.pass(begin.Add(3*24*time.Hour - time.Second).Sub(l.clock()))
		l.deliver("property.created 1")
		if s := l.state(one.ID); s.State() != "failing" {
			t.Errorf("a second before three days it is %+v", s)
		}
		l.pass(time.Hour)
		l.deliver("property.created 1")
		if s := l.state(one.ID); s.State() != "suspended" || !s.SuspendedAt.Equal(l.clock()) {
			t.Errorf("after three days it is %+v", s)
		}
		l.pass(24 * time.Hour)
		l.receiver.answer(http.StatusOK)
		l.deliver()
		s, err := l.service.Restart(t.Context(), l.caller, one.ID, "")
		if err != nil || s.State() != "active" {
			t.Fatalf("%+v, %v", s, err)
		}
		l.deliver("property.created 1")
		l.receiver.answer(http.StatusGone)
		l.happen(projection.Created, "one.example")
		l.deliver("property.created 2")
		if s := l.state(one.ID); s.State() != "suspended" || s.Problem != "status 410" {
			t.Errorf("after 410 it is %+v", s)
		}
		l.pass(feed.Retention - time.Hour)
		_, err = l.service.Restart(t.Context(), l.caller, one.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		l.receiver.answer(http.StatusBadGateway)
		l.deliver("property.created 2")
		if s := l.state(one.ID); s.State() != "failing" {
			t.Errorf("after it was resumed, and one failure, it is %+v", s)
		}
		l.receiver.answer(http.StatusOK)
		l.pass(2 * time.Hour) // that it was resumed in between does not bring back what is not kept
		l.deliver()
		if s := l.state(one.ID); s.State() != "suspended" || s.Problem != "cursor_expired" {
			t.Errorf("after 90 days it is %+v", s)
		}
		_, err = l.service.Restart(t.Context(), l.caller, one.ID, "")
		if !errors.Is(err, feed.ErrExpired) {
			t.Errorf("it is resumed after 90 days: %v", err)
		}
		_, err = l.service.Restart(t.Context(), l.caller, one.ID, feed.Start)
		if err != nil {
			t.Fatal(err)
		}
		l.deliver("property.created 1", "property.created 2") // they hold, and are kept as long as they do
	})
}

// TestForgottenFailure: that something could not be told is over when it is not kept any more, and
// what happens later is told.
func TestForgottenFailure(t *testing.T) {
	t.Parallel()
	inStores(t, func(t *testing.T, l *lab) {
		one := l.subscribe(subscribe.Request{})
		l.happen(projection.Stale, "one.example")
		l.pass(time.Hour)
		l.receiver.answer(http.StatusBadGateway)
		l.deliver("property.stale 1")
		l.pass(feed.Retention - time.Minute) // since it happened, it is more
		l.restart()
		l.deliver()
		if s := l.state(one.ID); s.State() != "active" || !s.FailingSince.IsZero() || s.Problem != "" {
			t.Errorf("it is %+v", s)
		}
		l.receiver.answer(http.StatusOK)
		l.pass(time.Hour)
		l.happen(projection.Created, "one.example")
		l.deliver("property.created 2")
	})
}

// dying is the store of a process that ends before it commits.
type dying struct{ subscribe.Store }

var errDied = errors.New("the process has ended")

func (dying) Commit(context.Context, []subscribe.Subscription) error { return errDied }

// TestKilled: what was delivered by a process that ended before it said so is delivered again by
// another one when its lease has ended, and not before; and the one that was only slow cannot
// commit any more.
func TestKilled(t *testing.T) {
	t.Parallel()
	inStores(t, func(t *testing.T, l *lab) {
		one := l.subscribe(subscribe.Request{})
		l.happen(projection.Created, "one.example")
		_, err := l.once(l.sender(dying{l.store.Subscriptions()}))
		if !errors.Is(err, errDied) {
			t.Fatal(err)
		}
		first, _ := l.receiver.first()
		late := l.state(one.ID)
		l.deliver("property.created 1")
		l.happen(projection.Created, "one.example")
		l.pass(59 * time.Second)
		l.deliver()
		l.pass(time.Second)
		_, err = l.once(l.sender(l.store.Subscriptions()))
		if again, _ := l.receiver.first(); err != nil || again != first {
			t.Errorf("%s came again as %s, %v", first, again, err)
		}
		l.deliver("property.created 1", "property.created 2")
		late.Position = feed.Position{}
		err = l.store.Subscriptions().Commit(t.Context(), []subscribe.Subscription{*late})
		if !errors.Is(err, subscribe.ErrFenced) || l.state(one.ID).Position.Number == 0 {
			t.Errorf("who was late got %v", err)
		}
		l.deliver()
	})
}

// TestOneAtATime: of several processes one tells a subscription.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	inStores(t, func(t *testing.T, l *lab) {
		for range 5 {
			l.subscribe(subscribe.Request{})
		}
		l.happen(projection.Created, "one.example")
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				_, err := l.once(l.sender(l.store.Subscriptions()))
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		l.tell(l.sender(l.store.Subscriptions())) // what those who came at once have left to each other
		if got := l.receiver.entities(t); len(got) != 5 {
			t.Errorf("delivered %q", got)
		}
	})
}

// TestRefused: nobody is told at an address that is not public, for a key that was revoked, or
// more often than there may be subscriptions.
func TestRefused(t *testing.T) {
	t.Parallel()
	inStores(t, func(t *testing.T, l *lab) {
		one := l.subscribe(subscribe.Request{})
		for range subscribe.MostOfOne - 1 {
			l.subscribe(subscribe.Request{Types: []string{"nothing.*"}})
		}
		l.happen(projection.Created, "one.example")
		l.receiver.move("127.0.0.1")
		l.deliver()
		if s := l.state(one.ID); s.Problem != "unreachable" || s.Failures != 1 {
			t.Errorf("it is %+v", s)
		}
		_, err := l.service.Create(t.Context(), l.caller, &subscribe.Request{URL: "https://example.com/"})
		var refused *registry.Error
		if !errors.As(err, &refused) || refused.Code != "subscription_limit" {
			t.Errorf("one too many is %v", err)
		}
		other := registry.Caller{Key: &registry.Key{ID: "key_two", Scope: registry.ScopeWrite}}
		_, err = l.service.Get(t.Context(), other, one.ID)
		if !errors.As(err, &refused) || refused.Kind != registry.NotFound {
			t.Errorf("another key gets %v", err)
		}
		l.receiver.move("192.31.196.1")
		err = l.store.RevokeKey(t.Context(), l.caller.Key.ID, l.clock())
		if err != nil {
			t.Fatal(err)
		}
		l.pass(time.Hour)
		l.deliver()
		left, err := l.store.Subscriptions().List(t.Context(), l.caller.Key.ID)
		if err != nil || len(left) > 0 {
			t.Errorf("a key that was revoked has %d subscriptions, %v", len(left), err)
		}
	})
}

// TestTargets: URLs that are no place to tell anybody anything are refused.
func TestTargets(t *testing.T) {
	t.Parallel()
	l := newLab(t, "sqlite:"+sqlitetest.Path(t))
	for _, url := range []string{
		"", "http://example.com/", "https://", "https://user:secret@example.com/", "https://example.com/#part", "https://127.0.0.1/", "https://[::1]/", "https://localhost/",
		"https://example.com:22/", "https://example.com:70000/", "https://2130706433/", "https://host.internal/", "https:example.com", "ftp://example.com/",
	} {
		_, err := l.service.Create(t.Context(), l.caller, &subscribe.Request{URL: url})
		var refused *registry.Error
		if !errors.As(err, &refused) || refused.Kind != registry.Invalid {
			t.Errorf("%q is %v", url, err)
		}
	}
}
