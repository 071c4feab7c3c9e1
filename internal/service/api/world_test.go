package api

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/api/answertest"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/sqlite"
	"github.com/avow-project/avow/internal/service/subscribe"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/internal/test/stillweb"
	"github.com/avow-project/avow/internal/webhook"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// noon is the time in tests.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

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

func textLog(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

// A world is a service on a real listener, with a store and a web of its own; see also
// package calltest for calls one by one.
type world struct {
	api     *API
	service *registry.Service
	store   registry.Store
	web     *fakeweb.Web
	server  *httptest.Server
	log     *lockedBuffer
	// serve begins to answer with a transparency log.
	serve    func(*notary.Handler)
	translog *notary.Handler
	passed   atomic.Int64 // since noon, in nanoseconds
}

// now is the clock of everybody.
func (w *world) now() time.Time { return noon.Add(time.Duration(w.passed.Load())) }

// newWorld starts a service in an internet.
func newWorld(t testing.TB, archive string) *world {
	t.Helper()
	web, err := fakeweb.Start([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	store, err := sqlite.Open(t.Context(), sqlitetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	w := &world{web: web, store: store, log: new(lockedBuffer)}
	now := w.now
	log := textLog(w.log)
	client := fetch.New(fetch.Config{Network: web.Network(), Attempts: 1, HopTimeout: time.Hour, Budget: time.Hour, SiteBurst: 1 << 20})
	key, err := webhook.ParseKey([]byte(`{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`))
	if err != nil {
		t.Fatal(err)
	}
	var changes *feed.Feed
	w.service = registry.New(registry.Config{
		Store: w.store, Custody: store.Custody(), Finder: discover.New(discover.Config{Client: stillweb.Client{Client: client}, Now: now}), Now: now, Log: log, CallTime: time.Hour, Remember: time.Hour,
		Changed: func() { changes.Changed() },
	})
	t.Cleanup(w.service.Close)
	changes = feed.New(feed.Config{Describe: feed.Describe(w.service.Directory), Store: store.Feed(), Now: now, Log: log})
	w.service.KeepDirectory()
	w.service.Go(changes.Run)
	w.serve = func(translog *notary.Handler) {
		w.translog = translog
		w.api = New(Config{
			Operations: ops.New(ops.Config{Service: w.service, Feed: changes, Subscriptions: &subscribe.Service{Store: store.Subscriptions(), Feed: changes, Key: key, Now: now}, Translog: translog, Now: now}),
			Log:        log, Now: now,
		})
	}
	w.serve(nil)
	w.server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) { w.api.Handler().ServeHTTP(out, r) }))
	t.Cleanup(w.server.Close)
	return w
}

// An answered is what came back.
type answered struct {
	status int
	header http.Header
	body   []byte
}

// call makes a request. Headers are name and value in turn.
func (w *world) call(t testing.TB, method, path, body string, headers ...string) answered {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, w.server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	return w.do(t, req)
}

func (w *world) do(t testing.TB, req *http.Request) answered {
	t.Helper()
	resp, err := w.server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := bodyOf(resp)
	if err != nil {
		t.Fatal(err)
	}
	return answered{resp.StatusCode, resp.Header, b}
}

// bodyOf reads an answer. A stream goes on for ever: of that it is the first event.
func bodyOf(resp *http.Response) ([]byte, error) {
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return io.ReadAll(resp.Body)
	}
	var b []byte
	lines := bufio.NewReader(resp.Body)
	for {
		line, err := lines.ReadBytes('\n')
		b = append(b, line...)
		if err != nil || len(line) == 1 {
			return b, err
		}
	}
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

// conforms compares an answer with what the OpenAPI document says about it.
func conforms(t *testing.T, a *API, method, path string, got answered) {
	t.Helper()
	err := answertest.Conforms(a.static().json.Body, method, path, got.status, got.body)
	if err != nil {
		t.Error(err)
	}
}
