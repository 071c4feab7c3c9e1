// Package validate has the command validate.
package validate

import (
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/list"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/resume"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/service/brand"
	"github.com/avow-project/avow/internal/std/rfc3339"
	"github.com/avow-project/avow/internal/std/spell"
)

const validateHelp = `Validate checks files against every rule and shows each finding with its place, the
line of the file, and what to do about it. avow explain CODE tells more about a rule.

Use validate to find out whether a file is correct, before or after it is deployed. Use
avow discover to find out why buyers see no file for a domain, or another one than you
expect: it shows every request on the way to the file.

A TARGET is a domain, the https URL of a file, a file, a folder, a pattern, or - for
standard input. For a domain, the file that speaks for it is found as a buyer would find
it: at the well-known path, behind a pointer, or through the manager that ads.txt names.
How it was found and served is checked as well. What exists as a file or folder is taken
as one, whatever its name; https:// in front always asks the web.

A folder stands for every adagents.json below it or, when there is none, for the .json
files directly inside. Patterns are expanded when the shell did not; ** stands for any
number of folders. Neither follows symbolic links; one that you name is followed. Many targets are checked at once and shown in the order given; those of a
list (--from) are shown as they are done, unless --ordered is given or the format is sarif,
junit or github. How far avow has come is shown on standard error.

` + resume.Help + `

What keeps buyers from using the file or an entry of it comes first, then other errors,
warnings, and infos, each of which takes one line unless --verbose is given. At the end
avow says which findings avow fix can repair.

A file is valid when no finding is an error; warnings and infos do not change that.
The effect of a finding says what buyers do about it, which is a different question:
most errors cost one entry, and only a few make the whole file unusable. That a domain
has no file, and that its file could not be fetched, are different answers, and neither
means that an agent is not authorized.

Nothing is sent besides the requests that --verbose lists: for a domain at most the
well-known file, what it points to, ads.txt and the manager's file. Only public
addresses are connected to, over https, and through a proxy only if --proxy or AVOW_PROXY
names one. With --agents the
endpoints of the listed agents are asked too: for their card, and with an initialize
message of MCP. One that wants credentials is treated as reachable. The keys that the file
pins for an agent are compared with those that the agent publishes, and what the brand.json
of its operator says about the path to each property with delegation_type; neither changes
whether the file is valid.

Besides text there are json (one document per target and line; ndjson is another word for it),
csv (a row for each target, safe in spreadsheets), sarif for code scanning
services, junit for test reports, and github: annotations in the log of a workflow, of
which GitHub shows the first ten errors and ten warnings of a step. In sarif and github,
names of files are relative to the root of the repository.

With --expect FILE, avow also says whether what is live is the file that was built: the
same bytes, other bytes that say the same, or what deploying the file would change. A
pointer is compared with the pointer at the well-known path, any other file with the one
in effect. It is an answer of its own: the exit code is 1 when what is live differs.

With --local URL, a server on this machine is asked before it is public, for that one URL
over http: the host must be localhost, 127.0.0.1 or [::1]. What the answer points or
redirects to is not asked. Content type, redirects and caching are checked and shown.

A report never repeats a value that a finding calls secret: [hidden] stands for it.

A baseline is a list of findings that are known and accepted for now. They neither
fail nor are shown, so that only new ones do. Findings that make a file unusable are
never taken as known. Names of files in a baseline are relative to its own folder.

Errors make the check fail, and so does a file that lists agents and authorizes none of them.
Which findings fail is a decision of the project. --fail-on lists severities and codes:
"error" is for errors alone, "warning" for warnings and errors, and a list of codes alone
lets everything else pass but a file that cannot be used. --ignore accepts the findings of codes. A file .avow.toml
in the working directory, or that of --config, has the same for everybody who works on the
project; flags go before it:

  targets = ["example.com", "static/.well-known/adagents.json"]
  profile = "strict"
  fail_on = ["error", "agent.signing_keys_missing"]
  baseline = "known.json"

  [[ignore]]
  code = "file.schema_missing"
  reason = "the CDN removes it; ticket 4711"
  until = 2026-12-31

After its last day an ignore is told about and has no effect. Names of files are relative
to the folder of the file and stay inside it; the file cannot name URLs.

Exit codes: 0 every target is valid, 1 some are not, or authorize none of their agents, or are
not what --expect names, 2 wrong usage, 3 some target could not be read or reached, or has no file.`

