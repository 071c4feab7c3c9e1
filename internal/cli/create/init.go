package create

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// InitCommand returns the command init.
func InitCommand(a *console.App) *cobra.Command {
	i := initializer{app: a}
	cmd := &cobra.Command{
		Use:                   "init [flags]",
		DisableFlagsInUseLine: true,
		Short:                 "ask a few questions and write a first file",
		Long: `Init makes a publisher's first file. On a terminal it asks for the domain, a contact, and
which agent may sell what. Every answer is checked at once, flags become the answers
in brackets, and the file is shown before it is written. Ctrl-C stops at any time;
nothing is written before the last question.

The file is complete: it has a date, a catalog_etag and a meaning for each tag (--tag says
more than the usual one), and the check finds nothing in it, except that an entry pins no
keys: avow pin URL shows those of an agent, and --signing-keys pins them.

To buyers, example.com and www.example.com are two publishers, each with its own file. --www
covers both; serve the file at both names then.

Without a terminal, or when the flags already say enough, nothing is asked. Needed are
--domain (or --property), --agent and --authorized-for, or --pointer alone. The flags
are those of avow create.

Exit codes: 0 the file was written; 1 it would be invalid, or you decided against it;
2 something needed is missing, or the file exists; 3 the answers ended too early, or
the file could not be written.`,
		Example: `  avow init
  avow init --domain example.com --agent https://agent.example/mcp \
    --authorized-for "All display inventory"
  avow init --domain example.com --www --signing-keys keys.json \
    --property "type=mobile_app,name=Example App,ios_bundle=com.example.app,tag=apps" \
    --tag "apps=Our apps" --agent https://agent.example/mcp --authorized-for "Everything"
  avow init --pointer https://cdn.example/adagents.json -o .well-known/adagents.json`,
		Args: console.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return i.run(cmd) },
	}
	cmd.Flags().SortFlags = false
	i.content.add(cmd)
	i.output.add(cmd, console.FileName)
	i.output.etag = true
	cmd.Flags().Lookup("etag").DefValue = "true"
	return cmd
}

// initializer is one run of the init command.
type initializer struct {
	app     *console.App
	content contentFlags
	output  outputFlags
}

func (i *initializer) run(cmd *cobra.Command) error {
	err := i.content.check(cmd, i.app.Env.Args)
	if err != nil {
		return err
	}
	opt, err := i.output.options(i.app.Env.Now)
	if err != nil {
		return err
	}
	missing := i.content.missingContent()
	if missing == nil {
		return i.fromFlags(opt)
	}
	if !i.app.Env.IsTerminal(console.Stdin) || !i.app.Env.IsTerminal(console.Stderr) {
		return i.noTerminal(missing)
	}
	return i.fromAnswers(opt)
}

// noTerminal explains that nobody can be asked for what is missing.
func (i *initializer) noTerminal(missing error) error {
	var known *console.Error
	if !errors.As(missing, &known) {
		return missing
	}
	return console.UsageError(known.Hint, "%s, and there is no terminal to ask on", known.Message)
}

func (i *initializer) fromFlags(opt adagents.BuildOptions) error {
	d, err := i.content.declaration(i.app.ReadInput)
	if err == nil {
		err = d.complete()
	}
	if err != nil {
		return err
	}
	built, err := build(i.app, d, opt)
	if err != nil {
		return err
	}
	err = i.app.WriteResult(i.output.path, built.File, i.output.force)
	if err != nil {
		return err
	}
	sayBuilt(i.app, built)
	i.closingWords(d)
	return nil
}

// build makes a file from flags or answers. Its error has been explained.
func build(a *console.App, d *declaration, opt adagents.BuildOptions) (*adagents.Built, error) {
	request, err := console.EncodeJSON(d)
	if err != nil {
		return nil, err
	}
	built, err := adagents.Build(request, opt)
	if err != nil {
		return nil, refused(a, "", request, built)
	}
	return built, nil
}

// fromAnswers asks, shows the file and writes it.
func (i *initializer) fromAnswers(opt adagents.BuildOptions) error {
	w := &wizard{Prompter: console.NewPrompter(i.app), opt: opt, flags: &i.content, read: i.app.ReadInput}
	d, err := w.ask()
	if err == nil {
		err = d.complete()
	}
	if err != nil {
		return err
	}
	built, err := build(i.app, d, opt)
	if err != nil {
		return err
	}
	fmt.Fprintf(i.app.Err, "\n%s\n", textsafe.Lines(string(built.File)))
	sayBuilt(i.app, built)
	ok, err := i.consent(w)
	if err != nil {
		return err
	}
	if !ok {
		i.app.Note("nothing was written")
		return console.ExitStatus(console.ExitNo)
	}
	err = i.app.WriteResult(i.output.path, built.File, true)
	if err != nil {
		return err
	}
	i.closingWords(d)
	return nil
}

// consent asks before anything is written.
func (i *initializer) consent(w *wizard) (bool, error) {
	_, err := os.Lstat(i.output.path)
	switch {
	case i.output.path == console.StdinName:
		return true, nil
	case err == nil && !i.output.force:
		return w.Yes(i.output.path+" exists. Replace it?", false)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, console.Failure("", "cannot write %s: %s", i.output.path, console.Reason(err))
	}
	return w.Yes("Write this to "+i.output.path+"?", true)
}

// farewell says what to do with the file.
func (i *initializer) closingWords(d *declaration) {
	if i.output.path == console.StdinName {
		return
	}
	domain := "<your domain>"
	if len(d.Properties) > 0 && d.Properties[0].Publisher != "" {
		domain = d.Properties[0].Publisher
	}
	i.app.Note("serve it at https://%s/.well-known/adagents.json with the content type application/json", domain)
	other, ok := otherForm(domain)
	switch {
	case ok && slices.ContainsFunc(d.Properties, func(p declaredProperty) bool { return p.Publisher == other }):
		i.app.Note("serve it at https://%s/.well-known/adagents.json as well: buyers ask each of the two for its own file", other)
	case ok && len(d.Properties) > 0:
		i.app.Note("buyers take %s for another publisher: if it is in use, --www covers it as well", other)
	}
	i.app.Note("avow pointer and avow validate --expect help to put it there")
}
