// Package watch has the command watch, which keeps files up to date and tells of events, also
// to a webhook.
package watch

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/diff"
	"github.com/avow-project/avow/internal/cli/list"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/server"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/words"
)

const watchHelp = `Watch keeps the files of publishers up to date. Each is fetched when it is due, as its server
says and within our limits, and more often while something is pending or fails. What comes
back is compared with what was known, and kept. Events are printed as they happen: a new
version with its changes, a refused version, a pending move, a revocation, a file that cannot
be fetched.

With --all, all publishers that were ever asked about are watched. --once asks those that
are due now, and ends; a publisher that was never asked about is due. --force begins with
asking everybody, due or not, for everything as a whole and past all caches: after an old
copy of the store was put back, what has been seen since is found again.

There is no --resume here: the store has when each publisher was asked and is due, so that a
watch that was ended goes on with those that are due when it is started again.

A publisher that never had a file is asked once a day, and then less and less often, down to
once a week. What has failed for more than a day is asked for once a day.

JSON output is one document per event and line, and ndjson another word for it; csv is a row
for each event, safe in spreadsheets. With --once, --ordered shows the events in the end, in the
order of the publishers; those about a file that several share come last. --webhook sends the
same document to a URL of your own, signed by RFC 9421 with the Ed25519 key in the file of
--webhook-key, a private JWK or PEM. The watch never waits for it: what cannot be delivered
after several attempts is dropped, with a message; avow history has everything.

The first interrupt or SIGTERM lets the requests under way finish, the second ends the
process. Several processes may watch with the same store, beside avow serve: with --all, each
publisher is asked by one of them, and what one leaves undone another takes up.

Exit codes: 0 no alert, or it was told to stop, 1 with --once there was an alert, 2 wrong
usage, 3 the store cannot be used.`

const watchExamples = `  avow watch example.com
  avow watch --all --min-severity warning --format json
  avow watch --all --once --format json | jq 'select(.severity == "alert")'
  avow watch --all --once --force
  avow watch --from publishers.txt --once
  avow watch --from publishers.csv --column domain --once --ordered --format csv > events.csv
  avow watch --all --webhook https://ops.example.com/avow --webhook-key key.pem`

// parsedBytes is the memory for files that were parsed. A watch does not come back to a
// file soon, and reads the version before only of one that has changed.
const parsedBytes = 8_000_000

// parallel is how many looks are under way at the same time. Of one site it is one, and what
// several find at about the same time is saved together. It is not more, because two large files
// are read at a time, and the others wait within the time that they have.
const parallel = 32

// watchFlags are the values of the command's flags.
type watchFlags struct {
	web       *request.Flags
	state     *sources.StoreFlags
	format    *console.Choice
	least     *console.Choice
	force     bool
	all, once bool
	ordered   bool
	hook      hookFlags
	list      *list.Flags
}

// Command returns the command watch.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "watch [flags] DOMAIN... | --all",
		Short:             "keep files of publishers up to date and tell what happens",
		Long:              watchHelp,
		Example:           watchExamples,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := &watchFlags{web: request.AddRequestFlags(cmd), format: console.AddChoice(cmd, "format", "output format", "text", "json", "ndjson", "csv"), least: diff.AddSeverity(cmd)}
	cmd.Flags().BoolVar(&f.all, "all", false, "watch all publishers that were ever asked about")
	cmd.Flags().BoolVar(&f.once, "once", false, "ask those that are due now, and end")
	cmd.Flags().BoolVar(&f.force, "force", false, "begin with asking everybody as a whole, past all caches")
	cmd.Flags().BoolVar(&f.ordered, "ordered", false, "with --once: show the events in the order of the publishers, not as they happen")
	f.hook.add(cmd)
	f.list = list.AddFlags(cmd)
	f.state = sources.AddStoreFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := console.NoEmptyFlag(cmd)
		if err != nil {
			return err
		}
		if f.ordered && !f.once {
			return console.UsageError("add --once; a watch without it has no end", "--ordered is for --once")
		}
		listed, err := f.list.Read(a)
		if err != nil {
			return err
		}
		domains, err := watchedDomains(cmd, f, args, listed)
		if err != nil {
			return err
		}
		return watch(cmd.Context(), a, f, domains)
	}
	return cmd
}

