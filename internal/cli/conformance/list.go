package conformance

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/suite"
)

func listCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list [flags]",
		Short: "list the cases of the suite",
		Long: `List prints the cases: id, label and title. As JSON, each case is a line with everything there is
to know about it: the files, the question, the answer, and what the answer rests on.

Exit codes: 0 the cases were printed, 2 wrong usage.`,
		Example: `  avow conformance list --only normative
  avow conformance list --only authorize/country --format json`,
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	only := addOnly(cmd)
	format := console.AddChoice(cmd, "format", "output format", "text", "json")
	cmd.RunE = func(*cobra.Command, []string) error {
		cases, err := choose(*only)
		if err != nil {
			return err
		}
		return list(a, cases, format.Value)
	}
	return cmd
}

func list(a *console.App, cases []*suite.Case, format string) error {
	if format == "json" {
		text, err := suite.Write(cases)
		if err == nil {
			_, err = a.Out.Write(text)
		}
		return err
	}
	width := 0
	for _, c := range cases {
		width = max(width, len(c.ID))
	}
	for _, c := range cases {
		fmt.Fprintf(a.Out, "%-*s  %-14s  %s\n", width, c.ID, c.Label, c.Title)
	}
	return nil
}
