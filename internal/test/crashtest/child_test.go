package crashtest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/test/pgtest"
)

// taskVariable makes this program one of the processes that are killed.
const taskVariable = "AVOW_CRASHTEST_TASK"

// What `make proof-crash` sets.
var (
	runs = flag.Int("runs", 100, "how often a process is killed while it ingests")
	all  = flag.Bool("all", false, "inject each fault into each write, and let the server go away more often")
)

func TestMain(m *testing.M) {
	text := os.Getenv(taskVariable)
	if text != "" {
		os.Exit(child(text))
	}
	os.Exit(pgtest.Main(m))
}

// A task is what a process shall do.
type task struct {
	Store   string
	Network string
	Base    time.Time
	// From is the first step, and Steps how many there are; zero means without end.
	From, Steps int
	// Again makes the process repeat what fails, once.
	Again bool
}

// A line is what a process says. Exactly one member is set.
type line struct {
	// Opened: the store is open.
	Opened bool `json:",omitempty"`
	// Ack: a step is committed.
	Ack *ack `json:",omitempty"`
	// Failure: something failed and is tried again.
	Failure *failure `json:",omitempty"`
	// Done: all is done, and the store is closed.
	Done bool `json:",omitempty"`
}

// A failure is what a process says about something that failed while it goes on.
type failure struct {
	// During is "open", "ingest" or "close".
	During, Error string
	// After an ingest that failed: why the keeper is not ready, how it answers for the
	// publisher, and whether the revocation counts nevertheless.
	Ready, Served string
	Revokes       bool
}

// child is the process.
func child(text string) int {
	var t task
	err := json.Unmarshal([]byte(text), &t)
	if err == nil {
		err = t.run(context.Background(), json.NewEncoder(os.Stdout))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "crashtest:", err)
		return 1
	}
	return 0
}

func (t *task) web() web { return web{network: t.Network, base: t.Base} }

// run does the task.
func (t *task) run(ctx context.Context, out *json.Encoder) error {
	s, err := open(ctx, t.Store, t.web(), 0)
	if err != nil && t.Again {
		err = out.Encode(line{Failure: &failure{During: "open", Error: err.Error()}})
		if err != nil {
			return err
		}
		s, err = open(ctx, t.Store, t.web(), 0)
	}
	if err != nil {
		return err
	}
	err = out.Encode(line{Opened: true})
	for step := t.From; err == nil && (t.Steps == 0 || step < t.From+t.Steps); step++ {
		err = t.step(ctx, out, s, step)
	}
	if err != nil {
		return err
	}
	err = s.store.Close()
	if err != nil && t.Again {
		return out.Encode(line{Failure: &failure{During: "close", Error: err.Error()}})
	}
	return errors.Join(err, out.Encode(line{Done: true}))
}

// step takes a step and says so.
func (t *task) step(ctx context.Context, out *json.Encoder, s *session, step int) error {
	a, err := s.ingest(ctx, step)
	if err != nil && t.Again {
		f := s.shut(ctx)
		f.Error = err.Error()
		err = out.Encode(line{Failure: f})
		if err != nil {
			return err
		}
		a, err = s.ingest(ctx, step)
	}
	if err != nil {
		return err
	}
	return out.Encode(line{Ack: a})
}

// listen returns what a process says, up to its end. A line that was cut off does not
// count.
func listen(r io.Reader) <-chan line {
	lines := make(chan line, 10_000)
	go func() {
		defer close(lines)
		for in := bufio.NewReader(r); ; {
			text, err := in.ReadBytes('\n')
			var l line
			if err == nil {
				err = json.Unmarshal(text, &l)
			}
			if err != nil {
				return
			}
			lines <- l
		}
	}()
	return lines
}
