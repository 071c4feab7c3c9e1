package cli

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store/records"
	"github.com/avow-project/avow/internal/service/store/sqlite"
	"github.com/avow-project/avow/internal/test/storetest"
)

// keptLog is a log in a store of its own.
type keptLog struct {
	t     *testing.T
	store *records.Store
	keys  *notary.Keys
	now   time.Time
}

func newKeptLog(t *testing.T, keys *notary.Keys, publishers ...int) *keptLog {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	l := &keptLog{t, s, keys, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)}
	first := keys.First()
	first.At = l.now
	must(t, s.Log().Begin(t.Context(), keys.Log.Name, first))
	l.add(publishers...)
	return l
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// add logs something about publishers, a second later.
func (l *keptLog) add(publishers ...int) {
	l.t.Helper()
	l.now = l.now.Add(time.Second)
	for _, p := range publishers {
		must(l.t, l.store.Custody().Commit(l.t.Context(), storetest.LoggedChange(p, l.now)))
	}
	must(l.t, notary.New(notary.Config{Store: l.store.Log(), Keys: l.keys, Now: func() time.Time { return l.now }}).Flush(l.t.Context()))
}

func (l *keptLog) handler() http.Handler {
	return &notary.Handler{Prover: notary.Prover{Store: l.store.Log()}, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
}

// oneHost is an internet with one host, which has this address for those who ask.
type oneHost netip.Addr

// LookupNetIP is part of netguard.Resolver.
func (h oneHost) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.Addr(h)}, nil
}

// servedLog serves a log that can be replaced, with TLS, as https://example.com/log.
func servedLog(t *testing.T) (*atomic.Pointer[keptLog], func(*console.Env)) {
	t.Helper()
	var now atomic.Pointer[keptLog]
	return &now, servedAs(t, "93.184.216.34", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { now.Load().handler().ServeHTTP(w, r) }))
}

// servedAs serves a handler with TLS as https://example.com, a host with an address.
func servedAs(t *testing.T, addr string, h http.Handler) func(*console.Env) {
	t.Helper()
	server := httptest.NewTLSServer(h)
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	dial := func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", server.Listener.Addr().String())
	}
	return func(env *console.Env) {
		env.Network = netguard.Network{Resolver: oneHost(netip.MustParseAddr(addr)), Dial: dial, Roots: roots}
	}
}

