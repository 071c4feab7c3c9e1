package explain

import (
	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/schemas"
)

// SchemaCommand returns the command schema.
func SchemaCommand(a *console.App) *cobra.Command {
	var path string
	var force bool
	cmd := &cobra.Command{
		Use:                   "schema [-o FILE]",
		DisableFlagsInUseLine: true,
		Short:                 "print the JSON Schema of adagents.json",
		Long: `Schema prints the JSON Schema (draft 2020-12) that is built into avow. An editor that
knows it completes names and marks slips while a file is typed.

The schema says what can be said about one value at a time. Whatever compares two
places of a file, such as an id that is not defined, takes avow validate.

Exit codes: 0 it was written, 2 wrong usage, or the file exists, 3 it could not be
written.`,
		Example: `  avow schema -o adagents.schema.json
  avow schema | jq '.properties | keys'`,
		Args: console.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			return a.WriteResult(path, schemas.Adagents(), force)
		},
	}
	cmd.Flags().StringVarP(&path, "output", "o", "", "write to this `FILE` instead of standard output")
	cmd.Flags().BoolVar(&force, "force", false, "replace a file that exists")
	return cmd
}
