package explain

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/spell"
)

const completionHelp = `Completion prints a script that teaches a shell to complete the commands, flags, words
and rule codes of avow when the tab key is pressed.

bash (needs the package bash-completion):
  avow completion bash > ~/.local/share/bash-completion/completions/avow

zsh (the directory must be in fpath before compinit runs):
  avow completion zsh > "${fpath[1]}/_avow"

fish:
  avow completion fish > ~/.config/fish/completions/avow.fish

PowerShell (add the line to your profile):
  avow completion powershell | Out-String | Invoke-Expression

New shells then know it.

Exit codes: 0 it was printed, 2 wrong usage.`

// shells are the shells a script can be made for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// CompletionCommand returns the command completion.
func CompletionCommand(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:                   "completion " + strings.Join(shells, "|"),
		DisableFlagsInUseLine: true,
		Short:                 "print a completion script for your shell",
		Long:                  completionHelp,
		Example:               "  source <(avow completion bash)",
		ValidArgs:             shells,
		Args:                  oneShell,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch args[0] {
			case "bash":
				return cmd.Root().GenBashCompletionV2(a.Out, true)
			case "zsh":
				return cmd.Root().GenZshCompletion(a.Out)
			case "fish":
				return cmd.Root().GenFishCompletion(a.Out, true)
			default:
				return cmd.Root().GenPowerShellCompletionWithDesc(a.Out)
			}
		},
	}
}

// oneShell refuses everything but one known shell.
func oneShell(cmd *cobra.Command, args []string) error {
	list := strings.Join(shells, ", ")
	if len(args) != 1 {
		return console.UsageError("name one of "+list, "%s needs the name of one shell", cmd.CommandPath())
	}
	for _, shell := range shells {
		if args[0] == shell {
			return nil
		}
	}
	hint := "name one of " + list
	near, ok := spell.Nearest(args[0], shells, 2)
	if ok {
		hint = "did you mean " + near + "?"
	}
	return console.UsageError(hint, "no completion for a shell named %q", args[0])
}
