package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/internal/test/witness"
	"github.com/avow-project/avow/internal/translog"
)

var servingLine = regexp.MustCompile(`avow: serving on (https?://[^\s,]+)`)

// watchedOutput is standard error of a service: it tells when the URL is known.
type watchedOutput struct {
	mu   sync.Mutex
	text bytes.Buffer
	url  chan string
}

func (w *watchedOutput) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text.Write(b)
	m := servingLine.FindSubmatch(b)
	if m != nil {
		w.url <- string(m[1])
	}
	return len(b), nil
}

func (w *watchedOutput) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// serviceUnderTest is avow serve, running in this process.
type serviceUnderTest struct {
	url, store string
	stderr     *watchedOutput
}

const serveWeb = `
-- https://publisher.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authorized_agents": [], "properties": [{"property_id": "site", "property_type": "website", "name": "Site",
 "identifiers": [{"type": "domain", "value": "publisher.example"}], "publisher_domain": "publisher.example"}]}
-- dns --
self.example 198.51.100.20
`

// startService runs avow serve in a fake internet until the test ends.
func startService(t *testing.T, env map[string]string, args ...string) *serviceUnderTest {
	t.Helper()
	return startServiceAt(t, nil, env, args...)
}

// startServiceAt runs it with a clock.
func startServiceAt(t *testing.T, now func() time.Time, env map[string]string, args ...string) *serviceUnderTest {
	t.Helper()
	spec, err := fakeweb.Parse([]byte(serveWeb))
	if err != nil {
		t.Fatal(err)
	}
	web, err := spec.Start()
	if err != nil {
		t.Fatal(err)
	}
	s := &serviceUnderTest{store: "sqlite:" + filepath.Join(t.TempDir(), "registry.db"), stderr: &watchedOutput{url: make(chan string, 1)}}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	go func() {
		ended <- Run(ctx, console.Env{
			Args:  append([]string{"serve", "--addr", "127.0.0.1:0", "--store", s.store}, args...),
			Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: s.stderr, Network: web.Network(), Now: now,
			Getenv: func(name string) string { return env[name] },
		})
	}()
	t.Cleanup(func() {
		stop()
		code := <-ended
		if code != console.ExitYes {
			t.Errorf("exit code %d: %s", code, s.stderr)
		}
		web.Close()
	})
	select {
	case s.url = <-s.stderr.url:
	case code := <-ended:
		ended <- code
		t.Fatalf("the service ended with %d: %s", code, s.stderr)
	}
	return s
}

// call sends a request and returns the status and the members of the answer.
func (s *serviceUnderTest) call(t *testing.T, method, path, body string, headers ...string) (int, map[string]any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		err = json.Unmarshal(text, &members)
		if err != nil {
			t.Fatalf("%s: %s", err, text)
		}
	}
	return resp.StatusCode, members
}

