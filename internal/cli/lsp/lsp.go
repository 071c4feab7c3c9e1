// Package lsp has the command lsp.
package lsp

import (
	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/lsp"
)

const help = `Lsp helps an editor with adagents.json, over standard input and output, in the Language
Server Protocol. It is started by the editor, not by hand; docs/editors.md says what to put
into the settings of VS Code, Neovim, Helix and Emacs.

While you type it shows findings, the text of their rules and what members mean; it completes
names and values, also ids and tags of the file; it has fixes, formats as avow fmt does, and
leads from an id to the property, placement, format, signal or tag that it names, and back.

An editor may send it every JSON file. It looks at those with adagents in their name or with
a member that only this format has.

Exit codes: 0 the editor said goodbye, 1 it did not, 2 wrong usage, 3 the input
was not that of an editor.`

const examples = `  vim.lsp.config('avow', { cmd = { 'avow', 'lsp' }, filetypes = { 'json' } })
  vim.lsp.enable('avow')`

// Command returns the command lsp.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "lsp [flags]",
		Short:             "run a language server for editors",
		Long:              help,
		Example:           examples,
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	profile := console.AddChoice(cmd, "profile",
		"how severe to be; the editor may say otherwise with initializationOptions", "default", "strict")
	cmd.Flags().Bool("stdio", true, "use standard input and output, which is the only way; some editors give this flag")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		ctx, stop := console.Stoppable(cmd.Context())
		defer stop()
		c := lsp.Config{In: a.Env.Stdin, Out: a.Env.Stdout, Now: a.Env.Now, Version: buildinfo.Get().Version, Log: a.Note}
		if profile.Value == adagents.Strict.String() {
			c.Profile = adagents.Strict
		}
		done, err := lsp.Run(ctx, c)
		if err != nil {
			return console.Failure("it is started by an editor; see docs/editors.md", "%v", err)
		}
		if !done && ctx.Err() == nil {
			return console.ExitStatus(console.ExitNo)
		}
		return nil
	}
	return cmd
}
