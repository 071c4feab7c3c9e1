package diff

import (
	"github.com/spf13/cobra"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
)

// diffFlags are the values of the command's flags.
type diffFlags struct {
	format *console.Choice
	least  *console.Choice
	output string
	state  *sources.StoreFlags
}

// AddSeverity adds the flag for the least severity of changes and events.
func AddSeverity(cmd *cobra.Command) *console.Choice {
	return console.AddChoice(cmd, "min-severity", "least severity to show", "info", "warning", "alert")
}

// LeastSeverity is the severity that the flag of AddSeverity stands for.
func LeastSeverity(c *console.Choice) custody.Severity {
	for _, s := range []custody.Severity{custody.Warning, custody.Alert} {
		if s.String() == c.Value {
			return s
		}
	}
	return custody.Info
}
