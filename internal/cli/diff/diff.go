// Package diff has the command diff, and shows changes between versions for the other commands
// that have some to show.
package diff

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/custody"
)

const diffHelp = `Diff says what a new version of a file changes, and how far that reaches: agents added or
removed, a delegation that is less direct, exclusivity lost, properties dropped, keys
added or removed, publishers revoked, a pointer that leads elsewhere, a catalog that changed
under the same catalog_etag or last_updated. The order in which a file lists things, and its
spaces and line breaks, make no difference.

OLD and NEW are files, - for standard input, domains or https URLs of files, which are asked
for as a buyer would, or versions that were kept: DOMAIN@HASH, with the first digits of the
SHA-256 as avow history shows it, or DOMAIN@TIME, the version that was in effect for the
domain at that time. So avow diff network.example ./new.json compares what is live with what
is about to be deployed. With DOMAIN alone, its last two kept versions are compared. A domain
that points to a file elsewhere stands for that file, or for its pointer when the other side
is a pointer.

There are three severities. alert: check it now, because authority was widened or taken
away on a large scale. warning: check it within a day. info: for the record.
--min-severity leaves the milder ones out. avow explain tells more about a code.

What repeats is shown as one line ("100 properties are gone, of 12 publishers") unless
--verbose is given. Besides text there are json, which always has each change; markdown, for a
comment on a pull request; and github: annotations in the log of a workflow, at the lines of
NEW, where an alert is an error.

Exit codes: 0 there are no changes of the severity --fail-on or above among those shown, 1
there are, 2 wrong usage, 3 one of them could not be read.`

const diffExamples = `  avow diff old.json adagents.json
  avow diff network.example ./new.json --fail-on alert
  git show HEAD:adagents.json | avow diff - adagents.json --format markdown
  avow diff https://cdn.network.example/adagents.json new.json --format github
  avow diff example.com
  avow diff example.com@3f9a2c example.com@2026-01-02T00:00:00Z
  avow diff old.json new.json --min-severity alert --format json`

// Command returns the command diff.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "diff [flags] OLD NEW | DOMAIN",
		Short:   "show what a new version of a file changes",
		Long:    diffHelp,
		Example: diffExamples,
	}
	f := &diffFlags{
		web:    request.AddFlags(cmd),
		format: console.AddChoice(cmd, "format", "output format", "text", "json", "markdown", "github"),
		least:  AddSeverity(cmd),
		fail: console.AddChoice(cmd, "fail-on", "least severity that makes the exit code 1", "info", "warning", "alert",
			"never"),
	}
	cmd.Flags().Lookup("verbose").Usage = "show each change by itself, and list every request on standard error"
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "write to `FILE` instead of standard output")
	f.state = sources.AddOperatorFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return diff(a, cmd, f, args) }
	return cmd
}

func diff(a *console.App, cmd *cobra.Command, f *diffFlags, args []string) error {
	err := diffArguments(cmd, args)
	if err != nil {
		return err
	}
	ctx, stop := console.Interruptible(cmd.Context())
	defer stop()
	c, err := compareSides(ctx, a, f, args)
	if err != nil {
		return console.Interrupted(err)
	}
	c.Changes = atLeast(c.all, severityOf(f.least.Value))
	err = showComparison(a, f, c)
	if err != nil {
		return err
	}
	if f.fail.Value != "never" && len(atLeast(c.Changes, severityOf(f.fail.Value))) > 0 {
		return console.ExitStatus(console.ExitNo)
	}
	return nil
}

// diffArguments refuses arguments that cannot be compared.
func diffArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return console.UsageError("name two files, or a domain that is kept: "+cmd.CommandPath()+" old.json new.json",
			"%s needs something to compare", cmd.CommandPath())
	case len(args) > 2:
		return console.UsageError("compare them two by two", "%s takes two versions, got %d", cmd.CommandPath(), len(args))
	case args[0] == "" || args[len(args)-1] == "":
		return console.EmptyName()
	case len(args) == 2 && args[0] == "-" && args[1] == "-":
		return console.UsageError("", "standard input can be read only once")
	case len(args) == 1 && (args[0] == "-" || console.IsFile(args[0])):
		return console.UsageError("name the other version as well", "%s is one version; two are compared", args[0])
	case len(args) == 1 && strings.Contains(args[0], "://"):
		return console.UsageError("name the other version as well", "%s is one version; two are compared",
			check.URLTarget(args[0]).Name)
	}
	return nil
}

// compareSides reads both versions and compares them.
func compareSides(ctx context.Context, a *console.App, f *diffFlags, args []string) (*Comparison, error) {
	if len(args) == 1 {
		return compareLast(ctx, a, f, args[0])
	}
	var sides [2]*Side
	for i, arg := range args {
		var err error
		sides[i], err = readSide(ctx, a, f, arg)
		if err != nil {
			return nil, err
		}
	}
	return Compare(sides[0], sides[1]), nil
}

// readSide reads a version: a file, one that is kept, or one on the web.
func readSide(ctx context.Context, a *console.App, f *diffFlags, arg string) (*Side, error) {
	onWeb := strings.Contains(arg, "://") // which never is the name of a file
	if !onWeb && (arg == "-" || console.IsFile(arg)) {
		src, err := a.ReadInput(arg)
		if err != nil {
			return nil, err
		}
		s, err := NewSide(check.Target{Name: arg, Stdin: arg == "-"}.Label(), "", src)
		if err == nil && arg != "-" {
			s.file = arg
		}
		return s, err
	}
	domain, what, kept := strings.Cut(arg, "@")
	if kept && !onWeb {
		return keptSide(ctx, a, f.state, domain, what)
	}
	return webSide(ctx, a, f, arg)
}

// atLeast are the changes of a severity or above. They come most severe first.
func atLeast(all []custody.Change, least custody.Severity) []custody.Change {
	for i := range all {
		if all[i].Severity < least {
			return all[:i]
		}
	}
	return all
}

// webSide asks for the file of a domain or of a URL, as a buyer would.
func webSide(ctx context.Context, a *console.App, f *diffFlags, arg string) (*Side, error) {
	targets, err := check.ExpandTargets([]string{arg})
	if err != nil {
		return nil, err
	}
	if len(targets) != 1 {
		return nil, console.UsageError("name one of them", "%s is %d files, and a version is one", arg, len(targets))
	}
	t := targets[0]
	if t.Err != nil {
		return nil, t.Err
	}
	if !t.OnWeb() { // a pattern
		return readSide(ctx, a, f, t.Name)
	}
	flags := *f.web
	flags.NoFollow = true // what is compared is the file that the publisher serves
	web, err := request.NewAsker(a, &flags, adagents.Options{Now: a.Env.Now()})
	if err != nil {
		return nil, err
	}
	d, err := web.Ask(ctx, t.Web, t.ByURL(), func(context.Context) error { return nil })
	if err != nil {
		return nil, err
	}
	if d.Report == nil {
		hint := "avow discover " + console.ShellQuote(t.Name) + " shows each request"
		if !t.ByURL() {
			hint += "; " + d.Domain + "@HASH and " + d.Domain + "@TIME stand for versions that are kept"
		}
		return nil, console.Failure(hint, "cannot compare %s: %s", t.Label(), report.AnswerSentence(d))
	}
	s, err := NewSide(t.Label(), "", d.Body)
	if err != nil {
		return nil, err
	}
	s.domain, s.url = d.Domain, d.ResolvedURL
	if d.Pointer != nil {
		s.pointer, err = NewSide(t.Label(), "", d.PointerBody)
	}
	return s, err
}
