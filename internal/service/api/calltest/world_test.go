package calltest

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/service/api"
	"github.com/avow-project/avow/internal/service/api/answertest"
	"github.com/avow-project/avow/internal/service/brand"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/sqlite"
	"github.com/avow-project/avow/internal/service/subscribe"
	"github.com/avow-project/avow/internal/supply"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/internal/test/stillweb"
	"github.com/avow-project/avow/internal/webhook"
)

// noon is the time in tests.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// A world is a service on a real listener, with a real store and a web of its own.
type world struct {
	t       testing.TB
	handler http.Handler
	service *registry.Service
	store   registry.Store
	custody custodian.Store
	web     *fakeweb.Web
	server  *httptest.Server
	log     *lockedBuffer
	// given and made count snapshots.
	given, made atomic.Int64
}

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// newWorld starts a service in an internet.
func newWorld(t testing.TB, archive string) *world {
	t.Helper()
	web, err := fakeweb.Start([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	store, err := sqlite.Open(context.Background(), sqlitetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	now := func() time.Time { return noon }
	w := &world{t: t, web: web, store: store, custody: store.Custody(), log: new(lockedBuffer)}
	log := textLog(w.log)
	client := fetch.New(fetch.Config{Network: web.Network(), Attempts: 1, HopTimeout: time.Hour, Budget: time.Hour, SiteBurst: 1 << 20})
	key, err := webhook.ParseKey([]byte(`{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`))
	if err != nil {
		t.Fatal(err)
	}
	hooks := webhook.NewClient(netguard.New(web.Network(), nil))
	hooks.Timeout = time.Hour
	var changes *feed.Feed
	w.service = registry.New(registry.Config{
		Store: store, Custody: store.Custody(), Finder: discover.New(discover.Config{Client: stillweb.Client{Client: client}, Now: now}), Brands: brand.NewReader(client), AdsTxt: supply.TextFrom(stillweb.Client{Client: client}), Now: now, Log: log, CallTime: time.Hour,
		Changed: func() { changes.Changed() },
	})
	t.Cleanup(w.service.Close)
	changes = feed.New(feed.Config{Describe: feed.Describe(w.service.Directory), Store: store.Feed(), Now: now, Log: log})
	w.service.KeepDirectory()
	w.service.Go(changes.Run)
	w.handler = api.New(api.Config{
		Operations: ops.New(ops.Config{Service: w.service, Feed: changes, Subscriptions: &subscribe.Service{Store: store.Subscriptions(), Feed: changes, Client: hooks, Key: key, Now: now}, Now: now, ObserveCache: w.observe}), Log: log, Now: now,
	}).Handler()
	w.server = httptest.NewServer(w.handler)
	t.Cleanup(w.server.Close)
	return w
}

func (w *world) observe(_ string, hit bool) {
	w.given.Add(1)
	if !hit {
		w.made.Add(1)
	}
}

// An answered is what came back.
type answered struct {
	status int
	header http.Header
	body   []byte
}

// call makes a request. Headers are name and value in turn.
func (w *world) call(method, path, body string, headers ...string) answered {
	w.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, w.server.URL+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	return w.do(req)
}

func (w *world) do(req *http.Request) answered {
	w.t.Helper()
	resp, err := w.server.Client().Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return answered{resp.StatusCode, resp.Header, b}
}

// member returns the text of a member of the body by its JSON Pointer; strings without
// their quotes, and empty for none.
func (a answered) member(t testing.TB, pointer string) string {
	t.Helper()
	v, err := answertest.Member(a.body, pointer)
	if err != nil {
		t.Fatalf("%v in %s", err, a.body)
	}
	return v
}

// pretty returns JSON over several lines.
func pretty(t testing.TB, src []byte) []byte {
	t.Helper()
	v := jsontext.Value(bytes.Clone(src))
	err := v.Indent(jsontext.WithIndent("  "))
	if err != nil {
		t.Fatalf("%v in %s", err, src)
	}
	return v
}

func textLog(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

// firstFrame returns the beginning of a stream of events.
func (w *world) firstFrame(path string) []byte {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.server.URL+path, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var frame []byte
	lines := bufio.NewReader(resp.Body)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			w.t.Fatal(err)
		}
		frame = append(frame, line...)
		if len(line) == 1 {
			return frame
		}
	}
}
