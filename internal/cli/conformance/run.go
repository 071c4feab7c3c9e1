package conformance

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/suite"
)

const runHelp = `Run asks an implementation about every case and reports the answers that differ, with the expected
answer and the sentence that the case rests on.

COMMAND is started and gets one line of JSON for each case on standard input. It answers each with
one line of JSON on standard output. It is started again when it ends or does not answer in time.

--url asks a registry over HTTP instead. Its routes take the files of the kinds check and create.
With --hosted it is asked about discovery, redirects, authorizations and supply paths, too: it then has
to fetch the files through the proxy that avow conformance host is, which gives the sites of each case
names of their own. What the web or a route has no place for is unsupported.

An implementation may answer that it does not support a case. That is reported separately and is not
a failure. Only normative cases count toward the grade and the exit code.

Exit codes: 0 no normative case failed, 1 some did, 2 wrong usage, 3 the implementation could not be
asked.`

// The defaults of the flags.
const (
	defaultTimeout = 10 * time.Second
	defaultJobs    = 2
	mostJobs       = 64
)

// flags are those of run.
type flags struct {
	only    *[]string
	format  *console.Choice
	list    bool
	url     string
	hosted  bool
	name    string
	timeout time.Duration
	jobs    int
}

func runCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run [flags] -- COMMAND [ARGUMENT...]",
		Short: "ask an implementation about every case",
		Long:  runHelp,
		Example: `  avow conformance run -- node adapter.mjs
  avow conformance run --only authorize,check --format markdown -- ./adapter
  avow conformance run --url http://127.0.0.1:8080 --hosted --format junit`,
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     cobra.NoFileCompletions,
	}
	f := &flags{only: addOnly(cmd)}
	f.format = console.AddChoice(cmd, "format", "output format", "text", "json", "junit", "markdown")
	cmd.Flags().BoolVar(&f.list, "list", false, "list the chosen cases and ask nothing")
	cmd.Flags().StringVar(&f.url, "url", "", "ask the registry at `URL` instead of a command")
	cmd.Flags().BoolVar(&f.hosted, "hosted", false, "the registry reaches the web through avow conformance host")
	cmd.Flags().StringVar(&f.name, "name", "", "`NAME` of the implementation in reports (default: the command or the URL)")
	cmd.Flags().DurationVar(&f.timeout, "timeout", defaultTimeout, "give up on an answer after this `TIME`")
	cmd.Flags().IntVar(&f.jobs, "jobs", defaultJobs, "ask this `NUMBER` of processes at the same time")
	cmd.Args = func(cmd *cobra.Command, args []string) error { return f.check(cmd, args) }
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), a, f, args) }
	return cmd
}

func (f *flags) check(cmd *cobra.Command, args []string) error {
	switch {
	case f.list:
		return nil
	case f.url == "" && len(args) == 0:
		return console.UsageError("write the command behind --, or give --url", "%s needs a command or --url",
			cmd.CommandPath())
	case f.url != "" && len(args) > 0:
		return console.UsageError("leave one of them out", "%s takes a command or --url, not both", cmd.CommandPath())
	case f.timeout <= 0:
		return console.UsageError("write a duration such as 10s", "invalid --timeout %q", f.timeout.String())
	case f.hosted && f.url == "":
		return console.UsageError("give --url as well", "--hosted is about a registry")
	case f.jobs < 1 || f.jobs > mostJobs:
		return console.UsageError("write a number from 1 to 64", "invalid --jobs %d", f.jobs)
	}
	if f.url == "" {
		return nil
	}
	u, err := url.Parse(f.url)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return console.UsageError("write it as https://registry.example", "invalid --url %q", f.url)
	}
	return nil
}

// open returns what makes answerers.
func (f *flags) open(args []string) func() suite.Answerer {
	if f.url != "" {
		client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		return func() suite.Answerer {
			return &suite.Registry{URL: f.url, Client: client, Hosted: f.hosted, Timeout: f.timeout}
		}
	}
	return func() suite.Answerer { return &suite.Process{Command: args, Timeout: f.timeout} }
}

func run(ctx context.Context, a *console.App, f *flags, args []string) error {
	cases, err := choose(*f.only)
	if err != nil {
		return err
	}
	if f.list {
		return list(a, cases, "text")
	}
	ctx, stop := console.Stoppable(ctx)
	defer stop()
	bar := a.StartProgress(len(cases), false)
	results, err := suite.Run(ctx, cases, suite.Options{
		Jobs: f.jobs, Open: f.open(args), Done: func(r *suite.Result) { bar.Step(r.Outcome == suite.Failed) },
	})
	lost := bar.Stop()
	switch {
	case err != nil && ctx.Err() != nil:
		return console.Failure("", "interrupted; there is no report")
	case err != nil:
		return console.Failure("try it by hand; docs/conformance.md describes the lines and the routes", "%v", err)
	case lost != nil:
		return lost
	}
	name := f.name
	if name == "" {
		name = f.url + strings.Join(args, " ")
	}
	err = suite.Writers[f.format.Value](a.Out, &suite.Report{Name: name, Results: results})
	if err != nil {
		return err
	}
	if suite.Sum(results).Grade.Failed > 0 {
		return console.ExitStatus(console.ExitNo)
	}
	return nil
}
