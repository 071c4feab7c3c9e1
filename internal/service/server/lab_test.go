package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// logBuffer is a log that a test can read while it is written.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// running is a service under test.
type running struct {
	url, addr string
	log       *logBuffer
	metrics   *Metrics
	client    *http.Client
	// stop tells the service to end; ended gives its error.
	stop  context.CancelFunc
	ended chan error
}

// handlers for tests, by path.
var testRoutes = map[string]edge.Route{
	"/api/adagents/validate": {Pattern: "/api/adagents/validate", Class: edge.Validate, MaxBody: 5_000_000, Open: true},
	"/api/registry/mirrors":  {Pattern: "/api/registry/mirrors", Class: edge.Write, NeedsKey: true},
	"/api/registry/lookup":   {Pattern: "/api/registry/lookup", Class: edge.Lookup, Open: true},
	"/api/read":              {Pattern: "/api/read", Class: edge.Read, Open: true},
	"/page":                  {Pattern: "/page", Class: edge.Validate},
}

func testRoute(r *http.Request) edge.Route {
	route, ok := testRoutes[r.URL.Path]
	if !ok {
		route.Class = edge.Static
	}
	route.Program = strings.HasPrefix(r.URL.Path, "/api/")
	route.Enveloped = strings.HasPrefix(r.URL.Path, "/api/adagents/")
	return route
}

// start runs a service on a free port until the test ends.
func start(t *testing.T, h http.HandlerFunc, change func(*Config)) *running {
	t.Helper()
	s := &running{log: new(logBuffer), ended: make(chan error, 1), metrics: NewMetrics()}
	c := Config{
		Addrs: []string{"127.0.0.1:0"}, Handler: h, Route: testRoute, Log: NewLogger(s.log, "json", slog.LevelDebug), Metrics: s.metrics,
		lab: labOf(nil),
	}
	if change != nil {
		change(&c)
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	ready := make(chan string, len(c.Addrs))
	go func() { s.ended <- Run(ctx, c, func(url string) { ready <- url }) }()
	select {
	case s.url = <-ready:
	case err := <-s.ended:
		stop()
		t.Fatalf("the service does not start: %v", err)
	}
	_, s.addr, _ = strings.Cut(s.url, "://")
	s.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}, Timeout: longEnough}
	t.Cleanup(func() {
		s.client.CloseIdleConnections()
		stop()
		err := <-s.ended
		if err != nil {
			t.Errorf("Run: %v", err)
		}
		s.ended <- err
	})
	return s
}

// labOf returns generous limits that a test can make smaller.
func labOf(change func(*lab)) *lab {
	l := &lab{header: time.Hour, read: time.Hour, write: time.Hour, idle: time.Hour, drain: time.Hour, piece: time.Hour, large: time.Hour, patience: longEnough, turn: longEnough, sleep: time.Sleep}
	if change != nil {
		change(l)
	}
	return l
}

func ok(w http.ResponseWriter, r *http.Request) {
	_, err := io.Copy(io.Discard, r.Body)
	if err != nil {
		w.WriteHeader(http.StatusRequestTimeout)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"ok":true}`)
}

// answer is what a request brought.
type answer struct {
	status int
	header http.Header
	text   string
	body   map[string]any
}

// do sends a request; headers come in pairs.
func (s *running) do(t *testing.T, method, path, body string, headers ...string) *answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	resp, err := s.client.Do(r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	text, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	a := &answer{status: resp.StatusCode, header: resp.Header, text: string(text)}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") && len(text) > 0 {
		err = json.Unmarshal(text, &a.body)
		if err != nil {
			t.Fatalf("%s %s: %v in %s", method, path, err, text)
		}
	}
	return a
}

// longEnough is how long tests wait for what has to happen, on a machine that may be busy.
const longEnough = 10 * time.Minute

// dial opens a connection to the service.
func (s *running) dial(t *testing.T) net.Conn {
	t.Helper()
	var d net.Dialer
	conn, err := d.DialContext(t.Context(), "tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	err = conn.SetDeadline(time.Now().Add(longEnough))
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// requestLines returns the lines of the log about requests.
func (s *running) lines(t *testing.T) []map[string]any {
	t.Helper()
	var all []map[string]any
	for line := range strings.Lines(s.log.String()) {
		var m map[string]any
		err := json.Unmarshal([]byte(line), &m)
		if err != nil {
			t.Fatalf("a line of the log is no JSON: %q: %v", line, err)
		}
		all = append(all, m)
	}
	return all
}

// keyring is an Authenticate that knows some secrets, and the KnownKey for it.
func keyring(keys map[string]*registry.Key) (func(context.Context, string) (*registry.Key, error), func(context.Context, string) *registry.Key) {
	authenticate := func(_ context.Context, secret string) (*registry.Key, error) {
		k, ok := keys[secret]
		if !ok {
			return nil, &registry.Error{Kind: registry.Unauthorized, Message: "no"}
		}
		return k, nil
	}
	return authenticate, func(_ context.Context, secret string) *registry.Key { return keys[secret] }
}
