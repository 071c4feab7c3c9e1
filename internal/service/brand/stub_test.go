package brand

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// canary is a key that must not turn up anywhere but in the header of a request.
const canary = "sk_CANARY_5f0c1b7e9a"

// A stub is a provider in a test: a server that answers as it is told, and the client.
type stub struct {
	*Provider
	server *httptest.Server
	calls  atomic.Int64
	log    syncBuffer

	mu  sync.Mutex
	now time.Time
}

// syncBuffer is a buffer that may be written to from several goroutines.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func (s *stub) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *stub) later(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

// newStub starts a provider that answers with a handler. It insists on the key and the
// method, as the real one does.
func newStub(t *testing.T, answer http.HandlerFunc) *stub {
	return newHastyStub(t, 20*time.Second, answer)
}

// newHastyStub does not wait for an answer for longer than it is told.
func newHastyStub(t *testing.T, attempt time.Duration, answer http.HandlerFunc) *stub {
	t.Helper()
	s := &stub{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.calls.Add(1)
		if r.Header.Get("Authorization") != "Bearer "+canary || r.Method != http.MethodGet || strings.Contains(r.RequestURI, canary) {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		answer(w, r)
	}))
	t.Cleanup(s.server.Close)
	key, err := NewKey(canary)
	if err != nil {
		t.Fatal(err)
	}
	s.Provider, err = NewProvider(ProviderConfig{
		URL: s.server.URL, Key: key, UserAgent: "avow/test", Attempt: attempt, Call: time.Minute,
		Now: s.clock, Log: slog.New(slog.NewJSONHandler(&s.log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func says(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}
