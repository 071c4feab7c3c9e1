package log

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/translog"
)

const initHelp = `Init makes the transparency log of a store: a file with two new private keys, the first
leaf, and a leaf for every publisher and file that is known already. From then on every
command and service that uses the store writes what it decides to the log, and avow serve
--log-key signs it. It prints the policy that others verify proofs with.

A log tells everybody which publishers this store knows. That is why there is none unless
you make one. It cannot be taken back: keep the key file, with a copy in a safe place. The
origin is the name of the log for good; take the address at which it will be served, without
https://.

When it is interrupted, call it again in the same way. If it says that the key file exists, no
log has begun with it: remove it first, unless it is the key of another log.

Exit codes: 0 the log was made, 2 wrong usage, 3 it could not be made.`

func initCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "init",
		Short:             "make the transparency log of a store",
		Long:              initHelp,
		Example:           "  avow log init --origin registry.example.com/log --key log.key > registry.policy",
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := sources.AddStoreFlags(cmd)
	var origin, key string
	cmd.Flags().StringVar(&origin, "origin", "",
		"`NAME` of the log, where it will be served, such as registry.example.com/log")
	cmd.Flags().StringVar(&key, "key", "", "write the private keys to a new `FILE`")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if origin == "" || key == "" {
			return console.UsageError("for example: "+cmd.CommandPath()+" --origin registry.example.com/log --key log.key",
				"%s needs --origin and --key", cmd.CommandPath())
		}
		return sources.WithStore(cmd.Context(), a, f, func(ctx context.Context, st *store.Store) error {
			return begin(ctx, a, st, origin, key)
		})
	}
	return cmd
}

// begin makes a log, or goes on with one that an interrupted init has begun.
func begin(ctx context.Context, a *console.App, st *store.Store, origin, path string) error {
	have, err := st.Log().State(ctx)
	var keys *notary.Keys
	switch {
	case errors.Is(err, notary.ErrNoLog):
		keys, err = create(ctx, a, st, origin, path)
	case err == nil:
		keys, err = begun(path, origin, have)
	}
	if err != nil {
		return err
	}
	known, err := complete(ctx, a, st, keys)
	if err != nil {
		return err
	}
	a.Note("made the log %s with %s that were known; its keys are in %s", keys.Log.Name,
		words.Plural(known, "record", "records"), path)
	a.Note("run avow serve --log-key %s, and give others the policy below", console.ShellQuote(path))
	fmt.Fprint(a.Out, keys.Policy(""))
	return nil
}

// create makes the keys and the first leaf. The keys are on the disk before the log begins. They
// are removed again only when it is sure that no log has begun with them.
func create(ctx context.Context, a *console.App, st *store.Store, origin, path string) (*notary.Keys, error) {
	keys, first, err := newLog(origin, a.Env.Now())
	if err != nil {
		return nil, console.UsageError("take a host and a path, such as registry.example.com/log", "--origin: %v", err)
	}
	err = console.WritePrivate(path, keys.Text())
	if err != nil {
		return nil, err
	}
	err = st.Log().Begin(ctx, origin, first)
	if errors.Is(err, notary.ErrExists) {
		return nil, errors.Join(err, os.Remove(path))
	}
	if err != nil {
		return nil,
			console.Failure(
				"call it again in the same way; if it says that the key file exists, no log has begun with it: remove it first",
				"the log may not have begun: %v", err)
	}
	return keys, nil
}

// begun returns the keys of a log that was begun and is not signed yet, or not completely.
func begun(path, origin string, have *notary.State) (*notary.Keys, error) {
	exists := console.Failure("avow log status shows it", "%v", notary.ErrExists)
	if !console.IsFile(path) || have.Origin != origin {
		return nil, exists
	}
	keys, err := sources.ReadLogKeys(path)
	if err == nil && keys.Log.Name != have.Origin {
		err = exists
	}
	return keys, err
}

// unfinished is about a log that has begun. A second init with the same key goes on.
func unfinished(err error) error {
	return console.Failure("call it again in the same way: it goes on where it was",
		"the log is not complete yet: %v", err)
}

// newLog makes the keys of a log and its first leaf. The error is about the origin.
func newLog(origin string, now time.Time) (*notary.Keys, *translog.Leaf, error) {
	keys, err := notary.NewKeys(origin)
	if err != nil {
		return nil, nil, err
	}
	first := keys.First()
	first.At = now.UTC().Truncate(time.Microsecond)
	_, err = first.Body()
	return keys, first, err
}
