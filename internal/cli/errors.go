package cli

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/std/spell"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// The exit codes. Scripts rely on them.
const (
	exitYes     = 0 // yes, valid, clean
	exitNo      = 1 // no, not valid, findings of severity error
	exitUsage   = 2 // avow was called wrongly
	exitUnknown = 3 // could not find out: unreadable, absent, internal
)

// exitStatus ends a command with a code and without a message, because the
// command has said everything already.
type exitStatus int

// Error makes an exitStatus an error; nobody reads the text.
func (e exitStatus) Error() string { return "exit status " + strconv.Itoa(int(e)) }

// cliError ends a command with a message and a hint.
type cliError struct {
	code int
	msg  string
	hint string // may be empty
	// stack is set for a bug of ours. It holds names and addresses of our own
	// code only, so it needs no escaping.
	stack []byte
}

// Error returns the message alone, not escaped.
func (e *cliError) Error() string { return e.msg }

// usageError is for a command that was called wrongly.
func usageError(hint, format string, args ...any) error {
	return &cliError{code: exitUsage, msg: fmt.Sprintf(format, args...), hint: hint}
}

// failure is for an answer that could not be found out.
func failure(hint, format string, args ...any) error {
	return &cliError{code: exitUnknown, msg: fmt.Sprintf(format, args...), hint: hint}
}

// crash is for a panic. It only notes what happened, because it may run beside
// other checks; the message is printed in its turn.
func crash(p any) error {
	return &cliError{
		code: exitUnknown, stack: debug.Stack(),
		msg: fmt.Sprintf("internal error: %v", p), hint: "this is a bug in avow; please report it with the lines above",
	}
}

// conclude prints the message of an error, if it has one, and returns the exit
// code.
func (a *app) conclude(err error) int {
	if err == nil {
		return exitYes
	}
	var status exitStatus
	if errors.As(err, &status) {
		return int(status)
	}
	return a.sayError(err)
}

// sayError prints an error as "avow: error: ..." with its hint and returns the
// exit code it stands for. Commands use it for errors that do not end them.
func (a *app) sayError(err error) int {
	known := asError(err)
	// What was printed before must also appear before; a failure to write it
	// is kept by the writer and reported at the end.
	_ = a.out.Flush()
	paint := a.style(Stderr)
	fmt.Fprintf(a.errw, "%s", known.stack)
	fmt.Fprintf(a.errw, "avow: %s %s\n", paint.red("error:"), textsafe.Terminal(oneLine(known.msg)))
	if known.hint != "" {
		fmt.Fprintf(a.errw, "%s %s\n", paint.dim("hint:"), textsafe.Terminal(oneLine(known.hint)))
	}
	return known.code
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

// typed makes sure that an error of a command itself is told from an error of
// the library that read the command line: only the latter is a usage error.
func typed(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		if err == nil || isTyped(err) {
			return err
		}
		return failure("", "%v", err)
	}
}

func isTyped(err error) bool {
	var status exitStatus
	var known *cliError
	return errors.As(err, &status) || errors.As(err, &known)
}

// usageUnlessTyped turns what cobra says about the command line into ours.
func usageUnlessTyped(root *cobra.Command, err error) error {
	if err == nil || isTyped(err) {
		return err
	}
	return unknownCommand(root, err)
}

// asError returns the message, hint and code of any error.
func asError(err error) *cliError {
	known := &cliError{code: exitUnknown, msg: err.Error()}
	errors.As(err, &known)
	return known
}

// unknownCommand turns cobra's error about the first argument into ours. The
// name is taken from the error because only cobra knows which arguments it
// took for values of flags.
func unknownCommand(root *cobra.Command, err error) error {
	hint := "run avow help for the list of commands"
	after, _ := strings.CutPrefix(err.Error(), "unknown command ")
	quoted, _ := strconv.QuotedPrefix(after)
	name, qerr := strconv.Unquote(quoted)
	if qerr != nil {
		return usageError(hint, "%v", err)
	}
	near, ok := spell.Nearest(name, commandNames(root), 2)
	if ok {
		hint = "did you mean avow " + near + "?"
	}
	return usageError(hint, "unknown command %q", name)
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return names
}

// flagError turns an error about a flag into ours, with the nearest known flag
// as the hint when the name was not known.
func flagError(cmd *cobra.Command, err error) error {
	hint := "run " + cmd.CommandPath() + " --help for the flags"
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return flagValueError(invalid)
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return usageError(hint, "%v", err)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	near, ok := spell.Nearest(unknown.GetSpecifiedName(), names, 2)
	if ok {
		hint = "did you mean --" + near + "?"
	}
	return usageError(hint, "%v", err)
}

// flagValueError is the error of a flag that does not take the value given.
func flagValueError(err *pflag.InvalidValueError) error {
	var word *choiceError
	hint := "see --help"
	switch {
	case errors.As(err, &word):
		hint = word.hint
	case err.GetFlag().Value.Type() == "int":
		hint = "write a whole number"
	case err.GetFlag().Value.Type() == "bool":
		hint = "leave the value out"
	}
	return usageError(hint, "--%s cannot be %q", err.GetFlag().Name, err.GetValue())
}
