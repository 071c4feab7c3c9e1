package console_test

import (
	"bytes"
	"io"
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
	err := p.Stop()
	want := "\rasking 3 of 4, 1 failed, 1.5 a second, 1s left [==============================----------]\x1b[K\r\x1b[K"
	if err != nil || messages.String() != want {
		t.Errorf("%v, %q", err, messages.String())
	}
}
