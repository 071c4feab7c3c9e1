package console

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/std/spell"
)

const (
	// helpWidth is the widest help text, and that of a terminal whose width is not known.
	helpWidth = 80
	// textWidth is the widest answer; longer lines are hard to read.
	textWidth = 100
	// narrowest is the narrowest terminal that texts are fitted into.
	narrowest = 40
)

// order is the annotation that has the number of a command in a list.
const order = "order"

// AddCommands adds commands below another one; help lists them in this order.
func AddCommands(parent *cobra.Command, subs ...*cobra.Command) {
	for i, sub := range subs {
		sub.RunE = Typed(sub.RunE)
		sub.Annotations = map[string]string{order: strconv.Itoa(i)}
		parent.AddCommand(sub)
	}
}

// Subcommands are the commands below one that help lists, in their order.
func Subcommands(cmd *cobra.Command) []*cobra.Command {
	subs := slices.DeleteFunc(slices.Clone(cmd.Commands()), func(c *cobra.Command) bool {
		return c.Annotations[order] == ""
	})
	slices.SortFunc(subs, func(a, b *cobra.Command) int { return rankOf(a) - rankOf(b) })
	return subs
}

// rankOf is the number of a command among its neighbours.
func rankOf(cmd *cobra.Command) int {
	n, _ := strconv.Atoi(cmd.Annotations[order]) // it was written by AddCommands
	return n
}

// WriteHelp writes the help of a command to a stream.
func (a *App) WriteHelp(s Stream, cmd *cobra.Command) {
	w := io.Writer(a.Out)
	if s == Stderr {
		w = a.Err
	}
	width := fitted(a.Env.Width(s), helpWidth)
	fmt.Fprintf(w, "%s\n\nUsage:\n%s", WrapHanging(cmd.CommandPath()+": "+cmd.Short, width, 2),
		indented(cmd.UseLine(), width))
	if cmd.Example != "" {
		fmt.Fprint(w, "\nExamples:\n")
		for example := range strings.Lines(cmd.Example) {
			fmt.Fprint(w, wrapCommand(strings.TrimSpace(example), width))
		}
	}
	long := strings.TrimSpace(cmd.Long)
	if long != "" {
		fmt.Fprintf(w, "\n%s\n", reflow(long, width))
	}
	writeCommands(w, cmd, width)
	writeFlags(w, "Flags", cmd.LocalFlags(), width)
	writeFlags(w, "Flags of every command", cmd.InheritedFlags(), width)
}

// writeCommands lists the commands of a command, in their groups.
func writeCommands(w io.Writer, cmd *cobra.Command, width int) {
	subs := Subcommands(cmd)
	column := 0
	for _, sub := range subs {
		column = max(column, len(sub.Name()))
	}
	list := func(title, group string) {
		fmt.Fprintf(w, "\n%s:\n", title)
		for _, sub := range subs {
			if sub.GroupID == group {
				fmt.Fprintf(w, "  %-*s  %s\n", column, sub.Name(), WrapHanging(sub.Short, width, column+4))
			}
		}
	}
	for _, g := range cmd.Groups() {
		list(g.Title, g.ID)
	}
	if len(subs) > 0 && len(cmd.Groups()) == 0 {
		list("Commands", "")
	}
}

// writeFlags lists flags, with their usage beside them or, if there is no space for that, below.
func writeFlags(w io.Writer, title string, flags *pflag.FlagSet, width int) {
	if !flags.HasAvailableFlags() {
		return
	}
	var rows [][2]string
	column := 0
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			rows = append(rows, flagRow(f))
			column = max(column, len(rows[len(rows)-1][0])+3)
		}
	})
	const below = 10
	between := ""
	if column > width/2 {
		column, between = below, "\n"+strings.Repeat(" ", below)
	}
	fmt.Fprintf(w, "\n%s:\n", title)
	for _, row := range rows {
		if between == "" {
			row[0] = Padded(row[0], column)
		}
		fmt.Fprintf(w, "%s%s%s\n", row[0], between, WrapHanging(row[1], width, column))
	}
}

// flagRow is a flag as help shows it, and its usage.
func flagRow(f *pflag.Flag) [2]string {
	value, usage := pflag.UnquoteUsage(f)
	name := "      --" + f.Name
	if f.Shorthand != "" {
		name = "  -" + f.Shorthand + ", --" + f.Name
	}
	if text := DefaultOf(f); text != "" {
		usage += " (default " + text + ")"
	}
	return [2]string{strings.TrimRight(name+" "+value, " "), usage}
}

// DefaultOf is the default of a flag that is worth showing.
func DefaultOf(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "false", "[]", "0", "0s":
		return ""
	}
	return strings.Trim(f.DefValue, "[]")
}

// indented is a text that begins at the third column, and its other lines at the seventh.
func indented(text string, width int) string {
	return "  " + strings.ReplaceAll(Wrap(text, width-6), "\n", "\n      ") + "\n"
}

// wrapCommand fits a command line into a width, in lines that a shell reads as one. Words in
// quotes stay whole, and so do flags with their values where there is space.
func wrapCommand(line string, width int) string {
	const indent, rest = 6, len(` \`)
	words := shellWords(line)
	var b strings.Builder
	b.WriteString("  " + words[0])
	column := 2 + len(words[0])
	for i, word := range words[1:] {
		together := len(word)
		if next := words[min(i+2, len(words)-1)]; strings.HasPrefix(word, "-") && !strings.ContainsAny(next[:1], "-|<>") &&
			indent+len(word)+1+len(next)+rest <= width {
			together += 1 + len(next)
		}
		if column+1+together+rest > width {
			b.WriteString(" \\\n" + strings.Repeat(" ", indent))
			column = indent
		} else {
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String() + "\n"
}

// shellWords splits a command line at spaces outside of quotes.
func shellWords(line string) []string {
	var words []string
	quote := rune(0)
	begin := 0
	for i, r := range line {
		switch {
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		case r == quote:
			quote = 0
		case r == ' ' && quote == 0:
			words = append(words, line[begin:i])
			begin = i + 1
		}
	}
	return append(words, line[begin:])
}

// TextWidth is the width that answers are fitted into.
func (a *App) TextWidth() int { return fitted(a.Env.Width(Stdout), textWidth) }

// fitted is the width of a terminal, within limits.
func fitted(width, widest int) int {
	if width < 1 {
		return widest
	}
	return max(min(width, widest), narrowest)
}

// Group makes a command of commands. Without a subcommand it prints its help and fails.
func (a *App) Group(cmd *cobra.Command, subs ...*cobra.Command) *cobra.Command {
	AddCommands(cmd, subs...)
	cmd.Use, cmd.DisableFlagsInUseLine = cmd.Use+" COMMAND [flags] [arguments]", true
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			a.WriteHelp(Stderr, cmd)
			return ExitStatus(ExitUsage)
		}
		names := CommandNames(cmd)
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
	for _, c := range Subcommands(root) {
		names = append(names, c.Name())
	}
	return names
}
