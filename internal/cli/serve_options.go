package cli

import (
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/service/server"
	"github.com/avow-project/avow/internal/std/hostname"
)

// serveOptions are the settings of the service.
type serveOptions struct {
	addrs                    []string
	store                    string
	baseURL, contact         string
	tlsCert, tlsKey          string
	proxies                  []netip.Prefix
	metricsAddr              string
	metricsPublic            bool
	logFormat, logLevel      choice
	deny                     []netip.Prefix
	optOut                   []string
	read, lookup, validate   server.Rate
	create, enrich, write    server.Rate
	denied                   server.Rate
	keyFactor                int
	maxConns, maxConnsClient int
	maxRequests, maxLarge    int
	drainDelay, mirrorKeep   time.Duration
	limits                   retain.Limits
	enrichQuota              int
	enrichURL, enrichKey     string
}

// define adds the settings to a command.
func (o *serveOptions) define(s *settings) {
	s.define(func(flags, _ *pflag.FlagSet) {
		flags.StringSliceVar(&o.addrs, "addr", []string{"127.0.0.1:8080"}, "`HOST:PORT` to listen on, or several with commas")
		o.defineStore(flags)
		o.defineRetention(flags)
		flags.StringVar(&o.baseURL, "base-url", "", "`URL` of the service as others reach it, for links and the examples of /docs; without it links lead to the first --addr")
		flags.StringVar(&o.contact, "contact", "", "`ADDRESS` in the User-Agent of requests to others, for owners of servers who want to know who asks: a URL or an e-mail address")
	})
	s.define(o.defineEdge)
	s.define(o.defineLimits)
	s.define(func(flags, quiet *pflag.FlagSet) {
		o.logFormat = choice{value: "text", words: []string{"text", "json"}}
		flags.Var(&o.logFormat, "log-format", "form of the lines in the log: text, json")
		o.logLevel = choice{value: "info", words: []string{"info", "debug", "warn", "error"}}
		flags.Var(&o.logLevel, "log-level", "least importance of lines in the log: debug, info, warn, error")
		flags.DurationVar(&o.drainDelay, "drain-delay", 0, "`TIME` between saying not ready and refusing connections when the service is told to stop")
		flags.DurationVar(&o.mirrorKeep, "mirror-keep", 90*24*time.Hour, "least `TIME` for which a superseded mirror is served")
		flags.IntVar(&o.enrichQuota, "enrich-quota", 1000, "`NUMBER` of calls of the brand data provider in a day; one that fails is made up to three times")
		quiet.StringVar(&o.enrichURL, "enrich-url", "", "base URL of the brand data provider; empty means its public one")
		quiet.StringVar(&o.enrichKey, "enrich-key", "", "key for the brand data provider; without it none is asked")
	})
}

func (o *serveOptions) defineStore(flags *pflag.FlagSet) {
	flags.StringVar(&o.store, "store", "", "`URL` of the database: sqlite:PATH or postgres://...; without it a file in the state directory of the user")
}

// defineRetention adds how much is kept and for how long.
func (o *serveOptions) defineRetention(flags *pflag.FlagSet) {
	o.limits = retain.Limits{}.WithDefaults()
	flags.Var(sizeValue{&o.limits.Budget}, "store-budget", "`SIZE` that the store may take, such as 16GB; a quarter of it is for publishers that only anonymous callers named")
	flags.DurationVar(&o.limits.History, "keep-history", o.limits.History, "`TIME` for which old versions and events are kept")
	flags.DurationVar(&o.limits.Guests, "keep-anonymous", o.limits.Guests, "`TIME` for which the file of a publisher is kept after an anonymous caller asked for it, unless somebody with a key did too")
}

// checkRetention finds limits that keep nothing.
func (o *serveOptions) checkRetention() error {
	switch {
	case o.limits.Budget < leastBudget:
		return usageError("write it as 16GB", "--store-budget must be 10MB at least")
	case o.limits.History < 24*time.Hour:
		return usageError("write it as 720h", "--keep-history must be 24h at least")
	case o.limits.Guests < time.Hour:
		return usageError("write it as 72h", "--keep-anonymous must be 1h at least")
	}
	return nil
}

// leastBudget is what a store needs to be of any use.
const leastBudget = 10_000_000

// defineEdge adds what lies between the service and its clients.
func (o *serveOptions) defineEdge(flags, _ *pflag.FlagSet) {
	flags.StringVar(&o.tlsCert, "tls-cert", "", "`FILE` with the certificate chain in PEM; without it the service speaks plain HTTP")
	flags.StringVar(&o.tlsKey, "tls-key", "", "`FILE` with the private key of the certificate in PEM")
	flags.Var(networksValue{&o.proxies}, "trusted-proxies", "`NETWORKS` of proxies whose X-Forwarded-For, X-Forwarded-Proto and X-Request-Id are believed, with commas")
	flags.StringVar(&o.metricsAddr, "metrics-addr", "", "`HOST:PORT` for metrics and profiles, on this machine; without it there are none")
	flags.BoolVar(&o.metricsPublic, "metrics-public", false, "allow a --metrics-addr that other machines can reach")
	flags.Var(networksValue{&o.deny}, "deny", "`ADDRESSES` that are never asked, with commas: those at which others reach this service")
	flags.StringSliceVar(&o.optOut, "opt-out", nil, "`DOMAINS`, with commas, that are never contacted: calls about them, or names below them, are refused")
}

