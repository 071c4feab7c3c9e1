package validate

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/loopback"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/redact"
)

// built reads the file that is expected to be live; nil without --expect.
func (v *validateFlags) built(a *console.App, opt adagents.Options) (*check.Built, error) {
	if v.expect == "" {
		return nil, nil
	}
	if v.format.Value != "text" && v.format.Value != "json" {
		return nil, console.UsageError("use --format text or json", "--expect has no form in %s", v.format.Value)
	}
	src, err := a.ReadInput(v.expect)
	if err != nil {
		return nil, err
	}
	report := adagents.Check(src, adagents.Options{Now: opt.Now})
	if report.Unusable != nil {
		return nil, console.Failure("avow validate "+console.ShellQuote(v.expect)+" shows what is wrong with it",
			"%s cannot be used, so that nothing can be compared with it", v.expect)
	}
	return &check.Built{Name: check.Target{Name: v.expect, Stdin: v.expect == console.StdinName}.Label(), Src: src,
		Report: report}, nil
}

// onlyLive refuses files at hand where something live is asked about.
func (v *validateFlags) onlyLive(targets []check.Target) error {
	for _, t := range targets {
		if v.expect != "" && !t.OnWeb() && t.Err == nil {
			return console.UsageError("name a domain or an https URL; avow diff compares two files",
				"--expect is about what is live, and %s is a file", t.Label())
		}
	}
	return nil
}

// localAlone refuses to ask for anything beside --local.
func (v *validateFlags) localAlone(cmd *cobra.Command, args []string) error {
	switch {
	case v.local == "":
	case len(args) > 0 || cmd.Flags().Changed("from"):
		return console.UsageError("check the others in a command of their own", "--local asks for one URL and nothing else")
	case v.web.Agents:
		return console.UsageError("leave out --agents; avow validate --agents FILE asks the agents of a file",
			"--local asks for one URL and nothing else")
	}
	return nil
}

// localTarget is the server on this machine that --local names. Nothing else is asked.
func (v *validateFlags) localTarget(a *console.App, opt adagents.Options) ([]check.Target, *request.Asker, error) {
	target, err := loopback.Parse(v.local)
	if err != nil {
		return nil, nil,
			console.UsageError(
				"for example --local http://localhost:3000/.well-known/adagents.json; what is public is checked without --local",
				"--local %s: %v", redact.URL(v.local), err)
	}
	client, err := request.NewClient(a, v.web)
	if err != nil {
		return nil, nil, err
	}
	asker, err := request.NewAsker(a, v.web, opt)
	if err != nil {
		return nil, nil, err
	}
	ask := func(ctx context.Context) *discover.Discovery {
		return asker.Finder.Served(ctx, loopback.Get(ctx, target, client.UserAgent()), opt.Role, opt.Domain, asker.Options)
	}
	return []check.Target{check.AskedTarget(redact.URL(target.String()), ask)}, nil, nil
}
