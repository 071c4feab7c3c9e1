package cli

import (
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/test/testca"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	s := startService(t, map[string]string{"AVOW_LOG_LEVEL": "warn"})
	_, port, err := net.SplitHostPort(strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"127.0.0.1", "0.0.0.0"} {
		got := run(t, nil, "serve", "health", "--addr", host+":"+port)
		if got.code != console.ExitYes || !strings.HasPrefix(got.stdout, `{"status":"ready"`) {
			t.Errorf("%s: exit code %d: %s%s", host, got.code, got.stdout, got.stderr)
		}
	}
	config := filepath.Join(t.TempDir(), "avow.toml")
	err = os.WriteFile(config, fmt.Appendf(nil, "addr = [\":%s\"]\nlog_level = \"warn\"\n", port), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	got := run(t, nil, "serve", "health", "--config", config)
	if got.code != console.ExitYes {
		t.Errorf("with the file of the service: exit code %d: %s%s", got.code, got.stdout, got.stderr)
	}
}

func TestHealthOfOthers(t *testing.T) {
	t.Parallel()
	status := func(code int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/readyz" {
				t.Errorf("asked for %s", r.URL.Path)
			}
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(code)
			fmt.Fprint(w, body)
		}
	}
	for name, tt := range map[string]struct {
		handler http.HandlerFunc
		code    int
		out     string
	}{
		"not ready": {status(http.StatusServiceUnavailable, `{"status":"unavailable"}`), console.ExitNo, `{"status":"unavailable"}`},
		"redirect":  {status(http.StatusFound, "elsewhere"), console.ExitNo, "elsewhere"},
		"escapes":   {status(http.StatusOK, "\x1b[2J"), console.ExitYes, `\u{1b}[2J`},
	} {
		server := httptest.NewServer(tt.handler)
		got := run(t, nil, "serve", "health", "--addr", server.Listener.Addr().String())
		server.Close()
		if got.code != tt.code || strings.TrimSpace(got.stdout) != tt.out {
			t.Errorf("%s: exit code %d, %q%s", name, got.code, got.stdout, got.stderr)
		}
		got = run(t, nil, "serve", "health", "--addr", server.Listener.Addr().String())
		if got.code != console.ExitUnknown || !strings.Contains(got.stderr, "does not answer") {
			t.Errorf("%s, ended: exit code %d, %q%s", name, got.code, got.stdout, got.stderr)
		}
	}
	for _, addr := range []string{"", "127.0.0.1", "127.0.0.1:0", "a b:80"} {
		got := run(t, nil, "serve", "health", "--addr", addr)
		if got.code != console.ExitUsage {
			t.Errorf("--addr %q: exit code %d: %s", addr, got.code, got.stderr)
		}
	}
}

// TestHealthOverTLS: the certificate of the service is trusted, and that of another is not.
func TestHealthOverTLS(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ready") }))
	defer server.Close()
	own := filepath.Join(t.TempDir(), "chain.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	err := os.WriteFile(own, text, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.pem")
	issuer, err := testca.New("another", nil)
	if err == nil {
		err = os.WriteFile(other, issuer.PEM(), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{own: console.ExitYes, other: console.ExitUnknown, "nowhere.pem": console.ExitUnknown, "health_test.go": console.ExitUsage} {
		got := run(t, nil, "serve", "health", "--addr", server.Listener.Addr().String(), "--tls-cert", name)
		if got.code != want {
			t.Errorf("%s: exit code %d, want %d: %s", name, got.code, want, got.stderr)
		}
	}
}
