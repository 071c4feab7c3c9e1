package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

// load is a client that sends one request after the other and notes what became of each.
type load struct {
	addr                    string
	answered, refused, lost atomic.Int64
	mu                      sync.Mutex
	problem                 string
	// busy is closed when there were busyAnswers.
	busy chan struct{}
}

const busyAnswers = 100

// run sends requests until the service is gone.
func (l *load) run() {
	for l.connection() {
	}
}

// connection sends requests over one connection until either side closes it, and
// reports whether to open another.
func (l *load) connection() bool {
	conn, err := (&net.Dialer{}).Dial("tcp", l.addr)
	if err != nil {
		if !errors.Is(err, syscall.ECONNREFUSED) {
			l.lose("connect", err)
		}
		l.refused.Add(1)
		return false
	}
	defer conn.Close() //nolint:errcheck // it was read to the end
	in := bufio.NewReader(conn)
	for {
		const body = `{"domain":"example.com"}`
		_, err = fmt.Fprintf(conn, "POST /api/adagents/validate HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		if err != nil {
			l.lose("send", err)
			return true
		}
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			l.lose("answer", err)
			return true
		}
		text, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || string(text) != `{"ok":true}` {
			l.lose("body", err)
			return true
		}
		if l.answered.Add(1) == busyAnswers {
			close(l.busy)
		}
		if resp.Close {
			return true
		}
	}
}

func (l *load) lose(what string, err error) {
	l.lost.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.problem = fmt.Sprint(what, ": ", err)
}

// TestNothingIsLostAtTheEnd stops a service that is busy. Every request that was sent
// must be answered completely.
func TestNothingIsLostAtTheEnd(t *testing.T) {
	t.Parallel()
	h := func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5 * time.Millisecond)
		ok(w, r)
	}
	s := start(t, h, nil)
	l := &load{addr: s.addr, busy: make(chan struct{})}
	var clients sync.WaitGroup
	for range 40 {
		clients.Go(l.run)
	}
	<-l.busy
	s.stop()
	clients.Wait()
	if l.lost.Load() > 0 {
		t.Errorf("%d of %d requests were lost, the last by %s", l.lost.Load(), l.answered.Load()+l.lost.Load(), l.problem)
	}
	if l.refused.Load() != 40 {
		t.Errorf("%d answered, %d refused", l.answered.Load(), l.refused.Load())
	}
}

func TestRequestUnderWayFinishes(t *testing.T) {
	t.Parallel()
	inside := make(chan struct{})
	h := func(w http.ResponseWriter, r *http.Request) {
		close(inside)
		time.Sleep(800 * time.Millisecond)
		if r.Context().Err() != nil {
			t.Error("the request was cut off")
		}
		ok(w, r)
	}
	s := start(t, h, nil)
	var done sync.WaitGroup
	done.Go(func() {
		if a := s.do(t, http.MethodGet, "/api/read", ""); a.status != http.StatusOK || a.text != `{"ok":true}` {
			t.Errorf("got %d %s", a.status, a.text)
		}
	})
	<-inside
	s.stop()
	done.Wait()
}

func TestWhoTakesTooLongIsCutOff(t *testing.T) {
	t.Parallel()
	inside, ended := make(chan struct{}), make(chan struct{})
	h := func(_ http.ResponseWriter, r *http.Request) {
		defer close(ended)
		close(inside)
		<-r.Context().Done()
	}
	s := start(t, h, func(c *Config) { c.lab = labOf(func(l *lab) { l.drain = 200 * time.Millisecond }) })
	conn := s.dial(t)
	_, err := io.WriteString(conn, "GET /api/read HTTP/1.1\r\nHost: x\r\n\r\n")
	if err != nil {
		t.Fatal(err)
	}
	<-inside
	s.stop()
	err = <-s.ended
	s.ended <- err
	if err != nil {
		t.Error(err)
	}
	select {
	case <-ended:
	default:
		t.Error("Run ends before its handlers")
	}
	if !strings.Contains(s.log.String(), "requests were cut off") {
		t.Error("nobody says that a request was cut off")
	}
}

