package watch

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

const crawlHelp = `Crawl fetches what is due, once, and keeps it in the store, so that avow serve, avow authorize
and avow history can answer from it. It adds the publishers that you name and then fetches
everything in the store that is due: publishers that were never fetched, and files that have to
be confirmed. With --only it fetches the named publishers and no others; --all names none.

Requests are sent as the service does: one at a time to each site, and a file that many
publishers share is fetched once. Nothing is fetched before it is due, except with --force, which
fetches the named publishers, or all of them with --all, past all caches. Use it after an
old backup of the store was restored, to find again what has been seen since.

The store records progress. If a crawl was interrupted, run the same command again to continue;
what a killed crawl had begun is due again after a minute or two. Several crawls can share a
store and its work. To go on for ever, use avow watch.

At the end there is a line for each named publisher: usable, absent, unusable, unreachable or
withheld. With --events there are the events instead, as avow watch prints them, and --ordered
prints them at the end, in the order of the publishers. JSON output (json, ndjson) is one document
per line; csv has one row for each, safe in spreadsheets. --webhook sends the events to a URL.

Exit codes: 0 everything due was fetched, 1 with --events there was an alert, 2 wrong usage,
3 the crawl was interrupted, the store cannot be used, or a line of the list is not a domain.`

const crawlExamples = `  avow crawl --from publishers.txt
  avow crawl --from publishers.csv --column domain --parallel 128
  avow crawl --from publishers.txt --format json | jq 'select(.state == "unreachable")'
  avow crawl --from publishers.txt --store postgres://avow@db.example.com/avow
  avow crawl example.com --only --events
  avow crawl --all --events --format json | jq 'select(.severity == "alert")'
  avow crawl --all --force`

// mostParallel is more than a machine can make use of.
const mostParallel = 10_000

// crawlFlags are the values of the command's flags.
type crawlFlags struct {
	*flags
	only, events, ordered bool
	parallel              int
}

// CrawlCommand returns the command crawl.
func CrawlCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "crawl [flags] DOMAIN... | --from LIST | --all",
		Short:             "fetch a list of publishers into the store",
		Long:              crawlHelp,
		Example:           crawlExamples,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := &crawlFlags{flags: addFlags(cmd, "fetch what is due of all publishers in the store")}
	set := cmd.Flags()
	set.BoolVar(&f.only, "only", false, "fetch the named publishers only, not all that is due")
	set.BoolVar(&f.events, "events", false, "show what happened, instead of the state of each publisher")
	set.BoolVar(&f.ordered, "ordered", false,
		"with --events: show them in the order of the publishers, not as they happen")
	set.IntVar(&f.parallel, "parallel", 64, "`NUMBER` of publishers that are fetched at the same time")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		domains, bad, err := f.domains(cmd, a, args)
		if err != nil {
			return err
		}
		err = f.check(cmd)
		if err != nil {
			return err
		}
		events := f.newPrinter(a)
		events.silent, events.ordered = !f.events, f.ordered
		err = f.run(cmd.Context(), a, events, func(ctx context.Context, keeper *custodian.Keeper) error {
			return f.crawl(ctx, a, keeper, events, domains)
		})
		switch {
		case err != nil:
			return err
		case bad > 0:
			return console.ExitStatus(console.ExitUnknown)
		case f.events && events.alerted():
			return console.ExitStatus(console.ExitNo)
		}
		return nil
	}
	return cmd
}

// check refuses flags that do not go together.
func (f *crawlFlags) check(cmd *cobra.Command) error {
	switch {
	case f.parallel < 1 || f.parallel > mostParallel:
		return console.UsageError("leave it out for the default", "--parallel must be between 1 and %d", mostParallel)
	case f.all && f.only:
		return console.UsageError("leave out one of them", "--only is for named publishers, --all names none")
	}
	for _, name := range []string{"ordered", "min-severity"} {
		if cmd.Flags().Changed(name) && !f.events && f.hook.url == "" {
			return console.UsageError("add --events", "--%s is about events", name)
		}
	}
	return nil
}

