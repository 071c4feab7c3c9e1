package cli

import (
	"bytes"
	"context"
	"fmt"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/test/fakeweb"
)

// inWeb puts a run into an internet.
func inWeb(t *testing.T, archive string) (*fakeweb.Web, func(*console.Env)) {
	t.Helper()
	spec, err := fakeweb.Parse([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	web, err := spec.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	state := t.TempDir()
	return web, func(env *console.Env) { env.Network, env.Getenv = web.Network(), stateIn(state, env.Getenv) }
}

// stateIn is an environment in which things are kept in a folder.
func stateIn(dir string, others func(string) string) func(string) string {
	return func(name string) string {
		switch {
		case name == "XDG_STATE_HOME":
			return dir
		case others == nil:
			return ""
		}
		return others(name)
	}
}

const emptyFile = `{"contact": {"name": "x"}, "properties": [], "authorized_agents": []}`

// served is a section of an archive with a file.
func served(host, words, body string) string {
	return "-- https://" + host + "/.well-known/adagents.json --\n200 " + words + "\nContent-Type: application/json\n\n" + body + "\n"
}

func TestManyDomainsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	var archive strings.Builder
	args := []string{"validate", "--quiet"}
	for i := range 40 {
		host := fmt.Sprintf("p%02d.example", i)
		archive.WriteString(served(host, fmt.Sprintf("delay=%dms", (40-i)*5), emptyFile))
		args = append(args, host)
	}
	_, change := inWeb(t, archive.String())
	got := run(t, change, args...)
	lines := strings.Split(got.stdout, "\n")
	for i := range 40 {
		if want := fmt.Sprintf("p%02d.example: ", i); !strings.HasPrefix(lines[i], want) {
			t.Fatalf("line %d is %q, want %q", i, lines[i], want)
		}
	}
	if got.stderr != "" {
		t.Errorf("stderr is %q", got.stderr)
	}
}

// TestDomainsAreAskedSixteenAtOnce keeps all who ask until sixteen do.
func TestDomainsAreAskedSixteenAtOnce(t *testing.T) {
	t.Parallel()
	var archive strings.Builder
	args := []string{"validate", "--quiet"}
	for i := range 50 {
		host := fmt.Sprintf("p%02d.example", i)
		archive.WriteString(served(host, "", emptyFile))
		args = append(args, host)
	}
	_, change := inWeb(t, archive.String())
	var now, most atomic.Int64
	var full sync.Once
	all := make(chan struct{})
	got := run(t, func(env *console.Env) {
		change(env)
		lookup := env.Network.Resolver
		env.Network.Resolver = resolverFunc(func(ctx context.Context, network, host string) ([]netip.Addr, error) {
			n := now.Add(1)
			defer now.Add(-1)
			if n == request.AtOnce {
				full.Do(func() { close(all) })
			}
			if n > request.AtOnce {
				most.Store(n)
			}
			<-all
			return lookup.LookupNetIP(ctx, network, host)
		})
	}, append(args, "--timeout", "1h")...)
	if most.Load() > 0 {
		t.Errorf("%d at once", most.Load())
	}
	if n := strings.Count(got.stdout, "\n"); n != 51 {
		t.Errorf("%d lines", n)
	}
}

type resolverFunc func(ctx context.Context, network, host string) ([]netip.Addr, error)

func (f resolverFunc) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	return f(ctx, network, host)
}

// TestInterrupt ends a run while hosts are silent. The last of them is asked when the fast
// one has answered.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"validate", "discover"} {
		archive, args := served("fast.example", "", emptyFile), []string{command, "fast.example"}
		for i := range request.AtOnce {
			host := fmt.Sprintf("slow%d.example", i)
			archive += served(host, "stall", emptyFile)
			args = append(args, host)
		}
		web, change := inWeb(t, archive)
		var stdout, stderr syncBuffer
		env := console.Env{Args: append(args, "--timeout", "1h"), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Now: testNow}
		change(&env)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for len(web.Requests()) <= request.AtOnce {
				time.Sleep(time.Millisecond)
			}
			cancel()
		}()
		code := Run(ctx, env)
		if code != console.ExitUnknown || !strings.Contains(stderr.String(), "avow: error: interrupted") {
			t.Errorf("%s: exit code %d, stderr %q", command, code, stderr.String())
		}
		if !strings.Contains(stdout.String(), "fast.example") || strings.Contains(stdout.String(), "slow") {
			t.Errorf("%s: stdout %q", command, stdout.String())
		}
	}
}