func TestLogMonitor(t *testing.T) {
	t.Parallel()
	keys, err := notary.NewKeys("example.com/log")
	must(t, err)
	served, change := servedLog(t)
	honest := newKeptLog(t, keys, 1, 2, 1)
	served.Store(honest)
	dir := t.TempDir()
	policy, state := filepath.Join(dir, "log.policy"), filepath.Join(dir, "new", "monitor.json")
	must(t, os.WriteFile(policy, []byte(keys.Policy("https://example.com/log")), 0o600))
	look := func(code int, want ...string) {
		t.Helper()
		got := run(t, change, "log", "monitor", "--policy", policy, "--state", state, "--domain", "P1.example", "--once")
		lines := strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n")
		if got.code != code || len(lines) != len(want) || got.stderr != "" {
			t.Fatalf("exit code %d, want %d: %s%s", got.code, code, got.stdout, got.stderr)
		}
		for i := range want {
			if !strings.Contains(lines[i], want[i]) {
				t.Errorf("line %d is %q, want %q", i, lines[i], want[i])
			}
		}
	}
	look(0, "leaf 0: the log began", "2026-01-02T00:00:01Z leaf 1: p1.example had no file any more; no file spoke for it then", "leaf 3: p1.example",
		"newest of 4 leaves about p1.example: leaf 3; about its file: none")
	look(0, "newest of 4 leaves about p1.example: leaf 3;")
	honest.add(2, 1, 3)
	look(0, "leaf 5: p1.example", "newest of 7 leaves about p1.example: leaf 5;")

	// Another history with the same keys, shorter, as long, and longer.
	for _, publishers := range [][]int{{1, 2}, {1, 2, 1, 2, 1, 4}, {1, 2, 1, 2, 1, 4, 5, 6}} {
		fork := newKeptLog(t, keys, publishers...)
		fork.add()
		fork.now = fork.now.Add(time.Minute)
		fork.add(7)
		served.Store(fork)
		must(t, os.RemoveAll(filepath.Join(dir, "copy")))
		must(t, os.CopyFS(filepath.Join(dir, "copy"), os.DirFS(filepath.Dir(state))))
		got := run(t, change, "log", "monitor", "--policy", policy, "--state", filepath.Join(dir, "copy", "monitor.json"), "--domain", "p1.example", "--once", "--format", "json")
		if got.code != 1 || !strings.HasPrefix(got.stdout, `{"event":"alarm","alarm":"`) || strings.Count(got.stdout, "\n") != 1 {
			t.Fatalf("exit code %d: %s%s", got.code, got.stdout, got.stderr)
		}
		files, err := filepath.Glob(filepath.Join(dir, "copy", "monitor.json.*.txt"))
		must(t, err)
		if len(files) != 1 {
			t.Fatalf("evidence is in %v", files)
		}
		evidence, err := os.ReadFile(files[0])
		must(t, err)
		if n := strings.Count(string(evidence), "\nexample.com/log\n"); n != 2 || !strings.Contains(got.stdout, filepath.Base(files[0])) {
			t.Errorf("%d heads are in %s", n, evidence)
		}
	}
	// An alarm that could not be told then is one of the next run, whatever the log shows now.
	got := run(t, func(e *console.Env) { change(e); e.Stdout = failing{} }, "log", "monitor", "--policy", policy, "--state", state, "--domain", "p1.example", "--once")
	if got.code == 0 {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
	served.Store(honest)
	got = run(t, change, "log", "monitor", "--policy", policy, "--state", state, "--domain", "p1.example", "--once")
	if got.code != 1 || !strings.HasPrefix(got.stdout, "alarm (forked)") || got.stderr != "" {
		t.Errorf("exit code %d: %s%s", got.code, got.stdout, got.stderr)
	}
	honest.add(1)
	look(0, "leaf 7: p1.example", "newest of 8 leaves about p1.example: leaf 7;")

	got = run(t, change, "log", "monitor", "https://example.com/nothing", "--policy", policy, "--state", state, "--once")
	if got.code != 3 || !strings.Contains(got.stderr, "the log at https://example.com/nothing could not be read: ") {
		t.Errorf("exit code %d: %s%s", got.code, got.stdout, got.stderr)
	}
	must(t, os.WriteFile(state, []byte("{}"), 0o600))
	got = run(t, change, "log", "monitor", "--policy", policy, "--state", state, "--once")
	if got.code != 3 || !strings.Contains(got.stderr, "is not the state of a monitor") {
		t.Errorf("exit code %d: %s%s", got.code, got.stdout, got.stderr)
	}
	for _, args := range [][]string{
		{"--once"}, {"--policy", policy, "--domain", "no domain"}, {"http://example.com/log", "--policy", policy}, {"--policy", policy, "--every", "0s"}, {"--policy", ""},
	} {
		got = run(t, change, append([]string{"log", "monitor"}, args...)...)
		if got.code != 2 || !strings.Contains(got.stderr, "hint:") {
			t.Errorf("%v: exit code %d: %s", args, got.code, got.stderr)
		}
	}
}

// TestLogMonitorGoesOn looks again and again until it is told to stop.
func TestLogMonitorGoesOn(t *testing.T) {
	t.Parallel()
	keys, err := notary.NewKeys("example.com/log")
	must(t, err)
	served, change := servedLog(t)
	log := newKeptLog(t, keys, 1)
	served.Store(log)
	dir := t.TempDir()
	policy := filepath.Join(dir, "log.policy")
	must(t, os.WriteFile(policy, []byte(keys.Policy("")), 0o600))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, in := io.Pipe()
	env := console.Env{
		Args:  []string{"log", "monitor", "https://example.com/log/", "--policy", policy, "--state", filepath.Join(dir, "m.json"), "--domain", "p1.example", "--every", "1s"},
		Stdin: strings.NewReader(""), Stdout: in, Stderr: io.Discard, Now: func() time.Time { return time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC) },
	}
	change(&env)
	ended := make(chan int, 1)
	go func() { ended <- Run(ctx, env) }()
	lines := make(chan string)
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := out.Read(buffer)
			if err != nil {
				return
			}
			lines <- string(buffer[:n])
		}
	}()
	if got := <-lines; !strings.Contains(got, "leaf 1: p1.example") {
		t.Errorf("got %q", got)
	}
	if got := run(t, change, env.Args...); got.code != 3 || !strings.Contains(got.stderr, "another process uses") {
		t.Errorf("a second one with the state: exit code %d: %s", got.code, got.stderr)
	}
	log.add(1)
	if got := <-lines; !strings.Contains(got, "leaf 2: p1.example") {
		t.Errorf("got %q", got)
	}
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("exit code %d", code)
	}
	must(t, in.Close())
}

