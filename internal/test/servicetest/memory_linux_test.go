package servicetest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// How hard the service is tried. By default that is little and takes no one's memory, so that
// it says the same on every machine and under the race detector: nobody is forgotten and
// nothing ends. What memory the service takes is a matter of the proofs.
var (
	hostileDocuments = flag.Int("hostile", 3, "hostile documents that are checked at once")
	slowReaders      = flag.Int("readers", 40, "clients that do not read their answers")
	burst            = flag.Int("burst", 200, "requests within a moment")
	creates          = flag.Int("creates", 16, "large files that are made over eight connections")
	loadTime         = flag.Duration("load", 500*time.Millisecond, "time of the mixed load")
	documentBytes    = flag.Int("document", 1_200_000, "size of hostile documents in bytes, at most 19900000")
	memoryLimit      = flag.Int64("limit", 0, "memory in MiB that the service has to get by with; zero means that nobody looks")
)

// A guarded process is avow serve with limited memory.
type guarded struct {
	*testing.T
	cmd   *exec.Cmd
	log   *logBuffer
	url   string
	ended chan struct{}
	group string // the control group; empty where none can be made
}

// serveGuarded starts a service whose internet is a crowd, as a process that may not have
// more than memoryLimit, if there is one and this machine has control groups that we may
// write to.
func serveGuarded(t *testing.T) *guarded {
	t.Helper()
	c := newCrowd(t, *documentBytes)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	g := &guarded{T: t, log: &logBuffer{ready: make(chan struct{})}, ended: make(chan struct{}), group: newGroup()}
	args := []string{
		"serve", "--addr", "127.0.0.1:0", "--metrics-addr", "127.0.0.1:0", "--store", "sqlite:" + filepath.Join(t.TempDir(), "registry.db"),
		"--trusted-proxies", "127.0.0.1/32", "--store-budget", "1GB",
	}
	for _, class := range []string{"validate", "lookup", "read", "create", "mcp", "enrich"} {
		args = append(args, "--rate-"+class, "off")
	}
	g.cmd = exec.Command(exe, args...)
	g.cmd.Env = []string{crowdVariable + "=" + c.setting, "HOME=" + t.TempDir(), "AVOW_LOG_LEVEL=info"}
	g.cmd.Stdout, g.cmd.Stderr = g.log, quiet{g.log}
	err = g.cmd.Start()
	if err != nil {
		t.Fatal(err)
	}
	g.enclose()
	go func() {
		_ = g.cmd.Wait()
		close(g.ended)
	}()
	t.Cleanup(g.stop)
	select {
	case <-g.log.ready:
	case <-g.ended:
		t.Fatalf("the service ended: %s", g.log)
	case <-time.After(patience):
		t.Fatalf("the service does not start: %s", g.log)
	}
	g.url = servingLine.FindStringSubmatch(g.log.String())[1]
	return g
}

// quiet leaves out the lines about requests.
type quiet struct{ to io.Writer }

func (q quiet) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte("msg=request")) {
		return len(b), nil
	}
	return q.to.Write(b)
}

// newGroup makes a control group of either version, if there is a limit.
func newGroup() string {
	if *memoryLimit == 0 {
		return ""
	}
	name := fmt.Sprintf("avow-test-%d-%d", os.Getpid(), rand.Uint32())
	for _, g := range []struct{ root, limit string }{{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, {"/sys/fs/cgroup", "memory.max"}} {
		path := filepath.Join(g.root, name)
		if os.Mkdir(path, 0o700) != nil {
			continue
		}
		if os.WriteFile(filepath.Join(path, g.limit), []byte(strconv.FormatInt(*memoryLimit<<20, 10)), 0o600) == nil {
			return path
		}
		_ = os.Remove(path)
	}
	return ""
}

func (g *guarded) enclose() {
	if g.group == "" {
		return
	}
	err := os.WriteFile(filepath.Join(g.group, "cgroup.procs"), []byte(strconv.Itoa(g.cmd.Process.Pid)), 0o600)
	if err != nil {
		g.Fatal(err)
	}
}

func (g *guarded) stop() {
	err := g.cmd.Process.Signal(syscall.SIGTERM)
	if err != nil {
		g.Errorf("the service is gone: %v: %s", err, g.log)
	}
	<-g.ended
	if code := g.cmd.ProcessState.ExitCode(); code != 0 {
		g.Errorf("the service ended with %d: %s", code, g.log)
	}
	if g.group != "" {
		_ = os.Remove(g.group) // it is empty
	}
}

// memory returns a line of what the system says about the process, in bytes.
func (g *guarded) memory(name string) int64 {
	g.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", g.cmd.Process.Pid))
	if err != nil {
		g.Fatalf("the service is gone: %v: %s", err, g.log)
	}
	for line := range strings.Lines(string(status)) {
		value, ok := strings.CutPrefix(line, name+":")
		if ok {
			kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			return kb << 10
		}
	}
	return 0
}

// forgetPeak has the peak of physical memory begin anew, so that it says what came since then.
func (g *guarded) forgetPeak() {
	g.Helper()
	err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", g.cmd.Process.Pid), []byte("5"), 0)
	if err != nil {
		g.Fatalf("the service is gone: %v: %s", err, g.log)
	}
}

// checkPeak fails when the process had more than it may have, whether or not a control
// group kept it from that.
func (g *guarded) checkPeak() {
	g.Helper()
	if *memoryLimit == 0 {
		return
	}
	peak := g.memory("VmHWM")
	g.Logf("peak of physical memory: %d MiB, now %d MiB, control group: %t", peak>>20, g.memory("VmRSS")>>20, g.group != "")
	if peak > *memoryLimit<<20 {
		g.Errorf("the service took %d MiB", peak>>20)
	}
}

// outcomes counts answers by status, or by what they say; 0 is no answer.
type outcomes struct {
	mu sync.Mutex
	by map[any]int
}

func (o *outcomes) add(what any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.by == nil {
		o.by = map[any]int{}
	}
	o.by[what]++
}

// ask sends a question of a client behind the proxy that this test is.
func (g *guarded) ask(client int, path, body string) int {
	status, _, _ := g.answer(client, path, body)
	return status
}

// What became of a document that somebody asked about.
const (
	wasChecked = "checked"
	wasRefused = "refused for now"
)

// check has a document checked, and says what became of it.
func (g *guarded) check(client int, body string) string {
	status, head, answer := g.answer(client, "/api/adagents/validate", body)
	switch {
	case status == 200 && bytes.Contains(answer, []byte(`"found":true`)):
		return wasChecked
	case status == 503 && head.Get("Retry-After") != "":
		return wasRefused
	}
	return fmt.Sprintf("%d %.200s", status, answer)
}

func (g *guarded) answer(client int, path, body string) (int, http.Header, []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	r, err := http.NewRequestWithContext(ctx, method, g.url+path, strings.NewReader(body))
	if err != nil {
		g.Error(err)
		return 0, nil, nil
	}
	r.Header.Set("X-Forwarded-For", clientAddress(client))
	resp, err := many.Do(r)
	if err != nil {
		g.Logf("no answer: %v", err)
		return 0, nil, nil
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err == nil {
		_, err = io.Copy(io.Discard, resp.Body)
	}
	if err != nil {
		g.Logf("half an answer: %v", err)
		return 0, nil, nil
	}
	return resp.StatusCode, resp.Header, answer
}

var many = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}

func clientAddress(n int) string { return fmt.Sprintf("198.51.%d.%d", n>>8&255, n&255) }

func question(kind string, n int) string { return fmt.Sprintf(`{"domain":"%s-%d.example"}`, kind, n) }

// ignore asks, and does not read the answer until the context ends.
func (g *guarded) ignore(ctx context.Context, client int, body string) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.url, "http://"))
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	_, _ = fmt.Fprintf(conn, "POST /api/adagents/validate HTTP/1.1\r\nHost: a.example\r\nX-Forwarded-For: %s\r\nContent-Length: %d\r\n\r\n%s", clientAddress(client), len(body), body)
	<-ctx.Done()
}

