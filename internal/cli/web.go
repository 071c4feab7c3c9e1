package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/fetch"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/brand"
	"github.com/avow-project/avow/internal/std/clock"
)

// webTimeout is the time one target may take. The longest honest way has four
// requests of ten seconds.
const webTimeout = 60 * time.Second

// agentsTimeout is the time that all agents of a file together may take.
const agentsTimeout = 20 * time.Second

// webFlags are the flags of commands that ask the web.
type webFlags struct {
	contact                  string
	timeout                  time.Duration
	verbose, refresh, agents bool
	// noFollow: a file that names another in its place is used itself.
	noFollow bool
}

func addWebFlags(cmd *cobra.Command) *webFlags {
	w := addRequestFlags(cmd)
	cmd.Flags().BoolVar(&w.refresh, "refresh", false, "ask caches on the way for fresh answers")
	return w
}

// addRequestFlags adds those that do not say what is asked for.
func addRequestFlags(cmd *cobra.Command) *webFlags {
	w := new(webFlags)
	flags := cmd.Flags()
	flags.BoolVarP(&w.verbose, "verbose", "v", false, "list every request on standard error")
	flags.DurationVar(&w.timeout, "timeout", webTimeout, "give up on a target after this `TIME`, for example 30s")
	flags.StringVar(&w.contact, "contact", "", "`ADDRESS` in the User-Agent, for owners of servers who want to know who asks: a URL or an e-mail address; AVOW_CONTACT sets it as well")
	return w
}

// addAgentsFlag adds the flag of commands that can also probe agents.
func (w *webFlags) addAgentsFlag(cmd *cobra.Command) *webFlags {
	cmd.Flags().BoolVar(&w.agents, "agents", false, "also ask the endpoints of the listed agents whether they answer")
	return w
}

// addFollowFlag adds the flag of commands that follow superseded_by.
func (w *webFlags) addFollowFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&w.noFollow, "no-follow-superseded", false, "use a file that says another one replaces it, instead of that one")
}

// An asker asks the web, for all targets of one run.
type asker struct {
	finder  *discover.Finder
	opt     discover.Options
	timeout time.Duration
	probe   bool
	// brands reads what the operators of agents say; nil when they are not asked.
	brands *brand.Reader
	now    func() time.Time
}

// newAsker prepares to ask. opt are the options of the check.
func (a *app) newAsker(w *webFlags, opt adagents.Options) (*asker, error) {
	client, err := a.webClient(w)
	if err != nil {
		return nil, err
	}
	a.noteProxies()
	return &asker{
		finder:  discover.New(client, func() time.Time { return opt.Now }),
		timeout: w.timeout, probe: w.agents, now: a.env.Now,
		opt: discover.Options{
			Profile: opt.Profile, Scopes: opt.Scopes, MaxFindings: opt.MaxFindings,
			IgnoreSuperseded: w.noFollow, NoCache: w.refresh,
		},
	}, nil
}

// webClient returns the client for requests to others.
func (a *app) webClient(w *webFlags) (*fetch.Client, error) {
	contact := w.contact
	if contact == "" {
		contact = a.env.Getenv("AVOW_CONTACT")
	}
	if !plainContact(contact) {
		return nil, usageError("give a URL or an e-mail address, for example adops@example.com", "the contact cannot be sent: %q", contact)
	}
	if w.timeout <= 0 {
		return nil, usageError("write it as 30s or 2m", "--timeout must be longer than nothing")
	}
	config := fetch.Config{Contact: contact, Budget: min(w.timeout, webTimeout/2), Network: a.env.Network}
	if w.verbose {
		config.Observe = a.requestLog()
	}
	return fetch.New(config), nil
}

// plainContact reports whether a text can stand in a header line, inside
// parentheses.
func plainContact(s string) bool {
	const longest = 200
	odd := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`()\"<>`, r) }
	return len(s) <= longest && !strings.ContainsFunc(s, odd)
}

// proxyVariables are the ones that other programs obey.
var proxyVariables = []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"}

// noteProxies tells a user who set up a proxy why nothing arrives there: what a
// proxy resolves and connects to cannot be checked from here.
func (a *app) noteProxies() {
	for _, name := range proxyVariables {
		if a.env.Getenv(name) != "" {
			a.note("%s is set and not used: addresses are checked before connecting, which a proxy would undo", name)
			return
		}
	}
}

// requestLog returns a function that writes a line per request.
func (a *app) requestLog() func(*fetch.Exchange) {
	w := a.errw
	return func(x *fetch.Exchange) { fmt.Fprintf(w, "avow: %s\n", requestLine(x)) }
}

// requestLine is everything about a request that fits into a line.
func requestLine(x *fetch.Exchange) string {
	address := "-"
	if x.Dialled.IsValid() {
		address = x.Dialled.String()
	}
	parts := []string{
		x.Method, shownURL(x.URL), statusText(x), bytesInWords(x.Bytes), milliseconds(x.Timings.Total), address, outcomeWords(x.Outcome),
	}
	if x.Attempt > 1 {
		parts = append(parts, fmt.Sprintf("(attempt %d)", x.Attempt))
	}
	line := strings.Join(parts, " ")
	if x.Outcome != fetch.Found && x.Detail != "" {
		line += ": " + safe(redact.Credentials(x.Detail))
	}
	return line
}

// ask finds the file of a domain or, byURL, the file at a URL. large is called before a
// large document is kept, and returns when there is space for it.
func (k *asker) ask(ctx context.Context, name string, byURL bool, large func(context.Context) error) (*discover.Discovery, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	limit := clock.Start(k.timeout, func() { cancel(context.DeadlineExceeded) })
	defer limit.Stop()
	find := k.finder.Domain
	if byURL {
		find = k.finder.URL
	}
	opt := k.opt
	opt.Large = func(ctx context.Context) error {
		// Others are in the way, not the target.
		goOn := limit.Hold()
		defer goOn()
		return large(ctx)
	}
	d, err := find(ctx, name, opt)
	var input *discover.InputError
	if errors.As(err, &input) {
		return nil, failure(input.Hint, "%s", input.Message)
	}
	return d, err
}

// agents probes the endpoints of the agents that a file authorizes.
func (k *asker) agents(ctx context.Context, report *adagents.Report) []discover.AgentCheck {
	if !k.probe || report == nil || report.File == nil {
		return nil
	}
	var urls []string
	for i := range report.File.Agents {
		if !report.File.Agents[i].Inert() {
			urls = append(urls, report.File.Agents[i].URL)
		}
	}
	return k.finder.Agents(ctx, urls, discover.ProbeOptions{Limit: min(k.timeout, agentsTimeout)})
}

// interruptible returns a context that ends when the user does, so that
// requests under way are given up and the terminal is left in order. A second
// interrupt ends the process at once.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// interrupted is the error of a run that the user ended.
func interrupted(err error) error {
	if errors.Is(err, context.Canceled) {
		return failure("", "interrupted: what is missing above was not looked at")
	}
	return err
}
