package log

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/words"
)

const succeedHelp = `Succeed begins another log in the place of one that cannot go on: its keys were stolen, or leaves
that it had signed are lost and no copy has them. The new log has another origin and new keys. Its
first leaf names the log before it with the last head that this machine knows of: what was signed of
the old log up to there keeps its worth, and nothing that anybody signs after that.

Stop the service first. With --old-key the old log ends with a leaf that says so (log.end), and
is signed a last time; leave it out when the keys are lost or the store is behind what was
signed. Then the old log is written to the folder of --keep, as avow log export does: serve it
at a URL of its own, because /log/ of the service is the new log from then on, so that others
can follow the old one to its end. The store keeps the new log alone. It begins with a leaf for
every publisher and file that is known.

Give the policy that is printed to everybody who has the old one, by a way that they trust, and tell
witnesses to remove the old log line. Avow log prove 0 proves the first leaf; avow log verify takes
that proof besides an older receipt, and says whether the receipt still counts.

When it is interrupted, call it again in the same way.

Exit codes: 0 the new log has begun, 2 wrong usage, 3 it could not be done.`

type succession struct {
	origin, key, old, keep string
}

func succeedCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "succeed",
		Short: "replace a log whose keys were stolen or that lost entries",
		Long:  succeedHelp,
		Example: `  avow log succeed --origin registry.example.com/log/2 --key log-2.key --old-key log.key --keep old-log > registry.policy
  avow log succeed --origin registry.example.com/log/2 --key log-2.key --keep old-log > registry.policy`,
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := sources.AddOperatorFlags(cmd)
	var s succession
	cmd.Flags().StringVar(&s.origin, "origin", "", "`NAME` of the new log, such as registry.example.com/log/2")
	cmd.Flags().StringVar(&s.key, "key", "", "write the private keys of the new log to a new `FILE`")
	cmd.Flags().StringVar(&s.old, "old-key", "", "end the old log with the keys in `FILE`")
	cmd.Flags().StringVar(&s.keep, "keep", "", "write the old log to the folder `DIR`")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if s.origin == "" || s.key == "" || s.keep == "" {
			return console.UsageError("for example: "+cmd.CommandPath()+
				" --origin registry.example.com/log/2 --key log-2.key --old-key log.key --keep old-log",
				"%s needs --origin, --key and --keep", cmd.CommandPath())
		}
		return sources.WithStore(cmd.Context(), a, f, func(ctx context.Context, st *store.Store) error {
			return s.run(ctx, a, st)
		})
	}
	return cmd
}

// run ends a log and begins its successor, or goes on where it was interrupted.
func (s *succession) run(ctx context.Context, a *console.App, st *store.Store) error {
	have, err := st.Log().State(ctx)
	if err != nil {
		return noLog(err)
	}
	var keys *notary.Keys
	switch {
	case have.Origin != s.origin:
		keys, err = s.replace(ctx, a, st, have)
	case console.IsFile(s.key):
		keys, err = begun(s.key, s.origin, have)
	default:
		err = s.taken()
	}
	if err == nil {
		err = notary.HandOver(ctx, st.Log(), st.LogGuard())
	}
	if err != nil {
		return err
	}
	known, err := complete(ctx, a, st, keys)
	if err != nil {
		return err
	}
	a.Note("the log %s has begun with %s that were known; its keys are in %s, and the old log is in %s", keys.Log.Name,
		words.Plural(known, "record", "records"), s.key, s.keep)
	a.Note("run avow serve --log-key %s, and give others the policy below", console.ShellQuote(s.key))
	fmt.Fprint(a.Out, keys.Policy(""))
	return nil
}

// replace ends the old log, writes it to its folder, and puts the new one in its place.
func (s *succession) replace(ctx context.Context, a *console.App, st *store.Store,
	have *notary.State) (*notary.Keys, error) {
	if console.IsFile(s.key) {
		return nil, console.UsageError("give another name: a key that is in use would be lost", "%s exists already", s.key)
	}
	keys, first, err := newLog(s.origin, a.Env.Now())
	if err != nil {
		return nil, console.UsageError("take a host and a path, such as registry.example.com/log/2", "--origin: %v", err)
	}
	guard := st.LogGuard()
	if guard.Used(s.origin) {
		return nil, s.taken()
	}
	if s.old != "" {
		err = s.end(ctx, a, st)
		if err != nil {
			return nil, err
		}
	}
	err = exportTo(ctx, a,
		&notary.Handler{Prover: notary.Prover{Store: st.Log()}, Log: slog.New(slog.DiscardHandler)}, s.keep)
	if err != nil {
		return nil, err
	}
	first.Old, err = notary.LastHonest(ctx, st.Log(), st.LogGuard())
	if err != nil {
		return nil, console.Failure("", "%v", err)
	}
	err = console.WritePrivate(s.key, keys.Text())
	if err != nil {
		return nil, err
	}
	err = st.Log().Succeed(ctx, have.Origin, s.origin, first)
	if errors.Is(err, notary.ErrExists) {
		return nil, errors.Join(err, os.Remove(s.key))
	}
	if err != nil {
		return nil,
			console.Failure(
				"call it again in the same way; if it says that the key file exists, the new log has not begun: remove the file "+
					"first", "the new log may not have begun: %v", err)
	}
	a.Note("the log %s is over with %s; receipts of it count up to there", console.Safe(first.Old.Origin),
		words.Plural(int(first.Old.Size), "leaf", "leaves"))
	return keys, nil
}

// taken is about an origin that had a log: a second one would be a second history.
func (s *succession) taken() error {
	return console.UsageError("take another one, such as "+s.origin+"/2", "--origin: there was a log %s before", s.origin)
}

// end signs the last leaf of the old log.
func (s *succession) end(ctx context.Context, a *console.App, st *store.Store) error {
	old, err := sources.ReadLogKeys(s.old)
	if err != nil {
		return err
	}
	err = notary.New(notary.Config{Store: st.Log(), Keys: old, Guard: st.LogGuard(), Now: a.Env.Now}).End(ctx)
	var behind *notary.BehindError
	if errors.As(err, &behind) {
		return console.Failure("bring back what is missing with avow log recover; if no copy has it, leave --old-key out",
			"%v", err)
	}
	return failure(err)
}

// complete writes what is known to a log that has begun, and signs it.
func complete(ctx context.Context, a *console.App, st *store.Store, keys *notary.Keys) (int, error) {
	known := notary.Known{}
	for !known.Done {
		var err error
		known, err = st.Log().AddKnown(ctx, a.Env.Now(), known)
		if err != nil {
			return 0, unfinished(err)
		}
	}
	err := notary.New(notary.Config{Store: st.Log(), Keys: keys, Guard: st.LogGuard(), Now: a.Env.Now}).Flush(ctx)
	if err != nil {
		return 0, unfinished(err)
	}
	return known.Added, nil
}
