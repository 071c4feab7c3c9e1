// Package discover has the command discover, which shows how the file of a domain is found.
package discover

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/list"
	"github.com/avow-project/avow/internal/cli/request"
)

const discoverHelp = `Discover shows which file speaks for a domain and how it is found: every request, what
came back, what that means, and why the next step was or was not taken. The last lines
give the answer and what to do about it.

The way is the one that buyers take. The publisher is asked for the file at its
well-known path. The file there is in effect, or the one it points to. Only when the publisher
has none, its ads.txt is read; the manager named there speaks for the publisher if the
manager's file says so. A pointer is followed once, and never through redirects. A file
that says in superseded_by that another one replaces it is left for that one, once, as if
it had pointed there; --no-follow-superseded stays with the first. If the other one cannot
be had, the first one describes inventory and authorizes nobody.

There are four answers. Usable: there is a file and it is in effect. Unusable: there is a file
and it must not be used. Absent: the publisher has no file, which says nothing about any
agent. Unreachable: it could not be determined.

To check what is in the file, use avow validate.

Exit codes: 0 usable, 1 unusable, or a pointer leads to a file with nothing for the
domain, 2 avow was called wrongly, 3 absent or unreachable. Of several targets, the
highest code is used.`

const discoverExamples = `  avow discover example.com
  avow discover example.com --verbose --refresh
  avow discover https://cdn.example.net/adagents.json
  avow discover example.com --format json | jq '.hops[].exchanges[]'
  avow discover --from publishers.csv --column domain --format json`

// Command returns the command discover.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "discover [flags] DOMAIN|URL...",
		Short:   "show which file speaks for a domain, and how it is found",
		Long:    discoverHelp,
		Example: discoverExamples,
		Args:    someDomains,
		// A domain is not the name of a file.
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	w := request.AddFlags(cmd).AddAgentsFlag(cmd)
	format := console.AddChoice(cmd, "format", "output format", "text", "json")
	w.AddFollowFlag(cmd)
	from := list.AddFlags(cmd)
	cmd.Flags().Bool("follow-superseded", true, "the default, and accepted for scripts that say so")
	cmd.MarkFlagsMutuallyExclusive("follow-superseded", "no-follow-superseded")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		listed, err := from.Read(a)
		if err != nil {
			return err
		}
		return runDiscover(cmd.Context(), a, w, format.Value, args, listed)
	}
	return cmd
}

func someDomains(cmd *cobra.Command, args []string) error {
	if len(args) == 0 && !cmd.Flags().Changed("from") {
		return console.UsageError("name a domain: "+cmd.CommandPath()+" example.com", "%s needs a domain or the URL of a file", cmd.CommandPath())
	}
	return nil
}

func runDiscover(ctx context.Context, a *console.App, w *request.Flags, format string, args []string, listed list.List) error {
	targets, err := webTargets(args)
	if err != nil {
		return err
	}
	targets = append(targets, listed.Targets()...)
	web, err := request.NewAsker(a, w, adagents.Options{Now: a.Env.Now()})
	if err != nil {
		return err
	}
	ctx, stop := console.Interruptible(ctx)
	defer stop()
	check := check.NewChecker(a, adagents.Options{}, web)
	status := console.ExitYes
	if listed.Bad > 0 {
		status = console.ExitUnknown
	}
	check.Bar = a.StartProgress(len(targets), w.Verbose)
	status, err = showAll(ctx, a, check, targets, format, status)
	err = errors.Join(err, check.Bar.Stop())
	if err != nil {
		return err
	}
	err = ctx.Err()
	if err != nil {
		return console.Interrupted(err)
	}
	if status != console.ExitYes {
		return console.ExitStatus(status)
	}
	return nil
}

// showAll writes the answers, and returns the highest exit code.
func showAll(ctx context.Context, a *console.App, c *check.Checker, targets []check.Target, format string, status int) (int, error) {
	for r := range c.Results(ctx, targets) {
		code, err := showDiscovery(a, r, format, len(targets) > 1)
		if err != nil {
			return status, err
		}
		status = max(status, code)
	}
	return status, nil
}

// webTargets turns arguments into targets. Whatever is no URL is taken for a
// domain; what is wrong with it is determined later.
func webTargets(args []string) ([]check.Target, error) {
	var list []check.Target
	for _, arg := range args {
		switch {
		case arg == "":
			return nil, console.UsageError("is a variable of your script not set?", "the name of a domain is empty")
		case strings.Contains(arg, "://"):
			list = append(list, check.URLTarget(arg))
		default:
			// Credentials are for the error message only, which leaves them out.
			list = append(list, check.Target{Name: arg[strings.LastIndexByte(arg, '@')+1:], Web: arg})
		}
	}
	return list, nil
}

// showDiscovery writes one answer and returns the exit code it stands for.
func showDiscovery(a *console.App, r *check.Result, format string, several bool) (int, error) {
	if r.Err != nil {
		code := a.SayError(r.Err)
		if format == "json" {
			return code, console.WriteJSONLine(a.Out, discoverDocument{Target: r.Target.Name, Error: console.JSONErrorOf(r.Err)})
		}
		return code, nil
	}
	r.Count()
	code := answerCodes[r.Found.Answer]
	if r.Found.NothingFound() {
		code = console.ExitNo
	}
	if format == "json" {
		return code, console.WriteJSONLine(a.Out, discoverDocumentOf(r))
	}
	t := &trailText{app: a, paint: a.Style(console.Stdout), width: a.TextWidth()}
	return code, t.write(r, several)
}

// answerCodes are the exit codes. An answer that is not listed is unknown.
var answerCodes = map[discover.Answer]int{
	discover.Usable: console.ExitYes, discover.Unusable: console.ExitNo, discover.Absent: console.ExitUnknown, discover.Unreachable: console.ExitUnknown,
}
