package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

// greet sends a request and reports whether it is answered.
func greet(t *testing.T, conn net.Conn) bool {
	t.Helper()
	_, err := io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
	if err != nil {
		return false
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return false
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

func TestConnectionFlood(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*Config)
		want   int
	}{
		{"of one client", func(c *Config) { c.MaxConnsPerClient, c.lab = 5, labOf(func(l *lab) { l.limitLocal = true }) }, 5},
		{"in all", func(c *Config) { c.MaxConns = 7 }, 7},
		{"of a trusted proxy", func(c *Config) {
			c.MaxConnsPerClient, c.lab = 5, labOf(func(l *lab) { l.limitLocal = true })
			c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		}, 20},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, ok, tt.change)
			var open []net.Conn
			for range 20 {
				conn := s.dial(t)
				if greet(t, conn) {
					open = append(open, conn)
				}
			}
			if len(open) != tt.want {
				t.Errorf("%d connections are served, want %d", len(open), tt.want)
			}
			// When some leave there is room again.
			_ = open[0].Close()
			deadline := time.Now().Add(longEnough)
			for !greet(t, s.dial(t)) {
				if time.Now().After(deadline) {
					t.Fatal("a place does not become free")
				}
				time.Sleep(10 * time.Millisecond)
			}
			if tt.want < 20 && !regexp.MustCompile(`avow_http_connections_refused_total [1-9]`).MatchString(scrape(t, s.metrics)) {
				t.Error("refused connections are not counted")
			}
		})
	}
}

// TestTurnedAway: a client beyond the limit of connections is told when to come again, also one that has
// much to send, instead of being cut off.
func TestTurnedAway(t *testing.T) {
	t.Parallel()
	s := start(t, ok, func(c *Config) { c.MaxConns = 1 })
	first := s.dial(t)
	if !greet(t, first) {
		t.Fatal("the first connection is not served")
	}
	s.isTurnedAway(t)
}

// isTurnedAway fails unless requests are answered by what has no connection for them.
func (s *running) isTurnedAway(t *testing.T) {
	t.Helper()
	for _, body := range []string{"", strings.Repeat("x", 4_000_000)} {
		a := s.do(t, http.MethodPost, "/api/adagents/validate", body)
		if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" || a.body["code"] != "busy" {
			t.Errorf("%d bytes: %d %v %s", len(body), a.status, a.header, a.text)
		}
	}
	a := s.do(t, http.MethodGet, "/", "", "Accept", "text/html,*/*;q=0.8")
	if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" || a.header.Get("Content-Type") != "text/html; charset=utf-8" || !strings.Contains(a.text, "<h1>Service is busy</h1>") || !strings.Contains(a.text, "again in 2 seconds") {
		t.Errorf("a browser: %d %v %s", a.status, a.header, a.text)
	}
}

// TestIdleConnectionsAreCheap holds many connections open and looks what one costs.
//
//nolint:paralleltest // it measures memory
func TestIdleConnectionsAreCheap(t *testing.T) {
	const n = 1000
	s := start(t, ok, nil)
	memory := func() uint64 {
		runtime.GC()
		runtime.GC() // what was in pools is gone after the second
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapInuse + m.StackInuse
	}
	before := memory()
	for range n {
		conn := s.dial(t)
		_, err := io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
		if err != nil {
			t.Fatal(err)
		}
		_, err = conn.Read(make([]byte, 2048))
		if err != nil {
			t.Fatal(err)
		}
	}
	each := (memory() - before) / n
	t.Logf("%d bytes for each connection, both ends", each)
	if each > 40_000 {
		t.Errorf("an idle connection costs %d bytes", each)
	}
	if a := s.do(t, http.MethodGet, "/api/read", ""); a.status != http.StatusOK {
		t.Errorf("status %d", a.status)
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	got, err := Addresses(t.Context(), []string{"127.0.0.1:0", "[::1]:8080"})
	if err != nil || len(got) != 2 || got[0].String() != "127.0.0.1" || got[1].String() != "::1" {
		t.Errorf("got %v, %v", got, err)
	}
	for _, all := range []string{":8080", "0.0.0.0:8080", "[::]:8080"} {
		got, err = Addresses(t.Context(), []string{all})
		if err != nil || len(got) == 0 {
			t.Errorf("%s: got %v, %v", all, got, err)
		}
	}
	_, err = Addresses(t.Context(), []string{"8080"})
	if err == nil {
		t.Error("a port alone is an address")
	}
	got, err = Addresses(t.Context(), []string{"localhost:8080"})
	if err != nil || len(got) == 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestConnectionsOfNetworks: the networks of a home have four times the connections of one
// together, and those of an office sixteen times.
func TestConnectionsOfNetworks(t *testing.T) {
	t.Parallel()
	for networks, want := range map[int]int{1: 2, 4: 8, 256: 8, 65536: 32} {
		c := &connections{perClient: 2, most: 1 << 20, exempt: func(netip.Addr) bool { return false }, by: map[string]int{}}
		var all [][]registry.Block
		for i := range max(networks, 16) {
			ip := net.ParseIP(fmt.Sprintf("2001:db8:1:%x::1", i%networks))
			blocks, ok := c.enter(&net.TCPAddr{IP: ip, Port: 1000})
			if ok {
				all = append(all, blocks)
			}
		}
		if len(all) != want || c.open.Load() != int64(want) {
			t.Errorf("%d networks: %d connections, %d counted, want %d", networks, len(all), c.open.Load(), want)
		}
		for _, blocks := range all {
			c.leave(blocks)
		}
		if c.open.Load() != 0 || len(c.by) != 0 {
			t.Errorf("%d networks: %d connections are left, %v", networks, c.open.Load(), c.by)
		}
	}
}
