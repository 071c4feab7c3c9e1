package settings

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/std/hostname"
)

// Service are the settings of the service.
type Service struct {
	Addrs            []string
	Store            Store
	Retention        Retention
	Role             console.Choice
	Watchers         int
	BaseURL, Contact string
	// Proxy is the URL of the proxy for requests to others; empty for none.
	Proxy               string
	TLSCert, TLSKey     string
	Proxies             []netip.Prefix
	MetricsAddr         string
	MetricsPublic       bool
	LogFormat, LogLevel console.Choice
	// LogKey is the file with the keys of the transparency log; empty for none.
	LogKey string
	// WebhookKey is the file with the key that signs deliveries to subscriptions; empty for none.
	WebhookKey string
	// LogPolicy names the witnesses of the log; empty for none.
	LogPolicy string

	Deny                     []netip.Prefix
	OptOut                   []string
	Rates                    map[*edge.Class]edge.Rate // one for each class of requests
	KeyFactor                int
	MaxConns, MaxConnsClient int
	MaxRequests              int
	LargeMemory              int64
	DrainDelay, MirrorKeep   time.Duration
	EnrichQuota              int
	EnrichURL, EnrichKey     string
}

// Define adds the settings to a command.
func (o *Service) Define(s *Settings) {
	s.Define(func(flags, _ *pflag.FlagSet) {
		flags.StringSliceVar(&o.Addrs, "addr", []string{"127.0.0.1:8080"}, "`HOST:PORT` to listen on, or several with commas")
		o.Store.Define(flags)
		o.Retention.Define(flags)
		o.Role = console.Choice{Value: "all", Words: []string{"all", "api", "worker"}}
		flags.Var(&o.Role, "role",
			"what this process does: all, api (answers, and leaves looking at publishers to others), worker (looks at "+
				"publishers, and answers nothing but /healthz and /readyz)")
		flags.IntVar(&o.Watchers, "watchers", 0,
			"`NUMBER` of publishers to look at in parallel; 0 means 4, or 32 for a worker")
		flags.StringVar(&o.BaseURL, "base-url", "",
			"`URL` of the service as others reach it, for links and the examples of /docs; without it links lead to the first "+
				"--addr")
		flags.StringVar(&o.Proxy, "proxy", "",
			"connect to others through the proxy at this http or https `URL`, with CONNECT")
		flags.StringVar(&o.Contact, "contact", "",
			"contact `ADDRESS` sent in the User-Agent of requests: a URL or an email address")
	})
	s.Define(o.defineEdge)
	s.Define(o.defineLimits)
	s.Define(func(flags, quiet *pflag.FlagSet) {
		o.LogFormat = console.Choice{Value: "text", Words: []string{"text", "json"}}
		flags.Var(&o.LogFormat, "log-format", "form of the lines in the log: text, json")
		o.LogLevel = console.Choice{Value: "info", Words: []string{"info", "debug", "warn", "error"}}
		flags.Var(&o.LogLevel, "log-level", "least importance of lines in the log: debug, info, warn, error")
		flags.DurationVar(&o.DrainDelay, "drain-delay", 0,
			"`TIME` between saying not ready and refusing connections when the service is told to stop")
		flags.DurationVar(&o.MirrorKeep, "mirror-keep", 90*24*time.Hour,
			"least `TIME` for which a superseded mirror is served")
		flags.IntVar(&o.EnrichQuota, "enrich-quota", 1000,
			"`NUMBER` of calls of the brand data provider in a day; one that fails is made up to three times")
		flags.StringVar(&o.LogKey, "log-key", "",
			"`FILE` with the keys of the transparency log, as avow log init makes it; without it nothing is signed")
		flags.StringVar(&o.LogPolicy, "log-policy", "",
			"`FILE` with the policy of the transparency log: its witnesses with a URL are asked for cosignatures, and a head "+
				"is shown when its quorum has signed")
		flags.StringVar(&o.WebhookKey, "webhook-key", "",
			"`FILE` with the Ed25519 private key, JWK or PEM, that signs what is sent to subscriptions; without it there are "+
				"none")
		quiet.StringVar(&o.EnrichURL, "enrich-url", "", "base URL of the brand data provider; empty means its public one")
		quiet.StringVar(&o.EnrichKey, "enrich-key", "", "key for the brand data provider; without it none is asked")
	})
}

// leastLarge is the least memory for what is large: a document of 20 MB has to fit.
const leastLarge = 64_000_000

// mostWatchers is more than a process can make use of.
const mostWatchers = 10_000

// workerWatchers is the number of looks that a worker has under way: each waits for others
// most of the time.
const workerWatchers = 32

// LooksAtOnce is the number of looks under way at a time; zero for the default.
func (o *Service) LooksAtOnce() int {
	if o.Watchers == 0 && o.Role.Value == "worker" {
		return workerWatchers
	}
	return o.Watchers
}

