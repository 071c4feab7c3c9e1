package console

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/std/spell"
)

const (
	// helpWidth is the widest help text; longer lines are hard to read.
	helpWidth = 100
	// narrowestHelp is the narrowest terminal that texts are fitted into.
	narrowestHelp = 40
)

// WriteHelp writes the help of a command for a terminal of a width.
func WriteHelp(w io.Writer, cmd *cobra.Command, width int) {
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
		return Program + " COMMAND [flags] [arguments]"
	}
	return cmd.UseLine()
}

func writeFlags(w io.Writer, title string, flags *pflag.FlagSet, width int) {
	if flags.HasAvailableFlags() {
		fmt.Fprintf(w, "\n%s:\n%s", title, flags.FlagUsagesWrapped(width))
	}
}

// TextWidth is the width that texts are fitted into.
func (a *App) TextWidth() int {
	width := a.Env.Width(Stdout)
	if width < narrowestHelp || width > helpWidth {
		return helpWidth
	}
	return width
}

// Group makes a command of commands. By itself it only explains itself, which is no
// success.
func (a *App) Group(cmd *cobra.Command, subs ...*cobra.Command) *cobra.Command {
	var names []string
	for _, sub := range subs {
		sub.RunE = Typed(sub.RunE)
		cmd.AddCommand(sub)
		names = append(names, sub.Name())
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			WriteHelp(a.Err, cmd, a.Env.Width(Stderr))
			return ExitStatus(ExitUsage)
		}
		hint := "use one of " + strings.Join(names, ", ")
		near, ok := spell.Nearest(args[0], names, 2)
		if ok {
			hint = "did you mean " + cmd.CommandPath() + " " + near + "?"
		}
		return UsageError(hint, "unknown command %q", cmd.CommandPath()+" "+args[0])
	}
	return cmd
}

// CommandNames are the names of the commands below one.
func CommandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return names
}
