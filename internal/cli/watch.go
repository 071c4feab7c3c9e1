package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/server"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/words"
)

const watchHelp = `Watch keeps the files of publishers up to date: each is asked for when its time has come,
by what its server says within our limits, and more often while something waits or fails.
What comes back is compared with what was known, and kept. Events are printed as they
happen: a new version with its changes, a version that was refused, a move that waits, a
revocation, a file that cannot be had.

With --all, all publishers that were ever asked about are watched. --once asks those that
are due now, and ends; a publisher that was never asked about is due. --force begins with
asking everybody, due or not, for everything as a whole and past all caches: after an old
copy of the store was put back, what has been seen since is found again.

A publisher that never had a file is asked once a day for a month, and then only when it is
asked about. What has failed for more than a day is asked for once a day.

JSON output is one document per event and line. --webhook sends the same document to a
URL of your own, signed by RFC 9421 with the Ed25519 key in the file of --webhook-key, a
private JWK or PEM. The watch never waits for it: what cannot be delivered after several
attempts is dropped, with a message; avow history has everything.

The first interrupt or SIGTERM lets the requests under way finish, the second ends the
process. Several processes may watch with the same store, beside avow serve.

Exit codes: 0 no alert, or it was told to stop, 1 with --once there was an alert, 2 avow
was called wrongly, 3 the store cannot be used.`

const watchExamples = `  avow watch example.com
  avow watch --all --min-severity warning --format json
  avow watch --all --once --format json | jq 'select(.severity == "alert")'
  avow watch --all --once --force
  avow watch --all --webhook https://ops.example.com/avow --webhook-key key.pem`

// watchFlags are the values of the command's flags.
type watchFlags struct {
	web       *webFlags
	state     *stateFlags
	format    *choice
	least     *choice
	force     bool
	all, once bool
	hook      hookFlags
}

func (a *app) watchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:               "watch [flags] DOMAIN... | --all",
		Short:             "keep files of publishers up to date and tell what happens",
		Long:              watchHelp,
		Example:           watchExamples,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := &watchFlags{web: addRequestFlags(cmd), format: addChoice(cmd, "format", "output format", "text", "json"), least: addSeverity(cmd)}
	cmd.Flags().BoolVar(&f.all, "all", false, "watch all publishers that were ever asked about")
	cmd.Flags().BoolVar(&f.once, "once", false, "ask those that are due now, and end")
	cmd.Flags().BoolVar(&f.force, "force", false, "begin with asking everybody as a whole, past all caches")
	f.hook.add(cmd)
	f.state = addStateFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := noEmptyFlag(cmd)
		if err != nil {
			return err
		}
		domains, err := watchedDomains(cmd, f, args)
		if err != nil {
			return err
		}
		return a.watch(cmd.Context(), f, domains)
	}
	return cmd
}

// watchedDomains returns the publishers to watch; none means all.
func watchedDomains(cmd *cobra.Command, f *watchFlags, args []string) ([]string, error) {
	switch {
	case f.all && len(args) > 0:
		return nil, usageError("leave out --all, or the domains", "--all stands for every publisher")
	case !f.all && len(args) == 0:
		return nil, usageError("name domains, or use --all for those that were ever asked about", "%s needs a domain", cmd.CommandPath())
	}
	var domains []string
	for _, arg := range args {
		domain, err := keptDomain(arg)
		if err != nil {
			return nil, err
		}
		domains = append(domains, domain)
	}
	return domains, nil
}

func (a *app) watch(ctx context.Context, f *watchFlags, domains []string) error {
	// A key may come from a pipe that nobody writes to. Until it is there a signal ends the
	// process, as it does while any other file is read.
	hook, err := a.startHook(&f.hook)
	if err != nil {
		return err
	}
	defer hook.stop()
	ctx, stop := stoppable(ctx)
	defer stop()
	st, err := a.openState(ctx, f.state, otherStore)
	if err != nil {
		return err
	}
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	told := &eventTeller{app: a, format: f.format.value, least: leastSeverity(f.least), hook: hook, failed: giveUp}
	a.noteProxies()
	err = a.runWatch(ctx, f, st, told, domains)
	return errors.Join(told.err(), err, st.Close())
}

// runWatch watches until it is told to stop, or once.
func (a *app) runWatch(ctx context.Context, f *watchFlags, st *store.Store, told *eventTeller, domains []string) error {
	log := server.NewLogger(a.errw, "text", slog.LevelWarn)
	keeper, err := a.newKeeper(st, f.web, keeperOptions{notify: told.tell, log: log})
	if err != nil {
		return err
	}
	if !f.once {
		a.note("watching %s", watchedWords(domains))
	}
	err = keeper.Watch(ctx, custodian.WatchOptions{Publishers: domains, Once: f.once, Force: f.force})
	switch {
	case ctx.Err() != nil && f.once:
		return interrupted(ctx.Err())
	case err != nil:
		return stateFault(err)
	case f.once && told.alerted():
		return exitStatus(exitNo)
	}
	return nil
}

func watchedWords(domains []string) string {
	if len(domains) == 0 {
		return "all publishers that were ever asked about"
	}
	return words.Plural(len(domains), "publisher", "publishers")
}

// An eventTeller prints events as they happen and hands them on.
type eventTeller struct {
	app    *app
	format string
	least  custody.Severity
	hook   *hook
	// failed ends the watch when nobody gets to read what it says.
	failed context.CancelCauseFunc

	mu    sync.Mutex
	alert bool
	lost  error
}

// tell is called with the events of one commit.
func (t *eventTeller) tell(events []custodian.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range events {
		e := &events[i]
		t.alert = t.alert || e.Severity == custody.Alert
		if e.Severity < t.least || t.lost != nil {
			continue
		}
		t.hook.send(e)
		t.note(t.print(e))
	}
	t.note(t.app.out.Flush())
}

// note keeps the first error. The caller holds mu.
func (t *eventTeller) note(err error) {
	if err != nil && t.lost == nil {
		t.lost = failure("", "cannot write the output: %s", reason(err))
		t.failed(t.lost)
	}
}

// print writes one event.
func (t *eventTeller) print(e *custodian.Event) error {
	if t.format == "json" {
		return writeJSONLine(t.app.out, watchedEventOf(e))
	}
	text := &changeText{w: t.app.out, paint: t.app.style(Stdout), width: t.app.textWidth()}
	_, err := fmt.Fprintf(t.app.out, "%s  %s %s: %s %s\n", timeForJSON(e.At), text.severity(e.Severity), safe(eventSubject(e)), safe(redact.Credentials(e.Message)), text.paint.dim("["+e.Code+"]"))
	text.changes(capped(e.Changes), "    ")
	if more := len(e.Changes) + e.More - mostShown; more > 0 {
		fmt.Fprintf(t.app.out, "    %s more; --format json has more of them\n", words.Thousands(more))
	}
	return err
}

// eventSubject is what an event is about.
func eventSubject(e *custodian.Event) string {
	text := e.Publisher
	if text == "" {
		text = redact.URL(e.URL)
	}
	if e.Domain != "" {
		text += ", " + e.Domain
	}
	if text == "" {
		return "this machine"
	}
	return text
}

func (t *eventTeller) alerted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.alert
}

func (t *eventTeller) err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lost
}

// watchedEvent is an event on its way to a program.
type watchedEvent struct {
	At string `json:"at"`
	jsonEvent
}

func watchedEventOf(e *custodian.Event) *watchedEvent {
	return &watchedEvent{At: timeForJSON(e.At), jsonEvent: eventForJSON(e)}
}
