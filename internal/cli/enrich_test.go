package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/test/fakeweb"
)

// canaryKey is a key that must not turn up anywhere but at the provider.
const canaryKey = "sk_CANARY_b1946ac92492d234"

// hostileProvider is a brand data provider that does something else for every domain,
// and gives back the key that it was sent wherever it can.
func hostileProvider(t *testing.T) string {
	t.Helper()
	const echo = `{"message": "` + canaryKey + `"}`
	answers := map[string]http.HandlerFunc{
		"good.example": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Echo", r.Header.Get("Authorization"))
			_, _ = io.WriteString(w, `{"name": "Good \u001b[31m", "description": "Makes good things", "logos": [
			 {"type": "logo", "theme": "dark", "formats": [{"src": "https://cdn.example/a.svg", "format": "svg"}]},
			 {"type": "logo", "formats": [{"src": "javascript:alert(1)", "format": "svg"}]}]}`)
		},
		"poor.example": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"name": "Poor", "qualityScore": 0.1}`)
		},
		"echo.example": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"name": "`+canaryKey+`"}`) },
		"escaped.example": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"name": "\u0073`+canaryKey[1:]+`"}`)
		},
		"broken.example": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"name": "`+canaryKey) },
		"redirect.example": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/v2/brands/domain/good.example?key="+canaryKey, http.StatusFound)
		},
		"malformed.example": func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_, _ = io.WriteString(conn, canaryKey+" is not HTTP\r\n\r\n")
				_ = conn.Close()
			}
		},
		"limited.example": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "1")
			http.Error(w, echo, http.StatusTooManyRequests)
		},
		"failing.example": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, echo, http.StatusInternalServerError) },
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+canaryKey {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		answer := answers[filepath.Base(r.URL.Path)]
		if answer == nil {
			http.Error(w, echo, http.StatusNotFound)
			return
		}
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// enrichEnv is an environment with a provider and a web without brand.json.
func enrichEnv(t *testing.T, provider string, args ...string) console.Env {
	t.Helper()
	web, err := fakeweb.Start([]byte("-- https://good.example/.well-known/brand.json --\n404\n-- https://own.example/.well-known/brand.json --\n" +
		"200\nContent-Type: application/json\n\n{\"name\": \"Own\"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	vars := map[string]string{"AVOW_ENRICH_URL": provider, "AVOW_ENRICH_KEY": canaryKey}
	return console.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard,
		Getenv: func(name string) string { return vars[name] }, Network: web.Network(),
	}
}

func TestEnrichAsksTheProvider(t *testing.T) {
	t.Parallel()
	provider := hostileProvider(t)
	tests := []struct {
		domain string
		code   int
		want   string
	}{
		{"good.example", console.ExitYes, `"source_type":"enriched","provenance":{"source":"brandfetch"},"manifest":{"name":"Good [31m","url":"https://good.example","description":"Makes good things","logos":[{"url":"https://cdn.example/a.svg","tags":["logo","dark"]}]}}`},
		{"poor.example", console.ExitYes, `"source_type":"community"`},
		{"own.example", console.ExitYes, `"source_type":"brand_json"`},
		{"unknown.example", console.ExitUnknown, `the brand.json could not be read: no answer from unknown.example`},
		{"echo.example", console.ExitUnknown, `Brandfetch returned an answer that cannot be used`},
		{"escaped.example", console.ExitUnknown, `Brandfetch returned an answer that cannot be used`},
		{"broken.example", console.ExitUnknown, `Brandfetch returned an answer that cannot be used`},
		{"redirect.example", console.ExitUnknown, `Brandfetch API error: 302`},
		{"malformed.example", console.ExitUnknown, `Failed to fetch from Brandfetch`},
		{"limited.example", console.ExitUnknown, `Brandfetch limits requests for now`},
		{"failing.example", console.ExitUnknown, `Brandfetch API error: 500`},
	}
	for _, tt := range tests {
		t.Run(tt.domain, func(t *testing.T) {
			t.Parallel()
			for _, format := range []string{"json", "text"} {
				env := enrichEnv(t, provider, "enrich", "--verbose", "--format", format, tt.domain)
				var out, errs bytes.Buffer
				env.Stdout, env.Stderr = &out, &errs
				code := Run(t.Context(), env)
				if code != tt.code || format == "json" && !strings.Contains(out.String(), tt.want) {
					t.Errorf("exit code %d, want %d; %s%s", code, tt.code, out.String(), errs.String())
				}
				if strings.Contains(out.String()+errs.String(), "CANARY") {
					t.Errorf("the key is shown: %s%s", out.String(), errs.String())
				}
			}
		})
	}
}

// lockedBuffer is a buffer that is written to while it is read.
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

// found waits until a pattern is in the buffer, and returns its group.
func (l *lockedBuffer) found(t *testing.T, pattern string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	for range 30_000 {
		m := re.FindStringSubmatch(l.String())
		if m != nil {
			return m[1]
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("no %s in: %s", pattern, l.String())
	return ""
}

// TestEnrichKeyStaysSecret runs the whole service against a provider that gives the key
// back, and looks for the key in everything that the service leaves behind: answers, log,
// metrics, profiles and the files of the store.
func TestEnrichKeyStaysSecret(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	secret := makeWriteKey(t, dir)
	env := enrichEnv(t, hostileProvider(t), "serve", "--addr", "127.0.0.1:0", "--metrics-addr", "127.0.0.1:0",
		"--store", "sqlite:"+filepath.Join(dir, "registry.db"), "--log-level", "debug", "--log-format", "json")
	var log lockedBuffer
	env.Stdout, env.Stderr = &log, &log
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() { ended <- Run(ctx, env) }()
	base := log.found(t, `serving on (http://127\.0\.0\.1:\d+)`)
	metrics := log.found(t, `(http://127\.0\.0\.1:\d+)/metrics`)

	var seen strings.Builder
	for _, domain := range []string{
		"good.example", "poor.example", "own.example", "unknown.example", "echo.example", "escaped.example",
		"broken.example", "redirect.example", "malformed.example", "limited.example", "failing.example", "not%20a%20domain",
	} {
		for _, key := range []string{"", secret} {
			seen.WriteString(answerOf(t, base+"/api/brands/enrich?domain="+domain, key))
		}
	}
	for _, url := range []string{
		base + "/openapi.yaml", base + "/api", base + "/readyz", metrics + "/metrics", metrics + "/debug/pprof/goroutine?debug=2",
		metrics + "/debug/pprof/cmdline", metrics + "/debug/pprof/heap?debug=1",
	} {
		seen.WriteString(answerOf(t, url, ""))
	}
	if !strings.Contains(seen.String(), "Makes good things") || !strings.Contains(seen.String(), "avow_http_requests_total") {
		t.Errorf("the service did not answer as expected: %.3000s", seen.String())
	}
	stored := storedBytes(t, dir)
	stop()
	if code := <-ended; code != console.ExitYes {
		t.Errorf("exit code %d", code)
	}
	if !bytes.Contains(stored, []byte("Makes good things")) {
		t.Error("nothing was stored, so that nothing was looked at")
	}
	for name, text := range map[string]string{
		"the answers": seen.String(), "the log": log.String(), "the store": string(stored), "the store at rest": string(storedBytes(t, dir)),
	} {
		i := strings.Index(text, "CANARY")
		if i >= 0 {
			t.Errorf("the key is in %s: %q", name, text[max(0, i-200):min(len(text), i+100)])
		}
	}
}

// makeWriteKey makes a key for callers of the service.
func makeWriteKey(t *testing.T, dir string) string {
	t.Helper()
	var out bytes.Buffer
	code := Run(t.Context(), console.Env{
		Args:  []string{"keys", "create", "--name", "test", "--scope", "write", "--store", "sqlite:" + filepath.Join(dir, "registry.db")},
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard,
	})
	secret := regexp.MustCompile(`avow_\w+`).FindString(out.String())
	if code != console.ExitYes || secret == "" {
		t.Fatalf("exit code %d: %s", code, out.String())
	}
	return secret
}

// answerOf returns status, headers and body of an answer.
func answerOf(t *testing.T, url, key string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s %v %s\n", response.Status, response.Header, body)
}

// storedBytes returns everything in a folder.
func storedBytes(t *testing.T, dir string) []byte {
	t.Helper()
	var all []byte
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	return all
}
