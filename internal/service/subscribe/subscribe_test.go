package subscribe_test

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/service/subscribe"
	"github.com/avow-project/avow/internal/test/pgtest"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/internal/webhook"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const privateKey = `{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`

// A receiver is a server with TLS that somebody wants to be told at. Names lead to an address of
// the test's choice, and connections to it.
type receiver struct {
	*httptest.Server

	// came has something after a delivery came.
	came   chan struct{}
	mu     sync.Mutex
	addr   netip.Addr
	status int
	got    []subscribe.Delivery
	heads  []http.Header
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{came: make(chan struct{}, 1), status: http.StatusNoContent, addr: netip.MustParseAddr("192.31.196.1")}
	r.Server = httptest.NewTLSServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	var d subscribe.Delivery
	if err != nil || json.Unmarshal(body, &d) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got, r.heads = append(r.got, d), append(r.heads, q.Header)
	w.WriteHeader(r.status)
	select {
	case r.came <- struct{}{}:
	default:
	}
}

func (r *receiver) answer(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

// entities are what the events that came are about, and forgets them.
func (r *receiver) entities(t *testing.T) []string {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []string
	for _, d := range r.got {
		for _, text := range d.Events {
			var e struct {
				Type   string `json:"event_type"`
				Entity string `json:"entity_id"`
			}
			err := json.Unmarshal(text, &e)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, e.Type+" "+e.Entity)
		}
	}
	r.got = nil
	return all
}

// LookupNetIP implements netguard.Resolver.
func (r *receiver) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return []netip.Addr{r.addr}, nil
}

// move has names lead to another address.
func (r *receiver) move(addr string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.addr = netip.MustParseAddr(addr)
}

// first is the first event that came, with the headers.
func (r *receiver) first() (string, http.Header) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return string(r.got[0].Events[0]), r.heads[0]
}

func (r *receiver) client() *http.Client {
	roots := x509.NewCertPool()
	roots.AddCert(r.Certificate())
	c := webhook.NewClient(netguard.New(netguard.Network{
		Resolver: r, Roots: roots, Dial: func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", r.Listener.Addr().String())
		},
	}, nil))
	c.Timeout = 10 * time.Minute // the machine may be busy
	return c
}

// A lab is a store with a feed, and a service on it.
type lab struct {
	t        *testing.T
	store    *store.Store
	feed     *feed.Feed
	service  *subscribe.Service
	receiver *receiver
	caller   registry.Caller

	mu    sync.Mutex
	now   time.Time
	added int
}

// inStores runs a test with a lab on each kind of store.
func inStores(t *testing.T, test func(t *testing.T, l *lab)) {
	t.Helper()
	for name, url := range map[string]func(*testing.T) string{
		"sqlite":   func(t *testing.T) string { return "sqlite:" + sqlitetest.Path(t) },
		"postgres": func(t *testing.T) string { return pgtest.URL(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, newLab(t, url(t)))
		})
	}
}

func newLab(t *testing.T, url string) *lab {
	t.Helper()
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{t: t, store: s, receiver: newReceiver(t), now: noon}
	l.caller.Key = &registry.Key{ID: "key_one", Name: "one", Scope: registry.ScopeWrite, Hash: "0123", CreatedAt: noon}
	err = s.PutKey(t.Context(), l.caller.Key)
	if err != nil {
		t.Fatal(err)
	}
	l.feed = feed.New(feed.Config{Store: s.Feed(), Now: l.clock})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { l.feed.Follow(ctx) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
		_ = s.Close()
	})
	key, err := webhook.ParseKey([]byte(privateKey))
	if err != nil {
		t.Fatal(err)
	}
	l.service = &subscribe.Service{Store: s.Subscriptions(), Feed: l.feed, Key: key, Now: l.clock}
	l.follow(0)
	return l
}

func (l *lab) clock() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

func (l *lab) pass(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = l.now.Add(d)
}

// follow waits until the feed has been read up to a number.
func (l *lab) follow(number int64) {
	for {
		moved, _ := l.feed.Wait()
		last, err := l.feed.Last()
		if err == nil && last.Number >= number {
			return
		}
		<-moved
	}
}

// happen adds an event of a type about a publisher to the feed.
func (l *lab) happen(kind, publisher string) { l.happenOften(1, kind, publisher) }

