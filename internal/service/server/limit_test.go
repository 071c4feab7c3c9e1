package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
)

func TestLimiterTakes(t *testing.T) {
	t.Parallel()
	l, rate, key := newLimiter(10), edge.Rate{N: 3, Per: time.Minute}, registry.BlocksOf("a")
	now := time.Unix(1000, 0)
	for want := 2; want >= 0; want-- {
		a := l.take(edge.Read, key, rate, now, 1)
		if !a.ok || a.remaining != want {
			t.Errorf("got %+v, want %d left", a, want)
		}
	}
	a := l.take(edge.Read, key, rate, now, 1)
	if a.ok || a.retry != 20*time.Second || a.reset != time.Minute || a.remaining != 0 {
		t.Errorf("got %+v", a)
	}
	if a := l.take(edge.Read, registry.BlocksOf("b"), rate, now, 1); !a.ok {
		t.Error("one client takes from another")
	}
	if a := l.take(edge.Write, registry.BlocksOf("a"), rate, now, 1); !a.ok {
		t.Error("one class takes from another")
	}
	now = now.Add(20 * time.Second)
	if a := l.take(edge.Read, key, rate, now, 1); !a.ok || a.remaining != 0 {
		t.Errorf("got %+v", a)
	}
	if a := l.take(edge.Read, key, rate, now.Add(time.Hour), 1); !a.ok || a.remaining != 2 {
		t.Errorf("after an hour: %+v", a)
	}
}

// TestLimiterHoldsTheRate: in any window, no more than the rate and one burst.
func TestLimiterHoldsTheRate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rate := edge.Rate{N: rapid.IntRange(1, 50).Draw(t, "n"), Per: time.Minute}
		l, now, begin := newLimiter(5), time.Unix(1000, 0), time.Unix(1000, 0)
		granted := 0
		for range rapid.IntRange(1, 300).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.IntRange(0, 2000).Draw(t, "pause")) * time.Millisecond)
			a := l.take(edge.Read, registry.BlocksOf("a"), rate, now, 1)
			if a.ok {
				granted++
			} else if again := l.take(edge.Read, registry.BlocksOf("a"), rate, now.Add(a.retry), 0); !again.ok {
				t.Fatalf("who waits as told is refused: %+v", again)
			}
		}
		most := rate.N + int(now.Sub(begin)/rate.Each()) + 1
		if granted > most {
			t.Fatalf("%d granted, want at most %d", granted, most)
		}
	})
}

func TestLimiterIsBounded(t *testing.T) {
	t.Parallel()
	l, rate, now := newLimiter(100), edge.Rate{N: 1, Per: time.Hour}, time.Unix(1000, 0)
	for i := range 10_000 {
		l.take(edge.Read, registry.BlocksOf(strconv.Itoa(i)), rate, now, 1)
		l.take(edge.Read, registry.BlocksOf("frequent"), rate, now, 1)
	}
	if len(l.known) != 100 {
		t.Errorf("%d clients are remembered", len(l.known))
	}
	if l.take(edge.Read, registry.BlocksOf("frequent"), rate, now, 1).ok {
		t.Error("a frequent client was forgotten")
	}
	n := 0
	for b := l.newest.next; b != &l.newest; b = b.next {
		n++
	}
	if n != 100 {
		t.Errorf("the ring has %d", n)
	}
}

// TestLimiterCountsNetworks: a home that uses each of its networks in turn has four times
// the rate of one, an office sixteen times, and the neighbour has its own.
func TestLimiterCountsNetworks(t *testing.T) {
	t.Parallel()
	rate, now := edge.Rate{N: 5, Per: time.Hour}, time.Unix(1000, 0)
	granted := func(l *limiter, networks int) int {
		n := 0
		for i := range 4 * networks {
			client := fmt.Sprintf("2001:db8:1:%x::/64", i%networks)
			if l.take(edge.Read, registry.BlocksOf(client), rate, now, 1).ok {
				n++
			}
		}
		return n
	}
	for networks, want := range map[int]int{1: 4, 4: 16, 256: 20, 65536: 80} {
		if got := granted(newLimiter(rememberedClients), networks); got != want {
			t.Errorf("%d networks: %d requests granted, want %d", networks, got, want)
		}
	}
	l := newLimiter(rememberedClients)
	granted(l, 256)
	if a := l.take(edge.Read, registry.BlocksOf("2001:db8:1:ff00::/64"), rate, now, 1); !a.ok || a.rate.N != 5 || a.remaining != 4 {
		t.Errorf("another home of the same /48: %+v", a)
	}
	// Whoever is refused takes nothing from the networks around.
	if a := l.take(edge.Read, registry.BlocksOf("2001:db8:1:1::/64"), rate, now.Add(3*time.Minute+time.Millisecond), 1); !a.ok {
		t.Errorf("as soon as one is made up for: %+v", a)
	}
}