// page returns the status and the text of a page, as a browser asks for it.
func (s *serviceUnderTest) page(t *testing.T, path string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func TestServe(t *testing.T) {
	t.Parallel()
	s := startService(t, nil, "--log-format", "json", "--rate-create", "1/h")
	for _, path := range []string{"/healthz", "/readyz"} {
		status, _ := s.call(t, http.MethodGet, path, "")
		if status != http.StatusOK {
			t.Errorf("%s: %d", path, status)
		}
	}
	status, got := s.call(t, http.MethodPost, "/api/adagents/validate", `{"domain":"publisher.example"}`)
	data, _ := got["data"].(map[string]any)
	if status != http.StatusOK || got["success"] != true || data["found"] != true {
		t.Errorf("validate: %d %v", status, got)
	}
	for i, want := range []int{http.StatusBadRequest, http.StatusTooManyRequests} {
		status, got = s.call(t, http.MethodPost, "/api/adagents/create", `{}`)
		if status != want || got["success"] != false {
			t.Errorf("create %d: %d %v", i, status, got)
		}
	}
	if status, page := s.page(t, "/go?q=publisher.example"); status != http.StatusTooManyRequests || !strings.Contains(page, `data-wait="`) {
		t.Errorf("a page beyond its rate: %d %s", status, page)
	}
	status, _ = s.call(t, http.MethodPut, "/api/registry/mirrors/x", `{}`, "Sec-Fetch-Site", "cross-site")
	if status != http.StatusForbidden {
		t.Errorf("a write of another origin: %d", status)
	}
	for line := range strings.Lines(s.stderr.String()) {
		if !strings.HasPrefix(line, "avow: ") && !json.Valid([]byte(line)) {
			t.Errorf("a line that is no JSON: %s", line)
		}
	}
}

// TestServeRefusesItself: nobody gets the service to ask its own address.
func TestServeRefusesItself(t *testing.T) {
	t.Parallel()
	s := startService(t, nil, "--deny", "198.51.100.20", "--metrics-addr", "127.0.0.1:0")
	status, got := s.call(t, http.MethodPost, "/api/adagents/validate", `{"domain":"self.example"}`)
	data, _ := got["data"].(map[string]any)
	if status != http.StatusOK || data["found"] != false {
		t.Errorf("%d %v", status, got)
	}
	find := regexp.MustCompile(`http://[^\s"]*/metrics`)
	url := find.FindString(s.stderr.String())
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil || !strings.Contains(string(text), `avow_fetches_total{outcome="guarded_address"}`) || strings.Contains(string(text), "self.example") {
		t.Errorf("%v: %s", err, text)
	}
}

func TestServeWithKeys(t *testing.T) {
	t.Parallel()
	s := startService(t, nil)
	made := run(t, nil, "keys", "create", "--name", "Example", "--scope", "write", "--store", s.store)
	secret := strings.TrimSpace(made.stdout)
	if made.code != console.ExitYes || !strings.HasPrefix(secret, "avow_") {
		t.Fatalf("got %+v", made)
	}
	save := func() int {
		status, _ := s.call(t, http.MethodPost, "/api/brands/save", `{"domain":"brand.example","brand_name":"Brand"}`, "Authorization", "Bearer "+secret)
		return status
	}
	status, _ := s.call(t, http.MethodPost, "/api/brands/save", `{"domain":"brand.example","brand_name":"Brand"}`)
	if status != http.StatusUnauthorized {
		t.Errorf("without a key: %d", status)
	}
	if status = save(); status != http.StatusOK {
		t.Errorf("with a key: %d", status)
	}
	if strings.Contains(s.stderr.String(), secret[5:]) {
		t.Error("the key is in the log")
	}
}

// TestModeratorAmongGuesses: a moderator gets in however many wrong keys the same address has tried.
func TestModeratorAmongGuesses(t *testing.T) {
	t.Parallel()
	s := startService(t, nil)
	made := run(t, nil, "keys", "create", "--name", "Example", "--scope", "moderate", "--store", s.store)
	secret := strings.TrimSpace(made.stdout)
	if made.code != console.ExitYes {
		t.Fatalf("got %+v", made)
	}
	enter := func(key string) int {
		status, _ := s.call(t, http.MethodPost, "/moderate", "key="+key, "Content-Type", "application/x-www-form-urlencoded")
		return status
	}
	refused := 0
	for range 70 {
		if enter("avow_"+strings.Repeat("1", len(secret)-5)) == http.StatusTooManyRequests {
			refused++
		}
	}
	if status := enter(secret); status != http.StatusOK || refused == 0 {
		t.Errorf("the right key gets %d after %d of 70 wrong ones were refused", status, refused)
	}
}

func TestServeFailures(t *testing.T) {
	t.Parallel()
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close() //nolint:errcheck // nothing was sent
	store := "sqlite:" + filepath.Join(t.TempDir(), "a.db")
	tests := []struct {
		name string
		code int
		want string
		args []string
	}{
		{"arguments", console.ExitUsage, "takes no arguments", []string{"now"}},
		{"store", console.ExitUnknown, "cannot open the store", []string{"--store", "mysql:x"}},
		{"address", console.ExitUsage, "is not an address to listen on", []string{"--addr", "8080"}},
		{"taken", console.ExitUnknown, "cannot listen", []string{"--addr", taken.Addr().String()}},
		{"metrics for all", console.ExitUnknown, "must be one of this machine", []string{"--addr", "127.0.0.1:0", "--metrics-addr", "0.0.0.0:0"}},
		{"no certificate", console.ExitUnknown, "certificate", []string{"--addr", "127.0.0.1:0", "--tls-cert", "x.pem", "--tls-key", "y.pem"}},
		{"flag", console.ExitUsage, "invalid --rate-read", []string{"--rate-read", "often"}},
		{"no connections", console.ExitUsage, "--max-conns must be 1 at least", []string{"--max-conns", "0"}},
		{"no quota", console.ExitUsage, "--enrich-quota must be 1 at least", []string{"--enrich-quota", "0"}},
		{"no time", console.ExitUsage, "--mirror-keep must be longer", []string{"--mirror-keep", "0s"}},
	}
	for _, tt := range tests {
		got := run(t, nil, append([]string{"serve", "--store", store}, tt.args...)...)
		if got.code != tt.code || !strings.Contains(got.stderr, tt.want) {
			t.Errorf("%s: %d %s", tt.name, got.code, got.stderr)
		}
	}
	got := run(t, nil, "serve", "--store", "postgres://user:hush@127.0.0.1:1/db?sslmode=perhaps")
	if got.code != console.ExitUnknown || strings.Contains(got.stderr, "hush") {
		t.Errorf("got %d %s", got.code, got.stderr)
	}
}

// process starts avow as a process of its own and returns it with its URL.
func process(t *testing.T, args ...string) (*exec.Cmd, string, *bufio.Reader) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Args = append([]string{"avow", "serve", "--addr", "127.0.0.1:0", "--store", "sqlite:" + filepath.Join(t.TempDir(), "a.db")}, args...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	err = cmd.Start()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stderr)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("the process ended: %v", err)
		}
		if m := servingLine.FindStringSubmatch(line); m != nil {
			return cmd, m[1], lines
		}
	}
}

