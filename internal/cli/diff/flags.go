package diff

import (
	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/custody"
)

// diffFlags are the values of the command's flags.
type diffFlags struct {
	format, least, fail *console.Choice
	output              string
	web                 *request.Flags
	state               *sources.StoreFlags
}

// AddSeverity adds the flag for the least severity of changes and events.
func AddSeverity(cmd *cobra.Command) *console.Choice {
	return console.AddChoice(cmd, "min-severity", "least severity to show", "info", "warning", "alert")
}

// LeastSeverity is the severity that the flag of AddSeverity stands for.
func LeastSeverity(c *console.Choice) custody.Severity { return severityOf(c.Value) }

// severityOf is the severity that a word stands for.
func severityOf(word string) custody.Severity {
	for _, s := range []custody.Severity{custody.Warning, custody.Alert} {
		if s.String() == word {
			return s
		}
	}
	return custody.Info
}
