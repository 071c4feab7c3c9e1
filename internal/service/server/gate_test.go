package server

import (
	"errors"
	"io"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/edge"
)

// TestBusy fills the service and checks that whoever comes next hears so after a moment,
// while other work goes on.
func TestBusy(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	inside := make(chan struct{}, 100)
	h := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/registry/lookup" {
			inside <- struct{}{}
			<-release
		}
		ok(w, r)
	}
	s := start(t, h, func(c *Config) {
		c.MaxRequests = 3 * clientPart // of which one client has three
		c.lab = labOf(func(l *lab) { l.patience = 50 * time.Millisecond })
	})
	var done sync.WaitGroup
	var served, refused atomic.Int64
	for i := range 12 {
		done.Go(func() {
			a := s.do(t, http.MethodGet, "/api/registry/lookup", "")
			switch a.status {
			case http.StatusOK:
				served.Add(1)
			case http.StatusServiceUnavailable:
				refused.Add(1)
				wait, err := strconv.Atoi(a.header.Get("Retry-After"))
				if err != nil || wait < 1 || a.body["error"] == "" || a.body["retryAfter"] != float64(wait) {
					t.Errorf("got %v %v", a.header, a.body)
				}
			default:
				t.Errorf("status %d", a.status)
			}
		})
		if i < 3 {
			<-inside
		}
	}
	// Three are inside; the rest waits for a moment, and is refused.
	for refused.Load() < 9 {
		runtime.Gosched()
	}
	if a := s.do(t, http.MethodGet, "/api/read", ""); a.status != http.StatusOK {
		t.Errorf("other work: status %d", a.status)
	}
	if a := s.do(t, http.MethodGet, "/healthz", ""); a.status != http.StatusOK {
		t.Errorf("health: status %d", a.status)
	}
	close(release)
	done.Wait()
	if served.Load() != 3 || refused.Load() != 9 {
		t.Errorf("%d served, %d refused", served.Load(), refused.Load())
	}
	if text := scrape(t, s.metrics); !strings.Contains(text, `avow_http_refusals_total{reason="busy_web"} `+strconv.FormatInt(refused.Load(), 10)) {
		t.Errorf("the refusals are not counted: %s", text)
	}
}

// TestSlowSendersTakeNoSlot: bodies are read before a request has its slot, so that many
// who send slowly keep nobody out, those who have memory and those who wait for it.
func TestSlowSendersTakeNoSlot(t *testing.T) {
	t.Parallel()
	memory := NewMemory(8 * 200_000)
	s := start(t, ok, func(c *Config) {
		c.MaxRequests, c.Memory = 2, memory
		c.lab = labOf(func(l *lab) { l.patience = time.Hour })
	})
	for range 60 {
		_, err := io.WriteString(s.dial(t), "POST /api/adagents/validate HTTP/1.1\r\nHost: a.example\r\nContent-Length: 200000\r\n\r\n{")
		if err != nil {
			t.Fatal(err)
		}
	}
	for memory.Waiting() < 59 {
		runtime.Gosched()
	}
	for range 10 {
		a := s.do(t, http.MethodPost, "/api/adagents/validate", "{}")
		if a.status != http.StatusOK {
			t.Fatalf("status %d", a.status)
		}
	}
}

// TestLargeBodiesAreWeighed: what is large counts until the answer is written, a client has
// its share of it, and everybody waits before anybody is refused.
func TestLargeBodiesAreWeighed(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	inside := make(chan struct{}, 100)
	memory := NewMemory(8 * 200_000)
	h := func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > smallBody {
			inside <- struct{}{}
			<-release
		}
		ok(w, r)
	}
	s := start(t, h, func(c *Config) { c.Memory = memory })
	large := strings.Repeat("x", 200_000)
	var done sync.WaitGroup
	for range 8 {
		done.Go(func() {
			a := s.do(t, http.MethodPost, "/api/adagents/validate", large)
			if a.status != http.StatusOK {
				t.Errorf("a large body: status %d", a.status)
			}
		})
	}
	<-inside
	for memory.Waiting() < 7 {
		runtime.Gosched()
	}
	if used := memory.Used(); used != 400_000 {
		t.Errorf("%d bytes are counted", used)
	}
	if a := s.do(t, http.MethodPost, "/api/adagents/validate", "{}"); a.status != http.StatusOK {
		t.Errorf("a small body: status %d", a.status)
	}
	close(release)
	done.Wait()
	for memory.Used() != 0 {
		runtime.Gosched()
	}
}

// TestLargeBodiesAreAnswered: a client whose large body there is no memory for reads why, instead of losing
// its connection.
func TestLargeBodiesAreAnswered(t *testing.T) {
	t.Parallel()
	memory := NewMemory(20_000_000)
	if !memory.Try("another", 20_000_000) {
		t.Fatal("no memory")
	}
	s := start(t, ok, func(c *Config) { c.Memory, c.lab = memory, labOf(func(l *lab) { l.patience = time.Millisecond }) })
	for range 5 {
		a := s.do(t, http.MethodPost, "/api/adagents/validate", strings.Repeat("x", 4_900_000))
		if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
			t.Errorf("status %d, %v", a.status, a.header)
		}
	}
}