func TestReadiness(t *testing.T) {
	t.Parallel()
	var broken, asked atomic.Int64
	inside, release := make(chan struct{}), make(chan struct{})
	h := func(w http.ResponseWriter, r *http.Request) {
		close(inside)
		<-release
		ok(w, r)
	}
	draining, drained := make(chan time.Duration), make(chan struct{})
	s := start(t, h, func(c *Config) {
		c.DrainDelay = 3 * time.Second
		c.lab = labOf(func(l *lab) {
			l.sleep = func(d time.Duration) {
				draining <- d
				<-drained
			}
		})
		c.Ready = func(ctx context.Context) error {
			asked.Add(1)
			switch broken.Load() {
			case 1:
				return errors.New("the disk with the secret name is full")
			case 2:
				<-ctx.Done()
				return ctx.Err()
			case 3:
				return &registry.NotReady{Code: "store.read_only", Message: "the disk is full", Err: errors.New("secret")}
			}
			return nil
		}
		c.Warnings = func() []registry.Warning {
			if broken.Load() != 4 {
				return nil
			}
			return []registry.Warning{{Code: "store.disk_low", Message: "the disk is nearly full"}}
		}
	})
	check := func(path string, status int, text string) {
		t.Helper()
		a := s.do(t, http.MethodGet, path, "")
		if a.status != status || a.text != text || a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s, want %d %s", path, a.status, a.text, status, text)
		}
	}
	began := time.Now()
	for range 20 {
		check("/readyz", http.StatusOK, `{"status":"ready"}`)
	}
	if asked.Load() > 2+int64(time.Since(began)/readyMemory) {
		t.Errorf("the service was asked %d times in a moment", asked.Load())
	}
	for kind, text := range map[int64]string{
		1: `{"status":"unavailable"}`,
		2: `{"status":"unavailable","code":"store.slow","reason":"the store does not answer in time"}`,
		3: `{"status":"unavailable","code":"store.read_only","reason":"the disk is full"}`,
		4: `{"status":"ready","warnings":[{"code":"store.disk_low","reason":"the disk is nearly full"}]}`,
	} {
		broken.Store(kind)
		time.Sleep(readyMemory)
		status := http.StatusServiceUnavailable
		if kind == 4 {
			status = http.StatusOK
		}
		check("/readyz", status, text)
		check("/healthz", http.StatusOK, `{"status":"ok"}`)
	}
	broken.Store(0)
	if a := s.do(t, http.MethodPost, "/healthz", ""); a.status != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", a.status)
	}
	var done sync.WaitGroup
	done.Go(func() { s.do(t, http.MethodGet, "/api/read", "") })
	<-inside
	s.stop()
	if d := <-draining; d != 3*time.Second {
		t.Errorf("load balancers have %s to look", d)
	}
	check("/readyz", http.StatusServiceUnavailable, `{"status":"draining"}`)
	check("/healthz", http.StatusOK, `{"status":"ok"}`)
	close(drained)
	close(release)
	done.Wait()
}

func TestSeveralListeners(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	urls, ended := make(chan string, 2), make(chan error, 1)
	c := Config{Addrs: []string{"127.0.0.1:0", "127.0.0.1:0"}, Handler: http.HandlerFunc(ok), Route: testRoute}
	go func() { ended <- Run(ctx, c, func(url string) { urls <- url }) }()
	for range 2 {
		s := &running{url: <-urls, client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
		if a := s.do(t, http.MethodGet, "/api/read", ""); a.status != http.StatusOK {
			t.Errorf("%s: %d", s.url, a.status)
		}
	}
	stop()
	err := <-ended
	if err != nil {
		t.Error(err)
	}
}

func TestCannotStart(t *testing.T) {
	t.Parallel()
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close() //nolint:errcheck // nothing was sent
	tests := map[string]Config{
		"no address":   {},
		"taken":        {Addrs: []string{"127.0.0.1:0", taken.Addr().String()}},
		"metrics":      {Addrs: []string{"127.0.0.1:0"}, MetricsAddr: taken.Addr().String()},
		"certificate":  {Addrs: []string{"127.0.0.1:0"}, TLSCert: "no-such-file", TLSKey: "no-such-file"},
		"base URL":     {Addrs: []string{"127.0.0.1:0"}, BaseURL: "::"},
		"empty origin": {Addrs: []string{"127.0.0.1:0"}, BaseURL: "registry.example"},
	}
	for name, c := range tests {
		err := Run(t.Context(), c, func(string) { t.Errorf("%s: it runs", name) })
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestURLOf(t *testing.T) {
	t.Parallel()
	tests := map[string]string{"127.0.0.1:80": "http://127.0.0.1:80", "0.0.0.0:80": "http://0.0.0.0:80", "[::]:80": "http://[::]:80", "[::1]:80": "http://[::1]:80"}
	for addr, want := range tests {
		if got := urlOf(named(addr), false); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
	if got := urlOf(named("127.0.0.1:443"), true); got != "https://127.0.0.1:443" {
		t.Error(got)
	}
}

// named is a listener that only has an address.
type named string

func (named) Accept() (net.Conn, error) { return nil, net.ErrClosed }
func (named) Close() error              { return nil }
func (n named) Addr() net.Addr          { return addrText(n) }

type addrText string

func (addrText) Network() string  { return "tcp" }
func (a addrText) String() string { return string(a) }