// defineEdge adds what lies between the service and its clients.
func (o *Service) defineEdge(flags, _ *pflag.FlagSet) {
	flags.StringVar(&o.TLSCert, "tls-cert", "",
		"`FILE` with the certificate chain in PEM; without it the service speaks plain HTTP")
	flags.StringVar(&o.TLSKey, "tls-key", "", "`FILE` with the private key of the certificate in PEM")
	flags.Var(networksValue{&o.Proxies}, "trusted-proxies",
		"`NETWORKS` of proxies whose X-Forwarded-For, X-Forwarded-Proto and X-Request-Id are believed, with commas")
	flags.StringVar(&o.MetricsAddr, "metrics-addr", "",
		"`HOST:PORT` for metrics and profiles, on this machine; without it there are none")
	flags.BoolVar(&o.MetricsPublic, "metrics-public", false, "allow a --metrics-addr that other machines can reach")
	flags.Var(networksValue{&o.Deny}, "deny",
		"`ADDRESSES` that are never asked, with commas: those at which others reach this service")
	flags.StringSliceVar(&o.OptOut, "opt-out", nil,
		"`DOMAINS`, with commas, that are never contacted: calls about them, or names below them, are refused")
}

// defineLimits adds what protects the service from its clients.
func (o *Service) defineLimits(flags, _ *pflag.FlagSet) {
	o.Rates = map[*edge.Class]edge.Rate{}
	for _, r := range rateUsage {
		o.Rates[r.class] = r.class.Rate
		flags.Var(rateValue{r.class, o.Rates}, "rate-"+r.class.Name, r.usage)
	}
	flags.IntVar(&o.KeyFactor, "key-factor", 10, "`NUMBER` of times the rates that a caller with a key has, writing aside")
	flags.IntVar(&o.MaxConns, "max-conns", 20_000, "`NUMBER` of open connections")
	flags.IntVar(&o.MaxConnsClient, "max-conns-per-client", 128,
		"`NUMBER` of open connections of one client; proxies and this machine have no limit")
	flags.IntVar(&o.MaxRequests, "max-requests", 2048,
		"`NUMBER` of requests under way, separately for those that ask the web and the others")
	o.LargeMemory = 192_000_000
	flags.Var(sizeValue{&o.LargeMemory}, "large-memory",
		"`SIZE` of the memory for large documents, bodies and answers, such as 192MB")
}

// rateUsage says what the rates are.
var rateUsage = []struct {
	class *edge.Class
	usage string
}{
	{edge.Validate, "`RATE` at which an anonymous client may have domains validated"},
	{edge.Lookup, "`RATE` of lookups of an anonymous client, which may ask the web"},
	{edge.Read, "`RATE` of other reads of an anonymous client"},
	{edge.Create, "`RATE` at which an anonymous client may have files made"},
	{edge.Enrich, "`RATE` of brand enrichment of an anonymous client"},
	{edge.Message,
		"`RATE` of messages to /mcp of an anonymous client; what a tool does counts besides, " +
			"as the route that does the same"},
	{edge.Badge, "`RATE` at which an anonymous client may load badges"},
	{edge.Log, "`RATE` at which an anonymous client may read parts of the transparency log"},
	{edge.Write, "`RATE` of changes, for a key"},
	{edge.Denied, "`RATE` at which a client may present keys that are not valid"},
}

// Check finds settings that do not go together.
func (o *Service) Check() error {
	if (o.TLSCert == "") != (o.TLSKey == "") {
		return console.UsageError("give both or neither", "--tls-cert and --tls-key belong together")
	}
	if !console.PlainContact(o.Contact) {
		return console.UsageError("give a URL or an e-mail address, for example adops@example.com",
			"the contact cannot be sent: %q", o.Contact)
	}
	err := o.Retention.Check()
	if err != nil {
		return err
	}
	if o.LogPolicy != "" && o.LogKey == "" {
		return console.UsageError("give the key of the log as well",
			"--log-policy is for a service that signs, with --log-key")
	}
	if o.LargeMemory < leastLarge {
		return console.UsageError("write it as 192MB", "--large-memory must be 64MB at least")
	}
	if o.EnrichQuota < 1 {
		return console.UsageError("leave out the key of the provider to ask it for nothing",
			"--enrich-quota must be 1 at least")
	}
	for _, n := range []struct {
		flag  string
		value int
	}{
		{"key-factor", o.KeyFactor}, {"max-conns", o.MaxConns}, {"max-conns-per-client", o.MaxConnsClient},
		{"max-requests", o.MaxRequests},
	} {
		if n.value < 1 {
			return console.UsageError("leave it out for the default", "--%s must be 1 at least", n.flag)
		}
	}
	if o.Watchers < 0 || o.Watchers > mostWatchers {
		return console.UsageError("leave it out for the default", "--watchers must be between 0 and %d", mostWatchers)
	}
	if o.Role.Value != "all" && !o.Store.Shared() {
		return console.UsageError("use --store postgres://..., or one process with --role all",
			"--role %s is for several processes, which need a store in PostgreSQL", o.Role.Value)
	}
	if o.MirrorKeep <= 0 {
		return console.UsageError("write it as 2160h", "--mirror-keep must be longer than nothing")
	}
	for _, p := range o.Deny {
		if !p.IsSingleIP() {
			return console.UsageError("write single addresses", "--deny cannot be a network: %s", p)
		}
	}
	for i, name := range o.OptOut {
		domain, _, err := hostname.Canonical(name)
		if err != nil {
			return console.UsageError("write domains, such as example.com", "invalid --opt-out %q", name)
		}
		o.OptOut[i] = domain
	}
	return o.settleBaseURL()
}

