package cli

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/witness"
	"github.com/avow-project/avow/internal/translog"
)

// TestWitness makes a witness, has it cosign the head of a log, and follows the log with a policy
// that asks for it.
func TestWitness(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key, state, policy := filepath.Join(dir, "w.key"), filepath.Join(dir, "w.json"), filepath.Join(dir, "logs.policy")
	keys, err := notary.NewKeys("example.com/log")
	must(t, err)
	must(t, os.WriteFile(policy, []byte(keys.Policy("")), 0o600))
	args := []string{"witness", "--key", key, "--state", state, "--policy", policy, "--addr", "127.0.0.1:0"}
	if got := run(t, nil, args...); got.code != 3 {
		t.Errorf("without a key: exit code %d: %s", got.code, got.stderr)
	}
	made := run(t, nil, "witness", "init", "--name", "witness.example.com/w", "--key", key, "--state", state)
	if made.code != 0 || !strings.HasPrefix(made.stdout, "witness witness.example.com/w witness.example.com/w+") {
		t.Fatalf("exit code %d: %s%s", made.code, made.stdout, made.stderr)
	}
	for _, args := range [][]string{
		{"witness", "init", "--name", "witness.example.com/w", "--key", key, "--state", state}, {"witness"}, {"witness", "init"},
		{"witness", "init", "--name", "no name", "--key", key + "2", "--state", state},
	} {
		if got := run(t, nil, args...); got.code != 2 || !strings.Contains(got.stderr, "hint:") {
			t.Errorf("%v: exit code %d: %s", args, got.code, got.stderr)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, in := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- Run(ctx, console.Env{Args: args, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: in})
	}()
	buffer := make([]byte, 1000)
	n, err := out.Read(buffer)
	must(t, err)
	url := regexp.MustCompile(`http://[0-9.:]+`).FindString(string(buffer[:n]))
	if url == "" {
		t.Fatalf("it says %q", buffer[:n])
	}
	go func() { _, _ = io.Copy(io.Discard, out) }() // it does not have to wait for a reader
	if got := run(t, nil, args...); got.code != 3 || !strings.Contains(got.stderr, "another process uses") {
		t.Errorf("a second one with the state: exit code %d: %s", got.code, got.stderr)
	}

	log := newKeptLog(t, keys, 1, 2)
	signed, err := log.store.Log().LastSigned(t.Context())
	must(t, err)
	r, err := http.Post(url+"/add-checkpoint", "text/plain", strings.NewReader(string(witness.RequestText(0, nil, signed.Note))))
	must(t, err)
	line, err := io.ReadAll(r.Body)
	must(t, err)
	must(t, r.Body.Close())
	p, err := translog.ParsePolicy([]byte("log " + keys.Log.String() + "\n" + made.stdout + "quorum witness.example.com/w\n"))
	must(t, err)
	checked, err := p.Check(append(signed.Note, line...))
	must(t, err)
	if checked.Head.Size != 3 {
		t.Errorf("%d leaves are cosigned", checked.Head.Size)
	}
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("exit code %d", code)
	}
	must(t, in.Close())
	// A state that is lost is not made again: what was signed is known to the file beside it.
	must(t, os.Remove(state))
	got := run(t, nil, "witness", "init", "--name", "witness.example.com/new", "--key", key+"2", "--state", state)
	if got.code != 2 || !strings.Contains(got.stderr, "give another --state") || console.IsFile(key+"2") {
		t.Errorf("a new witness beside what another has signed: exit code %d: %s", got.code, got.stderr)
	}
}

// TestServiceAsWitness: a service cosigns the log of another store, which asks it.
func TestServiceAsWitness(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	done := func(args ...string) string {
		t.Helper()
		got := run(t, nil, args...)
		if got.code != 0 {
			t.Fatalf("%v: exit code %d: %s", args, got.code, got.stderr)
		}
		return got.stdout
	}
	store := "sqlite:" + file("log.db")
	logs := done("log", "init", "--origin", "registry.example/log", "--key", file("log.key"), "--store", store)
	line := done("witness", "init", "--name", "service.example/witness", "--key", file("w.key"), "--state", file("w.json"))
	must(t, os.WriteFile(file("logs.policy"), []byte(logs), 0o600))
	service := startService(t, nil, "--witness-key", file("w.key"), "--witness-policy", file("logs.policy"), "--witness-state", file("w.json"))
	policy := strings.Replace(logs, "quorum clock\n", strings.TrimSuffix(line, "\n")+" "+service.url+"/witness\nquorum service.example/witness\n", 1)
	must(t, os.WriteFile(file("registry.policy"), []byte(policy), 0o600))
	got := done("log", "flush", "--key", file("log.key"), "--store", store, "--policy", file("registry.policy"))
	if !strings.Contains(got, "witness:  service.example/witness, at ") {
		t.Errorf("got %s", got)
	}
	must(t, os.WriteFile(file("other.policy"), []byte(line+"quorum none\nlog "+"a.example/log+x+y\n"), 0o600))
	for _, args := range [][]string{
		{"log", "flush", "--key", file("log.key"), "--store", store, "--policy", file("other.policy")},
		{"serve", "--witness-key", file("w.key")}, {"serve", "--log-policy", file("registry.policy")},
	} {
		if got := run(t, nil, args...); got.code != 2 {
			t.Errorf("%v: exit code %d: %s", args, got.code, got.stderr)
		}
	}
}