// watchedDomains returns the publishers to watch; none means all.
func watchedDomains(cmd *cobra.Command, f *watchFlags, args []string, listed list.List) ([]hostname.Domain, error) {
	named := len(args) + len(listed.Domains)
	switch {
	case listed.Bad > 0:
		return nil, console.UsageError("correct the list, so that nobody is left unwatched", "%s", words.Plural(listed.Bad, "line of the list is no domain", "lines of the list are no domains"))
	case f.all && named > 0:
		return nil, console.UsageError("leave out --all, or the domains", "--all stands for every publisher")
	case !f.all && named == 0:
		return nil, console.UsageError("name domains, or use --all for those that were ever asked about", "%s needs a domain", cmd.CommandPath())
	}
	var domains []hostname.Domain
	for _, arg := range args {
		domain, err := sources.ParseDomain(arg)
		if err != nil {
			return nil, err
		}
		domains = append(domains, domain)
	}
	domains = append(domains, listed.Domains...)
	seen := make(map[hostname.Domain]bool, len(domains))
	return slices.DeleteFunc(domains, func(d hostname.Domain) bool {
		again := seen[d]
		seen[d] = true
		return again
	}), nil
}

func watch(ctx context.Context, a *console.App, f *watchFlags, domains []hostname.Domain) error {
	// A key may come from a pipe that nobody writes to. Until it is there a signal ends the
	// process, as it does while any other file is read.
	hook, err := startHook(a, &f.hook)
	if err != nil {
		return err
	}
	defer hook.stop()
	ctx, stop := console.Stoppable(ctx)
	defer stop()
	st, err := sources.OpenStore(ctx, a, f.state, sources.OtherStore)
	if err != nil {
		return err
	}
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	events := &eventPrinter{app: a, format: f.format.Value, least: diff.LeastSeverity(f.least), hook: hook, failed: giveUp, ordered: f.ordered}
	events.table = &console.Table{W: a.Out, Names: eventColumns}
	request.NoteProxies(a)
	err = runWatch(ctx, a, f, st, events, domains)
	return errors.Join(events.err(), err, st.Close())
}

// runWatch watches until it is told to stop, or once.
func runWatch(ctx context.Context, a *console.App, f *watchFlags, st *store.Store, events *eventPrinter, domains []hostname.Domain) error {
	log := server.NewLogger(a.Messages(), "text", slog.LevelWarn)
	keeper, err := sources.NewKeeper(a, st, f.web, sources.KeeperOptions{Notify: events.tell, Log: log, Memory: parsedBytes})
	if err != nil {
		return err
	}
	if !f.once {
		a.Note("watching %s", watchedWords(domains))
	}
	err = events.begin()
	if err != nil {
		return err
	}
	bar, err := startBar(ctx, a, f, keeper, domains)
	if err != nil {
		return err
	}
	o := custodian.WatchOptions{Publishers: domains, Once: f.once, Force: f.force, Parallel: parallel}
	if bar != nil {
		o.Done = bar.Step
	}
	err = keeper.Watch(ctx, o)
	err = errors.Join(err, bar.Stop())
	events.end(domains)
	switch {
	case ctx.Err() != nil && f.once:
		return console.Interrupted(ctx.Err())
	case err != nil:
		return sources.StoreError(err)
	case f.once && events.alerted():
		return console.ExitStatus(console.ExitNo)
	}
	return nil
}

// startBar shows how far a watch has come that ends by itself. How much everything is, past all
// caches, is not known beforehand.
func startBar(ctx context.Context, a *console.App, f *watchFlags, keeper *custodian.Keeper, domains []hostname.Domain) (*console.Progress, error) {
	switch {
	case !f.once || f.force && f.all:
		return nil, nil
	case f.force:
		return a.StartProgress(len(domains), f.web.Verbose), nil
	}
	n, err := keeper.Overdue(ctx, domains...)
	if err != nil {
		return nil, sources.StoreError(err)
	}
	return a.StartProgress(n, f.web.Verbose), nil
}

func watchedWords(domains []hostname.Domain) string {
	if len(domains) == 0 {
		return "all publishers that were ever asked about"
	}
	return words.Plural(len(domains), "publisher", "publishers")
}
