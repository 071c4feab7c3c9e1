package console

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

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
