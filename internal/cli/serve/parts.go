package serve

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/settings"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/service/api"
	"github.com/avow-project/avow/internal/service/brand"
	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/mcp"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/service/server"
	"github.com/avow-project/avow/internal/service/subscribe"
	"github.com/avow-project/avow/internal/service/web"
	"github.com/avow-project/avow/internal/supply"
	"github.com/avow-project/avow/internal/webhook"
)

// serviceParts are what the service is made of.
type serviceParts struct {
	log     *slog.Logger
	metrics *server.Metrics
	store   registry.Store
	custody registry.Records
	changes feed.Store
	wanted  subscribe.Store
	feed    *feed.Feed
	space   registry.Space
	// memory is for bodies and answers, and held for documents.
	memory, held *budget.Budget
	service      *registry.Service
	api          *api.API
	pages        *web.Pages
	mcp          *mcp.Server
	// translog serves the transparency log; nil when the store has none.
	translog *notary.Handler
	// troubles are those of the log; nil when it is not signed here.
	troubles func() []notary.Trouble
	// wakeLog has the log look for what was committed; nil when it is not signed here.
	wakeLog func()
}

// assemble makes the parts and returns the configuration of the server around them.
func assemble(ctx context.Context, a *console.App, o *settings.Service, p *serviceParts) (*server.Config, error) {
	client, err := serviceClient(ctx, a, o, p)
	if err != nil {
		return nil, err
	}
	provider, err := brandProvider(a, o, client.UserAgent(), p.log)
	if err != nil {
		return nil, err
	}
	base := o.PublicURL()
	// A quarter is for bodies and for making and sending answers, another for documents that are kept
	// or read, and the rest for those that are being checked.
	p.memory, p.held = server.NewMemory(o.LargeMemory/4), server.NewMemory(o.LargeMemory/4)
	p.feed = feed.New(feed.Config{Describe: feed.Describe(p.directory), Store: p.changes, Now: a.Env.Now, Log: p.log})
	p.service = registry.New(registry.Config{
		Held: p.held, Checking: o.LargeMemory / 2,
		Store: p.store, Custody: p.custody, Finder: discover.New(discover.Config{Client: client, Now: a.Env.Now}),
		Provider: provider, Brands: brand.NewReader(client), AdsTxt: supply.TextFrom(client),
		Space: p.space, Limits: o.Retention.Limits, ObserveRefusal: p.metrics.ObserveUnkept,
		ObserveSpace: func(u retain.Usage, r *retain.Pruned) { p.metrics.ObserveSpace(o.Retention.Limits, u, r) },
		Quota:        o.EnrichQuota, BaseURL: base, OptOut: o.OptOut, MirrorKeep: o.MirrorKeep,
		ObserveCache: p.metrics.ObserveCache,
		Changed:      p.committed, Watchers: o.LooksAtOnce(),
		Now: a.Clock, Log: p.log,
	})
	subscriptions, err := p.subscriptions(ctx, a, o)
	if err != nil {
		return nil, err
	}
	p.service.KeepDirectory()
	if o.Role.Value == "api" {
		p.log.Info(
			"this process answers and looks at no publishers: that is for others with --role worker or all on the same store")
		p.service.WatchWorkers()
	} else {
		p.service.WatchMirrors()
		p.service.WatchPublishers()
		p.service.WatchSpace()
	}
	if o.Role.Value == "worker" {
		if subscriptions != nil {
			p.service.Go(p.feed.Run)
		}
		// It answers nothing but whether it is well, which the server does.
		nothing := func(*http.Request) edge.Route { return edge.Route{Program: true, Class: edge.Static} }
		return p.serverConfig(o, http.NotFoundHandler(), nothing), nil
	}
	p.service.Go(p.feed.Run)
	operations := ops.New(ops.Config{Service: p.service, Feed: p.feed, Subscriptions: subscriptions, Translog: p.translog,
		BaseURL: base, Now: a.Env.Now, ObserveCache: p.metrics.ObserveCache})
	p.api = api.New(api.Config{Operations: operations, BaseURL: base, Known: o.BaseURL != "", Frame: web.Reference,
		Log: p.log, Now: a.Env.Now})
	p.mcp = mcp.New(mcp.Config{Operations: operations, Log: p.log})
	p.pages = web.New(web.Config{Service: p.service, Reader: ops.NewReader(p.service, p.translog), BaseURL: o.BaseURL,
		Contact: o.Contact, Now: a.Env.Now, Log: p.log})
	return p.serverConfig(o, p.handler(), p.route), nil
}

// directory is the service's, which is made after the feed.
func (p *serviceParts) directory(ctx context.Context) (*directory.View, error) {
	return p.service.Directory(ctx)
}

// committed wakes those who wait for what was committed.
func (p *serviceParts) committed() {
	p.feed.Changed()
	if p.wakeLog != nil {
		p.wakeLog()
	}
}