// defineLimits adds what protects the service from its clients.
func (o *serveOptions) defineLimits(flags, _ *pflag.FlagSet) {
	defaults := server.DefaultRates()
	for _, rate := range o.rates() {
		*rate.rate = defaults[rate.class]
		flags.Var(rateValue{rate.rate}, "rate-"+string(rate.class), rate.usage)
	}
	flags.IntVar(&o.keyFactor, "key-factor", 10, "`NUMBER` of times the rates that a caller with a key has, writing aside")
	flags.IntVar(&o.maxConns, "max-conns", 20_000, "`NUMBER` of open connections")
	flags.IntVar(&o.maxConnsClient, "max-conns-per-client", 128, "`NUMBER` of open connections of one client; proxies and this machine have no limit")
	flags.IntVar(&o.maxRequests, "max-requests", 1024, "`NUMBER` of requests under way, separately for those that ask the web and the others")
	flags.IntVar(&o.maxLarge, "max-large", 0, "`NUMBER` of requests with a large body under way; 0 means four for each processor")
}

// A classRate is the rate of a class of requests.
type classRate struct {
	class server.Class
	rate  *server.Rate
	usage string
}

func (o *serveOptions) rates() []classRate {
	return []classRate{
		{server.Validate, &o.validate, "`RATE` at which an anonymous client may have domains validated"},
		{server.Lookup, &o.lookup, "`RATE` of lookups of an anonymous client, which may ask the web"},
		{server.Read, &o.read, "`RATE` of other reads of an anonymous client"},
		{server.Create, &o.create, "`RATE` at which an anonymous client may have files made"},
		{server.Enrich, &o.enrich, "`RATE` of brand enrichment of an anonymous client"},
		{server.Write, &o.write, "`RATE` of changes, for a key"},
		{server.Denied, &o.denied, "`RATE` at which a client may present keys that do not count"},
	}
}

// check finds settings that do not go together.
func (o *serveOptions) check() error {
	if (o.tlsCert == "") != (o.tlsKey == "") {
		return usageError("give both or neither", "--tls-cert and --tls-key belong together")
	}
	if !plainContact(o.contact) {
		return usageError("give a URL or an e-mail address, for example adops@example.com", "the contact cannot be sent: %q", o.contact)
	}
	err := o.checkRetention()
	if err != nil {
		return err
	}
	if o.enrichQuota < 1 {
		return usageError("leave out the key of the provider to ask it for nothing", "--enrich-quota must be 1 at least")
	}
	for _, n := range []struct {
		flag  string
		value int
	}{
		{"key-factor", o.keyFactor}, {"max-conns", o.maxConns}, {"max-conns-per-client", o.maxConnsClient}, {"max-requests", o.maxRequests},
	} {
		if n.value < 1 {
			return usageError("leave it out for the default", "--%s must be 1 at least", n.flag)
		}
	}
	if o.mirrorKeep <= 0 {
		return usageError("write it as 2160h", "--mirror-keep must be longer than nothing")
	}
	for _, p := range o.deny {
		if !p.IsSingleIP() {
			return usageError("write single addresses", "--deny cannot be a network: %s", p)
		}
	}
	for i, name := range o.optOut {
		domain, _, err := hostname.Canonical(name)
		if err != nil {
			return usageError("write domains, such as example.com", "--opt-out cannot be %q", name)
		}
		o.optOut[i] = domain
	}
	if o.baseURL == "" {
		return nil
	}
	base, err := url.Parse(o.baseURL)
	if err != nil || base.Host == "" || (base.Scheme != "https" && base.Scheme != "http") || base.RawQuery != "" || base.User != nil {
		return usageError("write it as https://registry.example.com", "--base-url cannot be %q", o.baseURL)
	}
	o.baseURL = strings.TrimSuffix(o.baseURL, "/")
	return nil
}

// storeURL returns the store that was asked for, or the one in the state directory.
func (o *serveOptions) storeURL(getenv func(string) string) (string, error) {
	if o.store != "" {
		return o.store, nil
	}
	dir := stateDir(getenv)
	if dir == "" {
		return "", usageError("name one with --store sqlite:PATH", "there is no home directory for the database")
	}
	return "sqlite:" + filepath.Join(dir, "registry.db"), nil
}

// stateDir is the directory for what is kept of this program; empty when the user has no
// home.
func stateDir(getenv func(string) string) string {
	state := getenv("XDG_STATE_HOME")
	if filepath.IsAbs(state) {
		return filepath.Join(state, "avow")
	}
	home := getenv("HOME")
	if home == "" {
		home = getenv("USERPROFILE")
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".local", "state", "avow")
}

// shownStore is the name of a store without its password.
func shownStore(store string) string {
	u, err := url.Parse(store)
	switch {
	case strings.HasPrefix(store, "sqlite:"):
		return store
	case err != nil:
		return "postgres"
	}
	return u.Scheme + "://" + u.Host + u.Path
}
