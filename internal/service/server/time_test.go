package server

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// closed waits until the other end closes, and returns what it said before. All times of
// the service but that of the test are longer than this waits.
func closed(t *testing.T, conn net.Conn) string {
	t.Helper()
	text, err := io.ReadAll(conn)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection stays open")
	}
	return string(text)
}

func TestSlowHead(t *testing.T) {
	t.Parallel()
	s := start(t, ok, func(c *Config) { c.lab = labOf(func(l *lab) { l.header = 200 * time.Millisecond }) })
	for _, head := range []string{"", "G", "GET / HTTP/1.1\r\nHost: x\r\nX-A: "} {
		conn := s.dial(t)
		_, err := io.WriteString(conn, head)
		if err != nil {
			t.Fatal(err)
		}
		closed(t, conn)
	}
}

func TestSlowHeadByteByByte(t *testing.T) {
	t.Parallel()
	s := start(t, ok, func(c *Config) { c.lab = labOf(func(l *lab) { l.header = 300 * time.Millisecond }) })
	conn := s.dial(t)
	for i := range 1000 {
		_, err := fmt.Fprintf(conn, "%c", "GET / HTTP/1.1\r\nX: "[min(i, 18)])
		if err != nil {
			return
		}
		time.Sleep(30 * time.Millisecond)
	}
	t.Error("a byte now and then keeps a connection open")
}

func TestSlowBody(t *testing.T) {
	t.Parallel()
	s := start(t, ok, func(c *Config) { c.lab = labOf(func(l *lab) { l.read = 300 * time.Millisecond }) })
	conn := s.dial(t)
	_, err := io.WriteString(conn, "POST /api/adagents/validate HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
	if err != nil {
		t.Fatal(err)
	}
	text := closed(t, conn)
	if !strings.HasPrefix(text, "HTTP/1.1 408 ") {
		t.Errorf("got %q", text)
	}
}

func TestIdleConnectionIsClosed(t *testing.T) {
	t.Parallel()
	s := start(t, ok, func(c *Config) { c.lab = labOf(func(l *lab) { l.idle = 200 * time.Millisecond }) })
	conn := s.dial(t)
	_, err := io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
	if err != nil {
		t.Fatal(err)
	}
	text := closed(t, conn)
	if !strings.HasPrefix(text, "HTTP/1.1 200 ") {
		t.Errorf("got %q", text)
	}
}

func TestReaderThatDoesNotRead(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	h := func(w http.ResponseWriter, _ *http.Request) {
		defer close(gone)
		block := make([]byte, 1<<20)
		for range 1000 {
			_, err := w.Write(block)
			if err != nil {
				return
			}
		}
		t.Error("a gigabyte went nowhere")
	}
	s := start(t, h, func(c *Config) {
		c.lab = labOf(func(l *lab) { l.write, l.large = 300*time.Millisecond, 300*time.Millisecond })
	})
	conn := s.dial(t)
	_, err := io.WriteString(conn, "GET /api/read HTTP/1.1\r\nHost: x\r\n\r\n")
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-gone:
	case <-time.After(longEnough):
		t.Error("the handler waits for a client that does not read")
	}
}

func TestLargestHead(t *testing.T) {
	t.Parallel()
	s := start(t, ok, nil)
	tests := []struct {
		name string
		size int
		want int
	}{
		{"small", 1 << 10, http.StatusOK},
		{"large", 11 << 10, http.StatusOK},
		{"over the limit", 17 << 10, http.StatusRequestHeaderFieldsTooLarge},
		{"a megabyte", 1 << 20, http.StatusRequestHeaderFieldsTooLarge},
	}
	for _, tt := range tests {
		conn := s.dial(t)
		go func() {
			_, _ = fmt.Fprintf(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: %s\r\n\r\n", strings.Repeat("a", tt.size))
		}()
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if resp.StatusCode != tt.want {
			t.Errorf("%s: status %d, want %d", tt.name, resp.StatusCode, tt.want)
		}
		_ = resp.Body.Close()
		_ = conn.Close()
	}
}

func TestLargestBody(t *testing.T) {
	t.Parallel()
	var read atomic.Int64
	h := func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if int64(len(b)) > read.Load() {
			read.Store(int64(len(b)))
		}
		var over *http.MaxBytesError
		if errors.As(err, &over) {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
		}
	}
	s := start(t, h, nil)
	tests := []struct {
		name, path string
		size       int
		chunked    bool
		want       int
	}{
		{"small", "/api/registry/mirrors", smallBody, false, http.StatusOK},
		{"over", "/api/registry/mirrors", smallBody + 1, false, http.StatusRequestEntityTooLarge},
		{"unknown path", "/nothing", smallBody + 1, false, http.StatusRequestEntityTooLarge},
		{"chunked over", "/api/registry/mirrors", smallBody + 2, true, http.StatusRequestEntityTooLarge},
		{"file", "/api/adagents/validate", 5_000_000, false, http.StatusOK},
		{"file over", "/api/adagents/validate", 5_000_001, false, http.StatusRequestEntityTooLarge},
		{"file chunked over", "/api/adagents/validate", 5_000_002, true, http.StatusRequestEntityTooLarge},
	}
	for _, tt := range tests {
		var body io.Reader = bytes.NewReader(make([]byte, tt.size))
		if tt.chunked {
			body = struct{ io.Reader }{body}
		}
		resp, err := s.client.Post(s.url+tt.path, "application/json", body)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if resp.StatusCode != tt.want {
			t.Errorf("%s: status %d, want %d", tt.name, resp.StatusCode, tt.want)
		}
		_ = resp.Body.Close()
	}
	if read.Load() > 5_000_001 {
		t.Errorf("a handler read %d bytes", read.Load())
	}
}

// TestGigabyte announces a gigabyte and sends none of it: the answer must come at once.
func TestGigabyte(t *testing.T) {
	t.Parallel()
	s := start(t, ok, nil)
	conn := s.dial(t)
	_, err := io.WriteString(conn, "POST /api/adagents/validate HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n")
	if err != nil {
		t.Fatal(err)
	}
	text := closed(t, conn)
	if !strings.HasPrefix(text, "HTTP/1.1 413 ") || !strings.Contains(text, `"error":"Request body too large"`) || !strings.Contains(text, `"success":false`) {
		t.Errorf("got %q", text)
	}
}
