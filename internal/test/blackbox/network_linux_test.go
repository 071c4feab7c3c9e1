package blackbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	// networkSize is the number of publishers of the network.
	networkSize = 2000
	networkURL  = "https://cdn.example/net.json"
)

// rolloutKinds are the publishers of the network by the beginning of their names, with the state
// that each is in.
var rolloutKinds = []struct{ kind, state string }{
	{"here", "points_here"}, {"here", "points_here"}, {"here", "points_here"}, {"here", "points_here"}, {"spelled", "other_way"}, {"leads", "elsewhere"},
	{"own", "own_file"}, {"page", "served_wrong"}, {"bare", "absent"}, {"nameless", "unresolvable"}, {"failing", "unreachable"}, {"revoked", "revoked_pointing"}, {"stray", "orphan"},
}

// networkPublisher is the name of a publisher, and the state it is in.
func networkPublisher(i int) (string, string) {
	k := rolloutKinds[i%len(rolloutKinds)]
	return fmt.Sprintf("%s%d.example", k.kind, i), k.state
}

// networkFile is the file of the network. Strays are not in it.
func networkFile() map[string]any {
	var named []string
	var properties, revoked []any
	for i := range networkSize {
		name, state := networkPublisher(i)
		switch state {
		case "revoked_pointing":
			revoked = append(revoked, map[string]any{"publisher_domain": name, "revoked_at": "2026-01-01T00:00:00Z"})
		case "orphan":
		default:
			named = append(named, name)
			properties = append(properties, map[string]any{
				"property_type": "website", "name": name, "publisher_domain": name, "identifiers": []any{map[string]any{"type": "domain", "value": name}},
			})
		}
	}
	return map[string]any{
		"properties": properties,
		"authorized_agents": []any{map[string]any{
			"url": "https://agent.example/mcp", "authorized_for": "all", "authorization_type": "publisher_properties",
			"publisher_properties": []any{map[string]any{"publisher_domains": named, "selection_type": "all"}},
		}},
		"revoked_publisher_domains": revoked, "last_updated": "2026-01-01T00:00:00Z",
	}
}

// answerNetwork answers for the network and its publishers; false for others.
func (w *world) answerNetwork(out http.ResponseWriter, r *http.Request, kind string) bool {
	pointer := func(to string) {
		writeJSON(out, map[string]any{"authoritative_location": to, "last_updated": "2026-01-01T00:00:00Z"})
	}
	wellKnown := r.URL.Path == "/.well-known/adagents.json"
	switch {
	case r.URL.Path == "/net.json":
		out.Header().Set("Cache-Control", "max-age=600")
		writeJSON(out, networkFile())
	case r.URL.Path == "/other.json":
		writeJSON(out, inline("other.example", "https://agent.example/mcp"))
	case wellKnown && (kind == "here" || kind == "revoked" || kind == "stray"):
		pointer(networkURL)
	case wellKnown && kind == "spelled":
		pointer("https://CDN.example:443/net.json")
	case wellKnown && kind == "leads":
		pointer("https://elsewhere.example/other.json")
	case wellKnown && kind == "own":
		writeJSON(out, inline(r.Host, "https://agent.example/mcp"))
	case wellKnown && kind == "page":
		out.Header().Set("Content-Type", "text/html")
		_, _ = out.Write([]byte("<!doctype html><title>Sign in</title>"))
	case wellKnown && kind == "failing":
		out.WriteHeader(http.StatusInternalServerError)
	default:
		return false
	}
	return true
}

// network has the program say how far the rollout of the network is, once as a whole and once
// after it was killed.
func (r *runner) network() {
	r.t.Helper()
	dir := r.t.TempDir()
	list := filepath.Join(dir, "list.txt")
	var strays strings.Builder
	want := map[string]int{"is_here": 0, "nothing_here": 0}
	for i := range networkSize {
		name, state := networkPublisher(i)
		want[state]++
		if state == "orphan" {
			fmt.Fprintln(&strays, name)
		}
	}
	err := os.WriteFile(list, []byte(strays.String()), 0o600)
	if err != nil {
		r.t.Fatal(err)
	}
	args := []string{"network", networkURL, "--from", list, "--format", "json"}
	whole := r.rollout(args...)
	var report struct{ Counts map[string]int }
	err = json.Unmarshal(whole, &report)
	if err != nil || !maps.Equal(report.Counts, want) {
		r.t.Errorf("%v, want %v: %v", report.Counts, want, err)
	}
	state := filepath.Join(dir, "run.state")
	args = append(args, "--resume", state)
	done := r.killed(state, args...)
	r.w.asked.Clear()
	again := r.rollout(args...)
	if !bytes.Equal(again, whole) {
		r.t.Error("a run that was killed and goes on finds something else")
	}
	if _, ok := r.w.asked.Load("cdn.example"); !ok {
		r.t.Error("nobody took note of who was asked")
	}
	for _, publisher := range done {
		if _, ok := r.w.asked.Load(publisher); ok {
			r.t.Errorf("%s was asked again after the run was killed", publisher)
		}
	}
	r.t.Logf("network of %d publishers: %v; killed when %d were done, and none of them was asked again", networkSize, want, len(done))
	if hits := r.w.takeHits(); len(hits) > 0 {
		r.t.Errorf("%d connections inside: %v", len(hits), hits[:min(len(hits), 10)])
	}
}

func (r *runner) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(r.t.Context(), r.program, args...)
	cmd.Env = []string{"SSL_CERT_FILE=" + r.w.caFile, "HOME=/nonexistent"}
	return cmd
}

// rollout runs the command to its end: not everybody leads to the file.
func (r *runner) rollout(args ...string) []byte {
	r.t.Helper()
	cmd := r.command(args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		r.t.Fatalf("%v: %v\n%.2000s", args, err, stderr.Bytes())
	}
	return stdout.Bytes()
}

// killed runs the command until some publishers are done, kills it, and returns those who are.
func (r *runner) killed(state string, args ...string) []string {
	r.t.Helper()
	cmd := r.command(args...)
	err := cmd.Start()
	if err != nil {
		r.t.Fatal(err)
	}
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	lines := 0
	for lines < 300 {
		select {
		case err := <-over:
			r.t.Fatalf("it ended by itself after %d publishers: %v", lines, err)
		case <-time.After(time.Millisecond):
		}
		src, err := os.ReadFile(state)
		if err == nil {
			lines = bytes.Count(src, []byte("\n"))
		}
	}
	_ = cmd.Process.Kill() // it may be over
	<-over                 // with an error, since it was killed
	src, err := os.ReadFile(state)
	if err != nil {
		r.t.Fatal(err)
	}
	var done []string
	for line := range bytes.Lines(src) {
		var entry struct{ Target string }
		err = json.Unmarshal(line, &entry)
		if err == nil && entry.Target != "" { // the first line is about the run, and the last may be half a line
			done = append(done, entry.Target)
		}
	}
	if len(done) < 290 {
		r.t.Errorf("%d publishers are done in %d bytes of the state", len(done), len(src))
	}
	return done
}
