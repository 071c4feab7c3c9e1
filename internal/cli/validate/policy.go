package validate

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/policy"
	"github.com/avow-project/avow/internal/cli/report"
)

// policyFlags are the flags that say what fails and what is accepted.
type policyFlags struct {
	config         string
	failOn, ignore []string
}

func (p *policyFlags) add(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringSliceVar(&p.failOn, "fail-on", nil,
		"`WHAT` makes the exit code 1: error, warning, info, or codes; separated by commas")
	set.StringSliceVar(&p.ignore, "ignore", nil, "accept the findings of these `CODES`, separated by commas")
	set.StringVar(&p.config, "config", "",
		"read the settings of the project from `FILE` instead of "+policy.FileName+" here")
}

// A rulebook is the policy of one run.
type rulebook struct {
	failOn  *policy.FailOn // nil for errors, and a file that authorizes none of its agents
	ignored map[string]bool
}

// settle reads the project's file and puts the flags over it. It returns the targets.
func (v *validateFlags) settle(a *console.App, cmd *cobra.Command, args []string) ([]string, error) {
	if cmd.Flags().Changed("config") && v.policy.config == "" {
		return nil, console.EmptyName()
	}
	p, err := policy.Read(v.policy.config)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 && v.list.From == "" && v.local == "" {
		args = p.Targets
	}
	if len(args) == 0 && v.list.From == "" && v.local == "" {
		return nil, console.UsageError("name a domain, a file or a folder, or - for standard input: "+cmd.CommandPath()+
			" example.com", "%s needs something to check", cmd.CommandPath())
	}
	if p.Profile != "" && !cmd.Flags().Changed("profile") {
		v.profile.Value = p.Profile
	}
	if v.baseline == "" && v.writeBaseline == "" {
		v.baseline = p.Baseline
	}
	v.rules = rulebook{failOn: p.FailOn, ignored: make(map[string]bool)}
	if cmd.Flags().Changed("fail-on") {
		v.rules.failOn, err = policy.ParseFailOn(v.policy.failOn)
		if err != nil {
			return nil, console.FlagError("fail-on", err)
		}
	}
	return args, v.settleIgnores(a, p)
}

// settleIgnores notes what is accepted. What has expired is told, and is not.
func (v *validateFlags) settleIgnores(a *console.App, p *policy.Policy) error {
	for i := range p.Ignores {
		ignore := &p.Ignores[i]
		if ignore.Expired(a.Env.Now()) {
			a.Note("%s: %s is not ignored any more, since %s is over: %s", ignore.Where, ignore.Code,
				ignore.Until.Format("2006-01-02"), ignore.Reason)
			continue
		}
		v.rules.ignored[ignore.Code] = true
	}
	for _, code := range v.policy.ignore {
		err := policy.CheckCode(code)
		if err != nil {
			return console.FlagError("ignore", err)
		}
		v.rules.ignored[code] = true
	}
	return nil
}

// ignore marks the findings that are accepted. Like a baseline, it never accepts what makes a
// file unusable: nothing behind it was checked.
func (b *rulebook) ignore(r *check.Result) {
	if len(b.ignored) == 0 {
		return
	}
	r.Ignored = make([]bool, len(r.Findings))
	for i, f := range r.Findings {
		r.Ignored[i] = b.ignored[f.Code] && mayBeKnown(r, f)
	}
}

// mayBeKnown reports whether a finding can be accepted. What makes the file unusable, or kept
// avow from getting it, cannot: behind it nothing else was checked.
func mayBeKnown(r *check.Result, f check.Finding) bool {
	return f.Effect != adagents.AbortFile && (f.Doc != nil || r.Verdict() <= check.NotValid)
}

// judge counts the findings that make the check fail. A file that cannot be used always does.
// Without a word about what fails, so does a file that lists agents and authorizes none of them: its
// author wants something else.
func (b *rulebook) judge(r *check.Result) {
	if b.failOn == nil {
		i := slices.IndexFunc(r.Findings, func(f check.Finding) bool { return f.Code == "file.authorizes_nobody" })
		r.AuthorizesNone = i >= 0 && !r.IsKnown(i)
		return
	}
	failing := 0
	for i, f := range r.Findings {
		if !r.IsKnown(i) && b.failOn.Names(f.Code, f.Severity) {
			failing += 1 + f.More
		}
	}
	if r.Verdict() == check.NotValid && report.Unusable(r) {
		failing = max(failing, 1)
	}
	r.Failing = &failing
}
