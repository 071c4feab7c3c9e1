package blackbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// insideMark is logged once everything that needs privileges has worked.
const insideMark = "the namespace is ready"

// TestGuard runs the program against thousands of URLs and names that try to
// lead it inside. Nothing may connect to a reserved address.
func TestGuard(t *testing.T) {
	t.Parallel()
	program := os.Getenv(insideVariable)
	if program != "" {
		guard(t, program)
		return
	}
	out, err := inNamespace(t, buildProgram(t))
	if err != nil && !bytes.Contains(out, []byte(insideMark)) {
		t.Skipf("no network namespace on this machine: %v\n%s", err, out) //nolint:forbidigo // the machine forbids it, which is not a fault of the program
	}
	t.Logf("inside the namespace:\n%s", out)
	if err != nil {
		t.Fatal("the test failed inside the namespace")
	}
}

// buildProgram builds the program as a release is built.
func buildProgram(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "avow")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", path, "github.com/avow-project/avow/cmd/avow")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return path
}

func guard(t *testing.T, program string) {
	t.Helper()
	err := becomeTheInternet("nameserver 127.0.0.1\nsearch example\noptions ndots:5\n", "127.0.0.1 victim.example localhost\n10.0.0.1 agent.example\n")
	if err != nil {
		t.Fatal(err)
	}
	t.Log(insideMark)
	w := startWorld(t)
	w.proveCanary(t)
	run := &runner{t: t, program: program, w: w}

	run.expect([]string{"ok1.example", "ok2.example", "https://ok3.example/.well-known/adagents.json"}, true, "validate")
	run.expect(w.hostile, false, "validate")
	run.expect(numbered("pointer", len(w.hostile), 3), false, "validate")
	run.expect(numbered("redirect", len(w.hostile), 5), false, "validate")
	run.expect(numbered("managed", len(w.hostile), 7), false, "validate")
	run.batch(numbered("agents", len(w.hostile), 11), "validate", "--agents")
	run.batch(numbered("mirror", len(w.hostile), 11), "discover", "--follow-superseded")
	tried := run.tried
	dials := 0
	for _, kind := range []string{"turns", "inward", "both", "other", "alias"} {
		list := numbered(kind, 700, 1)
		run.batch(list, "validate")
		dials += len(list)
	}
	run.network()
	t.Logf("%d hostile URLs, %d names that rebind, %d requests answered on public addresses, 0 connections inside", tried, dials, w.served.Load())
	if tried < 3000 || dials < 3000 || w.served.Load() < 3000 {
		t.Error("the test tried too little to mean anything")
	}
}

// proveCanary shows that a connection inside would be noticed.
func (w *world) proveCanary(t *testing.T) {
	t.Helper()
	for _, a := range []string{"127.0.0.1:443", "10.0.0.1:80", "169.254.169.254:443", "[::1]:443", "[fc00::1]:8443"} {
		c, err := net.DialTimeout("tcp", a, time.Hour)
		if err != nil {
			t.Fatalf("the canary cannot be reached at %s: %v", a, err)
		}
		_ = c.Close()
	}
	deadline := time.Now().Add(time.Hour)
	hits := 0
	for hits < 5 && time.Now().Before(deadline) {
		hits += len(w.takeHits())
		time.Sleep(time.Millisecond)
	}
	if hits != 5 {
		t.Fatalf("the canary noticed %d of 5 connections", hits)
	}
}

// numbered names public hosts whose answers lead to every step-th hostile URL.
func numbered(kind string, n, step int) []string {
	var list []string
	for i := 0; i < n; i += step {
		list = append(list, fmt.Sprintf("%s%d.example", kind, i))
	}
	return list
}

// runner runs the program over many targets.
type runner struct {
	t       *testing.T
	program string
	w       *world
	tried   int
}

// batchSize keeps the arguments below the limit of the system.
const batchSize = 400

// expect runs a command over targets, and wants each to be valid, or none.
func (r *runner) expect(targets []string, valid bool, args ...string) {
	r.t.Helper()
	for _, line := range r.batch(targets, args...) {
		var doc struct {
			Target string `json:"target"`
			Valid  bool   `json:"valid"`
		}
		err := json.Unmarshal(line, &doc)
		if err != nil {
			r.t.Fatalf("%q is not JSON: %v", line, err)
		}
		if doc.Valid != valid {
			r.t.Errorf("%v %q: valid is %v: %s", args, doc.Target, doc.Valid, line)
		}
	}
}

// batch runs a command over targets and returns its output, one line for each.
// No connection may have gone inside.
func (r *runner) batch(targets []string, args ...string) [][]byte {
	r.t.Helper()
	start := time.Now()
	var lines [][]byte
	for part := range slices.Chunk(targets, batchSize) {
		cmd := exec.CommandContext(r.t.Context(), r.program, slices.Concat(args, []string{"--format", "json", "--"}, part)...)
		cmd.Env = []string{"SSL_CERT_FILE=" + r.w.caFile, "HTTPS_PROXY=http://10.0.0.1:8080", "HOME=/nonexistent"}
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && (!errors.As(err, &exit) || exit.ExitCode() == 2 || exit.ExitCode() < 0) {
			r.t.Fatalf("%v: %v\n%.2000s", args, err, stderr.Bytes())
		}
		got := bytes.Split(bytes.TrimSpace(stdout.Bytes()), []byte("\n"))
		// Different spellings of one target are checked once.
		if len(got) > len(part) || len(got) < len(part)/2 {
			r.t.Fatalf("%v: %d answers for %d targets\n%.2000s", args, len(got), len(part), stderr.Bytes())
		}
		lines = append(lines, got...)
		r.tried += len(got)
	}
	r.t.Logf("%v: %d targets like %s in %v", args, len(targets), targets[0], time.Since(start).Round(time.Millisecond))
	hits := r.w.takeHits()
	if len(hits) > 0 {
		r.t.Errorf("%v %s...: %d connections inside: %s", args, targets[0], len(hits), strings.Join(hits[:min(len(hits), 10)], " "))
	}
	return lines
}
