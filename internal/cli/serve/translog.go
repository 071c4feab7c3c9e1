package serve

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/settings"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store"
)

// keepLog serves the transparency log of the store, if it has one, and keeps it when there is
// a key. What it returns ends that.
func (p *serviceParts) keepLog(ctx context.Context, a *console.App, o *settings.Service,
	st *store.Store) (func(), error) {
	log := st.Log()
	state, err := log.State(ctx)
	switch {
	case errors.Is(err, notary.ErrNoLog) && o.LogKey == "":
		return func() {}, nil
	case errors.Is(err, notary.ErrNoLog):
		return nil, console.Failure("make it with avow log init --origin registry.example.com/log --key "+
			console.ShellQuote(o.LogKey), "--log-key: the store has no transparency log")
	case err != nil:
		return nil, err
	}
	p.translog = &notary.Handler{Prover: notary.Prover{Store: log}, Log: p.log}
	cosigned := p.metrics.WatchLog(p.translog.Waiting, p.translog.SignedAt)
	if o.BaseURL != "" {
		p.translog.URL = strings.TrimSuffix(o.BaseURL, "/") + strings.TrimSuffix(notary.Prefix, "/")
	}
	if o.LogKey == "" {
		p.log.Warn("the store has a transparency log, but --log-key is not set: events wait until they are signed")
		return func() {}, nil
	}
	keys, err := sources.ReadLogKeys(o.LogKey)
	if err != nil {
		return nil, err
	}
	if keys.Log.Name != state.Origin {
		return nil, console.Failure("give the file that avow log init made for it",
			"--log-key: %s is for the log %s, but the store has the log %s", o.LogKey, keys.Log.Name, state.Origin)
	}
	p.translog.Keys = keys
	config := notary.Config{Store: log, Keys: keys, Guard: st.LogGuard(), Now: a.Env.Now, Log: p.log, Cosigned: cosigned}
	if o.LogPolicy != "" {
		config.Policy, p.translog.PolicyText, err = sources.LogPolicy(a, o.LogPolicy, keys)
		if err != nil {
			return nil, err
		}
	}
	if config.Policy != nil {
		for _, w := range config.Policy.Witnesses {
			if w.URL != "" {
				cosigned(w.Name, time.Unix(0, 0))
			}
		}
	}
	n := notary.New(config)
	p.troubles, p.wakeLog = n.Troubles, n.Wake
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { n.Run(ctx) })
	return func() {
		cancel()
		group.Wait()
	}, nil
}

// warnings returns what an operator has to see to.
func (p *serviceParts) warnings() []registry.Warning {
	all := p.service.Warnings()
	if p.troubles == nil {
		return all
	}
	for _, t := range p.troubles() {
		since := t.Since.UTC().Format(time.RFC3339)
		if t.Witness == "" {
			all = append(all, registry.Warning{Code: "translog.standing",
				Message: "the transparency log shows no new head since " + since + "; the log of the service says why"})
			continue
		}
		all = append(all, registry.Warning{Code: "translog.witness_late",
			Message: "the witness " + t.Witness + " has not cosigned the transparency log since " + since})
	}
	return all
}
