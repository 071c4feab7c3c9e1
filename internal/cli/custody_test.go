package cli

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/test/fakeweb"
)

const (
	custodyAgent = "https://agent.example/mcp"
	movedPlace   = "https://b.example/files.json"
)

func custodyFile(agent string) string {
	return `{"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "publisher_domain": "pub.example",
"identifiers": [{"type": "domain", "value": "pub.example"}]}], "authorized_agents": [{"url": "` + agent + `", "authorized_for": "all",
"authorization_type": "property_ids", "property_ids": ["site"]}]}`
}

func servedAt(url, body string) string {
	return "-- " + url + " --\n200\nContent-Type: application/json\n\n" + body + "\n"
}

// movingWorld is an internet in which the file of pub.example moves between two runs.
func movingWorld(t *testing.T) func(args ...string) func(change func(*console.Env)) outcome {
	t.Helper()
	at := testNow()
	place := "https://a.example/files.json"
	state := t.TempDir()
	return func(args ...string) func(func(*console.Env)) outcome {
		return func(change func(*console.Env)) outcome {
			spec, err := fakeweb.Parse([]byte(served("pub.example", "", `{"authoritative_location": "`+place+`"}`) +
				servedAt("https://a.example/files.json", custodyFile(custodyAgent)) + servedAt(movedPlace, custodyFile("https://new.example/mcp"))))
			if err != nil {
				t.Fatal(err)
			}
			web, err := spec.Start()
			if err != nil {
				t.Fatal(err)
			}
			defer web.Close()
			now := at
			place, at = movedPlace, at.Add(30*time.Hour)
			return run(t, func(env *console.Env) {
				env.Network, env.Getenv, env.Now = web.Network(), stateIn(state, nil), func() time.Time { return now }
				if change != nil {
					change(env)
				}
			}, args...)
		}
	}
}

// atTerminal types an answer.
func atTerminal(answer string) func(*console.Env) {
	return func(env *console.Env) {
		env.Stdin = strings.NewReader(answer)
		env.IsTerminal = func(s console.Stream) bool { return s == console.Stdin }
	}
}

// TestHoldAsks: a person at a terminal sees what waits and has to say yes.
func TestHoldAsks(t *testing.T) {
	t.Parallel()
	world := movingWorld(t)
	first := world("authorize", "pub.example", "--agent", custodyAgent)(nil)
	moved := world("authorize", "pub.example", "--agent", custodyAgent)(nil)
	if first.code != console.ExitYes || moved.code != console.ExitYes || !strings.Contains(moved.stdout, "held:") {
		t.Fatalf("%+v, %+v", first, moved)
	}
	for _, answer := range []string{"no\n", "\n", "maybe\nno\n"} {
		got := world("hold", "confirm", "pub.example", movedPlace)(atTerminal(answer))
		if got.code != console.ExitNo || !strings.Contains(got.stderr, "nothing was decided") || !strings.Contains(got.stdout, "agent.added") {
			t.Errorf("%q: %+v", answer, got)
		}
	}
	got := world("hold", "confirm", "pub.example", movedPlace)(atTerminal(""))
	if got.code == console.ExitYes {
		t.Errorf("the end of the input is no yes: %+v", got)
	}
	got = world("hold", "confirm", "pub.example", movedPlace)(atTerminal("yes\n"))
	if got.code != console.ExitYes || !strings.Contains(got.stderr, "confirmed "+movedPlace) {
		t.Errorf("%+v", got)
	}
	got = world("hold", "confirm", "pub.example", movedPlace, "--yes")(atTerminal(""))
	if got.code != console.ExitNo || !strings.Contains(got.stderr, "nothing of that name is pending") {
		t.Errorf("%+v", got)
	}
}

// syncBuffer is a buffer that one goroutine writes and another reads.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// TestWatchEnds: a watch tells what happens while it runs, and ends in order when it is
// told to.
func TestWatchEnds(t *testing.T) {
	t.Parallel()
	_, change := inWeb(t, served("pub.example", "", emptyFile))
	stdout, stderr := new(syncBuffer), new(syncBuffer)
	env := console.Env{Args: []string{"watch", "pub.example", "--format", "json"}, Stdin: strings.NewReader(""), Stdout: stdout, Stderr: stderr, Now: testNow}
	change(&env)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan int, 1)
	go func() { ended <- Run(ctx, env) }()
	deadline := time.Now().Add(10 * time.Minute)
	for !strings.Contains(stdout.String(), `"code":"publisher.located"`) {
		if time.Now().After(deadline) {
			t.Fatalf("stdout %q, stderr %q", stdout, stderr)
		}
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	select {
	case code := <-ended:
		if code != console.ExitYes || !strings.Contains(stderr.String(), "avow: watching 1 publisher\n") {
			t.Errorf("exit code %d, stderr %q", code, stderr)
		}
	case <-time.After(10 * time.Minute):
		t.Error("the watch does not end")
	}
}

// TestWatchLostOutput: a watch that nobody can read is over.
func TestWatchLostOutput(t *testing.T) {
	t.Parallel()
	_, change := inWeb(t, served("pub.example", "", emptyFile))
	got := run(t, func(env *console.Env) {
		change(env)
		env.Stdout = brokenWriter{}
	}, "watch", "pub.example")
	if got.code != console.ExitUnknown || !strings.Contains(got.stderr, "no space left on device") {
		t.Errorf("%+v", got)
	}
}

// TestCrawlAllOfNothing: nobody is known yet.
func TestCrawlAllOfNothing(t *testing.T) {
	t.Parallel()
	_, change := inWeb(t, served("pub.example", "", emptyFile))
	got := run(t, change, "crawl", "--all", "--events")
	if got.code != console.ExitYes || got.stdout+got.stderr != "" {
		t.Errorf("%+v", got)
	}
}

// TestCrawlHook runs the command with a webhook.
func TestCrawlHook(t *testing.T) {
	t.Parallel()
	const key = `{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`
	var requests, unsigned atomic.Int64
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.URL.String() != "/hook?x=1" || r.Header.Get("Signature") == "" || r.Header.Get("Content-Digest") == "" {
			unsigned.Add(1)
		}
	}))
	t.Cleanup(hook.Close)
	_, change := inWeb(t, served("pub.example", "", emptyFile))
	path := tempFile(t, key)
	err := os.Chmod(path, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	got := run(t, change, "crawl", "pub.example", "--events", "--webhook", hook.URL+"/hook?x=1", "--webhook-key", path)
	if got.code != console.ExitYes || !strings.Contains(got.stdout, "[file.adopted]") || !strings.Contains(got.stderr, "can be read by others") {
		t.Errorf("%+v", got)
	}
	if n := strings.Count(got.stdout, "\n"); int(requests.Load()) != n || n == 0 || unsigned.Load() != 0 {
		t.Errorf("%d requests for %d events, %d of them not signed", requests.Load(), n, unsigned.Load())
	}
}
