package console_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
)

// tick is the time between two drawings of the bar.
const tick = 100 * time.Millisecond

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
	want := "avow: checked 40 of 400, 1 failed, 1m30s left, 4.0 per second\n" +
		"avow: checked 80 of 400, 1 failed, 1m20s left, 4.0 per second\n"
	if err != nil || messages.String() != want {
		t.Errorf("%v, %q", err, messages.String())
	}
}

// onTerminal is an app whose streams are a terminal of a width.
func onTerminal(terminal io.Writer, width int) *console.App {
	return console.New(console.Env{
		Stdout: terminal, Stderr: terminal,
		IsTerminal: func(console.Stream) bool { return true }, Width: func(console.Stream) int { return width },
	})
}

// TestProgressBar looks at the bar on a terminal whose width is not known.
func TestProgressBar(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var messages bytes.Buffer
		p := onTerminal(&messages, 0).StartProgress(4, false)
		time.Sleep(2*time.Second - tick/2)
		synctest.Wait()
		p.Step(false)
		p.Step(true)
		messages.Reset()
		for range 3 { // one more than was known of
			p.Step(false)
			time.Sleep(tick)
		}
		err := p.Stop()
		want := "\rchecked 3 of 4, 1 failed, 1s left, 1.5 per second [====================-------]\x1b[K" +
			"\rchecked 4 of 4, 1 failed, 0s left, 1.9 per second [===========================]\x1b[K" +
			"\rchecked 5 of 5, 1 failed, 0s left, 2.3 per second [===========================]\x1b[K\r\x1b[K"
		if err != nil || messages.String() != want {
			t.Errorf("%v, %q", err, messages.String())
		}
	})
}

// TestProgressRedraws: however much happens, the bar is drawn ten times a second.
func TestProgressRedraws(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var terminal bytes.Buffer
		a := onTerminal(&terminal, 80)
		p := a.StartProgress(100_000, false)
		const steps = 2_500
		for i := range steps {
			fmt.Fprintln(a.Out, "line", i)
			err := a.Out.Flush()
			if err != nil {
				t.Fatal(err)
			}
			p.Step(false)
			time.Sleep(time.Millisecond)
		}
		err := p.Stop()
		drawn, lines := strings.Count(terminal.String(), "\rchecked "), strings.Count(terminal.String(), "line ")
		if err != nil || drawn < 20 || drawn > 26 || lines != steps {
			t.Errorf("%v; drawn %d times in 2.5 seconds, %d lines", err, drawn, lines)
		}
	})
}

// TestProgressAbove: what is written while there is a bar goes above it with the next drawing, in
// whole lines.
func TestProgressAbove(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var terminal bytes.Buffer
		a := onTerminal(&terminal, 80)
		p := a.StartProgress(4, false)
		const bar = "\rchecked 0 of 4 [----------------------------------------]\x1b[K"
		got := func(want string) {
			t.Helper()
			err := a.Out.Flush()
			time.Sleep(tick + 1)
			synctest.Wait()
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
		long := strings.Repeat("x", 100_000) + "\n"
		fmt.Fprint(a.Out, long)
		got("\r\x1b[Kthree" + long + bar)
		fmt.Fprint(a.Out, "four")
		err := p.Stop()
		if err != nil {
			t.Error(err)
		}
		fmt.Fprint(a.Out, "\n")
		got("\r\x1b[Kfour\n")
	})
}

// TestProgressStopBeside: others may write messages while a bar is taken away.
func TestProgressStopBeside(t *testing.T) {
	t.Parallel()
	var terminal bytes.Buffer
	a := onTerminal(&terminal, 80)
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

// TestProgressStopLost: a bar goes away although the output cannot be written.
func TestProgressStopLost(t *testing.T) {
	t.Parallel()
	for _, wait := range []time.Duration{0, 2 * tick} {
		synctest.Test(t, func(t *testing.T) {
			var terminal bytes.Buffer
			lost, stdout := io.Pipe()
			_ = lost.Close()
			a := onTerminal(&terminal, 80)
			a.Env.Stdout = stdout
			p := a.StartProgress(4, false)
			fmt.Fprintln(a.Out, "one")
			if wait > 0 {
				err := a.Out.Flush()
				time.Sleep(wait)
				if err != nil {
					t.Error(err)
				}
			}
			err := p.Stop()
			if !errors.Is(err, io.ErrClosedPipe) || !strings.HasSuffix(terminal.String(), "\r\x1b[K") {
				t.Errorf("%v, %q", err, terminal.String())
			}
			terminal.Reset()
			a.Note("the output is lost")
			if terminal.String() != "avow: the output is lost\n" {
				t.Errorf("%q after the end of the bar", terminal.String())
			}
		})
	}
}

// TestDropBar: what a panic leaves does not hide its message.
func TestDropBar(t *testing.T) {
	t.Parallel()
	var terminal bytes.Buffer
	a := onTerminal(&terminal, 80)
	a.StartProgress(4, false)
	a.DropBar()
	a.Note("a message")
	a.DropBar()
	if !strings.HasSuffix(terminal.String(), "\r\x1b[Kavow: a message\n") {
		t.Errorf("%q", terminal.String())
	}
}
