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

	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/subscribe"
	"github.com/avow-project/avow/internal/test/sqlitetest"
)

// slow makes subscriptions of a key at hosts that answer when the test lets them.
func (l *lab) slow(key string, n int) {
	l.t.Helper()
	c := l.key(key)
	for i := range n {
		l.subscribeAs(c, fmt.Sprintf("https://slow-%s-%d.example.com/", key, i), subscribe.Request{})
	}
}

// await waits until n hosts wait with their answers.
func (r *receiver) await(n int) {
	for range n {
		<-r.held
	}
}

// TestSlowReceivers: 140 receivers of other keys that do not answer do not keep one from its events.
func TestSlowReceivers(t *testing.T) {
	t.Parallel()
	inStores(t, func(t *testing.T, l *lab) {
		for i := range 7 {
			l.slow(fmt.Sprint("slow", i), subscribe.MostOfOne)
		}
		l.subscribe(subscribe.Request{})
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { l.sender(l.store.Subscriptions()).Run(ctx) })
		var want, got []string
		for range 53 {
			l.happen(projection.Created, "one.example")
			want = append(want, fmt.Sprint(projection.Created, " ", l.added))
			for len(got) < len(want) {
				<-l.receiver.came
				got = append(got, l.receiver.entities(t)...)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("delivered %q, want %q", got, want)
		}
		l.receiver.await(7 * 4) // each key has its share, and they still wait
		cancel()
		running.Wait()
		select {
		case host := <-l.receiver.held:
			t.Errorf("%s was asked, too", host)
		default:
		}
	})
}

// TestFastFirst: receivers that are known to be slow leave capacity to others, however many keys they
// have; and one key and one host have capacity for a few at a time.
func TestFastFirst(t *testing.T) {
	t.Parallel()
	inStores(t, func(t *testing.T, l *lab) {
		for i := range 40 {
			l.slow(fmt.Sprint("slow", i), 1)
		}
		s := l.sender(l.store.Subscriptions())
		begin := func(want int) {
			t.Helper()
			n, err := s.Begin(t.Context())
			if n != want || err != nil {
				t.Fatalf("%d deliveries begin, %v; want %d", n, err, want)
			}
		}
		l.happen(projection.Created, "one.example")
		for _, n := range []int{32, 8} {
			begin(n)
			l.receiver.await(n)
			begin(0)
			l.pass(9 * time.Second)
			l.receiver.release()
			err := s.Wait(t.Context())
			if err != nil {
				t.Fatal(err)
			}
		}
		l.happen(projection.Created, "one.example")
		l.subscribeAs(l.key("late"), "https://example.com/late", subscribe.Request{})
		for i := range 6 {
			l.subscribeAs(l.caller, fmt.Sprintf("https://fast%d.example.com/", i), subscribe.Request{})
		}
		l.happen(projection.Created, "one.example")
		begin(24 + 1 + 4)
		l.receiver.await(24)
		for got := []string(nil); len(got) < 5; got = append(got, l.receiver.entities(t)...) {
			<-l.receiver.came
		}
		l.receiver.release()
		err := s.Wait(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		l.receiver.entities(t)
		for i := range 6 {
			l.subscribeAs(l.key(fmt.Sprint("same", i)), "https://example.com/same", subscribe.Request{})
		}
		l.pass(time.Hour)
		l.happen(projection.Created, "one.example")
		begin(24 + 4 + 4)
		l.receiver.await(24)
	})
}

// TestChallenge: a subscription is made when its receiver repeats what it is sent, signed, and otherwise
// the error says what is wrong.
func TestChallenge(t *testing.T) {
	t.Parallel()
	l := newLab(t, "sqlite:"+sqlitetest.Path(t))
	for _, tc := range []struct {
		status      int
		addr, reply string
		want        string
	}{
		{200, "127.0.0.1", "", "could not be reached"},
		{404, "192.31.196.1", "", "status 404"},
		{302, "192.31.196.1", "", "status 302"},
		{200, "192.31.196.1", "thank you", "not JSON"},
		{200, "192.31.196.1", `{"challenge": "another"}`, "same member challenge"},
		{200, "192.31.196.1", `{"challenge": ""}`, "same member challenge"},
	} {
		l.receiver.move(tc.addr)
		l.receiver.answer(tc.status)
		l.receiver.reply = tc.reply
		_, err := l.service.Create(t.Context(), l.caller, &subscribe.Request{URL: "https://example.com/"})
		var refused *registry.Error
		if !errors.As(err, &refused) || refused.Kind != registry.Invalid || refused.Code != "subscription_challenge" || !strings.Contains(refused.Explanation, tc.want) {
			t.Errorf("%+v: %+v", tc, err)
		}
	}
	left, err := l.service.List(t.Context(), l.caller)
	if err != nil || len(left) > 0 {
		t.Errorf("there are %+v, %v", left, err)
	}
	l.receiver.reply = ""
	l.receiver.answer(http.StatusOK)
	l.subscribe(subscribe.Request{})
	if head := l.receiver.heads[len(l.receiver.heads)-1]; head.Get("Signature") == "" || head.Get("Content-Type") != "application/json" {
		t.Errorf("the challenge has %v", head)
	}
}
