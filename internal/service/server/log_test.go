package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/textsafe"
)

const canary = "avow_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// TestKeysAreNotLogged puts a key wherever a caller can put one by mistake.
func TestKeysAreNotLogged(t *testing.T) {
	t.Parallel()
	h := func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "panic") {
			panic("cannot use " + canary)
		}
		ok(w, r)
	}
	s := start(t, h, func(c *Config) {
		c.Authenticate, c.KnownKey = keyring(map[string]*registry.Key{canary: {ID: "key_1"}})
	})
	a := s.do(t, http.MethodGet, "/api/read?key="+canary, "", "Authorization", "Bearer "+canary)
	if a.status != http.StatusOK {
		t.Errorf("status %d", a.status)
	}
	s.do(t, http.MethodGet, "/api/"+canary, "", "Authorization", canary, "User-Agent", "agent/"+canary, "X-Forwarded-For", canary)
	s.do(t, http.MethodPost, "/api/panic", canary, "Cookie", canary)
	s.do(t, http.MethodGet, "/"+strings.Repeat("x", 250)+canary, "")
	text := s.log.String()
	if strings.Contains(text, canary[5:13]) {
		t.Errorf("a key is in the log:\n%s", text)
	}
	if !strings.Contains(text, `"key":"key_1"`) || strings.Contains(text, "?key") {
		t.Errorf("the log does not name the key by its id, or has the query:\n%s", text)
	}
	if strings.Contains(scrape(t, s.metrics), canary[5:13]) {
		t.Error("a key is in the metrics")
	}
}

func TestLinePerRequest(t *testing.T) {
	t.Parallel()
	s := start(t, ok, nil)
	for _, path := range []string{"/api/read", "/a%0Ab", "/%1b[31mred", "/" + url.PathEscape("\u202e\u009b"), "/" + strings.Repeat("long", 1000), "/%ff%fe"} {
		s.do(t, http.MethodGet, path, "", "User-Agent", strings.Repeat("\t\u200b", 500))
	}
	s.do(t, http.MethodGet, "/healthz", "")
	lines := s.lines(t)
	if len(lines) != 7 {
		t.Errorf("%d lines for 7 requests", len(lines))
	}
	for _, line := range lines {
		for name, v := range line {
			text, is := v.(string)
			if is && (len(text) > longestLogged || textsafe.Terminal(text) != text) {
				t.Errorf("%s: %q", name, text)
			}
		}
		if line["request_id"] == nil || line["method"] != "GET" || line["status"] != 200.0 || line["client"] != "127.0.0.1" || line["ms"] == nil {
			t.Errorf("got %v", line)
		}
	}
	if lines[6]["level"] != "DEBUG" {
		t.Error("health checks fill the log")
	}
}

// TestLogLinesStayWhole: whatever is logged, each call makes one line, which can be read
// as JSON and has short values.
func TestLogLinesStayWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		log := NewLogger(&b, "json", slog.LevelDebug)
		texts := rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.Rune(), 300, 600, -1)), 1, 5).Draw(t, "texts")
		for _, s := range texts {
			log.Info(s, "text", s, "error", errors.New(s), "any", []byte(s), slog.Group("g", "inner", s))
		}
		if n := strings.Count(b.String(), "\n"); n != len(texts) {
			t.Fatalf("%d lines for %d calls", n, len(texts))
		}
		for line := range strings.Lines(b.String()) {
			var m struct {
				Msg, Text, Error, Any string
				G                     struct{ Inner string }
			}
			err := json.Unmarshal([]byte(line), &m)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range []string{m.Msg, m.Text, m.Error, m.Any, m.G.Inner} {
				if len(v) > longestLogged || textsafe.Terminal(v) != v {
					t.Fatalf("%q", v)
				}
			}
		}
	})
}