func TestSignals(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		cmd, url, rest := process(t)
		for _, s := range []syscall.Signal{syscall.SIGHUP, sig} {
			resp, err := http.Get(url + "/healthz")
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			err = cmd.Process.Signal(s)
			if err != nil {
				t.Fatal(err)
			}
		}
		text, _ := io.ReadAll(rest)
		err := cmd.Wait()
		if err != nil {
			t.Errorf("%s: %v: %s", sig, err, text)
		}
		if !strings.Contains(string(text), "stopped") {
			t.Errorf("%s: %s", sig, text)
		}
	}
}

// TestSecondSignal ends a service that waits for a request at once.
func TestSecondSignal(t *testing.T) {
	t.Parallel()
	cmd, url, rest := process(t)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // the process is gone
	fmt.Fprint(conn, "POST /api/adagents/create HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n")
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q, %v", line, err)
	}
	err = cmd.Process.Signal(syscall.SIGTERM)
	if err != nil {
		t.Fatal(err)
	}
	for line := ""; !strings.Contains(line, "draining"); {
		line, err = rest.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, rest)
	}()
	// The process may still be about to notice that it was told before.
	for again := true; again; {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may be gone
		select {
		case <-ended:
			again = false
		case <-time.After(10 * time.Millisecond):
		}
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); !ok || !status.Signaled() {
		t.Errorf("the process ended by itself: %v", err)
	}
}

