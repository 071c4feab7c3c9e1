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

Init makes the log of a store, and avow serve --log-key signs it; status shows how far it has
got, flush signs it without a service, check reads all of it, export writes it as files, recover
brings back what a store has lost, key changes the keys, and succeed begins another log in the
place of one that cannot go on. Prove writes a proof, and
verify checks a proof or a receipt and says what it proves and what not. Monitor follows another
operator's log, and tells what it claims about your domains.

Without a log of your own you need only verify and monitor.`

// Command returns the command log.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "log",
		Short: "keep a transparency log of what was seen, and check proofs",
		Long:  logHelp,
		Example: `  avow log init --origin registry.example.com/log --key log.key > registry.policy
  avow log prove example.com -o example.tlog-proof
  avow log verify example.tlog-proof --policy registry.policy`,
	}
	return a.Group(cmd, initCommand(a), statusCommand(a), proveCommand(a), verifyCommand(a), monitorCommand(a),
		checkCommand(a), flushCommand(a), exportCommand(a), recoverCommand(a), keyCommand(a), succeedCommand(a))
}