// settleBaseURL checks where links lead, and removes a slash at its end.
func (o *Service) settleBaseURL() error {
	if o.BaseURL == "" {
		return nil
	}
	base, err := url.Parse(o.BaseURL)
	if err != nil || base.Host == "" || (base.Scheme != "https" && base.Scheme != "http") || base.RawQuery != "" ||
		base.User != nil {
		return console.UsageError("write it as https://registry.example.com", "invalid --base-url %q", o.BaseURL)
	}
	o.BaseURL = strings.TrimSuffix(o.BaseURL, "/")
	return nil
}

// Encrypted reports whether what clients send is encrypted: by the service, or by proxies before it.
func (o *Service) Encrypted() bool {
	return o.TLSCert != "" || len(o.Proxies) > 0 || strings.HasPrefix(o.BaseURL, "https:")
}

// Open reports whether the service listens on an address that other machines can reach.
func (o *Service) Open() bool {
	return slices.ContainsFunc(o.Addrs, func(text string) bool {
		host, _, err := net.SplitHostPort(text)
		addr, wrong := netip.ParseAddr(host)
		return err == nil && host != "localhost" && (wrong != nil || !addr.IsLoopback())
	})
}

// PublicURL is where links lead: to the address that the operator gave, or else to the
// first one that is listened on, unless that is still to be chosen.
func (o *Service) PublicURL() string {
	if o.BaseURL != "" || len(o.Addrs) == 0 {
		return o.BaseURL
	}
	host, port, err := net.SplitHostPort(o.Addrs[0])
	if err != nil || port == "0" {
		return ""
	}
	if host == "" || host == "0.0.0.0" || host == "::" {
		host = "localhost"
	}
	scheme := "http"
	if o.TLSCert != "" {
		scheme = "https"
	}
	return fmt.Sprintf("%s://%s", scheme, net.JoinHostPort(host, port))
}

// New adds the flag for the file to a command. A command that needs only some of the
// settings reads the same file as the service.
func New(cmd *cobra.Command) *Settings {
	s := &Settings{flags: cmd.Flags(), quiet: pflag.NewFlagSet("quiet", pflag.ContinueOnError), known: allMembers}
	s.flags.StringVar(&s.File, "config", "",
		"TOML `FILE` with settings, named like the flags with _ for -; AVOW_CONFIG sets it as well")
	return s
}

// A Setting is one row of the table of settings in the manual.
type Setting struct {
	// Flag is empty for a setting that cannot be typed.
	Flag, Variable, Member, Default, Usage string
}

// Table returns the settings of avow serve, for the manual and its test.
func Table() []Setting {
	cmd := &cobra.Command{Use: "serve"}
	s := New(cmd)
	new(Service).Define(s)
	var rows []Setting
	for _, name := range s.names {
		f := s.lookup(name)
		_, usage := pflag.UnquoteUsage(f)
		row := Setting{Flag: "--" + name, Variable: variableOf(name), Member: memberOf(name), Default: f.DefValue,
			Usage: usage}
		if s.secret(name) {
			row.Flag = ""
		}
		rows = append(rows, row)
	}
	return rows
}

// allMembers are the settings of the service as members of a file.
func allMembers() []string {
	var all []string
	for _, row := range Table() {
		all = append(all, row.Member)
	}
	return all
}

// Retention is how much is kept and for how long.
type Retention struct{ Limits retain.Limits }

// Define adds the flags.
func (r *Retention) Define(flags *pflag.FlagSet) {
	r.Limits = retain.Limits{}.WithDefaults()
	flags.Var(sizeValue{&r.Limits.Budget}, "store-budget",
		"`SIZE` that the store may take, such as 16GB; a quarter of it is for publishers that only anonymous callers named")
	flags.DurationVar(&r.Limits.History, "keep-history", r.Limits.History,
		"`TIME` for which old versions and events are kept")
	flags.DurationVar(&r.Limits.Guests, "keep-anonymous", r.Limits.Guests,
		"`TIME` for which the file of a publisher is kept after an anonymous caller asked for it, unless a key holder did too")
}

// Check finds limits that keep nothing.
func (r *Retention) Check() error {
	switch {
	case r.Limits.Budget < leastBudget:
		return console.UsageError("write it as 16GB", "--store-budget must be 10MB at least")
	case r.Limits.History < 24*time.Hour:
		return console.UsageError("write it as 720h", "--keep-history must be 24h at least")
	case r.Limits.Guests < time.Hour:
		return console.UsageError("write it as 72h", "--keep-anonymous must be 1h at least")
	}
	return nil
}

// leastBudget is what a store needs to be of any use.
const leastBudget = 10_000_000
