package suite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// TestMain is an implementation when a test starts it as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "implementation" {
		implementation(os.Args[2], os.Stdout)
		return
	}
	os.Exit(m.Run())
}

// implementation answers lines, in a manner.
func implementation(manner string, out io.Writer) {
	if manner == "gone" {
		fmt.Fprintln(os.Stderr, "first\nno such library")
		os.Exit(1)
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch {
		case manner == "crashes" && strings.Contains(line, "check/b"):
			os.Exit(3)
		case manner == "hangs" && strings.Contains(line, "check/b"):
			continue
		case manner == "rambles" && strings.Contains(line, "check/b"):
			for range longestLine>>20 + 1 {
				fmt.Fprint(out, strings.Repeat("x", 1<<20))
			}
		case manner == "chats" && strings.Contains(line, "check/b"):
			fmt.Fprintln(out, "hello")
		case manner == "confuses" && strings.Contains(line, "check/b"):
			fmt.Fprintln(out, `{"id":"check/a","answer":{"valid":true}}`)
		default:
			fmt.Fprintln(out)
			fmt.Fprintln(out, `{"answer":{"valid":true}}`)
		}
	}
}

func three() []*Case {
	var all []*Case
	for _, id := range []string{"check/a", "check/b", "check/c"} {
		all = append(all, &Case{ID: id, Kind: "check", Files: []File{{Name: "adagents.json", Text: "{}"}}, Want: map[string]any{"valid": true}})
	}
	return all
}

// An impatient process does not wait for the answer to one case, and for ever for the others.
type impatient struct {
	Process

	hurry string
}

func (p *impatient) Ask(ctx context.Context, c *Case) (*Answer, error) {
	p.Timeout = time.Hour
	if c.ID == p.hurry {
		p.Timeout = time.Millisecond
	}
	return p.Process.Ask(ctx, c)
}

// askThree runs an implementation.
func askThree(t *testing.T, manner string) ([]*Result, error) {
	t.Helper()
	return Run(t.Context(), three(), Options{Open: func() Answerer {
		p := &impatient{Process: Process{Command: []string{os.Args[0], "implementation", manner}}}
		if manner == "hangs" {
			p.hurry = "check/b"
		}
		return p
	}})
}

// TestProcess: an implementation that fails with one case answers the others.
func TestProcess(t *testing.T) {
	t.Parallel()
	for manner, want := range map[string]string{
		"answers": "", "crashes": "ended without an answer", "hangs": "no answer within 1ms", "rambles": "longer than 16 MiB", "chats": "not an answer in JSON", "confuses": "answers check/a",
	} {
		t.Run(manner, func(t *testing.T) {
			t.Parallel()
			got, err := askThree(t, manner)
			if err != nil {
				t.Fatal(err)
			}
			if got[0].Outcome != Passed || got[2].Outcome != Passed {
				t.Errorf("the others: %+v %+v", got[0], got[2])
			}
			if (got[1].Outcome == Passed) != (want == "") || !strings.Contains(got[1].Detail, want) {
				t.Errorf("got %s: %s", got[1].Outcome, got[1].Detail)
			}
		})
	}
}

func TestProcessThatNeverAnswers(t *testing.T) {
	t.Parallel()
	_, err := askThree(t, "gone")
	if err == nil || !strings.Contains(err.Error(), "has not answered any of 3 questions") || !strings.Contains(err.Error(), "it says: no such library") {
		t.Errorf("got %v", err)
	}
	_, err = Run(t.Context(), three(), Options{Open: func() Answerer { return &Process{Command: []string{"/does/not/exist"}, Timeout: time.Minute} }})
	if err == nil || !strings.Contains(err.Error(), "cannot start /does/not/exist") {
		t.Errorf("got %v", err)
	}
}

// TestPatience: the first answer may take its time, and after another start as long as it took then.
func TestPatience(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		p    Process
		want time.Duration
	}{
		{Process{Timeout: time.Second, running: &running{}}, loading},
		{Process{Timeout: time.Hour, running: &running{}}, time.Hour},
		{Process{Timeout: time.Second, running: &running{loaded: true}, answered: true, startup: time.Minute}, time.Second},
		{Process{Timeout: time.Second, running: &running{}, answered: true, startup: 2 * time.Second}, 3 * time.Second},
	} {
		if got := tt.p.patience(); got != tt.want {
			t.Errorf("%+v: %s", tt.p, got)
		}
	}
}

func TestRunIsInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Run(ctx, three(), Options{
		Open: func() Answerer {
			return &Process{Command: []string{os.Args[0], "implementation", "answers"}, Timeout: time.Hour}
		},
		Done: func(*Result) { cancel() },
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
