// Package request makes the requests of commands that ask the web, and has their flags. Nothing
// else of the command line opens a connection to a publisher.
package request

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/brand"
	"github.com/avow-project/avow/internal/std/clock"
)

// Timeout is the time one target may take. The longest honest way has four
// requests of ten seconds.
const Timeout = 60 * time.Second

// AgentsTimeout is the time that all agents of a file together may take.
const AgentsTimeout = 20 * time.Second

// AtOnce is the number of targets on the web that are asked for at the same time:
// enough to make use of waiting, too few to be a nuisance.
const AtOnce = 16

// Flags are the flags of commands that ask the web.
type Flags struct {
	Contact, Proxy           string
	Timeout                  time.Duration
	Verbose, Refresh, Agents bool
	// NoFollow: a file that names another in its place is used itself.
	NoFollow bool
}

// AddFlags adds the flags of a command that asks the web.
func AddFlags(cmd *cobra.Command) *Flags {
	w := AddRequestFlags(cmd)
	cmd.Flags().BoolVar(&w.Refresh, "refresh", false, "ask caches on the way for fresh answers")
	return w
}

// AddRequestFlags adds those that do not say what is asked for.
func AddRequestFlags(cmd *cobra.Command) *Flags {
	w := new(Flags)
	flags := cmd.Flags()
	flags.BoolVarP(&w.Verbose, "verbose", "v", false, "list every request on standard error")
	flags.DurationVar(&w.Timeout, "timeout", Timeout, "give up on a target after this `TIME`, for example 30s")
	flags.StringVar(&w.Proxy, "proxy", "",
		"connect through the proxy at this http or https `URL`; AVOW_PROXY sets it as well")
	flags.StringVar(&w.Contact, "contact", "",
		"contact `ADDRESS` sent in the User-Agent: a URL or an email address; AVOW_CONTACT sets it as well")
	return w
}

// AddAgentsFlag adds the flag of commands that can also probe agents.
func (w *Flags) AddAgentsFlag(cmd *cobra.Command) *Flags {
	cmd.Flags().BoolVar(&w.Agents, "agents", false, "also ask the endpoints of the listed agents whether they answer")
	return w
}

// AddFollowFlag adds the flag of commands that follow superseded_by.
func (w *Flags) AddFollowFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&w.NoFollow, "no-follow-superseded", false,
		"use a file that says another one replaces it, instead of that one")
}

// An Asker asks the web, for all targets of one run.
type Asker struct {
	Finder  *discover.Finder
	Options discover.Options
	Timeout time.Duration
	probe   bool
	// Brands reads what the operators of agents say; nil when they are not asked.
	Brands *brand.Reader
	Now    func() time.Time
}

// NewAsker prepares to ask. opt are the options of the check.
func NewAsker(a *console.App, w *Flags, opt adagents.Options) (*Asker, error) {
	client, err := NewClient(a, w)
	if err != nil {
		return nil, err
	}
	NoteProxies(a)
	return &Asker{
		Finder:  discover.New(discover.Config{Client: client, Now: func() time.Time { return opt.Now }}),
		Timeout: w.Timeout, probe: w.Agents, Now: a.Env.Now,
		Options: discover.Options{
			Profile: opt.Profile, Release: opt.Release, Scopes: opt.Scopes, MaxFindings: opt.MaxFindings, Lead: opt.Lead,
			Fixes:            opt.Fixes,
			IgnoreSuperseded: w.NoFollow, NoCache: w.Refresh,
		},
	}, nil
}

// NewClient returns the client for requests to others.
func NewClient(a *console.App, w *Flags) (*fetch.Client, error) {
	config, err := clientConfig(a, w)
	if err != nil {
		return nil, err
	}
	return fetch.New(*config), nil
}

// NewLogClient returns the client for transparency logs, which are made to be read as a whole by
// everybody: 50 requests in a second are half of what ours allows.
func NewLogClient(a *console.App, w *Flags) (*fetch.Client, error) {
	config, err := clientConfig(a, w)
	if err != nil {
		return nil, err
	}
	config.SiteBurst, config.SiteEvery = 100, time.Second/50
	return fetch.New(*config), nil
}

func clientConfig(a *console.App, w *Flags) (*fetch.Config, error) {
	contact := w.Contact
	if contact == "" {
		contact = a.Env.Getenv("AVOW_CONTACT")
	}
	if !console.PlainContact(contact) {
		return nil, console.UsageError("give a URL or an e-mail address, for example adops@example.com",
			"the contact cannot be sent: %q", contact)
	}
	if w.Timeout <= 0 {
		return nil, console.UsageError("write it as 30s or 2m", "--timeout must be longer than nothing")
	}
	var err error
	config := &fetch.Config{Contact: contact, Budget: min(w.Timeout, Timeout/2), Network: a.Env.Network}
	config.Network.Proxy, err = w.proxy(a)
	if err != nil {
		return nil, err
	}
	if w.Verbose {
		config.Observe = RequestLog(a)
	}
	return config, nil
}