const validateExamples = `  avow validate example.com
  avow validate https://cdn.example.net/adagents.json
  avow validate adagents.json
  avow validate --profile strict --as example.com .well-known/adagents.json
  avow validate example.com example.org --agents --format json
  avow validate 'network/**/*.json' --quiet
  avow validate adagents.json --format sarif -o avow.sarif
  avow validate adagents.json --write-baseline known.json
  avow validate adagents.json --baseline known.json
  avow validate --from publishers.txt --quiet
  avow validate --from publishers.csv --column domain --format csv -o report.csv
  avow validate --from publishers.txt --format ndjson --resume run.state >> report.ndjson
  avow validate adagents.json --fail-on warning --ignore file.schema_missing
  avow validate --local http://localhost:3000/.well-known/adagents.json
  avow validate --expect build/adagents.json example.com`

// validateFlags are the values of the command's flags.
type validateFlags struct {
	profile, release, least, format, role *console.Choice
	domain, now, output                   string
	baseline, writeBaseline               string
	expect, local                         string
	policy                                policyFlags
	rules                                 rulebook
	scopes                                []string
	most                                  int
	showBaseline, quiet, ordered          bool
	lead                                  *time.Duration
	web                                   *request.Flags
	list                                  *list.Flags
	resume                                *resume.Flag
}

// Command returns the command validate.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "validate [flags] DOMAIN|URL|FILE...",
		Short:   "check a domain's file, or local files, against every rule",
		Long:    validateHelp,
		Example: validateExamples,
	}
	v := &validateFlags{web: request.AddFlags(cmd).AddAgentsFlag(cmd), list: list.AddFlags(cmd),
		resume: resume.AddFlag(cmd)}
	cmd.Flags().Lookup("verbose").Usage = "list every request on standard error, and show infos in full"
	v.profile = console.AddChoice(cmd, "profile", "how severe to be", "default", "strict")
	releases := adagents.Releases()
	slices.Reverse(releases)
	v.release = console.AddChoice(cmd, "adcp",
		"AdCP release of the buyers that read the file; what they do not know yet is reported", releases...)
	v.format = console.AddChoice(cmd, "format", "output format", "text", "json", "ndjson", "csv", "sarif", "github",
		"junit")
	v.least = console.AddChoice(cmd, "min-severity", "leave out findings below this", "info", "warning", "error")
	v.role = console.AddChoice(cmd, "role", "how buyers reach the file", "direct", "authoritative", "manager", "mirror")
	flags := cmd.Flags()
	flags.StringVar(&v.domain, "as", "", "check the file as the one served for `DOMAIN`")
	flags.StringSliceVar(&v.scopes, "scopes", nil,
		"`TASKS` the agents may perform, separated by commas; all but read-only ones such as get_products make pinned keys "+
			"mandatory")
	flags.StringVar(&v.now, "now", "",
		"judge time windows at this `TIME`, for example 2026-01-02T00:00:00Z, instead of now")
	v.lead = console.AddDays(cmd, "lead", custody.UsualLead, "report entries and keys that end within `TIME`, such as 14d")
	flags.IntVar(&v.most, "max-findings", report.TextFindings,
		"show at most `N` findings per target, the most serious first; 0 shows all, as every format but text does by default")
	flags.StringVar(&v.baseline, "baseline", "", "accept the findings listed in `FILE`")
	flags.StringVar(&v.writeBaseline, "write-baseline", "", "list the present findings in `FILE` and accept them")
	v.policy.add(cmd)
	flags.StringVar(&v.expect, "expect", "", "say whether what is live is this `FILE`")
	flags.StringVar(&v.local, "local", "", "check what a server on this machine answers at this http `URL`")
	flags.BoolVar(&v.showBaseline, "show-baseline", false, "show the accepted findings as well")
	flags.StringVarP(&v.output, "output", "o", "", "write to `FILE` instead of standard output")
	flags.BoolVar(&v.ordered, "ordered", false, "show the targets of --from in their order, not as they are done")
	flags.BoolVarP(&v.quiet, "quiet", "q", false, "text format: one line per target")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return validate(a, cmd, v, args)
	}
	return cmd
}

