// Package create has the commands that make and rewrite files: create and fmt.
package create

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/list"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/std/rfc3339"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
)

const help = `Create makes a complete, valid file in canonical form. Its content comes from your
answers, from flags, from a request file, or from an existing file.

On a terminal, and without enough flags, it asks: for your domain, a contact, and
which agent may sell what. Every answer is checked at once; flags become the answers in
brackets. The file is shown before it is written to adagents.json, or to the file of -o.
Ctrl-C stops at any time.

With flags, --domain and --property say what exists and --agent who may sell it. The
flags describe one agent; write a request file for more. To buyers, example.com and
www.example.com are two publishers, each with its own file: --www covers both.

A request file is a JSON object with the members of the file itself: authorized_agents,
properties, placements, formats, signals and so on; all of them are passed on as they
are. Added are $schema and last_updated, and the authorization_type of an agent that
has exactly one selector. An agent with url and authorized_for alone gets all properties
of the request, and a note says so. The members include_schema and include_timestamp
(true or false; true replaces an old last_updated) and compute_etag control this and are
not passed on. This is also the body of the registry's create request.

With --from and a CSV file of publishers (its name ends in .csv or .tsv), the file is that of a
network: it has a website for each domain of the list, and the agent of --agent may sell
all of them. The columns property_id (or id) and name say what the properties are called,
and --column names the column of the domains.

With --from, a draft is made of a file, a domain, the https URL of a file, or - for
standard input. Mistakes are repaired as avow fix --likely does, and entries with other
errors are left out. From an ads.txt, an agent card or another format only the owner is
taken over: no agent is authorized that was not before. A domain without a file gives a
draft of its ads.txt. What is left to do, about managers, DIRECT sellers, agents and entries
that were left out, is in x_todo and on standard error. --domain says whose file it is to be
when the source does not.

The result is checked. An invalid file is never printed: the findings go to standard
error and the exit code is 1. Notes and warnings about a valid one go there as well.
For a pointer to a file elsewhere, use avow pointer.

Exit codes: 0 a file was made; 1 it would be invalid, or you decided against it; 2 the
command line is wrong, or the file exists; 3 something could not be read or written.`

const examples = `  avow create
  avow create --domain example.com --agent https://agent.example/mcp --authorized-for "All display inventory"
  avow create --domain example.com --www --signing-keys keys.json --agent https://agent.example/mcp --authorized-for "Everything" --property "type=mobile_app,name=Example App,ios_bundle=com.example.app,tag=apps" --tag "apps=Our apps"
  avow create -f request.json -o adagents.json
  avow create --mirror --property "type=mobile_app,name=Big App,ios_bundle=com.example.big" --etag
  avow create --from publishers.csv --agent https://agent.example/mcp --authorized-for "All display in the network" -o all.json
  avow create --from example.com -o draft.json
  avow create --from ads.txt --domain example.com`

