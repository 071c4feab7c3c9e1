package log

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/settings"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/std/clock"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/translog"
)

const monitorHelp = `Monitor follows transparency logs as a publisher or a buyer: with nothing but a policy, and
without trust in their operators. It tells every leaf about the domains that you name: a
publisher, the file at its well-known path, and the file that speaks for it. Leaves about the
log itself are told as well, and with --all every leaf, whomever it is about. Without URLs,
those in the policy are followed. A folder that avow log export has written can be followed in
the place of a URL.

Every head has to be signed as the policy asks for, and to contain all that was seen before;
every leaf has to be in the tree that was signed. It is an alarm when a head is not signed, two
heads do not fit together (forked) or one went back, what is served is not what was signed
(altered), the head is older than --max-age or its time is still to come (early), a leaf cannot
be read (malformed), or one does not lead to the leaf before it about the same subject
(broken), when a log goes on after its end (ended), or more was seen of a log than its
successor takes over (disowned). With --all the chains of all subjects are checked. Two heads
that do not fit together are written to a file beside the state, as evidence against the log.

What was seen is remembered in the file of --state, by the name of the log, so the same log
at two URLs is compared with itself. The first look reads the whole log. What is to be
told is in the file before it is told, and until it is: nothing is lost when the process ends, and
what it was about to tell is told when it begins again, perhaps for the second time. A domain that
you add later is told from then on. One process at a time can use the file.

--webhook sends the same to a URL, each with a delivery_id, signed by RFC 9421 with the Ed25519 key
of --webhook-key, a private JWK or PEM. What cannot be delivered is kept and sent again, in order,
before the log is looked at again.

With --once it looks once, and unless there was an alarm it ends by showing which entry is the newest
about each domain and its file. Otherwise it goes on until it is told to stop.

Exit codes: 0 no alarm, 1 there was an alarm, 2 wrong usage, 3 a log could not be
read, or the webhook could not be told.`

type monitorFlags struct {
	web           *request.Flags
	format        *console.Choice
	policy, state string
	hook, hookKey string
	domains       []string
	once, all     bool
	maxAge, every time.Duration
}

func monitorCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "monitor [URL|DIR...]",
		Short: "follow a log, report entries about domains, detect faults",
		Long:  monitorHelp,
		Example: `  avow log monitor https://registry.example.com/log --policy registry.policy --domain example.com
  avow log monitor https://registry.example.com/log --policy registry.policy --domain example.com --domain example.org --once
  avow log monitor https://registry.example.com/log --policy registry.policy --domain example.com --format json
  avow log monitor https://registry.example.com/log --policy registry.policy --all --webhook https://ops.example.com/avow --webhook-key key.pem`,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := &monitorFlags{web: request.AddRequestFlags(cmd),
		format: console.AddChoice(cmd, "format", "output format", "text", "json")}
	cmd.Flags().StringVar(&f.policy, "policy", "", "take the keys that count from `FILE`")
	cmd.Flags().StringVar(&f.state, "state", "",
		"remember what was seen in `FILE`; monitor.json in avow's state directory if not given")
	cmd.Flags().StringArrayVar(&f.domains, "domain", nil, "tell leaves about `DOMAIN`; may be given several times")
	cmd.Flags().BoolVar(&f.all, "all", false,
		"tell every leaf, and check every chain; takes about 200 bytes of memory for each publisher and file")
	cmd.Flags().StringVar(&f.hook, "webhook", "",
		"send each leaf and each alarm to `URL`, https or on this machine, by POST")
	cmd.Flags().StringVar(&f.hookKey, "webhook-key", "",
		"`FILE` with the Ed25519 private key, JWK or PEM, that signs what is sent")
	cmd.Flags().BoolVar(&f.once, "once", false, "look once, show the newest entry about each domain, and end")
	cmd.Flags().DurationVar(&f.maxAge, "max-age", 15*time.Minute,
		"a head that was signed longer than this `TIME` ago is an alarm; 0 for never")
	cmd.Flags().DurationVar(&f.every, "every", time.Minute, "look again after this `TIME`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		m, err := newMonitoring(a, cmd, f, args)
		if err != nil {
			return err
		}
		ctx, stop := console.Stoppable(cmd.Context())
		defer stop()
		return m.run(ctx)
	}
	return cmd
}