func validate(a *console.App, cmd *cobra.Command, v *validateFlags, args []string) error {
	err := v.localAlone(cmd, args)
	if err != nil {
		return err
	}
	args, err = v.settle(a, cmd, args)
	if err != nil {
		return err
	}
	opt, err := v.options(a.Env.Now())
	if err != nil {
		return err
	}
	built, err := v.built(a, opt)
	if err != nil {
		return err
	}
	opt.Fixes = !v.quiet
	known, err := openBaseline(v.baseline, v.writeBaseline)
	if err != nil {
		return err
	}
	if v.most < 0 {
		return console.UsageError("use 0 to show all", "--max-findings must not be negative")
	}
	if cmd.Flags().Changed("max-findings") && v.most == 0 {
		opt.MaxFindings = math.MaxInt // the user asks for all, whatever it takes
	}
	listed, err := v.list.Read(a)
	if err != nil {
		return err
	}
	targets, web, err := validateTargets(a, cmd, v, args, listed, opt)
	if err != nil {
		return err
	}
	state, err := v.openState(a, cmd, targets)
	if err != nil {
		return err
	}
	out, err := a.OpenOutput(v.output)
	if err != nil {
		return state.Close(err)
	}
	sink := resume.NewSink(a, state, out.W, v.output, v.format.Value)
	sum, err := checkAll(cmd.Context(), a, checking{
		targets: targets, opt: opt, known: known, outs: v.outputs(a, cmd, sink, len(targets), state),
		web: web, verbose: v.web.Verbose, built: built, rules: &v.rules,
		asTheyCome: v.streams(), sink: sink, state: state,
	})
	return v.end(a, known, sum, listed.Bad, state.Close(out.Close(err)))
}

// end writes the baseline if one is wanted, and has the exit code of a run. Err is what went wrong on the way,
// and bad the number of lines of a list that are not targets.
func (v *validateFlags) end(a *console.App, known *baseline, sum *check.Summary, bad int, err error) error {
	switch {
	case err != nil || v.writeBaseline == "":
	case sum.Unread+sum.Unreached+bad > 0:
		err = console.Failure("fix the target, or leave it out",
			"the baseline %s is not written, because not every target could be read", v.writeBaseline)
	default:
		err = saveBaseline(a, known, v.writeBaseline)
	}
	switch {
	case err != nil:
		return err
	case bad > 0:
		return console.ExitStatus(console.ExitUnknown)
	}
	return v.status(sum)
}

// validateTargets turns the arguments into targets, and prepares to ask the web
// if any of them or a flag wants that.
func validateTargets(a *console.App, cmd *cobra.Command, v *validateFlags, args []string, listed list.List,
	opt adagents.Options) ([]check.Target, *request.Asker, error) {
	if v.local != "" {
		return v.localTarget(a, opt)
	}
	targets, err := check.ExpandTargets(args)
	if err != nil {
		return nil, nil, err
	}
	targets = append(targets, listed.Targets()...)
	err = v.onlyLive(targets)
	if err != nil {
		return nil, nil, err
	}
	onWeb := ""
	for _, t := range targets {
		if t.Note != "" {
			a.Note("%s", t.Note)
		}
		if t.OnWeb() {
			onWeb = t.Name
		}
	}
	switch {
	case onWeb == "" && !v.web.Agents:
		return targets, nil, nil
	case onWeb != "" && v.domain != "":
		return nil, nil, console.UsageError("leave out --as, or name a file",
			"--as is for files; %s is asked for on the web, for itself", onWeb)
	case onWeb != "" && cmd.Flags().Changed("role"):
		return nil, nil, console.UsageError("leave out --role, or name a file",
			"--role is for files; avow determines how %s is reached", onWeb)
	}
	v.web.NoFollow = true // the check is about the file that the publisher serves
	web, err := request.NewAsker(a, v.web, opt)
	if err != nil || !v.web.Agents {
		return targets, web, err
	}
	client, err := request.NewClient(a, v.web)
	if err == nil {
		web.Brands = brand.NewReader(client)
	}
	return targets, web, err
}

