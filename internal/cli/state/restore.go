package state

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/words"
)

const acceptHelp = `Avow notes how far each store has got: beside the file of an SQLite database, in a file
whose name ends with .seen, and for PostgreSQL in the state directory of the user. A store
that has not got that far was put back from an old copy. It has forgotten whom files revoke
and which agents were dismissed since, so nothing opens it.

If there is a newer copy, put that one back. If there is none, accept-restore makes the old
one usable. What it knows is kept, and nothing of it is in effect until it is seen again: each
publisher is fetched when a caller asks about it, and avow crawl --all --force fetches
all of them. Moves that were waiting wait anew. What was revoked and taken off the list again
since the copy was made can no longer be determined; the event state.restored tells when
that was.

If the store has a transparency log and a copy of that log is at hand, call avow log recover
instead: it brings back the leaves that are missing, and accepts the store.

A store in the place of another one is treated in the same way. An old copy on a new
machine, or one that was put back with its .seen file, cannot be told from a good store: for
that --force accepts a store that nothing speaks against.

Exit codes: 0 the store can be used, 2 wrong usage, 3 the store cannot be opened
or changed.`

func stateAcceptCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "accept-restore",
		Short:             "continue with a store restored from an old backup",
		Long:              acceptHelp,
		Example:           "  avow state accept-restore\n  avow crawl --all --force",
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f, force := sources.AddOperatorFlags(cmd), false
	f.Purpose = store.Mend
	cmd.Flags().BoolVar(&force, "force", false, "also when nothing shows that the store is an old copy")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return sources.WithStore(cmd.Context(), a, f, func(ctx context.Context, st *store.Store) error {
			return acceptRestored(ctx, a, st, force)
		})
	}
	return cmd
}

func acceptRestored(ctx context.Context, a *console.App, st *store.Store, force bool) error {
	old := false
	err := restoredTo(st.Restored(ctx), func(*store.RestoredError) { old = true })
	if err != nil {
		return err
	}
	if !old && !force {
		fmt.Fprintln(a.Out, "there is nothing to accept: nothing shows that the store is an old copy")
		return nil
	}
	accepted, err := st.AcceptRestored(ctx, a.Env.Now(), 0)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "the store is accepted; %s and %s have to be seen again before they count\n",
		words.Plural(int(accepted.Publishers), "publisher", "publishers"), words.Plural(int(accepted.Files), "file", "files"))
	state, err := st.Log().State(ctx)
	guard := st.LogGuard()
	if err == nil && guard.Ahead(state) {
		a.Note(
			"its transparency log has %s and signed more before, so it signs nothing; avow log recover brings back what is "+
				"missing", words.Plural(int(state.Size), "leaf", "leaves"))
	}
	if accepted.Publishers > 0 {
		a.Note("avow crawl --all --force asks for all of them now")
	}
	return nil
}

// restoredTo hands an error about an old copy over, and returns any other.
func restoredTo(err error, to func(*store.RestoredError)) error {
	var restored *store.RestoredError
	if !errors.As(err, &restored) {
		return err
	}
	to(restored)
	return nil
}

// noteRestored tells that a store is an old copy, to those who go on nevertheless.
func noteRestored(ctx context.Context, a *console.App, st *store.Store) error {
	return restoredTo(st.Restored(ctx), func(e *store.RestoredError) {
		a.Note("nothing else opens this store before avow state accept-restore: %v", e)
	})
}

// addReadFlags adds the flags of a command that looks at a store as it is.
func addReadFlags(cmd *cobra.Command) *sources.StoreFlags {
	f := sources.AddOperatorFlags(cmd)
	f.Purpose = store.Inspect
	return f
}