// TestLargeAnswersAreWeighed: a large answer counts until it is written, one that there is
// no memory for is refused, and its slot is free while it is written. What the program carries
// along takes no memory.
func TestLargeAnswersAreWeighed(t *testing.T) {
	t.Parallel()
	const size = 8_000_000
	memory := NewMemory(2 * size)
	body := make([]byte, size)
	h := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "large" {
			ok(w, r)
			return
		}
		for _, name := range aboutBody {
			w.Header().Set(name, "x")
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body)
	}
	s := start(t, h, func(c *Config) {
		c.Memory, c.MaxRequests = memory, 1
		c.lab = labOf(func(l *lab) { l.patience = 50 * time.Millisecond })
	})
	conn := s.dial(t)
	_, err := io.WriteString(conn, "GET /api/read?large HTTP/1.1\r\nHost: a.example\r\n\r\n")
	if err != nil {
		t.Fatal(err)
	}
	for memory.Used() != size {
		runtime.Gosched()
	}
	if a := s.do(t, http.MethodGet, "/api/read", ""); a.status != http.StatusOK {
		t.Errorf("beside an answer that is not read: status %d", a.status)
	}
	a := s.do(t, http.MethodGet, "/api/read?large", "")
	if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" || a.body["code"] != "busy" {
		t.Errorf("a second large answer of one client: status %d, %v", a.status, a.body)
	}
	for _, name := range aboutBody {
		if a.header.Get(name) != "" {
			t.Errorf("the refusal has the %s of the large answer", name)
		}
	}
	if a := s.do(t, http.MethodGet, "/style.css?large", ""); a.status != http.StatusOK || len(a.text) != size {
		t.Errorf("a large file of the program: status %d, %d bytes", a.status, len(a.text))
	}
	_ = conn.Close()
	for memory.Used() != 0 {
		runtime.Gosched()
	}
}

// TestSlowReadersAreCutOff by what they take, long before the time for an answer is over.
func TestSlowReadersAreCutOff(t *testing.T) {
	t.Parallel()
	memory := NewMemory(100_000_000)
	body := make([]byte, 8_000_000)
	ended := make(chan error, 1)
	h := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, err := w.Write(body)
		ended <- err
	}
	s := start(t, h, func(c *Config) {
		c.Memory = memory
		c.lab = labOf(func(l *lab) { l.piece, l.large, l.write = 50*time.Millisecond, time.Hour, time.Hour })
	})
	_, err := io.WriteString(s.dial(t), "GET /api/read HTTP/1.1\r\nHost: a.example\r\n\r\n")
	if err != nil {
		t.Fatal(err)
	}
	err = <-ended
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("it ended with %v", err)
	}
	for memory.Used() != 0 {
		runtime.Gosched()
	}
}

// TestTwoLengths: a request with two ways to tell its length is the last one of its
// connection, whatever the answer.
func TestTwoLengths(t *testing.T) {
	t.Parallel()
	s := start(t, ok, nil)
	for _, path := range []string{"/api/adagents/validate", "/api/registry/mirrors", "/healthz", "/nowhere"} {
		conn := s.dial(t)
		_, err := io.WriteString(conn, "POST "+path+" HTTP/1.1\r\nHost: a.example\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"+
			"GET /api/read HTTP/1.1\r\nHost: a.example\r\n\r\n")
		if err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(conn)
		if err != nil || strings.Count(string(all), "HTTP/1.1 ") != 1 || !strings.Contains(string(all), "\r\nConnection: close\r\n") {
			t.Errorf("%s: %v, %q", path, err, all)
		}
	}
}

// TestBurst: many more requests than slots are answered, if they can be in a moment.
func TestBurst(t *testing.T) {
	t.Parallel()
	s := start(t, ok, func(c *Config) { c.MaxRequests = 8 })
	var done sync.WaitGroup
	for range 200 {
		done.Go(func() {
			a := s.do(t, http.MethodGet, "/api/read", "")
			if a.status != http.StatusOK {
				t.Errorf("status %d", a.status)
			}
		})
	}
	done.Wait()
}

// TestBeginsAgain: a request that needs more memory than there is begins again when there is as much,
// with its body and without anything of the first answer. One that is alone gets whatever it needs.
func TestBeginsAgain(t *testing.T) {
	t.Parallel()
	memory := NewMemory(100)
	var calls atomic.Int64
	h := func(w http.ResponseWriter, r *http.Request) {
		n := calls.Add(1)
		body, err := io.ReadAll(r.Body)
		w.Header().Add("X-Call", strconv.FormatInt(n, 10))
		if edge.Charge(r.Context(), edge.Create) != nil {
			http.Error(w, "too many", http.StatusTooManyRequests)
			return
		}
		if budget.Need(r.Context(), "document", 70) != nil {
			http.Error(w, "no memory", http.StatusInternalServerError)
			return
		}
		if err != nil || string(body) != `{"a":1}` || budget.Need(r.Context(), "another", 1000) != nil {
			t.Errorf("call %d: %q, %v", n, body, err)
		}
		if edge.Charge(r.Context(), edge.Create) != nil {
			t.Error("what was begun again is charged for twice")
		}
		ok(w, r)
	}
	s := start(t, h, func(c *Config) {
		c.Memory, c.Rates = memory, map[*edge.Class]edge.Rate{edge.Create: {N: 2, Per: time.Hour}}
	})
	err := memory.Acquire(t.Context(), "another client", 60)
	if err != nil {
		t.Fatal(err)
	}
	answered := make(chan *answer)
	go func() { answered <- s.do(t, http.MethodPost, "/api/read", `{"a":1}`) }()
	for memory.Waiting() == 0 {
		runtime.Gosched()
	}
	if memory.Used() != 60 {
		t.Errorf("%d are used while the request waits", memory.Used())
	}
	memory.Release("another client", 60)
	a := <-answered
	if a.status != http.StatusOK || len(a.header.Values("X-Call")) != 1 || calls.Load() != 2 {
		t.Errorf("status %d, %v after %d calls", a.status, a.header, calls.Load())
	}
	if a := s.do(t, http.MethodPost, "/api/read", `{"a":1}`); a.status != http.StatusTooManyRequests {
		t.Errorf("what came after the request began again was not charged for: status %d", a.status)
	}
	for memory.Used() != 0 {
		runtime.Gosched()
	}
}
