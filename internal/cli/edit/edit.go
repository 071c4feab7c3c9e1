// Package edit has the command edit, which changes a file without touching the rest of its bytes.
package edit

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/diff"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/edit"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/textedit"
)

const help = `Edit makes a change that you name and leaves every other byte as it is: it adds, removes or
revokes publishers, adds and retires agents, pins and rotates keys, and moves the location.
It works on files of 20 MB as well as on small ones, and writes in the style of the rest of
the file.

Without -w nothing is written: edit shows the change as a patch, and what it means for buyers,
as avow diff does. With -w the file is replaced in one step and keeps its mode and owner.

With each change last_updated is renewed; revoke and reinstate renew catalog_etag too, so that
buyers resolve again what they have cached. The result is checked: an edit that brings an
error that was not there before is refused with the finding. Doing the same edit twice changes
nothing and says so.

` + exitCodes

const exitCodes = `Exit codes: 0 the edit is possible and, with -w, done, or there is nothing to do; 1 it is
refused, because of an error it would bring; 2 wrong usage; 3 the file could not be
read or written.`

const examples = `  avow edit add network.json --from new-publishers.csv --column domain
  avow edit add network.json example.com --agent https://agent.example/mcp -w
  avow edit revoke network.json example.com --reason relationship_ended -w
  avow edit rotate network.json https://agent.example/mcp --keys new-key.json
  avow edit move network.json --to https://cdn.example.net/adagents.json --out pointers
  avow edit bump network.json -w`

// Command returns the command edit.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use: "edit", Short: "change a file and leave every other byte as it is",
		Long: help, Example: examples,
	}
	return a.Group(
		cmd, addCommand(a), removeCommand(a), revokeCommand(a), reinstateCommand(a), addAgentCommand(a),
		retireAgentCommand(a),
		rotateCommand(a), moveCommand(a), bumpCommand(a),
	)
}

// Flags are those of every edit.
type Flags struct {
	Write bool
	// Writes is what makes an edit write the file; empty for -w.
	Writes string
	// Domain is whose file it is checked as; empty when that is not said.
	Domain string
	Format *console.Choice
}

func addFlags(cmd *cobra.Command) *Flags {
	cmd.Long += "\n\n" + exitCodes
	f := &Flags{Format: console.AddChoice(cmd, "format", "output format", "text", "json")}
	cmd.Flags().BoolVarP(&f.Write, "write", "w", false, "write the file")
	cmd.Flags().StringVar(&f.Domain, "as", "", "check the file as the one served for `DOMAIN`")
	return f
}

// A subject is a file that is changed.
type subject struct {
	app    *console.App
	flags  *Flags
	name   string
	src    []byte
	report *adagents.Report
	opt    adagents.Options
	now    time.Time
}

// open reads the file.
func open(a *console.App, f *Flags, name string) (*subject, error) {
	s := &subject{app: a, flags: f, name: name, now: a.Env.Now().UTC().Truncate(time.Second)}
	s.opt.Now = a.Env.Now()
	var err error
	if f.Domain != "" {
		s.opt.Domain, err = check.ServedFor(f.Domain)
	}
	if err == nil && name == console.StdinName {
		err = console.UsageError("name the file", "standard input cannot be edited in place")
	}
	if err == nil {
		s.src, err = a.ReadInput(name)
	}
	if err != nil {
		return nil, err
	}
	s.report = adagents.Check(s.src, s.opt)
	if s.report.Unusable != nil {
		return nil, console.Failure("repair it first: avow fix "+console.ShellQuote(name), "cannot edit %s: %s", name,
			sources.FirstAbort(redact.Report(s.src, s.report)))
	}
	return s, nil
}

// Run changes a file, which must not be a pointer.
func Run(a *console.App, f *Flags, name string, change func(d *edit.Draft) error) error {
	s, err := open(a, f, name)
	if err != nil {
		return err
	}
	if s.report.File == nil {
		return console.UsageError("avow edit move and avow edit bump change pointers",
			"%s is a pointer, which has no agents and no publishers", name)
	}
	return s.change(change)
}

