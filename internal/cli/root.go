package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// programName is the name in usage lines, whatever the binary is called.
const programName = "avow"

// commands is the list of commands. A new command is added here and nowhere
// else.
func (a *app) commands() []*cobra.Command {
	return []*cobra.Command{
		a.validateCommand(),
		a.discoverCommand(),
		a.authorizeCommand(),
		a.resolveCommand(),
		a.formatsCommand(),
		a.diffCommand(),
		a.watchCommand(),
		a.historyCommand(),
		a.holdCommand(),
		a.verifyCommand(),
		a.fmtCommand(),
		a.createCommand(),
		a.initCommand(),
		a.enrichCommand(),
		a.serveCommand(),
		a.stateCommand(),
		a.keysCommand(),
		a.explainCommand(),
		a.schemaCommand(),
		a.completionCommand(),
		a.versionCommand(),
	}
}

// Commands returns the tree of commands, for the generator of the manual. The
// commands are not meant to be run.
func Commands() *cobra.Command {
	a := newApp(Env{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard})
	return a.root()
}

// root builds the tree of commands.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   programName,
		Short: "find, check and create adagents.json, and answer who may sell what",
		Long: `avow works on adagents.json, the file in which a publisher declares its inventory
and who may sell it.

Exit codes: 0 yes or clean, 1 no or findings of severity error, 2 avow was called
wrongly, 3 the answer could not be found out.`,
		Example: `  avow validate example.com
  avow validate adagents.json
  avow discover example.com
  avow authorize example.com --agent https://agent.example/mcp
  avow help validate`,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return a.noCommand(cmd) },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetArgs(slices.Clone(a.env.Args))
	root.SetIn(a.env.Stdin)
	root.SetOut(a.out)
	root.SetErr(a.errw)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { a.help(cmd) })
	root.SetHelpCommand(a.helpCommand())
	a.addColourFlag(root)
	for _, cmd := range a.commands() {
		cmd.RunE = typed(cmd.RunE)
		root.AddCommand(cmd)
	}
	root.InitDefaultHelpCmd()
	root.Flags().Bool("version", false, "print the version, like avow version")
	return root
}

// noCommand answers a bare "avow". It is not a success: a script whose command
// variable is empty must not read exit code 0 as "valid".
func (a *app) noCommand(cmd *cobra.Command) error {
	if cmd.Flags().Changed("version") {
		return a.version("text")
	}
	writeHelp(a.errw, cmd, a.env.Width())
	return exitStatus(exitUsage)
}

func (a *app) helpCommand() *cobra.Command {
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
				return usageError("", "%s has no part named %q", target.CommandPath(), rest[0])
			}
			a.help(target)
			return nil
		},
	}
}

// help prints the help of a command on standard output.
func (a *app) help(cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	writeHelp(a.out, cmd, a.env.Width())
}

const (
	// helpWidth is the widest help text; longer lines are hard to read.
	helpWidth = 100
	// narrowestHelp is the narrowest terminal that texts are fitted into.
	narrowestHelp = 40
)

func writeHelp(w io.Writer, cmd *cobra.Command, width int) {
	long := strings.TrimSpace(cmd.Long)
	if width < narrowestHelp || width > helpWidth {
		width = helpWidth
	} else {
		long = reflow(long, width)
	}
	fmt.Fprintf(w, "%s: %s\n\nUsage:\n  %s\n", cmd.CommandPath(), cmd.Short, useLine(cmd))
	if long != "" {
		fmt.Fprintf(w, "\n%s\n", long)
	}
	writeCommands(w, cmd)
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", strings.TrimRight(cmd.Example, "\n"))
	}
	writeFlags(w, "Flags", cmd.LocalFlags(), width)
	writeFlags(w, "Flags of every command", cmd.InheritedFlags(), width)
}

// writeCommands lists the commands of a command.
func writeCommands(w io.Writer, cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	const narrowest = 10
	width := narrowest
	for _, sub := range cmd.Commands() {
		width = max(width, len(sub.Name()))
	}
	fmt.Fprint(w, "\nCommands:\n")
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			fmt.Fprintf(w, "  %-*s  %s\n", width, sub.Name(), sub.Short)
		}
	}
}

func useLine(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() && !cmd.HasParent() {
		return programName + " COMMAND [flags] [arguments]"
	}
	return cmd.UseLine()
}

func writeFlags(w io.Writer, title string, flags *pflag.FlagSet, width int) {
	if flags.HasAvailableFlags() {
		fmt.Fprintf(w, "\n%s:\n%s", title, flags.FlagUsagesWrapped(width))
	}
}