// status is the exit code: what could not be read weighs more than what was
// read and is wrong, because the answer is then incomplete.
func (v *validateFlags) status(t *check.Summary) error {
	failed := t.Invalid + t.AuthorizeNone
	if v.rules.failOn != nil {
		failed = t.Failed
	}
	switch {
	case t.Incomplete():
		return console.ExitStatus(console.ExitUnknown)
	case failed+t.Different > 0:
		return console.ExitStatus(console.ExitNo)
	}
	return nil
}

// options turns the flags into those of the check.
func (v *validateFlags) options(now time.Time) (adagents.Options, error) {
	opt := adagents.Options{Now: now, Release: v.release.Value, Role: roles[v.role.Value], Scopes: v.scopes}
	if *v.lead != custody.UsualLead {
		opt.Lead = *v.lead
	}
	if v.profile.Value == "strict" {
		opt.Profile = adagents.Strict
	}
	if v.domain != "" {
		domain, err := check.ServedFor(v.domain)
		if err != nil {
			return opt, err
		}
		opt.Domain = domain
	}
	if v.now != "" {
		at, err := rfc3339.Parse(v.now)
		if err != nil {
			return opt, console.UsageError("write it as 2026-01-02T00:00:00Z", "--now %s: %v", v.now, err)
		}
		opt.Now = at
	}
	return opt, checkScopes(v.scopes)
}

var roles = map[string]adagents.Role{
	"direct": adagents.Direct, "authoritative": adagents.Authoritative,
	"manager": adagents.Manager, "mirror": adagents.Mirror,
}

// checkScopes refuses a slip in the name of a task. Other unknown tasks are let
// through, since the protocol keeps adding some; the check takes them for ones
// that change something.
func checkScopes(scopes []string) error {
	for _, s := range scopes {
		near, ok := spell.Nearest(s, slices.Concat(model.MutatingTasks, model.ReadOnlyTasks), 2)
		if ok && near != s {
			return console.UsageError("did you mean "+near+"?", "--scopes: unknown task %q", s)
		}
	}
	return nil
}

// usesBaseline tells that findings may be known.
func (v *validateFlags) usesBaseline() bool {
	return v.baseline != "" || v.writeBaseline != "" || len(v.rules.ignored) > 0
}

// filter turns the flags into the choice of what to show in a format. limited tells that the user
// gave a limit.
func (v *validateFlags) filter(format string, limited bool) check.Filter {
	least, _ := adagents.ParseSeverity(v.least.Value)
	f := check.Filter{Least: least, Most: v.most, Known: v.showBaseline}
	if format != "text" && !limited {
		f.Most = 0
	}
	return f
}

// byTarget are the formats in which each target is written by itself.
var byTarget = []string{"text", "json", "ndjson", "csv"}

// streams reports whether results are shown as they come: those of a list, in formats in which
// each target is written by itself.
func (v *validateFlags) streams() bool {
	return v.list.From != "" && !v.ordered && slices.Contains(byTarget, v.format.Value)
}

// again repeats the flags that avow fix has to be given as well.
func (v *validateFlags) again() string {
	text := ""
	if v.domain != "" {
		text += " --as " + console.ShellQuote(v.domain)
	}
	if v.profile.Value != "default" {
		text += " --profile " + v.profile.Value
	}
	return text
}

// newHandler returns the writer of a format. n is the number of targets; begun says that an earlier
// run has written some of them.
func newHandler(a *console.App, v *validateFlags, sink *resume.Sink, format string, n int, begun bool) report.Handler {
	w := sink.In(format)
	switch format {
	case "csv":
		return &report.CSV{W: w, Begun: begun, Comma: a.Comma}
	case "json":
		return &report.JSON{W: w, Profile: v.profile.Value, Baseline: v.usesBaseline()}
	case "sarif":
		return report.NewSARIF(w)
	case "github":
		return &report.GitHub{W: w, Base: report.ProjectFolder()}
	case "junit":
		return &report.JUnit{W: w}
	}
	text := &report.Text{W: w, Quiet: v.quiet, Several: n > 1, Width: a.Env.Width(console.Stdout), Verbose: v.web.Verbose,
		Again: v.again(), Begun: begun}
	if v.output == "" && v.resume.Path == "" {
		text.Paint = a.Style(console.Stdout)
	}
	return text
}
