package sources

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/settings"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/clock"
	"github.com/avow-project/avow/internal/std/hostname"
)

// slowOpen is how long a store may take to open before people are told what they wait for.
const slowOpen = 20 * time.Second

// StoreFlags say where files are kept over time: in the store of the service, unless
// another is named.
type StoreFlags struct {
	Settings *settings.Settings
	store    settings.Store
	// operator: the command is about what a service or earlier commands have kept. It finds the
	// settings of an installed service, and says which store it uses.
	operator bool
	// existing: a store is not made when it is missing, because there is nothing to read from a
	// new one.
	existing bool
	// Makes: a store that is missing is made if --store names it.
	Makes   bool
	Purpose store.Purpose
}

// AddStoreFlags adds the flags that name the store.
func AddStoreFlags(cmd *cobra.Command) *StoreFlags {
	f := &StoreFlags{Settings: settings.New(cmd)}
	f.Settings.Define(func(flags, _ *pflag.FlagSet) { f.store.Define(flags) })
	return f
}

// AddOperatorFlags adds the flags of a command about what was kept.
func AddOperatorFlags(cmd *cobra.Command) *StoreFlags {
	f := AddStoreFlags(cmd)
	f.operator, f.existing = true, true
	return f
}

// OpenStore opens the store. hint says what else can be done when that fails.
func OpenStore(ctx context.Context, a *console.App, f *StoreFlags, hint string) (*store.Store, error) {
	if f.operator {
		err := f.Settings.UseInstalled(a)
		if err != nil {
			return nil, err
		}
	}
	err := f.Settings.Load(a.Env.Getenv)
	if err != nil {
		return nil, err
	}
	url, err := f.store.URL(a.Env.Getenv)
	if err != nil {
		return nil, console.Failure(hint, "cannot open the store: %v", err)
	}
	named := f.Settings.Typed("store")
	if f.existing && missingStore(url) && (!f.Makes || !named) {
		return nil, console.Failure("avow serve, avow watch and avow authorize make it; --store names another",
			"there is no store %s yet: nothing was kept", settings.ShownStore(url))
	}
	if f.operator && !named {
		a.Note("using the store %s", settings.ShownStore(url))
	}
	return openURL(ctx, a, url, f.Purpose, hint)
}

// OpenNamedStore opens the store of the settings.
func OpenNamedStore(ctx context.Context, a *console.App, s *settings.Store) (*store.Store, error) {
	url, err := s.URL(a.Env.Getenv)
	if err != nil {
		return nil, err
	}
	return openURL(ctx, a, url, store.Use, OtherStore)
}

// AwaitStore is OpenNamedStore for a service, which may begin while the database server does: it
// waits for that for serverStart.
func AwaitStore(ctx context.Context, a *console.App, s *settings.Store) (*store.Store, error) {
	url, err := s.URL(a.Env.Getenv)
	if err != nil {
		return nil, err
	}
	dir := settings.StateDir(a.Env.Getenv)
	begun := time.Now()
	for waits := 0; strings.HasPrefix(url, "postgres") && time.Since(begun) < serverStart; waits++ {
		st, err := store.OpenFor(ctx, url, store.Options{Purpose: store.Use, Dir: dir})
		if err == nil {
			err = st.Close()
		}
		if !store.Absent(err) {
			break // openURL says what it is
		}
		if waits == 0 {
			a.Note("the database server of the store %s does not answer yet: waiting for it", settings.ShownStore(url))
		}
		clock.Pause(ctx, serverEvery)
	}
	return openURL(ctx, a, url, store.Use, OtherStore)
}

// serverStart is how long a database server may take to begin, and serverEvery how often it is
// asked meanwhile.
const (
	serverStart = time.Minute
	serverEvery = 500 * time.Millisecond
)