// TestProgress shows a bar to a person who waits, and to nobody else.
func TestProgress(t *testing.T) {
	t.Parallel()
	var archive strings.Builder
	var hosts []string
	for i := range 5 {
		hosts = append(hosts, fmt.Sprintf("p%d.example", i))
		archive.WriteString(served(hosts[i], "", emptyFile))
	}
	_, change := inWeb(t, archive.String())
	person := func(vars map[string]string) func(*console.Env) {
		return func(env *console.Env) {
			onTerminal(vars)(env)
			change(env)
		}
	}
	tests := []struct {
		name   string
		change func(*console.Env)
		args   []string
		want   bool
	}{
		{"a person and many", person(nil), hosts, true},
		{"few", person(nil), hosts[:3], false},
		{"verbose", person(nil), append([]string{"-v"}, hosts...), false},
		{"dumb terminal", person(map[string]string{"TERM": "dumb"}), hosts, false},
		{"nobody", change, hosts, false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := run(t, tc.change, append([]string{"validate", "--quiet", "--color=never", "http://x.example"}, tc.args...)...)
			if strings.Contains(got.stderr, "checked 0 of 5") != tc.want {
				t.Errorf("stderr is %q", got.stderr)
			}
			if !strings.Contains(got.stderr, "avow: error: http://x.example: avow checks https URLs only\n") {
				t.Errorf("stderr lacks the error: %q", got.stderr)
			}
			if n := strings.Count(got.stdout, "not valid"); n < 3 || strings.Contains(got.stdout, "checked 0 of") {
				t.Errorf("stdout is %q", got.stdout)
			}
		})
	}
}

// TestProgressOfLists: every command that takes a list shows how far it is, and who failed.
func TestProgressOfLists(t *testing.T) {
	t.Parallel()
	var archive, names strings.Builder
	for i := range 5 {
		fmt.Fprintf(&names, "p%d.example\n", i)
		if i > 0 {
			archive.WriteString(served(fmt.Sprintf("p%d.example", i), "", emptyFile))
		}
	}
	_, change := inWeb(t, archive.String()+"-- https://p0.example/.well-known/adagents.json --\n500\n")
	list := tempFile(t, names.String())
	network := tempFile(t, `{"authorized_agents": []}`)
	for _, args := range [][]string{
		{"validate"}, {"discover"}, {"crawl"}, {"crawl", "--only"}, {"resolve", "--agent", "https://agent.example/mcp"}, {"network", network},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			if args[0] == "crawl" {
				args = append(args, "--store", "sqlite:"+filepath.Join(t.TempDir(), "state.db"))
			}
			bar := &awaited{text: "\rchecked 4 of 5, 1 failed", seen: make(chan struct{})}
			run(t, func(env *console.Env) {
				onTerminal(nil)(env)
				change(env)
				env.Stderr = bar
				env.Network.Resolver = &lateResolver{env.Network.Resolver, "p4.example", bar.seen}
			}, append(args, "--from", list)...)
			select {
			case <-bar.seen:
			default:
				t.Errorf("no %q in %q", bar.text, bar.got.String())
			}
		})
	}
}

// An awaited text is noticed when it is written.
type awaited struct {
	text string
	seen chan struct{}
	got  bytes.Buffer
}

// Write looks for the text.
func (w *awaited) Write(b []byte) (int, error) {
	was := strings.Contains(w.got.String(), w.text)
	n, err := w.got.Write(b)
	if !was && strings.Contains(w.got.String(), w.text) {
		close(w.seen)
	}
	return n, err
}

// A lateResolver does not know a host until something has happened.
type lateResolver struct {
	netguard.Resolver
	host     string
	happened <-chan struct{}
}

// LookupNetIP waits if it is asked for the host.
func (r *lateResolver) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	if host == r.host {
		select {
		case <-r.happened:
		case <-ctx.Done():
		}
	}
	return r.Resolver.LookupNetIP(ctx, network, host)
}

func TestLostOutputBehindABar(t *testing.T) {
	t.Parallel()
	var archive strings.Builder
	args := []string{"validate"}
	for i := range 5 {
		host := fmt.Sprintf("p%d.example", i)
		archive.WriteString(served(host, "", emptyFile))
		args = append(args, host)
	}
	_, change := inWeb(t, archive.String())
	got := run(t, func(env *console.Env) {
		onTerminal(nil)(env)
		change(env)
		env.Stdout = brokenWriter{}
	}, args...)
	if got.code != console.ExitUnknown || !strings.Contains(got.stderr, "no space left on device") {
		t.Errorf("exit code %d, stderr %q", got.code, got.stderr)
	}
}