// change makes a change, checks and shows it, and writes the file if that is asked for.
func (s *subject) change(change func(d *edit.Draft) error) error {
	d := edit.New(s.src, s.report, s.now)
	err := change(d)
	var problem *edit.Problem
	if errors.As(err, &problem) {
		code := console.ExitUsage
		if problem.Conflict {
			code = console.ExitNo
		}
		return &console.Error{Code: code, Message: redact.Credentials(problem.Message),
			Hint: redact.Credentials(problem.Hint)}
	}
	if err != nil {
		return err
	}
	edits := d.Finish()
	notes := make([]string, 0, len(d.Notes))
	for _, text := range d.Notes {
		notes = append(notes, redact.Credentials(text))
		s.app.Note("%s", notes[len(notes)-1])
	}
	if len(edits) == 0 {
		s.app.Note("%s stays as it is", s.name)
		if s.flags.Format.Value == "json" {
			return console.WriteJSONLine(s.app.Out, document{File: s.name, Notes: notes})
		}
		return nil
	}
	text, err := textedit.Apply(s.src, edits)
	if err != nil {
		return err
	}
	after := adagents.Check(text, s.opt)
	err = refusal(s.name, s.report, redact.Report(text, after))
	if err != nil {
		return err
	}
	c, err := s.compare(text, after)
	if err == nil && s.flags.Write {
		err = console.RewriteFile(s.name, text) // before anything says that it is done
	}
	if err == nil {
		err = s.show(report.Patch{Name: s.name, Before: s.src, After: text, BeforeReport: s.report, AfterReport: after,
			Edits: edits}, c, notes)
	}
	if err == nil {
		err = s.app.Out.Flush() // before what is said about it
	}
	switch {
	case err != nil:
		return err
	case s.flags.Write:
		s.app.Note("wrote %s", s.name)
	default:
		s.app.Note("nothing is written; %s writes %s", cmp.Or(s.flags.Writes, "-w"), s.name)
	}
	return nil
}

// refusal is the error of an edit that brings an error which was not there.
func refusal(name string, before, after *adagents.Report) error {
	had := map[string]int{}
	for i := range before.Findings {
		had[before.Findings[i].Code] += 1 + before.Findings[i].More
	}
	for i := range after.Findings {
		f := &after.Findings[i]
		had[f.Code] -= 1 + f.More
		if f.Severity == adagents.Error && had[f.Code] < 0 {
			return &console.Error{
				Code: console.ExitNo, Message: fmt.Sprintf("%s stays as it is: the edit would bring an error: %s [%s]", name,
					f.Message, f.Code), Hint: f.Hint,
			}
		}
	}
	return nil
}

// A document is what an edit did, in JSON. Its members are a contract.
type document struct {
	File    string   `json:"file"`
	Changed bool     `json:"changed"`
	Written bool     `json:"written"`
	Notes   []string `json:"notes"`
	Diff    string   `json:"diff"`
	// Comparison is what avow diff says about it; null when nothing changes.
	Comparison any `json:"comparison"`
}

// compare says what an edit means for buyers.
func (s *subject) compare(text []byte, after *adagents.Report) (*diff.Comparison, error) {
	old, err := diff.CheckedSide(s.name, s.src, s.report)
	if err != nil {
		return nil, err
	}
	next, err := diff.CheckedSide(s.name, text, after)
	if err != nil {
		return nil, err
	}
	return diff.Compare(old, next), nil
}

// show writes what an edit changes, and what that means for buyers.
func (s *subject) show(patch report.Patch, c *diff.Comparison, notes []string) error {
	if s.flags.Format.Value == "json" {
		return console.WriteJSONLine(s.app.Out, document{
			File: s.name, Changed: true, Written: s.flags.Write, Notes: notes, Diff: patch.Shown(), Comparison: c.Document(),
		})
	}
	report.PaintPatch(s.app, patch.Shown())
	fmt.Fprintf(s.app.Out, "\nWhat it means for buyers:\n")
	(&diff.Text{W: s.app.Out, Paint: s.app.Style(console.Stdout), Width: s.app.TextWidth()}).Comparison(c)
	return nil
}

func bumpCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use: "bump [-w] FILE", Short: "renew last_updated and catalog_etag",
		Long: `Bump sets last_updated to now, and catalog_etag to a hash of the catalog unless it is that
already: for a file that was changed by other means. A pointer has last_updated alone.`,
		Example: `  avow edit bump network.json -w`, Args: oneFile, DisableFlagsInUseLine: true,
	}
	f := addFlags(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		s, err := open(a, f, args[0])
		if err != nil {
			return err
		}
		return s.change(func(d *edit.Draft) error {
			d.Bump()
			return nil
		})
	}
	return cmd
}

// oneFile refuses anything but one argument.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return console.UsageError("for example: "+cmd.CommandPath()+" adagents.json", "%s needs one file", cmd.CommandPath())
	}
	return nil
}

// fileAndAgent refuses anything but a file and the URL of an agent.
func fileAndAgent(cmd *cobra.Command, args []string) error {
	if len(args) != 2 {
		return console.UsageError("for example: "+cmd.CommandPath()+" adagents.json https://agent.example/mcp",
			"%s needs a file and the URL of an agent", cmd.CommandPath())
	}
	return nil
}

// instant reads the time of a flag; a given one without.
func instant(name, text string, without time.Time) (time.Time, error) {
	if text == "" {
		return without, nil
	}
	at, err := console.ParseInstant(text)
	if err != nil {
		return at, console.FlagError(name, err)
	}
	return at, nil
}
