package console

import (
	"slices"
	"strconv"
	"strings"
	"time"

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

// days is the value of a flag for a time in days, or in parts of one.
type days time.Duration

// AddDays adds a flag for a time that is mostly given in days.
func AddDays(cmd *cobra.Command, name string, usual time.Duration, usage string) *time.Duration {
	v := new(time.Duration)
	*v = usual
	cmd.Flags().Var((*days)(v), name, usage)
	return v
}

const day = 24 * time.Hour

// String writes whole days as days.
func (d *days) String() string {
	if t := time.Duration(*d); t%day != 0 {
		return t.String()
	}
	return strconv.Itoa(int(time.Duration(*d)/day)) + "d"
}

// Set reads a time.
func (d *days) Set(text string) error {
	const most = 36_500
	number, whole := strings.CutSuffix(text, "d")
	n, err := strconv.Atoi(number)
	t := time.Duration(n) * day
	if !whole {
		t, err = time.ParseDuration(text)
	}
	if err != nil || t <= 0 || n > most {
		return &ChoiceError{Hint: "write a number of days such as 14d, or a duration such as 12h"}
	}
	*d = days(t)
	return nil
}

// Type is part of pflag.Value.
func (*days) Type() string { return "duration" }
