package authorize

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/list"
	"github.com/avow-project/avow/internal/cli/question"
	"github.com/avow-project/avow/internal/cli/resume"
	"github.com/avow-project/avow/internal/cli/sources"
)

// authorizeFlags are the values of the command's flags.
type authorizeFlags struct {
	question      question.Flags
	source        sources.Flags
	format        *console.Choice
	batch, output string
	// brand is where the operator's brand.json is.
	brand string
	proof proofFlags
	// patience is how long a listing waits for one of the other publishers.
	patience time.Duration
	// list, resume and ordered are for listings of many publishers.
	list    *list.Flags
	resume  *resume.Flag
	ordered bool
}

// onePublisher returns the publisher that a command is about.
func onePublisher(cmd *cobra.Command, args []string, agent string) (string, error) {
	example := cmd.CommandPath() + " example.com --agent https://agent.example/mcp"
	switch {
	case len(args) == 0:
		return "", console.UsageError("name the publisher's domain: "+example, "%s needs a publisher", cmd.CommandPath())
	case len(args) > 1:
		return "", console.UsageError("ask about one after the other, or use avow authorize --batch",
			"%s takes one publisher, got %d", cmd.CommandPath(), len(args))
	case args[0] == "":
		return "", console.UsageError("is a variable of your script not set?", "the name of a domain is empty")
	case agent == "":
		return "", console.UsageError("name the agent's endpoint: "+example, "%s needs --agent", cmd.CommandPath())
	}
	return args[0], nil
}
