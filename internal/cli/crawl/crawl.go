// Package crawl has the command crawl, which looks at many publishers once.
package crawl

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/list"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/server"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

const crawlHelp = `Crawl puts the publishers of a list into the store, and looks at everything in the store that
is due: publishers that were never looked at, those of the list among them, and what has to be
confirmed. It asks as the service does: one publisher of a site at a time, a file that many
publishers share once, and nobody sooner than is due. What comes back is kept, so that avow
serve, avow authorize and avow history answer from it.

The store is all there is to know about how far it has come. A crawl that was interrupted, or
whose machine went down, goes on where it was when it is started again; what one that was
killed had begun is due again after a minute or two. Several can run with one store at the same
time, and share the work.

At the end every publisher of the list has a line with what is known of it: usable, absent,
unusable, unreachable or withheld. JSON output is one document per publisher and line.

Exit codes: 0 everything that was due was looked at, 2 wrong usage, 3 the crawl
was interrupted, the store cannot be used, or a line of the list was no domain.`

const crawlExamples = `  avow crawl --from publishers.txt
  avow crawl --from publishers.csv --column domain --parallel 128
  avow crawl --from publishers.txt --format json | jq 'select(.state == "unreachable")'
  avow crawl --from publishers.txt --store postgres://avow@db.example.com/avow`

// parsedBytes is the memory for files that were parsed: each is looked at once.
const parsedBytes = 8_000_000

// mostParallel is more than a machine can make use of.
const mostParallel = 10_000

// flags are the values of the command's flags.
type flags struct {
	web      *request.Flags
	state    *sources.StoreFlags
	format   *console.Choice
	list     *list.Flags
	parallel int
}

// Command returns the command crawl.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "crawl [flags] --from LIST",
		Short:             "look at the publishers of a list, and at all that is due",
		Long:              crawlHelp,
		Example:           crawlExamples,
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := &flags{web: request.AddRequestFlags(cmd), format: console.AddChoice(cmd, "format", "output format", "text", "json")}
	cmd.Flags().IntVar(&f.parallel, "parallel", 64, "`NUMBER` of looks under way at the same time")
	f.list = list.AddFlags(cmd)
	f.state = sources.AddStoreFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		err := console.NoEmptyFlag(cmd)
		if err != nil {
			return err
		}
		if f.list.From == "" {
			return console.UsageError("name a file with one domain in each line, or - for standard input", "%s needs --from", cmd.CommandPath())
		}
		if f.parallel < 1 || f.parallel > mostParallel {
			return console.UsageError("leave it out for the default", "--parallel must be between 1 and %d", mostParallel)
		}
		listed, err := f.list.Read(a)
		if err != nil {
			return err
		}
		return crawl(cmd.Context(), a, f, listed)
	}
	return cmd
}

func crawl(ctx context.Context, a *console.App, f *flags, listed list.List) error {
	ctx, stop := console.Stoppable(ctx)
	defer stop()
	st, err := sources.OpenStore(ctx, a, f.state, sources.OtherStore)
	if err != nil {
		return err
	}
	request.NoteProxies(a)
	err = run(ctx, a, f, st, listed)
	return errors.Join(err, st.Close())
}

// run adds the list to what is due, looks at that, and tells what is known then.
func run(ctx context.Context, a *console.App, f *flags, st *store.Store, listed list.List) error {
	log := server.NewLogger(a.Messages(), "text", slog.LevelWarn)
	keeper, err := sources.NewKeeper(a, st, f.web, sources.KeeperOptions{Log: log, Memory: parsedBytes})
	if err != nil {
		return err
	}
	fresh, err := keeper.Plan(ctx, listed.Domains)
	if err != nil {
		return sources.StoreError(err)
	}
	waiting, err := keeper.Overdue(ctx)
	if err != nil {
		return sources.StoreError(err)
	}
	a.Note("%s, %s new; %s due", words.Plural(len(listed.Domains), "publisher in the list", "publishers in the list"), words.Thousands(fresh), words.Thousands(waiting))
	bar := a.StartProgress(waiting, f.web.Verbose)
	err = keeper.Watch(ctx, custodian.WatchOptions{Once: true, Parallel: f.parallel, Done: bar.Step})
	err = errors.Join(err, bar.Stop())
	switch {
	case ctx.Err() != nil:
		a.Note("the same command goes on where this one was")
		return console.Interrupted(ctx.Err())
	case err != nil:
		return sources.StoreError(err)
	}
	err = tell(ctx, a, f, keeper, listed)
	if err == nil && listed.Bad > 0 {
		err = console.ExitStatus(console.ExitUnknown)
	}
	return err
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

// tell writes what is known of the publishers of the list.
func tell(ctx context.Context, a *console.App, f *flags, keeper *custodian.Keeper, listed list.List) error {
	count := map[resolve.State]int{}
	for _, domain := range listed.Domains {
		s, err := keeper.State(ctx, domain)
		if err != nil {
			return sources.StoreError(err)
		}
		count[s.Served]++
		r := result{Domain: string(domain), State: s.Served.String(), Detail: redact.Credentials(s.Detail), URL: redact.URL(s.Publisher.Location.URL)}
		if !s.Publisher.TriedAt.IsZero() {
			r.LastLook = wire.Time(s.Publisher.TriedAt)
		}
		if f.format.Value == "json" {
			err = console.WriteJSONLine(a.Out, &r)
		} else {
			_, err = fmt.Fprintf(a.Out, "%-12s %s%s\n", r.State, console.Safe(r.Domain), detail(&r))
		}
		if err != nil {
			return console.Failure("", "cannot write the output: %s", console.Reason(err))
		}
	}
	if f.format.Value == "text" {
		a.Note("%s usable, %s absent, %s unusable, %s unreachable, %s withheld", words.Thousands(count[resolve.Usable]), words.Thousands(count[resolve.Absent]),
			words.Thousands(count[resolve.Unusable]), words.Thousands(count[resolve.Unreachable]), words.Thousands(count[resolve.Withheld]))
	}
	return nil
}

// detail is what stands behind a domain.
func detail(r *result) string {
	if r.Detail != "" {
		return ": " + console.Safe(r.Detail)
	}
	if r.URL != "" {
		return "  " + console.Safe(r.URL)
	}
	return ""
}
