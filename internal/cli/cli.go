package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// A Stream is one of the three standard streams.
type Stream uint8

// The standard streams.
const (
	Stdin Stream = iota
	Stdout
	Stderr
)

// An Env is everything the command line touches besides files, so that a test
// can be the terminal, the clock and the user at once.
type Env struct {
	// Args are the arguments without the program name.
	Args   []string
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	// Getenv reads an environment variable; nil means none is set.
	Getenv func(string) string
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// IsTerminal tells whether a person sits at a stream; nil means nobody
	// does.
	IsTerminal func(Stream) bool
	// Network is what lies behind the guard against requests to places that
	// are not public; the zero value is the internet. Only tests set it.
	Network netguard.Network
	// Width is the number of columns of the terminal at standard output; nil
	// or a result below 1 means it is not known.
	Width func() int
}

// Main runs avow with the process's own arguments and streams and returns its
// exit code.
//
// Signals keep their default action as long as only files are read: no command
// leaves anything behind that would have to be cleaned up, and an interrupted
// read must end at once. Commands that ask the web see to it themselves.
func Main() int { return Run(context.Background(), processEnv()) }

// processEnv is the environment of this process.
func processEnv() Env {
	files := map[Stream]*os.File{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	return Env{
		Args:       os.Args[1:],
		Stdin:      os.Stdin,
		Stdout:     os.Stdout,
		Stderr:     os.Stderr,
		Getenv:     os.Getenv,
		IsTerminal: func(s Stream) bool { return term.IsTerminal(int(files[s].Fd())) },
		Width: func() int {
			width, _, err := term.GetSize(int(os.Stdout.Fd()))
			if err != nil {
				return 0
			}
			return width
		},
	}
}

// Run runs one command and returns its exit code.
func Run(ctx context.Context, env Env) int {
	a := newApp(env)
	err := a.run(ctx)
	lost := a.out.Flush()
	if lost != nil {
		// Whatever the answer was, nobody got to read it.
		err = failure("", "cannot write the output: %s", reason(lost))
	}
	return a.conclude(err)
}

// app is one run of the program. Commands are its methods.
type app struct {
	env Env
	// out is standard output, buffered; Run flushes it once.
	out *bufio.Writer
	// errw is standard error. Text that is not ours goes through sayError and
	// friends, which escape it.
	errw io.Writer
	// colour is the value of the flag --color.
	colour *choice
	// clock is the clock of a test; nil for that of the machine, which jumps and needs
	// the care of those who keep something over time.
	clock func() time.Time
}

func newApp(env Env) *app {
	if env.Getenv == nil {
		env.Getenv = func(string) string { return "" }
	}
	clock := env.Now
	if env.Now == nil {
		env.Now = time.Now
	}
	if env.IsTerminal == nil {
		env.IsTerminal = func(Stream) bool { return false }
	}
	if env.Width == nil {
		env.Width = func() int { return 0 }
	}
	return &app{env: env, out: bufio.NewWriterSize(env.Stdout, 64<<10), errw: &lockedWriter{w: env.Stderr}, clock: clock}
}

// lockedWriter keeps lines whole that are written at the same time: requests
// are listed while other things go on.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

// Write writes as one piece.
func (l *lockedWriter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// run executes the command named by the arguments. A panic becomes an error:
// the exit code of a crashed Go program is 2, which would tell a script that
// it called avow wrongly.
func (a *app) run(ctx context.Context) (err error) {
	defer func() {
		p := recover()
		if p != nil {
			err = crash(p)
		}
	}()
	root := a.root()
	return usageUnlessTyped(root, root.ExecuteContext(ctx))
}

// addColourFlag adds the flag --color to the root of the commands.
func (a *app) addColourFlag(root *cobra.Command) {
	a.colour = addChoice(root, "color", "colour the output", "auto", "always", "never")
}

// style returns the colours for a stream.
func (a *app) style(s Stream) style {
	switch a.colour.value {
	case "always":
		return style{on: true}
	case "never":
		return style{}
	}
	plain := a.env.Getenv("NO_COLOR") != "" || a.env.Getenv("TERM") == "dumb"
	return style{on: !plain && a.env.IsTerminal(s)}
}

// note prints a message for the person at the terminal on standard error.
func (a *app) note(format string, args ...any) {
	fmt.Fprintf(a.errw, "avow: %s\n", textsafe.Terminal(fmt.Sprintf(format, args...)))
}
