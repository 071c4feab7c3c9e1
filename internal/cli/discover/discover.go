// Package discover has the command discover, which shows how the file of a domain is found.
package discover

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/list"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/resume"
)

const discoverHelp = `Discover shows which file speaks for a domain and how it is found: every request, what
came back, what that means, and why the next step was or was not taken. The last lines
give the answer and what to do about it.

Use discover to find out why buyers see no file for a domain, or another one than you
expect. Use avow validate to check what is in the file against every rule.

Discover takes the route that buyers take. It fetches the file at the publisher's
well-known path. That file is in effect, or the one it points to. Only if the publisher
has none, its ads.txt is read; the manager named there speaks for the publisher if the
manager's file says so. A pointer is followed once, and never through redirects. If a file
names its replacement in superseded_by, the replacement is used, once, as if the file had
pointed there; --no-follow-superseded uses the first one. If the replacement cannot be
fetched, the first one describes inventory and authorizes no agent.

There are four answers. Usable: there is a file and it is in effect. Unusable: there is a file
and it must not be used. Absent: the publisher has no file, which says nothing about any
agent. Unreachable: it could not be determined.

Targets of a list (--from) are shown as they are done, unless --ordered is given. json is one
document per target and line, and ndjson another word for it; csv is a row for each target,
safe in spreadsheets.

` + resume.Help + `

Exit codes: 0 usable, 1 unusable, or a pointer leads to a file with nothing for the
domain, 2 wrong usage, 3 absent or unreachable. Of several targets, the
highest code is used.`

const discoverExamples = `  avow discover example.com
  avow discover example.com --verbose --refresh
  avow discover https://cdn.example.net/adagents.json
  avow discover example.com --format json | jq '.hops[].exchanges[]'
  avow discover --from publishers.csv --column domain --format csv -o found.csv
  avow discover --from publishers.txt --format ndjson --resume run.state >> found.ndjson`

// flags are the values of the command's flags.
type flags struct {
	web     *request.Flags
	format  *console.Choice
	list    *list.Flags
	resume  *resume.Flag
	output  string
	ordered bool
}

// Command returns the command discover.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "discover [flags] DOMAIN|URL...",
		Short:   "show step by step how buyers find a domain's file",
		Long:    discoverHelp,
		Example: discoverExamples,
		Args:    someDomains,
		// A domain is not the name of a file.
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := &flags{web: request.AddFlags(cmd).AddAgentsFlag(cmd),
		format: console.AddChoice(cmd, "format", "output format", "text", "json", "ndjson", "csv")}
	f.web.AddFollowFlag(cmd)
	f.list, f.resume = list.AddFlags(cmd), resume.AddFlag(cmd)
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "write to `FILE` instead of standard output")
	cmd.Flags().BoolVar(&f.ordered, "ordered", false, "show the targets of --from in their order, not as they are done")
	cmd.Flags().Bool("follow-superseded", true, "the default, and accepted for scripts that say so")
	cmd.MarkFlagsMutuallyExclusive("follow-superseded", "no-follow-superseded")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return runDiscover(a, cmd, f, args)
	}
	return cmd
}

func someDomains(cmd *cobra.Command, args []string) error {
	if len(args) == 0 && !cmd.Flags().Changed("from") {
		return console.UsageError("name a domain: "+cmd.CommandPath()+" example.com",
			"%s needs a domain or the URL of a file", cmd.CommandPath())
	}
	return nil
}

func runDiscover(a *console.App, cmd *cobra.Command, f *flags, args []string) error {
	listed, err := f.list.Read(a)
	if err != nil {
		return err
	}
	targets, err := webTargets(args)
	if err != nil {
		return err
	}
	targets = append(targets, listed.Targets()...)
	web, err := request.NewAsker(a, f.web, adagents.Options{Now: a.Env.Now()})
	if err != nil {
		return err
	}
	state, err := f.openState(a, cmd, targets)
	if err != nil {
		return err
	}
	out, err := a.OpenOutput(f.output)
	if err != nil {
		return state.Close(err)
	}
	show := newShower(a, f, resume.NewSink(a, state, out.W, f.output, f.format.Value), len(targets) > 1, state)
	if listed.Bad > 0 {
		show.status = console.ExitUnknown
	}
	ctx, stop := console.Interruptible(cmd.Context())
	defer stop()
	err = state.Notes(show.known)
	if err == nil {
		rest := slices.DeleteFunc(targets, func(t check.Target) bool { return state.Done(t.Name) })
		checker := check.NewChecker(a, adagents.Options{}, web)
		checker.Bar, checker.AsTheyCome = a.StartProgress(len(rest), f.web.Verbose), f.list.From != "" && !f.ordered
		err = show.all(ctx, checker.Results(ctx, rest))
		err = errors.Join(console.Interrupted(err), checker.Bar.Stop())
	}
	err = state.Close(out.Close(err))
	if err == nil && show.status != console.ExitYes {
		err = console.ExitStatus(show.status)
	}
	return err
}

// openState opens the state of a run; nil when the user wants none.
func (f *flags) openState(a *console.App, cmd *cobra.Command, targets []check.Target) (*resume.State, error) {
	if f.resume.Path != "" && f.list.From == "" {
		return nil, console.UsageError("--from names it", "--resume is for a list")
	}
	var names []string
	for _, t := range targets {
		names = append(names, t.Name)
	}
	return f.resume.Open(a, cmd, names, nil)
}

// webTargets turns arguments into targets. Anything but a URL is taken for a domain;
// what is wrong with it is determined later.
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

// answerCodes are the exit codes. An answer that is not listed is unknown.
var answerCodes = map[discover.Answer]int{
	discover.Usable: console.ExitYes, discover.Unusable: console.ExitNo, discover.Absent: console.ExitUnknown,
	discover.Unreachable: console.ExitUnknown,
}