// proxy returns the proxy that the user names; nil for none.
func (w *Flags) proxy(a *console.App) (*url.URL, error) {
	text := cmp.Or(w.Proxy, a.Env.Getenv(proxyVariable))
	if text == "" {
		return nil, nil
	}
	u, err := netguard.ParseProxy(text)
	if err != nil {
		return nil, console.UsageError("write it as http://proxy.example.com:3128", "the proxy cannot be used: %v", err)
	}
	return u, nil
}

// proxyVariable names a proxy for avow alone.
const proxyVariable = "AVOW_PROXY"

// proxyVariables are the ones that other programs obey.
var proxyVariables = []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"}

// NoteProxies tells a user who set up a proxy why nothing arrives there: what a
// proxy resolves and connects to cannot be checked from here.
func NoteProxies(a *console.App) {
	if a.Env.Getenv(proxyVariable) != "" {
		return
	}
	for _, name := range proxyVariables {
		if a.Env.Getenv(name) != "" {
			a.Note(
				"%s is set and not used: addresses are checked before connecting, which a proxy would undo; --proxy names one "+
					"all the same", name)
			return
		}
	}
}

// RequestLog returns a function that writes a line per request.
func RequestLog(a *console.App) func(*fetch.Exchange) {
	w := a.Err
	return func(x *fetch.Exchange) { fmt.Fprintf(w, "avow: %s\n", requestLine(x)) }
}

// Ask finds the file of a domain or, byURL, the file at a URL. large is called before a
// large document is kept, and returns when there is space for it.
func (k *Asker) Ask(ctx context.Context, name string, byURL bool,
	large func(context.Context) error) (*discover.Discovery, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	limit := clock.Start(k.Timeout, func() { cancel(context.DeadlineExceeded) })
	defer limit.Stop()
	find := k.Finder.Domain
	if byURL {
		find = k.Finder.URL
	}
	opt := k.Options
	opt.Large = func(ctx context.Context) error {
		// Others are in the way, not the target.
		goOn := limit.Hold()
		defer goOn()
		return large(ctx)
	}
	d, err := find(ctx, name, opt)
	var input *discover.InputError
	if errors.As(err, &input) {
		return nil, console.Failure(input.Hint, "%s", input.Message)
	}
	return d, err
}

// InEffect finds the file that answers rest on, where the one that was found names another in its place
// and is the one that was asked for.
func (k *Asker) InEffect(ctx context.Context, d *discover.Discovery,
	large func(context.Context) error) (*discover.Discovery, error) {
	if d.Domain == "" || d.SupersededBy == "" || !k.Options.IgnoreSuperseded {
		return d, nil
	}
	following := *k
	following.Options.IgnoreSuperseded = false
	return following.Ask(ctx, d.Domain, false, large)
}

// Agents probes the endpoints of the agents that a file authorizes.
func (k *Asker) Agents(ctx context.Context, report *adagents.Report) []discover.AgentCheck {
	if !k.probe || report == nil || report.File == nil {
		return nil
	}
	var urls []string
	for i := range report.File.Agents {
		if !report.File.Agents[i].Inert() {
			urls = append(urls, report.File.Agents[i].URL)
		}
	}
	return k.Finder.Agents(ctx, urls, discover.ProbeOptions{Limit: min(k.Timeout, AgentsTimeout)})
}

// keySetsAtOnce is the number of agents that are asked for their keys at the same time.
const keySetsAtOnce = 8

// KeySets asks agents for the keys that they publish.
func (k *Asker) KeySets(ctx context.Context, agents []string) []*discover.KeySet {
	ctx, cancel := context.WithTimeout(ctx, min(k.Timeout, AgentsTimeout))
	defer cancel()
	sets := make([]*discover.KeySet, len(agents))
	slots := make(chan struct{}, keySetsAtOnce)
	var all sync.WaitGroup
	for i, agent := range agents {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			sets[i] = k.Finder.KeySet(ctx, agent, "")
		})
	}
	all.Wait()
	return sets
}

// requestLine is everything about a request that fits into a line.
func requestLine(x *fetch.Exchange) string {
	address := "-"
	if x.Dialled.IsValid() {
		address = x.Dialled.String()
	}
	parts := []string{
		x.Method, ShownURL(x.URL), Status(x), console.Bytes(x.Bytes), console.Milliseconds(x.Timings.Total), address,
		Outcome(x.Outcome),
	}
	if x.Attempt > 1 {
		parts = append(parts, fmt.Sprintf("(attempt %d)", x.Attempt))
	}
	line := strings.Join(parts, " ")
	if x.Outcome != fetch.Found && x.Detail != "" {
		line += ": " + console.Safe(redact.Credentials(x.Detail))
	}
	return line
}

// Status is the HTTP status, or a dash when no answer came.
func Status(x *fetch.Exchange) string {
	if x.Status == 0 {
		return "-"
	}
	return strconv.Itoa(x.Status)
}

// ShownURL makes a URL from outside fit for a line of a terminal.
func ShownURL(url string) string { return console.Safe(redact.URL(url)) }

// Outcome is the name of an outcome for people.
func Outcome(o fetch.Outcome) string { return strings.ReplaceAll(o.String(), "_", " ") }
