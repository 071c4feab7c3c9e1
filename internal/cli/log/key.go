package log

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store"
)

const keyHelp = `Key changes the keys of a log. The log says in a leaf which keys sign from then on, and a new key
file is written; the old file is not changed. Restart the service with the new one, and give the
policy that is printed to those who verify, follow or cosign the log.

Add makes new keys, and the log is signed with both: who knows the old keys or the new ones can
verify. When everybody has the new policy, retire ends the old ones. Replace is for keys that are
lost: the log goes on with new ones at once, and who has only the old policy accepts nothing newer.

With witnesses: put the new log and clock lines into the file of --log-policy before the restart;
what is printed has no witnesses. The head that key signs has no cosignatures until the service has
asked for them.

Keys that were stolen cannot be replaced in this way: the thief can sign, too. See
avow log succeed.`

func keyCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "change the keys of a log",
		Long:  keyHelp,
		Example: `  avow log key add --key log.key --new log-2027.key > registry.policy
  avow log key retire --key log-2027.key --new log-2027-alone.key > registry.policy
  avow log key replace --new found.key > registry.policy`,
	}
	return a.Group(cmd,
		changeCommand(a, "add", "sign with new keys besides the old ones",
			"Add makes new keys. The log is signed with them and with the old ones from then on.", true, addKeys),
		changeCommand(a, "retire", "end the old keys",
			"Retire ends the old keys after add: the new file has only the new keys, and the log is signed with\nthem alone.",
			true, retireKeys),
		changeCommand(a, "replace", "go on with new keys when the old ones are lost",
			"Replace goes on with new keys in the place of those that are lost. Tell everybody who has the\npolicy, by a way "+
				"that they trust: the log cannot sign that the new keys are its own.", false, replaceKeys))
}

// changeCommand is a command that makes keys of those that there are.
func changeCommand(a *console.App, use, short, long string, needsOld bool,
	change func(origin string, old *notary.Keys) (*notary.Keys, error)) *cobra.Command {
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Long: long + `

Exit codes: 0 the log is signed with the keys in the new file, 2 wrong usage, 3 it could not be
done.`,
		Example:           "  avow log key " + use + " --new new.key > registry.policy",
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := sources.AddOperatorFlags(cmd)
	var key, fresh string
	cmd.Flags().StringVar(&fresh, "new", "", "write the private keys to a new `FILE`")
	if needsOld {
		cmd.Example = "  avow log key " + use + " --key log.key --new new.key > registry.policy"
		cmd.Flags().StringVar(&key, "key", "", "`FILE` with the keys of the log")
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if fresh == "" || needsOld && key == "" {
			return console.UsageError("for example:"+cmd.Example[1:], "%s needs the file of the new keys (--new)%s",
				cmd.CommandPath(), map[bool]string{true: " and the file of the old ones (--key)"}[needsOld])
		}
		return sources.WithStore(cmd.Context(), a, f, func(ctx context.Context, st *store.Store) error {
			s, err := st.Log().State(ctx)
			if err != nil {
				return noLog(err)
			}
			keys, err := changedKeys(ctx, notary.Prover{Store: st.Log()}, s.Origin, key, fresh, change)
			if err != nil {
				return err
			}
			n := notary.New(notary.Config{Store: st.Log(), Keys: keys, Guard: st.LogGuard(), Now: a.Env.Now})
			err = n.Announce(ctx)
			if err != nil {
				return failure(err)
			}
			a.Note(
				"the log %s is signed with the keys in %s; restart the service with --log-key %s, and give others the policy below",
				console.Safe(s.Origin), fresh, console.ShellQuote(fresh))
			fmt.Fprint(a.Out, keys.Policy(""))
			return nil
		})
	}
	return cmd
}

// changedKeys writes the new keys to their file. When a call before has written it for the same old
// keys, it reads them. The old keys have to be those that the log names, or the log would go on
// without its own.
func changedKeys(ctx context.Context, p notary.Prover, origin, old, fresh string,
	change func(string, *notary.Keys) (*notary.Keys, error)) (*notary.Keys, error) {
	var before *notary.Keys
	if old != "" {
		var err error
		before, err = sources.ReadLogKeys(old)
		if err != nil {
			return nil, err
		}
	}
	keys, err := change(origin, before)
	if err != nil {
		return nil, err
	}
	if before != nil {
		current, err := p.Keys(ctx)
		if err != nil {
			return nil, failure(err)
		}
		isCurrent := slices.Equal(before.Public(), current)
		written := writtenOf(fresh, before)
		switch {
		case written != nil && (isCurrent || slices.Equal(written.Public(), current)):
			return written, nil
		case !isCurrent:
			return nil, console.Failure("give the file that avow log init or avow log key wrote last",
				"%s: the log does not name these keys as its own at present", old)
		}
	}
	return keys, console.WritePrivate(fresh, keys.Text())
}

// writtenOf returns the keys in a file that were made of those before: by retire of a file with two
// pairs, by add of one with a single pair. It returns nil for any other file, and without one.
func writtenOf(fresh string, before *notary.Keys) *notary.Keys {
	if !console.IsFile(fresh) {
		return nil
	}
	written, err := sources.ReadLogKeys(fresh)
	if err != nil {
		return nil
	}
	all, had := written.Public(), before.Public()
	if before.Old != nil && slices.Equal(all, had[:2]) || before.Old == nil && slices.Equal(all[2:], had) {
		return written
	}
	return nil
}

func addKeys(origin string, old *notary.Keys) (*notary.Keys, error) {
	if old.Old != nil {
		return nil, console.UsageError("end the older ones with avow log key retire first",
			"the log is signed with two pairs of keys already")
	}
	keys, err := notary.NewKeys(origin)
	if err != nil {
		return nil, err
	}
	keys.Old = old
	return keys, nil
}

func retireKeys(_ string, old *notary.Keys) (*notary.Keys, error) {
	if old.Old == nil {
		return nil, console.UsageError("make new ones with avow log key add first",
			"the file has only one pair of keys: nothing can be retired")
	}
	return &notary.Keys{Log: old.Log, Clock: old.Clock}, nil
}

// replaceKeys never goes on with a file that is there: what is in it may be the key of something else.
func replaceKeys(origin string, _ *notary.Keys) (*notary.Keys, error) { return notary.NewKeys(origin) }
