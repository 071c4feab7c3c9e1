package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/std/spell"
)

// choice is a flag that takes one of a few words. It refuses the others while
// the command line is read and offers them to shell completion.
type choice struct {
	value string
	words []string
}

// addChoice defines a choice flag on a command. The first word is the default.
func addChoice(cmd *cobra.Command, name, usage string, words ...string) *choice {
	c := &choice{value: words[0], words: words}
	set := cmd.Flags()
	if !cmd.HasParent() && cmd.Name() == programName {
		set = cmd.PersistentFlags()
	}
	set.Var(c, name, usage+": "+strings.Join(words, ", "))
	if c.value == "default" {
		// "(default default)" helps nobody.
		set.Lookup(name).DefValue = ""
	}
	err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic("cli: flag " + name + " was defined twice")
	}
	return c
}

// String returns the word chosen.
func (c *choice) String() string { return c.value }

// Type names the kind of value in help texts.
func (c *choice) Type() string { return "WORD" }

// Set accepts one of the words.
func (c *choice) Set(s string) error {
	if slices.Contains(c.words, s) {
		c.value = s
		return nil
	}
	near, ok := spell.Nearest(s, c.words, 2)
	if ok {
		return &choiceError{"did you mean " + near + "?"}
	}
	return &choiceError{"use one of " + strings.Join(c.words, ", ")}
}

// choiceError says which word to use instead.
type choiceError struct{ hint string }

// Error returns the hint; flagError puts the name of the flag in front.
func (e *choiceError) Error() string { return e.hint }
