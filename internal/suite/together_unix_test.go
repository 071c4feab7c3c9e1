//go:build unix

package suite

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestChildrenEndToo: what a command has started ends with it when it does not answer. The child holds
// the pipe open as long as it runs.
func TestChildrenEndToo(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	err := syscall.Mkfifo(pipe, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	const script = `sleep 100000 3>"$0" & read -r line; echo '{"answer":{"valid":true}}'; read -r line; sleep 100000`
	p := &Process{Command: []string{"sh", "-c", script, pipe}, Timeout: time.Hour}
	first := make(chan error, 1)
	go func() {
		_, err := p.Ask(t.Context(), three()[0])
		first <- err
	}()
	held, err := os.Open(pipe) // waits for the child
	if err != nil {
		t.Fatal(err)
	}
	err = <-first
	if err != nil {
		t.Fatal(err)
	}
	p.Timeout = time.Millisecond
	answer, err := p.Ask(t.Context(), three()[1])
	if err != nil || !answer.Lost {
		t.Fatalf("got %+v: %v", answer, err)
	}
	_, err = io.ReadAll(held)
	if err != nil {
		t.Error(err)
	}
	p.Close()
	err = held.Close()
	if err != nil {
		t.Error(err)
	}
}
