package console_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
)

// TestProgressLines looks at how far a run has come where there is no terminal.
func TestProgressLines(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	var messages bytes.Buffer
	a := console.New(console.Env{Stdout: io.Discard, Stderr: &messages, Now: func() time.Time { return now }})
	p := a.StartProgress(400, false)
	for i := range 100 {
		now = now.Add(250 * time.Millisecond)
		p.Step(i == 3)
	}
	err := p.Stop()
	want := "avow: asking 40 of 400, 1 failed, 4.0 a second, 1m30s left\n" +
		"avow: asking 80 of 400, 1 failed, 4.0 a second, 1m20s left\n"
	if err != nil || messages.String() != want {
		t.Errorf("%v, %q", err, messages.String())
	}
}

// TestProgressBar looks at the bar on a terminal.
func TestProgressBar(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	var messages bytes.Buffer
	a := console.New(console.Env{
		Stdout: io.Discard, Stderr: &messages, Now: func() time.Time { return now },
		IsTerminal: func(s console.Stream) bool { return s == console.Stderr },
	})
	p := a.StartProgress(4, false)
	now = now.Add(2 * time.Second)
	p.Step(false)
	p.Step(true)
	messages.Reset()
	p.Step(false)
	p.Step(false)
	p.Step(false) // more than was known of
	err := p.Stop()
	want := "\rasking 3 of 4, 1 failed, 1.5 a second, 1s left [==============================----------]\x1b[K" +
		"\rasking 4 of 4, 1 failed, 2.0 a second, 0s left [========================================]\x1b[K" +
		"\rasking 5 of 5, 1 failed, 2.5 a second, 0s left [========================================]\x1b[K\r\x1b[K"
	if err != nil || messages.String() != want {
		t.Errorf("%v, %q", err, messages.String())
	}
}

// TestProgressAbove: what is written while there is a bar goes above it at once, in whole lines.
func TestProgressAbove(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	var terminal bytes.Buffer
	a := console.New(console.Env{
		Stdout: &terminal, Stderr: &terminal, Now: func() time.Time { return now },
		IsTerminal: func(console.Stream) bool { return true },
	})
	p := a.StartProgress(4, false)
	const bar = "\rasking 0 of 4 [----------------------------------------]\x1b[K"
	got := func(want string) {
		t.Helper()
		err := a.Out.Flush()
		if err != nil || terminal.String() != want {
			t.Errorf("%v, %q, want %q", err, terminal.String(), want)
		}
		terminal.Reset()
	}
	got(bar)
	fmt.Fprint(a.Out, "one\ntw")
	got("\r\x1b[Kone\n" + bar)
	a.Note("a message")
	got("\r\x1b[Kavow: a message\n" + bar)
	fmt.Fprint(a.Out, "o\nthree")
	got("\r\x1b[Ktwo\n" + bar)
	err := p.Stop()
	if err != nil {
		t.Error(err)
	}
	fmt.Fprint(a.Out, "\n")
	got("\r\x1b[Kthree\n")
}

// TestProgressStopBeside: somebody else may write messages while a bar is taken away.
func TestProgressStopBeside(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	var terminal bytes.Buffer
	a := console.New(console.Env{
		Stdout: io.Discard, Stderr: &terminal, Now: func() time.Time { return now },
		IsTerminal: func(console.Stream) bool { return true },
	})
	p := a.StartProgress(4, false)
	var others sync.WaitGroup
	others.Go(func() {
		for range 100 {
			a.Note("a message")
		}
	})
	err := p.Stop()
	others.Wait()
	if n := strings.Count(terminal.String(), "avow: a message\n"); err != nil || n != 100 {
		t.Errorf("%v, %d messages", err, n)
	}
	terminal.Reset()
	a.Note("the last")
	if terminal.String() != "avow: the last\n" {
		t.Errorf("%q after the end of the bar", terminal.String())
	}
}

// TestProgressStopLost: a bar goes away although nobody reads the output.
func TestProgressStopLost(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	var terminal bytes.Buffer
	lost, stdout := io.Pipe()
	_ = lost.Close()
	a := console.New(console.Env{
		Stdout: stdout, Stderr: &terminal, Now: func() time.Time { return now },
		IsTerminal: func(console.Stream) bool { return true },
	})
	p := a.StartProgress(4, false)
	fmt.Fprintln(a.Out, "one")
	err := p.Stop()
	if !errors.Is(err, io.ErrClosedPipe) || !strings.HasSuffix(terminal.String(), "\r\x1b[K") {
		t.Errorf("%v, %q", err, terminal.String())
	}
	terminal.Reset()
	a.Note("the output is lost")
	if terminal.String() != "avow: the output is lost\n" {
		t.Errorf("%q after the end of the bar", terminal.String())
	}
}
