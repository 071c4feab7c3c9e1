package store

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store/highwater"
)

// storeVariable tells a child of the tests which store to use.
const storeVariable = "AVOW_STORE_TEST_URL"

// child opens a store again and again and makes changes. It reports whether this process
// is one.
func child() bool {
	url := os.Getenv(storeVariable)
	if url == "" {
		return false
	}
	if os.Getenv(logVariable) != "" {
		for range 20 { // others may have kept the store busy for too long
			fmt.Fprintln(os.Stderr, logChild(url))
		}
		os.Exit(1) // what goes on failing is told by whoever waits for the next line
	}
	for range 40 {
		s, err := Open(context.Background(), url)
		if err == nil {
			err = advance(context.Background(), s, 3)
		}
		if err == nil {
			err = s.Close()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Fprintln(os.Stdout, "changed")
	}
	return true
}

// A spawned is a process of a child, and what it says.
type spawned struct {
	t    *testing.T
	cmd  *exec.Cmd
	said *bufio.Scanner
}

// spawn starts a child, with more variables if any.
func spawn(t *testing.T, url string, variables ...string) *spawned {
	t.Helper()
	program, err := os.Executable()
	ok(t, err)
	cmd := exec.Command(program)
	cmd.Env = append(append(os.Environ(), storeVariable+"="+url), variables...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	ok(t, err)
	ok(t, cmd.Start())
	return &spawned{t, cmd, bufio.NewScanner(out)}
}

// kill kills it some time after it has said a number of lines, or was started.
func (p *spawned) kill(lines int) {
	p.t.Helper()
	for range lines {
		if !p.said.Scan() {
			p.t.Error("a process ended by itself")
			break
		}
	}
	time.Sleep(rand.N(100 * time.Millisecond))
	ok(p.t, p.cmd.Process.Kill())
	_ = p.cmd.Wait() // it was killed
}

// TestMarkIsNeverAhead kills processes while they commit and save, and looks each time
// whether the mark says more than the store has. An honest store is never refused.
func TestMarkIsNeverAhead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	url := "sqlite:" + path
	behind, runs := 0, 25
	for range runs {
		first, second := spawn(t, url), spawn(t, url)
		first.kill(1 + rand.IntN(3))
		second.kill(rand.IntN(3))
		mark := highwater.Open(path + markEnding).Seen()
		s, err := OpenFor(t.Context(), url, Options{Purpose: Inspect})
		ok(t, err)
		events := lastNumber(t, s)
		ok(t, s.Restored(t.Context()))
		ok(t, s.Close())
		if mark.Last > events {
			t.Fatalf("the mark is %d, the store has got to %d", mark.Last, events)
		}
		if mark.Last < events {
			behind++
		}
	}
	t.Logf("the mark was behind after %d of %d runs", behind, runs)
}

// lastNumber is the number of the last event.
func lastNumber(t *testing.T, s *Store) int64 {
	t.Helper()
	last := int64(0)
	for {
		events, err := s.Custody().Events(t.Context(), custodian.EventFilter{}, last, 1000)
		ok(t, err)
		if len(events) == 0 {
			return last
		}
		last = events[len(events)-1].ID
	}
}

// TestTwoProcessesShareAMark: nobody is refused because another one goes on.
func TestTwoProcessesShareAMark(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	first, second := spawn(t, "sqlite:"+path), spawn(t, "sqlite:"+path)
	ok(t, first.cmd.Wait())
	ok(t, second.cmd.Wait())
	if got := highwater.Open(path + markEnding).Seen().Last; got < 120 {
		t.Errorf("the mark is %d", got)
	}
	s := opens(t, "sqlite:"+path)
	if got := lastNumber(t, s); got != 240 {
		t.Errorf("%d changes were made", got)
	}
}
