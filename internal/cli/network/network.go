// Package network has the command network: the rollout of the file of a network, over all of its
// publishers.
package network

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/list"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/resume"
	"github.com/avow-project/avow/internal/rollout"
	"github.com/avow-project/avow/internal/std/hostname"
)

const help = `Network shows how far the rollout of a network's authoritative file has come. It looks at
every publisher that the file names or revokes, and those of --from, as a buyer would, and
says whether buyers arrive at the file, and if not, why:

  is_here           the file itself is at the publisher's well-known path
  points_here       a pointer at the publisher's well-known path names the file
  other_way         buyers arrive by ads.txt, a redirect or another spelling
  nothing_here      buyers arrive at the file, which has no property of the publisher
  revoked_pointing  the file revokes the publisher, which still leads to it
  orphan            the publisher leads to the file, which does not name it
  served_wrong      the answer cannot be used, or is a copy of the file
  elsewhere         the publisher leads to another file
  own_file          the publisher has a file of its own
  absent            the publisher has no file
  unresolvable      the domain is not in the DNS
  unreachable       it could not be determined

JSON output is one document; ndjson is a line for each publisher as it was asked, or with
--ordered in the order of names, and a last line with the counts. The other formats are in the
order of names. Of a file at hand without --url, all lines come in the end.

For each cause there is what to do and a message to send to the publisher; --messages
writes one for each of them into a folder. --sender signs the messages. --template FILE has
another text for them, with {{.Publisher}}, {{.Problem}}, {{.Found}}, {{.Pointer}},
{{.PointerURL}}, {{.File}} and {{.Sender}} for what differs. Identifiers that two publishers claim, and
publishers that another network names as well, are listed.

The file is given by a domain or its https URL, or as a file at hand: then it is the one
that is served at --url or, without it, where the publishers lead that have the same bytes,
or else where most of them lead.

A list has one domain in each line, with comments after #, or is a CSV file with a column
of domains.

With --resume STATE, who was asked is noted in the file STATE with the answer. When a run was
ended, by an interrupt or in any other way, the same command asks the others, and the
report is about all, in whatever --format. A state of another file or list, or of other options
about how publishers are asked, is refused. Remove the file STATE to begin again.

Exit codes: 0 all publishers that the file names lead to it and have a property in it, or
--expect PERCENT of them do, 1 they do not, 2 wrong usage, 3 the file could not be read, or a line of the
list was no domain.`

const examples = `  avow network https://cdn.network.example/adagents.json
  avow network network.example --from publishers.csv --column domain
  avow network ./new.json --url https://cdn.network.example/adagents.json
  avow network network.example --format csv > rollout.csv
  avow network network.example --format ndjson | jq 'select(.state == "absent").publisher'
  avow network network.example --format html -o rollout.html
  avow network network.example --resume run.state --format csv -o rollout.csv
  avow network network.example --expect 95 --format json | jq .counts`

// flags are the values of the command's flags.
type flags struct {
	web              *request.Flags
	list             *list.Flags
	resume           *resume.Flag
	format           *console.Choice
	url, out, folder string
	template, sender string
	expect           float64
	force, ordered   bool
}

// Command returns the command network.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "network [flags] FILE|DOMAIN|URL",
		Short:   "report which publishers point to a network's file",
		Long:    help,
		Example: examples,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return console.UsageError("for example: "+cmd.CommandPath()+" https://cdn.example.net/adagents.json",
					"%s needs one file", cmd.CommandPath())
			}
			return nil
		},
	}
	f := &flags{web: request.AddFlags(cmd), list: list.AddFlags(cmd),
		resume: resume.AddFlag(cmd, "ordered", "expect", "messages", "template", "sender"),
		format: console.AddChoice(cmd, "format", "output format", "text", "json", "ndjson", "csv", "markdown", "html")}
	cmd.Flags().StringVar(&f.url, "url", "", "the https `URL` at which a file at hand is served")
	cmd.Flags().Float64Var(&f.expect, "expect", 100, "the `PERCENT` of publishers that must lead to the file")
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "write the report to `FILE`")
	cmd.Flags().BoolVar(&f.force, "force", false, "replace the file of --output")
	cmd.Flags().BoolVar(&f.ordered, "ordered", false,
		"with --format ndjson: show publishers in the order of their names, not as they are asked")
	cmd.Flags().StringVar(&f.folder, "messages", "",
		"write a message for each publisher that has to do something into the `FOLDER`")
	cmd.Flags().StringVar(&f.template, "template", "", "the `FILE` with the text of messages")
	cmd.Flags().StringVar(&f.sender, "sender", "", "the `NAME` that messages are signed with")
	cmd.PreRunE = console.NoEmptyFlag
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.expect < 0 || f.expect > 100 {
			return console.UsageError("give a number from 0 to 100", "--expect %v is not a percentage", f.expect)
		}
		err := console.MayWrite(f.out, f.force)
		if err != nil {
			return err
		}
		return run(a, cmd, f, args[0])
	}
	return cmd
}

