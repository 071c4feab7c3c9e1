package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestKeyFromPipe: a watch that waits for its key, from a pipe that nobody writes to, ends
// when it is told to.
func TestKeyFromPipe(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "key")
	err := syscall.Mkfifo(pipe, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		cmd := exec.CommandContext(t.Context(), exe)
		cmd.Args = []string{"avow", "watch", "--all", "--webhook", "http://127.0.0.1:9/x", "--webhook-key", pipe, "--store", "sqlite:" + pipe + ".db"}
		err = cmd.Start()
		if err != nil {
			t.Fatal(err)
		}
		silent, err := os.OpenFile(pipe, os.O_WRONLY, 0) // returns when somebody waits at the other end
		if err != nil {
			t.Fatal(err)
		}
		err = cmd.Process.Signal(sig)
		if err != nil {
			t.Fatal(err)
		}
		late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // how it ended is below
		_ = silent.Close()
		if !late.Stop() {
			t.Errorf("%v does not end it", sig)
		}
		if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signal() != sig {
			t.Errorf("%v: it ended with %v", sig, cmd.ProcessState)
		}
	}
}
