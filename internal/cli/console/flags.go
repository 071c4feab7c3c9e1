package console

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/std/rfc3339"
)

// NoEmptyFlag refuses a flag that is given without a value, which is what becomes of a
// variable that is not set: a question would be wider than it was meant. It is what a command has as
// its PreRunE.
func NoEmptyFlag(cmd *cobra.Command, _ []string) error {
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && f.Value.Type() == "string" && f.Value.String() == "" {
			err = UsageError("leave the flag out if nothing is meant; or is a variable of your script not set?",
				"--%s is empty", f.Name)
		}
	})
	return err
}

// FlagError names the flag that a fault is about.
func FlagError(name string, err error) error {
	known := AsError(err)
	return UsageError(known.Hint, "--%s: %s", name, known.Message)
}

// ParseInstant reads a time that the user wrote.
func ParseInstant(text string) (time.Time, error) {
	at, err := rfc3339.Parse(text)
	if err != nil {
		return at, UsageError("write it as 2026-01-02T00:00:00Z", "%s: %v", text, err)
	}
	return at, nil
}

// NoArguments refuses arguments of a command that takes none.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return UsageError("run "+cmd.CommandPath()+" --help", "%s takes no arguments, got %q", cmd.CommandPath(), args[0])
	}
	return nil
}

// PlainContact reports whether a text can stand in a header line, inside
// parentheses.
func PlainContact(s string) bool {
	const longest = 200
	odd := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`()\"<>`, r) }
	return len(s) <= longest && !strings.ContainsFunc(s, odd)
}