// A monitoring is a run of the command.
type monitoring struct {
	*monitor.Monitor
	app   *console.App
	flags *monitorFlags
	urls  []string
	hook  *monitorHook
	// outbox is what is not told yet, or not everywhere, and ctx the run's context, for the senders.
	outbox []outgoing
	ctx    context.Context //nolint:containedctx // it lives as long as the run
}

func newMonitoring(a *console.App, cmd *cobra.Command, f *monitorFlags, urls []string) (*monitoring, error) {
	err := f.check(cmd)
	if err != nil {
		return nil, err
	}
	policy, _, err := sources.ReadPolicy(a, f.policy)
	if err != nil {
		return nil, err
	}
	if len(urls) == 0 {
		for _, l := range policy.Logs {
			urls = append(urls, l.URL)
		}
		urls = slices.DeleteFunc(urls, func(u string) bool { return u == "" })
	}
	if len(urls) == 0 {
		return nil, console.UsageError("for example: "+cmd.CommandPath()+
			" https://registry.example.com/log --policy registry.policy", "%s needs the URL of a log: the policy has none",
			cmd.CommandPath())
	}
	for i, u := range urls {
		if isFolder(u) {
			urls[i], err = filepath.Abs(u)
			if err != nil {
				return nil, console.Failure("", "%v", err)
			}
			continue
		}
		parsed, err := url.Parse(u)
		if err != nil || parsed.Scheme != "https" || parsed.Host == "" || parsed.RawQuery != "" || parsed.Fragment != "" {
			return nil, console.UsageError("write it as https://registry.example.com/log",
				"%q is neither the https URL of a log nor a folder", u)
		}
	}
	if f.state == "" {
		dir := settings.StateDir(a.Env.Getenv)
		if dir == "" {
			return nil, console.UsageError("name a file with --state", "there is no home directory for what is remembered")
		}
		f.state = filepath.Join(dir, "monitor.json")
	}
	client, err := request.NewLogClient(a, f.web)
	if err != nil {
		return nil, err
	}
	request.NoteProxies(a)
	hook, err := newMonitorHook(a, f.hook, f.hookKey)
	if err != nil {
		return nil, err
	}
	m := &monitoring{app: a, flags: f, urls: urls, hook: hook}
	m.Monitor = &monitor.Monitor{
		Policy: policy, Domains: f.domains, All: f.all, MaxAge: f.maxAge, Now: a.Env.Now, Tell: m.tell,
		Source: func(url string) monitor.Source { return sourceAt(url, client, f.web.Timeout) },
	}
	return m, nil
}

// check checks the flags, and brings the domains into their canonical form.
func (f *monitorFlags) check(cmd *cobra.Command) error {
	err := console.NoEmptyFlag(cmd, nil)
	switch {
	case err != nil:
		return err
	case f.policy == "":
		return console.UsageError("name the file with the keys that you trust", "%s needs --policy", cmd.CommandPath())
	case f.every < time.Second || f.maxAge < 0:
		return console.UsageError("write them as 30s or 15m", "--every is a second at least, and --max-age not below 0")
	}
	for i, d := range f.domains {
		domain, _, err := hostname.Canonical(d)
		if err != nil {
			return console.UsageError("give a domain such as example.com", "--domain: %q is not a domain name: %v", d, err)
		}
		f.domains[i] = domain
	}
	slices.Sort(f.domains)
	f.domains = slices.Compact(f.domains)
	return nil
}