// TestHostileWeb serves texts that a terminal would obey, wherever a report
// could repeat them.
func TestHostileWeb(t *testing.T) {
	t.Parallel()
	for name, text := range payloads {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			header := strings.Map(func(r rune) rune {
				if r < ' ' || r == 0x7f {
					return -1
				}
				return r
			}, text)
			archive := "-- https://head.example/.well-known/adagents.json --\n301\nLocation: https://evil.example/" + header + "\n" +
				"-- https://type.example/.well-known/adagents.json --\n200\nContent-Type: text/" + header + "\nETag: \"" + header + "\"\n\n{}\n" +
				"-- https://txt.example/ads.txt --\n200\nContent-Type: text/plain\n\nmanagerdomain=" + header + "\n" +
				served("point.example", "", `{"authoritative_location":`+quotedJSON("https://cdn.example/"+text)+`}`) +
				served("agent.example", "", `{"contact":{"name":`+quotedJSON(text)+`},"authorized_agents":[{"url":`+quotedJSON("https://agent.example/"+text)+`,"authorized_for":"x"}]}`)
			_, change := inWeb(t, archive)
			hosts := []string{"head.example", "type.example", "txt.example", "point.example", "agent.example", text, "https://x.example/" + text}
			for _, format := range reportFormats {
				got := run(t, change, append([]string{"validate", "-v", "--agents", "--timeout=5s", "--format", format}, hosts...)...)
				plain(t, format, got.stdout)
				plain(t, format+" messages", got.stderr)
				wellFormed(t, format, got.stdout)
			}
			for _, format := range []string{"text", "json"} {
				got := run(t, change, append([]string{"discover", "-v", "--agents", "--timeout=5s", "--format", format}, hosts...)...)
				plain(t, "discover "+format, got.stdout)
				plain(t, "discover "+format+" messages", got.stderr)
				wellFormed(t, format, got.stdout)
			}
		})
	}
}

func TestUserAgentContact(t *testing.T) {
	t.Parallel()
	web, change := inWeb(t, served("pub.example", "", emptyFile))
	for _, tc := range []struct{ flag, variable, want string }{
		{"", "", "github.com"}, {"", "ops@buyer.example", "(+ops@buyer.example)"}, {"https://buyer.example/bot", "ops@buyer.example", "(+https://buyer.example/bot)"},
	} {
		before := len(web.Requests())
		run(t, func(env *console.Env) {
			change(env)
			env.Getenv = func(name string) string { return map[string]string{"AVOW_CONTACT": tc.variable}[name] }
		}, "validate", "--contact", tc.flag, "pub.example")
		requests := web.Requests()[before:]
		if len(requests) != 1 || !strings.Contains(requests[0].Header.Get("User-Agent"), tc.want) {
			t.Errorf("%+v: %+v", tc, requests)
		}
	}
}

func TestRefreshReachesTheServer(t *testing.T) {
	t.Parallel()
	web, change := inWeb(t, served("pub.example", "", emptyFile))
	for flag, want := range map[string]string{"--refresh=false": "", "--refresh": "no-cache"} {
		before := len(web.Requests())
		run(t, change, "validate", flag, "pub.example")
		requests := web.Requests()[before:]
		if len(requests) != 1 || requests[0].Header.Get("Cache-Control") != want {
			t.Errorf("%s: %+v", flag, requests)
		}
	}
}

// TestSignal interrupts a run the way a user does.
//
//nolint:paralleltest // the signal reaches every run of the process
func TestSignal(t *testing.T) {
	// Without a receiver of its own the signal would end the test as well.
	ours := make(chan os.Signal, 1)
	signal.Notify(ours, os.Interrupt)
	defer signal.Stop(ours)
	web, change := inWeb(t, served("slow.example", "stall", emptyFile))
	ended := make(chan outcome, 1)
	go func() { ended <- run(t, change, "validate", "slow.example") }()
	for len(web.Requests()) == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	err = self.Signal(os.Interrupt)
	if err != nil {
		t.Fatal(err)
	}
	select {
	case got := <-ended:
		if got.code != console.ExitUnknown || !strings.Contains(got.stderr, "avow: error: interrupted") {
			t.Errorf("exit code %d, stderr %q", got.code, got.stderr)
		}
	case <-time.After(10 * time.Minute):
		t.Error("the run does not end")
	}
}
