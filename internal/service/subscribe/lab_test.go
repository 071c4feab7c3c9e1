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

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/service/subscribe"
	"github.com/avow-project/avow/internal/std/hostname"
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

	// came has something after a delivery came, and held the hosts whose answers wait.
	came chan struct{}
	held chan string

	mu     sync.Mutex
	gate   chan struct{} // hosts that begin with slow answer when it is closed
	reply  string        // to challenges; empty for the right one
	addr   netip.Addr
	status int
	got    []subscribe.Delivery
	heads  []http.Header
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{came: make(chan struct{}, 1), held: make(chan string, 1000), gate: make(chan struct{}), status: http.StatusOK, addr: netip.MustParseAddr("192.31.196.1")}
	r.Server = httptest.NewTLSServer(r)
	t.Cleanup(r.Close)
	t.Cleanup(r.release)
	return r
}

// release lets those answer that wait, and has the next ones wait.
func (r *receiver) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.gate)
	r.gate = make(chan struct{})
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	if err != nil {
		return
	}
	if strings.Contains(string(body), `"webhook.challenge"`) {
		r.confirm(w, q, body)
		return
	}
	var d subscribe.Delivery
	if json.Unmarshal(body, &d) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if strings.HasPrefix(q.Host, "slow") {
		r.mu.Lock()
		gate := r.gate
		r.mu.Unlock()
		r.held <- q.Host
		<-gate
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

// confirm answers a challenge.
func (r *receiver) confirm(w http.ResponseWriter, q *http.Request, body []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.heads = append(r.heads, q.Header)
	w.WriteHeader(r.status)
	if r.reply != "" {
		body = []byte(r.reply)
	}
	_, _ = w.Write(body)
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
	return string(r.got[0].Events[0]), r.heads[len(r.heads)-len(r.got)]
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
	translog *notary.Handler // nil for no log

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
	l.caller = l.key("one")
	t.Cleanup(func() { _ = s.Close() })
	key, err := webhook.ParseKey([]byte(privateKey))
	if err != nil {
		t.Fatal(err)
	}
	l.service = &subscribe.Service{Store: s.Subscriptions(), Client: l.receiver.client(), Key: key, Now: l.clock}
	l.restart()
	return l
}

// restart has the feed read from the store, as after a start.
func (l *lab) restart() {
	l.feed = feed.New(feed.Config{Store: l.store.Feed(), Now: l.clock})
	l.service.Feed = l.feed
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	f := l.feed
	running.Go(func() { f.Run(ctx) })
	l.t.Cleanup(func() {
		cancel()
		running.Wait()
	})
	l.follow(0)
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
		last, err := l.feed.Last(l.t.Context())
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
	var events []projection.Event
	for range n {
		l.added++
		events = append(events, projection.Event{
			Type: kind, Publisher: publisher, Entity: fmt.Sprint(l.added), Live: kind != projection.Stale, Digest: []byte("0123456789abcdef"), Payload: []byte(`{}`),
		})
	}
	p := l.record(publisher)
	change := &projection.Change{Domain: p.Domain, At: l.clock(), Events: events}
	err := l.store.Custody().Commit(l.t.Context(), &custodian.Change{Publisher: p, Index: &custodian.Index{At: l.clock(), Directory: change}})
	if err != nil {
		l.t.Fatal(err)
	}
	last, err := l.store.Feed().LastChange(l.t.Context(), "")
	if err != nil {
		l.t.Fatal(err)
	}
	l.follow(last.Number)
}

// record is that of a publisher, a new one when there is none.
func (l *lab) record(publisher string) *custody.Publisher {
	l.t.Helper()
	p, err := l.store.Custody().Publisher(l.t.Context(), hostname.Domain(publisher))
	if errors.Is(err, custodian.ErrNotFound) {
		p, err = &custody.Publisher{Domain: hostname.Domain(publisher)}, nil
	}
	if err != nil {
		l.t.Fatal(err)
	}
	p.TriedAt = l.clock()
	return p
}

// subscribe makes a subscription at the receiver.
func (l *lab) subscribe(r subscribe.Request) *subscribe.Subscription {
	l.t.Helper()
	return l.subscribeAs(l.caller, "https://example.com/hook?token=secret", r)
}

func (l *lab) subscribeAs(c registry.Caller, url string, r subscribe.Request) *subscribe.Subscription {
	l.t.Helper()
	r.URL = url
	s, err := l.service.Create(l.t.Context(), c, &r)
	if err != nil {
		l.t.Fatal(err)
	}
	return s
}

// key is a caller with a key of its own.
func (l *lab) key(name string) registry.Caller {
	l.t.Helper()
	c := registry.Caller{Key: &registry.Key{ID: "key_" + name, Name: name, Scope: registry.ScopeWrite, Hash: registry.Hash(name), CreatedAt: noon}}
	err := l.store.PutKey(l.t.Context(), c.Key)
	if err != nil {
		l.t.Fatal(err)
	}
	return c
}

func (l *lab) sender(s subscribe.Store) *subscribe.Sender {
	return subscribe.NewSender(subscribe.Config{Feed: l.feed, Store: s, Custody: l.store.Custody(), Translog: l.translog, Client: l.receiver.client(), Key: l.service.Key, Now: l.clock})
}

// once has a sender make the deliveries that it has capacity for.
func (l *lab) once(s *subscribe.Sender) (int, error) {
	n, err := s.Begin(l.t.Context())
	return n, errors.Join(err, s.Wait(l.t.Context()))
}

// tell lets a sender do everything that is due.
func (l *lab) tell(s *subscribe.Sender) {
	l.t.Helper()
	for more := 1; more > 0; {
		var err error
		more, err = l.once(s)
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
