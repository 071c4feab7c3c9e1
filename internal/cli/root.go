package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/authorize"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/crawl"
	"github.com/avow-project/avow/internal/cli/create"
	"github.com/avow-project/avow/internal/cli/diff"
	"github.com/avow-project/avow/internal/cli/discover"
	"github.com/avow-project/avow/internal/cli/edit"
	"github.com/avow-project/avow/internal/cli/explain"
	"github.com/avow-project/avow/internal/cli/fix"
	"github.com/avow-project/avow/internal/cli/history"
	"github.com/avow-project/avow/internal/cli/log"
	"github.com/avow-project/avow/internal/cli/lsp"
	"github.com/avow-project/avow/internal/cli/network"
	"github.com/avow-project/avow/internal/cli/pin"
	"github.com/avow-project/avow/internal/cli/pointer"
	"github.com/avow-project/avow/internal/cli/serve"
	"github.com/avow-project/avow/internal/cli/state"
	"github.com/avow-project/avow/internal/cli/validate"
	"github.com/avow-project/avow/internal/cli/verify"
	"github.com/avow-project/avow/internal/cli/watch"
	"github.com/avow-project/avow/internal/cli/witness"
)

// A command is one of the list, by its name.
type command struct {
	name  string
	build func(*console.App) *cobra.Command
}

// commands is the list of commands. A new command is added here and nowhere
// else.
var commands = []command{
	{"validate", validate.Command},
	{"fix", fix.Command},
	{"discover", discover.Command},
	{"network", network.Command},
	{"authorize", authorize.Command},
	{"resolve", authorize.ResolveCommand},
	{"formats", authorize.FormatsCommand},
	{"diff", diff.Command},
	{"edit", edit.Command},
	{"crawl", crawl.Command},
	{"watch", watch.Command},
	{"history", history.Command},
	{"hold", history.HoldCommand},
	{"log", log.Command},
	{"witness", witness.Command},
	{"verify", verify.Command},
	{"fmt", create.FormatCommand},
	{"create", create.Command},
	{"init", create.InitCommand},
	{"pointer", pointer.Command},
	{"pin", pin.Command},
	{"keygen", pin.KeygenCommand},
	{"enrich", serve.EnrichCommand},
	{"serve", serve.Command},
	{"mcp", serve.MCPCommand},
	{"lsp", lsp.Command},
	{"state", state.Command},
	{"health", serve.HealthCommand},
	{"keys", serve.KeysCommand},
	{"explain", explain.Command},
	{"schema", explain.SchemaCommand},
	{"completion", explain.CompletionCommand},
	{"version", explain.VersionCommand},
}

// needed returns the commands that a command line is about: the one that it begins with, and
// all of them when it begins with anything else. To build a command takes time, and there are
// many.
func needed(args []string) []command {
	if len(args) > 0 {
		i := slices.IndexFunc(commands, func(c command) bool { return c.name == args[0] })
		if i >= 0 {
			return commands[i : i+1]
		}
	}
	return commands
}

// Commands returns the tree of commands, for the generator of the manual. The
// commands are not meant to be run.
func Commands() *cobra.Command {
	a := console.New(console.Env{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard})
	return root(a)
}

// root builds the tree of commands.
func root(a *console.App) *cobra.Command {
	root := &cobra.Command{
		Use:   console.Program,
		Short: "find, check and create adagents.json, and answer who may sell what",
		Long: `avow works on adagents.json, the file in which a publisher declares its inventory
and who may sell it.

Exit codes: 0 yes or clean, 1 no or findings of severity error, 2 wrong usage, 3 the answer could not be determined.`,
		Example: `  avow validate example.com
  avow validate adagents.json
  avow discover example.com
  avow authorize example.com --agent https://agent.example/mcp
  avow help validate`,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return noCommand(a, cmd) },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetArgs(slices.Clone(a.Env.Args))
	root.SetIn(a.Env.Stdin)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { help(a, cmd) })
	root.SetHelpCommand(helpCommand(a))
	a.AddColourFlag(root)
	for _, c := range needed(a.Env.Args) {
		cmd := c.build(a)
		cmd.RunE = console.Typed(cmd.RunE)
		root.AddCommand(cmd)
	}
	root.InitDefaultHelpCmd()
	root.Flags().Bool("version", false, "print the version, like avow version")
	return root
}

// noCommand answers a bare "avow". It is not a success: a script whose command
// variable is empty must not read exit code 0 as "valid".
func noCommand(a *console.App, cmd *cobra.Command) error {
	if cmd.Flags().Changed("version") {
		return explain.WriteVersion(a, "text")
	}
	console.WriteHelp(a.Err, cmd, a.Env.Width(console.Stderr))
	return console.ExitStatus(console.ExitUsage)
}

func helpCommand(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "explain a command",
		Long:  "Help prints what a command does, its flags and examples. It is the same text as --help.",
		RunE: func(cmd *cobra.Command, args []string) error {
			target, rest, err := cmd.Root().Find(args)
			if err != nil {
				return unknownCommand(cmd.Root(), err)
			}
			if len(rest) > 0 && target.HasParent() {
				return console.UsageError("", "%s has no part named %q", target.CommandPath(), rest[0])
			}
			help(a, target)
			return nil
		},
	}
}

// help prints the help of a command on standard output.
func help(a *console.App, cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	console.WriteHelp(a.Out, cmd, a.Env.Width(console.Stdout))
}