// openURL opens a store. hint says what else can be done when that fails. Connecting has a limit of
// its own; a new schema takes as long as the disk needs, here or in another process.
func openURL(ctx context.Context, a *console.App, url string, purpose store.Purpose,
	hint string) (*store.Store, error) {
	said := make(chan struct{})
	slow := time.AfterFunc(slowOpen, func() {
		defer close(said)
		a.Note("still opening the store %s: its schema is brought up to date, or another process has locked it",
			settings.ShownStore(url))
	})
	defer func() {
		if !slow.Stop() {
			<-said
		}
	}()
	dir := settings.StateDir(a.Env.Getenv)
	st, err := store.OpenFor(ctx, url, store.Options{Purpose: purpose, Dir: dir})
	var restored *store.RestoredError
	var newer *store.NewerError
	switch {
	case err != nil && errors.Is(ctx.Err(), context.Canceled):
		return nil, console.Interrupted(ctx.Err())
	case errors.As(err, &restored):
		hint = restoredHint
	case errors.As(err, &newer):
		hint = newerHint
	case strings.HasPrefix(url, "postgres"):
		hint = serverHint
	}
	if err != nil {
		return nil, console.Failure(hint, "cannot open the store %s: %v", settings.ShownStore(url), err)
	}
	failed := st.MarkFailure()
	if dir == "" && !strings.HasPrefix(url, "sqlite:") {
		failed = errors.New("there is no home directory")
	}
	if failed != nil {
		a.Note("could not record how far the store has got, so an old copy put in its place would not be noticed: %v", failed)
	}
	return st, nil
}

// missingStore reports whether a store in a file is not there.
func missingStore(url string) bool {
	path, ok := strings.CutPrefix(url, "sqlite:")
	return ok && !console.IsFile(path)
}

// restoredHint is the hint when an old copy of a store was put back.
const restoredHint = "put the newer one back; if there is none, see avow state accept-restore --help, or avow log " +
	"recover --help for a store with a transparency log"

// newerHint is the hint when a newer release has upgraded a store.
const newerHint = "use that release, or put back a copy of the store from before the upgrade"

// serverHint is the hint when PostgreSQL cannot be used.
const serverHint = "check that PostgreSQL runs, and that the store's URL has the right host, user, password and " +
	"database"

// OtherStore is the hint when a store is needed and cannot be opened.
const OtherStore = "--store names another, for example sqlite:registry.db"

// WithStore opens the store for a command and closes it at its end.
func WithStore(ctx context.Context, a *console.App, f *StoreFlags, do func(context.Context, *store.Store) error) error {
	ctx, stop := console.Interruptible(ctx)
	defer stop()
	st, err := OpenStore(ctx, a, f, OtherStore)
	if err != nil {
		return console.Interrupted(err)
	}
	err = do(ctx, st)
	closed := st.Close()
	if err != nil {
		return console.Interrupted(err)
	}
	if closed != nil {
		return fmt.Errorf("cannot close the store: %w", closed)
	}
	return nil
}

// WithHistory is WithStore for commands that only read what custody has kept.
func WithHistory(ctx context.Context, a *console.App, f *StoreFlags,
	do func(context.Context, custodian.History) error) error {
	return WithStore(ctx, a, f, func(ctx context.Context, st *store.Store) error { return do(ctx, st.Custody()) })
}

// ParseDomain reads the name of a publisher that is known by what the web says.
func ParseDomain(written string) (hostname.Domain, error) {
	domain, err := ParseName(written)
	if err != nil {
		return "", err
	}
	_, err = custodian.ParseDomain(string(domain))
	var input *discover.InputError
	if errors.As(err, &input) {
		return "", console.Failure(input.Hint, "%s", input.Message)
	}
	return domain, nil
}

// ParseName reads the name of a publisher.
func ParseName(written string) (hostname.Domain, error) {
	domain, err := hostname.ParseDomain(written)
	if err != nil {
		return "", console.UsageError("name the publisher's domain, for example example.com", "%s: the domain %v",
			redact.URL(written), err)
	}
	return domain, nil
}
