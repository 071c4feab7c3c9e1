// Package create has the commands that make and rewrite files: create, init and fmt.
package create

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/std/rfc3339"
)

// Command returns the command create.
func Command(a *console.App) *cobra.Command {
	c := creator{app: a}
	cmd := &cobra.Command{
		Use:                   "create [-f REQUEST | --from SOURCE | flags]",
		DisableFlagsInUseLine: true,
		Short:                 "make a valid file from a request, from flags or from an older file",
		Long: `Create prints a complete file in canonical form. Its content comes from a request file,
from flags, or from an existing file.

A request file is a JSON object with the members of the file itself: authorized_agents,
properties, placements, formats, signals and so on; all of them are passed on as they
are. Added are $schema and last_updated, and the authorization_type of an agent that
has exactly one selector. An agent with url and authorized_for alone gets all properties
of the request, and a note says so. The members include_schema and include_timestamp
(true or false; true replaces an old last_updated) and compute_etag steer that and are
not passed on. This is also the body of the registry's create request.

With flags, --domain and --property say what exists and --agent who may sell it. The
flags describe one agent; write a request file for more.

With --from, a draft is made of a file, a domain, the https URL of a file, or - for
standard input. Mistakes are repaired as avow fix --likely does, and entries with others
are left out. Of an ads.txt, an agent card or another format, who owns it is taken over and
nothing else: nobody is authorized who was not before. A domain without a file gives a
draft of its ads.txt. What is left to do, about managers, DIRECT sellers, agents and entries
that were left out, is in x_todo and on standard error. --domain says whose file it is to be
when the source does not.

The result is checked. An invalid file is never printed: the findings go to standard
error and the exit code is 1. Notes and warnings about a valid one go there as well.

Exit codes: 0 a file was made; 1 the request would make an invalid file; 2 the command
line is wrong; 3 the request or the source could not be read or the file not written.`,
		Example: `  avow create --domain example.com --agent https://agent.example/mcp \
    --authorized-for "All display inventory"
  avow create -f request.json -o adagents.json
  avow create --pointer https://cdn.example/adagents.json
  avow create --mirror --property "type=mobile_app,name=Big App,ios_bundle=com.example.big" --etag
  avow create --from example.com -o draft.json
  avow create --from old/adagents.json --domain example.com
  avow create --from ads.txt --domain example.com`,
		Args: console.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVarP(&c.request, "file", "f", "", "read the request from this `FILE`; - is standard input")
	cmd.Flags().StringVar(&c.source, "from", "", "make a draft of this `SOURCE`: a file of any shape, an ads.txt, a domain or a URL")
	c.content.add(cmd)
	c.output.add(cmd, "")
	c.web = request.AddRequestFlags(cmd)
	return cmd
}

// outputFlags say how a new file is finished and where it goes.
type outputFlags struct {
	etag        bool
	noSchema    bool
	noTimestamp bool
	now         string
	profile     *console.Choice
	path        string
	force       bool
}

func (o *outputFlags) add(cmd *cobra.Command, path string) {
	set := cmd.Flags()
	set.BoolVar(&o.etag, "etag", false, "set catalog_etag to a hash of the catalog")
	set.BoolVar(&o.noSchema, "no-schema", false, "do not add $schema")
	set.BoolVar(&o.noTimestamp, "no-timestamp", false, "do not add last_updated")
	set.StringVar(&o.now, "now", "", "the `TIME` to write and to judge by, for results that can be repeated")
	o.profile = console.AddChoice(cmd, "profile", "severities to check with", "default", "strict")
	set.StringVarP(&o.path, "output", "o", path, "write to this `FILE`; - is standard output")
	set.BoolVar(&o.force, "force", false, "replace a file that exists")
}

// options returns the options of Build.
func (o *outputFlags) options(clock func() time.Time) (adagents.BuildOptions, error) {
	opt := adagents.BuildOptions{OmitSchema: o.noSchema, OmitTimestamp: o.noTimestamp, ComputeETag: o.etag}
	if o.profile.Value == adagents.Strict.String() {
		opt.Check.Profile = adagents.Strict
	}
	if o.now == "" {
		opt.Now = clock()
		return opt, nil
	}
	now, err := rfc3339.Parse(o.now)
	if err != nil {
		return opt, console.UsageError("for example 2026-01-02T15:04:05Z", "--now %q is not a time: %v", o.now, err)
	}
	opt.Now = now
	return opt, nil
}

// creator is one run of the create command.
type creator struct {
	app     *console.App
	request string
	source  string
	web     *request.Flags
	content contentFlags
	output  outputFlags
}

func (c *creator) run(cmd *cobra.Command) error {
	if cmd.Flags().Changed("from") {
		return c.fromSource(cmd)
	}
	body, err := c.body(cmd)
	if err != nil {
		return err
	}
	opt, err := c.output.options(c.app.Env.Now)
	if err != nil {
		return err
	}
	built, err := adagents.Build(body, opt)
	if err != nil {
		return refused(c.app, c.request, body, built)
	}
	err = c.app.WriteResult(c.output.path, built.File, c.output.force)
	if err != nil {
		return err
	}
	sayBuilt(c.app, built)
	return nil
}

// body returns the request, from the file or from the flags.
func (c *creator) body(cmd *cobra.Command) ([]byte, error) {
	flag, described := given(cmd, contentFlagNames)
	switch {
	case described && c.request != "":
		return nil, console.UsageError("put everything into the request file, or use flags only", "--%s and -f exclude each other", flag)
	case c.request != "":
		return c.app.ReadInput(c.request)
	case !described:
		return nil, console.UsageError("give -f request.json, --from with a file or a domain, or flags such as --domain and --agent; avow init asks for what is needed", "there is nothing to create a file from")
	}
	err := c.content.check(cmd, c.app.Env.Args)
	if err == nil {
		err = c.content.missingContent()
	}
	if err != nil {
		return nil, err
	}
	d, err := c.content.declaration(c.app.ReadInput)
	if err != nil {
		return nil, err
	}
	return console.EncodeJSON(d)
}