// run looks until it is told to stop, or once.
func (m *monitoring) run(ctx context.Context) error {
	lock, err := lockStates(m.flags.state)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }() // nothing was written to it
	kept, err := readStates(m.flags.state)
	if err != nil {
		return err
	}
	m.States, m.outbox, m.ctx = kept.Logs, kept.Outbox, ctx
	if len(m.flags.domains) == 0 && !m.flags.all {
		m.app.Note("neither --domain nor --all: only the log itself is watched")
	}
	alarmed := false
	for {
		alarm, err := m.followAll(ctx)
		alarmed = alarmed || alarm
		switch {
		case errors.Is(err, errState):
			return err
		case m.flags.once || ctx.Err() != nil:
			return m.end(ctx, alarmed, err)
		}
		clock.Pause(ctx, m.flags.every)
	}
}

// end is how a run ends: after one look, which may have failed, or because it was told to.
func (m *monitoring) end(ctx context.Context, alarmed bool, failed error) error {
	switch {
	case m.flags.once && ctx.Err() != nil:
		return console.Interrupted(ctx.Err())
	case alarmed:
		return console.ExitStatus(console.ExitNo)
	case m.flags.once && failed != nil:
		return console.ExitStatus(console.ExitUnknown)
	case m.flags.once:
		return m.newest()
	}
	return nil
}

// newest shows which entries about the domains are the newest in each log.
func (m *monitoring) newest() error {
	for _, origin := range slices.Sorted(maps.Keys(m.States)) {
		s := m.States[origin]
		if !slices.Contains(m.urls, s.URL) {
			continue
		}
		for _, domain := range m.flags.domains {
			about, ok := s.About(domain)
			if !ok {
				continue
			}
			err := m.write(newestDocument(origin, s.URL, domain, about))
			if err != nil {
				return fmt.Errorf("%w: %w", errState, err)
			}
		}
	}
	return m.app.Out.Flush()
}

// errState is about what was seen and could not be remembered.
var errState = errors.New("cannot remember what was seen")

// followAll follows every log once.
func (m *monitoring) followAll(ctx context.Context) (bool, error) {
	var failed error
	alarmed := slices.ContainsFunc(m.outbox, func(o outgoing) bool { return !o.Shown && o.Event.Alarm != "" })
	err := m.deliver(ctx) // what was left
	if errors.Is(err, errHook) {
		m.app.SayError(console.Failure("", "%v", err))
	}
	if err != nil {
		return alarmed, err
	}
	for _, u := range m.urls {
		alarm, err := m.Check(ctx, u)
		alarmed = alarmed || alarm
		if errors.Is(err, errState) {
			return alarmed, err
		}
		if errors.Is(err, errHook) {
			m.app.SayError(console.Failure("", "%v", err))
			return alarmed, err
		}
		if err != nil && ctx.Err() == nil {
			m.app.SayError(console.Failure("", "the log at %s could not be read: %v", request.ShownURL(u), err))
			failed = err
		}
	}
	return alarmed, failed
}

// sourceAt returns the log at a URL, or in a folder.
func sourceAt(name string, client *fetch.Client, limit time.Duration) monitor.Source {
	if isFolder(name) {
		return dirLog(name)
	}
	return &webLog{client, strings.TrimSuffix(name, "/"), limit}
}

// A webLog is a log on the web.
type webLog struct {
	client *fetch.Client
	url    string
	limit  time.Duration
}

// Limits of what a log answers with.
const maxBundle = translog.TileWidth * (2 + 1<<16)

// Get is part of monitor.Source.
func (w *webLog) Get(ctx context.Context, path string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, w.limit)
	defer cancel()
	// A plain web server has one type for all names without an extension, or tells by the bytes, so
	// that some hashes are text. A page in place of a tile is neither, and says nothing about the log.
	r := fetch.Request{URL: w.url + "/" + path, MaxBytes: maxBundle,
		MediaTypes: []string{"application/octet-stream", "text/plain"}}
	if path == "checkpoint" {
		r.MaxBytes, r.NoCache = translog.MaxNote, true
	}
	result := w.client.Get(ctx, r)
	switch result.Outcome {
	case fetch.Found:
		return result.Body, nil
	case fetch.Absent:
		return nil, fmt.Errorf("%w: %s", monitor.ErrAbsent, path)
	}
	return nil, errors.New(result.Last().Explain())
}