func run(a *console.App, cmd *cobra.Command, f *flags, arg string) error {
	letter, err := f.letter(a)
	if err != nil {
		return err
	}
	asked, err := f.list.Read(a)
	if err != nil {
		return err
	}
	web, err := request.NewAsker(a, f.web, adagents.Options{Now: a.Env.Now()})
	if err != nil {
		return err
	}
	ctx, stop := console.Interruptible(cmd.Context())
	defer stop()
	checker := check.NewChecker(a, adagents.Options{}, web)
	web.Options.Shared = true // pointers may lead to a well-known path
	n, err := readNetwork(ctx, checker, f, arg)
	web.Options.Shared = false
	if err != nil {
		return err
	}
	domains := n.Publishers(asked.Domains)
	if len(domains) == 0 {
		return console.Failure("name publishers in publisher_domain or publisher_domains, or list them with --from",
			"the file names no publisher, so there is nothing to check")
	}
	s := rollout.NewSummary(n, asked.Domains)
	s.Name, s.Now, s.Letter = arg, a.Env.Now(), letter
	v := &visitor{app: a, flags: f, checker: checker, summary: s}
	v.state, err = f.openState(a, cmd, n, domains)
	if err != nil {
		return err
	}
	err = v.state.Close(v.visit(ctx, domains))
	if err != nil {
		return err
	}
	s.Finish()
	err = v.write()
	switch {
	case err != nil:
		return err
	case asked.Bad > 0:
		return console.ExitStatus(console.ExitUnknown)
	case s.Percent() < f.expect:
		return console.ExitStatus(console.ExitNo)
	}
	return nil
}

// openState opens the state of a run; nil when the user wants none.
func (f *flags) openState(a *console.App, cmd *cobra.Command, n *rollout.Network,
	domains []hostname.Domain) (*resume.State, error) {
	names := make([]string, len(domains))
	for i, domain := range domains {
		names[i] = string(domain)
	}
	return f.resume.Open(a, cmd, names, map[string]string{"file of the network": n.Hash(), "address of the file": n.URL})
}

// readNetwork reads the file of the network.
func readNetwork(ctx context.Context, c *check.Checker, f *flags, arg string) (*rollout.Network, error) {
	targets, err := check.ExpandTargets([]string{arg})
	if err != nil {
		return nil, err
	}
	if len(targets) != 1 {
		return nil, console.UsageError("name the file itself", "%s is %d files, and a network has one", arg, len(targets))
	}
	if targets[0].OnWeb() && f.url != "" {
		return nil, console.UsageError("leave it out", "--url is for a file at hand, and %s is asked for where it is", arg)
	}
	url := f.url
	if url != "" {
		var info hostname.URLInfo
		url, info, err = hostname.CanonicalURL(url)
		if err != nil || info.Scheme != "https" || info.HasUserinfo {
			return nil, console.UsageError("give the whole URL, for example https://cdn.example.net/adagents.json",
				"--url: no https URL of a file")
		}
	}
	for r := range c.Results(ctx, targets) {
		switch {
		case r.Err != nil:
			return nil, r.Err
		case r.Report == nil || r.Report.File == nil:
			return nil, console.Failure("avow validate "+console.ShellQuote(arg)+" says more", "%s has no file of a network: %s",
				arg, reason(r))
		}
		doc := r.Docs[len(r.Docs)-1]
		if r.Found != nil {
			url = r.Found.ResolvedURL
		}
		return rollout.New(r.Report.File, doc.Src, url), nil
	}
	return nil, console.Interrupted(ctx.Err())
}

// reason says why there is no file.
func reason(r *check.Result) string {
	switch {
	case r.Found != nil:
		return report.AnswerSentence(r.Found)
	case r.Report != nil && r.Report.Unusable != nil:
		return r.Report.Unusable.Error()
	}
	return "it points to another file"
}

// A visitor asks publishers.
type visitor struct {
	app     *console.App
	flags   *flags
	checker *check.Checker
	state   *resume.State
	summary *rollout.Summary
	// waiting are those that cannot be judged yet, because the address of the file is not known.
	waiting []rollout.Visit
	// out is what is written in the end.
	out bytes.Buffer
}

// visit asks all publishers that an earlier run has not asked.
func (v *visitor) visit(ctx context.Context, domains []hostname.Domain) error {
	n := v.summary.Network
	err := v.state.Notes(func(note []byte) error {
		var known rollout.Visit
		err := json.Unmarshal(note, &known)
		if err != nil {
			return err
		}
		return v.add(known)
	})
	if err != nil {
		return err
	}
	rest := slices.DeleteFunc(domains, func(domain hostname.Domain) bool { return v.state.Done(string(domain)) })
	v.checker.Bar = v.app.StartProgress(len(rest), v.flags.web.Verbose)
	v.checker.AsTheyCome = !v.flags.ordered
	for r := range v.checker.Results(ctx, list.List{Domains: rest}.Targets()) {
		err = r.Err
		if err != nil {
			break
		}
		found := n.Visit(r.Found)
		err = v.add(found)
		if err == nil {
			err = v.state.Add(r.Target.Name, found)
		}
		if err != nil {
			break
		}
	}
	err = errors.Join(err, v.checker.Bar.Stop())
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return console.Interrupted(ctx.Err())
	}
	if n.URL == "" {
		n.URL = n.LikelyURL(v.waiting)
		if n.URL != "" {
			v.app.Note("taken for the address of the file: %s; --url names another", n.URL)
		}
	}
	for _, found := range v.waiting {
		err = v.judge(found)
		if err != nil {
			return err
		}
	}
	return nil
}

// add judges a publisher as soon as that can be done.
func (v *visitor) add(found rollout.Visit) error {
	if v.summary.Network.URL == "" {
		v.waiting = append(v.waiting, found)
		return nil
	}
	return v.judge(found)
}

// judge judges a publisher, and writes what comes of it if publishers are written one by one.
func (v *visitor) judge(found rollout.Visit) error {
	row := v.summary.Add(found)
	if row == nil || v.flags.format.Value != "ndjson" {
		return nil
	}
	if v.flags.out != "" && v.flags.out != console.StdinName {
		return console.WriteJSONLine(&v.out, publisherOf(row))
	}
	err := console.WriteJSONLine(v.app.Out, publisherOf(row))
	if err == nil {
		err = v.app.Out.Flush()
	}
	if err != nil {
		return console.Failure("", "cannot write the output: %s", console.Reason(err))
	}
	return nil
}
