package history

import (
	"context"
	"errors"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// kept is a store with its keeper, for commands that make no requests.
type kept struct {
	custodian.Store
	keeper *custodian.Keeper
}

// withKeeper is WithStore for commands that need the keeper.
func withKeeper(ctx context.Context, a *console.App, f *sources.StoreFlags,
	do func(context.Context, *kept) error) error {
	return sources.WithStore(ctx, a, f, func(ctx context.Context, st *store.Store) error {
		keeper, err := sources.NewKeeper(a, st, &request.Flags{Timeout: request.Timeout}, sources.KeeperOptions{})
		if err != nil {
			return err
		}
		return sources.StoreError(do(ctx, &kept{st.Custody(), keeper}))
	})
}

// A snapshot is what was in effect for a publisher at a time.
type snapshot struct {
	domain  hostname.Domain
	at      time.Time
	place   custody.Place
	version *custody.Version
	doc     *resolve.Document
}

// snapshotAt returns what was in effect at a time.
func (k *kept) snapshotAt(ctx context.Context, domain hostname.Domain, at time.Time) (*snapshot, error) {
	m := &snapshot{domain: domain, at: at}
	places, err := k.Places(ctx, domain, at, 1)
	if err != nil {
		return nil, err
	}
	if len(places) > 0 {
		m.place = places[0]
	}
	m.doc, m.version, err = k.keeper.DocumentAt(ctx, domain, at)
	switch {
	case errors.Is(err, custodian.ErrFuture):
		return nil, console.UsageError("leave --at out for the present", "--at %s: the time has not come yet", wire.Time(at))
	case errors.Is(err, custodian.ErrNotFound):
		return nil, console.Failure("avow history "+string(domain)+" shows since when it is",
			"nothing was known about %s at %s", domain, wire.Time(at))
	}
	return m, err
}