func TestTextLog(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	log := NewLogger(&b, "text", slog.LevelInfo).With("part", "x").WithGroup("g")
	log.Debug("not shown")
	log.InfoContext(registry.WithCall(t.Context(), registry.Call{RequestID: "abc"}), "shown", "took", time.Second, "n", 3)
	if got := b.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "part=x") || !strings.Contains(got, "request_id=abc") || !strings.Contains(got, "g.took=1s") {
		t.Errorf("got %q", got)
	}
}

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	seen := make(chan string, 10)
	h := func(w http.ResponseWriter, r *http.Request) {
		seen <- registry.CallOf(r.Context()).RequestID
		ok(w, r)
	}
	s := start(t, h, nil)
	a, b := s.do(t, http.MethodGet, "/api/read", "", "X-Request-Id", "mine-mine-mine"), s.do(t, http.MethodGet, "/api/read", "")
	first, second := a.header.Get("X-Request-Id"), b.header.Get("X-Request-Id")
	if first == "mine-mine-mine" || first == second || len(first) != 24 || <-seen != first || <-seen != second {
		t.Errorf("got %q and %q", first, second)
	}
	p := start(t, h, func(c *Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")} })
	for _, id := range []string{"mine-mine-mine", "0123456789abcdef.A_b"} {
		if got := p.do(t, http.MethodGet, "/api/read", "", "X-Request-Id", id).header.Get("X-Request-Id"); got != id {
			t.Errorf("a proxy's id became %q", got)
		}
	}
	for _, id := range []string{"short", "with space", "quote\"quote", strings.Repeat("x", 65), "ümlaut-ümlaut"} {
		if got := p.do(t, http.MethodGet, "/api/read", "", "X-Request-Id", id).header.Get("X-Request-Id"); got == id || len(got) != 24 {
			t.Errorf("%q became %q", id, got)
		}
	}
}

func TestPanic(t *testing.T) {
	t.Parallel()
	h := func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/adagents/validate", "/api/read", "/page":
			panic("the secret plan")
		case "/half":
			_, _ = w.Write([]byte("half"))
			_ = http.NewResponseController(w).Flush()
			panic("too late")
		case "/abort":
			panic(http.ErrAbortHandler)
		}
	}
	s := start(t, h, nil)
	for _, path := range []string{"/api/adagents/validate", "/api/read", "/page"} {
		a := s.do(t, http.MethodPost, path, "")
		id := a.header.Get("X-Request-Id")
		if a.status != http.StatusInternalServerError || strings.Contains(a.text, "secret") || !strings.Contains(a.text, id) || !strings.Contains(a.text, "Internal server error") {
			t.Errorf("%s: %d %s", path, a.status, a.text)
		}
		if _, enveloped := a.body["success"]; enveloped != strings.Contains(path, "adagents") {
			t.Errorf("%s: %s", path, a.text)
		}
	}
	for _, path := range []string{"/half", "/abort"} {
		resp, err := s.client.Get(s.url + path)
		if err == nil {
			_, err = new(bytes.Buffer).ReadFrom(resp.Body)
			_ = resp.Body.Close()
		}
		if err == nil {
			t.Errorf("%s: an answer that was cut off looks whole", path)
		}
	}
	text := s.log.String()
	if !strings.Contains(text, "the secret plan") || !strings.Contains(text, "log_test.go") || strings.Count(text, `"msg":"panic"`) != 4 {
		t.Errorf("the log: %s", text)
	}
	if !strings.Contains(scrape(t, s.metrics), "avow_http_panics_total 4") {
		t.Error("panics are not counted")
	}
}

func TestUntrustedProxyIsNamedOnce(t *testing.T) {
	t.Parallel()
	s := start(t, ok, nil)
	for range 3 {
		s.do(t, http.MethodGet, "/api/read", "", "X-Forwarded-For", "192.0.2.1")
	}
	if n := strings.Count(s.log.String(), "trusted proxies"); n != 1 {
		t.Errorf("said %d times", n)
	}
}
