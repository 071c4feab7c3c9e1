package console

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/std/spell"
)

// Choice is a flag that takes one of a few words. It refuses the others while
// the command line is read and offers them to shell completion.
type Choice struct {
	Value string
	Words []string
}

// AddChoice defines a choice flag on a command. The first word is the default.
func AddChoice(cmd *cobra.Command, name, usage string, words ...string) *Choice {
	return addChoice(cmd, cmd.Flags(), name, usage, words...)
}

// addChoice defines the flag in one of the sets of a command.
func addChoice(cmd *cobra.Command, set *pflag.FlagSet, name, usage string, words ...string) *Choice {
	c := &Choice{Value: words[0], Words: words}
	set.Var(c, name, usage+": "+strings.Join(words, ", "))
	if c.Value == "default" {
		// "(default default)" is no help.
		set.Lookup(name).DefValue = ""
	}
	err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic("cli: flag " + name + " was defined twice")
	}
	return c
}

// String returns the word chosen.
func (c *Choice) String() string { return c.Value }

// Type names the kind of value in help texts.
func (c *Choice) Type() string { return "WORD" }

// Set accepts one of the words.
func (c *Choice) Set(s string) error {
	if slices.Contains(c.Words, s) {
		c.Value = s
		return nil
	}
	near, ok := spell.Nearest(s, c.Words, 2)
	if ok {
		return &ChoiceError{Hint: "did you mean " + near + "?"}
	}
	return &ChoiceError{Hint: "use one of " + strings.Join(c.Words, ", ")}
}

// ChoiceError says which word to use instead.
type ChoiceError struct{ Hint string }

// Error returns the hint; flagError puts the name of the flag in front.
func (e *ChoiceError) Error() string { return e.Hint }
