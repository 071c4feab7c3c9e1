package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
)

func (a *app) initCommand() *cobra.Command {
	i := initializer{app: a}
	cmd := &cobra.Command{
		Use:                   "init [flags]",
		DisableFlagsInUseLine: true,
		Short:                 "ask a few questions and write a first file",
		Long: `Init makes a publisher's first file. On a terminal it asks: the domain, who to contact,
which agent may sell what. Every answer is checked at once, flags become the answers
in brackets, and the file is shown before it is written. Ctrl-C stops at any time;
nothing is written before the last question.

Without a terminal, or when the flags already say enough, nothing is asked. Needed are
--domain (or --property), --agent and --authorized-for, or --pointer alone. The flags
are those of avow create.

Exit codes: 0 the file was written; 1 it would be invalid, or you decided against it;
2 something needed is missing, or the file exists; 3 the answers ended too early, or
the file could not be written.`,
		Example: `  avow init
  avow init --domain example.com --agent https://agent.example/mcp \
    --authorized-for "All display inventory"
  avow init --pointer https://cdn.example/adagents.json -o .well-known/adagents.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return i.run(cmd) },
	}
	cmd.Flags().SortFlags = false
	i.content.add(cmd)
	i.output.add(cmd, fileName)
	return cmd
}

// initializer is one run of the init command.
type initializer struct {
	app     *app
	content contentFlags
	output  outputFlags
}

func (i *initializer) run(cmd *cobra.Command) error {
	err := i.content.check(cmd, i.app.env.Args)
	if err != nil {
		return err
	}
	opt, err := i.output.options(i.app.env.Now)
	if err != nil {
		return err
	}
	missing := i.content.missingContent()
	if missing == nil {
		return i.fromFlags(opt)
	}
	if !i.app.env.IsTerminal(Stdin) || !i.app.env.IsTerminal(Stderr) {
		return i.noTerminal(missing)
	}
	return i.fromAnswers(opt)
}

// noTerminal explains that nobody can be asked for what is missing.
func (i *initializer) noTerminal(missing error) error {
	var known *cliError
	if !errors.As(missing, &known) {
		return missing
	}
	return usageError(known.hint, "%s, and there is no terminal to ask on", known.msg)
}

func (i *initializer) fromFlags(opt adagents.BuildOptions) error {
	d, err := i.content.declaration(i.app.readInput)
	if err != nil {
		return err
	}
	built, err := i.app.build(d, opt)
	if err != nil {
		return err
	}
	err = i.app.writeResult(i.output.path, built.File, i.output.force)
	if err != nil {
		return err
	}
	i.app.sayBuilt(built)
	i.farewell(d)
	return nil
}

// build makes a file from flags or answers. Its error has been explained.
func (a *app) build(d *declaration, opt adagents.BuildOptions) (*adagents.Built, error) {
	request, err := encodeJSON(d)
	if err != nil {
		return nil, err
	}
	built, err := adagents.Build(request, opt)
	if err != nil {
		return nil, a.refused("", request, built)
	}
	return built, nil
}

// fromAnswers asks, shows the file and writes it.
func (i *initializer) fromAnswers(opt adagents.BuildOptions) error {
	w := &wizard{prompter: newPrompter(i.app), opt: opt, flags: &i.content}
	d, err := w.ask()
	if err != nil {
		return err
	}
	built, err := i.app.build(d, opt)
	if err != nil {
		return err
	}
	fmt.Fprintf(i.app.errw, "\n%s\n", safeLines(string(built.File)))
	i.app.sayBuilt(built)
	ok, err := i.consent(w)
	if err != nil {
		return err
	}
	if !ok {
		i.app.note("nothing was written")
		return exitStatus(exitNo)
	}
	err = i.app.writeResult(i.output.path, built.File, true)
	if err != nil {
		return err
	}
	i.farewell(d)
	return nil
}

// consent asks before anything is written.
func (i *initializer) consent(w *wizard) (bool, error) {
	_, err := os.Lstat(i.output.path)
	switch {
	case i.output.path == stdinName:
		return true, nil
	case err == nil && !i.output.force:
		return w.yes(i.output.path+" exists. Replace it?", false)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, failure("", "cannot write %s: %s", i.output.path, reason(err))
	}
	return w.yes("Write this to "+i.output.path+"?", true)
}

// farewell says what to do with the file.
func (i *initializer) farewell(d *declaration) {
	if i.output.path == stdinName {
		return
	}
	domain := "<your domain>"
	if len(d.Properties) > 0 && d.Properties[0].Publisher != "" {
		domain = d.Properties[0].Publisher
	}
	i.app.note("serve it at https://%s/.well-known/adagents.json with the content type application/json", domain)
}
