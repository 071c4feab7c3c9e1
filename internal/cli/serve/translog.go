package serve

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/settings"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store"
)

// keepLog serves the transparency log of the store, if it has one, and keeps it when there is
// a key. What it returns ends that.
func (p *serviceParts) keepLog(ctx context.Context, a *console.App, o *settings.Service, st *store.Store) (func(), error) {
	log := st.Log()
	state, err := log.State(ctx)
	switch {
	case errors.Is(err, notary.ErrNoLog) && o.LogKey == "":
		return func() {}, nil
	case errors.Is(err, notary.ErrNoLog):
		return nil, console.Failure("make it with avow log init --origin registry.example.com/log --key "+console.ShellQuote(o.LogKey), "--log-key: the store has no transparency log")
	case err != nil:
		return nil, err
	}
	p.translog = &notary.Handler{Prover: notary.Prover{Store: log}, Log: p.log}
	if o.BaseURL != "" {
		p.translog.URL = strings.TrimSuffix(o.BaseURL, "/") + strings.TrimSuffix(notary.Prefix, "/")
	}
	if o.LogKey == "" {
		p.log.Warn("the store has a transparency log, and there is no --log-key: events wait until somebody signs")
		return func() {}, nil
	}
	keys, err := sources.ReadLogKeys(o.LogKey)
	if err != nil {
		return nil, err
	}
	if keys.Log.Name != state.Origin {
		return nil, console.Failure("give the file that avow log init made for it", "--log-key: %s is for the log %s, and the store has the log %s", o.LogKey, keys.Log.Name, state.Origin)
	}
	n := notary.New(notary.Config{Store: log, Keys: keys, Guard: st.LogGuard(), Now: a.Env.Now, Log: p.log})
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { n.Run(ctx) })
	return func() {
		cancel()
		group.Wait()
	}, nil
}
