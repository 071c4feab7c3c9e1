package servicetest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A turmoil are publishers whose files change.
type turmoil struct {
	mu       sync.Mutex
	versions map[string]int
	begun    time.Time
	// asked gets a value for each file that is asked for.
	asked chan struct{}
}

// turmoilAgents are those that files may name.
var turmoilAgents = []string{"https://a.agent.example/mcp", "https://b.agent.example/mcp", "https://c.agent.example/mcp", "https://d.agent.example/mcp"}

func (u *turmoil) publishers() []string {
	var all []string
	for i := range 8 {
		all = append(all, fmt.Sprintf("q%d.example", i))
	}
	return all
}

// change has publishers write other files.
func (u *turmoil) change() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, domain := range u.publishers() {
		u.versions[domain]++
	}
}

// names are the agents in the present file of a publisher: at least one, and others from version to version.
func (u *turmoil) names(domain string) ([]string, int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	version := u.versions[domain]
	sum := fnv.New32a()
	_, _ = fmt.Fprint(sum, domain, version)
	var all []string
	for i, agent := range turmoilAgents {
		if i == version%len(turmoilAgents) || sum.Sum32()>>i&1 == 1 {
			all = append(all, agent)
		}
	}
	return all, version
}

// ServeHTTP answers for a publisher.
func (u *turmoil) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/.well-known/adagents.json" {
		http.NotFound(w, r)
		return
	}
	select {
	case u.asked <- struct{}{}:
	default: // no caller waits
	}
	agents, version := u.names(r.Host)
	var entries []string
	for i, agent := range agents {
		scope := `"authorization_type":"property_ids","property_ids":["site"]`
		if (i+version)%2 == 0 {
			scope = `"authorization_type":"property_tags","property_tags":["all"]`
		}
		entries = append(entries, fmt.Sprintf(`{"url":%q,"authorized_for":"x",%s}`, agent, scope))
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"last_updated":%q,"properties":[{"property_id":"site","property_type":"website","name":"Site","publisher_domain":%q,"tags":["all"],
		"identifiers":[{"type":"domain","value":%[2]q}]}],"tags":{"all":{"name":"All","description":"All"}},"authorized_agents":[%s]}`,
		u.begun.Add(time.Duration(version)*time.Second).Format(time.RFC3339), r.Host, strings.Join(entries, ","))
}

// A front is an address at which the present process of a service is reached.
type front struct {
	url string
	at  atomic.Pointer[url.URL]
}

func newFront(t *testing.T, s *process) *front {
	t.Helper()
	f := new(front)
	f.lead(t, s)
	server := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite:      func(p *httputil.ProxyRequest) { p.SetURL(f.at.Load()) },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
		ErrorLog:     log.New(io.Discard, "", 0),
	})
	t.Cleanup(server.Close)
	f.url = server.URL
	return f
}

func (f *front) lead(t *testing.T, s *process) {
	t.Helper()
	to, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	f.at.Store(to)
}

// TestSyncAfterKills: the client that keeps a copy of the registry has who may sell what, as the service says
// it and as the files have it, after the service was killed again and again while all of them changed.
func TestSyncAfterKills(t *testing.T) {
	t.Parallel()
	for name, open := range stores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testSyncAfterKills(t, newPlace(t, open(t)))
		})
	}
}

func testSyncAfterKills(t *testing.T, p *place) {
	const kills = 6
	u := &turmoil{versions: map[string]int{}, begun: time.Now().UTC().Add(-24 * time.Hour).Truncate(time.Second), asked: make(chan struct{}, 1000)}
	crowd := gather(t, u)
	serve := func() *process { return p.serve(webVariable+"=", crowdVariable+"="+crowd) }
	s := serve()
	u.check(s).Wait()
	f := newFront(t, s)
	client := follow(t, f.url, u.publishers())
	for i := range kills {
		u.change()
		for len(u.asked) > 0 {
			<-u.asked
		}
		checks := u.check(s)
		for range 2 + i {
			select {
			case <-u.asked:
			case <-time.After(patience):
				t.Fatal("no publisher is asked")
			}
		}
		s.kill()
		checks.Wait()
		s = serve()
		f.lead(t, s)
	}
	u.check(s).Wait()
	service, files := map[string][]string{}, map[string][]string{}
	for _, domain := range u.publishers() {
		files[domain], _ = u.names(domain)
		service[domain] = slices.DeleteFunc(slices.Clone(turmoilAgents), func(agent string) bool {
			a := s.must(http.StatusOK, "GET", "/api/authorize?publisher="+domain+"&agent="+url.QueryEscape(agent), "")
			return memberOf(a.body, "verdict") != "authorized"
		})
	}
	has := client()
	if diff := cmp.Diff(files, service); diff != "" {
		t.Errorf("the service says something else than the files (-files +service):\n%s", diff)
	}
	if diff := cmp.Diff(service, has.Authorized); diff != "" {
		t.Errorf("the client believes something else than the service says (-service +client):\n%s", diff)
	}
	if has.Events == 0 {
		t.Error("the client was told of nothing")
	}
	t.Logf("%d kills, %d events, %d requests of the client failed", kills, has.Events, has.Failures)
}

// check has a service look at all publishers, two at a time. What it answers does not matter: it may be killed
// meanwhile.
func (u *turmoil) check(s *process) *sync.WaitGroup {
	var group sync.WaitGroup
	for domains := range slices.Chunk(u.publishers(), 4) {
		group.Go(func() {
			for _, domain := range domains {
				_, _ = s.call("POST", "/api/adagents/validate", fmt.Sprintf(`{"domain":%q,"refresh":true}`, domain), bearer(s.place.write)...)
			}
		})
	}
	return &group
}

// A believed is what a client has in the end.
type believed struct {
	Events     int                 `json:"events"`
	Failures   int                 `json:"failures"`
	Authorized map[string][]string `json:"authorized"`
}

// follow starts a client of a registry, and returns what ends it.
func follow(t *testing.T, registry string, publishers []string) func() believed {
	t.Helper()
	cmd := nodeCommand(t, "follow.cjs", registry, strings.Join(turmoilAgents, ","), strings.Join(publishers, ","))
	stdin, stdout := pipes(t, cmd)
	out := bufio.NewReader(stdout)
	line, err := out.ReadString('\n')
	if err != nil || line != "started\n" {
		t.Fatalf("the client does not start: %q, %v", line, err)
	}
	return func() believed {
		var b believed
		err := stdin.Close()
		if err == nil {
			err = json.NewDecoder(out).Decode(&b)
		}
		if err == nil {
			err = cmd.Wait()
		}
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}

// pipes starts a program whose input and output are pipes.
func pipes(t *testing.T, cmd *exec.Cmd) (io.WriteCloser, io.Reader) {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return stdin, stdout
}
