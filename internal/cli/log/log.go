// Package log has the command log: the transparency log of a registry, made, asked and
// verified.
package log

import (
	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
)

const logHelp = `Log is about the transparency log of a registry: a public list, which can only grow, of
what the registry saw of publishers' files and what it decided. A proof from it shows in a
dispute, offline and years later, what was seen and when, and that it was not changed since.

Verify checks a proof or a receipt, and says what it proves and what not.`

// Command returns the command log.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:                   "log verify",
		Short:                 "prove what was seen of publishers' files, and check such proofs",
		Long:                  logHelp,
		Example:               "  avow log verify receipt.txt --policy registry.policy",
		DisableFlagsInUseLine: true,
	}
	return a.Group(cmd, verifyCommand(a))
}
