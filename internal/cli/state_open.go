package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
)

// stateFlags say where files are kept over time: in the store of the service, unless
// another is named.
type stateFlags struct {
	settings *settings
	serve    serveOptions
	// existing: a store is not made when it is missing, because there is nothing to
	// read from a new one.
	existing bool
	purpose  store.Purpose
}

func addStateFlags(cmd *cobra.Command) *stateFlags {
	f := &stateFlags{settings: newSettings(cmd)}
	f.settings.define(func(flags, _ *pflag.FlagSet) { f.serve.defineStore(flags) })
	return f
}

// addReadFlags adds the flags of a command that only reads what was kept.
func addReadFlags(cmd *cobra.Command) *stateFlags {
	f := addStateFlags(cmd)
	f.existing = true
	return f
}

// openState opens the store. hint says what else can be done when that fails.
func (a *app) openState(ctx context.Context, f *stateFlags, hint string) (*store.Store, error) {
	err := f.settings.load(a.env.Getenv)
	if err != nil {
		return nil, err
	}
	url, err := f.serve.storeURL(a.env.Getenv)
	if err != nil {
		return nil, failure(hint, "cannot open the store: %v", err)
	}
	if f.existing && missingStore(url) {
		return nil, failure(hint, "there is no store %s yet: nothing was kept", shownStore(url))
	}
	return a.openURL(ctx, url, f.purpose, hint)
}

// openURL opens a store. hint says what else can be done when that fails.
func (a *app) openURL(ctx context.Context, url string, purpose store.Purpose, hint string) (*store.Store, error) {
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	dir := stateDir(a.env.Getenv)
	st, err := store.OpenFor(ctx, url, store.Options{Purpose: purpose, Dir: dir})
	var restored *store.RestoredError
	switch {
	case err != nil && errors.Is(ctx.Err(), context.Canceled):
		return nil, interrupted(ctx.Err())
	case errors.As(err, &restored):
		hint = restoredHint
	}
	if err != nil {
		return nil, failure(hint, "cannot open the store %s: %v", shownStore(url), err)
	}
	failed := st.MarkFailure()
	if dir == "" && !strings.HasPrefix(url, "sqlite:") {
		failed = errors.New("there is no home directory")
	}
	if failed != nil {
		a.note("it cannot be noted how far the store has got, so an old copy in its place would not be noticed: %v", failed)
	}
	return st, nil
}

// missingStore reports whether a store in a file is not there.
func missingStore(url string) bool {
	path, ok := strings.CutPrefix(url, "sqlite:")
	return ok && !isFile(path)
}

// restoredHint is the hint when an old copy of a store was put back.
const restoredHint = "put the newer one back; if there is none, see avow state accept-restore --help"

// otherStore is the hint when a store is needed and cannot be opened.
const otherStore = "--store names another, for example sqlite:registry.db"

// withState opens the store for a command and closes it at its end.
func (a *app) withState(ctx context.Context, f *stateFlags, do func(context.Context, *store.Store) error) error {
	ctx, stop := interruptible(ctx)
	defer stop()
	st, err := a.openState(ctx, f, otherStore)
	if err != nil {
		return interrupted(err)
	}
	err = do(ctx, st)
	closed := st.Close()
	if err != nil {
		return interrupted(err)
	}
	if closed != nil {
		return fmt.Errorf("cannot close the store: %w", closed)
	}
	return nil
}

// withCustody is withState for commands that only read what custody has kept.
func (a *app) withCustody(ctx context.Context, f *stateFlags, do func(context.Context, custodian.Store) error) error {
	return a.withState(ctx, f, func(ctx context.Context, st *store.Store) error { return do(ctx, st.Custody()) })
}

// keptDomain reads the name of a publisher.
func keptDomain(written string) (string, error) {
	domain, _, err := hostname.Canonical(written)
	if err != nil {
		return "", usageError("name the publisher's domain, for example example.com", "%s: the domain %v", redact.URL(written), err)
	}
	return domain, nil
}
