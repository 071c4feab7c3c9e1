package log

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/words"
)

const recoverHelp = `Recover is for a store that was put back from an old copy, and whose log signs nothing since: it has
fewer leaves than were signed. Recover takes the missing leaves from a copy of the log: a folder
that avow log export has written, or the URL of a server or a mirror that still has them.

Stop the service first. The whole copy is read and checked before anything is changed: it has
to lead to a head that a key of the log signed, to have the leaves of this store and everything
that was noted as signed on this machine, and to agree with what waits here to become a leaf.
Then the store is accepted as avow state accept-restore does, unless that was done: nothing in
it is in effect until it is seen again. The leaves are appended as they were. After that the
log goes on, and its followers notice nothing but a leaf that says that an old copy was
accepted.

When it is interrupted, call it again in the same way. With --key the keys in that file count as
those of the log, too: for a machine that never signed this log, when the keys were changed after
the copy of the store was made.

If no copy has everything that was signed, this log cannot go on: avow log succeed begins another
one that names this one as the log before it.

Exit codes: 0 nothing is missing any more, 1 the copy is too short or of another history, 2 wrong
usage, 3 it could not be read or is not signed by the log, or nothing could be written.`

func recoverCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "recover --from URL|DIR",
		Short: "restore missing entries of the log from a copy",
		Long:  recoverHelp,
		Example: `  avow log recover --from /mnt/backup/log
  avow log recover --from https://mirror.example.com/log`,
		Args:                  console.NoArguments,
		ValidArgsFunction:     cobra.NoFileCompletions,
		DisableFlagsInUseLine: true,
	}
	f, web := sources.AddOperatorFlags(cmd), request.AddRequestFlags(cmd)
	f.Purpose = store.Mend
	var from, key string
	cmd.Flags().StringVar(&from, "from", "", "take the leaves from the copy at `URL|DIR`")
	cmd.Flags().StringVar(&key, "key", "", "the keys in `FILE` are those of the log, too")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		source, err := sourceOf(a, cmd, web, from)
		if err != nil {
			return err
		}
		return sources.WithStore(cmd.Context(), a, f, func(ctx context.Context, st *store.Store) error {
			r := &notary.Recovery{Store: st.Log(), Guard: st.LogGuard(), Source: source}
			if key != "" {
				keys, err := sources.ReadLogKeys(key)
				if err != nil {
					return err
				}
				r.Keys = keys.Public()
			}
			return recoverLog(ctx, a, st, r)
		})
	}
	return cmd
}

// sourceOf returns the copy that a command is to read.
func sourceOf(a *console.App, cmd *cobra.Command, web *request.Flags, from string) (monitor.Source, error) {
	if from == "" {
		return nil, console.UsageError("for example:"+cmd.Example[1:], "%s needs a copy of the log (--from)",
			cmd.CommandPath())
	}
	u, err := url.Parse(from)
	if !isFolder(from) && (err != nil || u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "") {
		return nil,
			console.UsageError("name a folder that avow log export has written, or write https://registry.example.com/log",
				"--from: %q is neither a folder nor the https URL of a log", from)
	}
	client, err := request.NewLogClient(a, web)
	if err != nil {
		return nil, err
	}
	request.NoteProxies(a)
	return sourceAt(from, client, web.Timeout), nil
}

// recoverLog checks a copy, accepts the store, and appends what is missing.
func recoverLog(ctx context.Context, a *console.App, st *store.Store, r *notary.Recovery) error {
	lost, err := r.Check(ctx)
	if err != nil {
		return recoverFailure(ctx, err)
	}
	if lost.Size <= lost.Have {
		fmt.Fprintf(a.Out, "nothing is missing: the store has %s, and the copy %d\n",
			words.Plural(int(lost.Have), "leaf", "leaves"), lost.Size)
		return nil
	}
	if !lost.Accepted {
		accepted, err := st.AcceptRestored(ctx, a.Env.Now(), lost.Number)
		if err != nil {
			return err
		}
		a.Note("the store is accepted; %s and %s have to be seen again before they count",
			words.Plural(int(accepted.Publishers), "publisher", "publishers"),
			words.Plural(int(accepted.Files), "file", "files"))
	}
	err = r.Append(ctx, lost)
	if err != nil {
		return recoverFailure(ctx, err)
	}
	fmt.Fprintf(a.Out, "%s back: the log has %d\n",
		words.Plural(int(lost.Size-lost.Have), "leaf is", "leaves are"), lost.Size)
	a.Note(
		"start avow serve --log-key, or call avow log flush --key, to sign again; avow crawl --all --force asks all " +
			"publishers now")
	return nil
}

// recoverFailure says what to do about a copy that is of no use.
func recoverFailure(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, notary.ErrNoLog):
		return noLog(err)
	case errors.Is(err, notary.ErrShort):
		return &console.Error{Code: console.ExitNo, Message: err.Error(),
			Hint: "find a newer copy; if there is none, see avow log succeed --help"}
	case errors.Is(err, notary.ErrOther):
		return &console.Error{Code: console.ExitNo, Message: err.Error(),
			Hint: "nothing was changed in the log; if no other copy fits, see avow log succeed --help"}
	case ctx.Err() != nil:
		return err
	}
	return console.Failure("call it again, or name another copy with --from", "the log could not be recovered: %v", err)
}