func TestRateLimits(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	s := start(t, ok, func(c *Config) {
		c.Rates = map[*edge.Class]edge.Rate{edge.Validate: {N: 2, Per: time.Minute}, edge.Write: {N: 1, Per: time.Hour}, edge.Lookup: {N: 1, Per: time.Minute}}
		c.KeyFactor = 2
		c.Now = func() time.Time { return now }
		c.Authenticate, c.KnownKey = keyring(map[string]*registry.Key{"good": {ID: "key_1", Scope: registry.ScopeWrite}})
	})
	a := s.do(t, http.MethodPost, "/api/adagents/validate", "{}")
	want := map[string]string{"RateLimit-Limit": "2", "RateLimit-Remaining": "1", "RateLimit-Reset": "30", "RateLimit-Policy": "2;w=60", "Retry-After": ""}
	for name, value := range want {
		if a.header.Get(name) != value {
			t.Errorf("%s: %q, want %q", name, a.header.Get(name), value)
		}
	}
	s.do(t, http.MethodPost, "/api/adagents/validate", "{}")
	a = s.do(t, http.MethodPost, "/api/adagents/validate", "{}")
	if a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") != "30" || a.header.Get("RateLimit-Remaining") != "0" {
		t.Errorf("got %d %v", a.status, a.header)
	}
	if a.body["error"] != "Too many requests" || a.body["retryAfter"] != 30.0 || a.body["success"] != false || a.body["message"] == "" || a.body["timestamp"] == nil {
		t.Errorf("got %v", a.body)
	}
	// The page that asks the same shares the rate, and speaks to people.
	a = s.do(t, http.MethodGet, "/page", "")
	if a.status != http.StatusTooManyRequests || a.header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("got %d %v", a.status, a.header)
	}
	// A key has a rate of its own, and more of it.
	for range 4 {
		a = s.do(t, http.MethodPost, "/api/adagents/validate", "{}", "Authorization", "Bearer good")
		if a.status != http.StatusOK || a.header.Get("RateLimit-Limit") != "4" {
			t.Errorf("got %d %v", a.status, a.header)
		}
	}
	// Other classes go on, and have another envelope.
	s.do(t, http.MethodGet, "/api/registry/lookup", "")
	a = s.do(t, http.MethodGet, "/api/registry/lookup", "")
	_, enveloped := a.body["success"]
	if a.status != http.StatusTooManyRequests || enveloped {
		t.Errorf("got %d %v", a.status, a.body)
	}
	// Writing is not multiplied.
	s.do(t, http.MethodPut, "/api/registry/mirrors", "{}", "Authorization", "Bearer good")
	a = s.do(t, http.MethodPut, "/api/registry/mirrors", "{}", "Authorization", "Bearer good")
	if a.status != http.StatusTooManyRequests || a.body["retryAfter"] != 3600.0 {
		t.Errorf("got %d %v", a.status, a.body)
	}
}

// TestChargedBesides: what a handler finds out that a request costs besides is counted for the
// same client, and for its key.
func TestChargedBesides(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	s := start(t, func(w http.ResponseWriter, r *http.Request) {
		err := edge.Charge(r.Context(), edge.Enrich)
		if err != nil {
			w.WriteHeader(http.StatusTeapot)
		}
	}, func(c *Config) {
		c.Rates = map[*edge.Class]edge.Rate{edge.Enrich: {N: 1, Per: time.Minute}, edge.Read: {N: 100, Per: time.Minute}}
		c.KeyFactor = 2
		c.Now = func() time.Time { return now }
		c.Authenticate, c.KnownKey = keyring(map[string]*registry.Key{"good": {ID: "key_1", Scope: registry.ScopeWrite}})
	})
	for i, want := range []int{http.StatusOK, http.StatusTeapot, http.StatusTeapot} {
		if a := s.do(t, http.MethodGet, "/api/read", ""); a.status != want || a.header.Get("RateLimit-Limit") != "100" {
			t.Errorf("request %d: %d %v", i, a.status, a.header)
		}
	}
	for i, want := range []int{http.StatusOK, http.StatusOK, http.StatusTeapot} {
		if a := s.do(t, http.MethodGet, "/api/read", "", "Authorization", "Bearer good"); a.status != want {
			t.Errorf("request %d with a key: %d", i, a.status)
		}
	}
	err := edge.Charge(t.Context(), edge.Enrich)
	if err != nil {
		t.Errorf("where nobody counts: %v", err)
	}
}

