// Package fix has the command fix.
package fix

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/std/spell"
)

const help = `Fix repairs files. It shows what it would do as a diff, with the reason for each part;
-w writes it. Only what a fix is about changes: the rest of the file stays as it is, byte
for byte. Fixes that would cause new errors are skipped.

There are three kinds of fixes. A safe one cannot let anybody sell more than before; these
are always applied. A likely one is what the author most probably meant, for example a
member under its right name; since it may make an agent's entry take effect, it is applied
with --likely only. Without it, the diff shows what it would do in lines that begin with
"# likely:", which no program takes for a part of a patch. Of choices the author has to pick one: --choose CODE takes the first
for the findings of a rule, --choose CODE=2 the second. On a terminal, without any of these
flags, avow asks about each fix and writes the file at the end.

A TARGET is a file, a folder, a pattern, a domain, the https URL of a file, or - for
standard input, as for avow validate. The repaired file of a domain or a URL and that of
standard input go to standard output, and nothing else does, so that avow fix - is a
filter. -w writes through a symbolic link only if you name it, and does not replace a
read-only file.

With --check nothing is written: files with something left to fix are listed.

Exit codes: 0 no error is left, or --check found nothing to do; 1 an error is left, or
--check found something to do; 2 wrong usage; 3 a target could not be read.`

const examples = `  avow fix adagents.json
  avow fix -w --likely adagents.json
  avow fix -w --choose agent.type_missing=1 adagents.json
  avow fix --check network/*.json
  avow fix --likely example.com > adagents.json
  avow fix - < broken.json > fixed.json`

// flags are the values of the command's flags.
type flags struct {
	write, likely, check bool
	choose               []string
	domain               string
	profile, format      *console.Choice
	web                  *request.Flags
}

// Command returns the command fix.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "fix [-w | --check] [--likely] [--choose CODE[=N]] TARGET...",
		Short:   "repair the mistakes in a file",
		Long:    help,
		Example: examples,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return console.UsageError("for example: "+cmd.CommandPath()+" adagents.json, or - for standard input",
					"%s needs a file", cmd.CommandPath())
			}
			return nil
		},
		DisableFlagsInUseLine: true,
	}
	f := &flags{web: request.AddFlags(cmd)}
	cmd.Flags().BoolVarP(&f.write, "write", "w", false, "rewrite the files in place")
	cmd.Flags().BoolVar(&f.likely, "likely", false, "apply likely fixes as well")
	cmd.Flags().StringSliceVar(&f.choose, "choose", nil,
		"apply a fix that is to be chosen, for the findings of a rule: `CODE[=N]`")
	cmd.Flags().BoolVar(&f.check, "check", false, "list the files with something left to fix; exit 1 if there are any")
	cmd.Flags().StringVar(&f.domain, "as", "", "check the file as the one served for `DOMAIN`")
	f.profile = console.AddChoice(cmd, "profile", "how severe to be", "default", "strict")
	f.format = console.AddChoice(cmd, "format", "output format", "text", "json")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r, err := newRun(a, f, args)
		if err != nil {
			return err
		}
		return r.all(cmd.Context())
	}
	return cmd
}

// run is one run of the command.
type run struct {
	*flags
	app     *console.App
	targets []check.Target
	opt     adagents.Options
	choices map[string]int // the number of the fix, from 0, by code
	web     *request.Asker
	ask     *asker // nil unless a person is asked
	status  int    // the worst exit code so far
}

func newRun(a *console.App, f *flags, args []string) (*run, error) {
	r := &run{flags: f, app: a, opt: adagents.Options{Now: a.Env.Now()}}
	if f.profile.Value == "strict" {
		r.opt.Profile = adagents.Strict
	}
	var err error
	if f.domain != "" {
		r.opt.Domain, err = check.ServedFor(f.domain)
	}
	if err == nil {
		r.choices, err = readChoices(f.choose)
	}
	if err == nil {
		r.targets, err = check.ExpandTargets(args)
	}
	if err == nil {
		err = r.checkFlags()
	}
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(r.targets, check.Target.OnWeb) {
		f.web.NoFollow = true
		r.web, err = request.NewAsker(a, f.web, r.opt)
	}
	asking := !f.write && !f.likely && !f.check && f.choose == nil && f.format.Value == "text"
	if asking && a.Env.IsTerminal(console.Stdin) && a.Env.IsTerminal(console.Stdout) {
		r.ask = &asker{prompt: console.NewPrompter(a), paint: a.Style(console.Stderr)}
	}
	return r, err
}

