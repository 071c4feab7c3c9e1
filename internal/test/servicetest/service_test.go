package servicetest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/cli"
	"github.com/avow-project/avow/internal/test/pgtest"
)

// patience is longer than anything here takes on any machine that gets on with it.
const patience = 10 * time.Minute

var (
	servingLine = regexp.MustCompile(`avow: serving on (http://[^\s,]+)`)
	metricsLine = regexp.MustCompile(`http://[^\s"]+/metrics`)
)

// A place is a store and the secrets of keys in it, with all that came out of the
// services on it.
type place struct {
	t               *testing.T
	store           string
	provider        *provider
	write, moderate string
	left            *remains
}

// newPlace makes keys in a new store. The services on it are looked through for the key
// of the provider when the test ends.
func newPlace(t *testing.T, store string) *place {
	t.Helper()
	p := &place{t: t, store: store, provider: newProvider(t), left: new(remains)}
	p.write, p.moderate = p.key("write"), p.key("moderate")
	t.Cleanup(func() { p.checkRemains() })
	return p
}

// stores are those of a service, each new.
func stores() map[string]func(t *testing.T) string {
	return map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "registry.db") },
		"postgres": func(t *testing.T) string { return pgtest.URL(t) },
	}
}

// key makes a key as an operator does.
func (p *place) key(scope string) string {
	p.t.Helper()
	var stdout, stderr bytes.Buffer
	code := cli.Run(p.t.Context(), cli.Env{
		Args:  []string{"keys", "create", "--name", scope, "--scope", scope, "--store", p.store},
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(string) string { return "" },
	})
	if code != 0 {
		p.t.Fatalf("keys create ends with %d: %s", code, &stderr)
	}
	return strings.TrimSpace(stdout.String())
}

// A process is avow serve.
type process struct {
	place        *place
	cmd          *exec.Cmd
	log          *logBuffer
	url, metrics string
	ended        chan struct{}
	stopping     sync.Once
}

// logBuffer is the standard error of a process. It tells when both addresses are known.
type logBuffer struct {
	mu    sync.Mutex
	text  bytes.Buffer
	ready chan struct{}
	told  bool
}

func (l *logBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(b)
	if !l.told && servingLine.Match(l.text.Bytes()) && metricsLine.Match(l.text.Bytes()) {
		l.told = true
		close(l.ready)
	}
	return len(b), nil
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// serve starts a service that ends with the test, with more variables in its environment.
func (p *place) serve(environment ...string) *process {
	p.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	s := &process{place: p, log: &logBuffer{ready: make(chan struct{})}, ended: make(chan struct{})}
	args := []string{"serve", "--addr", "127.0.0.1:0", "--metrics-addr", "127.0.0.1:0", "--store", p.store, "--log-format", "json", "--log-level", "debug"}
	for _, class := range []string{"validate", "lookup", "read", "create", "enrich", "write"} {
		args = append(args, "--rate-"+class, "off")
	}
	hookKey := filepath.Join(p.t.TempDir(), "webhook.jwk")
	err = os.WriteFile(hookKey, []byte(`{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`), 0o600)
	if err != nil {
		p.t.Fatal(err)
	}
	args = append(args, "--webhook-key", hookKey)
	s.cmd = exec.CommandContext(context.Background(), exe, args...)
	s.cmd.Env = []string{
		webVariable + "=testdata/web.txtar", "HOME=" + p.t.TempDir(), "PATH=" + os.Getenv("PATH"),
		"AVOW_ENRICH_URL=" + p.provider.url, "AVOW_ENRICH_KEY=" + canary,
	}
	s.cmd.Env = append(s.cmd.Env, environment...)
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	err = s.cmd.Start()
	if err != nil {
		p.t.Fatal(err)
	}
	go func() {
		_ = s.cmd.Wait()
		close(s.ended)
	}()
	p.t.Cleanup(s.stop)
	s.await()
	return s
}

// await waits until the service says where it is.
func (s *process) await() {
	t := s.place.t
	t.Helper()
	select {
	case <-s.log.ready:
	case <-s.ended:
		t.Fatalf("the service ended: %s", s.log)
	case <-time.After(patience):
		t.Fatalf("the service does not start: %s", s.log)
	}
	s.url = servingLine.FindStringSubmatch(s.log.String())[1]
	s.metrics = metricsLine.FindString(s.log.String())
}

// stop ends the service, and keeps what it wrote and what it shows of its inside.
func (s *process) stop() {
	s.stopping.Do(func() {
		t := s.place.t
		for _, page := range []string{"", "/debug/pprof/cmdline", "/debug/pprof/goroutine?debug=2", "/debug/pprof/heap?debug=1"} {
			s.place.left.add("metrics"+page, s.inside(page))
		}
		err := s.cmd.Process.Signal(syscall.SIGTERM)
		if err != nil {
			t.Error(err)
		}
		select {
		case <-s.ended:
		case <-time.After(patience):
			t.Errorf("the service does not stop: %s", s.log)
			_ = s.cmd.Process.Kill()
			<-s.ended
		}
		s.place.left.add("log", []byte(s.log.String()))
		if code := s.cmd.ProcessState.ExitCode(); code != 0 {
			t.Errorf("the service ended with %d: %s", code, s.log)
		}
	})
}

// kill ends the service without a warning.
func (s *process) kill() {
	s.stopping.Do(func() {
		err := s.cmd.Process.Kill()
		if err != nil {
			s.place.t.Error(err)
		}
		<-s.ended
		s.place.left.add("log", []byte(s.log.String()))
	})
}

// inside gets a page of the listener for the operator.
func (s *process) inside(page string) []byte {
	url := s.metrics
	if page != "" {
		url = strings.TrimSuffix(s.metrics, "/metrics") + page
	}
	resp, err := http.Get(url)
	if err != nil {
		s.place.t.Error(err)
		return nil
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		s.place.t.Error(err)
	}
	return b
}

// An answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// call makes a request; headers are names and values in turn.
func (s *process) call(method, path, body string, headers ...string) (answer, error) {
	req, err := http.NewRequestWithContext(context.Background(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := plain.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return answer{}, err
	}
	a := answer{resp.StatusCode, resp.Header, b}
	s.place.left.add(method+" "+path, fmt.Appendf(nil, "%v\n%s", a.header, a.body))
	return a, nil
}

// plain is a client that shows redirects instead of following them.
var plain = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// bearer is the header with a key.
func bearer(secret string) []string { return []string{"Authorization", "Bearer " + secret} }