// Command returns the command create.
func Command(a *console.App) *cobra.Command {
	c := creator{app: a}
	cmd := &cobra.Command{
		Use:                   "create [-f REQUEST | --from SOURCE | flags]",
		DisableFlagsInUseLine: true,
		Short:                 "make a new file: it asks, or takes flags or a request",
		Long:                  help,
		Example:               examples,
		Args:                  console.NoArguments,
		RunE:                  func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVarP(&c.request, "file", "f", "", "read the request from this `FILE`; - is standard input")
	cmd.Flags().StringVar(&c.source, "from", "",
		"make a draft of this `SOURCE`: a file of any shape, an ads.txt, a domain or a URL; or the file of a network, of "+
			"its publishers in a .csv file")
	cmd.Flags().StringVar(&c.column, "column", "",
		"the `COLUMN` of the CSV file that has the domains, by its name or its number")
	c.content.add(cmd)
	c.output.add(cmd)
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

func (o *outputFlags) add(cmd *cobra.Command) {
	set := cmd.Flags()
	set.BoolVar(&o.etag, "etag", false, "set catalog_etag to a hash of the catalog")
	set.BoolVar(&o.noSchema, "no-schema", false, "do not add $schema")
	set.BoolVar(&o.noTimestamp, "no-timestamp", false, "do not add last_updated")
	set.StringVar(&o.now, "now", "", "the `TIME` to write and to judge by, for results that can be repeated")
	o.profile = console.AddChoice(cmd, "profile", "severities to check with", "default", "strict")
	set.StringVarP(&o.path, "output", "o", "", "write to this `FILE`; - is standard output")
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
	column  string
	web     *request.Flags
	content contentFlags
	output  outputFlags
}

func (c *creator) run(cmd *cobra.Command) error {
	flag, described := given(cmd, contentFlagNames)
	switch {
	case isTable(c.source):
		return c.fromTable(cmd)
	case cmd.Flags().Changed("from"):
		return c.fromSource(cmd)
	case c.request != "" && described:
		return console.UsageError("put everything into the request file, or use flags only",
			"--%s and -f exclude each other", flag)
	}
	opt, err := c.output.options(c.app.Env.Now)
	if err != nil {
		return err
	}
	if c.request != "" {
		body, err := c.app.ReadInput(c.request)
		if err != nil {
			return err
		}
		return c.make(body, opt)
	}
	err = c.content.check(cmd, c.app.Env.Args)
	if err != nil {
		return err
	}
	missing := c.content.missingContent()
	switch {
	case missing == nil:
		return c.fromFlags(opt)
	case c.app.Env.IsTerminal(console.Stdin) && c.app.Env.IsTerminal(console.Stderr):
		opt.ComputeETag = c.output.etag || !cmd.Flags().Changed("etag")
		return c.fromAnswers(opt)
	case described:
		return missing
	}
	return console.UsageError(
		"give -f request.json (or -f - for standard input), --from with a file or a domain, or flags such as --domain and "+
			"--agent; on a terminal avow create asks for what is needed",
		"there is nothing to create a file from")
}

// make makes the file of a request, and writes it.
func (c *creator) make(body []byte, opt adagents.BuildOptions) error {
	built, err := adagents.Build(body, opt)
	if err != nil {
		return refused(c.app, c.request, body, built)
	}
	err = c.app.WriteResult(c.output.path, built.File, c.output.force)
	if err == nil {
		sayBuilt(c.app, built)
	}
	return err
}

// fromFlags makes the file that the flags describe, with further properties.
func (c *creator) fromFlags(opt adagents.BuildOptions, more ...declaredProperty) error {
	d, err := c.content.declaration(c.app.ReadInput, more...)
	if err != nil {
		return err
	}
	d.complete()
	body, err := console.EncodeJSON(d)
	if err == nil {
		err = c.make(body, opt)
	}
	if err == nil && c.output.path != "" {
		c.closingWords(d, false)
	}
	return err
}

// fromAnswers asks, shows the file and writes it.
func (c *creator) fromAnswers(opt adagents.BuildOptions) error {
	if c.output.path == "" && c.app.Env.IsTerminal(console.Stdout) {
		c.output.path = console.FileName
	}
	w := &wizard{Prompter: console.NewPrompter(c.app), opt: opt, flags: &c.content, read: c.app.ReadInput}
	d, err := w.ask()
	if err != nil {
		return err
	}
	d.complete()
	body, err := console.EncodeJSON(d)
	if err != nil {
		return err
	}
	built, err := adagents.Build(body, opt)
	if err != nil {
		return refused(c.app, "", body, built)
	}
	fmt.Fprintf(c.app.Err, "\n%s\n", textsafe.Lines(string(built.File)))
	sayBuilt(c.app, built)
	ok, err := c.consent(w)
	if err != nil {
		return err
	}
	if !ok {
		c.app.Note("nothing was written")
		return console.ExitStatus(console.ExitNo)
	}
	err = c.app.WriteResult(c.output.path, built.File, true)
	if err != nil {
		return err
	}
	c.closingWords(d, true)
	return nil
}

// consent asks before anything is written.
func (c *creator) consent(w *wizard) (bool, error) {
	_, err := os.Lstat(c.output.path)
	switch {
	case c.output.path == "" || c.output.path == console.StdinName:
		return true, nil
	case err == nil && !c.output.force:
		return w.Yes(c.output.path+" exists. Replace it?", false)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, console.Failure("", "cannot write %s: %s", c.output.path, console.Reason(err))
	}
	return w.Yes("Write this to "+c.output.path+"?", true)
}

// closingWords say what to do with the file. asked says that the other form of the domain was a
// question.
func (c *creator) closingWords(d *declaration, asked bool) {
	if c.output.path == "" || c.output.path == console.StdinName {
		return
	}
	if d.Agents != nil && slices.ContainsFunc(*d.Agents, func(a declaredAgent) bool { return len(a.Selectors) > 0 }) {
		c.app.Note(
			"serve it over https, and then avow pointer makes what each of the publishers has to serve; avow network says how " +
				"far they are")
		return
	}
	domain := "<your domain>"
	if len(d.Properties) > 0 && d.Properties[0].Publisher != "" {
		domain = d.Properties[0].Publisher
	}
	c.app.Note("serve it at https://%s/.well-known/adagents.json with the content type application/json", domain)
	other, ok := otherForm(domain)
	switch {
	case ok && slices.ContainsFunc(d.Properties, func(p declaredProperty) bool { return p.Publisher == other }):
		c.app.Note("serve it at https://%s/.well-known/adagents.json as well: buyers ask each of the two for its own file",
			other)
	case ok && len(d.Properties) > 0 && !asked:
		c.app.Note("buyers take %s for another publisher: if it is in use, --www covers it as well", other)
	}
	c.app.Note("then check that it is there: avow validate --expect %s %s", console.ShellQuote(c.output.path), domain)
}

// isTable reports whether a source is a table of publishers, by its name.
func isTable(source string) bool {
	ext := strings.ToLower(filepath.Ext(source))
	return ext == ".csv" || ext == ".tsv"
}

// fromTable makes the file of a network: a website for each publisher of a list, and an agent that may
// sell all of them.
func (c *creator) fromTable(cmd *cobra.Command) error {
	for _, name := range []string{"file", "domain", "property", "mirror", "property-ids", "property-tags",
		"publisher-domains"} {
		if cmd.Flags().Changed(name) {
			return console.UsageError("avow edit changes the file afterwards",
				"--%s and --from with a list of publishers exclude each other", name)
		}
	}
	opt, err := c.output.options(c.app.Env.Now)
	if err != nil {
		return err
	}
	listed, err := (&list.Flags{From: c.source, Column: c.column}).Read(c.app)
	if err != nil {
		return err
	}
	switch {
	case listed.Bad > 0:
		return console.UsageError("fix the list, and try again", "%s no domain, and no file is made",
			words.Plural(listed.Bad, "line of the list is", "lines of the list are"))
	case len(listed.Domains) == 0:
		return console.UsageError("write one domain in each line", "the list has no domain")
	}
	domains := make([]string, 0, len(listed.Domains))
	for _, domain := range listed.Domains {
		domains = append(domains, string(domain))
	}
	c.content.publisherDomains = domains
	err = c.content.check(cmd, c.app.Env.Args)
	if err == nil {
		err = c.content.missingContent()
	}
	if err != nil {
		return err
	}
	var sites []declaredProperty
	for _, site := range listed.Websites(domains, map[string]bool{}) {
		p := website(site.Domain, site.Name)
		p.ID = site.ID
		sites = append(sites, p)
	}
	return c.fromFlags(opt, sites...)
}
