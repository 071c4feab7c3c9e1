package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/spell"
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
		return errors.New("did you mean " + near + "?")
	}
	return errors.New("it must be one of " + strings.Join(c.words, ", "))
}
