package suite

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
)

// An Answerer answers the questions of cases. An error means that it cannot go on.
type Answerer interface {
	// Ask returns the answer to a case. What goes wrong with one case is an answer with Error.
	Ask(ctx context.Context, c *Case) (*Answer, error)
	// Close ends it.
	Close()
}

const (
	// longestLine bounds a line that a command answers with.
	longestLine = 16 << 20
	// keptWords is how much of what a command says on standard error is kept.
	keptWords = 4 << 10
	// stubborn is how often in a row a command may end or stay silent before it has answered anything.
	stubborn = 3
	// loading is how long the very first answer may take at least: some libraries take their time to load.
	loading = time.Minute
	// grace is how long a command may take to end when its input does.
	grace = 2 * time.Second
)

// A Process asks a command, which it starts when it is needed and again after it ended or took too
// long.
type Process struct {
	// Command is the program with its arguments.
	Command []string
	// Timeout bounds each answer.
	Timeout time.Duration

	running  *running
	answered bool
	failures int
	// startup is how long the first answer took.
	startup time.Duration
}

// A running is one run of the command.
type running struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan line
	words *tail
	stop  context.CancelFunc
	// loaded is set by the first answer.
	loaded bool
}

// errSilent tells that a command took too long.
var errSilent = errors.New("no answer")

type line struct {
	text []byte
	err  error
}

// message is the line that is sent for a case.
type message struct {
	Format   int            `json:"format"`
	ID       string         `json:"id"`
	Kind     string         `json:"kind"`
	Files    []File         `json:"files"`
	Question map[string]any `json:"question"`
	Time     string         `json:"time"`
}

// reply is the line that comes back.
type reply struct {
	ID string `json:"id"`
	Answer
}

// Line returns the line of JSON that is sent for a case, without its end.
func Line(c *Case) ([]byte, error) {
	return json.Marshal(message{Format, c.ID, c.Kind, c.Files, c.Question, c.Time}, json.Deterministic(true))
}

// ReadReply reads the line that came back for a case.
func ReadReply(c *Case, text []byte) (*Answer, error) {
	var r reply
	err := json.Unmarshal(text, &r)
	if err != nil {
		return nil, fmt.Errorf("the line is not an answer in JSON: %w", err)
	}
	if r.ID != "" && r.ID != c.ID {
		return nil, fmt.Errorf("the line answers %s", r.ID)
	}
	return &r.Answer, nil
}

// Ask sends a line and waits for the answer.
func (p *Process) Ask(ctx context.Context, c *Case) (*Answer, error) {
	text, err := Line(c)
	if err != nil {
		return nil, err
	}
	if p.running == nil {
		p.running, err = p.start()
		if err != nil {
			return nil, err
		}
	}
	began := time.Now()
	answer, err := p.running.ask(ctx, c, append(text, '\n'), p.patience())
	if err == nil {
		if !p.answered {
			p.startup = time.Since(began)
		}
		p.running.loaded, p.answered, p.failures = true, true, 0
		return answer, nil
	}
	said := p.end()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	p.failures++
	if !p.answered && errors.Is(err, errSilent) {
		return nil, fmt.Errorf("%s is silent: %w to %s; does it write the end of the line, and flush it?%s", p.Command[0],
			err, c.ID, said)
	}
	if !p.answered && p.failures >= stubborn {
		return nil, fmt.Errorf("%s has not answered any of %d questions: %w%s", p.Command[0], stubborn, err, said)
	}
	return &Answer{Error: err.Error() + said, Lost: true}, nil
}

// patience is how long the next answer may take.
func (p *Process) patience() time.Duration {
	switch {
	case p.running.loaded:
		return p.Timeout
	case p.answered: // it was started again
		return p.Timeout + p.startup
	}
	return max(p.Timeout, loading)
}

// Close ends the command.
func (p *Process) Close() {
	if p.running != nil {
		p.end()
	}
}

// end ends the command and returns the last line that it said on standard error.
func (p *Process) end() string {
	r := p.running
	p.running = nil
	_ = r.in.Close()
	timer := time.AfterFunc(grace, r.stop)
	_ = r.cmd.Wait()
	timer.Stop()
	r.stop()
	said := r.words.last()
	if said != "" {
		said = "; it says: " + said
	}
	return said
}

func (p *Process) start() (*running, error) {
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, p.Command[0], p.Command[1:]...)
	cmd.WaitDelay = grace
	together(cmd)
	words := &tail{}
	cmd.Stderr = words
	in, err := cmd.StdinPipe()
	if err != nil {
		stop()
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		stop()
		return nil, fmt.Errorf("cannot start %s: %w", p.Command[0], err)
	}
	r := &running{cmd: cmd, in: in, lines: make(chan line), words: words, stop: stop}
	go r.read(ctx, out)
	return r, nil
}

// read hands on the lines of a command until it ends.
func (r *running) read(ctx context.Context, out io.Reader) {
	scanner := bufio.NewScanner(out)
	scanner.Buffer(nil, longestLine)
	for scanner.Scan() {
		if len(bytes.TrimSpace(scanner.Bytes())) == 0 {
			continue
		}
		select {
		case r.lines <- line{text: bytes.Clone(scanner.Bytes())}:
		case <-ctx.Done():
			return
		}
	}
	err := scanner.Err()
	if err == nil {
		err = errors.New("the command ended without an answer")
	}
	select {
	case r.lines <- line{err: err}:
	case <-ctx.Done():
	}
}

// ask sends a line and waits for one.
func (r *running) ask(ctx context.Context, c *Case, text []byte, timeout time.Duration) (*Answer, error) {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	sent := make(chan error, 1)
	go func() {
		_, err := r.in.Write(text)
		sent <- err
	}()
	select {
	case l := <-r.lines:
		if errors.Is(l.err, bufio.ErrTooLong) {
			r.stop()
			return nil, fmt.Errorf("a line of the answer is longer than %d MiB", longestLine>>20)
		}
		if l.err != nil {
			return nil, l.err
		}
		return ReadReply(c, l.text)
	case <-timer.C:
		r.stop()
		return nil, fmt.Errorf("%w within %s", errSilent, timeout)
	case <-ctx.Done():
		r.stop()
		return nil, ctx.Err()
	}
}

// A tail keeps the last words of a command.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write keeps the end of what is written.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	t.text = t.text[max(0, len(t.text)-keptWords):]
	return len(b), nil
}

// last returns the last line.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	return strings.ToValidUTF8(strings.TrimSpace(lines[len(lines)-1]), "?")
}