// checkFlags refuses flags that exclude each other.
func (r *run) checkFlags() error {
	if r.write && r.check {
		return console.UsageError("--check tells, -w changes; choose one", "-w and --check exclude each other")
	}
	for _, t := range r.targets {
		if t.Note != "" {
			r.app.Note("%s", t.Note)
		}
		elsewhere := t.OnWeb() || t.Stdin
		switch {
		case elsewhere && r.write:
			return console.UsageError("leave out -w to get the result on standard output", "%s cannot be rewritten in place",
				t.Label())
		case elsewhere && len(r.targets) > 1 && r.format.Value == "text" && !r.check:
			return console.UsageError("name one target at a time, or use --format json",
				"the repaired file of %s goes to standard output, where only one can go", t.Label())
		case t.OnWeb() && r.domain != "":
			return console.UsageError("leave out --as, or name a file",
				"--as is for files; %s is asked for on the web, for itself", t.Name)
		}
	}
	return nil
}

// readChoices reads CODE and CODE=N.
func readChoices(list []string) (map[string]int, error) {
	choices := map[string]int{}
	for _, text := range list {
		code, number, given := strings.Cut(text, "=")
		n := 1
		var err error
		if given {
			n, err = strconv.Atoi(number)
		}
		if err != nil || n < 1 {
			return nil, console.UsageError("number the choices from 1, as avow fix lists them",
				"--choose %s: %q is not the number of a choice", text, number)
		}
		_, known := adagents.LookupRule(code)
		if !known {
			return nil, unknownCode(code)
		}
		choices[code] = n - 1
	}
	return choices, nil
}

func unknownCode(code string) error {
	hint := "avow explain lists the codes"
	var codes []string
	for _, rule := range adagents.Rules() {
		codes = append(codes, rule.Code)
	}
	near, ok := spell.Nearest(code, codes, 3)
	if ok {
		hint = "did you mean " + near + "?"
	}
	return console.UsageError(hint, "--choose: there is no rule %q", code)
}

// wanted chooses a fix by the flags.
func (r *run) wanted(text []byte, f *adagents.Finding) int {
	k, chosen := r.choices[f.Code]
	switch {
	case chosen && k < len(f.Fixes):
		return k
	case r.likely:
		return adagents.Probably(text, f)
	}
	return adagents.Safely(text, f)
}

// all repairs the targets, one after the other.
func (r *run) all(ctx context.Context) error {
	if r.web != nil {
		var stop context.CancelFunc
		ctx, stop = console.Interruptible(ctx)
		defer stop()
	}
	for _, t := range r.targets {
		err := r.target(ctx, t)
		if ctx.Err() != nil {
			return console.Interrupted(ctx.Err())
		}
		if err != nil {
			r.status = max(r.status, r.app.SayError(err))
		}
	}
	if r.status != console.ExitYes {
		return console.ExitStatus(r.status)
	}
	return nil
}

func (r *run) target(ctx context.Context, t check.Target) error {
	src, opt, err := r.read(ctx, t)
	if err != nil {
		return err
	}
	choose := r.wanted
	if r.ask != nil {
		r.ask.begin(t)
		choose = r.ask.choose
	}
	done := adagents.Repair(src, adagents.RepairOptions{Options: opt, Choose: choose})
	if r.ask != nil && r.ask.err != nil {
		return r.ask.err
	}
	left := adagents.Error
	switch {
	case r.check && len(done.Applied) > 0, !r.check && done.After.Count(left) > 0:
		r.status = max(r.status, console.ExitNo)
	}
	if r.format.Value == "json" {
		err = r.writeJSON(t, src, done)
	} else {
		err = r.writeText(t, src, opt, done)
	}
	if err != nil || t.OnWeb() || t.Stdin || len(done.Applied) == 0 || !r.write && r.ask == nil {
		return err
	}
	return console.RewriteFile(t.Name, done.Text)
}

// read returns the text of a target and the circumstances that it is checked in.
func (r *run) read(ctx context.Context, t check.Target) ([]byte, adagents.Options, error) {
	if t.Err != nil {
		return nil, r.opt, t.Err
	}
	if !t.OnWeb() {
		src, err := r.app.ReadInput(t.Name)
		return src, r.opt, err
	}
	d, err := r.web.Ask(ctx, t.Web, t.ByURL(), func(context.Context) error { return nil })
	if err != nil {
		return nil, r.opt, err
	}
	if d.Report == nil {
		return nil, r.opt, console.Failure("avow create makes a first file", "%s: %s", t.Label(), report.AnswerSentence(d))
	}
	opt := r.opt
	opt.Domain, opt.URL = d.Domain, d.ResolvedURL
	switch d.Method {
	case discover.AuthoritativeLocation:
		opt.Role = adagents.Authoritative
	case discover.ManagerDomain:
		opt.Role = adagents.Manager
	}
	return d.Body, opt, nil
}