// failing is an output that takes nothing.
type failing struct{}

// Write is part of io.Writer.
func (failing) Write([]byte) (int, error) { return 0, errors.New("it is full") }

// TestLogMonitorLosesNothing ends the monitor after it has kept what it found and before it could tell it,
// and has a webhook that does not take it: everything is told later, and in order.
func TestLogMonitorLosesNothing(t *testing.T) {
	t.Parallel()
	keys, err := notary.NewKeys("example.com/log")
	must(t, err)
	served, change := servedLog(t)
	log := newKeptLog(t, keys, 1)
	served.Store(log)
	type delivery struct {
		ID    string `json:"delivery_id"`
		Index int64  `json:"index"`
	}
	var status atomic.Int64
	status.Store(http.StatusServiceUnavailable)
	posted := make(chan delivery, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var d delivery
		if json.UnmarshalRead(r.Body, &d) != nil || r.Header.Get("Signature") == "" || r.Header.Get("Content-Digest") == "" {
			t.Error("what is sent is not signed, or no JSON")
		}
		posted <- d
		w.WriteHeader(int(status.Load()))
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	policy, state, key := filepath.Join(dir, "log.policy"), filepath.Join(dir, "monitor.json"), filepath.Join(dir, "key.jwk")
	must(t, os.WriteFile(policy, []byte(keys.Policy("https://example.com/log")), 0o600))
	must(t, os.WriteFile(key, []byte(`{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`), 0o600))
	args := []string{"log", "monitor", "--policy", policy, "--state", state, "--domain", "p1.example", "--once"}
	hooked := append(slices.Clone(args), "--webhook", server.URL, "--webhook-key", key)

	got := run(t, func(e *console.Env) { change(e); e.Stdout = failing{} }, args...)
	if got.code == 0 {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
	got = run(t, change, hooked...)
	if got.code != 3 || !strings.Contains(got.stdout, "leaf 0: the log began") || !strings.Contains(got.stdout, "leaf 1: p1.example") || !strings.Contains(got.stderr, "it answers 503; 2 events are kept and sent again") {
		t.Errorf("exit code %d: %s%s", got.code, got.stdout, got.stderr)
	}
	if len(posted) != 1 {
		t.Fatalf("%d deliveries", len(posted))
	}
	first := <-posted
	log.add(1)
	status.Store(http.StatusNoContent)
	got = run(t, change, hooked...)
	if got.code != 0 || strings.Contains(got.stdout, "leaf 1:") || !strings.Contains(got.stdout, "leaf 2: p1.example") {
		t.Errorf("exit code %d: %s%s", got.code, got.stdout, got.stderr)
	}
	if len(posted) != 3 {
		t.Fatalf("%d deliveries", len(posted))
	}
	for i := range int64(3) {
		d := <-posted
		if d.Index != i || i == 0 && d.ID != first.ID {
			t.Errorf("delivery %d is %+v, the first attempt was %+v", i, d, first)
		}
	}
	got = run(t, change, hooked...)
	if got.code != 0 || !strings.HasPrefix(got.stdout, "example.com/log: newest of 3 leaves") || len(posted) > 0 {
		t.Errorf("exit code %d: %s%s", got.code, got.stdout, got.stderr)
	}
	for _, more := range [][]string{{"--webhook", server.URL}, {"--webhook-key", key}, {"--webhook", "http://example.com/", "--webhook-key", key}} {
		got = run(t, change, append(slices.Clone(args), more...)...)
		if got.code != 2 || !strings.Contains(got.stderr, "hint:") {
			t.Errorf("%v: exit code %d: %s", more, got.code, got.stderr)
		}
	}
}
