package console

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/std/textsafe"
)

// The exit codes. Scripts rely on them.
const (
	ExitYes     = 0 // yes, valid, clean
	ExitNo      = 1 // no, not valid, findings of severity error
	ExitUsage   = 2 // wrong usage
	ExitUnknown = 3 // could not determine: unreadable, absent, internal
)

// ExitStatus ends a command with a code and without a message, because the
// command has said everything already.
type ExitStatus int

// Error makes an ExitStatus an error; its text is never shown.
func (e ExitStatus) Error() string { return "exit status " + strconv.Itoa(int(e)) }

// Error ends a command with a message and a hint.
type Error struct {
	Code    int
	Message string
	Hint    string // may be empty
	// stack is set for a bug of ours. It holds names and addresses of our own
	// code only, so it needs no escaping.
	stack []byte
}

// Error returns the message alone, not escaped.
func (e *Error) Error() string { return e.Message }

// UsageError is for wrong usage of a command.
func UsageError(hint, format string, args ...any) error {
	return &Error{Code: ExitUsage, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// Failure is for an answer that could not be determined.
func Failure(hint, format string, args ...any) error {
	return &Error{Code: ExitUnknown, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// Crash is for a panic. It only notes what happened, because it may run beside
// other checks; the message is printed in its turn.
func Crash(p any) error {
	return &Error{
		Code: ExitUnknown, stack: debug.Stack(),
		Message: fmt.Sprintf("internal error: %v", p), Hint: "this is a bug in avow; please report it with the lines above",
	}
}

// SayError prints an error as "avow: error: ..." with its hint and returns the
// exit code it stands for. Commands use it for errors that do not end them.
func (a *App) SayError(err error) int {
	known := AsError(err)
	// What was printed before must also appear before; a failure to write it
	// is kept by the writer and reported at the end.
	_ = a.Out.Flush()
	paint := a.Style(Stderr)
	fmt.Fprintf(a.Err, "%s", known.stack)
	fmt.Fprintf(a.Err, "avow: %s %s\n", paint.Red("error:"), textsafe.Terminal(oneLine(known.Message)))
	if known.Hint != "" {
		fmt.Fprintf(a.Err, "%s %s\n", paint.Dim("hint:"), textsafe.Terminal(oneLine(known.Hint)))
	}
	return known.Code
}

// oneLine joins the lines of a text, such as the error of a database: escaped one by one,
// line breaks and tabs would be hard to read.
func oneLine(s string) string {
	if !strings.Contains(s, "\n") {
		return s
	}
	var lines []string
	for line := range strings.Lines(s) {
		if text := strings.Trim(line, " \t\r\n"); text != "" {
			lines = append(lines, text)
		}
	}
	return strings.ReplaceAll(strings.Join(lines, "; "), ":; ", ": ")
}

// Typed makes sure that an error of a command itself is told from an error of
// the library that read the command line: only the latter is a usage error.
func Typed(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		if err == nil || IsTyped(err) {
			return err
		}
		return Failure("", "%v", err)
	}
}

// IsTyped reports whether an error says by itself how the command ends.
func IsTyped(err error) bool {
	var status ExitStatus
	var known *Error
	return errors.As(err, &status) || errors.As(err, &known)
}

// AsError returns the message, hint and code of any error.
func AsError(err error) *Error {
	known := &Error{Code: ExitUnknown, Message: err.Error()}
	errors.As(err, &known)
	return known
}