// TestForgedAddressesDoNotHelp: a client that names another address with each request
// has one rate.
func TestForgedAddressesDoNotHelp(t *testing.T) {
	t.Parallel()
	for _, trusted := range []bool{false, true} {
		s := start(t, ok, func(c *Config) {
			c.Rates = map[*edge.Class]edge.Rate{edge.Read: {N: 5, Per: time.Hour}}
			if trusted {
				c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
			}
		})
		granted := 0
		for i := range 20 {
			chain := fmt.Sprintf("203.0.113.%d", i)
			if trusted {
				chain += ", 198.51.100.1" // as the proxy appends it
			}
			if s.do(t, http.MethodGet, "/api/read", "", "X-Forwarded-For", chain).status == http.StatusOK {
				granted++
			}
		}
		if granted != 5 {
			t.Errorf("trusted %v: %d requests granted, want 5", trusted, granted)
		}
		if trusted && s.do(t, http.MethodGet, "/api/read", "", "X-Forwarded-For", "198.51.100.2").status != http.StatusOK {
			t.Error("another client behind the proxy is refused")
		}
	}
}

// TestGuessingKeys: whoever tries many secrets is stopped before they are looked up, and
// keeps nobody with a key out.
func TestGuessingKeys(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	known, quick := keyring(map[string]*registry.Key{"good": {ID: "key_1"}})
	s := start(t, ok, func(c *Config) {
		c.Rates = map[*edge.Class]edge.Rate{edge.Denied: {N: 3, Per: time.Hour}}
		c.Authenticate = func(ctx context.Context, secret string) (*registry.Key, error) {
			asked.Add(1)
			return known(ctx, secret)
		}
		c.KnownKey = quick
	})
	var a *answer
	for range 10 {
		a = s.do(t, http.MethodPut, "/api/registry/mirrors", "{}", "Authorization", "Bearer bad")
	}
	if a.status != http.StatusTooManyRequests || asked.Load() != 3 {
		t.Errorf("status %d after %d secrets were looked up", a.status, asked.Load())
	}
	for range 5 {
		a = s.do(t, http.MethodPut, "/api/registry/mirrors", "{}", "Authorization", "Bearer good")
		if a.status != http.StatusOK {
			t.Errorf("with a key: %d", a.status)
		}
	}
	// A key takes nothing back: who guesses is still refused.
	a = s.do(t, http.MethodPut, "/api/registry/mirrors", "{}", "Authorization", "Bearer bad")
	if a.status != http.StatusTooManyRequests || asked.Load() != 3 {
		t.Errorf("status %d after %d secrets were looked up", a.status, asked.Load())
	}
	if a = s.do(t, http.MethodGet, "/api/read", ""); a.status != http.StatusOK {
		t.Errorf("without a key: %d", a.status)
	}
}

// TestForeignKeys: a client that sends the key of another registry with every read is answered as if
// it sent none, and is told so.
func TestForeignKeys(t *testing.T) {
	t.Parallel()
	_, quick := keyring(map[string]*registry.Key{"good": {ID: "key_1"}})
	s := start(t, ok, func(c *Config) {
		c.Rates = map[*edge.Class]edge.Rate{edge.Denied: {N: 3, Per: time.Hour}, edge.Read: {N: 50, Per: time.Hour}}
		c.KeyFactor = 2
		c.Authenticate = func(context.Context, string) (*registry.Key, error) {
			return nil, errors.New("the store is asked about a key that is not needed")
		}
		c.KnownKey = quick
	})
	for i := range 40 {
		a := s.do(t, http.MethodGet, "/api/read", "", "Authorization", "Bearer of-another-registry")
		if a.status != http.StatusOK || a.header.Get("X-Key-Ignored") == "" || a.header.Get("RateLimit-Limit") != "50" {
			t.Fatalf("request %d: %d %v", i, a.status, a.header)
		}
	}
	a := s.do(t, http.MethodGet, "/api/read", "", "Authorization", "Bearer good")
	if a.status != http.StatusOK || a.header.Get("X-Key-Ignored") != "" || a.header.Get("RateLimit-Limit") != "100" {
		t.Errorf("with a key of this registry: %d %v", a.status, a.header)
	}
}