func TestSecretsHaveNoFlag(t *testing.T) {
	t.Parallel()
	got := run(t, nil, "serve", "--enrich-key", "hush")
	if got.code != console.ExitUsage || !strings.Contains(got.stderr, "unknown flag: --enrich-key") {
		t.Errorf("got %d %s", got.code, got.stderr)
	}
	if help := run(t, nil, "serve", "--help"); strings.Contains(help.stdout, "--enrich-key") {
		t.Error("the help offers a flag for a secret")
	}
	variables := map[string]string{"AVOW_ENRICH_KEY": "hush now", "AVOW_STORE": "sqlite:" + filepath.Join(t.TempDir(), "x.db")}
	got = run(t, func(env *console.Env) { env.Getenv = func(name string) string { return variables[name] } }, "serve", "--addr", "127.0.0.1:0")
	if got.code != console.ExitUsage || strings.Contains(got.stderr, "hush") {
		t.Errorf("got %d %s", got.code, got.stderr)
	}
}

// TestServeOpen: a service that other machines reach without encryption is warned about.
func TestServeOpen(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		args []string
		want bool
	}{
		{nil, false}, {[]string{"--addr", "0.0.0.0:0"}, true}, {[]string{"--addr", "0.0.0.0:0", "--base-url", "https://registry.example"}, false},
	} {
		t.Run(strings.Join(tc.args, " "), func(t *testing.T) {
			t.Parallel()
			var s *serviceUnderTest
			t.Cleanup(func() { // when it has ended
				if got := strings.Contains(s.stderr.String(), "warning: other machines can connect, and nothing is encrypted"); got != tc.want {
					t.Errorf("warned is %v: %s", got, s.stderr)
				}
			})
			s = startService(t, nil, tc.args...)
		})
	}
}

// TestServeWitnessDown: /readyz tells of a witness that has not cosigned for a quarter of an hour.
func TestServeWitnessDown(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key, policy, store := filepath.Join(dir, "log.key"), filepath.Join(dir, "policy"), "sqlite:"+filepath.Join(dir, "registry.db")
	made := run(t, nil, "log", "init", "--origin", "registry.example.com/log", "--key", key, "--store", store)
	if made.code != console.ExitYes {
		t.Fatal(made.stderr)
	}
	signer, err := translog.NewSigner("witness.example.com/w", translog.Timed, make([]byte, 32))
	must(t, err)
	text := made.stdout + witness.New(signer, testNow).PolicyLine("witness.example.com/w", "https://witness.example.com/w")
	must(t, os.WriteFile(policy, []byte(text), 0o600))
	var minutes atomic.Int64
	now := func() time.Time { return testNow().Add(time.Duration(minutes.Load()) * time.Minute) }
	s := startServiceAt(t, now, nil, "--store", store, "--log-key", key, "--log-policy", policy)
	for warned := false; !warned; minutes.Add(1) {
		status, doc := s.call(t, "GET", "/readyz", "")
		if status != http.StatusOK {
			t.Fatalf("status %d: %v", status, doc)
		}
		warned = strings.Contains(fmt.Sprint(doc["warnings"]), "the witness witness.example.com/w has not cosigned")
	}
	if n := minutes.Load(); n < 15 {
		t.Errorf("warned after %d minutes", n)
	}
}

// TestProofWaits: a receipt is waited for until the log of the service has the answer.
func TestProofWaits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key, receipt, store := filepath.Join(dir, "log.key"), filepath.Join(dir, "receipt.txt"), "sqlite:"+filepath.Join(dir, "registry.db")
	_, in := inWeb(t, serveWeb)
	made := run(t, in, "log", "init", "--origin", "registry.example.com/log", "--key", key, "--store", store)
	if made.code != console.ExitYes {
		t.Fatal(made.stderr)
	}
	asked := make(chan outcome, 1)
	go func() {
		asked <- run(t, in, "authorize", "publisher.example", "--agent", "https://agent.example/mcp", "--store", store, "--proof", receipt, "--log-key", key, "--wait", "10m")
	}()
	for {
		select {
		case got := <-asked:
			_, err := os.Stat(receipt)
			if err != nil {
				t.Errorf("no receipt: %s%s", got.stdout, got.stderr)
			}
			return
		default:
			flushed := run(t, in, "log", "flush", "--key", key, "--store", store)
			if flushed.code != console.ExitYes {
				t.Fatal(flushed.stderr)
			}
		}
	}
}
