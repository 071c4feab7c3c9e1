package cli

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/settings"
)

// Env is everything the command line touches besides files.
type Env = console.Env

// Main runs avow with the process's own arguments and streams and returns its
// exit code.
//
// Signals keep their default action as long as only files are read: no command
// leaves anything behind that would have to be cleaned up, and an interrupted
// read must end at once. Commands that ask the web see to it themselves.
func Main() int { return Run(context.Background(), processEnv()) }

// processEnv is the environment of this process.
func processEnv() Env { return console.FileEnv(os.Args[1:], os.Stdin, os.Stdout, os.Stderr) }

// Run runs one command and returns its exit code.
func Run(ctx context.Context, env Env) int {
	a := console.New(env)
	err := execute(ctx, a)
	lost := a.Out.Flush()
	if lost != nil {
		// Whatever the answer was, the caller did not get it.
		err = console.Failure("", "cannot write the output: %s", console.Reason(lost))
	}
	return conclude(a, err)
}

// execute runs the command named by the arguments. A panic becomes an error:
// the exit code of a crashed Go program is 2, which would tell a script that
// it called avow wrongly.
func execute(ctx context.Context, a *console.App) (err error) {
	defer func() {
		p := recover()
		if p != nil {
			a.DropBar()
			err = console.Crash(p)
		}
	}()
	if a.Env.Environ != nil {
		meant := settings.Misspelled(a.Env.Environ())
		for _, name := range slices.Sorted(maps.Keys(meant)) {
			a.Note("warning: %s is not a setting; did you mean %s?", name, meant[name])
		}
	}
	root := root(a)
	return usageUnlessTyped(root, root.ExecuteContext(ctx))
}

// conclude prints the message of an error, if it has one, and returns the exit
// code.
func conclude(a *console.App, err error) int {
	if err == nil {
		return console.ExitYes
	}
	var status console.ExitStatus
	if errors.As(err, &status) {
		return int(status)
	}
	return a.SayError(err)
}