// crawl fetches what is due, and tells what is known then.
func (f *crawlFlags) crawl(ctx context.Context, a *console.App, keeper *custodian.Keeper, events *eventPrinter,
	domains []hostname.Domain) error {
	o := custodian.WatchOptions{Once: true, Force: f.force, Parallel: f.parallel}
	if f.only || f.force {
		o.Publishers = domains
	}
	bar, err := f.plan(ctx, a, keeper, domains, o.Publishers)
	if err != nil {
		return err
	}
	if bar != nil {
		o.Done = bar.Step
	}
	err = keeper.Watch(ctx, o)
	if err == nil {
		err = keeper.AllTurns(ctx)
	}
	err = errors.Join(err, bar.Stop())
	events.end(domains)
	switch {
	case ctx.Err() != nil:
		a.Note("run the same command again to continue")
		return console.Interrupted(ctx.Err())
	case err != nil:
		return sources.StoreError(err)
	case f.events:
		return nil
	}
	return f.tell(ctx, a, keeper, domains)
}

// plan adds publishers to what is due, and shows how far it has come with that. How much everything
// is, past all caches, is not known beforehand.
func (f *crawlFlags) plan(ctx context.Context, a *console.App, keeper *custodian.Keeper,
	domains, only []hostname.Domain) (*console.Progress, error) {
	switch {
	case f.force && f.all:
		return nil, nil
	case f.force:
		return a.StartProgress(len(domains), f.web.Verbose), nil
	}
	fresh := 0
	var err error
	if !f.only {
		fresh, err = keeper.Plan(ctx, domains)
	}
	if err != nil {
		return nil, sources.StoreError(err)
	}
	due, err := keeper.Overdue(ctx, only...)
	if err != nil {
		return nil, sources.StoreError(err)
	}
	if len(domains) > 0 && !f.only && !f.events {
		a.Note("%s, %s new; %s due", words.Plural(len(domains), "publisher", "publishers"), words.Thousands(fresh),
			words.Thousands(due))
	}
	return a.StartProgress(due, f.web.Verbose), nil
}

// A result is what is known of a publisher after the crawl. The members after State are left
// out when there is nothing to say.
type result struct {
	Domain string `json:"domain"`
	State  string `json:"state"`
	Detail string `json:"detail,omitempty"`
	// URL is where its file is.
	URL      string `json:"url,omitempty"`
	LastLook string `json:"last_look,omitempty"`
}

// resultColumns are those of the table of results. They are a contract: new ones may come at the end.
var resultColumns = []string{"domain", "state", "detail", "url", "last_look"}

// tell writes what is known of publishers.
func (f *crawlFlags) tell(ctx context.Context, a *console.App, keeper *custodian.Keeper,
	domains []hostname.Domain) error {
	count := map[resolve.State]int{}
	table := &console.Table{W: a.Out, Comma: a.Comma, Names: resultColumns}
	var lost error
	if f.format.Value == "csv" {
		lost = table.Write()
	}
	for _, domain := range domains {
		s, err := keeper.State(ctx, domain)
		if err != nil {
			return sources.StoreError(err)
		}
		count[s.Served]++
		r := result{Domain: string(domain), State: s.Served.String(), Detail: redact.Credentials(s.Detail),
			URL: redact.URL(s.Publisher.Location.URL)}
		if !s.Publisher.TriedAt.IsZero() {
			r.LastLook = wire.Time(s.Publisher.TriedAt)
		}
		lost = errors.Join(lost, f.write(a, table, &r))
		if lost != nil {
			return console.Failure("", "cannot write the output: %s", console.Reason(lost))
		}
	}
	if f.format.Value == "text" && len(domains) > 0 {
		a.Note("%s usable, %s absent, %s unusable, %s unreachable, %s withheld", words.Thousands(count[resolve.Usable]),
			words.Thousands(count[resolve.Absent]),
			words.Thousands(count[resolve.Unusable]), words.Thousands(count[resolve.Unreachable]),
			words.Thousands(count[resolve.Withheld]))
	}
	return nil
}

// write writes one result.
func (f *crawlFlags) write(a *console.App, table *console.Table, r *result) error {
	switch f.format.Value {
	case "json", "ndjson":
		return console.WriteJSONLine(a.Out, r)
	case "csv":
		return table.Write(r.Domain, r.State, r.Detail, r.URL, r.LastLook)
	}
	detail := ""
	switch {
	case r.Detail != "":
		detail = ": " + console.Safe(r.Detail)
	case r.URL != "":
		detail = "  " + console.Safe(r.URL)
	}
	_, err := fmt.Fprintf(a.Out, "%-12s %s%s\n", r.State, console.Safe(r.Domain), detail)
	return err
}
