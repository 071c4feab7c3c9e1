package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/cli/authorize"
	"github.com/avow-project/avow/internal/cli/conformance"
	"github.com/avow-project/avow/internal/cli/console"
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
)

// A command is one of a group, by its name.
type command struct {
	name  string
	build func(*console.App) *cobra.Command
}

// A group is a part of the list of commands.
type group struct {
	title    string
	commands []command
}

// groups are the commands, in the order in which help lists them. A new command is added here and
// nowhere else.
var groups = []group{
	{"Check", []command{
		{"validate", validate.Command},
		{"discover", discover.Command},
		{"fix", fix.Command},
		{"fmt", create.FormatCommand},
		{"explain", explain.Command},
	}},
	{"Create", []command{
		{"create", create.Command},
		{"edit", edit.Command},
		{"pointer", pointer.Command},
		{"pin", pin.Command},
		{"keygen", pin.KeygenCommand},
	}},
	{"Ask", []command{
		{"authorize", authorize.Command},
		{"resolve", authorize.ResolveCommand},
		{"formats", authorize.FormatsCommand},
		{"supply-path", authorize.SupplyPathCommand},
		{"enrich", serve.EnrichCommand},
	}},
	{"Bulk", []command{
		{"network", network.Command},
		{"crawl", watch.CrawlCommand},
		{"watch", watch.Command},
	}},
	{"History", []command{
		{"history", history.Command},
		{"diff", diff.Command},
		{"hold", history.HoldCommand},
	}},
	{"Service", []command{
		{"serve", serve.Command},
		{"keys", serve.KeysCommand},
		{"state", state.Command},
	}},
	{"Proof", []command{
		{"verify", verify.Command},
		{"log", log.Command},
	}},
	{"Tools", []command{
		{"mcp", serve.MCPCommand},
		{"lsp", lsp.Command},
		{"conformance", conformance.Command},
		{"schema", explain.SchemaCommand},
		{"completion", explain.CompletionCommand},
		{"version", explain.VersionCommand},
		{"help", helpCommand},
	}},
}

// needed returns the commands that a command line is about: the one that it begins with, and
// all of them when it begins with anything else. To build a command takes time, and there are
// many.
func needed(args []string) []group {
	if len(args) == 0 || args[0] == "help" {
		return groups
	}
	for _, g := range groups {
		for _, c := range g.commands {
			if c.name == args[0] {
				return []group{{g.title, []command{c}}}
			}
		}
	}
	return groups
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
		Use:   console.Program + " COMMAND [flags] [arguments]",
		Short: "check, create and look up adagents.json",
		Long: `adagents.json is the file in which a publisher declares its inventory and who may sell it.
avow help COMMAND explains a command, and the guide explains every task, step by step.

Guide: /guide of a running service (avow serve), or
` + buildinfo.Source("docs/guide/README.md") + `

Exit codes: 0 yes or clean, 1 no or findings of severity error, 2 wrong usage, 3 the answer could not be determined.`,
		Example: `  avow validate example.com
  avow validate adagents.json
  avow create
  avow authorize example.com --agent https://agent.example/mcp`,
		DisableFlagsInUseLine: true,
		SilenceErrors:         true,
		SilenceUsage:          true,
		RunE:                  func(cmd *cobra.Command, _ []string) error { return noCommand(a, cmd) },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetArgs(slices.Clone(a.Env.Args))
	root.SetIn(a.Env.Stdin)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { help(a, cmd) })
	a.AddColourFlag(root)
	addGroups(a, root)
	root.Flags().Bool("version", false, "print the version, like avow version")
	return root
}

// addGroups adds the commands that are needed.
func addGroups(a *console.App, root *cobra.Command) {
	var all []*cobra.Command
	for _, g := range needed(a.Env.Args) {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			cmd := c.build(a)
			cmd.GroupID = g.title
			all = append(all, cmd)
		}
	}
	console.AddCommands(root, all...)
	help, _, err := root.Find([]string{"help"})
	if err == nil && help != root {
		root.SetHelpCommand(help)
	}
}

// noCommand answers a bare "avow". It is not a success: a script whose command
// variable is empty must not read exit code 0 as "valid".
func noCommand(a *console.App, cmd *cobra.Command) error {
	if cmd.Flags().Changed("version") {
		return explain.WriteVersion(a, "text")
	}
	a.WriteHelp(console.Stderr, cmd)
	return console.ExitStatus(console.ExitUsage)
}

func helpCommand(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "explain a command",
		Long: `Help prints what a command does, its flags and examples. It is the same text as that of --help.

Exit codes: 0 the help was printed, 2 there is no such command.`,
		Example: `  avow help
  avow help validate
  avow help edit add`,
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
	a.WriteHelp(console.Stdout, cmd)
}
