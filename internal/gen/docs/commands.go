package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/cli"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/markdown"
)

//go:embed cli.md.tmpl
var commandsTemplate string

// command is what the page says about one command.
type command struct {
	Name, Short, Usage, Long, Examples string
	Flags                              []commandFlag
}

// commandGroup is a part of the list of commands.
type commandGroup struct {
	Title    string
	Commands []command
}

// commandFlag is one row of a table of flags.
type commandFlag struct {
	Names, Default, Usage string
}

// commandsPage returns docs/cli.md.
func commandsPage() ([]byte, error) {
	root := cli.Commands()
	var groups []commandGroup
	for _, g := range root.Groups() {
		groups = append(groups, commandGroup{g.Title, describeAll(root, g.ID)})
	}
	t, err := template.New("cli").Funcs(template.FuncMap{"anchor": markdown.Anchor, "cell": cell}).Parse(commandsTemplate)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{"Groups": groups, "Global": flags(root.PersistentFlags())})
	return b.Bytes(), err
}

// describeAll describes the commands of a group below another, each with those below it.
func describeAll(root *cobra.Command, group string) []command {
	var list []command
	for _, c := range console.Subcommands(root) {
		if c.GroupID == group {
			list = append(list, describe(c))
			list = append(list, describeAll(c, "")...)
		}
	}
	return list
}

func describe(c *cobra.Command) command {
	return command{
		Name: c.CommandPath(), Short: c.Short, Usage: c.UseLine(), Long: prose(c.Long),
		Examples: undented(c.Example), Flags: flags(c.Flags()),
	}
}

func flags(set *pflag.FlagSet) []commandFlag {
	var rows []commandFlag
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		names := "--" + f.Name
		if f.Shorthand != "" {
			names = "-" + f.Shorthand + ", " + names
		}
		if value != "" {
			names += " " + value
		}
		rows = append(rows, commandFlag{names, console.DefaultOf(f), usage})
	})
	return rows
}

// prose turns a help text into Markdown: indented lines become blocks of code,
// and characters that would be markup are escaped.
func prose(text string) string {
	var b strings.Builder
	code := false
	for line := range strings.Lines(strings.TrimSpace(text) + "\n") {
		indented := strings.HasPrefix(line, "  ")
		if indented != code {
			fence := "```\n"
			if indented {
				fence = "\n```sh\n"
			}
			b.WriteString(fence)
			code = indented
		}
		if code {
			b.WriteString(strings.TrimPrefix(line, "  "))
		} else {
			b.WriteString(escapeMarkdown.Replace(line))
		}
	}
	if code {
		fmt.Fprintln(&b, "```")
	}
	return strings.TrimSpace(b.String())
}

var escapeMarkdown = strings.NewReplacer("*", `\*`, "_", `\_`, "<", "&lt;")

func undented(text string) string {
	return strings.TrimSpace(strings.ReplaceAll("\n"+text, "\n  ", "\n"))
}
