// Package watch has the commands that fetch publishers' files into the store: crawl, which does so
// once, and watch, which goes on and reports events, also to a webhook.
package watch

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/diff"
	"github.com/avow-project/avow/internal/cli/list"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/server"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/words"
)

const watchHelp = `Watch keeps the files of publishers up to date until it is told to stop. Each is fetched when it
is due, as its server says and within our limits, and more often while something is pending or
fails. What comes back is compared with what was known, and kept. Events are printed as they
happen: a new version with its changes, a refused version, a pending move, a revocation, a file
that cannot be fetched, an entry or a key that ends soon: --lead says how soon, and it is told
again in the last three days. To fetch what is due once, use avow crawl.

With --all, all publishers in the store are watched. --force begins with fetching all of them
past all caches.

The store records when each publisher is due, so a watch that is started again continues. A
publisher that never had a file is checked once a day, then less and less often, down to
once a week. What has failed for more than a day is fetched once a day.

JSON output (json, ndjson) is one document per event and line; csv is a row for each event, safe in
spreadsheets. --webhook sends the same document to a URL of your own, signed by RFC 9421 with
the Ed25519 key in the file of --webhook-key, a private JWK or PEM. The watch never waits for
it: what cannot be delivered after several attempts is dropped, with a message; avow history
has everything.

The first interrupt or SIGTERM lets the requests under way finish, the second ends the
process. Several processes may watch with the same store, beside avow serve: with --all, each
publisher is checked by one of them, and what one leaves undone another takes up.

Exit codes: 0 it was told to stop, 2 wrong usage, 3 the store cannot be used.`

const watchExamples = `  avow watch example.com
  avow watch --from publishers.txt
  avow watch --all --min-severity warning --format json
  avow watch --all --webhook https://ops.example.com/avow --webhook-key key.pem`

// parsedBytes is the memory for files that were parsed. A file is not needed again soon, and the
// version before is read only of one that has changed.
const parsedBytes = 8_000_000

// parallel is how many looks of a watch are under way at the same time. Of one site it is one, and
// what several find at about the same time is saved together. It is not more, because two large
// files are read at a time, and the others wait within the time that they have.
const parallel = 32

// flags are those of both commands.
type flags struct {
	web        *request.Flags
	state      *sources.StoreFlags
	format     *console.Choice
	least      *console.Choice
	hook       hookFlags
	list       *list.Flags
	all, force bool
	lead       *time.Duration
}

func addFlags(cmd *cobra.Command, all string) *flags {
	f := &flags{web: request.AddRequestFlags(cmd),
		format: console.AddChoice(cmd, "format", "output format", "text", "json", "ndjson", "csv"),
		least:  diff.AddSeverity(cmd)}
	cmd.Flags().BoolVar(&f.all, "all", false, all)
	f.lead = console.AddDays(cmd, "lead", custody.UsualLead, "report entries and keys that end within `TIME`, such as 14d")
	cmd.Flags().BoolVar(&f.force, "force", false, "fetch them now, due or not, past all caches")
	f.hook.add(cmd)
	f.list = list.AddFlags(cmd)
	f.state = sources.AddStoreFlags(cmd)
	return f
}

// Command returns the command watch.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "watch [flags] DOMAIN... | --from LIST | --all",
		Short:             "watch publishers' files and report changes",
		Long:              watchHelp,
		Example:           watchExamples,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := addFlags(cmd, "watch all publishers in the store")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		domains, bad, err := f.domains(cmd, a, args)
		if err != nil {
			return err
		}
		if bad > 0 {
			return console.UsageError("correct the list, so that no publisher is left unwatched", "%s",
				words.Plural(bad, "line of the list is not a domain", "lines of the list are not domains"))
		}
		events := f.newPrinter(a)
		return f.run(cmd.Context(), a, events, func(ctx context.Context, keeper *custodian.Keeper) error {
			a.Note("watching %s", watchedWords(domains))
			return sources.StoreError(
				keeper.Watch(ctx, custodian.WatchOptions{Publishers: domains, Force: f.force, Parallel: parallel}))
		})
	}
	return cmd
}

// domains returns the publishers that are named, each once, and the number of lines of the list that
// name none. With --all there are none.
func (f *flags) domains(cmd *cobra.Command, a *console.App, args []string) ([]hostname.Domain, int, error) {
	err := console.NoEmptyFlag(cmd, nil)
	if err != nil {
		return nil, 0, err
	}
	listed, err := f.list.Read(a)
	if err != nil {
		return nil, 0, err
	}
	named := len(args) > 0 || f.list.From != ""
	switch {
	case f.all && named:
		return nil, 0, console.UsageError("leave out --all, or the domains", "--all stands for every publisher in the store")
	case !f.all && !named:
		return nil, 0, console.UsageError("name domains, a list with --from, or --all for every publisher in the store",
			"%s needs a domain", cmd.CommandPath())
	}
	var domains []hostname.Domain
	for _, arg := range args {
		domain, err := sources.ParseDomain(arg)
		if err != nil {
			return nil, 0, err
		}
		domains = append(domains, domain)
	}
	domains = append(domains, listed.Domains...)
	if !f.all && len(domains) == 0 && listed.Bad == 0 {
		return nil, 0, console.UsageError("write one domain in each line", "%s has no domain", f.list.From)
	}
	seen := make(map[hostname.Domain]bool, len(domains))
	return slices.DeleteFunc(domains, func(d hostname.Domain) bool {
		again := seen[d]
		seen[d] = true
		return again
	}), listed.Bad, nil
}

// newPrinter prints events as the flags say.
func (f *flags) newPrinter(a *console.App) *eventPrinter {
	return &eventPrinter{app: a, format: f.format.Value, least: diff.LeastSeverity(f.least),
		table: &console.Table{W: a.Out, Comma: a.Comma, Names: eventColumns}}
}

// run opens the store and the webhook, and has something done with them.
func (f *flags) run(ctx context.Context, a *console.App, events *eventPrinter,
	do func(context.Context, *custodian.Keeper) error) error {
	// A key may come from a pipe that is never written to. Until it is there a signal ends the
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
	events.hook, events.failed = hook, giveUp
	request.NoteProxies(a)
	log := server.NewLogger(a.Messages(), "text", slog.LevelWarn)
	keeper, err := sources.NewKeeper(a, st, f.web,
		sources.KeeperOptions{Notify: events.tell, Log: log, Memory: parsedBytes, Lead: *f.lead})
	if err == nil {
		err = events.begin()
	}
	if err == nil {
		err = do(ctx, keeper)
	}
	return errors.Join(events.err(), err, st.Close())
}

func watchedWords(domains []hostname.Domain) string {
	if len(domains) == 0 {
		return "all publishers in the store"
	}
	return words.Plural(len(domains), "publisher", "publishers")
}
