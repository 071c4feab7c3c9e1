// Package console is what the commands share: the environment of a run, its streams, errors and
// exit codes, flags, files, and the forms of output for people and for programs. It knows no
// command.
package console

import (
	"bufio"
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

// Program is the name in usage lines, whatever the binary is called.
const Program = "avow"

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
	// Environ lists the environment as NAME=VALUE; nil means that it is not known.
	Environ func() []string
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// IsTerminal tells whether a person sits at a stream; nil means no.
	IsTerminal func(Stream) bool
	// Network is what lies behind the guard against requests to places that
	// are not public; the zero value is the internet. Only tests set it.
	Network netguard.Network
	// Root is the folder below which an installed service has its settings and its state; empty
	// means / of the machine. Only tests set it.
	Root string
	// Width is the number of columns of the terminal at a stream; nil or a
	// result below 1 means it is not known.
	Width func(Stream) int
}

// FileEnv is the environment of a process with these arguments and streams.
func FileEnv(args []string, stdin, stdout, stderr *os.File) Env {
	files := map[Stream]*os.File{Stdin: stdin, Stdout: stdout, Stderr: stderr}
	return Env{
		Args: args, Stdin: stdin, Stdout: stdout, Stderr: stderr, Getenv: os.Getenv, Environ: os.Environ,
		IsTerminal: func(s Stream) bool { return term.IsTerminal(int(files[s].Fd())) },
		Width: func(s Stream) int {
			width, _, err := term.GetSize(int(files[s].Fd()))
			if err != nil {
				return 0
			}
			return width
		},
	}
}

// An App is one run of the program.
type App struct {
	Env Env
	// Out is standard output, buffered; Run flushes it once.
	Out *bufio.Writer
	// Err is standard error. Text that is not ours goes through Note and SayError,
	// which escape it.
	Err io.Writer
	// colour is the value of the flag --color.
	colour *Choice
	// bar is the bar at the bottom of the terminal; nil when there is none.
	bar *Progress
	// Clock is the clock of a test; nil for the machine's clock, which may jump: code
	// that keeps records over time has to allow for that.
	Clock func() time.Time
	// Comma is what is between the cells of tables, as in the list that was read; zero means a comma.
	Comma rune
}

// New starts a run of the program. What is missing in env is filled in.
func New(env Env) *App {
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
		env.Width = func(Stream) int { return 0 }
	}
	return &App{Env: env, Out: bufio.NewWriterSize(env.Stdout, 64<<10), Err: &lockedWriter{w: env.Stderr}, Clock: clock}
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

// AddColourFlag adds the flag --color to the root of the commands.
func (a *App) AddColourFlag(root *cobra.Command) {
	a.colour = addChoice(root, root.PersistentFlags(), "color", "colour the output", "auto", "always", "never")
}

// Style returns the colours for a stream.
func (a *App) Style(s Stream) Style {
	switch a.colour.Value {
	case "always":
		return Style{on: true}
	case "never":
		return Style{}
	}
	plain := a.Env.Getenv("NO_COLOR") != "" || a.Env.Getenv("TERM") == "dumb"
	return Style{on: !plain && a.Env.IsTerminal(s)}
}

// Note prints a message for the person at the terminal on standard error.
func (a *App) Note(format string, args ...any) {
	fmt.Fprintf(a.Err, "avow: %s\n", textsafe.Terminal(fmt.Sprintf(format, args...)))
}
