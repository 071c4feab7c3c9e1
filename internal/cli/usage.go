package cli

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/spell"
)

// usageUnlessTyped turns what cobra says about the command line into ours.
func usageUnlessTyped(root *cobra.Command, err error) error {
	if err == nil || console.IsTyped(err) {
		return err
	}
	return unknownCommand(root, err)
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
		return console.UsageError(hint, "%v", err)
	}
	near, ok := otherNames[name]
	if !ok {
		near, ok = spell.Nearest(name, console.CommandNames(root), 2)
	}
	if ok {
		hint = "did you mean avow " + near + "?"
	}
	return console.UsageError(hint, "unknown command %q", name)
}

// otherNames are words that people try first, and the commands that they mean.
var otherNames = map[string]string{
	"check": "validate", "lint": "validate", "test": "validate", "find": "discover", "trace": "discover", "repair": "fix",
	"format": "fmt",
	"init":   "create", "new": "create", "generate": "create", "add": "edit add", "revoke": "edit revoke",
	"ask": "authorize", "who": "authorize",
	"list": "resolve", "compare": "diff", "monitor": "watch", "fetch": "crawl", "run": "serve", "start": "serve",
	"server": "serve", "health": "serve health",
	"backup": "state export", "export": "state export", "import": "state import",
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
		return console.UsageError(hint, "%v", err)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	name := unknown.GetSpecifiedName()
	near, ok := spell.Nearest(name, names, 2)
	format := cmd.Flags().Lookup("format")
	switch {
	case ok:
		hint = "did you mean --" + near + "?"
	case format != nil && format.Value.Set(name) == nil:
		hint = "did you mean --format " + name + "?"
	}
	return console.UsageError(hint, "%v", err)
}

// flagValueError is the error of a flag that does not take the value given.
func flagValueError(err *pflag.InvalidValueError) error {
	var word *console.ChoiceError
	hint := "see --help"
	switch {
	case errors.As(err, &word):
		hint = word.Hint
	case err.GetFlag().Value.Type() == "duration":
		hint = "write a duration such as 3s"
	case err.GetFlag().Value.Type() == "float64":
		hint = "write a number"
	case err.GetFlag().Value.Type() == "int":
		hint = "write a whole number"
	case err.GetFlag().Value.Type() == "bool":
		hint = "leave the value out"
	}
	return console.UsageError(hint, "invalid --%s %q", err.GetFlag().Name, err.GetValue())
}