// TestMemoryHolds: whatever strangers publish and however many do not read what they asked
// for, the service stays within its memory, and others are answered.
func TestMemoryHolds(t *testing.T) { //nolint:paralleltest // the machine is its own
	g := serveGuarded(t)
	if status := g.ask(0, "/api/adagents/validate", question("small", 0)); status != 200 {
		t.Fatalf("status %d", status)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var waiting, asking sync.WaitGroup
	for i := range *slowReaders {
		waiting.Go(func() { g.ignore(ctx, 1000+i, question("text", i%8)) })
	}
	var hostile, honest outcomes
	var slowest atomic.Int64
	asking.Go(func() {
		for ctx.Err() == nil {
			began := time.Now()
			honest.add(g.ask(1, "/api/adagents/validate", question("small", 0)))
			slowest.Store(max(slowest.Load(), int64(time.Since(began))))
		}
	})
	var attack sync.WaitGroup
	for i := range *hostileDocuments {
		attack.Go(func() { hostile.add(g.check(5000+i, question("hostile", i))) })
	}
	attack.Wait()
	cancel()
	asking.Wait()
	waiting.Wait()
	t.Logf("%d hostile documents: %v; beside %d who do not read, others: %v, the slowest took %s",
		*hostileDocuments, hostile.by, *slowReaders, honest.by, time.Duration(slowest.Load()).Round(time.Millisecond))
	g.checkPeak()
	if hostile.by[wasChecked] == 0 || hostile.by[wasChecked]+hostile.by[wasRefused] != *hostileDocuments {
		t.Errorf("hostile documents: %v", hostile.by)
	}
	if honest.by[200] == 0 || len(honest.by) != 1 {
		t.Errorf("others: %v", honest.by)
	}
}

// TestBurst: many requests within a moment, of many clients and of one, wait for their turn
// and are answered.
func TestBurst(t *testing.T) { //nolint:paralleltest // the machine is its own
	g := serveGuarded(t)
	g.ask(0, "/api/adagents/validate", question("small", 0))
	for name, client := range map[string]func(int) int{"many clients": func(i int) int { return i }, "one client": func(int) int { return 7 }} {
		var all outcomes
		var group sync.WaitGroup
		began := time.Now()
		for i := range *burst {
			group.Go(func() { all.add(g.ask(client(i), "/api/adagents/validate", question("small", 0))) })
		}
		group.Wait()
		t.Logf("%d requests at once of %s: %v in %s", *burst, name, all.by, time.Since(began).Round(time.Millisecond))
		if all.by[200] != *burst {
			t.Errorf("%s: %v", name, all.by)
		}
	}
	large := `{"authorized_agents":[{"url":"https://agent.example/","authorized_for":"` + strings.Repeat("x", 100) + `","authorization_type":"property_ids","property_ids":["site"]}],` +
		`"properties":[{"property_id":"site","property_type":"website","name":"Site","identifiers":[{"type":"domain","value":"a.example"}]}],"x_text":"` + strings.Repeat("x", 500_000) + `"}`
	var made outcomes
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range *creates / 8 {
				made.add(g.ask(9, "/api/adagents/create", large))
			}
		})
	}
	group.Wait()
	t.Logf("%d files of 500 kB made over 8 connections of one client: %v", *creates, made.by)
	if made.by[200] != *creates/8*8 {
		t.Errorf("create: %v", made.by)
	}
	g.checkPeak()
}
