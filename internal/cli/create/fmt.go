package create

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// FormatCommand returns the command fmt.
func FormatCommand(a *console.App) *cobra.Command {
	f := formatter{app: a}
	cmd := &cobra.Command{
		Use:                   "fmt [-w | --check] FILE...",
		DisableFlagsInUseLine: true,
		Short:                 "write files in canonical form",
		Long: `Fmt prints a file with two spaces of indentation and the members in the order of the
documentation, so that two versions of a file differ only where their content does.
It changes white space, escapes and the order of members, never a value: unknown and
repeated members stay, numbers keep their digits. A file need not be valid, only JSON.

FILE may be - for standard input. With -w the files are rewritten in place, each in
one step: a reader sees the old file or the new one, and an interrupted run leaves
the old one. With --check nothing is written; the files that are not in canonical
form are listed.

Exit codes: 0 done, or all files are in canonical form; 1 --check found one that is
not, or a file is not JSON; 3 a file could not be read or written. The other files are
still processed.`,
		Example: `  avow fmt adagents.json
  avow fmt -w adagents.json network/*.json
  avow fmt --check adagents.json
  curl -s https://example.com/.well-known/adagents.json | avow fmt -`,
		Args: someArguments,
		RunE: func(_ *cobra.Command, args []string) error { return f.run(args) },
	}
	cmd.Flags().BoolVarP(&f.write, "write", "w", false, "rewrite the files in place")
	cmd.Flags().BoolVar(&f.check, "check", false, "list the files that are not in canonical form; exit 1 if there are any")
	return cmd
}

// someArguments refuses a command line without a file.
func someArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return console.UsageError("for example: "+cmd.CommandPath()+" adagents.json, or - for standard input",
			"%s needs a file", cmd.CommandPath())
	}
	return nil
}

// formatter is one run of the fmt command.
type formatter struct {
	app    *console.App
	write  bool
	check  bool
	status int // the worst exit code so far
}

func (f *formatter) run(files []string) error {
	if f.write && f.check {
		return console.UsageError("--check tells, -w changes; choose one", "-w and --check exclude each other")
	}
	for _, name := range files {
		if f.write && name == console.StdinName {
			return console.UsageError("leave out -w to get the result on standard output",
				"standard input cannot be rewritten in place")
		}
	}
	for _, name := range files {
		err := f.file(name)
		if err != nil {
			f.status = max(f.status, f.app.SayError(err))
		}
	}
	if f.status != console.ExitYes {
		return console.ExitStatus(f.status)
	}
	return nil
}

func (f *formatter) file(name string) error {
	src, err := f.app.ReadInput(name)
	if err != nil {
		return err
	}
	canonical, err := adagents.Format(src)
	if err != nil {
		return notJSON(name, err)
	}
	same := bytes.Equal(src, canonical)
	switch {
	case f.check && !same:
		fmt.Fprintln(f.app.Out, textsafe.Terminal(name))
		f.status = max(f.status, console.ExitNo)
	case f.write && !same:
		return console.RewriteFile(name, canonical)
	case !f.check && !f.write:
		_, err = f.app.Out.Write(canonical)
	}
	return err
}

// notJSON is the error of a file that cannot be formatted, with line, column
// and advice.
func notJSON(name string, err error) error {
	var unusable *adagents.Unusable
	if !errors.As(err, &unusable) {
		return console.Failure("", "%s: %v", name, err)
	}
	f := unusable.Findings[0]
	return &console.Error{Code: console.ExitNo, Message: fmt.Sprintf("%s:%d:%d: %s", name, f.Line, f.Column, f.Message),
		Hint: f.Hint}
}