// subscriptions returns what callers can do with subscriptions, and tells these what they want to
// know unless the process only answers; nil when there is no key to sign with.
func (p *serviceParts) subscriptions(ctx context.Context, a *console.App,
	o *settings.Service) (*subscribe.Service, error) {
	if o.WebhookKey == "" {
		return nil, nil
	}
	key, err := sources.ReadWebhookKey(a, o.WebhookKey)
	if err != nil {
		return nil, err
	}
	own, err := ownAddresses(ctx, o)
	if err != nil {
		return nil, err
	}
	client := webhook.NewClient(netguard.New(a.Env.Network, own, o.OptOut...))
	if o.Role.Value != "api" {
		p.service.Go(subscribe.NewSender(subscribe.Config{Feed: p.feed, Store: p.wanted, Custody: p.custody,
			Translog: p.translog, Client: client, Key: key, Now: a.Env.Now, Log: p.log}).Run)
	}
	return &subscribe.Service{Store: p.wanted, Feed: p.feed, Client: client, Key: key, Now: a.Env.Now}, nil
}

// serviceClient returns the client for requests to others. It must not be talked into
// asking this service itself.
func serviceClient(ctx context.Context, a *console.App, o *settings.Service, p *serviceParts) (*fetch.Client, error) {
	own, err := ownAddresses(ctx, o)
	if err != nil {
		return nil, err
	}
	return fetch.New(registry.Outbound(fetch.Config{
		Contact: o.Contact, Deny: own, OptOut: o.OptOut, Observe: p.metrics.ObserveFetch, Network: a.Env.Network,
	})), nil
}

// ownAddresses are those that are never asked: those of this service, and what the operator says.
func ownAddresses(ctx context.Context, o *settings.Service) ([]netip.Addr, error) {
	listen := o.Addrs
	if o.MetricsAddr != "" {
		listen = append(listen[:len(listen):len(listen)], o.MetricsAddr)
	}
	own, err := server.Addresses(ctx, listen)
	if err != nil {
		return nil, console.UsageError("write it as 127.0.0.1:8080", "%v", err)
	}
	return append(own, addressesOf(o.Deny)...), nil
}

func addressesOf(list []netip.Prefix) []netip.Addr {
	var all []netip.Addr
	for _, p := range list {
		all = append(all, p.Addr())
	}
	return all
}

// brandProvider returns the provider of brand data; nil when there is no key for one.
func brandProvider(a *console.App, o *settings.Service, agent string, log *slog.Logger) (registry.Provider, error) {
	key, err := brand.NewKey(o.EnrichKey)
	if err != nil {
		return nil, console.UsageError("see AVOW_ENRICH_KEY", "%v", err)
	}
	if key.IsZero() {
		return nil, nil
	}
	provider, err := brand.NewProvider(brand.ProviderConfig{
		URL: o.EnrichURL, Key: key, UserAgent: agent, Now: a.Env.Now, Log: log,
	})
	if err != nil {
		return nil, console.UsageError("see AVOW_ENRICH_URL", "%v", err)
	}
	return provider, nil
}

// handler answers requests.
func (p *serviceParts) handler() http.Handler {
	mux := http.NewServeMux()
	for _, pattern := range p.api.Mounts() {
		mux.Handle(pattern, p.api.Handler())
	}
	mux.Handle(mcp.Path, p.mcp)
	if p.translog != nil {
		mux.Handle(notary.Prefix, p.translog)
	}
	mux.Handle("/", p.pages)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !p.api.Answer(w, r) { // which finds most requests sooner than a mux does
			mux.ServeHTTP(w, r)
		}
	})
}

// serverConfig returns the configuration of the server around what answers.
func (p *serviceParts) serverConfig(o *settings.Service, handler http.Handler,
	route func(*http.Request) edge.Route) *server.Config {
	return &server.Config{
		Addrs: o.Addrs, MetricsAddr: o.MetricsAddr, MetricsPublic: o.MetricsPublic, TLSCert: o.TLSCert, TLSKey: o.TLSKey,
		TrustedProxies: o.Proxies, BaseURL: o.BaseURL, Handler: handler, Route: route,
		Authenticate: p.service.Authenticate, KnownKey: p.service.KnownKey, WithCaller: registry.WithCaller,
		Ready: p.service.Ready, Warnings: p.warnings,
		Rates: o.Rates, KeyFactor: o.KeyFactor, MaxConns: o.MaxConns, MaxConnsPerClient: o.MaxConnsClient,
		MaxRequests: o.MaxRequests, Memory: p.memory, DrainDelay: o.DrainDelay,
		Page: p.pages.Refused, Named: p.pages.Named, Drain: p.feed.End,
		Metrics: p.metrics, Log: p.log,
	}
}

// route says what a request is.
func (p *serviceParts) route(r *http.Request) edge.Route {
	if pattern := notary.Pattern(r.URL.Path); p.translog != nil && pattern != "" {
		return edge.Route{Pattern: pattern, Class: edge.Log, Open: true, Program: true}
	}
	route := p.mcp.Lookup(r)
	if route.Pattern == "" {
		route = p.api.Lookup(r)
	}
	if route.Pattern == "" && !route.Program {
		return p.pages.Lookup(r)
	}
	return route
}