// happenOften adds several at once.
func (l *lab) happenOften(n int, kind, publisher string) {
	l.t.Helper()
	var events []feed.Event
	for range n {
		l.added++
		events = append(events, feed.Event{
			Type: kind, Publisher: publisher, Entity: fmt.Sprint(l.added), Live: true, Digest: []byte("0123456789abcdef"), Payload: []byte(`{}`),
		})
	}
	input := fmt.Appendf(nil, "%s %d", publisher, l.added)
	base, _, err := l.store.Feed().Told(l.t.Context(), publisher)
	if err == nil {
		err = l.store.Feed().Add(l.t.Context(), &feed.Addition{Publisher: publisher, Base: base, Input: input, At: l.clock(), Events: events})
	}
	if err != nil {
		l.t.Fatal(err)
	}
	last, err := l.store.Feed().LastChange(l.t.Context(), "")
	if err != nil {
		l.t.Fatal(err)
	}
	l.follow(last.Number)
}

// subscribe makes a subscription at the receiver.
func (l *lab) subscribe(r subscribe.Request) *subscribe.Subscription {
	l.t.Helper()
	r.URL = "https://example.com/hook?token=secret"
	s, err := l.service.Create(l.t.Context(), l.caller, &r)
	if err != nil {
		l.t.Fatal(err)
	}
	return s
}

func (l *lab) sender(s subscribe.Store) *subscribe.Sender {
	return subscribe.NewSender(subscribe.Config{Feed: l.feed, Store: s, Client: l.receiver.client(), Key: l.service.Key, Now: l.clock})
}

// tell lets a sender do everything that is due.
func (l *lab) tell(s *subscribe.Sender) {
	l.t.Helper()
	for more := true; more; {
		var err error
		more, err = s.Round(l.t.Context())
		if err != nil {
			l.t.Fatal(err)
		}
	}
}

// deliver has everything delivered that is due, and compares it.
func (l *lab) deliver(want ...string) {
	l.t.Helper()
	l.tell(l.sender(l.store.Subscriptions()))
	if got := l.receiver.entities(l.t); !slices.Equal(got, want) {
		l.t.Errorf("delivered %q, want %q", got, want)
	}
}

func (l *lab) state(id string) *subscribe.Subscription {
	l.t.Helper()
	s, err := l.service.Get(l.t.Context(), l.caller, id)
	if err != nil {
		l.t.Fatal(err)
	}
	return s
}

// TestDeliver: a subscription is told what it wants to know from then on, in order, once, signed;
// and again from a cursor.
func TestDeliver(t *testing.T) {
	t.Parallel()
	inStores(t, func(t *testing.T, l *lab) {
		l.happen(feed.Created, "one.example")
		begin := l.feed.CursorAt(l.subscribe(subscribe.Request{Types: []string{"nothing.*"}}).Position)
		one := l.subscribe(subscribe.Request{Types: []string{"property.*"}, Publishers: []string{"ONE.example"}})
		l.deliver()
		l.happen(feed.Created, "one.example")
		l.happen(feed.Discovered, "one.example")
		l.happen(feed.Created, "two.example")
		l.happen(feed.Updated, "one.example")
		l.tell(l.sender(l.store.Subscriptions()))
		if _, head := l.receiver.first(); !strings.Contains(head.Get("Signature-Input"), `keyid="`+l.service.Key.ID()+`"`) || head.Get("Signature") == "" || head.Get("Content-Digest") == "" {
			t.Errorf("the headers are %v", head)
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
		l.happen(feed.Created, "one.example")
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
	l.happen(feed.Created, "one.example")
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
	l.happenOften(205, feed.Created, "one.example")
	for i := range 205 {
		want = append(want, fmt.Sprint(feed.Created, " ", i+1))
	}
	l.deliver(want...)
}

// TestFailures: a delivery that fails is made again after longer and longer pauses, given up after
// three days, and made when somebody wants it again.
func TestFailures(t *testing.T) {
	t.Parallel()
	inStores(t, func(t *testing.T, l *lab) {
		one := l.subscribe(subscribe.Request{})
		l.happen(feed.Created, "one.example")
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
		l.happen(feed.Created, "one.example")
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
		l.happen(feed.Created, "one.example")
		_, err := l.sender(dying{l.store.Subscriptions()}).Round(t.Context())
		if !errors.Is(err, errDied) {
			t.Fatal(err)
		}
		first, _ := l.receiver.first()
		late := l.state(one.ID)
		l.deliver("property.created 1")
		l.happen(feed.Created, "one.example")
		l.pass(59 * time.Second)
		l.deliver()
		l.pass(time.Second)
		_, err = l.sender(l.store.Subscriptions()).Round(t.Context())
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
		l.happen(feed.Created, "one.example")
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				_, err := l.sender(l.store.Subscriptions()).Round(t.Context())
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
		l.happen(feed.Created, "one.example")
		l.receiver.move("127.0.0.1")
		l.deliver()
		if s := l.state(one.ID); s.Problem != "unreachable" || s.Failures != 1 {
			t.Errorf("it is %+v", s)
		}
		for range subscribe.MostOfOne - 1 {
			l.subscribe(subscribe.Request{})
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
