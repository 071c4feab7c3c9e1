package storetest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"

	"github.com/avow-project/avow/internal/service/registry"
)

// placeVariable tells a child of the tests where its store is.
const placeVariable = "AVOW_STORETEST_PLACE"

// isChild is for TestMain: it is the other processes of testProcesses. In the tests themselves it
// reports false.
func isChild(open func(ctx context.Context, place string) (registry.Store, error)) bool {
	place := os.Getenv(placeVariable)
	if place == "" {
		return false
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	err := count(ctx, place, open)
	if err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

// count raises a number in a mirror until the context ends, and says so each time.
func count(ctx context.Context, place string, open func(ctx context.Context, place string) (registry.Store, error)) error {
	s, err := open(ctx, place)
	if err != nil {
		return err
	}
	for {
		n, err := raise(ctx, s)
		switch {
		case err == nil:
			fmt.Fprintln(os.Stdout, n)
		case !errors.Is(err, registry.ErrConflict):
			return errors.Join(err, s.Close())
		}
	}
}

// counter is the platform whose document is a number.
const counter = "counter"

// raise replaces the number in a mirror by the next, unless somebody else does.
func raise(ctx context.Context, s registry.Store) (int, error) {
	n, base, err := number(ctx, s)
	if err != nil {
		return 0, err
	}
	h, err := s.PutDocument(ctx, []byte(strconv.Itoa(n+1)))
	if err != nil {
		return 0, err
	}
	m := &registry.Mirror{Platform: counter, Document: h, CreatedAt: day0, UpdatedAt: day0}
	return n + 1, s.PutMirror(ctx, m, base)
}

// number reads the number, which is zero before there is one.
func number(ctx context.Context, s registry.Store) (int, registry.Hash, error) {
	m, err := s.Mirror(ctx, counter)
	if errors.Is(err, registry.ErrNotFound) {
		return 0, "", nil
	}
	if err != nil {
		return 0, "", err
	}
	body, err := s.Document(ctx, m.Document)
	if err != nil {
		return 0, "", err
	}
	n, err := strconv.Atoi(string(body))
	return n, m.Document, err
}

// A child is a process that counts.
type child struct {
	cmd   *exec.Cmd
	stdin io.Closer
	mu    sync.Mutex
	said  []int
	more  chan struct{} // gets something for each number said, if anybody waits
	ended chan struct{}
}

// start starts a child.
func start(t *testing.T, place string) *child {
	t.Helper()
	c := &child{cmd: exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$"), more: make(chan struct{}, 1), ended: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), placeVariable+"="+place)
	c.cmd.Stderr = os.Stderr
	stdin, err := c.cmd.StdinPipe()
	ok(t, err)
	c.stdin = stdin
	stdout, err := c.cmd.StdoutPipe()
	ok(t, err)
	ok(t, c.cmd.Start())
	go c.listen(stdout)
	return c
}

// listen notes what the child says. A line that was cut off is ignored.
func (c *child) listen(r io.Reader) {
	defer close(c.ended)
	for lines := bufio.NewReader(r); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		n, err := strconv.Atoi(line[:len(line)-1])
		if err != nil {
			continue // what the test binary itself prints
		}
		c.mu.Lock()
		c.said = append(c.said, n)
		c.mu.Unlock()
		select {
		case c.more <- struct{}{}:
		default:
		}
	}
}

// some is how many numbers a child says before something happens to it.
const some = 20

// await waits until the child has said some more numbers.
func (c *child) await(t *testing.T) {
	t.Helper()
	c.mu.Lock()
	goal := len(c.said) + some
	c.mu.Unlock()
	for {
		select {
		case <-c.more:
		case <-c.ended:
			t.Fatal("a process ended too early")
		}
		c.mu.Lock()
		have := len(c.said)
		c.mu.Unlock()
		if have >= goal {
			return
		}
	}
}

// testProcesses lets two processes start at once on a store that is not there yet, and work
// on the same record. One is killed, in the middle of anything; the other goes on. No
// change that was reported as made is lost, and none is made twice.
func testProcesses(t *testing.T, place string, open func(ctx context.Context, place string) (registry.Store, error)) {
	first, second := start(t, place), start(t, place)
	first.await(t)
	second.await(t)
	ok(t, first.cmd.Process.Kill())
	<-first.ended
	_ = first.cmd.Wait() // it was killed
	second.await(t)
	third := start(t, place)
	third.await(t)
	for _, c := range []*child{second, third} {
		ok(t, c.stdin.Close())
		<-c.ended
		ok(t, c.cmd.Wait())
	}

	s, err := open(t.Context(), place)
	ok(t, err)
	last, _, err := number(t.Context(), s)
	ok(t, err)
	ok(t, s.Close())
	seen := map[int]bool{}
	for _, c := range []*child{first, second, third} {
		for _, n := range c.said {
			if seen[n] || n > last {
				t.Errorf("%d was reported twice, or is lost; the last is %d", n, last)
			}
			seen[n] = true
		}
	}
	// Each process may have ended after a change and before its report.
	if last > len(seen)+3 {
		t.Errorf("%d changes were reported, and %d made", len(seen), last)
	}
}
